"""Records: what is wrong is named, bad input never gets further."""

from typing import Any

import pytest

from hainan.records import RecordError, ReplayError, final_table, read_record, replay
from hainan.rules.presets import rules_of
from hainan.rules.tiles import TEXT
from hainan.shuffle import Shuffle
from hainan.table import RECORD_FORMAT, IllegalAction


def good(**changes: Any) -> dict[str, Any]:
    wall = "".join(TEXT[tile] for tile in Shuffle.from_number(1).deal(rules_of()).wall)
    return {"format": RECORD_FORMAT, "rules": {"preset": "hainan"}, "wall": wall, "actions": []} | changes


WALL = good()["wall"]


@pytest.mark.parametrize(
    ("changes", "field", "problem"),
    [
        ({"format": "hainan-record/2"}, "format", "hainan-record/1"),
        ({"format": None}, "format", "None"),
        ({"players": 5}, "players", "3 to 4"),
        ({"players": True}, "players", "True"),
        ({"players": "4"}, "players", "'4'"),
        ({"dealer": 4}, "dealer", "0 to 3"),
        ({"streak": -1}, "streak", "-1"),
        ({"round_wind": "5z"}, "round_wind", "5z"),
        ({"round_wind": 1}, "round_wind", "1"),
        ({"ga_floor": [0, 0, 0]}, "ga_floor", "list of 4"),
        ({"ga_floor": [0, 0, 0, 4]}, "ga_floor", "0, 1, 2, 3, 5"),
        ({"dice": [0, 7]}, "dice", "list of 2"),
        ({"wall": WALL[2:]}, "wall", "143 tiles"),
        ({"wall": WALL + "1m"}, "wall", "145 tiles"),
        ({"wall": "1m1m1m1m1m" + WALL[10:]}, "wall", "it should have"),
        ({"wall": "1x" + WALL[2:]}, "wall", "'x'"),
        ({"wall": "0m" + WALL[2:]}, "wall", "no tile 0m"),
        ({"wall": WALL + "1"}, "wall", "without a suit"),
        ({"wall": "m" + WALL}, "wall", "no number before"),
        ({"wall": None}, "wall", "needs its wall"),
        ({"rules": {"preset": "sichuan"}}, "rules", "no preset"),
        ({"rules": {"version": 2}}, "rules", "no such option"),
        ({"rules": {"preset": 3}}, "rules", "a name"),
        ({"rules": [1]}, "rules", "an object"),
        ({"actions": {}}, "actions", "list"),
        ({"actions": [[0, "ga 0"], [1]]}, "actions[1]", "[seat, action]"),
        ({"actions": [[True, "ga 0"]]}, "actions[0]", "[seat, action]"),
    ],
)
def test_what_is_wrong_is_named(changes: dict[str, Any], field: str, problem: str) -> None:
    with pytest.raises(RecordError) as error:
        read_record(good(**changes))
    assert error.value.field == field
    assert problem in str(error.value)


@pytest.mark.parametrize("data", [None, 5, "x", [1], []])
def test_a_record_is_an_object(data: object) -> None:
    with pytest.raises(RecordError, match="object"):
        read_record(data)


def test_defaults_and_further_keys() -> None:
    record = read_record(good(room="123456", started="2026-11-29"))
    assert (record.players, record.dealer, record.streak, record.ga_floor) == (4, 0, 0, (0, 0, 0, 0))


def test_an_illegal_action_ends_the_replay_after_the_lines_before() -> None:
    record = read_record(good(actions=[[0, "ga 1"], [1, "ga 0"], [0, "ga 2"]]))
    told = []
    with pytest.raises(ReplayError, match=r"action 3: seat 0 can't 'ga 2'.*R8\.3") as error:
        told.extend(iter_lines(record, told))
    assert error.value.n == 3
    assert len(told) == 3


def iter_lines(record: Any, told: list[Any]) -> Any:
    for line in replay(record):
        told.append(line)
    return []


def test_first_line_is_the_start() -> None:
    first = next(replay(read_record(good())))
    assert (first["n"], first["seat"], first["did"], first["remaining"], first["end"]) == (
        0,
        None,
        None,
        144,
        None,
    )
    assert first["legal"]["3"] == ["ga 0", "ga 1", "ga 2", "ga 3", "ga 5"]


def test_events_tell_the_deal_and_the_ga() -> None:
    record = read_record(good(actions=[[seat, "ga 1"] for seat in (0, 2, 3, 1)]))
    lines = list(replay(record))
    assert lines[3]["events"] == []
    kinds = [event["type"] for event in lines[4]["events"]]
    assert kinds[:5] == ["ga"] * 4 + ["deal"]
    assert [len(hand) > 0 for hand in lines[4]["events"][4]["hands"]] == [True] * 4
    assert final_table(record).remaining == lines[4]["remaining"]


@pytest.mark.parametrize(
    ("seat", "tried", "clause"),
    [
        (7, "pass", "section 0"),
        (0, "吃", "FORMATS 1"),
        (0, "discard 1m", "R8.3"),
        (0, "ga 0", "R8.3"),
    ],
)
def test_refusals_name_a_clause(seat: int, tried: str, clause: str) -> None:
    table = read_record(good(ga_floor=[1, 0, 0, 0])).table()
    with pytest.raises(IllegalAction) as error:
        table.act(seat, tried)
    assert error.value.clause == clause
