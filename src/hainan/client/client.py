"""An asyncio client for programs: HTTP to be somebody and to open rooms, and a socket to one table.

    client = Client("http://localhost:8000")
    await client.guest("Hai")
    async with client.table("123456") as table:
        await table.ask(wire.Sit())
        async for message in table:
            ...

A table's connection comes back by itself when it is lost. Nothing is ever sent a second time behind its
user's back: what the server shows after `welcome` is the truth, and tells what is still to be done.
"""

import asyncio
import contextlib
import re
import secrets
from collections import deque
from collections.abc import AsyncIterator
from dataclasses import dataclass
from itertools import count
from random import Random
from time import monotonic
from types import TracebackType
from typing import Any, Final, TypeVar
from urllib.parse import urlsplit

import httpx
import msgspec
from msgspec import Struct, structs
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidStatus, InvalidURI

from hainan import wire
from hainan.client.errors import AnswerLost, ClientError, CommandRefused, NoSeat, Unreachable
from hainan.wire import Refusal

COME_BACK: Final = frozenset(
    {Refusal.DRAINING, Refusal.BUSY, Refusal.INTERNAL, Refusal.STORAGE, Refusal.TOO_FAST}
)
"""Reasons of a goodbye after which it is worth coming back."""
OPEN_SECONDS: Final = 10.0
"""So long a server may take to accept and to say `welcome`."""
PER_SECOND, BURST = 18.0, 36.0
"""A little less than a server takes (docs/protocol.md, limits)."""
_CODE: Final = re.compile(r"[0-9A-Za-z]{1,16}")
_LINK: Final = re.compile(r"/r/([0-9A-Za-z]{1,16})/?")

Answer = wire.Done | wire.Pong | wire.AdviceAnswer
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Retry:
    """How a lost server is waited for: twice as long each time, less a random part, and not for ever."""

    first: float = 0.5
    longest: float = 15.0
    give_up: float = 600.0
    """Seconds without a connection after which it is given up."""

    def wait(self, attempt: int, random: Random) -> float:
        """Seconds before an attempt, from 0. The random part keeps clients from coming back all at once."""
        return min(self.longest, self.first * 2.0 ** min(attempt, 16)) * random.uniform(0.5, 1.0)


class SignedIn(Struct, frozen=True):
    """Who one is at a server; the token is what proves it."""

    player: str
    name: str
    token: str


class RoomLink(Struct, frozen=True):
    """A room's code, and the link to send to friends."""

    code: str
    link: str


class _Error(Struct, frozen=True):
    code: Refusal
    why: str


class Client:
    """A player at a server; give ``token`` to be one whom the server knows."""

    def __init__(self, url: str, token: str | None = None, *, retry: Retry | None = None) -> None:
        """``url`` as for a browser; raises ClientError where it is none."""
        self.url = web_address(url)
        self.token = token
        self.retry = retry or Retry()

    # ------------------------------------------------------------ HTTP

    async def guest(self, name: str) -> SignedIn:
        """Be a new player; from now on this client has his token."""
        signed = await self._post("/api/players", {"name": name}, SignedIn)
        self.token = signed.token
        return signed

    async def create_room(self, settings: wire.Settings | None = None) -> RoomLink:
        """Open a room; one owns it and may take a seat."""
        return await self._post("/api/rooms", _opening(settings), RoomLink)

    async def quick(self, settings: wire.Settings | None = None) -> RoomLink:
        """A room in which one sits with bots, already started."""
        return await self._post("/api/quick", _opening(settings), RoomLink)

    async def _post(self, path: str, body: dict[str, Any], kind: type[T]) -> T:
        headers = {"Authorization": f"Bearer {self.token}"} if self.token else {}
        try:
            async with httpx.AsyncClient(timeout=OPEN_SECONDS) as http:
                answer = await http.post(self.url + path, json=body, headers=headers)
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            raise Unreachable(f"{self.url}: no server answers ({_said(error)})") from None
        try:
            if answer.is_success:
                return msgspec.json.decode(answer.content, type=kind)
            refused = msgspec.json.decode(answer.content, type=_Error)
        except msgspec.DecodeError:
            raise Unreachable(not_ours(self.url, answer.status_code)) from None
        raise ClientError(refused.why, refused.code)

    # ------------------------------------------------------------ the socket

    def table(self, code: str) -> "Table":
        """The connection to a room, for ``async with``; raises ClientError for what can't be a code."""
        if not _CODE.fullmatch(code):
            raise ClientError(f"there is no room {code!r}: a code has six digits", Refusal.NO_SUCH_ROOM)
        return Table(self, code)

    def socket_address(self, code: str) -> str:
        """Where a room's socket is."""
        return f"ws{self.url.removeprefix('http')}/api/rooms/{code}/socket"


