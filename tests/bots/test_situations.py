"""Situations that bots get wrong."""

import pytest

from hainan.bots.policies import LEVELS, Policy
from hainan.bots.seats import Bot, Weighed, weighed
from hainan.engine.jit import COMPILED
from hainan.engine.record import Phase
from hainan.matches import Match, seeded_deals
from hainan.rules.presets import rules_of
from hainan.rules.tiles import TEXT
from hainan.table import Table
from tests.conftest import amount
from tests.stack import drop, play_on, stacked_table, stacked_wall

ALL = pytest.mark.parametrize("policy", LEVELS)
THINKING = pytest.mark.parametrize("policy", [Policy.NORMAL, Policy.STRONG])


def choice(policy: Policy, table: Table, seat: int) -> str:
    return Bot(policy).choose(table, seat).text


def worth(table: Table, seat: int) -> dict[str, Weighed]:
    return {one.action.text: one for one in weighed(table, seat)[1]}


@THINKING
def test_a_wait_whose_four_copies_are_gone_is_none(policy: Policy) -> None:
    """All four 5s lie on the table: 46s waits in vain, 68s doesn't."""
    table = stacked_table(["123m456m789m55p46s5s"], draws="5s5s5s8s")
    play_on(table, "0 discard 5s", "1 discard 5s", "2 discard 5s", "3 discard 5s", "0 pass")
    play_on(table, f"0 {choice(policy, table, 0)}")
    assert {wait.kind for wait in table.waits(0)} == {24}


@THINKING
def test_the_only_licence_is_kept(policy: Policy) -> None:
    """After the pong of 9m nothing but the eye 55p licenses: it stays, and anybody's tile may be won."""
    table = stacked_table(["9m", "99m55p33s234p678s4s"], round_wind=2)
    play_on(table, "0 discard 9m", "1 pong")
    action = choice(policy, table, 1)
    assert action in ("discard 3s", "discard 4s")
    play_on(table, f"1 {action}")
    assert any(wait.licensed for wait in table.waits(1))


def test_a_third_meld_for_one_player_costs() -> None:
    """R8.7: seat 1 holds two chows of seat 0; a tile that it may chow again is worth less under 三道."""
    found = []
    for liable in (True, False):
        table = stacked_table(
            ["2m2m5m5m8m8m1z2z3z4z5z6z7z9s", "1m3m4m6m7m9m9p9p1s4s7s1p4p"],
            draws="9s9s9s",
            meld_liability=liable,
            four_melds=liable,
        )
        play_on(table, "0 discard 2m", "1 chow 13m", "1 discard 1p")
        play_on(table, "2 discard 9s", "3 discard 9s", "0 discard 5m", "1 chow 46m", "1 discard 4p")
        while int(table.raw.turn) != 0 or table.phase != Phase.TURN:
            drop(table)
        found.append(worth(table, 0))
    assert found[0]["discard 8m"].points < found[1]["discard 8m"].points - 0.05
    assert found[0]["discard 8m"].win == pytest.approx(found[1]["discard 8m"].win)


@pytest.mark.skipif(not COMPILED, reason="whole hands are slow as plain Python")
def test_the_last_tiles_are_dear() -> None:
    """R8.9: with the same view, a discard that may be won is worth less where its maker would pay for all."""
    rules = rules_of("lingao", ga=False)
    bot = Bot(Policy.RANDOM)  # whose hands last
    differences = []
    for seed in range(8):
        table = Match(rules, deals=seeded_deals(seed, rules)).table
        while not table.over:
            seat = min(table.legal())
            remaining = int(table.raw.tail) - int(table.raw.head)
            if table.phase == Phase.TURN and remaining <= 18:
                dear = worth(table, seat)
                twin = table.clone()
                twin._array["sheet"]["last_tiles_liability"] = 0
                cheap = worth(twin, seat)
                for action, one in dear.items():
                    if action.startswith("discard") and one.deal_in > 0.01:
                        differences.append(one.points - cheap[action].points)
            table.act(seat, bot.choose(table, seat))
    assert len(differences) > 50
    assert sum(differences) / len(differences) < -0.05
    assert sum(one < 0 for one in differences) > 0.9 * len(differences)


@ALL
def test_wild_tiles_are_kept(policy: Policy) -> None:
    rules = rules_of("hainan", wild="indicator", ga=False)
    bot = Bot(policy)
    for seed in range(amount(12, 0)):
        table = Match(rules, deals=seeded_deals(seed, rules)).table
        wild = f"discard {TEXT[int(table.raw.wild)]}"
        while not table.over:
            seat = min(table.legal())
            action = bot.choose(table, seat)
            assert action.text != wild
            table.act(seat, action)


@pytest.mark.parametrize(("preset", "tile", "expected"), [("lingao", "2m", "pass"), ("lingao", "3m", "win")])
def test_a_small_win_may_be_declined_for_a_larger(preset: str, tile: str, expected: str) -> None:
    """555777999m1113m: 2m is pure suit (5), 3m all pongs too (15)."""
    table = stacked_table([tile, "555m777m999m1113m"], preset=preset)
    play_on(table, f"0 discard {tile}")
    assert choice(Policy.STRONG, table, 1) == expected


@ALL
def test_thirteen_orphans_are_not_passed_up(policy: Policy) -> None:
    for preset in ("hainan", "lingao"):
        table = stacked_table(["5z", "119m19p19s1234z67z"], preset=preset)
        play_on(table, "0 discard 5z")
        assert choice(policy, table, 1) == "win"


@ALL
def test_a_kong_in_hand_is_made(policy: Policy) -> None:
    """It pays as much as a win (R8.12)."""
    table = stacked_table(["7777z123m456p789s1s"])
    assert choice(policy, table, 0) == "kong 7z"


def test_ready_is_declared_with_a_good_wait() -> None:
    table = stacked_table(["123m456m789m22p34s1z"])
    assert choice(Policy.STRONG, table, 0) == "ready 1z"


def test_strong_dealers_stake() -> None:
    rules = rules_of("hainan")
    table = Table(rules, 4, wall=stacked_wall(rules, 4, []))
    assert [choice(Policy.STRONG, table, seat) for seat in (0, 1)] == ["ga 2", "ga 0"]
    assert choice(Policy.NORMAL, table, 0) == "ga 0"


def test_what_is_told_of_actions() -> None:
    """One row for each legal action; the best is what the strong bot does."""
    table = stacked_table(["123m456m789m22p34s1z"])
    best, rows = weighed(table, 0)
    assert [one.action for one in rows] == table.legal()[0]
    assert max(rows, key=lambda one: one.points).action == best
    assert all(0 <= one.win <= 1 and 0 <= one.deal_in <= 1 for one in rows)
    drop(table)
