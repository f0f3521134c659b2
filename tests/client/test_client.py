"""The client by itself: addresses, errors in one line, answers, and coming back."""

import asyncio
import contextlib
from collections.abc import AsyncIterator
from random import Random
from typing import Any

import pytest
from websockets.asyncio.server import ServerConnection, serve

from hainan import wire
from hainan.bots.policies import Policy
from hainan.client.client import Client, Retry, room_of_link, web_address
from hainan.client.errors import AnswerLost, ClientError, CommandRefused, NoSeat, Unreachable
from hainan.client.player import play
from hainan.wire import Refusal
from tests.client.conftest import QUICK, guest
from tests.client.live import LiveServer, free_port


@pytest.mark.parametrize(
    ("given", "url"),
    [
        ("http://localhost:8000/", "http://localhost:8000"),
        ("localhost:8000", "http://localhost:8000"),
        ("https://mahjong.example/tables/", "https://mahjong.example/tables"),
        ("https://mahjong.example/r/123456", "https://mahjong.example"),
        ("[::1]:8000", "http://[::1]:8000"),
    ],
)
def test_web_addresses(given: str, url: str) -> None:
    assert web_address(given) == url
    assert Client(given).socket_address("123456") == f"ws{url[4:]}/api/rooms/123456/socket"


@pytest.mark.parametrize(
    "given", ["", "ftp://a", "http://", "http://a:b", "http://a:0", "a b", "http://a?x=1"]
)
def test_no_web_addresses(given: str) -> None:
    with pytest.raises(ClientError, match="is no web address"):
        Client(given)


def test_the_room_of_a_link() -> None:
    assert room_of_link("https://mahjong.example/r/123456") == "123456"
    assert room_of_link("https://mahjong.example") is None


def test_waiting_grows_and_is_random() -> None:
    retry = Retry(first=1, longest=10)
    waits = [retry.wait(attempt, Random(attempt)) for attempt in range(2000)]
    assert 0.5 <= waits[0] <= 1
    assert 2 <= waits[2] <= 4
    assert all(5 <= wait <= 10 for wait in waits[4:])
    assert len(set(waits)) == 2000


# ---------------------------------------------------------------- errors


async def refused(work: Any) -> ClientError:
    """The error of something that fails, which is one line."""
    with pytest.raises(ClientError) as caught:
        await work
    assert "\n" not in caught.value.why
    return caught.value


@pytest.mark.anyio
async def test_no_server_there() -> None:
    client = Client(f"http://127.0.0.1:{free_port()}")
    for work in (client.guest("海"), play(client, "123456", Policy.RANDOM)):
        error = await refused(work)
        assert isinstance(error, Unreachable)
        assert "no server answers" in error.why
        assert client.url in error.why


