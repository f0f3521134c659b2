"""The way between sockets and rooms: commands go in, views and events come out.

Nothing else joins the two, and only data passes: envelopes that can be encoded, and bytes. Here both ends
live in one process; an exchange over a network keeps this interface.
"""

from collections.abc import Awaitable, Callable
from typing import Final, Protocol

from msgspec import Struct

from hainan.wire import ClientMessage, Refusal


class Attach(Struct, frozen=True, tag="attach", tag_field="type"):
    """A connection came to a room."""


class Detach(Struct, frozen=True, tag="detach", tag_field="type"):
    """A connection has gone."""


class Gone(Struct, frozen=True, tag="gone", tag_field="type"):
    """A player has deleted his data: his seat and his name go too."""


class Envelope(Struct, frozen=True):
    """Something for a room, from a player."""

    room: str
    """Its six-digit code."""
    connection: str
    """Whom to answer; empty for nobody."""
    player: str
    name: str
    command: ClientMessage | Attach | Detach | Gone
    received: float = 0.0
    """When it came in, by ``time.perf_counter`` of that process; 0 where nobody measures."""


Deliver = Callable[[bytes], None]
Close = Callable[[Refusal, str], None]
Route = Callable[[Envelope], Awaitable[None]]


class Outbound(Protocol):
    """What a room needs of an exchange."""

    def deliver(self, connection: str, message: bytes) -> None:
        """Send a message to a connection; one that has gone is no error."""
        ...

    def close(self, connection: str, code: Refusal, why: str) -> None:
        """Say good-bye to a connection and close it."""
        ...


class Exchange(Outbound, Protocol):
    """What a socket needs as well."""

    async def post(self, envelope: Envelope) -> None:
        """Hand something to the room; answers come to the connection."""
        ...

    def connect(self, connection: str, deliver: Deliver, close: Close) -> None:
        """From now on messages for a connection go there; ``deliver`` must not block."""
        ...

    def disconnect(self, connection: str) -> None:
        """A connection has gone."""
        ...


class LocalExchange:
    """Sockets and rooms in one process."""

    def __init__(self) -> None:
        """Nobody is connected; ``serve`` names the rooms."""
        self._ends: dict[str, tuple[Deliver, Close]] = {}
        self._route: Route | None = None

    def serve(self, route: Route) -> None:
        """Where envelopes go."""
        self._route = route

    async def post(self, envelope: Envelope) -> None:
        """Hand something to the room."""
        if self._route is None:
            raise RuntimeError("no rooms are served by this exchange")
        await self._route(envelope)

    def connect(self, connection: str, deliver: Deliver, close: Close) -> None:
        """From now on messages for a connection go there."""
        self._ends[connection] = (deliver, close)

    def disconnect(self, connection: str) -> None:
        """A connection has gone."""
        self._ends.pop(connection, None)

    def deliver(self, connection: str, message: bytes) -> None:
        """Send a message to a connection."""
        if end := self._ends.get(connection):
            end[0](message)

    def close(self, connection: str, code: Refusal, why: str) -> None:
        """Say good-bye to a connection and close it."""
        if end := self._ends.pop(connection, None):
            end[1](code, why)


NOBODY: Final = ""
"""The connection of envelopes that nobody waits for."""
