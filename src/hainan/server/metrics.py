"""What the server counts, for Prometheus: plain numbers while it runs, turned into samples when asked.

The counters of the client library take a lock and some microseconds each time; what happens thousands of
times a second is therefore kept as integers here and read by a collector.
"""

import os
from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import Final

from msgspec import Struct
from prometheus_client import CollectorRegistry, ProcessCollector, generate_latest
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, HistogramMetricFamily, Metric
from prometheus_client.registry import Collector

SECONDS: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5)
CALLS: Final = (1, 2, 5, 10, 20, 50, 100, 200, 500)
CONTENT_TYPE: Final = "text/plain; version=0.0.4; charset=utf-8"


class Tally:
    """A histogram: how many values fell below each bound, and their sum."""

    __slots__ = ("bounds", "counts", "sum")

    def __init__(self, bounds: Sequence[float]) -> None:
        """Bounds ascending; above the last lies one more."""
        self.bounds = tuple(bounds)
        self.counts = [0] * (len(self.bounds) + 1)
        self.sum = 0.0

    def observe(self, value: float) -> None:
        """Count a value."""
        self.counts[bisect_left(self.bounds, value)] += 1
        self.sum += value

    @property
    def sums(self) -> "Sums":
        """What has been counted so far."""
        return Sums(list(self.counts), self.sum)

    def buckets(self, more: Sequence[int] = ()) -> list[tuple[str, float]]:
        """Cumulated, as Prometheus has them, with counts from elsewhere."""
        total = 0
        found: list[tuple[str, float]] = []
        counts = [a + b for a, b in zip(self.counts, more or [0] * len(self.counts), strict=True)]
        for bound, count in zip((*map(str, self.bounds), "+Inf"), counts, strict=True):
            total += count
            found.append((bound, total))
        return found


class Sums(Struct, frozen=True):
    """A histogram's counts, as they go from process to process."""

    counts: list[int]
    sum: float


class Counts(Struct, frozen=True):
    """What the rooms have counted, where they live in a process of their own."""

    pid: int
    tables: dict[str, int]
    decisions: dict[str, int]
    refusals: dict[str, int]
    latency: Sums
    commit_seconds: Sums
    commit_calls: Sums


_NOTHING: Final = Counts(0, {}, {}, {}, Sums([], 0.0), Sums([], 0.0), Sums([], 0.0))


class Metrics(Collector):
    """All counts of a server, in a registry of its own."""

    def __init__(self) -> None:
        """Nothing has happened yet."""
        self.connections = 0
        self.frames_in = 0
        self.frames_out = 0
        self.slow_clients = 0
        self.decisions: Counter[str] = Counter()
        self.latency = Tally(SECONDS)
        self.commit_seconds = Tally(SECONDS)
        self.commit_calls = Tally(CALLS)
        self.refusals: Counter[str] = Counter()
        self.requests: Counter[tuple[str, str, int]] = Counter()
        self.request_seconds = Tally(SECONDS)
        self._tables: Callable[[], dict[str, int]] = dict
        self._elsewhere = _NOTHING
        self._registry = CollectorRegistry()
        self._registry.register(self)
        ProcessCollector(registry=self._registry)

    # ------------------------------------------------------------ counting

    def watch_tables(self, count: Callable[[], dict[str, int]]) -> None:
        """How many tables there are, by stage; asked for when the metrics are read."""
        self._tables = count

    def decided(self, how: str, seconds: float) -> None:
        """A decision was taken (by a player, a bot, the clock ...), and so long after it came in all knew."""
        self.decisions[how] += 1
        self.latency.observe(seconds)

    def committed(self, calls: int, seconds: float) -> None:
        """A transaction was made durable for so many calls."""
        self.commit_calls.observe(calls)
        self.commit_seconds.observe(seconds)

    def refused(self, code: str) -> None:
        """A command or a call was refused."""
        self.refusals[str(code)] += 1

    def answered(self, method: str, route: str, status: int, seconds: float) -> None:
        """An HTTP call was answered; the route is its template, so that no number ends in a label."""
        self.requests[method, route, status] += 1
        self.request_seconds.observe(seconds)

    # ------------------------------------------------------------ telling

    def counts(self) -> Counts:
        """What concerns rooms, for another process."""
        return Counts(
            os.getpid(),
            self._tables(),
            dict(self.decisions),
            dict(self.refusals),
            self.latency.sums,
            self.commit_seconds.sums,
            self.commit_calls.sums,
        )

    def rooms_are_at(self, pid: int) -> None:
        """The rooms live in another process: show what that takes too."""
        ProcessCollector(namespace="rooms", pid=lambda: pid, registry=self._registry)

    def render(self, elsewhere: Counts | None = None) -> bytes:
        """The page for Prometheus, with what another process has counted."""
        self._elsewhere = elsewhere or _NOTHING
        return generate_latest(self._registry)

    def collect(self) -> Iterator[Metric]:
        """The samples, for the registry."""
        yield from self._gauges()
        yield from self._counters()
        more = self._elsewhere
        yield _histogram(
            "hainan_decision_seconds",
            "From a decision's arrival to the last seat told.",
            self.latency,
            more.latency,
        )
        yield _histogram(
            "hainan_commit_seconds",
            "Time of a transaction, its sync included.",
            self.commit_seconds,
            more.commit_seconds,
        )
        yield _histogram(
            "hainan_commit_calls",
            "Calls that shared a transaction.",
            self.commit_calls,
            more.commit_calls,
        )
        yield _histogram("hainan_http_seconds", "Time of an HTTP call.", self.request_seconds)

    def _gauges(self) -> Iterator[Metric]:
        tables = GaugeMetricFamily("hainan_tables", "Rooms in memory, by stage.", labels=["stage"])
        for stage, count in (self._elsewhere.tables or self._tables()).items():
            tables.add_metric([stage], count)
        yield tables
        yield GaugeMetricFamily("hainan_connections", "Open WebSockets.", value=self.connections)

    def _counters(self) -> Iterator[Metric]:
        yield CounterMetricFamily("hainan_frames_in", "Messages from clients.", value=self.frames_in)
        yield CounterMetricFamily("hainan_frames_out", "Messages to clients.", value=self.frames_out)
        yield CounterMetricFamily(
            "hainan_slow_clients", "Connections closed because they didn't read.", value=self.slow_clients
        )
        decisions = CounterMetricFamily("hainan_decisions", "Decisions taken, by whom.", labels=["how"])
        for how, count in (self.decisions + Counter(self._elsewhere.decisions)).items():
            decisions.add_metric([how], count)
        yield decisions
        refusals = CounterMetricFamily("hainan_refusals", "Refusals, by code.", labels=["code"])
        for code, count in (self.refusals + Counter(self._elsewhere.refusals)).items():
            refusals.add_metric([code], count)
        yield refusals
        calls = CounterMetricFamily(
            "hainan_http_requests", "HTTP calls.", labels=["method", "route", "status"]
        )
        for (method, route, status), count in self.requests.items():
            calls.add_metric([method, route, str(status)], count)
        yield calls


def _histogram(name: str, documentation: str, tally: Tally, more: Sums = _NOTHING.latency) -> Metric:
    buckets = tally.buckets(more.counts)
    return HistogramMetricFamily(name, documentation, buckets=buckets, sum_value=tally.sum + more.sum)