@pytest.mark.anyio
async def test_another_kind_of_server() -> None:
    async def handle(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(b"HTTP/1.1 404 Not Found\r\ncontent-length: 5\r\nconnection: close\r\n\r\nhello")
        writer.close()

    async with await asyncio.start_server(handle, "127.0.0.1", 0) as server:
        client = Client(f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}")
        for work in (client.guest("海"), play(client, "123456", Policy.RANDOM)):
            error = await refused(work)
            assert isinstance(error, Unreachable)
            assert "this is no server of Hainan mahjong, or not now (HTTP 404)" in error.why


@pytest.mark.anyio
async def test_what_the_server_refuses(server: LiveServer) -> None:
    nobody = Client(server.url)
    assert (await refused(nobody.create_room())).code == Refusal.NOT_SIGNED_IN
    assert (await refused(nobody.guest("x" * 99))).code == Refusal.BAD_MESSAGE
    assert (await refused(play(nobody, "123456", Policy.RANDOM))).code == Refusal.NOT_SIGNED_IN
    client = await guest(server.url, "海")
    assert (await refused(play(client, "000000", Policy.RANDOM))).code == Refusal.NO_SUCH_ROOM
    assert (await refused(play(client, "../..", Policy.RANDOM))).code == Refusal.NO_SUCH_ROOM
    sheet = wire.Settings(rules={"preset": "sichuan"})
    assert (await refused(client.create_room(sheet))).code == Refusal.BAD_SETTINGS


@pytest.mark.anyio
async def test_no_free_seat_and_a_match_that_is_on(server: LiveServer) -> None:
    client = await guest(server.url, "海")
    link = await client.quick()
    error = await refused(play(await guest(server.url, "南"), link.code, Policy.RANDOM))
    assert isinstance(error, NoSeat)
    assert error.code == Refusal.LOCKED
    full = await client.create_room(wire.Settings(players=3))
    async with client.table(full.code) as table:
        for _ in range(3):
            await table.ask(wire.AddBot())
        with pytest.raises(NoSeat, match=f"no seat in room {full.code}: no seat is free"):
            await table.sit()
        with pytest.raises(CommandRefused) as caught:
            await table.ask(wire.Kick(seat=0, ref=77)) and await table.ask(wire.Kick(seat=0))
        assert caught.value.refused.code == Refusal.NO_SUCH_PLAYER
        assert caught.value.refused.ref != 77
        assert isinstance(await table.ask(wire.Ping()), wire.Pong)


@pytest.mark.anyio
async def test_kicked_and_taken_over(server: LiveServer) -> None:
    owner, client = await guest(server.url, "房主"), await guest(server.url, "海")
    link = await owner.create_room()
    async with owner.table(link.code) as table:
        first = asyncio.create_task(play(client, link.code, Policy.RANDOM))
        await _until_seated(table, client)
        second = asyncio.create_task(play(client, link.code, Policy.RANDOM))
        assert (await refused(first)).code == Refusal.TAKEN_OVER
        await table.ask(wire.Kick(seat=0))
        assert (await refused(second)).code == Refusal.KICKED
        assert (await refused(play(client, link.code, Policy.RANDOM))).code == Refusal.KICKED


async def _until_seated(table: Any, client: Client) -> None:
    async for message in table:
        if isinstance(message, wire.Room) and message.chairs[0].online:
            return


# ---------------------------------------------------------------- a server that behaves oddly


@contextlib.asynccontextmanager
async def odd_server(*scripts: list[Any]) -> AsyncIterator[tuple[Client, list[list[Any]]]]:
    """Each connection gets `welcome`, then what its script says, and is closed where that says None."""
    heard: list[list[Any]] = []

    async def handle(connection: ServerConnection) -> None:
        number = len(heard)
        heard.append([])
        heard[number].append(wire.decode_command(await connection.recv()))
        welcome = wire.Welcome(protocol=1, server="odd", player="p", name="n", connection=str(number))
        await connection.send(wire.encode(welcome).decode())
        for line in scripts[min(number, len(scripts) - 1)]:
            if line is None:
                return
            if line == "hear":
                heard[number].append(wire.decode_command(await connection.recv()))
            else:
                await connection.send(wire.encode(line).decode())
        async for frame in connection:
            heard[number].append(wire.decode_command(frame))

    async with serve(handle, "127.0.0.1", 0) as server:
        port = next(iter(server.sockets)).getsockname()[1]
        yield Client(f"http://127.0.0.1:{port}", "t", retry=QUICK), heard


ROOM = wire.Room(
    seq=1,
    code="123456",
    owner=None,
    settings=wire.Settings(),
    digest="",
    stage=wire.Stage.OPEN,
    chairs=[],
    you=None,
)


@pytest.mark.anyio
async def test_a_lost_connection_comes_back_and_nothing_is_said_again() -> None:
    pong = wire.Pong(ref=1)
    async with odd_server([ROOM, "hear", None], [ROOM, pong]) as (client, heard):
        async with client.table("123456") as table:
            with pytest.raises(AnswerLost):
                await table.ask(wire.Ping())
            with pytest.raises(AnswerLost):
                await table.ask(wire.Ping())
            told = [type(await anext(table)).__name__ for _ in range(5)]
            assert told == ["Welcome", "Room", "Welcome", "Room", "Pong"]
        assert heard[0] == [wire.Hello(protocol=1, token="t"), wire.Ping(ref=1)]
        assert heard[1] == [wire.Hello(protocol=1, token="t")]


@pytest.mark.anyio
@pytest.mark.parametrize("code", [Refusal.DRAINING, Refusal.BUSY, Refusal.INTERNAL])
async def test_a_server_that_is_busy_is_left_alone_more_and_more(code: Refusal) -> None:
    """It lets in and sends away at once: that must not become a fast loop."""
    goodbye = wire.Goodbye(code=code, why="later")
    scripts = [[ROOM, goodbye], *[[goodbye]] * 5, [ROOM]]
    async with odd_server(*scripts) as (client, heard), client.table("123456") as table:
        async for message in table:
            if len(heard) == 5:
                assert table._attempts == 4
            if len(heard) == 7 and isinstance(message, wire.Room):
                break
        assert table._attempts == 0


@pytest.mark.anyio
async def test_a_server_that_is_gone_for_good_is_given_up() -> None:
    async with odd_server([ROOM, None]) as (client, _):
        client.retry = Retry(first=0.001, longest=0.01, give_up=0.05)
        table = client.table("123456")
        await table.__aenter__()
    with pytest.raises(Unreachable, match="given up"):
        async for _ in table:
            pass


@pytest.mark.anyio
async def test_a_server_that_speaks_otherwise() -> None:
    async with odd_server([wire.Ping()]) as (client, _), client.table("123456") as table:
        with pytest.raises(ClientError, match="says what isn't understood"):
            async for _ in table:
                pass


@pytest.mark.anyio
async def test_a_closed_room_ends_the_iterator() -> None:
    closed = wire.Told(seq=2, notice=wire.Notice.CLOSED)
    async with odd_server([ROOM, closed]) as (client, _), client.table("123456") as table:
        assert [type(message) async for message in table] == [wire.Welcome, wire.Room, wire.Told]
        assert table.room == ROOM


@pytest.mark.anyio
async def test_a_client_keeps_to_what_a_server_takes(monkeypatch: pytest.MonkeyPatch) -> None:
    slept: list[float] = []

    async def sleep(seconds: float) -> None:
        slept.append(seconds)

    async with odd_server([ROOM]) as (client, heard), client.table("123456") as table:
        monkeypatch.setattr("hainan.client.client.asyncio.sleep", sleep)
        for _ in range(80):
            await table.send(wire.Ping())
    monkeypatch.undo()
    assert len(heard[0]) <= 81
    assert len(slept) > 35
    assert slept[-1] == pytest.approx(44 / 18, abs=0.4)
