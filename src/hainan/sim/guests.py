"""Policies from outside: no kernels, but something asked from Python, such as a network (rl/model.py).

Many tables are played side by side, so that a guest can be asked for many seats at once. What is played is
what the kernels of bulk play would: the same deals, order of decisions and random numbers.
"""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple, Protocol

import numpy as np
import numpy.typing as npt

from hainan.bots.minds import minds_of_thread
from hainan.bots.policies import Policy
from hainan.bots.seats import choose_action
from hainan.engine import entries
from hainan.engine.distance import new_scratch
from hainan.engine.legal import MAX_LEGAL
from hainan.engine.record import SEATS, Record, new_tables, sheet_of
from hainan.engine.tables import shape_tables
from hainan.rules.options import Rules
from hainan.sim.batch import asked_some, set_up


class Question(NamedTuple):
    """Decisions that are asked for, n of them."""

    tables: Record
    """All tables; only what the seat may see is to be looked at."""
    rows: npt.NDArray[np.int64]
    """[n]: at which table."""
    seats: npt.NDArray[np.int64]
    """[n]: which seat."""
    legal: npt.NDArray[np.int16]
    """[n, MAX_LEGAL]: action numbers."""
    counts: npt.NDArray[np.int16]
    """[n]: how many of them there are."""


Choose = Callable[[Question], npt.NDArray[Any]]
"""Action numbers [n]."""


class Guest(Protocol):
    """A policy that isn't built in. To go to other machines it must be hashable and picklable."""

    @property
    def name(self) -> str:
        """What people call it."""

    @property
    def identity(self) -> str:
        """What differs wherever it may play differently."""

    def chooser(self) -> Choose:
        """Something that chooses; made once for each thread or process."""


Entrant = Policy | Guest
"""What can sit on a seat."""


def name_of(entrant: Entrant) -> str:
    """What people call an entrant."""
    return entrant.name.lower() if isinstance(entrant, Policy) else entrant.name


def identity_of(entrant: Entrant) -> str:
    """What differs wherever an entrant may play differently."""
    return name_of(entrant) if isinstance(entrant, Policy) else entrant.identity


class Hall:
    """Many tables, a hand at each; one hall for each thread."""

    def __init__(self, rules: Rules, players: int, seed: int, entrants: Sequence[Entrant]) -> None:
        """Let the guests in."""
        self._sheet = sheet_of(rules, players)
        self._seed = seed & (2**63 - 1)
        self._entrants = entrants
        self._guests = {
            number: entrant.chooser()
            for number, entrant in enumerate(entrants)
            if not isinstance(entrant, Policy)
        }
        self._shapes = shape_tables()
        self._work = new_scratch()

    def play(self, hands: Sequence[tuple[int, Sequence[int]]]) -> Record:
        """Tables [n] after their hands: each a deal by number, and the entrant of each seat by number."""
        n = len(hands)
        self._tables = new_tables(n)
        self._tables["sheet"] = self._sheet
        self._lists = np.zeros((n, SEATS, MAX_LEGAL), np.int16)
        self._counts = np.zeros((n, SEATS), np.int16)
        with np.errstate(over="ignore"):  # uncompiled, the generator's numbers wrap as they should
            for index, (deal, _) in enumerate(hands):
                set_up(self._tables, index, self._seed, deal)
                entries.begin(self._tables, index, self._shapes, self._lists[index], self._counts[index])
            seating = np.array([seats for _, seats in hands], np.int64)
            rows = np.arange(n)
            while len(rows := rows[self._counts[rows].any(axis=1)]):
                self._decide(rows, seating)
        return self._tables

    def _decide(self, rows: npt.NDArray[np.int64], seating: npt.NDArray[np.int64]) -> None:
        """One decision at each of these tables."""
        seats = np.array([asked_some(self._tables, index) for index in rows.tolist()], np.int64)
        legal, counts = self._lists[rows, seats], self._counts[rows, seats]
        who = seating[rows, seats]
        actions = np.zeros(len(rows), np.int64)
        for number, entrant in enumerate(self._entrants):
            places = np.flatnonzero(who == number)
            question = Question(self._tables, rows[places], seats[places], legal[places], counts[places])
            if not len(places):
                continue
            if isinstance(entrant, Policy):
                actions[places] = list(self._built_in(entrant, question))
            else:
                actions[places] = self._guests[number](question)
        for index, seat, action in zip(rows.tolist(), seats.tolist(), actions.tolist(), strict=True):
            entries.act(
                self._tables, index, self._shapes, seat, action, self._lists[index], self._counts[index]
            )

    def _built_in(self, policy: Policy, asked: Question) -> Iterator[int]:
        minds = minds_of_thread()
        told = zip(asked.rows.tolist(), asked.seats.tolist(), asked.legal, asked.counts.tolist(), strict=True)
        for index, seat, legal, count in told:
            yield choose_action(
                asked.tables, index, self._shapes, seat, int(policy), legal[:count], self._work, minds
            )
