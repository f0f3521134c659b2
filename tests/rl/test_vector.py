"""The vector environment: the engine's play in the caller's arrays, on any number of threads the same."""

from itertools import pairwise
from typing import Any

import numpy as np
import pytest

from hainan.engine.jit import COMPILED
from hainan.engine.record import Phase
from hainan.rl.layout import N_ACTIONS, SIZE, named
from hainan.rl.observe import bytes_of, observe_seat
from hainan.rl.vector import Buffers, IllegalActions, VectorEnv
from hainan.rules.actions import BY_TEXT
from hainan.rules.presets import PRESET_NAMES, rules_of
from hainan.table import SPECTATOR
from tests.conftest import amount

STEPS = amount(400, 25)


def played(env: VectorEnv, steps: int, choose: Any = None) -> list[tuple[Any, ...]]:
    """Everything that random play brings, copied at each step."""
    env.reset()
    story = []
    for _ in range(steps):
        actions = env.sample() if choose is None else choose(env)
        seen, rewards, terminations, truncations, info = env.step(actions)
        assert not truncations.any()
        parts = (seen, rewards, terminations, info["seats"], info["action_mask"])
        story.append(tuple(part.copy() for part in parts))
    return story


def alike(one: list[tuple[Any, ...]], other: list[tuple[Any, ...]]) -> bool:
    return len(one) == len(other) and all(
        (mine == theirs).all()
        for a, b in zip(one, other, strict=True)
        for mine, theirs in zip(a, b, strict=True)
    )


@pytest.mark.parametrize("preset", PRESET_NAMES)
@pytest.mark.parametrize("players", [3, 4])
def test_any_number_of_threads_plays_the_same(preset: str, players: int) -> None:
    rules = rules_of(preset, players)
    stories = [
        played(VectorEnv(7, rules, players, seed=3, threads=threads), amount(150, 12)) for threads in (1, 3)
    ]
    assert alike(*stories)
    assert not alike(stories[0], played(VectorEnv(7, rules, players, seed=4), amount(150, 12)))


@pytest.mark.skipif(not COMPILED, reason="whole hands are slow as plain Python")
def test_choices_are_what_a_policy_does_and_change_nothing() -> None:
    """Played by the caller they make the game of the built-in policy, also of one that draws lots."""
    rules = rules_of("hainan")
    for policy in ("easy", "greedy"):
        mine, theirs = (
            VectorEnv(3, rules, seed=6),
            VectorEnv(3, rules, seed=6, opponents=[None, *[policy] * 3]),
        )
        mine.reset()
        theirs.reset()
        before = mine.save()
        assert (mine.choices(policy) == mine.choices(policy)).all()
        assert (before.tables == mine.save().tables).all()
        asked: list[list[int]] = [[], [], []]
        wanted: list[list[int]] = [[], [], []]
        for _ in range(200):
            for told, env in ((asked, mine), (wanted, theirs)):
                chosen = env.choices(policy)
                for index in np.flatnonzero(env.buffers.seats == 0):
                    told[index].append(int(chosen[index]))
                env.step(chosen)
        for index in range(3):
            shared = min(len(asked[index]), len(wanted[index]))
            assert shared > 20
            assert asked[index][:shared] == wanted[index][:shared]


@pytest.mark.skipif(not COMPILED, reason="whole hands are slow as plain Python")
def test_levels_take_what_they_weigh_most() -> None:
    env = VectorEnv(4, rules_of("lingao"), seed=2)
    _, info = env.reset()
    with pytest.raises(ValueError, match="greedy weighs nothing; those that do are easy, normal, strong"):
        env.weighed("greedy")
    for _ in range(80):
        for level in ("easy", "strong"):
            worth, chosen = env.weighed(level), env.choices(level)
            assert (np.isfinite(worth) == info["action_mask"]).all()
            assert (worth[np.arange(4), chosen] == worth.max(axis=1)).all()
        _, _, _, _, info = env.step(chosen)


def test_what_is_written_is_the_view_of_the_seat_that_is_asked() -> None:
    env = VectorEnv(5, [rules_of(ga=n % 2 == 0, multiple_wins=n > 2) for n in range(5)], seed=1)
    seen, info = env.reset()
    for _ in range(STEPS):
        for index in range(env.num_envs):
            views, again = env.view(index), np.zeros(SIZE, np.uint8)
            seat = int(info["seats"][index])
            observe_seat(views, bytes_of(views), 0, seat, again)
            assert (seen[index] == again).all()
            assert named(seen[index])["hand"].sum() == views["hand"][0, seat].sum()
        asked = named(seen)["phase"].argmax(axis=1)
        assert (asked != Phase.OVER).all()
        assert info["action_mask"].any(axis=1).all()
        seen, _, _, _, info = env.step(env.sample())


