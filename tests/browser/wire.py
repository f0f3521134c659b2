"""A wire to the server that can be pulled out and put back."""

import asyncio

from tests.line import Line


class Wire(Line):
    """Forwards to a port of this machine until ``cut``; ``mend`` lets new connections through again."""

    def __init__(self, port: int) -> None:
        super().__init__(port)
        self._whole = True
        self._ends: set[asyncio.StreamWriter] = set()

    def cut(self) -> None:
        """At once, in the middle of everything."""
        self.at_once(self._pull)

    def mend(self) -> None:
        self._whole = True

    def _pull(self) -> None:
        self._whole = False
        for end in self._ends:
            end.transport.abort()

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
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
