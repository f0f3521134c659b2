"""A bot at a live table: it gets its seat's view and nothing else."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from hainan.bots.minds import minds_of_thread
from hainan.bots.policies import Policy, choose
from hainan.engine.distance import Scratch, new_scratch
from hainan.engine.jit import entry
from hainan.engine.record import Record
from hainan.engine.tables import Shapes, shape_tables
from hainan.rules.actions import ACTIONS, Action
from hainan.table import Table


@entry
def choose_action(
    views: Record,
    index: int,
    shapes: Shapes,
    seat: int,
    policy: int,
    actions: Any,
    work: Scratch,
    minds: Record,
) -> int:
    """The action that a policy takes of those offered to a seat."""
    return choose(views[index], shapes[0], seat, policy, actions, len(actions), work, minds[0])


class Bot:
    """Plays one seat by a built-in policy; ``seed`` is for policies that draw lots."""

    def __init__(self, policy: Policy = Policy.NORMAL, seed: int = 0) -> None:
        """Load the engine's tables."""
        self.policy = policy
        self._rng = np.uint64(seed)
        self._shapes = shape_tables()
        self._work = new_scratch()

    def choose(self, table: Table, seat: int) -> Action:
        """One of the seat's legal actions."""
        views = table.masked_array(seat)
        views["rng"][0] = self._rng
        actions = np.array(table.legal()[seat], np.int16)
        with np.errstate(over="ignore"):  # uncompiled, the generator's numbers wrap as they should
            number = choose_action(
                views, 0, self._shapes, seat, int(self.policy), actions, self._work, minds_of_thread()
            )
        self._rng = views["rng"][0]
        return ACTIONS[number]


@dataclass(frozen=True)
class Weighed:
    """What a legal action is worth to a seat, as the strong bot sees it."""

    action: Action
    points: float
    """Expected points of the whole hand from here on, the others' wins included; 0 while ga is chosen."""
    win: float
    """Chance to win this hand."""
    deal_in: float
    """Chance that somebody wins on this very tile."""


def weighed(table: Table, seat: int) -> tuple[Action, list[Weighed]]:
    """What the strong bot would do, and what each legal action is worth; from the seat's view alone."""
    choice = Bot(Policy.STRONG).choose(table, seat)
    legal = table.legal()[seat]
    rows = minds_of_thread()["rows"][0, : len(legal)].tolist()
    return choice, [Weighed(action, *row) for action, row in zip(legal, rows, strict=True)]