def test_rewards_are_what_hands_paid() -> None:
    """By hand they sum to zero; by match they are the sum of its hands, played with the same actions."""
    rules = rules_of("lingao", hands=3, score_draws=True)
    by_hand, by_match = (VectorEnv(6, rules, seed=2, episode=episode) for episode in ("hand", "match"))
    by_hand.reset()
    by_match.reset()
    points, hands, matches = np.zeros((6, 4)), np.zeros(6, int), 0
    for _ in range(amount(1500, 60)):
        actions = by_hand.sample()
        _, rewards, ended, _, _ = by_hand.step(actions)
        assert not rewards[~ended].any()
        assert not rewards.sum(axis=1).any()
        points += rewards
        hands += ended
        _, totals, over, _, _ = by_match.step(actions)
        assert (hands[over] == 3).all()
        assert (totals[over] == points[over]).all()
        assert not totals[~over].any()
        points[over], hands[over] = 0, 0
        matches += int(over.sum())
        assert (by_hand.buffers.observations == by_match.buffers.observations).all()
    assert matches > 6 or not COMPILED


def test_hands_follow_one_another_in_matches() -> None:
    env = VectorEnv(1, rules_of("hainan-classic", hands=4), seed=5)
    seen, _ = env.reset()
    numbers = []
    for _ in range(amount(1200, 250)):
        numbers.append(int(named(seen[0])["hands_played"][1]))
        seen, _, _, _, _ = env.step(env.sample())
    changes = [after for before, after in pairwise(numbers) if before != after]
    assert changes[:8] == [1, 2, 3, 0, 1, 2, 3, 0][: len(changes[:8])]
    assert len(changes) >= amount(5, 0)


def test_nobody_is_asked_what_cannot_matter() -> None:
    """Who can win is asked first; once someone claims, those with less are not asked."""
    env = VectorEnv(16, rules_of(ga=False), seed=8)
    _, info = env.reset()
    claims = 0
    for _ in range(STEPS):
        tables, seats = env.tables, info["seats"]
        for index in np.flatnonzero(tables["phase"] == Phase.CLAIM):
            t, seat = tables[index], int(seats[index])
            mine = int(t.ask[seat])
            waiting = [int(t.ask[other]) for other in range(4) if t.ask[other] and t.answer[other] < 0]
            assert (mine & 1) == max(bits & 1 for bits in waiting)
            claims += len(waiting) > 1
        _, _, _, _, info = env.step(env.sample())
    assert claims > amount(20, 0)


# ---------------------------------------------------------------- opponents


@pytest.mark.parametrize("policy", ["random", "greedy"] if COMPILED else ["random"])
def test_the_caller_is_asked_for_his_own_seats_only(policy: str) -> None:
    env = VectorEnv(8, rules_of(), seed=1, opponents=[None, policy, None, policy], rotate=True)
    _, info = env.reset()
    ends = 0
    for _ in range(amount(150, 30)):
        assert ((info["seats"] - np.arange(8)) % 2 == 0).all()
        _, rewards, ended, _, info = env.step(env.sample())
        ends += int(ended.sum())
        assert not rewards.sum(axis=1).any()
    assert ends or not COMPILED


@pytest.mark.skipif(not COMPILED, reason="greedy bots are slow as plain Python")
def test_greedy_opponents_beat_a_random_caller() -> None:
    env = VectorEnv(64, rules_of(), seed=1, opponents=["greedy", None, "greedy", "greedy"])
    env.reset()
    won = sum(env.step(env.sample())[1][:, 1].sum() for _ in range(120))
    assert won < 0


@pytest.mark.parametrize(
    ("arguments", "problem"),
    [
        ({"opponents": ["random"] * 4}, "no seat is left"),
        ({"opponents": [None, "random"]}, "2 for 4 players"),
        ({"opponents": [None, "x", None, None]}, "no policy 'x'"),
        ({"episode": "day"}, "neither 'hand' nor 'match'"),
        ({"rules": [rules_of()] * 2}, "2 sheets for 3 tables"),
        ({"num_envs": 0}, "at least one"),
    ],
)
def test_what_cannot_be_set_up(arguments: dict[str, Any], problem: str) -> None:
    with pytest.raises(ValueError, match=problem):
        VectorEnv(**{"num_envs": 3} | arguments)


