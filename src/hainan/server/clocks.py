"""Time as rooms see it: fed from outside, so that tests need no sleeping."""

import asyncio
import time
from collections.abc import Callable, Hashable
from typing import Protocol


class Timer(Protocol):
    """Something that will happen."""

    def cancel(self) -> None:
        """Let it not happen."""
        ...


class Clock(Protocol):
    """What a room asks about time."""

    def now(self) -> float:
        """Seconds; only differences mean anything."""
        ...

    def wall_ms(self) -> int:
        """UTC in milliseconds."""
        ...

    def call_at(self, when: float, callback: Callable[[], None]) -> Timer:
        """Call back at a time of ``now``."""
        ...


class LoopClock:
    """The running event loop's time."""

    def __init__(self) -> None:
        """Of the loop that runs now."""
        self._loop = asyncio.get_running_loop()

    def now(self) -> float:
        """The loop's seconds."""
        return self._loop.time()

    def wall_ms(self) -> int:
        """UTC in milliseconds."""
        return time.time_ns() // 1_000_000

    def call_at(self, when: float, callback: Callable[[], None]) -> Timer:
        """By the loop."""
        return self._loop.call_at(when, callback)


class Agenda:
    """What a room has to do at what time: one timer for the earliest of it."""

    def __init__(self, clock: Clock, wake: Callable[[], None]) -> None:
        """``wake`` is called when something is due; ``due`` then tells what."""
        self._clock, self._wake = clock, wake
        self._times: dict[Hashable, float] = {}
        self._timer: Timer | None = None
        self._armed_for = 0.0

    def set(self, key: Hashable, when: float) -> None:
        """Do something at a time; it replaces an earlier wish of the same key."""
        self._times[key] = when

    def drop(self, key: Hashable) -> None:
        """Don't do it."""
        self._times.pop(key, None)

    def when(self, key: Hashable) -> float | None:
        """At what time something is to be done."""
        return self._times.get(key)

    def clear(self) -> None:
        """Forget everything."""
        self._times.clear()
        self.arm()

    def due(self) -> list[Hashable]:
        """What is to be done now, the earliest first; each is told once."""
        now = self._clock.now()
        found = sorted(
            (when, index, key) for index, (key, when) in enumerate(self._times.items()) if when <= now
        )
        for _, _, key in found:
            del self._times[key]
        return [key for _, _, key in found]

    def arm(self) -> None:
        """Set the timer for the earliest wish."""
        earliest = min(self._times.values(), default=None)
        if self._timer is not None:
            if earliest == self._armed_for:
                return
            self._timer.cancel()
            self._timer = None
        if earliest is not None:
            self._armed_for = earliest
            self._timer = self._clock.call_at(earliest, self._fire)

    def _fire(self) -> None:
        self._timer = None
        self._wake()
