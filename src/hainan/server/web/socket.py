"""The WebSocket of a room: raw ASGI, because thousands of connections live in one process.

A connection first says `hello`. Then what it sends goes to the room by the exchange, in order, and what the
room delivers goes out at once, the short way where there is one (direct.py); else ``deliver`` drives the
server's ``send`` itself, without a task or a queue, as long as the client reads. Only while a client doesn't
read is there an outbox, and 64 messages behind it is given up.
"""

import asyncio
import secrets
import time
from collections import deque
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any, Final

import msgspec
from msgspec import Struct

from hainan import __version__, wire
from hainan.server.accounts import Accounts
from hainan.server.config import Config
from hainan.server.exchange import Attach, Detach, Envelope, Exchange
from hainan.server.logs import bound, log
from hainan.server.metrics import Metrics
from hainan.server.problem import Problem
from hainan.server.store import Player, Store
from hainan.server.web.direct import short_way
from hainan.server.web.errors import body_of, status_of
from hainan.server.web.limits import Limiter
from hainan.server.web.security import Caller, security_headers
from hainan.server.wording import understandable
from hainan.wire import Refusal

Event = dict[str, Any]
Receive = Callable[[], Awaitable[Event]]
Send = Callable[[Event], Coroutine[Any, Any, None]]

OUTBOX: Final = 64
FAULTS: Final = 5
PER_SECOND: Final = 20.0
BURST: Final = 40.0
HELLO_SECONDS: Final = 5.0
CLOSE_SECONDS: Final = 5.0
"""So long a client that doesn't read may take to hear that it is being closed."""
MISS_COST: Final = 10
SERVER: Final = f"hainan-mahjong {__version__}"
_CLOSE_CODE: Final = {
    Refusal.DRAINING: 1012,
    Refusal.BUSY: 1013,
    Refusal.INTERNAL: 1011,
    Refusal.STORAGE: 1011,
}
"""WebSocket's numbers for "come back", "later" and "broken"; everything else is against the rules: 1008."""


class _Ref(Struct):
    """What may be read of a message that is wrong otherwise."""

    ref: wire.Reference | None = None


_decode_ref: Final = msgspec.json.Decoder(_Ref).decode
_quarter: Final = wire.MAX_FRAME // 4