# ---------------------------------------------------------------- the caller's arrays


def test_everything_is_written_into_the_arrays_given() -> None:
    env, twin = VectorEnv(4, seed=6), VectorEnv(4, seed=6)
    memory = np.zeros((3, 4, SIZE), np.uint8)
    out = [Buffers.new(4, observations=memory[step]) for step in range(3)]
    env.reset(out=out[0])
    twin.reset()
    for step in (1, 2):
        seen, _, _, _, info = env.step(env.sample(), out=out[step])
        again, *_ = twin.step(twin.sample())
        assert np.shares_memory(seen, memory)
        assert info["action_mask"] is out[step].masks
        assert (memory[step] == again).all()
    assert (memory[0] != memory[1]).any()


@pytest.mark.parametrize(
    ("given", "problem"),
    [
        ({"observations": np.zeros((4, SIZE), np.int8)}, "observations: int8"),
        ({"masks": np.zeros((3, N_ACTIONS), np.bool_)}, r"masks: bool \(3, 156\)"),
        ({"rewards": np.zeros((4, 4), np.float32).T}, "rewards: should be contiguous"),
        ({"seats": np.frombuffer(bytes(4), np.int8)}, "seats: should be contiguous and writeable"),
    ],
)
def test_arrays_that_cannot_be_written_into(given: dict[str, Any], problem: str) -> None:
    with pytest.raises(ValueError, match=problem):
        VectorEnv(4).reset(out=Buffers.new(4, **given))


def test_unknown_buffers() -> None:
    with pytest.raises(TypeError, match="no buffers colours"):
        Buffers.new(4, colours=1)


def test_an_illegal_action_changes_nothing_anywhere() -> None:
    env = VectorEnv(3, rules_of(ga=False), seed=1)
    env.reset()
    before = env.save()
    actions = env.sample()
    actions[2] = BY_TEXT["ga 3"]
    with pytest.raises(IllegalActions, match=r"table 2: seat 0 can't 'ga 3'; legal: discard"):
        env.step(actions)
    actions[2] = 999
    with pytest.raises(IllegalActions, match="action number 999"):
        env.step(actions)
    after = env.save()
    assert (before.tables == after.tables).all()
    assert (before.places == after.places).all()
    with pytest.raises(ValueError, match="should be 3 action numbers"):
        env.step([1, 2])
    with pytest.raises(IllegalActions, match="call reset first"):
        VectorEnv(1).step([0])
    with pytest.raises(ValueError, match="no options"):
        env.reset(options={"x": 1})


# ---------------------------------------------------------------- saving


def test_saved_and_restored_it_goes_on_as_before() -> None:
    env = VectorEnv(6, rules_of("lingao"), seed=7)
    played(env, STEPS // 4)
    saved, chosen = env.save(), []
    for _ in range(30):
        chosen.append(env.sample())
        env.step(chosen[-1])
    end = env.buffers.observations.copy()
    twin = env.clone()
    _, info = env.restore(saved)
    assert info["action_mask"].any(axis=1).all()
    for actions in chosen:
        env.step(actions)
    assert (env.buffers.observations == end).all()
    assert (twin.buffers.observations == end).all()
    assert not np.shares_memory(twin.buffers.observations, env.buffers.observations)
    assert (twin.sample() == twin.clone().sample()).any()


def test_one_saved_table_fills_many() -> None:
    env = VectorEnv(5, rules_of("lingao", ga=False), seed=7)
    env.reset()
    for _ in range(10):
        env.step(env.sample())
    others = env.buffers.observations[:2].copy()
    env.restore(env.save([1]), [2, 3, 4])
    assert (env.buffers.observations[2:] == others[1]).all()
    assert (env.buffers.observations[:2] == others).all()
    with pytest.raises(ValueError, match="2 saved tables for 3 places"):
        env.restore(env.save([0, 1]), [2, 3, 4])


def test_views_of_tables() -> None:
    env = VectorEnv(2, seed=1)
    env.reset()
    assert env.view(0, SPECTATOR)["hand"].sum() == 0
    assert (env.view(1)["wall"] == 63).all()


def test_spaces_hold_what_is_seen() -> None:
    pytest.importorskip("gymnasium")
    env = VectorEnv(3, seed=1)
    seen, _ = env.reset()
    assert env.single_observation_space.contains(seen[0])
    assert env.observation_space.contains(seen)
    assert env.single_action_space.n == N_ACTIONS
    assert env.action_space.contains(env.sample())
    env.close()
