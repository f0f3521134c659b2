"""Bulk play over several cores: the same hands, whatever their number."""

import json
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, TextIO

import numpy as np

from hainan.bots.minds import new_minds
from hainan.bots.policies import Policy, policy_named
from hainan.engine.distance import new_scratch
from hainan.engine.legal import MAX_LEGAL
from hainan.engine.record import Record, new_tables, sheet_of
from hainan.engine.tables import shape_tables
from hainan.rules.actions import ACTIONS
from hainan.rules.options import Rules
from hainan.rules.presets import rules_to_json
from hainan.rules.terms import By, Licence, Pattern, Way
from hainan.rules.tiles import EAST, TEXT, full_set, text_of
from hainan.sim.batch import LOG, TALLY, play_hands
from hainan.sim.pieces import Hands, Job, Spread, in_threads
from hainan.table import RECORD_FORMAT

ROUND_BLOCK: Final = 16
"""Hands of a block where the match is counted in rounds, whose number of hands isn't known before."""
_CHUNK: Final = 256


@dataclass(frozen=True)
class Run:
    """What is played: N hands, in matches of the sheet's length, by one policy a seat."""

    rules: Rules
    players: int = 4
    hands: int = 10000
    seed: int = 0
    policies: tuple[Policy, ...] = (Policy.RANDOM,)
    processes: int = 1
    apart: bool = False
    """Each hand by itself, at some place of a match, instead of matches."""

    @property
    def block(self) -> int:
        """Hands of a match."""
        if self.apart:
            return 1
        return ROUND_BLOCK if self.rules.rounds else self.rules.hands

    @property
    def seats(self) -> list[int]:
        """The policy of each seat."""
        given = self.policies
        return [int(given[seat % len(given)]) for seat in range(4)]

    def chunks(self) -> Iterator[Hands]:
        """The pieces of the work: whole blocks, about ``_CHUNK`` hands each."""
        size = max(1, _CHUNK // self.block) * self.block
        for first in range(0, self.hands, size):
            yield Hands(first, min(size, self.hands - first))


@dataclass
class Result:
    """What a run counted."""

    run: Run
    seconds: float = 0.0
    tally: Record = field(default_factory=lambda: np.zeros(1, TALLY))

    def add(self, other: Record) -> None:
        """Add another tally."""
        for name in TALLY.names or ():
            self.tally[name] += other[name]

    def to_json(self) -> dict[str, Any]:
        """The object of docs/formats.md, section 4."""
        t = self.tally[0]
        hands, seconds = int(t.hands), max(self.seconds, 1e-9)
        return {
            "hands": hands,
            "decisions": int(t.decisions),
            "seconds": round(self.seconds, 6),
            "hands_per_s": round(hands / seconds, 1),
            "decisions_per_s": round(int(t.decisions) / seconds, 1),
            "processes": self.run.processes,
            "seed": self.run.seed,
            "zero_sum": int(t.unbalanced) == 0,
            "ended": {by.id: int(t.ended[by]) for by in By},
            "ways": {way.id: int(t.ways[way]) for way in Way},
            "patterns": {pattern.id: int(t.patterns[pattern]) for pattern in Pattern},
            "licences": {licence.id: int(t.licences[licence]) for licence in Licence},
            "winners": int(t.winners),
            "points": [self._points(position) for position in range(self.run.players)],
            "digest": f"{int(t.digest):016x}",
        }

    def _points(self, position: int) -> dict[str, Any]:
        """Mean and standard deviation of one position relative to the dealer."""
        t = self.tally[0]
        hands = max(1, int(t.hands))
        mean = int(t.points[position]) / hands
        variance = max(0.0, int(t.squares[position]) / hands - mean * mean)
        return {
            "position": position,
            "mean": round(mean, 6),
            "sd": round(variance**0.5, 6),
            "wins": int(t.wins[position]),
        }


class Player:
    """Plays pieces of a run in its own record; one for each thread."""

    def __init__(self, run: Run) -> None:
        """Set up the record."""
        self.run = run
        self.tables = new_tables(1)
        self.tables["sheet"][0] = sheet_of(run.rules, run.players)
        self.shapes = shape_tables()
        self.policies = np.array(run.seats, np.int8)
        self.actions = np.zeros(MAX_LEGAL, np.int16)
        self.work = new_scratch()
        self.minds = new_minds()
        self.log = np.zeros(1, LOG)
        self._sheet = rules_to_json(run.rules, run.players)
        self._tiles = len(full_set(no_honors=run.rules.no_honors, no_winds=run.rules.no_winds))

    def play(self, first: int, count: int, tally: Record = None) -> Record:
        """A tally of these hands; or they are added to one that is given."""
        tally = np.zeros(1, TALLY) if tally is None else tally
        with np.errstate(over="ignore"):  # uncompiled, the generator's numbers wrap as they should
            play_hands(
                self.tables, 0, self.shapes, self.policies, self.run.seed & (2**63 - 1), self.run.block,
                self.run.apart, first, count, self.actions, self.work, self.minds, tally, self.log,
            )  # fmt: skip
        return tally

    def record(self) -> dict[str, Any]:
        """The record of the last hand played."""
        t, log, players = self.tables, self.log, self.run.players  # a field of an array is read faster
        n = log["n"].item()
        moves = zip(log["seat"][0, :n].tolist(), log["action"][0, :n].tolist(), strict=True)
        return {
            "format": RECORD_FORMAT,
            "rules": self._sheet,
            "players": players,
            "dealer": t["dealer"].item(),
            "streak": t["streak"].item(),
            "round_wind": TEXT[EAST + t["round_wind"].item()],
            "ga_floor": t["ga_floor"][0, :players].tolist(),
            "dice": t["dice"][0].tolist(),
            "wall": text_of(log["wall"][0, : self._tiles].tolist()),
            "actions": [[seat, ACTIONS[number].text] for seat, number in moves],
        }


Progress = Callable[[int], None]


@dataclass(frozen=True)
class Play:
    """The job of a run: each piece of it is played and counted."""

    run: Run

    def worker(self) -> Callable[[Hands], Record]:
        """A player, whose kernel is loaded."""
        player = Player(self.run)
        player.play(0, 0)
        return lambda piece: player.play(*piece)


def simulate(
    run: Run,
    progress: Progress | None = None,
    *,
    job: Job[Hands, Record] | None = None,
    spread: Spread[Hands, Record] | None = None,
) -> Result:
    """Play a run; ``progress`` is told the hands done. Interrupted (Ctrl-C), it returns what was played.

    The digest and every count are the same however the run is ``spread``: by default over ``run.processes``
    (threads: kernels hold no lock). ``job`` may do more with the same hands (rl/dataset.py).
    """
    result = Result(run)
    shared = job if job is not None else Play(run)
    apart = spread if spread is not None else in_threads(run.processes)
    if spread is None:
        shared.worker()  # loads the compiled kernel, which is no play
    started = time.perf_counter()

    def receive(_: Hands, tally: Record) -> None:
        result.add(tally)
        if progress is not None:
            progress(int(result.tally["hands"][0]))

    apart(shared, run.chunks(), receive)
    result.seconds = time.perf_counter() - started
    return result


def simulate_to(run: Run, file: TextIO, progress: Progress | None = None) -> Result:
    """The same in order on one core, writing each hand's record as a line."""
    result = Result(run)
    player = Player(run)
    player.play(0, 0)
    started = time.perf_counter()
    try:
        for hand in range(run.hands):
            result.add(player.play(hand, 1))
            file.write(json.dumps(player.record(), ensure_ascii=False, separators=(",", ":")) + "\n")
            if progress is not None and hand % 100 == 99:
                progress(hand + 1)
    except KeyboardInterrupt:
        pass
    result.seconds = time.perf_counter() - started
    return result


def policies_named(names: Sequence[str], players: int) -> tuple[Policy, ...]:
    """Policies by name: one for all seats, or one a seat. Raises ValueError."""
    policies = tuple(policy_named(name) for name in names)
    if len(names) not in (1, players):
        raise ValueError(f"{len(names)} policies for {players} players; give one, or one a seat")
    return policies
