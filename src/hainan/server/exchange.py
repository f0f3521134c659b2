"""The way between sockets and rooms: commands go in, views and events come out.

Nothing else joins the two, and only data passes: envelopes that can be encoded, and bytes. Here both ends
live in one process; relay.py has the same for two, and an exchange over a network would keep this interface.
"""

from collections.abc import Callable
from typing import Final, Protocol

from msgspec import Struct

from hainan.server.metrics import Counts
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
Route = Callable[[Envelope], None]


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

    def post(self, envelope: Envelope) -> None:
        """Hand something to the room, after what was posted before; answers come to the connection."""
        ...

    def connect(self, connection: str, deliver: Deliver, close: Close) -> None:
        """From now on messages for a connection go there; ``deliver`` must not block."""
        ...

    def disconnect(self, connection: str) -> None:
        """A connection has gone."""
        ...

    async def counts(self) -> Counts | None:
        """What the rooms have counted, if they don't count where the sockets do."""
        ...


class Switchboard:
    """Who is connected here, and how each is reached."""

    def __init__(self) -> None:
        """Nobody is connected."""
        self._ends: dict[str, tuple[Deliver, Close]] = {}

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


class LocalExchange(Switchboard):
    """Sockets and rooms in one process."""

    def __init__(self) -> None:
        """``serve`` names the rooms."""
        super().__init__()
        self._route: Route | None = None

    def serve(self, route: Route) -> None:
        """Where envelopes go."""
        self._route = route

    def post(self, envelope: Envelope) -> None:
        """Hand something to the room."""
        if self._route is None:
            raise RuntimeError("no rooms are served by this exchange")
        self._route(envelope)

    async def counts(self) -> None:
        """Nothing: rooms count where the sockets do."""


NOBODY: Final = ""
"""The connection of envelopes that nobody waits for."""
