"""Every option does something: for each a small scenario whose outcome differs between two values.

Whoever adds an option adds its scenario here, or ``test_option`` fails.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

import pytest

from hainan.engine import entries
from hainan.engine.record import new_tables, sheet_of
from hainan.rules.options import OPTIONS
from hainan.rules.presets import rules_of
from hainan.rules.terms import By
from hainan.table import Table
from tests.stack import pass_all, play, stacked_table, stacked_wall, texts

from .test_section5_winning_hands import LINGAO, PLAIN, bill, one, seat, win

TESTED_WITH_MATCH = {
    "first_dealer": "R1.5: who deals first is tested with Match in tests/test_matches.py",
    "hands": "R1.9: the length of a match, tested with Match in tests/test_matches.py",
    "rounds": "R1.9: the length of a match, tested with Match in tests/test_matches.py",
}


class Scenario(NamedTuple):
    """What happens under a value, and two values with what is expected of them."""

    play: Callable[[Any], Any]
    one: tuple[Any, Any]
    other: tuple[Any, Any]


SCENARIOS: dict[str, Scenario] = {}


def scenario(
    one: tuple[Any, Any], other: tuple[Any, Any]
) -> Callable[[Callable[[Any], Any]], Callable[[Any], Any]]:
    """Register a scenario under its function's name, which is the option's."""

    def register(function: Callable[[Any], Any]) -> Callable[[Any], Any]:
        SCENARIOS[function.__name__] = Scenario(function, one, other)
        return function

    return register


def on_off(on: Any, off: Any) -> Callable[[Callable[[Any], Any]], Callable[[Any], Any]]:
    """The same for an option that is on or off."""
    return scenario((True, on), (False, off))


# ---------------------------------------------------------------- stakes


@on_off([7, -2, -2, -3], [4, -1, -1, -2])
def dealer_bonus(value):
    # The dealer's V = 1 from seat 3; B is 2 or 1.
    return bill("discard 3m from 3 to 0", {0: seat(PLAIN)}, LINGAO | {"dealer_bonus": value})["payments"]


@on_off([13, -4, -4, -5], [7, -2, -2, -3])
def dealer_streak(value):
    # Two hands before this one: B is 1 + 1 + 2 or 2.
    rules = LINGAO | {"dealer_streak": value}
    return bill("discard 3m from 3 to 0", {0: seat(PLAIN)}, rules, streak=2)["payments"]


@on_off(3, 2)
def streak_counts_draws(value):
    # A drawn hand after a streak of two
    tables = new_tables(1)
    tables["sheet"][0] = sheet_of(rules_of("lingao", streak_counts_draws=value), 4)
    tables[0].streak = 2
    tables[0].by = By.DRAW
    entries.advance(tables, 0)
    return int(tables[0].streak)


@on_off([-5, -3, 17, -9], [-2, -1, 5, -2])
def ga(value):
    # Ga 1, 0, 2, 5: B is 5, 3 and 8; else 2, 1 and 1.
    rules = {"ga": value}
    return bill("discard 3m from 3 to 2", {2: seat(PLAIN)}, rules, ga=[1, 0, 2, 5])["payments"]


@on_off(["ga 0", "ga 1", "ga 2", "ga 3", "ga 5"], ["ga 3", "ga 5"])
def free_ga(value):
    rules = rules_of(free_ga=value)
    return texts(Table(rules, wall=stacked_wall(rules, 4, []), ga_floor=(3, 0, 0, 0)), 0)


@scenario(("multiply", [-10, -6, 33, -17]), ("add", [-6, -4, 20, -10]))
def stake_mode(value):
    # V = 2 with B = 5, 3 and 8: 2 x B, or B + 1; and the flat 1.
    winner = seat("99m55s", "pong 111p 0", "pong 333s 1", "pong 777p 3")
    return bill("discard 9m from 3 to 2", {2: winner}, {"stake_mode": value}, ga=[1, 0, 2, 5])["payments"]


# ---------------------------------------------------------------- the table before and beside play


@scenario(("own_turn", ["1f"]), ("after_deal", []))
def initial_flowers(value):
    # Is seat 1's flower still in its hand in the dealer's first turn?
    table = stacked_table(["", "1f"], initial_flowers=value)
    return ["1f"] if table.raw.held_flowers[1] else []


@on_off(116, 144)
def no_honors(value):
    return len(stacked_table(no_honors=value).wall)


@on_off(128, 144)
def no_winds(value):
    return len(stacked_table(no_winds=value).wall)


@on_off(["1z"], [])
def show_concealed_kongs(value):
    # What seat 1 is told of the dealer's concealed kong
    table = play(stacked_table(["1111z"], show_concealed_kongs=value), "0 kong 1z")
    return ["1z"] if table.masked(1).meld_tile[0, 0] == table.raw.meld_tile[0, 0] else []


# ---------------------------------------------------------------- claims


@on_off([], ["chow 46m"])
def no_chow(value):
    table = play(stacked_table(["5m", "46m123456p789s22z"], no_chow=value), "0 discard 5m")
    return [text for text in texts(table, 1) if text.startswith("chow")]


@on_off([1, 3], [1])
def multiple_wins(value):
    # Seats 1 and 3 want the dealer's 3m.
    hands = ["3m", PLAIN, "", "12m789p222s444s66p"]
    table = play(stacked_table(hands, multiple_wins=value), "0 discard 3m", "3 win", "1 win")
    return [winner["seat"] for winner in table.end()["winners"]]


@on_off([3, 2, 0, -5], [7, 5, 0, -12])
def multiple_wins_own_share(value):
    # V = 1 each: own shares 2 + 1 and 1 + 1, or 2+2+2+1 and 2+1+1+1.
    seats = {0: seat(PLAIN), 1: seat("12m789p222s444s66p")}
    rules = {"multiple_wins": True, "multiple_wins_own_share": value}
    return bill("discard 3m from 3 to 0 1", seats, rules)["payments"]


@scenario(("none", True), ("locked", False))
def missed_win(value):
    # Seat 2 lets the dealer's 3m go by; may it have seat 1's?
    table = stacked_table(["3m", "", PLAIN], "3m", missed_win=value)
    play(table, "0 discard 3m")
    pass_all(table)
    play(table, "1 discard 3m")
    return "win" in texts(table, 2)


@on_off(True, False)
def ready(value):
    # The dealer discards 9m and waits on 3m.
    return "ready 9m" in texts(stacked_table([f"{PLAIN}9m"], ready=value), 0)


@on_off([12 - 6, 2 - 4, 2 - 4, 2 - 4], [12, -4, -4, -4])
def follow(value):
    # The dealer's 9m is followed three times; then the dealer draws 3m, V = 2, 4 from each.
    table = stacked_table([f"{PLAIN}9m", "9m", "9m", "9m"], "2z2z2z3m", follow=value)
    for number in range(4):
        table.act(number, "discard 9m")
        pass_all(table)
    table.act(0, "win")
    return table.payments


# ---------------------------------------------------------------- hands and licences

BARE = ("12m345s999s99m", "3m", "pong 777p 0")
HALF = ("12m789m444z99m", "3m", "pong 333m 0")


def licensed(hand, rules):
    """Whether seat 1 may win it on a discard."""
    return one(*hand, rules=rules)["legal"]


@on_off(False, True)
def require_fan(value):
    return licensed(BARE, {"require_fan": value})


@on_off(True, False)
def half_flush(value):
    return licensed(HALF, {"half_flush": value})


@on_off(True, False)
def round_wind(value):
    return licensed(("12m345s99m111z", "3m", "pong 777p 0"), {"round_wind": value})


@on_off(False, True)
def chow_pair_excludes_round_wind(value):
    hand = ("456p789s34s11z", "5s", "chow 123m 0")
    return licensed(hand, {"chow_pair_excludes_round_wind": value})


@on_off(True, False)
def concealed_kong_keeps_concealed(value):
    hand = ("12m456p999s33z", "3m", "concealed_kong 7777p")
    return licensed(hand, {"concealed_kong_keeps_concealed": value})


@on_off(True, False)
def scattered_thirteen(value):
    return licensed(("147m258p369s1234z", "5z"), {"scattered_thirteen": value})


@on_off(8, 3)
def honors_in_terminal_pongs(value):
    hand = ("111m99m44z", "4z", "pong 111p 0", "pong 999s 2")
    return win(*hand, rules=LINGAO | {"honors_in_terminal_pongs": value})["T"]


@scenario(("none", False), ("5z", True))
def wild(value):
    # 34s and a drawn 5z
    return one("34s123456p789m22z", "5z", how="self_draw", rules={"wild": value})["legal"]


# ---------------------------------------------------------------- hand scores

LUXURY_PURE = ("1111223355779m", "9m")


@scenario(("multiply", 6), ("add", 5))
def stacking(value):
    return win(*LUXURY_PURE, rules={"stacking": value})["T"]


@on_off(12, 8)
def bloom_floor(value):
    return win(*LUXURY_PURE, how="kong_bloom", rules={"bloom_floor": value})["V"]


# ---------------------------------------------------------------- liabilities

HOLDER = seat("5m", "pong 111p 1", "pong 222p 1", "pong 444p 1", "pong 777p 1")
"""Seat 2: all pongs, V = 2 on a discard and 4 by self-draw; four melds from seat 1."""


@on_off([0, 5, 0, -5], [-2, 5, -1, -2])
def discarder_pays_all(value):
    return bill("discard 3m from 3 to 1", {1: seat(PLAIN)}, {"discarder_pays_all": value})["payments"]


@on_off([0, -9, 9, 0], [-4, -3, 9, -2])
def meld_liability(value):
    return bill("discard 5m from 1 to 2", {2: HOLDER}, {"meld_liability": value})["payments"]


@on_off([0, -16, 16, 0], [-8, -4, 16, -4])
def four_melds(value):
    return bill("self_draw 5m by 2", {2: HOLDER}, {"four_melds": value})["payments"]


@on_off([0, -9, 9, 0], [-4, -2, 9, -3])
def four_melds_any(value):
    return bill("discard 5m from 3 to 2", {2: HOLDER}, {"four_melds_any": value})["payments"]


@on_off([0, 5, 0, -5], [-2, 5, -1, -2])
def last_tiles_liability(value):
    rules = {"last_tiles_liability": value}
    return bill("discard 3m from 3 to 1", {1: seat(PLAIN)}, rules, remaining=18)["payments"]


@on_off([0, 5, 0, -5], [-2, 5, -1, -2])
def last_tiles_by_count(value):
    rules = {"last_tiles_liability": True, "last_tiles_by_count": value}
    return bill("discard 3m from 3 to 1", {1: seat(PLAIN)}, rules, remaining=19)["payments"]


# ---------------------------------------------------------------- kongs and flowers


@on_off([-4, -2, 8, -2], [0, 0, 0, 0])
def score_draws(value):
    return bill("draw", {2: seat("", "concealed_kong 9999p")}, {"score_draws": value})["payments"]


@scenario(("plain", [-2, 4, -1, -1]), ("feeder_double", [-2, 5, -1, -2]))
def kong_scoring(value):
    rules = {"kong_scoring": value, "score_draws": True}
    return bill("draw", {1: seat("", "exposed_kong 9999p 3")}, rules)["payments"]


def flowers(text, **options):
    """What seat 1's flowers bring in a drawn hand that is scored."""
    rules = {"score_draws": True, "flower_hu": "none"} | options
    return bill("draw", {1: seat(flowers=text)}, rules)["payments"][1]


@scenario(("count", 4), ("true_false", 20))
def flower_hu(value):
    # Seven flowers: 1 x B; or a full set and three more, 5 x B; B is 2, 1 and 1.
    return flowers("1234567f", flower_hu=value)


@on_off(4, 0)
def flower_run(value):
    return flowers("1278f", flower_run=value)


@on_off(8, 0)
def flower_set(value):
    return flowers("1234f", flower_set=value)


# ---------------------------------------------------------------- all of them


@pytest.mark.parametrize("name", OPTIONS)
def test_option(name):
    if name in TESTED_WITH_MATCH:
        pytest.skip(TESTED_WITH_MATCH[name])
    assert name in SCENARIOS, f"option {name} has no scenario in this file"
    found = SCENARIOS[name]
    assert found.one[1] != found.other[1]
    for value, expected in (found.one, found.other):
        assert found.play(value) == expected


def test_no_scenario_of_an_option_that_is_gone():
    assert set(SCENARIOS) | set(TESTED_WITH_MATCH) == set(OPTIONS)
    assert not set(SCENARIOS) & set(TESTED_WITH_MATCH)