class Connection:
    """One socket: what goes out, how fast it may send, and how often it was wrong."""

    __slots__ = (
        "_clock",
        "_closing",
        "_metrics",
        "_outbox",
        "_paced_at",
        "_send",
        "_sending",
        "_short",
        "_tokens",
        "faults",
        "id",
        "name",
        "player",
    )

    def __init__(self, send: Send, metrics: Metrics, clock: Callable[[], float]) -> None:
        """An accepted connection of somebody unknown."""
        self.id = secrets.token_hex(8)
        self.player, self.name = "", ""
        self.faults = 0
        self._send, self._metrics, self._clock = send, metrics, clock
        self._short = short_way(send)
        self._closing = False
        self._outbox: deque[Event] | None = None
        self._sending: Coroutine[Any, Any, None] | None = None
        self._tokens, self._paced_at = BURST, clock()

    # ------------------------------------------------------------ out

    @property
    def closing(self) -> bool:
        """Whether nothing goes either way any more."""
        return self._closing

    def deliver(self, data: bytes) -> None:
        """Send an encoded message; never waits."""
        if self._closing:
            return
        self._metrics.frames_out += 1
        if self._short is not None and self._sending is None and self._short.write(data):
            return
        event = {"type": "websocket.send", "text": data.decode()}
        if self._sending is None:
            self._drive(self._send(event))
        elif len(self._waiting()) < OUTBOX:
            self._waiting().append(event)
        else:
            self._give_up()

    def tell(self, message: wire.Message) -> None:
        """Send a message."""
        self.deliver(wire.encode(message))

    def close(self, code: Refusal, why: str) -> None:
        """Say goodbye and close."""
        if self._closing:
            return
        self.tell(wire.Goodbye(code=code, why=why))
        if not self._closing:  # the goodbye itself may have been one message too many
            self._close(code)

    def _close(self, code: Refusal) -> None:
        self._closing = True
        event = {"type": "websocket.close", "code": _CLOSE_CODE.get(code, 1008), "reason": str(code)}
        if self._sending is None:
            self._drive(self._send(event))
        else:
            self._waiting().append(event)
            asyncio.get_running_loop().call_later(CLOSE_SECONDS, self._cut_off)

    def _give_up(self) -> None:
        """The client doesn't read: drop what waits; if it begins to read in time it learns why."""
        self._metrics.slow_clients += 1
        self._waiting().clear()
        goodbye = wire.Goodbye(code=Refusal.BUSY, why="this connection doesn't read fast enough")
        self._waiting().append({"type": "websocket.send", "text": wire.encode(goodbye).decode()})
        self._close(Refusal.BUSY)

    def _cut_off(self) -> None:
        """End a connection that takes nothing any more: closing would wait for it for ever."""
        if self._sending is not None:
            # ASGI knows no way to do this, so it reaches for the server's transport, where there is one.
            transport = getattr(getattr(self._send, "__self__", None), "transport", None)
            if transport is not None:
                transport.abort()

    def _waiting(self) -> deque[Event]:
        if self._outbox is None:
            self._outbox = deque()
        return self._outbox

    def _drive(self, sending: Coroutine[Any, Any, None]) -> None:
        """Run ``send`` on the spot; it only stops where the client's buffer is full."""
        try:
            waits_for = sending.send(None)
        except StopIteration:
            self._sending = None
        except Exception:  # the client has gone: the reading side hears of it too
            self._sending, self._closing, self._outbox = None, True, None
        else:
            self._sending = sending
            if waits_for is None:  # a bare yield
                asyncio.get_running_loop().call_soon(self._go_on)
            else:
                waits_for.add_done_callback(self._go_on)

    def _go_on(self, _done: object = None) -> None:
        """What ``send`` waited for has come; then send what has gathered."""
        if self._sending is not None:
            self._drive(self._sending)
        while self._sending is None and self._outbox:
            self._drive(self._send(self._outbox.popleft()))
        if not self._outbox:
            self._outbox = None

    # ------------------------------------------------------------ in

    def read(self, frame: str | bytes) -> wire.ClientMessage | None:
        """The command in a frame; None where it was refused."""
        self._metrics.frames_in += 1
        if not self._in_time():
            self.fault(Refusal.TOO_FAST, f"more than {PER_SECOND:.0f} messages a second")
            return None
        if len(frame) > _quarter and _length(frame) > wire.MAX_FRAME:
            self.fault(Refusal.TOO_LONG, f"a message has at most {wire.MAX_FRAME} bytes")
            return None
        try:
            command = wire.decode_command(frame)
        except (ValueError, RecursionError) as error:
            self._misread(frame, error)
            return None
        if isinstance(command, wire.Change) and (why := not_flat(command.settings)):
            self.fault(Refusal.BAD_MESSAGE, why, command.ref)
            return None
        return command

    def _in_time(self) -> bool:
        now = self._clock()
        tokens = min(BURST, self._tokens + (now - self._paced_at) * PER_SECOND)
        self._paced_at = now
        self._tokens = tokens - 1 if tokens >= 1 else tokens
        return tokens >= 1

    def _misread(self, frame: str | bytes, error: Exception) -> None:
        if isinstance(error, RecursionError):
            self.fault(Refusal.BAD_JSON, "nested too deep")
        elif isinstance(error, msgspec.ValidationError):
            self.fault(Refusal.BAD_MESSAGE, understandable(error), _ref_of(frame))
        elif "UTF-8" in str(error):
            self.fault(Refusal.BAD_JSON, "not JSON: it isn't UTF-8")
        else:
            self.fault(Refusal.BAD_JSON, f"not JSON: {str(error).removeprefix('JSON is malformed: ')}")

    def refuse(self, code: Refusal, why: str, ref: int | None = None) -> None:
        """Refuse a command that may be sent again."""
        self._metrics.refused(code)
        self.tell(wire.Refused(code=code, why=why, ref=ref))

    def fault(self, code: Refusal, why: str, ref: int | None = None) -> None:
        """Refuse what no proper client sends; the fifth time ends the connection."""
        self.refuse(code, why, ref)
        self.faults += 1
        if self.faults >= FAULTS:
            self.close(code, f"{FAULTS} messages were refused; the last: {why}")


