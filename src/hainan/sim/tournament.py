"""Policies against one another over duplicate deals.

Every deal (wall, dice, round wind, dealer streak) is played once for each way of putting the policies on the
seats in which all sit as often as can be: six for two policies at four seats (AABB, ABAB, ABBA and their
opposites). So each policy sits in every seat of the same wall, and luck in the deal falls out. What a deal
gives is one number for each policy, its mean points a hand; the interval is a bootstrap over deals.

Built-in policies are played by the kernels of bulk play, others (``guests.Guest``) at many tables side by
side.
"""

import hashlib
import json
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from itertools import combinations, permutations
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from hainan.bots.policies import Policy
from hainan.rules.options import Rules
from hainan.rules.presets import rules_to_json
from hainan.rules.terms import By, Licence
from hainan.sim.guests import Entrant, Hall, identity_of, name_of
from hainan.sim.pieces import Spread, in_threads
from hainan.sim.runner import Player, Run

RESAMPLES: Final = 4000
_CHUNK: Final = 8
_CHUNK_WITH_GUESTS: Final = 64
"""Deals at a time: a guest is asked for about so many seats at once, times half the seatings."""


@dataclass(frozen=True)
class Tournament:
    """What is played."""

    rules: Rules
    policies: tuple[Entrant, ...]
    players: int = 4
    deals: int = 1000
    seed: int = 0
    processes: int = 1

    def __post_init__(self) -> None:
        """Refuse what can't be played."""
        if not 2 <= len(self.policies) <= self.players:
            raise ValueError(
                f"{len(self.policies)} policies; {self.players} players need 2 to {self.players}"
            )
        if len(set(self.policies)) != len(self.policies):
            raise ValueError("a policy is given twice; against itself it has nothing to win")

    @property
    def built_in(self) -> bool:
        """Whether kernels can play all of it."""
        return all(isinstance(policy, Policy) for policy in self.policies)

    @property
    def names(self) -> list[str]:
        """What people call the policies."""
        return [name_of(policy) for policy in self.policies]

    def to_json(self) -> dict[str, Any]:
        """What makes the numbers: a file of results goes on only with the same."""
        return {
            "rules": rules_to_json(self.rules, self.players),
            "policies": [identity_of(policy) for policy in self.policies],
            "players": self.players,
            "seed": self.seed,
        }


def seatings(policies: int, players: int) -> list[tuple[int, ...]]:
    """Every way to seat policies, by number, in which all sit as often as can be."""
    each, extra = divmod(players, policies)
    found = set()
    for more in combinations(range(policies), extra):
        seats = [number for number in range(policies) for _ in range(each)] + list(more)
        found |= set(permutations(seats))
    return sorted(found)


@dataclass
class Deal:
    """What one deal gave each policy, over all its seatings."""

    deal: int
    points: list[int]
    hands: list[int]
    wins: list[int]
    self_draws: list[int]
    deal_ins: list[int]
    licences: list[list[int]]
    """Of its wins, by policy and ``Licence``."""

    @classmethod
    def empty(cls, deal: int, policies: int) -> "Deal":
        """Nothing played yet."""
        points, hands, wins, self_draws, deal_ins = ([0] * policies for _ in range(5))
        licences = [[0] * len(Licence) for _ in range(policies)]
        return cls(deal, points, hands, wins, self_draws, deal_ins, licences)

    def count(self, table: Any, seating: Sequence[int]) -> None:
        """Add a hand that is over: a table's record."""
        by, won = int(table.by), table.won.tolist()
        licences = table.licences.tolist()
        for seat, policy in enumerate(seating):
            self.hands[policy] += 1
            self.points[policy] += int(table.payments[seat])
            if won[seat]:
                self.wins[policy] += 1
                self.self_draws[policy] += by == By.SELF_DRAW
                for licence in Licence:
                    self.licences[policy][licence] += licences[seat] >> licence & 1
        if by in (By.DISCARD, By.ROB):
            self.deal_ins[seating[int(table.win_from)]] += 1


class Dealer:
    """Plays deals; one for each thread or process."""

    def __init__(self, tournament: Tournament) -> None:
        """Set up its table."""
        self._seatings = seatings(len(tournament.policies), tournament.players)
        self._policies = [policy for policy in tournament.policies if isinstance(policy, Policy)]
        self._player = Player(Run(tournament.rules, tournament.players, 1, tournament.seed, apart=True))

    def play(self, deals: Iterable[int]) -> list[Deal]:
        """These deals in every seating."""
        return [self._deal(deal) for deal in deals]

    def _deal(self, number: int) -> Deal:
        deal = Deal.empty(number, len(self._policies))
        for seating in self._seatings:
            for seat, policy in enumerate(seating):
                self._player.policies[seat] = self._policies[policy]
            self._player.play(number, 1)
            deal.count(self._player.tables[0], seating)
        return deal


class Host:
    """Plays deals in which guests take part; one for each thread or process."""

    def __init__(self, tournament: Tournament) -> None:
        """Let them in."""
        self._seatings = seatings(len(tournament.policies), tournament.players)
        self._policies = len(tournament.policies)
        self._hall = Hall(tournament.rules, tournament.players, tournament.seed, tournament.policies)

    def play(self, deals: Sequence[int]) -> list[Deal]:
        """These deals in every seating."""
        hands = [(deal, seating) for deal in deals for seating in self._seatings]
        counted = {deal: Deal.empty(deal, self._policies) for deal in deals}
        for table, (deal, seating) in zip(self._hall.play(hands), hands, strict=True):
            counted[deal].count(table, seating)
        return list(counted.values())


