"""What programs ask about the rules; the calculator and the verifier; the OpenAPI document and its page."""

import re
from typing import Any

import pytest

from hainan import wire
from hainan.rules.options import OPTIONS
from hainan.rules.presets import PRESET_NAMES
from hainan.server.web import pages
from hainan.server.web.pages import PLACES
from tests.server.web.conftest import Running, decoded


def test_rules(server: Running) -> None:
    with server.http() as client:
        book = client.get("/api/rules").json()
    assert [preset["name"] for preset in book["presets"]] == list(PRESET_NAMES)
    assert [option["name"] for option in book["options"]] == list(OPTIONS)
    ga = next(option for option in book["options"] if option["name"] == "ga")
    assert (ga["zh"], ga["en"], ga["clause"], ga["default"]) == ("上嘎", "ga stakes", "R8.3", True)
    assert ga["help_zh"]
    stacking = next(option for option in book["options"] if option["name"] == "stacking")
    assert [choice["id"] for choice in stacking["choices"]] == ["multiply", "add", "max"]
    assert {phrase["name"] for phrase in book["phrases"]} == set(wire.PHRASES)
    assert book["policies"] == ["easy", "normal", "strong"]
    assert {pattern["id"] for pattern in book["patterns"]} >= {"plain", "seven_pairs"}


def test_presets_have_short_names_and_what_sets_them_apart(server: Running) -> None:
    with server.http() as client:
        presets = client.get("/api/rules").json()["presets"]
    for text in ("en", "zh", "about_en", "about_zh"):
        assert len({preset[text] for preset in presets}) == len(presets)
    assert max(len(preset["en"]) for preset in presets) <= 22  # a card on a phone


@pytest.mark.parametrize(
    ("sheet", "changed"),
    [
        ({}, {}),
        ({"players": 3}, {}),
        ({"rules": {"preset": "hainan", "meld_liability": False}}, {"meld_liability": False}),
        ({"rules": {"preset": "lingao", "hands": 4}, "players": 3}, {"hands": 4}),
        ({"rules": None, "players": 4}, {}),
    ],
)
def test_a_sheet_as_it_counts(server: Running, sheet: dict[str, Any], changed: dict[str, Any]) -> None:
    with server.http() as client:
        answer = client.post("/api/sheet", json=sheet)
    assert answer.status_code == 200, answer.text
    values, usual = answer.json()["values"], answer.json()["usual"]
    assert list(values) == list(usual) == list(OPTIONS)
    assert {name: value for name, value in values.items() if value != usual[name]} == changed
    assert not (values["follow"] and sheet.get("players") == 3)
    assert not (values["four_melds"] and not values["meld_liability"])


def test_a_sheet_that_contradicts_itself(server: Running) -> None:
    with server.http() as client:
        answer = client.post("/api/sheet", json={"rules": {"follow": True}, "players": 3})
    assert (answer.status_code, answer.json()["values"]) == (200, {})  # the question was a good one
    problem = answer.json()["problem"]
    assert (problem["code"], problem["clause"]) == ("bad_settings", "R8.19")
    assert problem["about"]["params"] == {"option": "follow"}


SCORED: dict[str, Any] = {
    "seats": [
        {},
        {},
        {"hand": "9m234m567678s", "melds": [{"kind": "pong", "tiles": "333p", "from": 0}], "flowers": "3f"},
        {},
    ],
    "end": {"by": "discard", "from": 3, "tile": "9m", "winners": [2]},
}


def test_score(server: Running) -> None:
    with server.http() as client:
        answer = client.post("/api/score", json=SCORED)
        assert answer.status_code == 200, answer.text
        assert answer.json()["legal"] is True
        assert sum(answer.json()["payments"]) == 0


@pytest.mark.parametrize(
    ("change", "why", "clause"),
    [
        ({"seats": [{}]}, "seats: 1 seats for 4 players", None),
        ({"end": {}}, "end: `by` is missing", None),
        ({"players": "4"}, "players: should be a whole number, not text", None),
        ({"seats": [{"hand": "1m1m1m1m1m"}, *SCORED["seats"][1:]]}, "seats[0].hand", "R1.1"),
    ],
)
def test_a_score_request_that_is_wrong(
    server: Running, change: dict[str, Any], why: str, clause: str | None
) -> None:
    with server.http() as client:
        answer = client.post("/api/score", json=SCORED | change)
    assert (answer.status_code, answer.json()["code"]) == (400, "bad_message")
    assert why in answer.json()["why"]
    assert answer.json()["clause"] == clause
    assert why.startswith(answer.json()["about"]["where"])


