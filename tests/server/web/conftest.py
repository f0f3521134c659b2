"""A real server on a free port, with a real store and a fake exchange that keeps what is posted."""

import asyncio
import logging
import threading
import time
from collections.abc import Callable, Coroutine, Iterator
from pathlib import Path
from typing import Any, TypeVar

import httpx
import msgspec
import pytest
import uvicorn
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from hainan import wire
from hainan.server import logs
from hainan.server.accounts import Passwords
from hainan.server.config import Config
from hainan.server.exchange import Close, Deliver, Envelope
from hainan.server.process import loop_factory
from hainan.server.serve import uvicorn_config
from hainan.server.store import Store
from hainan.server.web.app import HainanServer, create_app

T = TypeVar("T")
SECRET = b"a secret for tests, of 32 bytes."


class Clock:
    """Time that only moves when a test says so; it begins now, as tokens are compared with it."""

    def __init__(self, now: float = 0.0) -> None:
        self.now = now

    def __call__(self) -> float:
        return self.now


class FakeExchange:
    """Keeps envelopes and lets a test deliver; ``answer`` is called with each envelope."""

    def __init__(self) -> None:
        self.posted: list[Envelope] = []
        self.ends: dict[str, tuple[Deliver, Close]] = {}
        self.gone: list[str] = []
        self.answer: Callable[[Envelope], None] = lambda envelope: None

    def post(self, envelope: Envelope) -> None:
        self.posted.append(envelope)
        self.answer(envelope)

    def connect(self, connection: str, deliver: Deliver, close: Close) -> None:
        self.ends[connection] = (deliver, close)

    def disconnect(self, connection: str) -> None:
        self.ends.pop(connection, None)
        self.gone.append(connection)

    def deliver(self, connection: str, message: bytes) -> None:
        self.ends[connection][0](message)

    def close(self, connection: str, code: wire.Refusal, why: str) -> None:
        self.ends[connection][1](code, why)

    async def counts(self) -> None:
        return None

    def commands(self) -> list[Any]:
        return [envelope.command for envelope in self.posted]


class Running:
    """A server that runs in a thread of its own."""

    def __init__(self, database: str, config: Config, **options: Any) -> None:
        self.clock, self.wall = Clock(), Clock(time.time())
        self.exchange = FakeExchange()
        self.logged: list[str] = []
        self._database, self._config, self._options = database, config, options
        self._ready = threading.Event()
        self._thread = threading.Thread(target=self._run)
        self._thread.start()
        assert self._ready.wait(20)

    def _run(self) -> None:
        with asyncio.Runner(loop_factory=loop_factory()) as runner:
            runner.run(self._main())

    async def _main(self) -> None:
        logs.configure("json", "debug", self.logged.append)
        self.loop = asyncio.get_running_loop()
        self._stop = asyncio.Event()
        self.store = await Store.open(self._database)
        self.app: HainanServer = create_app(
            self._config,
            self.store,
            self.exchange,
            SECRET,
            passwords=Passwords(memory_kib=64, rounds=1),
            clock=self.clock,
            wall_clock=self.wall,
            **self._options,
        )
        uvicorn_settings = uvicorn_config(self.app)
        uvicorn_settings.host, uvicorn_settings.port = "127.0.0.1", 0
        uvicorn_settings.timeout_graceful_shutdown = 1
        server = uvicorn.Server(uvicorn_settings)
        serving = asyncio.create_task(server._serve())
        while not server.started:
            await asyncio.sleep(0.005)
        self.port = server.servers[0].sockets[0].getsockname()[1]
        self._ready.set()
        await self._stop.wait()
        server.should_exit = True
        await serving
        await self.store.close()

    def stop(self) -> None:
        self.loop.call_soon_threadsafe(self._stop.set)
        self._thread.join(20)
        assert not self._thread.is_alive()
        # Handlers of the tests' own process: none may stay behind.
        logging.getLogger().handlers = []

    @property
    def host(self) -> str:
        return f"127.0.0.1:{self.port}"

    @property
    def url(self) -> str:
        return f"http://{self.host}"

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        """Run something in the server's loop."""
        return asyncio.run_coroutine_threadsafe(work, self.loop).result(20)

    def call(self, function: Callable[[], T]) -> T:
        """Call something in the server's loop."""

        async def work() -> T:
            return function()

        return self.run(work())

    def until(self, true: Callable[[], object]) -> None:
        """Wait for the server to have done something."""
        until = time.monotonic() + 10
        while not true():
            assert time.monotonic() < until, "it never happened"
            time.sleep(0.002)

    def http(self, **options: Any) -> httpx.Client:
        return httpx.Client(base_url=self.url, timeout=20, **options)

    def guest(self, name: str = "阿海") -> dict[str, str]:
        """A new player: player, name, token."""
        with self.http() as client:
            answer = client.post("/api/players", json={"name": name})
        assert answer.status_code == 201, answer.text
        return answer.json()

    def bearer(self, name: str = "阿海") -> httpx.Client:
        """A client of a new player by token."""
        return self.http(headers={"Authorization": f"Bearer {self.guest(name)['token']}"})

    def room(self, **settings: Any) -> str:
        """The code of a new room."""
        with self.bearer("房主") as client:
            return client.post("/api/rooms", json={"settings": settings}).json()["code"]

    def socket(self, room: str, **options: Any) -> "Socket":
        return Socket(connect(f"ws://{self.host}/api/rooms/{room}/socket", compression=None, **options))


class Socket:
    """A client's end of a socket."""

    def __init__(self, connection: ClientConnection) -> None:
        # The library wants to see its connections used by `with`; this object is what the tests use so.
        self.raw = connection.__enter__()

    def __enter__(self) -> "Socket":
        return self

    def __exit__(self, *_: object) -> None:
        self.raw.close()

    def send(self, message: wire.Command | str | bytes) -> None:
        self.raw.send(wire.encode(message).decode() if isinstance(message, wire.Command) else message)

    def receive(self) -> Any:
        return wire.decode_message(self.raw.recv(timeout=10))

    def ask(self, message: wire.Command | str | bytes) -> Any:
        self.send(message)
        return self.receive()

    def hello(self, token: str | None = None) -> wire.Welcome:
        welcome = self.ask(wire.Hello(protocol=wire.PROTOCOL, token=token))
        assert isinstance(welcome, wire.Welcome), welcome
        return welcome

    def closed(self) -> int:
        """The code by which the server closes, after whatever it still says."""
        while True:
            try:
                self.raw.recv(timeout=10)
            except ConnectionClosed as closed:
                return closed.rcvd.code if closed.rcvd is not None else 1006


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Callable[..., Running]]:
    """Starts servers with other settings."""
    running: list[Running] = []

    def begin(config: Config | None = None, **options: Any) -> Running:
        database = f"sqlite:///{tmp_path}/tables{len(running)}.sqlite3"
        running.append(Running(database, config or Config(), **options))
        return running[-1]

    yield begin
    for server in running:
        server.stop()


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """A server for a whole module, with limits that its tests don't reach."""
    from hainan.server.config import Rate

    folder = tmp_path_factory.mktemp("server")
    plenty = Rate(10_000, 10_000)
    config = Config(
        guest_rate=plenty, sign_in_rate=plenty, room_rate=plenty, guess_rate=plenty, work_rate=plenty
    )
    running = Running(f"sqlite:///{folder}/tables.sqlite3", config)
    yield running
    running.stop()


def decoded(text: str) -> Any:
    return msgspec.json.decode(text)
