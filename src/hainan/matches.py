"""A match: hand after hand at one table, until its length is reached (R1.5 to R1.9, R8.3)."""

from collections.abc import Callable
from typing import Any

from hainan.engine import entries
from hainan.rules.options import Rules
from hainan.shuffle import Deal, Shuffle
from hainan.table import Table

Deals = Callable[[int], Deal]
"""The deal of each hand by its number from 0."""


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
        dealer = first.first_dealer(rules, players)
        self.table = Table(rules, players, wall=first.wall, dice=first.dice, dealer=dealer)
        self._totals = [0] * players
        self._bills: list[dict[str, Any]] = []
        self._settled = False
        self._over = False

    @property
    def hand(self) -> int:
        """The number of the present hand, from 0."""
        return int(self.table.raw.hands_played)

    @property
    def over(self) -> bool:
        """Whether the last hand of the match is over."""
        self._settle()
        return self._over

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
        self._next = self.table.clone()
        self._over = bool(entries.advance(self._next._array, 0))

    def next_hand(self) -> Table:
        """Deal the next hand, when the present one is over and the match isn't."""
        self._settle()
        if not self._settled:
            raise RuntimeError("the present hand isn't over")
        if self._over:
            raise RuntimeError("the match is over (R1.9)")
        place = self._next.raw
        deal = self._deals(int(place.hands_played))
        self.table = Table(
            self.rules,
            self.players,
            wall=deal.wall,
            dice=deal.dice,
            dealer=int(place.dealer),
            streak=int(place.streak),
            round_wind=int(place.round_wind),
            ga_floor=[int(ga) for ga in place.ga_floor],
            first_dealer=int(place.first_dealer),
            hands_played=int(place.hands_played),
            rounds_played=int(place.rounds_played),
        )
        self._settled = False
        return self.table


def seeded_deals(seed: int, rules: Rules, players: int = 4) -> Deals:
    """Reproducible deals for practice, tests and bug reports."""
    return lambda hand: Shuffle.from_number(seed, hand).deal(rules, players)
