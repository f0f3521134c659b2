"""All rooms of a process: loaded once, dropped when idle, parked before a stop."""

import asyncio
from typing import Any

import pytest

from hainan import wire
from hainan.server.exchange import Attach, Detach, Envelope
from hainan.server.store import StorageError
from hainan.server.talk import Room
from hainan.wire import Notice, Refusal
from tests.conftest import amount
from tests.server.rooms.play import (
    act,
    asked,
    dealt,
    done,
    gathered,
    in_turn,
    seen,
    sit_out,
)
from tests.server.scene import Client, Scene

pytestmark = [pytest.mark.anyio, pytest.mark.usefixtures("short_hands")]


async def heard_from(scene: Scene, room: str, command: Any) -> tuple[Client, list[Any]]:
    """What a connection hears to its first command, without a greeting before it."""
    client = Client(scene, "ann", room, "direct")
    scene.exchange.connect(client.connection, client.deliver, client.close)
    await client.send(command)
    return client, client.messages


async def test_a_room_is_loaded_once_however_many_ask(scene: Scene, monkeypatch) -> None:
    made = []
    init = Room.__init__

    def counting(room: Room, *arguments: Any) -> None:
        made.append(room)
        init(room, *arguments)

    monkeypatch.setattr(Room, "__init__", counting)
    code = await scene.room(["ann", "bob"], bots=2)
    envelopes = [Envelope(code, "", f"player {n}", "Player", Attach()) for n in range(40)]
    for envelope in envelopes:
        scene.exchange.post(envelope)
    await scene.settle()
    assert len(made) == 1
    assert len(scene.host.rooms[code].audience.connected) == 40


@pytest.mark.parametrize("room", ["000000", "nonsense", ""])
async def test_an_unknown_room_is_refused(scene: Scene, room: str) -> None:
    _, heard = await heard_from(scene, room, wire.Look(ref=4))
    assert [(message.code, message.ref) for message in heard] == [(Refusal.NO_SUCH_ROOM, 4)]
    assert scene.host.rooms == {}


async def test_a_closed_room_isnt_loaded(scene: Scene) -> None:
    ann, *_ = await gathered(scene)
    room = scene.host.rooms[ann.room]
    await room.close()
    del scene.host.rooms[ann.room]
    await room.stop()
    _, heard = await heard_from(scene, ann.room, wire.Look())
    assert [message.code for message in heard] == [Refusal.NO_SUCH_ROOM]


async def test_a_room_that_cant_be_read_is_refused_and_can_be_asked_for_again(scene: Scene) -> None:
    code = await scene.room(["ann"], bots=3)
    read = scene.store.room

    async def failing(code: str) -> Any:
        raise StorageError("broken for a test")

    scene.store.room = failing
    client, heard = await heard_from(scene, code, wire.Look(ref=1))
    assert [(message.code, message.ref) for message in heard] == [(Refusal.STORAGE, 1)]
    scene.store.room = read
    await client.send(Attach())
    assert client.room_view.code == code


async def test_an_idle_room_is_dropped_and_comes_back_as_it_was(scene: Scene) -> None:
    ann, bob, *others = await gathered(scene)
    await done(ann, wire.HandOver(seat=1))
    await done(ann, wire.Leave())
    for client in (ann, bob, *others):
        await client.drop()
    await scene.advance(500)
    await scene.host.sweep()
    assert ann.room in scene.host.rooms, "not yet"
    await scene.advance(200)
    await scene.host.sweep()
    assert scene.host.rooms == {}
    again = await scene.connect("bob", ann.room)
    assert again.room_view.owner == "bob"
    assert [chair.player for chair in again.room_view.chairs] == [None, "bob", "cyd", "dee"]


async def test_numbers_go_on_in_a_room_that_was_dropped(scene: Scene) -> None:
    ann, bob, *others = await gathered(scene)
    for _ in range(5):
        await ann.send(wire.Look())
    for client in (ann, bob, *others):
        await client.drop()
    await scene.advance(700)
    await scene.host.sweep()
    assert scene.host.rooms == {}
    heard = max(message.seq for client in (ann, bob) for message in client.messages)
    again = [await scene.connect(name, ann.room) for name in ("ann", "bob")]
    first = [client.messages[0].seq for client in again]
    assert min(first) > heard
    for client in again:
        await client.drop()
    await scene.advance(700)
    await scene.host.sweep()
    assert (await scene.connect("bob", ann.room)).messages[0].seq > max(first)


