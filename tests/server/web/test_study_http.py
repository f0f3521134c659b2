"""Records played step by step, and the rule book clause by clause."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import msgspec
import pytest

from hainan.bots.review import review_of
from hainan.faults import Cause
from hainan.records import final_table, read_record
from hainan.rules.options import OPTIONS
from hainan.rules.tiles import codes_of
from hainan.server.web.study import replayed
from tests.server.web.conftest import Running, decoded

ROOT = Path(__file__).parents[3]
EXAMPLES = [
    json.loads(line)["record"]
    for line in (ROOT / "tests/data/record_examples.jsonl").read_text(encoding="utf-8").splitlines()
]


def steps_of(server: Running, record: Any) -> list[dict[str, Any]]:
    with server.http() as client:
        answer = client.post("/api/replay", json=record)
        assert answer.status_code == 200, answer.text
        steps: list[dict[str, Any]] = decoded(answer.text)["steps"]
        return steps


def tiles_of(step: dict[str, Any]) -> Counter[int]:
    """Every tile of the set, each where it lies now."""
    table = step["table"]
    found: Counter[int] = Counter()
    for text in (*step["hands"], step["wall"], table.get("indicator") or ""):
        found.update(codes_of(text))
    for seat in table["seats"]:
        river = codes_of(seat.get("river", ""))
        claimed = seat.get("claimed", [])
        found.update(tile for place, tile in enumerate(river) if place not in claimed)
        found.update(codes_of(seat.get("flowers", "")))
        for meld in seat.get("melds", []):
            found.update(codes_of(meld["tiles"]))
    return found


@pytest.mark.parametrize("record", EXAMPLES, ids=range(len(EXAMPLES)))
def test_every_step_of_a_record(record: dict[str, Any]) -> None:
    steps = decoded(msgspec.json.encode(replayed(read_record(record))).decode())
    assert [step["n"] for step in steps] == list(range(len(record["actions"]) + 1))
    assert [[step["seat"], step["action"]] for step in steps[1:]] == record["actions"]
    all_tiles = Counter(codes_of(record["wall"]))
    for step in steps:
        robbed = step["table"]["phase"] == "rob" or (step["table"].get("end") or {}).get("by") == "rob"
        missing = all_tiles - tiles_of(step)
        assert not tiles_of(step) - all_tiles, step["n"]
        assert missing.total() == (1 if robbed else 0), step["n"]
        assert step["drawn"] is None or codes_of(step["drawn"])[0] in codes_of(
            step["hands"][step["table"]["turn"]]
        )
        assert not any(event["type"] == "pay" for event in step["events"])
    table = final_table(read_record(record))
    assert steps[-1]["table"].get("end") == table.end()
    assert [step for step in steps if step["table"].get("end")] == (steps[-1:] if table.over else [])


def test_a_replay_over_http(server: Running) -> None:
    record = max(EXAMPLES, key=lambda record: len(record["actions"]))
    steps = steps_of(server, record)
    assert len(steps) == len(record["actions"]) + 1
    assert steps[0]["seat"] is None
    assert steps[0]["action"] is None
    assert len(steps[0]["hands"]) == record["players"]


def test_a_hidden_kong_lies_open_in_a_replay() -> None:
    kinds = {
        (meld.kind, len(meld.tiles) > 0)
        for record in EXAMPLES
        for seat in replayed(read_record(record))[-1].table.seats
        for meld in seat.melds
    }
    assert ("concealed_kong", True) in kinds
    assert all(shown for _, shown in kinds)


@pytest.mark.parametrize(
    ("change", "where", "fault", "clause"),
    [
        ({"format": "something else"}, "format", "format", None),
        ({"wall": None}, "wall", "missing", None),
        ({"wall": "1x"}, "wall", "tiles", None),
        ({"wall": "1m"}, "wall", "wall", "R1.1"),
        ({"players": 5}, "players", "range", None),
        ({"dice": [1, 7]}, "dice", "list", None),
        ({"round_wind": "5z"}, "round_wind", "one_of", None),
        ({"rules": {"follow": True}, "players": 3}, "rules", "rules", "R8.19"),
        ({"actions": [[0, "fly"]]}, "actions[0]", "illegal", None),
        ({"actions": [7]}, "actions[0]", "action", None),
    ],
)
def test_a_record_that_is_wrong(
    server: Running, change: dict[str, Any], where: str, fault: str, clause: str | None
) -> None:
    with server.http() as client:
        answer = client.post("/api/replay", json=EXAMPLES[0] | change)
    assert (answer.status_code, answer.json()["code"]) == (400, "bad_message")
    assert answer.json()["why"].startswith(f"{where}: ")
    assert (answer.json()["about"]["where"], answer.json()["about"]["fault"]) == (where, fault)
    if clause:
        assert answer.json()["clause"] == clause


def test_an_illegal_action_names_its_clause(server: Running) -> None:
    record = EXAMPLES[0]
    played = [*record["actions"][:-1], [(record["dealer"] + 1) % 4, "kong 1m"]]
    with server.http() as client:
        answer = client.post("/api/replay", json=record | {"actions": played}).json()
    assert answer["why"].startswith(f"actions[{len(played) - 1}]: ")
    assert answer["clause"].startswith("R")
    seat, action = played[-1]
    params = answer["about"]["params"]
    reason = Cause(params.pop("reason"))
    assert answer["clause"] == reason.clause
    assert reason.en.format(**params.pop("given")) in answer["why"]
    assert params == {"n": len(played), "seat": seat, "action": action}


@pytest.mark.parametrize("body", ["", "[]", "7", "{", "null"])
def test_what_is_no_record(server: Running, body: str) -> None:
    with server.http() as client:
        answer = client.post("/api/replay", content=body, headers={"Content-Type": "application/json"})
    assert answer.status_code == 400


def test_the_book(server: Running) -> None:
    with server.http() as client:
        book = client.get("/api/book").json()
        known = client.get("/api/rules").json()
    ids = [clause["id"] for clause in book["zh"]]
    assert ids == [clause["id"] for clause in book["en"]]
    assert len(ids) == len(set(ids))
    assert {"intro", "S0", "R1.1", "R3.7", "R9.3", "S10", "house"} <= set(ids)
    by_id = {clause["id"]: clause for clause in book["en"]}
    assert by_id["R3.7"]["heading"] == "Robbing a kong (抢杠)"
    assert by_id["R3.7"]["section"] == "3. Turns and claims"
    assert by_id["R8.3"]["options"] == ["ga", "free_ga"]
    for option in known["options"]:
        assert option["name"] in by_id[option["clause"]]["options"]
    for term in (*known["patterns"], *known["licences"], *known["pay_rules"]):
        assert term["clause"] in by_id, term
    assert all(set(clause["options"]) <= set(OPTIONS) for clause in book["zh"])


@pytest.mark.parametrize("language", ["zh", "en"])
def test_the_book_loses_nothing(server: Running, language: str) -> None:
    with server.http() as client:
        book = client.get("/api/book").json()[language]
    text = (ROOT / "docs/rules" / f"{language}.md").read_text(encoding="utf-8")
    lines = [line for line in text.splitlines() if line and not line.startswith("#")]
    assert [line for clause in book for line in clause["text"].splitlines() if line] == lines


# ---------------------------------------------------------------- reviews


def test_a_review_by_http_is_the_review(server: Running) -> None:
    record = EXAMPLES[0]
    with server.http() as client:
        answer = client.post("/api/review", json=record)
        assert answer.status_code == 200, answer.text
        wanted = review_of(read_record(record))
        told = answer.json()
        assert told["worst"] == wanted.worst
        assert told["lost"] == wanted.lost
        assert told["decisions"] == msgspec.to_builtins(wanted.decisions)
        own = client.post("/api/review", params={"seat": 1}, json=record).json()
        assert own["decisions"] == [one for one in told["decisions"] if one["seat"] == 1]


def test_what_cannot_be_reviewed_is_refused(server: Running) -> None:
    record = EXAMPLES[0]
    three = next(example for example in EXAMPLES if example["players"] == 3)
    with server.http() as client:
        spoiled = client.post("/api/review", json=record | {"actions": [[0, "dance"]]})
        assert (spoiled.status_code, spoiled.json()["code"]) == (400, "bad_message")
        assert "actions[0]" in spoiled.json()["why"]
        assert client.post("/api/review", params={"seat": 9}, json=record).status_code == 400
        nobody = client.post("/api/review", params={"seat": 3}, json=three)
        assert (nobody.status_code, nobody.json()["code"]) == (400, "bad_message")