def _opening(settings: wire.Settings | None) -> dict[str, Any]:
    return {} if settings is None else {"settings": msgspec.to_builtins(settings)}


def web_address(text: str) -> str:
    """A server's address without a slash at its end; ``localhost:8000`` will do. Raises ClientError."""
    url = text if "://" in text else f"http://{text}"
    try:
        parts = urlsplit(url)
        good = parts.scheme in ("http", "https") and parts.hostname and (parts.port is None or parts.port)
    except ValueError:
        good = False
    if not good or parts.query or parts.fragment or any(letter.isspace() for letter in text):
        raise ClientError(f"{text!r} is no web address; http://localhost:8000 is one")
    return _LINK.sub("", url).rstrip("/")


def room_of_link(text: str) -> str | None:
    """The code in a room's link; None for other text."""
    found = _LINK.search(text)
    return found[1] if found else None


def not_ours(url: str, status: int) -> str:
    """What is said of a server that answers in another way."""
    return f"{url}: this is no server of Hainan mahjong, or not now (HTTP {status})"


def _said(error: Exception) -> str:
    return str(error).strip().split("\n")[0] or type(error).__name__


class Table:
    """A connection to one room: an iterator over what the server says, and commands to say to it.

    ``async for`` gives every message in order; after a lost connection a new `welcome` tells that everything
    after it is from a new connection. It ends when the room is closed, and raises ClientError when the server
    doesn't want this player (any more) or is gone for good.
    """

    def __init__(self, client: Client, code: str, random: Random | None = None) -> None:
        """Connects when it is entered."""
        self.client, self.code = client, code
        self.welcome: wire.Welcome | None = None
        self.room: wire.Room | None = None
        """The last `room`."""
        self.view: wire.Table | None = None
        """The last `table`."""
        self._random = random or Random(secrets.randbits(64))
        self._socket: ClientConnection | None = None
        self._waiting: deque[wire.ServerMessage] = deque()
        self._refs = count(1)
        self._over = False
        self._attempts, self._lost_at = 0, 0.0
        self._tokens, self._paced_at = BURST, 0.0

    async def __aenter__(self) -> "Table":
        """Connect, once: a server that isn't there now, or no such room, is an error here."""
        try:
            await self._open()
        except _GoneError as gone:
            raise Unreachable(gone.why, gone.code) from None
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Go; a seat stays one's own until `leave`."""
        await self._drop()

    # ------------------------------------------------------------ hearing

    def __aiter__(self) -> AsyncIterator[wire.ServerMessage]:
        """Itself."""
        return self

    async def __anext__(self) -> wire.ServerMessage:
        """The next message, after as many reconnections as it takes."""
        while not self._waiting:
            if self._over:
                raise StopAsyncIteration
            if self._socket is None:
                await self._come_back()
            else:
                with contextlib.suppress(_GoneError):
                    self._waiting.append(await self._receive())
        return self._waiting.popleft()

    async def _receive(self) -> wire.ServerMessage:
        """One message of the present connection; raises _GoneError, or ClientError after a final goodbye."""
        assert self._socket is not None
        try:
            message = wire.decode_message(await self._socket.recv())
        except ConnectionClosed as closed:
            await self._drop()
            raise _GoneError(f"the connection was lost: {closed}") from None
        except msgspec.DecodeError as error:
            await self._drop()
            raise ClientError(f"{self.client.url} says what isn't understood: {error}") from None
        if isinstance(message, wire.Goodbye):
            await self._drop()
            if message.code in COME_BACK:
                raise _GoneError(message.why, message.code)
            raise ClientError(message.why, message.code)
        self._note(message)
        return message

    def _note(self, message: wire.ServerMessage) -> None:
        match message:
            case wire.Room():
                self.room = message
                self._over = message.stage == wire.Stage.CLOSED
                self._attempts = 0  # only now one is really there
            case wire.Table():
                self.view = message
            case wire.Told(notice=wire.Notice.CLOSED):
                self._over = True

    # ------------------------------------------------------------ connecting

    async def _open(self) -> None:
        """Connect and say hello; raises _GoneError where it may be tried again, else ClientError."""
        url = self.client.url
        try:
            async with asyncio.timeout(OPEN_SECONDS):
                self._socket = await connect(
                    self.client.socket_address(self.code), compression=None, open_timeout=None
                )
                self._tokens, self._paced_at = BURST, monotonic()
                await self._send(wire.Hello(protocol=wire.PROTOCOL, token=self.client.token))
                self._waiting.append(await self._greeted())
        except InvalidStatus as error:
            raise self._unwanted(error) from None
        except InvalidURI as error:
            raise ClientError(f"{url}: {error}") from None
        except (OSError, TimeoutError, InvalidHandshake, EOFError) as error:
            await self._drop()
            raise _GoneError(f"{url}: no server answers ({_said(error)})") from None

    async def _greeted(self) -> wire.Welcome:
        message = await self._receive()
        while not isinstance(message, wire.Welcome):  # a server may say something about itself first
            message = await self._receive()
        self.welcome = message
        return message

    def _unwanted(self, error: InvalidStatus) -> ClientError:
        status = error.response.status_code
        try:
            refused = msgspec.json.decode(error.response.body or b"", type=_Error)
        except msgspec.DecodeError:
            why = not_ours(self.client.url, status)
            return _GoneError(why) if status >= 500 else Unreachable(why)
        return ClientError(refused.why, refused.code)

    async def _come_back(self) -> None:
        """Connect again, with growing pauses; raises ClientError where that has become pointless."""
        retry = self.client.retry
        while self._socket is None:
            if self._attempts == 0:
                self._lost_at = monotonic()
            await asyncio.sleep(retry.wait(self._attempts, self._random))
            self._attempts += 1
            try:
                await self._open()
            except _GoneError as gone:
                if monotonic() - self._lost_at > retry.give_up:
                    raise Unreachable(f"{gone.why}; given up", gone.code) from None

    async def _drop(self) -> None:
        socket, self._socket = self._socket, None
        if socket is not None:
            await socket.close()

    # ------------------------------------------------------------ saying

    async def send(self, command: wire.ClientMessage) -> int:
        """Say something, without waiting for the answer; the number that the answer will carry.

        Where the connection is lost meanwhile it isn't said again: the next `welcome` tells that.
        """
        ref = next(self._refs) if command.ref is None else command.ref
        await self._keep_pace()
        if self._socket is not None:
            await self._send(structs.replace(command, ref=ref))
        return ref

    async def _send(self, command: wire.ClientMessage) -> None:
        assert self._socket is not None
        with contextlib.suppress(ConnectionClosed):  # whoever reads next will see it
            await self._socket.send(wire.encode(command).decode())

    async def _keep_pace(self) -> None:
        """Wait where the server would find that this is too much."""
        now = monotonic()
        self._tokens = min(BURST, self._tokens + (now - self._paced_at) * PER_SECOND) - 1
        self._paced_at = now
        if self._tokens < 0:
            await asyncio.sleep(-self._tokens / PER_SECOND)

    async def ask(self, command: wire.ClientMessage) -> Answer:
        """Say something and wait for the answer; what else comes meanwhile stays for the iterator.

        Raises CommandRefused, and AnswerLost where the connection was lost before the answer came.
        """
        ref = await self.send(command)
        while self._socket is not None:
            try:
                message = await self._receive()
            except _GoneError:
                break
            if isinstance(message, wire.Refused) and message.ref == ref:
                raise CommandRefused(message)
            if isinstance(message, Answer) and message.ref == ref:
                return message
            self._waiting.append(message)
        raise AnswerLost("the connection was lost before the answer came")

    async def sit(self, seat: int | None = None) -> None:
        """Take a seat; raises NoSeat where there is none."""
        try:
            await self.ask(wire.Sit(seat=seat))
        except CommandRefused as error:
            if error.code in (Refusal.SEAT_TAKEN, Refusal.LOCKED):
                raise NoSeat(f"no seat in room {self.code}: {error.why}", error.code) from None
            raise

    async def ready(self, nonce: str | None = None) -> int:
        """Be ready for the next hand; what one adds to its shuffle is random unless it is given."""
        return await self.send(wire.Ready(nonce=secrets.token_hex(16) if nonce is None else nonce))

    async def act(self, offer: int, action: str) -> int:
        """Answer an offer."""
        return await self.send(wire.Act(offer=offer, action=action))


class _GoneError(ClientError):
    """The connection was lost, or couldn't be had; it may be tried again."""
