"""Running a server: its parts put together, its socket bound, and its end.

A first SIGTERM or SIGINT drains: nothing new begins, rooms are parked, clients are told to come back, and
everything is over within ten seconds. A second one stops at once; nothing is lost by that either, for
whatever anybody was told is in storage.
"""

import asyncio
import contextlib
import errno
import os
import signal
import socket
from collections.abc import AsyncIterator, Awaitable, Callable
from types import FrameType
from typing import Any, Final

import uvicorn

from hainan.server import logs
from hainan.server.apart import RoomsApart, Start, start
from hainan.server.config import Config, ConfigError
from hainan.server.exchange import Exchange, LocalExchange
from hainan.server.host import opened as open_host
from hainan.server.logs import log
from hainan.server.metrics import Metrics
from hainan.server.process import calm_collector, loop_factory, raise_file_limit
from hainan.server.store import Store, sole_use, url_of
from hainan.server.web.app import HainanServer, create_app

WEBSOCKETS: Final = "websockets-sansio"
"""Uvicorn's implementation of WebSockets, chosen by measurement (docs/architecture.md)."""
MAX_SOCKET_FRAME: Final = 1 << 20
"""Far above what is allowed, so that the application can answer; what is longer still ends the connection."""
PING_SECONDS: Final = 50.0
"""How often a silent connection is asked whether it is still there, and how long it may take to say so."""
BACKLOG: Final = 4096
PARK_SECONDS: Final = 6.0
CLOSE_SECONDS: Final = 2.0
DEADLINE_SECONDS: Final = 9.5
"""When draining takes so long something hangs, and the process ends all the same."""


def bind(host: str, port: int) -> socket.socket:
    """A socket at an address; raises ConfigError where it can't be had."""
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(
            host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
        )[0]
        bound = socket.socket(family, kind, protocol)
    except OSError as error:
        raise ConfigError(f"host: {host!r} is no address of this machine: {error.strerror}") from None
    try:
        if os.name == "posix":  # elsewhere this would let two programs have the port
            bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        bound.bind(address)
        bound.listen(BACKLOG)
    except OSError as error:
        bound.close()
        raise ConfigError(_why_not_bound(host, port, error)) from None
    bound.set_inheritable(False)
    return bound


def _why_not_bound(host: str, port: int, error: OSError) -> str:
    if error.errno == errno.EADDRINUSE:
        return f"port {port} is in use: choose another with --port"
    if error.errno == errno.EACCES:
        return f"port {port} is not for ordinary users: choose one from 1024 on with --port"
    return f"host: {host!r} can't be listened at: {error.strerror}"


# ---------------------------------------------------------------- the parts


class Parts:
    """What a running server consists of."""

    def __init__(self, store: Store, app: HainanServer, park: "Park") -> None:
        """Made by ``opened``; ``park`` stops the rooms, wherever they are."""
        self.store, self.app, self.park = store, app, park


Park = Callable[[], Awaitable[None]]


@contextlib.asynccontextmanager
async def opened(config: Config, apart: Start = start, **around: Any) -> AsyncIterator[Parts]:
    """Storage, rooms and application, with every unfinished match resumed; raises StoreError.

    For tests: ``apart`` starts the rooms' process where they have one, and ``around`` replaces what rooms get
    of chance (``Surroundings``) where they don't.
    """
    rooms = RoomsApart(apart) if config.processes > 1 else None
    async with contextlib.AsyncExitStack() as after:
        metrics, url = Metrics(), url_of(config.database)
        if rooms is None:
            await after.enter_async_context(sole_use(url))
            store = await _opened_store(url, metrics, after)
            exchange, park = await _rooms_here(store, metrics, **around)
        else:
            after.push_async_callback(rooms.end)
            exchange, park = await _rooms_there(rooms, config, metrics)  # which make sure that they are alone
            store = await _opened_store(url, metrics, after)
        app = create_app(config, store, exchange, await store.secret(), metrics=metrics)
        yield Parts(store, app, park)


async def _opened_store(url: str, metrics: Metrics, after: contextlib.AsyncExitStack) -> Store:
    store = await Store.open(url)
    after.push_async_callback(store.close)
    store.on_commit(metrics.committed)
    return store


async def _rooms_here(store: Store, metrics: Metrics, **around: Any) -> tuple[Exchange, Park]:
    exchange = LocalExchange()
    host = await open_host(store, exchange, metrics, **around)
    exchange.serve(host.route)
    return exchange, host.park


async def _rooms_there(rooms: RoomsApart, config: Config, metrics: Metrics) -> tuple[Exchange, Park]:
    exchange = await rooms.open(config, metrics)
    return exchange, exchange.park


# ---------------------------------------------------------------- the server


class DrainingServer(uvicorn.Server):
    """Uvicorn, which drains before it stops."""

    def __init__(self, config: uvicorn.Config, parts: Parts, started: Callable[[], None]) -> None:
        """``started`` is called when connections are accepted."""
        super().__init__(config)
        self._parts, self._started = parts, started
        self._loop = asyncio.get_running_loop()
        self._draining: asyncio.Task[None] | None = None
        self._signals = 0

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begin to accept connections, and tell."""
        await super().startup(sockets)
        self._started()

    def handle_exit(self, sig: int, frame: FrameType | None) -> None:
        """A signal: the first drains, the second stops at once."""
        self._signals += 1
        if self._signals > 1:
            os._exit(128 + sig)
        self._loop.call_soon_threadsafe(self._begin)

    def _begin(self) -> None:
        self._draining = self._loop.create_task(self._drain(), name="drain")
        self._loop.call_later(DEADLINE_SECONDS, self._too_late)

    def _too_late(self) -> None:
        log.error("draining took too long")
        os._exit(1)

    async def _drain(self) -> None:
        parts = self._parts
        log.info("draining", connections=parts.app.services.metrics.connections)
        parts.app.begin_draining()
        try:
            async with asyncio.timeout(PARK_SECONDS):
                await parts.park()
        except Exception:  # whatever goes wrong, the clients must still be told
            log.error("the rooms could not be parked in time", exc_info=True)
        parts.app.sockets.drain()
        self.should_exit = True


def uvicorn_config(app: Any) -> uvicorn.Config:
    """How the server is run."""
    return uvicorn.Config(
        app,
        ws=WEBSOCKETS,
        ws_max_size=MAX_SOCKET_FRAME,
        ws_per_message_deflate=False,  # a view has 1 kB: compressing it costs more than it saves
        ws_ping_interval=PING_SECONDS,
        ws_ping_timeout=PING_SECONDS,
        lifespan="off",
        proxy_headers=False,  # whom to believe is decided in web/security.py
        server_header=False,
        access_log=False,
        log_config=None,
        backlog=BACKLOG,
        timeout_graceful_shutdown=int(CLOSE_SECONDS),
    )


async def _serve(config: Config, bound: socket.socket, started: Callable[[], None], **around: Any) -> None:
    async with opened(config, **around) as parts:
        calm_collector()
        server = DrainingServer(uvicorn_config(parts.app), parts, started)
        await server.serve(sockets=[bound])


def serve(config: Config, bound: socket.socket, started: Callable[[], None], **around: Any) -> None:
    """Run until a signal; raises StoreError where the database can't be used."""
    logs.configure(config.logs, config.least_logged)
    raise_file_limit()
    with asyncio.Runner(loop_factory=loop_factory()) as runner:
        # Until Uvicorn takes the signals over, they simply stop what has hardly begun.
        signal.signal(signal.SIGTERM, signal.default_int_handler)
        runner.run(_serve(config, bound, started, **around))