def test_verify_refuses_what_is_no_record(server: Running) -> None:
    with server.http() as client:
        answer = client.post("/api/verify", json={"format": "hainan-record/1"})
    assert (answer.status_code, answer.json()["code"]) == (400, "bad_message")
    assert answer.json()["why"].startswith("shuffle: ")


# ---------------------------------------------------------------- OpenAPI


@pytest.fixture(scope="module")
def api(server: Running) -> dict[str, Any]:
    with server.http() as client:
        answer = client.get("/api/openapi.json")
        assert answer.status_code == 200
        return decoded(answer.text)


def test_it_is_openapi_3_1_and_knows_every_route(server: Running, api: dict[str, Any]) -> None:
    assert api["openapi"].startswith("3.1.")
    described = {
        (method.upper(), path)
        for path, item in api["paths"].items()
        for method in item
        if method in ("get", "post", "put", "patch", "delete")
    }
    served = set()
    for route in server.app.routes:
        for handler in getattr(route, "route_handlers", []):
            path = re.sub(r"\{(\w+):\w+\}", r"{\1}", route.path)
            served |= {(method, path) for method in handler.http_methods if method != "OPTIONS"}
    not_for_programs = {("GET", re.sub(r":\w+", "", path)) for path in (*PLACES, "/assets/{name}", "/{name}")}
    of_the_page = {
        (method, path) for method, path in served if path.startswith(("/api/docs", "/api/openapi"))
    }
    assert described == served - not_for_programs - of_the_page


def test_every_reference_leads_somewhere(api: dict[str, Any]) -> None:
    def walk(value: Any) -> None:
        if isinstance(value, dict):
            if "$ref" in value:
                at: Any = api
                for part in value["$ref"].removeprefix("#/").split("/"):
                    at = at[part]
            for inner in value.values():
                walk(inner)
        elif isinstance(value, list):
            for inner in value:
                walk(inner)

    walk(api["paths"])
    walk(api["components"])


def test_every_call_is_described_and_refuses_in_one_shape(api: dict[str, Any]) -> None:
    ids = []
    for path, item in api["paths"].items():
        for method, call in item.items():
            assert call["description"], (method, path)
            assert call["tags"]
            ids.append(call["operationId"])
            for parameter in call.get("parameters", []):
                assert parameter["name"] not in ("me", "caller", "services", "visitor"), (method, path)
            for status, answer in call["responses"].items():
                if int(status) >= 400:
                    assert answer["content"]["application/json"]["schema"] == {
                        "$ref": "#/components/schemas/Error"
                    }, (method, path, status)
    assert len(ids) == len(set(ids))
    assert set(api["components"]["schemas"]["Error"]["properties"]) == {"code", "why", "clause", "about"}
    assert set(api["components"]["securitySchemes"]) == {"bearer", "cookie"}


def test_the_page_draws_what_the_document_has(server: Running) -> None:
    with server.http() as client:
        page = client.get("/api/docs")
        assert page.headers["content-type"] == "text/html; charset=utf-8"
        assert '<script src="/api/docs.js" defer></script>' in page.text
        script = client.get("/api/docs.js")
        assert script.headers["content-type"].startswith("text/javascript")
        assert '"/api/openapi.json"' in script.text


def test_home_is_in_both_languages(server: Running) -> None:
    with server.http() as client:
        for path in ("/", "/r/123456", "/m/x?share=y"):
            page = client.get(path).text
            assert "海南麻将" in page
            assert "Hainan mahjong" in page


def test_where_the_page_is_not_built_home_says_so_in_both_languages(
    server: Running, monkeypatch: pytest.MonkeyPatch
) -> None:
    read = pages._read
    monkeypatch.setattr(pages, "_read", lambda folder, name: None if folder == "page" else read(folder, name))
    with server.http() as client:
        page = client.get("/").text
    assert 'lang="zh">这里是' in page
    assert 'lang="en">This is' in page
    assert 'href="/api/docs"' in page
