"""Work that falls into pieces, each done by itself: over threads here, over machines in rl/cluster.

Nothing but the results of its pieces may matter of a job: a piece that is done twice gives the same result
twice, and is handed on once. So neither the number of workers nor the loss of one can be seen.
"""

from collections.abc import Callable, Iterable
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from typing import Any, NamedTuple, Protocol, TypeVar

P = TypeVar("P")
R = TypeVar("R")
In_contra = TypeVar("In_contra", contravariant=True)
Out_co = TypeVar("Out_co", covariant=True)


class Hands(NamedTuple):
    """A piece of bulk play: hands by number."""

    first: int
    hands: int


class Job(Protocol[In_contra, Out_co]):
    """What is to be done with each piece. To go to other machines it must be hashable and picklable."""

    def worker(self) -> Callable[[In_contra], Out_co]:
        """Something that does pieces one after another; made once for each thread or process."""


Spread = Callable[[Job[P, R], Iterable[P], Callable[[P, R], None]], None]
"""Does all pieces of a job and hands each result on once, in any order, always in the caller's thread.

Interrupted (KeyboardInterrupt), it hands on what was under way and returns.
"""


def in_threads(workers: int) -> "Spread[Any, Any]":
    """Over so many threads; for jobs whose work holds no lock (compiled kernels, files)."""

    def spread(job: Job[P, R], pieces: Iterable[P], receive: Callable[[P, R], None]) -> None:
        idle = [job.worker() for _ in range(workers)]
        left = iter(pieces)
        running: dict[Future[R], tuple[P, Callable[[P], R]]] = {}
        with ThreadPoolExecutor(workers) as pool:
            try:
                while True:
                    while idle and (piece := next(left, None)) is not None:
                        worker = idle.pop()
                        running[pool.submit(worker, piece)] = (piece, worker)
                    if not running:
                        return
                    done, _ = wait(running, return_when=FIRST_COMPLETED)
                    for future in done:
                        piece, worker = running.pop(future)
                        idle.append(worker)
                        receive(piece, future.result())
            except KeyboardInterrupt:
                for future, (piece, _) in running.items():
                    receive_last(receive, piece, future.result())

    return spread


def receive_last(receive: Callable[[P, R], None], piece: P, result: R) -> None:
    """Hand a result on after an interruption, whatever the receiver makes of it."""
    try:
        receive(piece, result)
    except KeyboardInterrupt:
        return
