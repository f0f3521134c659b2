"""Policies from outside play exactly what the kernels of bulk play would."""

from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest

from hainan.bots.minds import minds_of_thread
from hainan.bots.policies import Policy
from hainan.bots.seats import choose_action
from hainan.engine.distance import new_scratch
from hainan.engine.jit import COMPILED
from hainan.engine.tables import shape_tables
from hainan.rules.presets import rules_of
from hainan.sim.guests import Choose, Question
from hainan.sim.tournament import Standing, Tournament, compete


@dataclass(frozen=True)
class Disguised:
    """A built-in policy that comes as a guest."""

    policy: Policy

    @property
    def name(self) -> str:
        return f"a guest like {self.policy.name}"

    identity = name

    def chooser(self) -> Choose:
        work = new_scratch()

        def choose(asked: Question) -> Any:
            told = zip(
                asked.rows.tolist(), asked.seats.tolist(), asked.legal, asked.counts.tolist(), strict=True
            )
            return np.array(
                [
                    choose_action(
                        asked.tables, index, shape_tables(), seat, int(self.policy), legal[:count], work,
                        minds_of_thread(),
                    )
                    for index, seat, legal, count in told
                ]
            )  # fmt: skip

        return choose


@pytest.mark.skipif(not COMPILED, reason="whole hands are slow as plain Python")
@pytest.mark.parametrize(("preset", "players"), [("hainan", 4), ("lingao", 3)])
def test_a_guest_plays_as_the_same_policy_built_in(preset: str, players: int) -> None:
    policies = (Policy.EASY, Policy.GREEDY, Policy.RANDOM)
    rules = rules_of(preset, players)
    built_in = Standing(Tournament(rules, policies, players, deals=6, seed=5))
    mixed = Standing(
        Tournament(rules, (Policy.EASY, Disguised(Policy.GREEDY), Policy.RANDOM), players, deals=6, seed=5)
    )
    compete(built_in)
    compete(mixed)
    assert built_in.deals == mixed.deals
    assert list(mixed.to_json()["policies"]) == ["easy", "a guest like GREEDY", "random"]
