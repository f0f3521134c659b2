"""Whatever is thrown at it, the calculator and the reader of records answer with their own errors."""

import json
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from hainan.jsonl import JsonError, decode, read_values
from hainan.records import RecordError, read_record
from hainan.rules.options import RulesError
from hainan.rules.presets import rules_from_json
from hainan.rules.tiles import TEXT, TileError, parse, text_of
from hainan.score import Calculator, ScoreError
from tests.conftest import amount

SETTINGS = settings(max_examples=amount(300, 60), deadline=None, derandomize=True,
                    suppress_health_check=[HealthCheck.too_slow])  # fmt: skip
ANY_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=6), inner, max_size=4),
    max_leaves=12,
)
TILES = st.lists(st.sampled_from(TEXT), max_size=16).map("".join) | st.text("0123456789mpszfx", max_size=14)
MELD = st.fixed_dictionaries(
    {"kind": st.sampled_from(["chow", "pong", "exposed_kong", "added_kong", "concealed_kong", "flush"])},
    optional={"tiles": TILES | ANY_JSON, "from": st.integers(-1, 5) | st.none(), "back": st.booleans()},
)
SEAT = st.fixed_dictionaries(
    {},
    optional={"hand": TILES, "melds": st.lists(MELD, max_size=5), "flowers": TILES, "ready": st.booleans()},
)
END = st.fixed_dictionaries(
    {"by": st.sampled_from(["discard", "rob", "self_draw", "draw", "luck"])},
    optional={
        "from": st.integers(-1, 5) | st.none(),
        "tile": TILES,
        "winners": st.lists(st.integers(-1, 5), max_size=4),
        "way": st.sampled_from(["kong_bloom", "heavenly", "none", ""]) | st.none(),
    },
)
SHEET = st.dictionaries(st.sampled_from(["preset", "ga", "wild", "players"]), ANY_JSON)
REQUEST = st.fixed_dictionaries(
    {"seats": st.lists(SEAT, min_size=3, max_size=4), "end": END},
    optional={
        "rules": SHEET,
        "players": st.integers(2, 5),
        "dealer": st.integers(-1, 5),
        "streak": st.integers(-5, 10**20),
        "round_wind": TILES,
        "ga": st.lists(st.integers(-1, 6), max_size=5),
        "remaining": st.integers(-1, 200),
        "wild": TILES | st.none(),
        "followed": st.lists(st.integers(-1, 5), max_size=3),
    },
)
RECORD = st.fixed_dictionaries(
    {"format": st.just("hainan-record/1"), "wall": TILES},
    optional={"rules": ANY_JSON, "players": ANY_JSON, "dealer": ANY_JSON, "actions": ANY_JSON},
)


@SETTINGS
@given(REQUEST | ANY_JSON)
def test_any_score_request_is_answered_or_refused(request: Any) -> None:
    try:
        answer = CALCULATOR.score(request)
    except ScoreError as error:
        assert error.field  # noqa: PT017
    else:
        assert answer["legal"] in (True, False)
        json.dumps(answer)


CALCULATOR = Calculator()


@SETTINGS
@given(ANY_JSON | RECORD)
def test_any_record_is_read_or_refused(data: Any) -> None:
    with pytest.raises(RecordError) as error:
        read_record(data)
    assert error.value.field


@SETTINGS
@given(ANY_JSON)
def test_any_option_sheet_is_read_or_refused(data: Any) -> None:
    try:
        rules_from_json(data)
    except RulesError as error:
        assert error.clause in str(error)  # noqa: PT017


@SETTINGS
@given(st.text(max_size=20) | TILES)
def test_any_text_is_tiles_or_refused(text: str) -> None:
    try:
        tiles = parse(text)
    except TileError as error:
        assert str(error)  # noqa: PT017
    else:
        assert parse(text_of(tiles)) == tiles


@SETTINGS
@given(st.lists(st.sampled_from(range(42)), max_size=20))
def test_tiles_survive_text(tiles: list[int]) -> None:
    assert parse(text_of(tiles)) == tiles


