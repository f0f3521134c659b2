"""Rooms that nobody needs any more are closed, in memory or not; nobody who comes in time loses his."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from typing import Any

import pytest
from structlog.testing import capture_logs

from hainan import wire
from hainan.server.exchange import NOBODY, Attach, Envelope, Gone
from hainan.server.host import Host
from hainan.server.store import StorageError
from hainan.wire import Notice, Refusal, Stage
from tests.server.rooms.play import (
    NAMES,
    dealt,
    done,
    gathered,
    in_turn,
    play_hand,
    ready,
    room_of,
    stored_match,
)
from tests.server.scene import Client, Scene

pytestmark = [pytest.mark.anyio, pytest.mark.usefixtures("short_hands")]

HOUR = 3600.0
DAY = 24 * HOUR


@pytest.fixture(autouse=True)
def logged() -> Iterator[list[Any]]:
    """What is logged, unprinted."""
    with capture_logs() as entries:
        yield entries


@pytest.fixture
async def scenes(anyio_backend: str) -> AsyncIterator[list[Scene]]:
    """Further ones, stopped afterwards."""
    found: list[Scene] = []
    yield found
    for scene in found:
        await scene.stop()


async def restarted(scene: Scene, scenes: list[Scene], seconds: float = 0) -> Scene:
    """The server after a stop, so much later."""
    await scene.stop()
    again = Scene(scene.store, generation=2)
    again.clock.time = scene.clock.time + seconds
    again.host = Host(again.surroundings(2))
    again.exchange.serve(again.host.route)
    await again.host.resume()
    scenes.append(again)
    return again


async def left(clients: list[Client]) -> str:
    """All have gone; their room."""
    for client in clients:
        await client.drop()
    return clients[0].room


async def closed_at(scene: Scene, code: str) -> int | None:
    room = await scene.store.room(code)
    assert room is not None
    return room.closed_at


async def later(scene: Scene, seconds: float) -> None:
    """Time passes, and the sweeper comes every hour."""
    until = scene.clock.time + seconds
    while scene.clock.time < until:
        await scene.advance(min(HOUR, until - scene.clock.time))
        await scene.host.sweep()


async def turned_away(scene: Scene, code: str) -> None:
    """Who comes is told that there is no such room."""
    client = await scene.connect("ann", code)
    assert client.closed is not None
    assert client.closed[0] == Refusal.NO_SUCH_ROOM
    assert client.frames == []


async def waiting(scene: Scene) -> list[Client]:
    """A match whose first hand is over, and which waits for its players as long as it takes."""
    rules = {"preset": "hainan", "ga": False, "hands": 9}
    clients = await dealt(scene, rules=rules, next_hand_seconds=0)
    await play_hand(scene, clients)
    assert clients[0].room_view.stage == Stage.BETWEEN
    return clients


# ---------------------------------------------------------------- rooms without a match


async def test_a_room_that_nobody_uses_for_a_day_is_closed(scene: Scene) -> None:
    code = await left(await gathered(scene, listed=True))
    await later(scene, DAY - HOUR)
    assert scene.host.rooms == {}, "dropped from memory, where nothing of it is needed"
    assert await closed_at(scene, code) is None
    assert [room.code for room in await scene.store.listed_rooms()] == [code]
    await later(scene, 2 * HOUR)
    assert await closed_at(scene, code) is not None
    assert await scene.store.listed_rooms() == []
    assert scene.host.rooms == {}
    await turned_away(scene, code)


async def test_also_after_a_restart(scene: Scene, scenes: list[Scene]) -> None:
    code = await left(await gathered(scene))
    again = await restarted(scene, scenes, 2 * DAY)
    await again.host.sweep()
    await again.advance(200)
    await again.host.sweep()
    assert await closed_at(again, code) is None, "who was there may come back first"
    await again.advance(200)
    await again.host.sweep()
    assert await closed_at(again, code) is not None
    assert again.host.rooms == {}
    await turned_away(again, code)


async def test_who_comes_back_after_a_restart_keeps_his_room(scene: Scene, scenes: list[Scene]) -> None:
    code = await left(await gathered(scene))
    again = await restarted(scene, scenes, 2 * DAY)
    ann = await again.connect("ann", code)
    await ann.drop()
    await later(again, HOUR)
    assert again.host.rooms == {}
    assert await closed_at(again, code) is None
    await later(again, DAY)
    assert await closed_at(again, code) is not None


async def test_looking_in_counts_as_use_though_it_changes_nothing(scene: Scene, scenes: list[Scene]) -> None:
    code = await left(await gathered(scene))
    for _ in range(3):
        await later(scene, 20 * HOUR)
        await (await scene.connect("ann", code)).drop()
    await later(scene, 20 * HOUR)
    eve = await scene.connect("eve", code)
    assert eve.closed is None
    again = await restarted(scene, scenes, 20 * HOUR)  # which also remembers that eve was here
    await later(again, HOUR)
    assert await closed_at(again, code) is None
    await later(again, 4 * HOUR)
    assert await closed_at(again, code) is not None


async def test_a_room_is_not_closed_on_anybody(scene: Scene) -> None:
    ann, *others = await gathered(scene)
    await left(others)
    await later(scene, 30 * DAY)
    assert await closed_at(scene, ann.room) is None
    assert ann.closed is None


async def test_rooms_are_looked_for_once_an_hour(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []
    find = scene.store.unused_rooms

    async def counting(*arguments: int) -> list[str]:
        asked.append(scene.clock.time)
        return await find(*arguments)

    monkeypatch.setattr(scene.store, "unused_rooms", counting)
    for _ in range(3 * 60):
        await scene.advance(60)
        await scene.host.sweep()
    assert len(asked) == 3


async def test_a_closed_room_forgets_who_was_there_and_its_code_is_taken(
    scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    clients = await gathered(scene)
    await done(clients[0], wire.Kick(seat=3))
    code = await left(clients)
    await later(scene, 2 * DAY)
    row = await scene.store.room(code)
    assert row is not None
    assert not any(name in row.state.casefold() for name in NAMES)
    assert await scene.store.rooms_with("ann") == []
    drawn = iter([int(code), 7])
    monkeypatch.setattr("hainan.server.store.rooms.secrets.randbelow", lambda below: next(drawn))
    assert await scene.room(["bob"], bots=3) == "000007"


# ---------------------------------------------------------------- matches


async def test_a_match_that_everybody_has_left_ends_after_a_week(scene: Scene) -> None:
    clients = await waiting(scene)
    totals, match = clients[0].room_view.totals, clients[0].room_view.match
    code = await left(clients)
    await later(scene, 6 * DAY)
    assert await closed_at(scene, code) is None
    assert len(await scene.store.unfinished()) == 1
    await later(scene, DAY + HOUR)
    assert await closed_at(scene, code) is not None
    assert await scene.store.unfinished() == []
    assert scene.host.rooms == {}
    stored = await stored_match(clients[0])
    assert (stored.how, stored.totals) == ("closed", totals)
    assert stored.ended_at is not None
    assert [seat.name for seat in stored.seats] == [name.title() for name in NAMES]
    first, second = await scene.store.hands(match)
    assert (first.void, second.void, second.dealt_at) == (False, True, None)
    assert (await scene.store.record(match, 0))["room"] == code
    await turned_away(scene, code)


async def test_also_one_that_was_on_when_the_server_stopped(scene: Scene, scenes: list[Scene]) -> None:
    clients = await in_turn(scene)
    code = await left(clients)
    again = await restarted(scene, scenes, 8 * DAY)
    assert set(again.host.rooms) == {code}
    await again.host._close_unused()
    assert again.host.rooms == {}
    assert (await stored_match(clients[0])).how == "closed"
    assert (await scene.store.hand(clients[0].room_view.match, 0)).void


async def test_a_decision_keeps_a_match(scene: Scene, scenes: list[Scene]) -> None:
    clients = await in_turn(scene, turn_seconds=600, bank_seconds=3600)
    await scene.advance(100)
    (asked,) = [client for client in clients if client.table.mine.offer is not None]
    mine = asked.table.mine
    await asked.send(wire.Act(offer=mine.offer, action=mine.legal[0]))
    code = await left(clients)
    again = await restarted(scene, scenes, 7 * DAY - 50)
    await again.host._close_unused()
    assert again.host.rooms[code].state.stage == Stage.PLAYING
    assert (await scene.store.room(code)).updated_at < again.clock.wall_ms() - 7 * DAY * 1000


async def test_a_match_with_one_player_left_goes_on(scene: Scene) -> None:
    clients = await waiting(scene)
    await left(clients[1:])
    await later(scene, 30 * DAY)
    assert clients[0].room_view.stage == Stage.BETWEEN
    back = [await scene.connect(client.player, client.room) for client in clients]
    await ready(back)
    assert back[0].room_view.stage == Stage.PLAYING


# ---------------------------------------------------------------- at the same moment


async def test_who_comes_first_is_in(scene: Scene) -> None:
    code = await left(await gathered(scene))
    room = scene.host.rooms[code]
    await scene.advance(2 * DAY)
    bob = Client(scene, "bob", code, "direct")
    scene.exchange.connect(bob.connection, bob.deliver, bob.close)
    bob.post(Attach())
    room.close_unless_needed()
    await scene.settle()
    assert bob.room_view.stage == Stage.OPEN
    assert await closed_at(scene, code) is None
    await bob.drop()
    room.close_unless_needed()
    bob.post(Attach())
    await scene.settle()
    assert room.state.stage == Stage.OPEN, "he was at the door"


@pytest.mark.parametrize("command", [Attach(), wire.Sit(ref=3)])
async def test_who_comes_while_it_is_being_closed_is_turned_away(
    scene: Scene, monkeypatch: pytest.MonkeyPatch, command: Any
) -> None:
    code = await left(await gathered(scene))
    await later(scene, 3 * HOUR)
    await scene.advance(2 * DAY)
    commit, begun, gate = scene.store.commit, asyncio.Event(), asyncio.Event()

    async def slow(*writes: Any) -> None:
        begun.set()
        await gate.wait()
        await commit(*writes)

    monkeypatch.setattr(scene.store, "commit", slow)
    closing = asyncio.create_task(scene.host.sweep())
    await begun.wait()
    early = Client(scene, "bob", code, "early")
    scene.exchange.connect(early.connection, early.deliver, early.close)
    early.post(command)
    gate.set()
    await closing
    late = Client(scene, "cyd", code, "late")
    scene.exchange.connect(late.connection, late.deliver, late.close)
    late.post(command)
    await scene.settle()
    for client in (early, late):
        if isinstance(command, Attach):
            assert client.closed is not None
            assert client.closed[0] == Refusal.NO_SUCH_ROOM
        else:
            assert [(said.code, said.ref) for said in client.messages] == [(Refusal.NO_SUCH_ROOM, 3)]
    assert scene.host.rooms == {}
    row = await scene.store.room(code)
    assert row is not None
    assert row.closed_at is not None
    assert "bob" not in row.state


async def test_who_comes_while_it_is_loaded_to_be_closed_is_in(
    scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    code = await left(await gathered(scene))
    await later(scene, HOUR)
    assert scene.host.rooms == {}
    await scene.advance(2 * DAY)
    read, begun, gate = scene.store.room, asyncio.Event(), asyncio.Event()

    async def slow(code: str) -> Any:
        begun.set()
        await gate.wait()
        return await read(code)

    monkeypatch.setattr(scene.store, "room", slow)
    closing = asyncio.create_task(scene.host.sweep())
    await begun.wait()
    bob = Client(scene, "bob", code, "direct")
    scene.exchange.connect(bob.connection, bob.deliver, bob.close)
    bob.post(Attach())
    gate.set()
    await closing
    await scene.settle()
    assert bob.room_view.stage == Stage.OPEN
    assert await closed_at(scene, code) is None


async def test_who_deletes_himself_leaves_nothing_in_a_room_that_is_closed_meanwhile(scene: Scene) -> None:
    ann = await scene.store.create_player("Ann")
    code = await scene.room([ann.id], bots=3)
    await (await scene.connect(ann.id, code)).drop()
    room = scene.host.rooms[code]
    await scene.store.delete_player(ann.id)
    await room.close()
    scene.exchange.post(Envelope(code, NOBODY, ann.id, "", Gone()))
    await scene.settle()
    row = await scene.store.room(code)
    assert row is not None
    assert (row.owner, ann.id in row.state) == (None, False)


# ---------------------------------------------------------------- all the same


async def test_whoever_is_there_is_told(scene: Scene) -> None:
    clients = await waiting(scene)
    eve = await scene.connect("eve", clients[0].room)
    room = room_of(clients[0])
    await room.close()
    for client in (*clients, eve):
        assert client.messages[-1].notice == Notice.CLOSED
        assert client.closed == (Refusal.NO_SUCH_ROOM, "this room is closed")
    assert clients[0].messages[-1].totals == clients[0].room_view.totals
    for command in (
        wire.Sit(ref=1),
        wire.Start(ref=1),
        wire.Ready(ref=1),
        wire.Vote(on=wire.Ballot.END, ref=1),
    ):
        await clients[0].send(command)
    assert (await stored_match(clients[0])).how == "closed"
    await scene.advance(1000)
    assert room.state.stage == Stage.CLOSED


@pytest.mark.parametrize("carried_out", [False, True])
async def test_a_room_that_cant_be_closed_now_is_closed_later(
    scene: Scene, monkeypatch: pytest.MonkeyPatch, carried_out: bool
) -> None:
    code = await left(await gathered(scene))
    await later(scene, DAY)
    commit, times = scene.store.commit, 0

    async def failing(*writes: Any) -> None:
        nonlocal times
        times += 1
        if times == 1:
            if carried_out:
                await commit(*writes)
            raise StorageError("broken for a test")
        await commit(*writes)

    monkeypatch.setattr(scene.store, "commit", failing)
    await scene.advance(HOUR)
    await scene.host.sweep()
    assert times == 1
    await scene.advance(2)
    assert await closed_at(scene, code) is not None
    await later(scene, HOUR)
    assert scene.host.rooms == {}
    await turned_away(scene, code)


async def test_a_room_whose_use_cant_be_stored_stays_in_memory(
    scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    code = await left(await gathered(scene))
    commit = scene.store.commit

    async def failing(*writes: Any) -> None:
        raise StorageError("broken for a test")

    monkeypatch.setattr(scene.store, "commit", failing)
    await later(scene, HOUR)
    assert set(scene.host.rooms) == {code}
    monkeypatch.setattr(scene.store, "commit", commit)
    await later(scene, HOUR)
    assert scene.host.rooms == {}


async def test_the_sweeper_survives_a_storage_that_fails(
    scene: Scene, monkeypatch: pytest.MonkeyPatch, logged: list[Any]
) -> None:
    swept, twice = 0, asyncio.Event()

    async def failing() -> None:
        nonlocal swept
        swept += 1
        if swept == 2:
            twice.set()
        raise StorageError("broken for a test")

    monkeypatch.setattr(scene.host, "sweep", failing)
    monkeypatch.setattr("hainan.server.host._SWEEP", 0.001)
    await scene.host.resume()
    async with asyncio.timeout(10):
        await twice.wait()
    assert logged[0]["event"] == "rooms could not be looked after"
