"""A line to a server on this machine with somebody in between, who forwards every connection as he likes."""

import asyncio
import threading
from collections.abc import Callable
from types import TracebackType
from typing import Self


class Line:
    """Listens at ``port`` as long as it is open; what it does with a connection is ``serve``."""

    def __init__(self, target: int) -> None:
        self.target, self.port = target, 0

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """One connection to the port."""
        raise NotImplementedError

    def at_once(self, act: Callable[[], object]) -> None:
        """Do something in the line's own thread."""
        self._loop.call_soon_threadsafe(act)

    def __enter__(self) -> Self:
        self._ready = threading.Event()
        self._thread = threading.Thread(target=lambda: asyncio.run(self._main()))
        self._thread.start()
        assert self._ready.wait(10)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._loop.call_soon_threadsafe(self._stop.set)
        self._thread.join(10)
        assert not self._thread.is_alive()

    async def _main(self) -> None:
        self._loop, self._stop = asyncio.get_running_loop(), asyncio.Event()
        server = await asyncio.start_server(self.serve, "127.0.0.1", 0)
        self.port = server.sockets[0].getsockname()[1]
        self._ready.set()
        await self._stop.wait()
        server.close()
        tasks = asyncio.all_tasks() - {asyncio.current_task()}
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