@dataclass(frozen=True)
class Dealing:
    """The job of a tournament: each piece of it, some deals, is played in every seating."""

    tournament: Tournament

    def worker(self) -> Callable[[Sequence[int]], list[Deal]]:
        """A dealer, or a host."""
        return Dealer(self.tournament).play if self.tournament.built_in else Host(self.tournament).play


def interval(points: npt.NDArray[np.float64], seed: int = 0) -> tuple[float, float]:
    """95 % interval of the mean by bootstrap over deals."""
    rng = np.random.default_rng(seed)
    means = [points[rng.integers(0, len(points), len(points))].mean() for _ in range(RESAMPLES)]
    low, high = np.percentile(means, (2.5, 97.5))
    return float(low), float(high)


@dataclass
class Standing:
    """What has been played, deal by deal."""

    tournament: Tournament
    deals: dict[int, Deal] = field(default_factory=dict)
    seconds: float = 0.0

    def of(self, name: str) -> npt.NDArray[np.int64]:
        """A count, [deals, policies, ...], in the order of the deals."""
        return np.array([getattr(self.deals[number], name) for number in sorted(self.deals)], np.int64)

    def to_json(self) -> dict[str, Any]:
        """The object of docs/formats.md, section 4."""
        names = self.tournament.names
        hands = sum(sum(deal.hands) for deal in self.deals.values()) // self.tournament.players
        return {
            "rules": rules_to_json(self.tournament.rules, self.tournament.players),
            "players": self.tournament.players,
            "seed": self.tournament.seed,
            "deals": len(self.deals),
            "seatings": len(seatings(len(names), self.tournament.players)),
            "hands": hands,
            "seconds": round(self.seconds, 3),
            "policies": {name: self._of_policy(n) for n, name in enumerate(names)} if self.deals else {},
            "digest": self.digest(),
        }

    def digest(self) -> str:
        """A hash over all results."""
        lines = result_lines(self.deals[number] for number in sorted(self.deals))
        return hashlib.sha256(lines.encode()).hexdigest()[:16]

    def _of_policy(self, number: int) -> dict[str, Any]:
        hands = self.of("hands")[:, number]
        points = self.of("points")[:, number] / hands
        licences = self.of("licences")[:, number].sum(axis=0)
        return {
            "points_per_hand": round(float(points.mean()), 4),
            "ci95": [round(end, 4) for end in interval(points, self.tournament.seed)],
            "hands": int(hands.sum()),
            "wins": int(self.of("wins")[:, number].sum()),
            "self_draws": int(self.of("self_draws")[:, number].sum()),
            "deal_ins": int(self.of("deal_ins")[:, number].sum()),
            "licences": {one.id: int(licences[one]) for one in Licence},
        }


Played = Callable[[list[Deal]], None]


def _chunks(tournament: Tournament, done: dict[int, Deal]) -> Iterator[Sequence[int]]:
    missing = [number for number in range(tournament.deals) if number not in done]
    size = _CHUNK if tournament.built_in else _CHUNK_WITH_GUESTS
    for first in range(0, len(missing), size):
        yield missing[first : first + size]


def compete(
    standing: Standing,
    played: Played | None = None,
    *,
    spread: Spread[Sequence[int], list[Deal]] | None = None,
) -> None:
    """Play the deals that are missing; ``played`` is told of deals as they are done.

    Interrupted (Ctrl-C), it keeps what was played. The numbers are the same however the deals are
    ``spread``: by default over ``tournament.processes`` (threads: kernels hold no lock).
    """
    tournament = standing.tournament
    apart = spread if spread is not None else in_threads(tournament.processes)
    started = time.perf_counter()

    def keep(_: Sequence[int], deals: list[Deal]) -> None:
        standing.deals.update({deal.deal: deal for deal in deals})
        if played is not None:
            played(deals)

    apart(Dealing(tournament), _chunks(tournament, standing.deals), keep)
    standing.seconds += time.perf_counter() - started


# ---------------------------------------------------------------- results kept in a file


def read_results(standing: Standing, lines: Iterable[bytes]) -> int:
    """Take over the deals of a file of results; returns how many bytes of it are whole lines.

    Its first line says what was played, the others are a deal each. A last line that was cut off is left
    out. Raises ValueError if it is of another tournament, or no such file.
    """
    whole = 0
    for number, line in enumerate(lines):
        if not line.endswith(b"\n"):
            break
        try:
            told = json.loads(line)
            if number > 0:
                deal = Deal(**told)
                standing.deals[deal.deal] = deal
        except (ValueError, TypeError) as error:
            raise ValueError(f"line {number + 1} is no result of a tournament") from error
        if number == 0:
            _check_same(standing.tournament.to_json(), told)
        whole += len(line)
    return whole


def _check_same(asked: dict[str, Any], kept: Any) -> None:
    for name, value in asked.items():
        if not isinstance(kept, dict) or kept.get(name) != value:
            raise ValueError(f"it holds another tournament: {name} differs")


def result_lines(deals: Iterable[Deal]) -> str:
    """Deals as lines of a file of results."""
    return "".join(json.dumps(asdict(deal), separators=(",", ":")) + "\n" for deal in deals)
