"""Pieces of work over a Ray cluster: the same results as here, whatever becomes of single workers.

    with connected("auto") as spread:
        simulate(run, spread=spread)

A worker that is lost takes its pieces with it; they are sent again. Each piece's result is handed on once.
So many pieces are under way as the cluster has cores, and as many again wait there. A machine
with other sources than this one's is refused: only the same sources surely play the same hands.
"""

import socket
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import lru_cache
from typing import Any, Final, TypeVar

from hainan import __version__
from hainan.engine.jit import source_digest
from hainan.rl.optional import require
from hainan.sim.pieces import Job, Spread, receive_last

P = TypeVar("P")
R = TypeVar("R")
TRIES: Final = 10
"""How often a piece is sent before its losses are believed to be its own fault."""
_AHEAD: Final = 2
"""Pieces sent for each core: one that is done, one that waits."""


class ClusterError(RuntimeError):
    """A cluster that can't be reached, has another version, or loses a piece every time."""


@lru_cache(maxsize=4)
def _worker(job: Any) -> Callable[[Any], Any]:
    """A worker for a job, kept from piece to piece in a process."""
    worker: Callable[[Any], Any] = job.worker()
    return worker


def _do(job: Job[P, R], version: str, piece: P) -> R:
    """One piece, in a process of the cluster."""
    here = _version()
    if here != version:
        raise ClusterError(f"a machine of the cluster has hainan-mahjong {here}, this one has {version}")
    kept: Any = job
    result: R = _worker(kept)(piece)
    return result


def _version() -> str:
    """Version and digest of the sources."""
    return f"{__version__} ({source_digest()})"


@contextmanager
def connected(address: str) -> "Iterator[Spread[Any, Any]]":
    """Something that spreads jobs over the cluster at an address: ``auto``, ``host:port``, ``ray://host:port``;
    ``local`` starts one on this machine, ``local:3`` one of three processes. Raises MissingPackage and
    ClusterError."""
    ray = require("ray")
    at, _, cores = address.partition(":")
    if at != "local":
        _knock(address)
    here = {"num_cpus": int(cores) if cores else None, "include_dashboard": False} if at == "local" else {}
    try:
        ray.init(address="local" if here else address, log_to_driver=False, logging_level="ERROR", **here)
    except (ConnectionError, ValueError, RuntimeError, TimeoutError) as error:
        raise ClusterError(f"no Ray cluster at {address!r}: {error}") from None
    try:
        yield _Cluster(ray).spread
    finally:
        ray.shutdown()


def _knock(address: str) -> None:
    """Raise ClusterError where nobody listens: Ray itself would try for minutes."""
    host, _, port = address.removeprefix("ray://").rpartition(":")
    if not host or not port.isdigit():
        return
    try:
        socket.create_connection((host, int(port)), timeout=5).close()
    except OSError as error:
        raise ClusterError(f"no Ray cluster at {address!r}: {error.strerror or error}") from None


class _Cluster:
    """What is under way on a cluster."""

    def __init__(self, ray: Any) -> None:
        self._ray = ray
        # Retries are made here: Ray's own can't be told from first tries.
        self._task = ray.remote(num_cpus=1, max_retries=0)(_do)
        lost = ray.exceptions
        self._losses = (
            lost.WorkerCrashedError,
            lost.NodeDiedError,
            lost.ObjectLostError,
            lost.OutOfMemoryError,
        )

    def _room(self) -> int:
        """How many pieces may be under way now: machines may come and go."""
        return max(1, int(self._ray.cluster_resources().get("CPU", 1))) * _AHEAD

    def spread(self, job: Job[P, R], pieces: Iterable[P], receive: Callable[[P, R], None]) -> None:
        """As ``sim.pieces.Spread``."""
        shared, left = self._ray.put(job), iter(pieces)
        running: dict[Any, tuple[P, int]] = {}

        def send(piece: P, tries: int) -> None:
            running[self._task.remote(shared, _version(), piece)] = (piece, tries)

        try:
            while True:
                while len(running) < self._room() and (piece := next(left, None)) is not None:
                    send(piece, 1)
                if not running:
                    return
                done, _ = self._ray.wait(list(running), num_returns=1)
                for reference in done:
                    piece, tries = running.pop(reference)
                    try:
                        result = self._ray.get(reference)
                    except self._ray.exceptions.RayTaskError as failure:
                        raise failure.cause from None
                    except self._losses as loss:
                        if tries == TRIES:
                            raise ClusterError(f"piece {piece} was lost {TRIES} times: {loss}") from None
                        send(piece, tries + 1)
                    else:
                        receive(piece, result)
        except KeyboardInterrupt:
            self._take_what_is_done(running, receive)

    def _take_what_is_done(
        self, running: dict[Any, tuple[Any, int]], receive: Callable[[Any, Any], None]
    ) -> None:
        """After an interruption: results that are there already; the rest is called off."""
        done, others = self._ray.wait(list(running), num_returns=len(running), timeout=0)
        for reference in others:
            self._ray.cancel(reference)
        for reference in done:
            try:
                result = self._ray.get(reference)
            except self._losses:
                continue
            receive_last(receive, running[reference][0], result)
