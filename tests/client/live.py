"""A whole server in a thread, with real sockets, storage and rooms, whose tables don't dawdle."""

import asyncio
import logging
import socket
import threading
import time
from collections.abc import Callable
from random import Random
from types import TracebackType
from typing import Any

import uvicorn

from hainan.server import logs
from hainan.server.accounts import Passwords
from hainan.server.clocks import LoopClock
from hainan.server.config import Config, Rate
from hainan.server.exchange import LocalExchange
from hainan.server.host import Host
from hainan.server.metrics import Metrics
from hainan.server.room import Surroundings
from hainan.server.serve import uvicorn_config
from hainan.server.store import Store
from hainan.server.web.app import create_app
from hainan.shuffle import Shuffle

PLENTY = Rate(100_000, 100_000)


class Hasty(Random):
    """Draws waiting times that are hardly any: pauses and bots' thinking are drawn by ``uniform``."""

    def __new__(cls, seed: int, times: float = 100) -> "Hasty":
        return super().__new__(cls, seed)

    def __init__(self, seed: int, times: float = 100) -> None:
        super().__init__(seed)
        self._times = times

    def uniform(self, a: float, b: float) -> float:
        return super().uniform(a, b) / self._times


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


class LiveServer:
    """`with LiveServer(url) as server`; ``restart`` drains it, as SIGTERM does, and starts it again."""

    def __init__(
        self, database: str, random: Random | None = None, shuffles: Callable[[], Shuffle] = Shuffle.new
    ) -> None:
        self.database, self.port = database, free_port()
        self._shuffles = shuffles
        self.logged: list[str] = []
        self._random = random or Hasty(1)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def __enter__(self) -> "LiveServer":
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    def start(self) -> None:
        self._ready = threading.Event()
        self._thread = threading.Thread(target=lambda: asyncio.run(self._main()))
        self._thread.start()
        assert self._ready.wait(30)

    def stop(self) -> None:
        self._loop.call_soon_threadsafe(self._stop.set)
        self._thread.join(30)
        assert not self._thread.is_alive()
        logging.getLogger().handlers = []  # of the tests' own process: none may stay behind

    def restart(self) -> None:
        self.stop()
        self.start()

    def run(self, work: Any) -> Any:
        """Run something in the server's loop."""
        return asyncio.run_coroutine_threadsafe(work, self._loop).result(30)

    async def _main(self) -> None:
        logs.configure("json", "warning", self.logged.append)
        self._loop, self._stop = asyncio.get_running_loop(), asyncio.Event()
        self.store = await Store.open(self.database)
        exchange, metrics = LocalExchange(), Metrics()
        generation = await self.store.next_generation()
        around = Surroundings(
            self.store,
            exchange,
            LoopClock(),
            metrics,
            generation,
            pauses=self._random,
            minds=self._random,
            shuffles=self._shuffles,
        )
        self.host = Host(around)
        exchange.serve(self.host.route)
        config = Config(guest_rate=PLENTY, room_rate=PLENTY, guess_rate=PLENTY, sign_in_rate=PLENTY)
        passwords = Passwords(memory_kib=64, rounds=1)
        app = create_app(
            config, self.store, exchange, await self.store.secret(), metrics=metrics, passwords=passwords
        )
        await self.host.resume()
        asked = uvicorn_config(app)
        asked.host, asked.port = "127.0.0.1", self.port
        server = uvicorn.Server(asked)
        serving = asyncio.create_task(server._serve())
        while not server.started:
            await asyncio.sleep(0.002)
        self._ready.set()
        await self._stop.wait()
        app.begin_draining()
        await self.host.park()
        app.sockets.drain()
        server.should_exit = True
        await serving
        await self.store.close()


def until(true: Any, seconds: float = 30) -> None:
    """Wait for something to have happened."""
    end = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < end, "it never happened"
        time.sleep(0.005)
