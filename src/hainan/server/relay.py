"""An exchange over a pipe: sockets in one process, rooms in another, each on a core of its own.

What gathers in a turn of the event loop goes over together, since most of the cost lies in the calls and not
in the bytes. The end with the sockets asks, the end with the rooms answers.
"""

import asyncio
import socket
from collections import defaultdict
from collections.abc import Callable
from typing import Any, Final, TypeVar

import msgspec
from msgspec import Raw, Struct

from hainan.server.config import Config
from hainan.server.exchange import Envelope, Route, Switchboard
from hainan.server.logs import log
from hainan.server.metrics import Counts
from hainan.wire import Refusal

T = TypeVar("T")
HEAD: Final = 4
"""Bytes before each parcel that tell its length."""

# ---------------------------------------------------------------- what goes over


class Begin(Struct, frozen=True, tag=True):
    """The first word to the rooms: open the storage and resume."""

    config: Config


class Count(Struct, frozen=True, tag=True):
    """The rooms shall tell what they have counted."""


class Park(Struct, frozen=True, tag=True):
    """The rooms shall stop where they are."""


class Letters(Struct, frozen=True, tag=True):
    """Envelopes for the rooms, in order; encoded each by itself, so that none can spoil the others."""

    letters: list[Raw]


class Begun(Struct, frozen=True, tag=True):
    """The rooms are open, or there is a reason why they can't be."""

    trouble: str | None = None


class Counted(Struct, frozen=True, tag=True):
    """What the rooms have counted."""

    counts: Counts


class Parked(Struct, frozen=True, tag=True):
    """The rooms have stopped."""


class Sent(Struct, frozen=True, array_like=True):
    """A message to a connection; with a code, the reason why it is closed."""

    connection: str
    data: bytes
    closed: Refusal | None = None


class Sendings(Struct, frozen=True, tag=True):
    """For connections, in order."""

    sendings: list[Sent]


Order = Begin | Count | Park | Letters
Answer = Begun | Counted | Parked | Sendings
_encode: Final = msgspec.msgpack.Encoder().encode
_decode_envelope: Final = msgspec.msgpack.Decoder(Envelope).decode


# ---------------------------------------------------------------- the pipe


class Pipe(asyncio.Protocol):
    """One end: parcels, each with its length before it."""

    def __init__(self, kind: Any, take: Callable[[Any], None], gone: Callable[[], None]) -> None:
        """``take`` gets each that comes in, of such a kind; ``gone`` is called when the other end is."""
        self._decode = msgspec.msgpack.Decoder(kind).decode
        self._take, self._gone = take, gone
        self._transport: asyncio.Transport | None = None
        self._rest = bytearray()

    async def lay(self, end: socket.socket) -> None:
        """Through a connected socket."""
        await asyncio.get_running_loop().create_unix_connection(lambda: self, sock=end)

    def connection_made(self, transport: Any) -> None:
        """The pipe is laid."""
        self._transport = transport

    def connection_lost(self, _error: Exception | None) -> None:
        """The other end has gone."""
        self._gone()

    def data_received(self, data: bytes) -> None:
        """Take every parcel that is complete."""
        rest, at = self._rest, 0
        rest += data
        while len(rest) - at >= HEAD:
            begin = at + HEAD
            end = begin + int.from_bytes(rest[at:begin], "big")
            if end > len(rest):
                break
            at = end
            self._take(self._decode(bytes(rest[begin:end])))
        del rest[:at]

    def send(self, parcel: Order | Answer) -> None:
        """Send one; never waits."""
        assert self._transport is not None
        data = _encode(parcel)
        self._transport.write(len(data).to_bytes(HEAD, "big") + data)

    def close(self) -> None:
        """Nothing goes either way any more."""
        self._gone = lambda: None
        if self._transport is not None:
            self._transport.close()