@pytest.mark.parametrize("text", ["", "{", '{"a": 1', "[1,]", "nul", "\x00", '{"a": 1}{', "[" * 100_000])
def test_broken_json_is_refused(text: str) -> None:
    with pytest.raises(JsonError):
        decode(text)


def values(text: str) -> list[tuple[int | None, Any, bool]]:
    return [
        (v.line, v.value, v.error is not None) for v in read_values(text.encode().splitlines(keepends=True))
    ]


def test_one_value_or_many_lines() -> None:
    assert values('{"a": 1}') == [(None, {"a": 1}, False)]
    assert values('\n{\n "a": 1\n}\n\n') == [(None, {"a": 1}, False)]
    assert values("1\n\n2\n") == [(1, 1, False), (3, 2, False)]
    assert values("1\n{\n3") == [(1, 1, False), (2, None, True), (3, 3, False)]
    assert values("{\n2\n3") == [(1, None, True), (2, 2, False), (3, 3, False)]
    assert values("{") == [(None, None, True)]
    assert values("{\n}}\n") == [(None, None, True)]
    assert values("") == [(None, None, True)]


def score_error(**changes: Any) -> ScoreError:
    seats: list[dict[str, Any]] = [{}, {"hand": "234m567s678s22p34p"}, {}, {}]
    end = {"by": "discard", "from": 2, "tile": "5p", "winners": [1]}
    request: dict[str, Any] = {"seats": seats, "end": end} | changes
    with pytest.raises(ScoreError) as error:
        CALCULATOR.score(request)
    return error.value


def seat_error(seat: dict[str, Any], at: int = 0, **changes: Any) -> ScoreError:
    seats: list[dict[str, Any]] = [{}, {"hand": "234m567s678s22p34p"}, {}, {}]
    seats[at] = seat
    return score_error(seats=seats, **changes)


PONG = {"kind": "pong", "tiles": "111m", "from": 1}


