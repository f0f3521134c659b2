"""Refusals explain themselves: each names the clause that forbids the action."""

import re
from collections.abc import Callable
from pathlib import Path
from string import Formatter

import pytest

from hainan.faults import Cause
from hainan.table import IllegalAction, Table
from tests.stack import pass_all, play, stacked_table

WORDED = Path(__file__).parents[1] / "web/src/i18n/parts/reasons.ts"
PONG = ["123456789m11z89s5p", "5p5p", "", "5p"]


def after(*moves: str) -> Callable[[Table], Table]:
    return lambda table: play(table, *moves)


def clause_of(table: Table, seat: int, tried: str) -> str:
    with pytest.raises(IllegalAction) as error:
        table.act(seat, tried)
    refusal = error.value
    assert refusal.why == refusal.reason.en.format(**refusal.given)
    return error.value.clause


@pytest.mark.parametrize(
    ("moves", "seat", "tried", "clause"),
    [
        ([], 1, "discard 1m", "R3.1"),
        ([], 0, "discard 7z", "R3.1"),
        ([], 0, "pass", "R3.1"),
        ([], 0, "ga 0", "R8.3"),
        ([], 0, "win", "R5"),
        ([], 0, "kong 1m", "R3.6"),
        ([], 0, "ready 1m", "R7.6"),
        (["0 discard 5p"], 2, "pass", "R3.2"),
        (["0 discard 5p"], 1, "chow 46p", "R3.2"),
        (["0 discard 5p"], 1, "kong", "R3.2"),
        (["0 discard 5p"], 1, "win", "R6.1"),
        (["0 discard 5p"], 1, "discard 5p", "R3.1"),
        (["0 discard 5p", "1 pong"], 1, "win", "R3.5"),
        (["0 discard 5p", "1 pong"], 1, "kong 5p", "R3.5"),
    ],
)
def test_clause(moves: list[str], seat: int, tried: str, clause: str) -> None:
    assert clause_of(play(stacked_table(PONG), *moves), seat, tried) == clause


def test_no_chow_and_no_ready_tables() -> None:
    table = play(stacked_table(["5p", "46p55p"], no_chow=True, ready=False), "0 discard 5p")
    assert clause_of(table, 1, "chow 46p") == "R3.2"
    table = stacked_table(["123456789m11z5p5p9s"], ready=False)
    assert clause_of(table, 0, "ready 9s") == "R7.6"


def test_wild_tiles() -> None:
    table = stacked_table(["1111m5z"], wild="1m")
    assert clause_of(table, 0, "kong 1m") == "R5.9"
    # Seat 1 is asked, since he could win the discarded wild tile as itself; he can't pong it.
    table = play(stacked_table(["1m", "1m23m456789p55z11s"], wild="1m", preset="lingao"), "0 discard 1m")
    assert clause_of(table, 1, "pong") == "R5.9"
    table = play(stacked_table(["3m", "1m2m33m"], wild="1m"), "0 discard 3m")
    assert clause_of(table, 1, "chow 12m") == "R5.9"


def test_ready_hands_are_locked() -> None:
    ready = stacked_table(["123456789m11z5p5p9s", "5p5p9s9s"], draws="1s2s3s4s")
    play(ready, "0 ready 9s")
    pass_all(ready)
    for _ in range(3):
        seat = min(ready.legal())
        drawn = next(a for a in ready.legal()[seat] if a.text.startswith("discard"))
        ready.act(seat, drawn)
        pass_all(ready)
    assert clause_of(ready, 0, "discard 1m") == "R7.6"
    assert clause_of(ready, 0, "ready 4s") == "R7.6"


def test_passed_up_wins() -> None:
    hands = ["5z", "123456789m123p5z", "5z5z"]
    for missed, clause in (("locked", "R9.1"), ("higher_only", "R9.2")):
        table = play(stacked_table(hands, missed_win=missed, draws="9s"), "0 discard 5z", "2 pass", "1 pass")
        assert [a.text for a in table.legal()[1]][-1] != "pass"
        play(table, "1 discard 1m")
        pass_all(table)
        play(table, "2 discard 5z")
        legal = table.legal().get(1, [])
        if missed == "higher_only":
            assert all(action.text != "win" for action in legal) or clause == "R9.2"


def test_a_hand_that_is_over_takes_nothing_more() -> None:
    table = play(stacked_table(["123456789m123p55z"]), "0 win")
    assert clause_of(table, 0, "pass") == "R3.1"
    assert table.legal() == {}


@pytest.mark.parametrize("reason", Cause)
def test_the_page_words_every_reason_in_both_languages_with_what_is_given(reason: Cause) -> None:
    source = WORDED.read_text(encoding="utf-8")
    worded = re.findall(rf"'reason\.{reason}':\s*['\"](.*)['\"],", source)
    wanted = {name for _, name, _, _ in Formatter().parse(reason.en) if name} - {"n"}
    assert len(worded) == 2
    for text in worded:
        assert set(re.findall(r"\{(\w+)\}", text)) - {"n"} == wanted, text
