"""Token buckets, by a clock that a test moves."""

import pytest

from hainan.server.config import Rate
from hainan.server.problem import Problem
from hainan.server.web import limits
from hainan.server.web.limits import Limiter
from hainan.wire import Refusal
from tests.server.web.conftest import Clock


def test_a_burst_and_then_a_rate() -> None:
    clock = Clock(1000.0)
    limiter = Limiter(Rate(3, 60), clock)
    for _ in range(3):
        limiter.spend("a")
    with pytest.raises(Problem) as caught:
        limiter.spend("a")
    assert caught.value.code is Refusal.TOO_FAST
    assert caught.value.wait == pytest.approx(1)
    limiter.spend("b")  # another key has its own
    clock.now += 1
    limiter.spend("a")
    with pytest.raises(Problem):
        limiter.spend("a")
    clock.now += 3600
    for _ in range(3):  # it never holds more than a burst
        limiter.spend("a")
    with pytest.raises(Problem):
        limiter.spend("a")


def test_a_cost_above_the_burst_needs_a_full_bucket() -> None:
    clock = Clock()
    limiter = Limiter(Rate(5, 60), clock)
    limiter.check("a", 10)
    limiter.take("a", 1)
    with pytest.raises(Problem):
        limiter.check("a", 10)
    clock.now += 1
    limiter.check("a", 10)


def test_memory_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "_MOST", 100)
    limiter = Limiter(Rate(1, 1), Clock())
    for n in range(1000):
        limiter.spend(str(n))
    assert len(limiter._buckets) == 100
    with pytest.raises(Problem):
        limiter.spend("999")