@pytest.mark.parametrize(
    ("error", "field"),
    [
        (lambda: score_error(seats=[{}]), "seats"),
        (lambda: score_error(players=3), "seats"),
        (lambda: score_error(players=2), "players"),
        (lambda: score_error(dealer=4), "dealer"),
        (lambda: score_error(streak=-1), "streak"),
        (lambda: score_error(remaining=145), "remaining"),
        (lambda: score_error(round_wind="5z"), "round_wind"),
        (lambda: score_error(ga=[0, 0, 0]), "ga"),
        (lambda: score_error(ga=[0, 4, 0, 0]), "ga[1]"),
        (lambda: score_error(ga=[0, "1", 0, 0]), "ga[1]"),
        (lambda: score_error(rules={"gaa": True}), "rules.gaa"),
        (lambda: score_error(rules={"ga": 1}), "rules.ga"),
        (lambda: score_error(wild="5z"), "wild"),
        (lambda: score_error(rules={"wild": "next"}), "wild"),
        (lambda: score_error(rules={"wild": "5z"}, wild="6z"), "wild"),
        (lambda: score_error(rules={"wild": "next"}, wild="1f"), "wild"),
        (lambda: score_error(followed=[4]), "followed[0]"),
        (lambda: score_error(followed=[1, 1]), "followed"),
        (lambda: score_error(typo=1), "request"),
        (lambda: score_error(end={"by": "luck"}), "end.by"),
        (lambda: score_error(end={"by": "draw", "winners": [1]}), "end.winners"),
        (lambda: score_error(end={"by": "draw", "tile": "1m"}), "end.tile"),
        (lambda: score_error(end={"by": "draw", "from": 1}), "end.from"),
        (lambda: score_error(end={"by": "discard", "from": 2, "tile": "5p"}), "end.winners"),
        (lambda: score_error(end={"by": "discard", "from": 2, "winners": [1]}), "end.tile"),
        (lambda: score_error(end={"by": "discard", "from": 2, "tile": "55p", "winners": [1]}), "end.tile"),
        (lambda: score_error(end={"by": "discard", "from": 2, "tile": "1f", "winners": [1]}), "end.tile"),
        (lambda: score_error(end={"by": "discard", "tile": "5p", "winners": [1]}), "end.from"),
        (lambda: score_error(end={"by": "discard", "from": 1, "tile": "5p", "winners": [1]}), "end.from"),
        (
            lambda: score_error(end={"by": "discard", "from": 2, "tile": "5p", "winners": [4]}),
            "end.winners[0]",
        ),
        (
            lambda: score_error(end={"by": "discard", "from": 2, "tile": "5p", "winners": [1, 1]}),
            "end.winners",
        ),
        (lambda: score_error(end={"by": "self_draw", "from": 2, "tile": "5p", "winners": [1]}), "end.from"),
        (
            lambda: score_error(
                end={"by": "discard", "from": 2, "tile": "5p", "winners": [1], "way": "earthly"}
            ),
            "end.way",
        ),
        (lambda: score_error(end={"by": "rob", "from": 2, "tile": "5p", "winners": [1]}), "end.from"),
        (lambda: seat_error({"hand": "5555p"}), "end.tile"),
        (lambda: seat_error({"hand": "22222m"}), "seats[0].hand"),
        (lambda: seat_error({"hand": "1f", "flowers": "1f"}), "seats[0].flowers"),
        (lambda: seat_error({"flowers": "1m"}), "seats[0].flowers"),
        (lambda: seat_error({"hand": "1x"}), "seats[0].hand"),
        (lambda: seat_error({"hand": "123456789m12345p"}), "seats[0].hand"),
        (lambda: seat_error({"hand": "1m"}, 1), "seats[1].hand"),
        (lambda: seat_error({"melds": [PONG] * 5}), "seats[0].melds"),
        (lambda: seat_error({"melds": [PONG | {"tiles": "112m"}]}), "seats[0].melds[0].tiles"),
        (lambda: seat_error({"melds": [PONG | {"kind": "flush"}]}), "seats[0].melds[0].kind"),
        (lambda: seat_error({"melds": [PONG | {"from": 0}]}), "seats[0].melds[0].from"),
        (lambda: seat_error({"melds": [PONG | {"from": None}]}), "seats[0].melds[0].from"),
        (lambda: seat_error({"melds": [PONG | {"back": True}]}), "seats[0].melds[0].back"),
        (
            lambda: seat_error({"melds": [{"kind": "chow", "tiles": "123m", "from": 1}]}),
            "seats[0].melds[0].from",
        ),
        (
            lambda: seat_error({"melds": [{"kind": "concealed_kong", "tiles": "1111m", "from": 1}]}),
            "seats[0].melds[0].from",
        ),
        (lambda: seat_error({"melds": [PONG]}, rules={"wild": "1m"}), "seats[0].melds[0].tiles"),
        (lambda: seat_error({"hand": "1111z"}, rules={"wild": "indicator"}, wild="1z"), "seats"),
        (lambda: seat_error({"hand": "4444z"}, rules={"wild": "next"}, wild="1z"), "seats"),
        (lambda: seat_error({"hand": "1z"}, rules={"no_honors": True}), "seats[0].hand"),
    ],
)
def test_a_bad_request_names_its_field(error: Any, field: str) -> None:
    assert error().field == field


def test_several_winners_need_the_option() -> None:
    seats = [{}, {"hand": "234m567s678s22p34p"}, {"hand": "234m567m678m22z34p"}, {}]
    end = {"by": "discard", "from": 3, "tile": "5p", "winners": [1, 2]}
    assert score_error(seats=seats, end=end).field == "end.winners"
    assert "R3.3" in str(score_error(seats=seats, end=end))
    drawn = {"by": "self_draw", "tile": "5p", "winners": [1, 2]}
    assert score_error(seats=seats, end=drawn, rules={"multiple_wins": True}).field == "end.winners"
