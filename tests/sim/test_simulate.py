"""Bulk play: the same hands however they are split, true counts, records that replay."""

import io
import json
from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest

from hainan.bots.policies import Policy
from hainan.bots.seats import Bot
from hainan.engine.jit import COMPILED
from hainan.matches import Match, seeded_deals
from hainan.records import read_record, replay
from hainan.rules.presets import PRESET_NAMES, rules_of
from hainan.rules.tiles import parse
from hainan.sim import runner
from hainan.sim.runner import Run, policies_named, simulate, simulate_to
from tests.conftest import amount

HANDS = amount(1500, 8)
# Greedy bots look hundreds of hands ahead: as plain Python that takes minutes.
POLICY = Policy.GREEDY if COMPILED else Policy.RANDOM


def results(run: Run) -> dict[str, Any]:
    told = simulate(run).to_json()
    return {
        name: value
        for name, value in told.items()
        if name not in ("seconds", "hands_per_s", "decisions_per_s", "processes")
    }


@pytest.mark.parametrize("preset", PRESET_NAMES)
@pytest.mark.parametrize("players", [3, 4])
def test_any_number_of_processes_plays_the_same_hands(preset: str, players: int) -> None:
    run = Run(rules_of(preset, players), players, HANDS, seed=5)
    assert results(run) == results(replace(run, processes=3))


def test_chunks_are_whole_matches(monkeypatch: pytest.MonkeyPatch) -> None:
    run = Run(rules_of(rounds=1), hands=amount(500, 17), seed=1)
    whole = results(run)
    monkeypatch.setattr(runner, "_CHUNK", 1)
    assert results(run) == whole


def test_seeds_differ_and_repeat() -> None:
    run = Run(rules_of(), hands=HANDS, seed=1)
    assert results(run)["digest"] == results(run)["digest"]
    assert results(run)["digest"] != results(replace(run, seed=2))["digest"]


def test_what_is_counted_adds_up() -> None:
    rules = rules_of("lingao", score_draws=True)
    told = simulate(Run(rules, hands=amount(800, 6), policies=(POLICY,))).to_json()
    assert told["zero_sum"]
    assert sum(told["ended"].values()) == told["hands"]
    assert sum(told["ways"].values()) == told["ended"]["self_draw"]
    assert told["winners"] == told["hands"] - told["ended"]["draw"]
    assert sum(row["wins"] for row in told["points"]) == told["winners"]
    assert abs(sum(row["mean"] for row in told["points"])) < 1e-4
    assert told["patterns"]["plain"] <= told["winners"]


@pytest.mark.parametrize(
    "rules",
    [
        rules_of(),
        rules_of("lingao", 3, wild="indicator", no_winds=True),
        rules_of("hainan-classic", wild="next"),
    ],
)
def test_records_replay_to_what_was_counted(rules: Any) -> None:
    players = 3 if rules.no_winds else 4
    file = io.StringIO()
    run = Run(
        rules,
        players,
        hands=amount(40, 4),
        seed=9,
        policies=(POLICY,),
    )
    counted = simulate_to(run, file).to_json()
    assert counted["digest"] == simulate(run).to_json()["digest"]
    ends = []
    for line in file.getvalue().splitlines():
        record = json.loads(line)
        parse(record["wall"])
        ends.append(list(replay(read_record(record)))[-1]["end"])
    assert all(end is not None for end in ends)
    for by, count in counted["ended"].items():
        assert sum(end["by"] == by for end in ends) == count


def test_a_match_goes_on_from_hand_to_hand() -> None:
    """Streak, ga floors and the deal pass from hand to hand as in a live match."""
    file = io.StringIO()
    simulate_to(Run(rules_of("lingao"), hands=16, seed=3), file)
    records = [json.loads(line) for line in file.getvalue().splitlines()]
    assert [record["dealer"] for record in records[::8]] == [0, 0]
    for before, after in pairwise(records[:8]):
        end = list(replay(read_record(before)))[-1]["end"]
        kept = end["by"] == "draw" or before["dealer"] in [winner["seat"] for winner in end["winners"]]
        assert after["dealer"] == (before["dealer"] if kept else (before["dealer"] + 1) % 4)
        assert after["streak"] == (before["streak"] + 1 if kept else 0)
        chosen = {seat: int(text[3:]) for seat, text in before["actions"] if text.startswith("ga")}
        assert after["ga_floor"] == [chosen[seat] for seat in range(4)]


def test_interrupted_it_tells_what_was_played(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runner, "_CHUNK", 8)

    def interrupt(done: int) -> None:
        raise KeyboardInterrupt

    result = simulate(Run(rules_of(), hands=10**6, processes=2), interrupt)
    assert 0 < int(result.tally["hands"][0]) < 10**6
    file = io.StringIO()
    result = simulate_to(Run(rules_of(), hands=10**6), file, interrupt) if amount(1, 0) else result
    assert len(file.getvalue().splitlines()) == (int(result.tally["hands"][0]) if amount(1, 0) else 0)


def test_progress_is_told() -> None:
    seen: list[int] = []
    simulate(Run(rules_of(), hands=600 if amount(1, 0) else 20), seen.append)
    assert seen == sorted(seen)
    assert seen[-1] == (600 if amount(1, 0) else 20)


def test_policies_by_name() -> None:
    assert policies_named(["random"], 4) == (Policy.RANDOM,)
    assert policies_named(["greedy", "random", "random"], 3) == (Policy.GREEDY, Policy.RANDOM, Policy.RANDOM)
    with pytest.raises(ValueError, match="no policy 'clever'"):
        policies_named(["clever"], 4)
    with pytest.raises(ValueError, match="2 policies for 4 players"):
        policies_named(["random", "greedy"], 4)


@pytest.mark.skipif(not COMPILED, reason="greedy bots are slow as plain Python")
def test_greedy_beats_random() -> None:
    run = Run(
        rules_of(),
        hands=amount(600, 8),
        policies=(Policy.GREEDY, Policy.RANDOM, Policy.RANDOM, Policy.RANDOM),
    )
    file = io.StringIO()
    simulate_to(run, file)
    ends = [
        list(replay(read_record(json.loads(line))))[-1]["end"]
        for line in file.getvalue().splitlines()[: amount(200, 8)]
    ]
    assert sum(end["payments"][0] for end in ends) > 0


def test_a_random_bot_at_a_live_table_repeats_by_seed() -> None:
    rules = rules_of()
    table = Match(rules, deals=seeded_deals(1, rules)).table
    one, other = Bot(Policy.RANDOM, seed=5), Bot(Policy.RANDOM, seed=5)
    assert [one.choose(table, 0) for _ in range(8)] == [other.choose(table, 0) for _ in range(8)]
    assert len({one.choose(table, 0) for _ in range(60)}) > 2
