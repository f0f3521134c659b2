"""How often something may be done: token buckets, by address, account or player."""

import time
from collections import OrderedDict
from collections.abc import Callable
from ipaddress import IPv6Address, ip_address
from typing import Final

from hainan.server.config import Rate
from hainan.server.problem import Problem
from hainan.wire import Refusal

Clock = Callable[[], float]
_MOST: Final = 50_000
"""So many buckets are kept; the longest untouched goes first, when it is likely full again anyway."""


class Limiter:
    """A bucket for each key: it holds ``burst`` tokens at most and fills up steadily."""

    def __init__(self, rate: Rate, clock: Clock = time.monotonic) -> None:
        """All buckets are full at first."""
        self._burst, self._per_second = rate.burst, rate.per_minute / 60
        self._clock = clock
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def wait(self, key: str, cost: float = 1) -> float:
        """Seconds until so many tokens are there; takes none."""
        tokens, _ = self._level(key)
        return max(0.0, (min(cost, self._burst) - tokens) / self._per_second)

    def take(self, key: str, cost: float = 1) -> None:
        """Take tokens, down to none."""
        tokens, now = self._level(key)
        self._buckets[key] = (max(0.0, tokens - cost), now)
        self._buckets.move_to_end(key)
        if len(self._buckets) > _MOST:
            self._buckets.popitem(last=False)

    def spend(self, key: str, cost: float = 1) -> None:
        """Take tokens, or refuse with `too_fast` where there aren't enough."""
        self.check(key, cost)
        self.take(key, cost)

    def check(self, key: str, cost: float = 1) -> None:
        """Refuse with `too_fast` where there aren't enough tokens; takes none."""
        if wait := self.wait(key, cost):
            seconds = max(1, round(wait))
            raise Problem(Refusal.TOO_FAST, f"too often: try again in {seconds} s", wait=wait)

    def _level(self, key: str) -> tuple[float, float]:
        now = self._clock()
        tokens, at = self._buckets.get(key, (self._burst, now))
        return min(self._burst, tokens + (now - at) * self._per_second), now


def network_of(address: str) -> str:
    """What an address is limited by: an IPv6 subscriber has 2**64 of them."""
    try:
        parsed = ip_address(address)
    except ValueError:
        return address
    if isinstance(parsed, IPv6Address) and parsed.ipv4_mapped is None:
        return str(IPv6Address(int(parsed) >> 64 << 64))
    return address