class Gathered:
    """What goes over together at the end of this turn of the loop."""

    def __init__(self, send: Callable[[list[Any]], None]) -> None:
        """Of the loop that runs now."""
        self._send = send
        self._items: list[Any] = []
        self._loop = asyncio.get_running_loop()

    def add(self, item: Any) -> None:
        """Something more."""
        if not self._items:
            self._loop.call_soon(self.flush)
        self._items.append(item)

    def flush(self) -> None:
        """Let it go now."""
        if self._items:
            items, self._items = self._items, []
            self._send(items)


# ---------------------------------------------------------------- the end with the sockets


class FarRooms(Switchboard):
    """An ``Exchange`` whose rooms are at the other end of a pipe."""

    def __init__(self, gone: Callable[[], None]) -> None:
        """``gone`` is called when the other end is, though it wasn't let go."""
        super().__init__()
        self._told_gone = gone
        self._pipe = Pipe(Answer, self._take, self._lost)
        self._letters = Gathered(lambda letters: self._pipe.send(Letters(letters)))
        self._waiting: dict[type, list[asyncio.Future[Any]]] = defaultdict(list)

    async def begin(self, end: socket.socket, config: Config) -> str | None:
        """Have the rooms opened; why it can't be done, if so."""
        await self._pipe.lay(end)
        return (await self._ask(Begin(config), Begun)).trouble

    def post(self, envelope: Envelope) -> None:
        """Hand something to the room."""
        self._letters.add(Raw(_encode(envelope)))

    async def counts(self) -> Counts:
        """What they have counted."""
        return (await self._ask(Count(), Counted)).counts

    async def park(self) -> None:
        """Stop them where they are; all that they had to say has come."""
        self._letters.flush()
        await self._ask(Park(), Parked)

    def let_go(self) -> None:
        """No more of them is needed."""
        self._pipe.close()

    async def _ask(self, order: Order, answer: type[T]) -> T:
        future: asyncio.Future[T] = asyncio.get_running_loop().create_future()
        self._waiting[answer].append(future)
        self._pipe.send(order)
        return await future

    def _take(self, answer: Answer) -> None:
        if isinstance(answer, Sendings):
            for sent in answer.sendings:
                self._pass_on(sent)
            return
        for future in self._waiting.pop(type(answer), ()):
            if not future.done():
                future.set_result(answer)

    def _pass_on(self, sent: Sent) -> None:
        try:
            if sent.closed is None:
                self.deliver(sent.connection, sent.data)
            else:
                self.close(sent.connection, sent.closed, sent.data.decode())
        except Exception:  # one connection's trouble is nobody else's
            log.exception("a message could not be delivered", connection=sent.connection)

    def _lost(self) -> None:
        waiting = [future for futures in self._waiting.values() for future in futures]
        self._waiting.clear()
        for future in waiting:
            if not future.done():
                future.set_exception(ConnectionError("the rooms' process has ended"))
        self._told_gone()


# ---------------------------------------------------------------- the end with the rooms


class FarSockets:
    """The ``Outbound`` of rooms whose sockets are at the other end of a pipe."""

    def __init__(self, pipe: Pipe) -> None:
        """A pipe that takes orders."""
        self._sendings = Gathered(lambda sendings: pipe.send(Sendings(sendings)))

    def deliver(self, connection: str, message: bytes) -> None:
        """Send a message to a connection."""
        self._sendings.add(Sent(connection, message))

    def close(self, connection: str, code: Refusal, why: str) -> None:
        """Say good-bye to a connection and close it."""
        self._sendings.add(Sent(connection, why.encode(), code))

    def flush(self) -> None:
        """Let go now what has gathered."""
        self._sendings.flush()


def hand_out(letters: Letters, route: Route) -> None:
    """Bring letters to their rooms."""
    for letter in letters.letters:
        try:
            route(_decode_envelope(letter))
        except Exception:  # a letter that can't be read is nobody else's trouble
            log.exception("a letter could not be handed to its room")