async def test_numbers_of_who_only_looked_in_go_on_too(scene: Scene) -> None:
    await gathered(scene, spectators=True)
    (room,) = scene.host.rooms
    eve = await scene.connect("eve", room)
    await done(eve, wire.Watch())
    heard = eve.room_view.seq
    await eve.drop()
    assert (await scene.connect("eve", room)).room_view.seq > heard
    fay = await scene.connect("fay", room)
    assert fay.room_view.seq < heard, "numbers tell nothing about others"


async def test_a_room_that_somebody_looks_at_stays(scene: Scene) -> None:
    ann, *others = await gathered(scene)
    for client in others:
        await client.drop()
    await scene.advance(10_000)
    await scene.host.sweep()
    assert ann.room in scene.host.rooms


async def test_a_table_in_play_goes_on_though_all_have_gone(scene: Scene) -> None:
    clients = await in_turn(scene, rules={"hands": amount(3, 2)}, bank_seconds=600)
    for client in clients:
        await client.drop()
    await scene.advance(650)
    await scene.host.sweep()
    assert clients[0].room in scene.host.rooms
    again = await scene.connect("ann", clients[0].room)
    await sit_out(scene, again)


async def test_a_parked_host_takes_nothing_more_and_tells_everybody(scene: Scene) -> None:
    clients = await in_turn(scene)
    await scene.stop()
    for client in clients:
        assert client.last(wire.Told).notice == Notice.DRAINING
    assert scene.host.rooms == {}
    before = len(clients[0].frames)
    await scene.advance(1000)
    assert len(clients[0].frames) == before
    mine = clients[0].table.mine
    await clients[0].send(wire.Act(offer=mine.offer or 0, action="pass", ref=8))
    assert (clients[0].messages[-1].code, clients[0].messages[-1].ref) == (Refusal.DRAINING, 8)


async def test_parking_finishes_what_is_being_done(scene: Scene) -> None:
    clients = await in_turn(scene)
    (dealer,) = asked(clients)
    mine = dealer.table.mine
    dealer.post(wire.Act(offer=mine.offer, action=mine.legal[0]))
    await scene.stop()
    assert dealer.table.table.order == str(dealer.room_view.you)
    (stored,) = await scene.store.unfinished()
    assert len(stored.actions) == 1


async def test_a_room_that_is_being_loaded_is_parked_too(scene: Scene) -> None:
    code = await scene.room([], bots=4)
    client = Client(scene, "ann", code, "direct")
    scene.exchange.connect(client.connection, client.deliver, client.close)
    read, gate = scene.store.room, asyncio.Event()

    async def slow(code: str) -> Any:
        await gate.wait()
        return await read(code)

    scene.store.room = slow
    client.post(Attach())
    await asyncio.sleep(0)
    parking = asyncio.create_task(scene.stop())
    await asyncio.sleep(0)
    gate.set()
    await parking
    assert scene.host.rooms == {}
    assert [message.code for message in client.messages] == [Refusal.DRAINING]


async def test_a_match_that_cant_be_brought_back_doesnt_keep_the_others(scene: Scene) -> None:
    clients = await in_turn(scene)
    others = await in_turn(scene, ["eve", "fay", "gus", "hal"])
    await scene.stop()
    stored = await scene.store.unfinished()
    broken = next(one for one in stored if one.room.code == others[0].room)
    broken.actions.append(broken.actions[0] if broken.actions else None)
    again = Scene(scene.store, generation=2)

    async def unfinished(room: str | None = None) -> Any:
        return stored

    scene.store.unfinished = unfinished
    await again.host.resume()
    del scene.store.unfinished
    assert set(again.host.rooms) == {clients[0].room}
    back = await again.connect("ann", clients[0].room)
    assert seen(back)["table"] == seen(clients[0])["table"]
    await again.stop()


async def test_the_metrics_count_rooms_by_stage(scene: Scene) -> None:
    await gathered(scene, ["a"], bots=3)
    await dealt(scene, ["b"], bots=3)
    await dealt(scene, ["c"], bots=3)
    assert scene.host.count() == {"open": 1, "playing": 2}


async def test_rooms_dont_hear_one_another(scene: Scene) -> None:
    one, other = await in_turn(scene), await in_turn(scene)
    heard = len(other[0].frames)
    for client in asked(one):
        await act(client)
    await done(one[1], wire.Say(phrase="hello"))
    assert len(other[0].frames) == heard
    assert other[0].room_view.match != one[0].room_view.match


async def test_a_connection_that_has_gone_before_its_room_was_loaded_is_no_trouble(scene: Scene) -> None:
    code = await scene.room(["ann"], bots=3)
    client = Client(scene, "ann", code, "direct")
    client.post(Detach())
    await scene.settle()
    again = await scene.connect("ann", code)
    assert again.room_view.chairs[0].online
