"""How long a table waits so that its pauses tell nothing, and how long bots seem to think."""

from os import urandom
from random import Random, SystemRandom
from struct import iter_unpack

from hainan.rules.actions import Act, Action

MORE_TIME = 60.0
"""Seconds that a vote for more time adds to every bank."""


class StoredRandom(SystemRandom):
    """The system's random numbers, fetched many at a time: it is asked for each pause."""

    def __init__(self) -> None:
        """Nothing is fetched yet."""
        super().__init__()
        self._numbers: list[float] = []

    def random(self) -> float:
        """A number from 0 to 1, with 53 random bits."""
        if not self._numbers:
            self._numbers = [(bits >> 11) * 2.0**-53 for (bits,) in iter_unpack("=Q", urandom(8 * 256))]
        return self._numbers.pop()


class Pace:
    """Waiting times in seconds, drawn at random from generators that come from outside, for tests."""

    def __init__(self, pauses: Random, minds: Random) -> None:
        """One generator for what everybody sees, and one for bots, who are asked in secret."""
        self._pauses, self._minds = pauses, minds

    def pause(self) -> float:
        """After a tile is put down, whether or not anybody may claim it."""
        return self._pauses.uniform(0.4, 0.9)

    def thinking(self, action: Action) -> float:
        """Of a bot, once its choice is made. Its pass always comes within the pause, and so isn't noticed."""
        if action == Act.PASS.value:
            return self._minds.uniform(0.1, 0.3)
        if action >= Act.CHOW and action < Act.OWN_KONG:
            return self._minds.uniform(0.5, 1.0)
        return self._minds.uniform(0.6, 1.6)


class NoPace(Pace):
    """For tables of bots alone: nobody is there to wait for, or to be misled."""

    def pause(self) -> float:
        """Not at all."""
        return 0.0

    def thinking(self, action: Action) -> float:
        """Not at all."""
        return 0.0
