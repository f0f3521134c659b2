"""Section 4: the hand is drawn with fifteen tiles left (七墩半)."""

import pytest

from hainan.engine.record import Phase
from hainan.table import Table
from tests.stack import (
    alone,
    asked,
    drop,
    drop_until,
    flowers,
    happened,
    outcome,
    pass_all,
    play,
    play_on,
    shorten,
    stacked_table,
)

DRAWN = ("draw", None, [])
WAITING = "123m456m789m11s46p"  # on 5p


def last_draw(hands: list[str], draws: str, back: str = "", **options) -> Table:
    """Seat 1 has drawn the sixteenth tile from the end, or the hand has ended."""
    return pass_all(drop(shorten(stacked_table(hands, draws, back, **options), 16)))


# ---------------------------------------------------------------- R4.1 the last tile


@pytest.mark.parametrize("seed", range(3))
def test_r4_1_a_hand_played_down(seed: int) -> None:
    """Fifteen tiles stay, neither fourteen (a dead wall) nor none, and no point changes hands."""
    table = drop_until(stacked_table(seed=seed), 15)
    assert not table.over
    assert table.remaining == 15
    pass_all(drop(table))
    assert table.over
    assert happened(table) == ["draw_hand"]
    assert (outcome(table), table.remaining, table.payments) == (DRAWN, 15, [0] * 4)


@pytest.mark.parametrize("left", [16, 15])
def test_r4_1_the_sixteenth_from_the_end_is_drawn(left: int) -> None:
    """With sixteen left the next player draws, with fifteen the hand is over."""
    table = pass_all(drop(shorten(stacked_table(draws="1p"), left)))
    assert table.over == (left == 15)
    assert table.remaining == 15


def test_r4_1_its_drawer_may_win() -> None:
    table = last_draw(["", WAITING], "5p")
    play(table, "1 win")
    assert outcome(table) == ("self_draw", "earthly", [1])


@pytest.mark.parametrize(
    ("hands", "offered"),
    [
        (["", "", "", WAITING], ["win", "pass"]),
        (["", "", alone("46p")], ["chow 46p", "pass"]),
        (["", "", alone("55p")], ["pong", "pass"]),
        (["", "", alone("555p")], ["pong", "pass"]),  # but no kong (R3.5)
    ],
)
def test_r4_1_the_last_discard_can_be_claimed(hands: list[str], offered: list[str]) -> None:
    """Ending the hand with the last draw, or with its discard, would offer nothing."""
    table = drop(last_draw(hands, "5p"))
    seat = len(hands) - 1
    assert asked(table, seat) == offered
    play_on(table, f"{seat} {offered[-2]}")
    if offered[0] == "win":
        assert outcome(table) == ("discard", None, [3])
    else:
        assert not table.over
        pass_all(play_on(table, "2 discard 1z"))
        assert outcome(table) == DRAWN


def test_r4_1_passed_by_all_the_hand_is_drawn() -> None:
    table = drop(last_draw(["", "", WAITING], "5p"))
    assert table.phase == Phase.CLAIM
    pass_all(table)
    assert outcome(table) == DRAWN


def test_r4_1_a_kong_may_draw_the_last_tile() -> None:
    """From the back; its drawer may win too, and the next player can't draw any more."""
    table = stacked_table(["", "3333m"], draws="1p", back="9s")
    pass_all(drop(shorten(table, 17)))
    play(table, "1 kong 3m")
    assert happened(table) == ["1 kong 3m", "1 draw 9s kong"]
    assert table.remaining == 15
    assert outcome(pass_all(drop(table))) == DRAWN


# ---------------------------------------------------------------- R4.2 the last flower


def test_r4_2_a_flower_as_the_last_tile_ends_the_hand() -> None:
    """It is laid out; replacing it would take the fifteenth tile."""
    table = last_draw([""], "1f", back="9s")
    assert happened(table) == ["1 draw 1f front", "1 flower 1f", "draw_hand"]
    assert (flowers(table, 1), table.remaining, outcome(table)) == ("1f", 15, DRAWN)


def test_r4_2_a_flower_before_it_is_replaced() -> None:
    table = stacked_table(draws="1f", back="9s")
    pass_all(drop(shorten(table, 17)))
    assert happened(table) == ["1 draw 1f front", "1 flower 1f", "1 draw 9s flower"]
    assert (table.over, table.remaining) == (False, 15)


@pytest.mark.parametrize("scored", [False, True])
def test_r4_2_the_last_flower_counts(scored: bool) -> None:
    """It completes a set of four, which a drawn hand pays under `score_draws` (R8.18)."""
    options = {"flower_hu": "four_set", "score_draws": scored, "dealer_bonus": True}
    table = stacked_table(["", "123f"], draws="1p1p1p1p4f", back="2p3p6p", **options)
    play_on(pass_all(drop(table)), "1 discard 6p")
    drop(shorten(pass_all(table), 18), 3)
    pass_all(table)
    assert (flowers(table, 1), outcome(table)) == ("1234f", DRAWN)
    assert table.payments == ([-2, 4, -1, -1] if scored else [0] * 4)


@pytest.mark.parametrize(("drawn", "laid"), [("1p", "12f"), ("3f", "123f")])
def test_r4_2_flowers_still_in_the_hand_are_laid_out_too(drawn: str, laid: str) -> None:
    """Seat 1's first turn is the last of all: two flowers of the deal can't be replaced. Laying out
    only the one that would have to be replaced would leave the other. Seat 2 keeps his in hand."""
    table = last_draw(["", "1f2f", "5f6f"], drawn)
    assert (flowers(table, 1), outcome(table)) == (laid, DRAWN)
    assert flowers(table, 2) == ""


def test_r4_2_one_of_two_dealt_flowers_is_replaced() -> None:
    """With one tile more the first flower gets the last tile, and the second ends the hand."""
    table = stacked_table(["", "1f2f"], draws="1p", back="9s")
    pass_all(drop(shorten(table, 17)))
    assert happened(table) == [
        "1 draw 1p front",
        "1 flower 1f",
        "1 draw 9s flower",
        "1 flower 2f",
        "draw_hand",
    ]


@pytest.mark.parametrize("claim", ["pong", "chow 46p"])
def test_r4_2_a_claim_with_flowers_in_hand_at_the_end(claim: str) -> None:
    """The turn that the claim begins must replace the flower, and can't."""
    table = shorten(stacked_table(["5p", "4556p1f2f"]), 15)
    play_on(table, "0 discard 5p", f"1 {claim}")
    assert (flowers(table, 1), outcome(table)) == ("12f", DRAWN)


def test_r4_2_a_flower_after_a_kong() -> None:
    """The kong's replacement is the last tile, and a flower."""
    table = stacked_table(["", "3333m"], draws="1p", back="1f9s")
    pass_all(drop(shorten(table, 17)))
    play(table, "1 kong 3m")
    assert happened(table) == ["1 kong 3m", "1 draw 1f kong", "1 flower 1f", "draw_hand"]
    assert outcome(table) == DRAWN


def test_r4_2_an_exposed_kong_with_flowers_in_hand() -> None:
    """Its replacement is the last tile; then the flower of the deal can't be replaced."""
    table = shorten(stacked_table(["5p", "", "555p1f2f"], back="9s"), 16)
    play_on(table, "0 discard 5p", "2 kong")
    assert (flowers(table, 2), outcome(table)) == ("12f", DRAWN)
