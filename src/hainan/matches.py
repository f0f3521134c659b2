"""A match: hand after hand at one table, until its length is reached (R1.5 to R1.9, R8.3)."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from hainan.engine import entries
from hainan.rules.options import Rules
from hainan.shuffle import Deal, Shuffle
from hainan.table import Table

Deals = Callable[[int], Deal]
"""The deal of each hand by its number from 0."""


@dataclass(frozen=True)
class Place:
    """Where a hand stands in its match: all that it takes over from the hands before."""

    dealer: int
    first_dealer: int
    streak: int = 0
    round_wind: int = 0
    ga_floor: tuple[int, ...] = (0, 0, 0, 0)
    hands_played: int = 0
    rounds_played: int = 0

    @classmethod
    def first(cls, deal: Deal, rules: Rules, players: int) -> "Place":
        """The place of a match's first hand (R1.5)."""
        dealer = deal.first_dealer(rules, players)
        return cls(dealer, dealer, ga_floor=(0,) * players)

    @classmethod
    def after(cls, table: Table) -> "Place | None":
        """The place of the hand after one that is over; None where the match is over too (R1.6 to R1.9)."""
        after = table.clone()
        if entries.advance(after._array, 0):
            return None
        t = after.raw
        return cls(
            int(t.dealer),
            int(t.first_dealer),
            int(t.streak),
            int(t.round_wind),
            tuple(t.ga_floor[: table.players].tolist()),
            int(t.hands_played),
            int(t.rounds_played),
        )

    def table(self, rules: Rules, players: int, deal: Deal) -> Table:
        """The table of the hand at this place, dealt."""
        return Table(
            rules,
            players,
            wall=deal.wall,
            dice=deal.dice,
            dealer=self.dealer,
            first_dealer=self.first_dealer,
            streak=self.streak,
            round_wind=self.round_wind,
            ga_floor=self.ga_floor,
            hands_played=self.hands_played,
            rounds_played=self.rounds_played,
        )


class Match:
    """Plays hands one after another; ``table`` is the present one.

    Act on ``table`` until it is over, then call ``next_hand``. ``deals`` brings walls and dice from
    outside: a committed shuffle, a seed, or a test.
    """

    def __init__(self, rules: Rules, players: int = 4, *, deals: Deals | None = None) -> None:
        """Start the first hand."""
        self.rules, self.players = rules, players
        self._deals = deals or (lambda hand: Shuffle.new().deal(rules, players))
        first = self._deals(0)
        self.table = Place.first(first, rules, players).table(rules, players, first)
        self._next: Place | None = None
        self._totals = [0] * players
        self._bills: list[dict[str, Any]] = []
        self._settled = False

    @property
    def hand(self) -> int:
        """The number of the present hand, from 0."""
        return int(self.table.raw.hands_played)

    @property
    def over(self) -> bool:
        """Whether the last hand of the match is over."""
        self._settle()
        return self._settled and self._next is None

    @property
    def totals(self) -> list[int]:
        """Points of each seat over all finished hands."""
        self._settle()
        return self._totals

    @property
    def bills(self) -> list[dict[str, Any]]:
        """The results of all finished hands (docs/formats.md, section 3, `end`)."""
        self._settle()
        return self._bills

    def _settle(self) -> None:
        """Count a finished hand, once, and set up the place of the next."""
        if self._settled or not self.table.over:
            return
        self._settled = True
        bill = self.table.end()
        assert bill is not None
        self._bills.append(bill)
        self._totals = [total + won for total, won in zip(self._totals, bill["payments"], strict=True)]
        self._next = Place.after(self.table)

    def next_hand(self) -> Table:
        """Deal the next hand, when the present one is over and the match isn't."""
        self._settle()
        if not self._settled:
            raise RuntimeError("the present hand isn't over")
        if self._next is None:
            raise RuntimeError("the match is over (R1.9)")
        deal = self._deals(self._next.hands_played)
        self.table = self._next.table(self.rules, self.players, deal)
        self._settled = False
        return self.table


def seeded_deals(seed: int, rules: Rules, players: int = 4) -> Deals:
    """Reproducible deals for practice, tests and bug reports."""
    return lambda hand: Shuffle.from_number(seed, hand).deal(rules, players)
