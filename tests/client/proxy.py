"""A bad line: a TCP proxy that cuts connections in the middle of everything."""

import asyncio
from random import Random

from tests.line import Line


class BadLine(Line):
    """Forwards to a server on this machine; each connection is cut after a random number of pieces.

    A cut comes before or after a piece is passed on, in either direction: so what was sent may or may not
    have arrived, and an answer may or may not have been heard.
    """

    def __init__(self, port: int, seed: int, pieces: tuple[int, int]) -> None:
        super().__init__(port)
        self.cuts = 0
        self._random, self._pieces = Random(seed), pieces

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            there, back = await asyncio.open_connection("127.0.0.1", self.target)
        except OSError:
            writer.transport.abort()
            return
        left = [self._random.randint(*self._pieces)]
        ends = (writer, back)
        ways = [self._pass(reader, back, left, ends), self._pass(there, writer, left, ends)]
        await asyncio.gather(*ways, return_exceptions=True)

    async def _pass(
        self,
        source: asyncio.StreamReader,
        sink: asyncio.StreamWriter,
        left: list[int],
        ends: tuple[asyncio.StreamWriter, asyncio.StreamWriter],
    ) -> None:
        try:
            while piece := await source.read(65536):
                left[0] -= 1
                if left[0] > 0 or self._random.random() < 0.5:
                    sink.write(piece)
                    await sink.drain()
                if left[0] <= 0:
                    self.cuts += 1
                    break
        finally:
            for end in ends:
                # What was passed on still arrives; then the line is dead both ways.
                end.close()
