"""Rooms in a process of their own (``processes`` = 2), as the process with the sockets sees them."""

import asyncio
import os
import platform
import socket
import subprocess
import sys
from collections.abc import Callable
from typing import Final, Protocol

from hainan.server.config import Config, ConfigError
from hainan.server.logs import log
from hainan.server.metrics import Metrics
from hainan.server.relay import FarRooms
from hainan.server.store import StoreError

LEAVING_SECONDS: Final = 2.0
"""So long that process may take to end, once its rooms are parked."""


class Child(Protocol):
    """A process that was started."""

    pid: int

    def wait(self, timeout: float | None = None) -> int:
        """Until it ends; raises ``subprocess.TimeoutExpired``."""
        ...

    def kill(self) -> None:
        """End it."""
        ...


def surroundings() -> dict[str, str]:
    """The environment of that process. Thousands of tables are a gigabyte of small objects all over the
    memory, and looking up small pages costs a tenth of the processor's time; large ones have to be asked for,
    which glibc can since 2.35. What the environment says already counts."""
    name, version = platform.libc_ver()
    can = name == "glibc" and tuple(map(int, version.split("."))) >= (2, 35)
    large = {"PYTHONMALLOC": "malloc", "GLIBC_TUNABLES": "glibc.malloc.hugetlb=1"} if can else {}
    return large | os.environ


Start = Callable[[], tuple[Child, socket.socket]]


def start() -> tuple[Child, socket.socket]:
    """The process, and this end of the pipe to it; raises ConfigError where that can't be."""
    if sys.platform == "win32":
        raise ConfigError("processes: on Windows there is only one")
    here, there = socket.socketpair()
    with there:
        child = subprocess.Popen(
            [sys.executable, "-m", "hainan.server.backroom", str(there.fileno())],
            stdin=subprocess.DEVNULL,
            env=surroundings(),
            pass_fds=[there.fileno()],
        )
    return child, here


class RoomsApart:
    """That process, from its start to its end."""

    def __init__(self, begin: Start = start) -> None:
        """It gets itself ready while this process does the same."""
        self._child, self._end = begin()
        self._exchange = FarRooms(_lost)

    async def open(self, config: Config, metrics: Metrics) -> FarRooms:
        """The way to its rooms, all of which are resumed; raises StoreError."""
        try:
            trouble = await self._exchange.begin(self._end, config)
        except ConnectionError as error:
            raise StoreError(str(error)) from None
        if trouble is not None:
            raise StoreError(trouble)
        metrics.rooms_are_at(self._child.pid)
        return self._exchange

    async def end(self) -> None:
        """Let it go."""
        self._exchange.let_go()
        self._end.close()
        try:
            await asyncio.to_thread(self._child.wait, LEAVING_SECONDS)
        except subprocess.TimeoutExpired:
            log.error("the process of the rooms didn't end")
            self._child.kill()


def _lost() -> None:
    """Sockets without rooms are of no use. Whoever watches over this process starts it again, and nothing
    that anybody was told is lost."""
    log.error("the process of the rooms has ended")
    os._exit(1)
