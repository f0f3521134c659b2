"""A wire to the server that can be pulled out and put back."""

import asyncio
import threading
from types import TracebackType


class Wire:
    """Forwards to a port of this machine until ``cut``; ``mend`` lets new connections through again."""

    def __init__(self, port: int) -> None:
        self.target, self.port, self._whole = port, 0, True
        self._ends: set[asyncio.StreamWriter] = set()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def cut(self) -> None:
        """At once, in the middle of everything."""
        self._loop.call_soon_threadsafe(self._pull)

    def mend(self) -> None:
        self._whole = True

    def _pull(self) -> None:
        self._whole = False
        for end in self._ends:
            end.transport.abort()

    def __enter__(self) -> "Wire":
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
        server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        self.port = server.sockets[0].getsockname()[1]
        self._ready.set()
        await self._stop.wait()
        server.close()
        self._pull()
        tasks = asyncio.all_tasks() - {asyncio.current_task()}
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if not self._whole:
            writer.transport.abort()
            return
        there, back = await asyncio.open_connection("127.0.0.1", self.target)
        ends = {writer, back}
        self._ends |= ends
        try:
            await asyncio.gather(_pass(reader, back), _pass(there, writer), return_exceptions=True)
        finally:
            self._ends -= ends


async def _pass(source: asyncio.StreamReader, sink: asyncio.StreamWriter) -> None:
    try:
        while piece := await source.read(65536):
            sink.write(piece)
            await sink.drain()
    finally:
        sink.close()
