"""What spectators see: each hand once more, from the moment it is over, at its own pace."""

from collections import deque
from dataclasses import dataclass
from typing import Final

from hainan.rules.actions import Action
from hainan.table import Table

_BILL: Final = 5.0
"""Seconds for which the end of a hand is shown at least."""
_KEPT: Final = 3
"""Hands that wait to be shown; where they are played faster than shown, the oldest are left out."""


@dataclass(frozen=True, slots=True)
class Film:
    """A hand that is over: its table at the beginning, and when who did what after it."""

    match: str
    hand: int
    start: Table
    acts: tuple[tuple[float, int, Action], ...]
    """Seconds since the beginning, seat, action."""


class Gallery:
    """Shows films one after another."""

    def __init__(self) -> None:
        """Nothing to show."""
        self._waiting: deque[Film] = deque(maxlen=_KEPT)
        self._film: Film | None = None
        self._began = 0.0
        self._next = 0
        self.table: Table | None = None
        """What is on show."""

    @property
    def match(self) -> str:
        """The match whose hand is on show."""
        return self._film.match if self._film else ""

    @property
    def hand(self) -> int:
        """The number of the hand on show."""
        return self._film.hand if self._film else -1

    def add(self, film: Film, now: float) -> None:
        """A hand is over."""
        self._waiting.append(film)
        if self._film is None:
            self._begin(now)

    @property
    def due(self) -> float | None:
        """When the next act of the film on show comes, or the next film; None while there is none."""
        if self._film is None:
            return None
        if self._next < len(self._film.acts):
            return self._began + self._film.acts[self._next][0]
        return self._ended + _BILL if self._waiting else None

    @property
    def _ended(self) -> float:
        return self._began + (self._film.acts[-1][0] if self._film and self._film.acts else 0.0)

    def step(self, now: float) -> bool:
        """Go on by one act, or to the next film, if it is due; whether something changed."""
        when = self.due
        if when is None or when > now or self._film is None or self.table is None:
            return False
        if self._next == len(self._film.acts):
            self._begin(now)
            return True
        _, seat, action = self._film.acts[self._next]
        self.table.act(seat, action)
        self._next += 1
        return True

    def _begin(self, now: float) -> None:
        self._film = self._waiting.popleft()
        self.table = self._film.start.clone()
        self._began, self._next = now, 0