def _length(frame: str | bytes) -> int:
    return len(frame.encode()) if isinstance(frame, str) and not frame.isascii() else len(frame)


def _ref_of(frame: str | bytes) -> int | None:
    try:
        return _decode_ref(frame).ref
    except (ValueError, RecursionError):
        return None


def not_flat(settings: wire.Settings) -> str | None:
    """What is wrong with a sheet whose values aren't plain and short; the rules judge the rest."""
    for name, value in settings.rules.items():
        if len(name) > 64 or (isinstance(value, str) and len(value) > 64):
            return "settings.rules: a name or a value is too long"
        if not (value is None or isinstance(value, str | bool | int | float)):
            return f"settings.rules.{name}: should be text, a number, true, false or null"
        if isinstance(value, int) and abs(value) >= 2**53:
            return f"settings.rules.{name}: the number is too big"
    return None


# ---------------------------------------------------------------- all sockets


class Sockets:
    """The endpoint, and every connection that is open."""

    def __init__(
        self,
        config: Config,
        store: Store,
        exchange: Exchange,
        accounts: Accounts,
        metrics: Metrics,
        guesses: Limiter,
        *,
        clock: Callable[[], float] = time.monotonic,
        hello_seconds: float = HELLO_SECONDS,
    ) -> None:
        """``guesses`` limits looking for rooms by code, together with HTTP."""
        self._config, self._store, self._exchange = config, store, exchange
        self._accounts, self._metrics, self._guesses = accounts, metrics, guesses
        self._clock, self._hello_seconds = clock, hello_seconds
        self._open: dict[str, Connection] = {}
        self._of_player: dict[str, set[str]] = {}
        self.draining = False
        accounts.watchers.append(self)

    async def __call__(self, room: str | None, scope: Event, receive: Receive, send: Send) -> None:
        """Serve a connection to a room, from the handshake to its end; None: there is no such address."""
        caller = Caller(scope, self._config)
        await receive()  # websocket.connect
        try:
            caller.check_origin()
            if room is None:
                raise Problem(Refusal.NOT_FOUND, "sockets are at /api/rooms/{code}/socket")
        except Problem as problem:
            await _reject(send, problem, caller.https)
            return
        await send({"type": "websocket.accept"})
        connection = Connection(send, self._metrics, self._clock)
        with bound(connection=connection.id, room=room):
            self._metrics.connections += 1
            self._open[connection.id] = connection
            try:
                await self._serve(room, caller, connection, receive)
            finally:
                self._metrics.connections -= 1
                del self._open[connection.id]

    async def _serve(self, room: str, caller: Caller, connection: Connection, receive: Receive) -> None:
        try:
            async with asyncio.timeout(self._hello_seconds):
                hello = await self._greeting(connection, receive)
            if hello is None:
                return
            player = await self._known(caller, hello)
            await self._find(room, caller)
        except TimeoutError:
            connection.close(Refusal.NOT_SIGNED_IN, f"nobody said hello within {self._hello_seconds:g} s")
        except Problem as problem:
            self._metrics.refused(problem.code)
            connection.close(problem.code, problem.why)
        else:
            await self._admit(room, player, connection, receive)
            return
        await _until_gone(receive)

    # ------------------------------------------------------------ coming in

    async def _greeting(self, connection: Connection, receive: Receive) -> wire.Hello | None:
        """The `hello` that must come first; None from a client that has gone."""
        while (frame := await _frame(receive)) is not None:
            if connection.closing:
                continue
            command = connection.read(frame)
            if isinstance(command, wire.Hello):
                return command
            if command is not None:
                connection.fault(Refusal.NOT_SIGNED_IN, "the first message is hello", command.ref)
        return None

    async def _known(self, caller: Caller, hello: wire.Hello) -> Player:
        """Who it is, by the token in `hello`, or by the head of the handshake; raises Problem."""
        if self.draining:
            raise Problem(Refusal.DRAINING, "the server is being stopped: come back soon")
        if hello.protocol != wire.PROTOCOL:
            raise Problem(
                Refusal.PROTOCOL, f"this server speaks protocol {wire.PROTOCOL}, not {hello.protocol}"
            )
        token = hello.token if hello.token is not None else caller.bearer or caller.cookie
        player = await self._accounts.whose(token) if token else None
        if player is None:
            raise Problem(Refusal.NOT_SIGNED_IN, "no token, or none that is good (any more): sign in again")
        return player

    async def _find(self, room: str, caller: Caller) -> None:
        self._guesses.check(caller.network, MISS_COST)
        found = await self._store.room(room)
        if found is None or found.closed_at is not None:
            self._guesses.take(caller.network, MISS_COST)
            raise Problem(
                Refusal.NO_SUCH_ROOM, f"there is no room {room}" if room.isdigit() else "no such room"
            )

    async def _admit(self, room: str, player: Player, connection: Connection, receive: Receive) -> None:
        connection.player, connection.name = player.id, player.name
        connection.tell(
            wire.Welcome(
                protocol=wire.PROTOCOL,
                server=SERVER,
                player=player.id,
                name=player.name,
                connection=connection.id,
            )
        )
        self._of_player.setdefault(player.id, set()).add(connection.id)
        self._exchange.connect(connection.id, connection.deliver, connection.close)
        try:
            self._post(room, connection, Attach())
            await self._commands(room, connection, receive)
        finally:
            self._forget(connection)
            self._post(room, connection, Detach())
            self._exchange.disconnect(connection.id)

    async def _commands(self, room: str, connection: Connection, receive: Receive) -> None:
        """Post what comes, in order, until the connection ends."""
        while (frame := await _frame(receive)) is not None:
            if connection.closing:
                continue
            command = connection.read(frame)
            if isinstance(command, wire.Ping):
                connection.tell(wire.Pong(ref=command.ref))
            elif isinstance(command, wire.Hello):
                connection.fault(Refusal.BAD_MESSAGE, "hello is said once", command.ref)
            elif command is not None:
                self._post(room, connection, command)

    def _post(self, room: str, connection: Connection, command: Any) -> None:
        try:
            self._exchange.post(
                Envelope(
                    room, connection.id, connection.player, connection.name, command, time.perf_counter()
                )
            )
        except Exception:  # the room tells its own troubles; this is the last resort
            log.error("a command could not be posted", exc_info=True, command=_tag(command))
            connection.refuse(Refusal.INTERNAL, "something went wrong here", getattr(command, "ref", None))

    # ------------------------------------------------------------ from elsewhere

    def _forget(self, connection: Connection) -> None:
        theirs = self._of_player.get(connection.player)
        if theirs is not None:
            theirs.discard(connection.id)
            if not theirs:
                del self._of_player[connection.player]

    def _connections_of(self, player: str) -> list[Connection]:
        return [self._open[connection] for connection in self._of_player.get(player, ())]

    def renamed(self, player: str, name: str) -> None:
        """A player is called so from now on."""
        for connection in self._connections_of(player):
            connection.name = name

    def signed_out(self, player: str) -> None:
        """A player's tokens are worth nothing any more: neither are his connections."""
        for connection in self._connections_of(player):
            connection.close(Refusal.NOT_SIGNED_IN, "signed out")

    def drain(self) -> None:
        """Tell everybody to come back, and close."""
        self.draining = True
        for connection in list(self._open.values()):
            connection.close(Refusal.DRAINING, "the server is being stopped: come back soon, nothing is lost")


def _tag(command: Any) -> str | None:
    tag = getattr(type(command), "__struct_config__", None)
    return tag.tag if tag is not None else None


async def _frame(receive: Receive) -> str | bytes | None:
    """The next frame; None when the connection has ended."""
    event = await receive()
    if event["type"] == "websocket.disconnect":
        return None
    text = event.get("text")
    return text if text is not None else event["bytes"]  # type: ignore[no-any-return]


async def _until_gone(receive: Receive) -> None:
    while await _frame(receive) is not None:
        pass


async def _reject(send: Send, problem: Problem, https: bool) -> None:
    """Answer the handshake by an HTTP error."""
    body = msgspec.json.encode(body_of(problem))
    headers = [(b"content-type", b"application/json"), *security_headers(https)]
    await send({"type": "websocket.http.response.start", "status": status_of(problem), "headers": headers})
    await send({"type": "websocket.http.response.body", "body": body})
