"""The PettingZoo environment: its own tests, and the game's."""

import json
import random
import subprocess
import sys
import warnings
from typing import Any

import numpy as np
import pytest

pytest.importorskip("pettingzoo")
with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    from pettingzoo.test import api_test, seed_test

from hainan.records import final_table, read_record
from hainan.rl import aec_v0
from hainan.rl.layout import N_ACTIONS
from hainan.rl.observe import observation
from hainan.rules.presets import PRESET_NAMES, rules_from_json, rules_of
from hainan.table import IllegalAction
from tests.conftest import amount
from tests.oracle import referee

CYCLES = amount(600, 60)
# What PettingZoo expects of pictures and numbers, not of observations with a mask.
EXPECTED = (
    "ignore:Observation is not a NumPy array:UserWarning",
    "ignore:Observation space for each agent probably should be:UserWarning",
    "ignore:Action mask numpy array is all zeros:UserWarning",
)
pytestmark = [pytest.mark.filterwarnings(line) for line in EXPECTED]


@pytest.mark.parametrize("preset", PRESET_NAMES)
@pytest.mark.parametrize("players", [3, 4])
@pytest.mark.parametrize("episode", ["hand", "match"])
def test_pettingzoo_s_own_tests(preset: str, players: int, episode: Any) -> None:
    rules = rules_of(preset, players, hands=2)
    api_test(aec_v0.env(rules, players, episode=episode), num_cycles=CYCLES)
    seed_test(lambda: aec_v0.env(rules, players, episode=episode), num_cycles=CYCLES // 10)


def finished(env: Any, rng: random.Random, check: Any = None) -> dict[str, float]:
    """Play on at random until all are terminated: what each got in all."""
    got = dict.fromkeys(env.possible_agents, 0.0)
    for agent in env.agent_iter():
        seen, reward, over, truncated, _ = env.last()
        got[agent] += reward
        assert not truncated
        if check is not None and not over:
            check(agent, seen)
        env.step(None if over else rng.choice(np.flatnonzero(seen["action_mask"]).tolist()))
    return got


@pytest.mark.parametrize("part", range(3))
def test_any_sheet_plays_a_hand_that_its_record_replays(part: int) -> None:
    rng = random.Random(part)
    for _ in range(amount(15, 2)):
        players = rng.choice((3, 4))
        rules = rules_from_json(referee.random_rules(rng, players), players)
        env = aec_v0.env(rules, players)
        env.reset(seed=rng.getrandbits(30))
        table = env.unwrapped.table

        def check(agent: str, seen: Any, table: Any = table) -> None:
            seat = int(agent[-1])
            legal = table.legal()[seat]
            assert np.flatnonzero(seen["action_mask"]).tolist() == [int(action) for action in legal]
            assert (seen["observation"] == observation(table, seat)).all()

        got = finished(env, rng, check)
        assert list(got.values()) == table.payments
        again = final_table(read_record(json.loads(json.dumps(table.record()))))
        assert again.payments == table.payments


def test_a_match_pays_at_its_end_and_hands_go_on_from_reset_to_reset() -> None:
    rules = rules_of("lingao", hands=3)
    by_match = aec_v0.env(rules, episode="match")
    by_match.reset(seed=5)
    totals = finished(by_match, random.Random(1))
    env, rng = aec_v0.env(rules), random.Random(1)
    env.reset(seed=5)
    sums = dict.fromkeys(env.possible_agents, 0.0)
    for hand in range(3):
        assert env.unwrapped.table.raw.hands_played == hand
        for agent, points in finished(env, rng).items():
            sums[agent] += points
        env.reset()
    assert env.unwrapped.table.raw.hands_played == 0
    assert sums == totals
    env.step(int(np.flatnonzero(env.last()[0]["action_mask"])[0]))
    env.reset()
    assert env.unwrapped.table.raw.hands_played == 0


def test_an_illegal_action_says_why_and_changes_nothing() -> None:
    env = aec_v0.env(rules_of(ga=False))
    env.reset(seed=1)
    before = env.unwrapped.table.snapshot()
    with pytest.raises(IllegalAction, match="can't 'pong'"):
        env.step(118)
    with pytest.raises(ValueError, match="has to act"):
        env.step(None)
    assert env.unwrapped.table.snapshot() == before
    others = [agent for agent in env.agents if agent != env.agent_selection]
    assert not any(env.observe(agent)["action_mask"].any() for agent in others)
    assert env.observe(env.agent_selection)["action_mask"].shape == (N_ACTIONS,)


def test_render() -> None:
    for mode, begins in (("ansi", "1z  hand 1"), ("svg", "<svg ")):
        env = aec_v0.env(render_mode=mode)
        env.reset(seed=1)
        drawn = env.render()
        assert isinstance(drawn, str)
        assert drawn.startswith(begins)
    env = aec_v0.env()
    env.reset(seed=1)
    assert env.unwrapped.render() is None


def test_what_cannot_be_set_up() -> None:
    with pytest.raises(ValueError, match="none of ansi, svg"):
        aec_v0.env(render_mode="human")
    with pytest.raises(ValueError, match="neither 'hand' nor 'match'"):
        aec_v0.env(episode="day")  # type: ignore[arg-type]
    with pytest.raises(RuntimeError, match="call reset first"):
        _ = aec_v0.raw_env().table


def test_where_packages_lack_people_are_told_how_to_get_them() -> None:
    script = (
        "import sys\nsys.modules['pettingzoo'] = None\n"
        "try:\n    import hainan.rl.aec_v0\nexcept ImportError as error:\n    print(error)"
    )
    told = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert told.stdout.strip() == (
        "this needs pettingzoo, which isn't installed: pip install 'hainan-mahjong[rl]'"
    )
