"""Every refusal has one shape, a fitting status and a sentence; nothing shows a traceback."""

import msgspec
import pytest

from hainan import wire
from hainan.server.problem import Problem
from hainan.server.store import StorageError
from hainan.server.web.errors import STATUS, Error, problem_of, status_of
from hainan.server.wording import understandable
from tests.server.web.conftest import Running


def refused(answer: object) -> tuple[int, str, str]:
    content = answer.content  # type: ignore[attr-defined]
    assert answer.headers["content-type"].startswith("application/json")  # type: ignore[attr-defined]
    error = msgspec.json.decode(content, type=Error)
    assert set(msgspec.json.decode(content)) == {"code", "why", "clause", "about"}
    return answer.status_code, error.code.value, error.why  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("content", "code", "why"),
    [
        (b"", "bad_message", "a body is missing"),
        (b"{", "bad_json", "not JSON: Input data was truncated"),
        (b"\xff", "bad_json", "not JSON"),
        (b'{"name": "\xff"}', "bad_json", "UTF-8"),
        (b"[]", "bad_message", "should be an object, not a list"),
        (b"{}", "bad_message", "`name` is missing"),
        (b'{"name": 5}', "bad_message", "name: should be text, not a whole number"),
        (b'{"name": "x", "nam": 1}', "bad_message", "there is no field `nam`"),
        (b'{"name": ""}', "bad_message", "name: should have 1 to 24 characters"),
        (b'{"name": "' + b"x" * 300 + b'"}', "bad_message", "should have at most 200 characters"),
    ],
)
def test_bodies_that_are_wrong(server: Running, content: bytes, code: str, why: str) -> None:
    with server.http() as client:
        status, found, said = refused(client.post("/api/players", content=content))
    assert (status, found) == (400, code)
    assert why in said


def test_settings_that_are_wrong(server: Running) -> None:
    with server.bearer() as client:

        def tried(**settings: object) -> tuple[int, str, str]:
            return refused(client.post("/api/rooms", json={"settings": settings}))

        assert tried(players=5) == (400, "bad_message", "settings.players: should be at most 4")
        assert tried(rules={"preset": "nope"})[:2] == (400, "bad_settings")
        assert tried(rules={"ga": 1})[1:] == ("bad_settings", "ga: 1 is not one of true | false (R8.3)")
        answer = client.post("/api/rooms", json={"settings": {"rules": {"ga": 1}}})
        assert answer.json()["clause"] == "R8.3"
        assert answer.json()["about"] == {"where": "rules.ga", "fault": "rules", "params": {"option": "ga"}}
        assert tried(rules={"ga": [1]})[1] == "bad_settings"
        assert tried(rules={"x" * 65: 1})[1] == "bad_settings"
        assert tried(rules={"hands": 10**30})[1] == "bad_settings"
        deep = b'{"settings": {"rules": {"ga": ' + b"[" * 900 + b"]" * 900 + b"}}}"
        assert refused(client.post("/api/rooms", content=deep))[1] == "bad_settings"
        deeper = b'{"settings": {"rules": {"ga": ' + b"[" * 20_000
        assert refused(client.post("/api/rooms", content=deeper)) == (400, "bad_json", "nested too deep")


def test_what_is_not_there(server: Running) -> None:
    with server.bearer() as client:
        for path in (
            "/nothing",
            "/api",
            "/api/nothing",
            "/api/openapi.json/x",
            "/api/openapi.json/openapi.json",
        ):
            assert refused(client.get(path))[:2] == (404, "not_found")
        assert refused(client.get("/api/rooms/zzz"))[:2] == (404, "no_such_room")
        assert refused(client.get("/api/matches/x"))[:2] == (404, "not_found")
        assert refused(client.get("/api/matches/x/hands/y/record"))[:2] == (404, "not_found")
        assert refused(client.put("/api/rooms"))[:2] == (405, "not_found")
        assert refused(client.get("/api/rooms?limit=1000"))[1:] == (
            "bad_message",
            "limit: should be at most 100",
        )
        assert refused(client.get("/api/matches?limit=x"))[:2] == (400, "bad_message")


def test_too_long(server: Running) -> None:
    with server.http() as client:
        assert refused(client.post("/api/score", content=b"x" * 70_000))[:2] == (413, "too_long")

        def pieces():  # without a content-length
            for _ in range(20):
                yield b"x" * 10_000

        assert refused(client.post("/api/score", content=pieces()))[:2] == (413, "too_long")


def test_storage_that_fails(server: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    async def fails(*_: object, **__: object) -> None:
        raise StorageError("secret disk full")

    with server.bearer() as client:
        monkeypatch.setattr(server.store, "create_room", fails)
        status, code, why = refused(client.post("/api/rooms"))
        assert (status, code) == (503, "storage")
        assert "secret" not in why
        monkeypatch.setattr(server.store, "ping", fails)
        assert refused(client.get("/readyz"))[:2] == (503, "storage")
        assert client.get("/healthz").status_code == 200


def test_what_nobody_foresaw_is_logged_and_not_told(server: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    async def fails(*_: object, **__: object) -> None:
        raise ZeroDivisionError("wall=123456789m")

    with server.bearer() as client:
        monkeypatch.setattr(server.store, "listed_rooms", fails)
        answer = client.get("/api/rooms")
        assert refused(answer)[:2] == (500, "internal")
        assert "Traceback" not in answer.text
        assert "123456789" not in answer.text
    line = next(line for line in server.logged if "ZeroDivisionError" in line)
    assert answer.headers["x-request-id"] in line
    assert "listed_rooms" in line
    assert "123456789" not in line


def test_draining_begins_nothing(start: object) -> None:
    server: Running = start()  # type: ignore[operator]
    with server.bearer() as client:
        server.call(server.app.begin_draining)
        assert refused(client.post("/api/rooms"))[:2] == (503, "draining")
        assert refused(client.post("/api/quick"))[:2] == (503, "draining")
        assert refused(client.get("/readyz"))[:2] == (503, "draining")
        assert client.get("/healthz").status_code == 200
        assert client.get("/api/players/me").status_code == 200


def test_every_refusal_has_a_status() -> None:
    for code in wire.Refusal:
        assert status_of(Problem(code, "")) in {*STATUS.values(), 409}
    assert problem_of(ValueError("secret")).code is wire.Refusal.INTERNAL
    assert "secret" not in problem_of(ValueError("secret")).why


@pytest.mark.parametrize(
    ("raw", "said"),
    [
        ('{"type":"act","offer":"x","action":"pass"}', "offer: should be a whole number, not text"),
        ('{"type":"foo"}', "there is no command 'foo'"),
        ("{}", "`type` is missing"),
        ("[]", "should be an object, not a list"),
        ('{"type":"ping","x":1}', "there is no field `x`"),
        ('{"type":"sit","seat":9}', "seat: should be at most 3"),
        ('{"type":"sit","seat":1.5}', "seat: should be a whole number or null, not a number"),
        ('{"type":"auto"}', "`on` is missing"),
        ('{"type":"vote","on":"x"}', "on: 'x' is none of the known ones"),
        ('{"type":"change","settings":{"players":7}}', "settings.players: should be at most 4"),
    ],
)
def test_understandable(raw: str, said: str) -> None:
    with pytest.raises(msgspec.ValidationError) as caught:
        wire.decode_command(raw)
    assert understandable(caught.value) == said
