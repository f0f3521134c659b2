"""The process of the rooms, where they have one of their own: ``python -m hainan.server.backroom FD``.

It lives as long as the pipe to its parent. Signals are the parent's affair, which parks the rooms and lets
go. Where the parent was killed everything stops at once: what anybody was told is stored.
"""

import asyncio
import contextlib
import os
import signal
import socket
import sys
from typing import Any

from hainan.server import logs
from hainan.server.host import Host, opened
from hainan.server.logs import log
from hainan.server.metrics import Metrics
from hainan.server.process import calm_collector, loop_factory
from hainan.server.relay import (
    Begin,
    Begun,
    Count,
    Counted,
    FarSockets,
    Letters,
    Order,
    Parked,
    Pipe,
    hand_out,
)
from hainan.server.store import Store, StoreError, sole_use, url_of


class Backroom:
    """The rooms, and the pipe by which everything comes and goes."""

    def __init__(self, **around: Any) -> None:
        """``around`` as in ``serve.opened``."""
        self._around = around
        self._pipe = Pipe(Order, self._take, self._gone)
        self._out = FarSockets(self._pipe)
        self._metrics = Metrics()
        self._host: Host | None = None
        self._task: asyncio.Task[None] | None = None
        self._over = asyncio.Event()
        self._after = contextlib.AsyncExitStack()

    async def run(self, end: socket.socket) -> None:
        """Until the parent lets go."""
        await self._pipe.lay(end)
        await self._over.wait()
        await self._after.aclose()

    def _take(self, order: Order) -> None:
        if isinstance(order, Letters):
            if self._host is not None:
                hand_out(order, self._host.route)
        elif isinstance(order, Count):
            self._pipe.send(Counted(self._metrics.counts()))
        else:
            self._task = asyncio.create_task(self._begin(order) if isinstance(order, Begin) else self._park())

    async def _begin(self, order: Begin) -> None:
        logs.configure(order.config.logs, order.config.least_logged)
        try:
            url = url_of(order.config.database)
            await self._after.enter_async_context(sole_use(url))
            store = await Store.open(url)
            self._after.push_async_callback(store.close)
            store.on_commit(self._metrics.committed)
            self._host = await opened(store, self._out, self._metrics, **self._around)
        except StoreError as error:
            self._pipe.send(Begun(str(error)))
        except Exception:
            log.exception("the rooms could not be opened")
            self._pipe.send(Begun("the rooms could not be opened"))
        else:
            calm_collector()
            self._pipe.send(Begun())

    async def _park(self) -> None:
        assert self._host is not None
        await self._host.park()
        self._out.flush()
        self._pipe.send(Parked())

    def _gone(self) -> None:
        if self._host is not None and not self._host.parked:
            os._exit(1)  # nobody would hear of what is done from now on
        self._over.set()


def run(end: socket.socket, **around: Any) -> None:
    """The process: until the parent lets go."""
    for ignored in (signal.SIGINT, signal.SIGTERM):
        signal.signal(ignored, signal.SIG_IGN)

    async def live() -> None:
        await Backroom(**around).run(end)

    with asyncio.Runner(loop_factory=loop_factory()) as runner:
        runner.run(live())


if __name__ == "__main__":
    run(socket.socket(fileno=int(sys.argv[1])))
