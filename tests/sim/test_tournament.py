"""Tournaments: fair seatings, the same numbers however they are split or interrupted."""

from typing import Any

import numpy as np
import pytest

from hainan.bots.policies import Policy
from hainan.engine.jit import COMPILED
from hainan.jsonl import encode
from hainan.rules.presets import rules_of
from hainan.sim.tournament import (
    Deal,
    Standing,
    Tournament,
    compete,
    interval,
    read_results,
    result_lines,
    seatings,
)
from tests.conftest import amount

PAIR = (Policy.NORMAL, Policy.GREEDY) if COMPILED else (Policy.RANDOM, Policy.EASY)


def told(tournament: Tournament) -> dict[str, Any]:
    standing = Standing(tournament)
    compete(standing)
    return standing.to_json() | {"seconds": 0}


WAYS = [(2, 4, 6), (3, 4, 36), (4, 4, 24), (2, 3, 6), (3, 3, 6)]


@pytest.mark.parametrize(("policies", "players", "ways"), WAYS)
def test_every_policy_sits_everywhere_as_often(policies: int, players: int, ways: int) -> None:
    found = seatings(policies, players)
    assert len(found) == len(set(found)) == ways
    for seat in range(players):
        assert {[seats[seat] for seats in found].count(one) for one in range(policies)} == {ways // policies}


@pytest.mark.skipif(not COMPILED, reason="whole hands are slow as plain Python")
def test_any_number_of_processes_gives_the_same_numbers() -> None:
    rules = rules_of("lingao")
    one = Tournament(rules, PAIR, deals=30, seed=4)
    many = Tournament(rules, PAIR, deals=30, seed=4, processes=3)
    assert told(one) == told(many)
    assert told(one) != told(Tournament(rules, PAIR, deals=30, seed=5))


@pytest.mark.skipif(not COMPILED, reason="whole hands are slow as plain Python")
def test_points_sum_to_zero_and_every_hand_counts() -> None:
    result = told(Tournament(rules_of("hainan", 3), (Policy.EASY, Policy.PLAIN, Policy.RANDOM), 3, 20))
    assert result["hands"] == 20 * 6
    assert sum(row["points_per_hand"] for row in result["policies"].values()) == pytest.approx(0, abs=1e-3)
    assert sum(row["hands"] for row in result["policies"].values()) == 20 * 6 * 3


@pytest.mark.skipif(not COMPILED, reason="whole hands are slow as plain Python")
def test_interrupted_it_goes_on_where_it_was() -> None:
    tournament = Tournament(rules_of("hainan"), PAIR, deals=40, seed=2)
    standing = Standing(tournament)

    def interrupt(deals: list[Deal]) -> None:
        raise KeyboardInterrupt

    compete(standing, interrupt)
    assert 0 < len(standing.deals) < 40
    kept = result_lines(standing.deals.values()).encode()
    again = Standing(tournament)
    lines = [encode(tournament.to_json()).encode() + b"\n", *kept.splitlines(keepends=True), b'{"deal":']
    assert read_results(again, lines) == sum(len(line) for line in lines[:-1])
    assert again.deals == standing.deals
    compete(again)
    assert again.to_json() | {"seconds": 0} == told(tournament)


def test_results_of_another_tournament_are_refused() -> None:
    standing = Standing(Tournament(rules_of(), PAIR))
    with pytest.raises(ValueError, match="another tournament: rules differs"):
        read_results(standing, [b'{"rules": {}}\n'])
    with pytest.raises(ValueError, match="line 1 is no result"):
        read_results(standing, [b"hello\n"])


def test_who_can_compete() -> None:
    with pytest.raises(ValueError, match="players need 2 to 4"):
        Tournament(rules_of(), (Policy.EASY,))
    with pytest.raises(ValueError, match="given twice"):
        Tournament(rules_of(), (Policy.EASY, Policy.EASY))


def test_the_interval_holds_the_mean() -> None:
    points = np.random.default_rng(1).normal(0.3, 2.0, amount(2000, 200))
    low, high = interval(points)
    half = 1.96 * 2.0 / len(points) ** 0.5
    assert low < points.mean() < high
    assert high - low == pytest.approx(2 * half, rel=0.15)


@pytest.mark.skipif(not COMPILED, reason="whole hands are slow as plain Python")
@pytest.mark.parametrize("preset", ["hainan", "lingao"])
@pytest.mark.parametrize("pair", [(Policy.NORMAL, Policy.EASY), (Policy.STRONG, Policy.NORMAL)])
def test_the_levels_are_in_order(preset: str, pair: tuple[Policy, Policy]) -> None:
    result = told(Tournament(rules_of(preset), pair, deals=400, seed=11))
    assert result["policies"][pair[0].name.lower()]["points_per_hand"] > 0
