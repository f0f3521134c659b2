"""A process that has everything imported and forks servers on demand, so that killing one costs little.

Each line on stdin, ``PORT DATABASE SEED PROCESSES``, forks the real server (``hainan.server.serve.serve``)
with numbered shuffles, short pauses and patience for fast clients, and is answered with its process id;
whoever asked for it kills it when he likes.
"""

import asyncio
import os
import signal
import socket
import sys
from random import Random
from typing import Any

from sqlalchemy import create_engine, text

from hainan.server import backroom
from hainan.server.config import Config, Rate
from hainan.server.serve import bind, serve
from hainan.server.store.address import address
from hainan.server.web import socket as sockets
from hainan.shuffle import Shuffle

FREE = Rate(100_000, 100_000)
sockets.PER_SECOND = sockets.BURST = 100_000.0  # type: ignore[misc]


class Hasty(Random):
    """Pauses and thinking as short as they can be."""

    def uniform(self, a: float, b: float) -> float:
        return a / 40


class Numbered:
    """The n-th shuffle of a database is the same in every run, whichever process draws it."""

    def __init__(self, database: str, seed: int) -> None:
        self.engine, self.seed = create_engine(address(database)), seed

    def __call__(self) -> Shuffle:
        with self.engine.connect() as connection:
            n = connection.execute(text("SELECT COUNT(*) FROM hands")).scalar_one()
        return Shuffle.from_number(self.seed, n)


class Forked:
    """A process of the rooms, forked by its server."""

    def __init__(self, pid: int) -> None:
        self.pid = pid

    def wait(self, timeout: float | None = None) -> int:
        return os.waitpid(self.pid, 0)[1]

    def kill(self) -> None:
        os.kill(self.pid, signal.SIGKILL)


def child(port: int, database: str, seed: int, processes: int) -> None:
    config = Config(
        host="127.0.0.1",
        port=port,
        database=database,
        log_level="error",
        room_rate=FREE,
        guest_rate=FREE,
        guess_rate=FREE,
        processes=processes,
    )
    bound = bind("127.0.0.1", port)
    chance = Hasty(seed)
    around: dict[str, Any] = {"pauses": chance, "minds": chance, "shuffles": Numbered(database, seed)}

    def fork() -> tuple[Forked, socket.socket]:
        here, there = socket.socketpair()
        if pid := os.fork():
            there.close()
            return Forked(pid), here
        try:
            # The fork happens in a running loop, which isn't the child's.
            asyncio.events._set_running_loop(None)
            bound.close()
            here.close()
            backroom.run(there, **around)
        finally:
            os._exit(0)

    serve(config, bound, lambda: None, apart=fork, **around)


def main() -> None:
    pid = 0
    for line in sys.stdin:
        port, database, seed, processes = line.split()
        if pid:
            os.waitpid(pid, 0)  # killed by whoever asks for another; its port must be free again
        pid = os.fork()
        if pid == 0:
            try:
                child(int(port), database, int(seed), int(processes))
            finally:
                os._exit(0)
        print(pid, flush=True)


if __name__ == "__main__":
    main()
