"""Work over a real Ray cluster of several processes: the same results, also when a worker is killed."""

import os
import signal
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import psutil
import pytest

from hainan.bots.policies import Policy
from hainan.engine.jit import COMPILED
from hainan.rl import cluster
from hainan.rl.cluster import ClusterError, connected
from hainan.rl.dataset import Dataset, create
from hainan.rules.presets import rules_of
from hainan.sim import runner
from hainan.sim.pieces import Hands
from hainan.sim.runner import Run, simulate
from hainan.sim.tournament import Standing, Tournament, compete

ray = pytest.importorskip("ray")
pytestmark = [
    pytest.mark.soak,
    pytest.mark.skipif(not COMPILED, reason="a cluster of plain Python takes minutes"),
    pytest.mark.filterwarnings("ignore"),
]


@pytest.fixture(scope="module")
def started() -> Iterator[Any]:
    """A cluster of three processes on this machine."""
    with connected("local:3") as spread:
        yield spread


def workers() -> list[psutil.Process]:
    """Processes of the cluster that do pieces."""
    found = []
    for process in psutil.Process().children(recursive=True):
        try:
            if process.cmdline()[0].startswith("ray::_do"):
                found.append(process)
        except (psutil.Error, IndexError):
            continue
    return found


def counted(result: runner.Result) -> bytes:
    return bytes(result.tally.tobytes())


def test_the_same_as_on_one_machine(started: Any) -> None:
    run = Run(rules_of("lingao"), hands=20_000, seed=3)
    told: list[int] = []
    result = simulate(run, told.append, spread=started)
    assert counted(result) == counted(simulate(run))
    assert told == sorted(told)
    assert told[-1] == run.hands


def test_tournaments_too(started: Any) -> None:
    tournament = Tournament(rules_of(), (Policy.GREEDY, Policy.PLAIN), deals=100, seed=3)
    there, here = Standing(tournament), Standing(tournament)
    compete(there, spread=started)
    compete(here)
    assert there.deals == here.deals
    assert there.to_json() | {"seconds": 0} == here.to_json() | {"seconds": 0}


def test_a_killed_worker_loses_nothing_and_counts_nothing_twice(
    started: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(runner, "_CHUNK", 64)
    run = Run(rules_of(), hands=2000, seed=5, policies=(Policy.GREEDY,))
    killed: list[int] = []
    received: list[Hands] = []

    def spread(job: Any, pieces: Any, receive: Any) -> None:
        def note(piece: Hands, result: Any) -> None:
            received.append(piece)
            receive(piece, result)

        started(job, pieces, note)

    def kill(done: int) -> None:
        if len(killed) < 2 and done > 200 * (len(killed) + 1):
            victim = next(iter(workers()), None)
            if victim is not None:
                os.kill(victim.pid, signal.SIGKILL)
                killed.append(victim.pid)

    create(tmp_path)
    result = simulate(run, kill, job=Dataset(run, str(tmp_path)), spread=spread)
    assert len(killed) == 2
    assert sorted(received) == list(run.chunks())
    assert counted(result) == counted(simulate(run))
    assert sorted(path.name for path in (tmp_path / "hands").glob("*.parquet")) == [
        f"{piece.first:012d}.parquet" for piece in run.chunks()
    ]


def test_only_so_much_is_under_way(started: Any) -> None:
    """Pieces are taken as they are needed, not all at once."""
    taken: list[float] = []
    run = Run(rules_of(), hands=40 * 256)

    def pieces() -> Iterator[Hands]:
        for piece in run.chunks():
            taken.append(time.monotonic())
            yield piece

    seen: list[int] = []
    started(runner.Play(run), pieces(), lambda piece, tally: seen.append(len(taken)))
    assert len(seen) == 40
    assert all(ahead <= done + 3 * 2 + 1 for done, ahead in enumerate(seen))


def test_a_piece_that_kills_every_worker_is_given_up(started: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "TRIES", 2)
    with pytest.raises(ClusterError, match=r"piece 7 was lost 2 times"):
        started(Deadly(), [7], lambda piece, result: None)


def test_other_versions_are_refused(started: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "_version", lambda: "0 (old)")
    with pytest.raises(ClusterError, match=r"hainan-mahjong .* this one has 0 \(old\)"):
        started(runner.Play(Run(rules_of(), hands=8)), [Hands(0, 8)], lambda piece, result: None)


def test_where_there_is_no_cluster() -> None:
    with pytest.raises(ClusterError, match=r"no Ray cluster at '127.0.0.1:1'"), connected("127.0.0.1:1"):
        pass


class Deadly:
    """A job whose worker dies."""

    def worker(self) -> Any:
        return lambda piece: os._exit(1)
