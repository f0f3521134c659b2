"""Sitting down, getting up, coming back."""

import pytest

from hainan import wire
from hainan.wire import Refusal, Stage
from tests.server.rooms.play import act, asked, dealt, done, gathered, in_turn, play_match, refused
from tests.server.scene import Scene

pytestmark = [pytest.mark.anyio, pytest.mark.usefixtures("short_hands")]


def chairs(client) -> list[str | None]:
    return [chair.player for chair in client.room_view.chairs]


async def open_room(scene: Scene, seats: int = 4, **settings) -> str:
    """A room in which nobody sits yet."""
    from hainan.server.state import opening_state

    state = opening_state(wire.Settings(players=seats, **settings), None)
    return await scene.store.create_room(None, False, state.to_json())


async def test_the_first_free_seat_is_taken_where_none_is_named(scene: Scene) -> None:
    code = await open_room(scene)
    ann, bob = [await scene.connect(name, code) for name in ("ann", "bob")]
    await done(ann, wire.Sit(seat=1))
    await done(bob, wire.Sit())
    assert chairs(ann) == chairs(bob) == ["bob", "ann", None, None]
    assert ann.room_view.you == 1
    assert bob.room_view.you == 0


async def test_the_first_who_sits_down_owns_a_room_without_owner(scene: Scene) -> None:
    code = await open_room(scene)
    ann, bob = [await scene.connect(name, code) for name in ("ann", "bob")]
    await done(bob, wire.Sit())
    await done(ann, wire.Sit())
    assert ann.room_view.owner == "bob"


async def test_a_taken_seat_is_refused(scene: Scene) -> None:
    code = await open_room(scene)
    ann, bob = [await scene.connect(name, code) for name in ("ann", "bob")]
    await done(ann, wire.Sit(seat=2))
    assert (await refused(bob, wire.Sit(seat=2))).code == Refusal.SEAT_TAKEN


async def test_seat_3_doesnt_exist_with_three_players(scene: Scene) -> None:
    code = await open_room(scene, 3)
    ann = await scene.connect("ann", code)
    assert (await refused(ann, wire.Sit(seat=3))).code == Refusal.SEAT_TAKEN


async def test_a_full_room_has_no_seat(scene: Scene) -> None:
    ann, *_ = await gathered(scene)
    eve = await scene.connect("eve", ann.room)
    assert (await refused(eve, wire.Sit())).code == Refusal.SEAT_TAKEN


async def test_who_sits_cant_sit_elsewhere(scene: Scene) -> None:
    code = await open_room(scene)
    ann = await scene.connect("ann", code)
    await done(ann, wire.Sit())
    assert (await refused(ann, wire.Sit(seat=3))).code == Refusal.SEAT_TAKEN


async def test_a_seat_left_before_a_match_is_free(scene: Scene) -> None:
    ann, bob, *_ = await gathered(scene)
    await done(bob, wire.Leave())
    assert chairs(ann) == ["ann", None, "cyd", "dee"]
    eve = await scene.connect("eve", ann.room)
    await done(eve, wire.Sit())
    assert chairs(ann)[1] == "eve"


async def test_nobody_sits_down_during_a_match(scene: Scene) -> None:
    ann, bob, *_ = await dealt(scene)
    eve = await scene.connect("eve", ann.room)
    assert (await refused(eve, wire.Sit())).code == Refusal.LOCKED
    await done(bob, wire.Leave())
    assert (await refused(eve, wire.Sit(seat=1))).code == Refusal.LOCKED


async def test_a_stand_in_plays_for_who_leaves_during_a_match(scene: Scene) -> None:
    clients = await in_turn(scene, rules={"hands": 1})
    gone = asked(clients)[0]
    seat = gone.room_view.you
    await done(gone, wire.Leave())
    others = [client for client in clients if client is not gone]
    assert others[0].room_view.chairs[seat].bot == "normal"
    assert others[0].room_view.chairs[seat].player == gone.player
    await scene.advance(3)
    assert others[0].table.table.order.startswith(str(seat))
    await play_match(scene, others)
    assert chairs(others[0])[seat] is None, "after the match the seat is free"
    assert others[0].room_view.chairs[seat].bot is None


async def test_who_comes_back_gets_his_seat_with_the_whole_time(scene: Scene) -> None:
    clients = await in_turn(scene)
    gone = asked(clients)[0]
    seat = gone.room_view.you
    await scene.advance(10)
    await done(gone, wire.Leave())
    await scene.advance(0.5)
    await done(gone, wire.Sit())
    assert gone.room_view.chairs[seat].bot is None
    assert gone.table.mine.seconds == 20
    await scene.advance(15)
    assert gone.table.table.turn == seat, "no bot plays any more"
    await act(gone)
    assert gone.table.table.order == str(seat)


async def test_a_stand_in_never_keeps_the_next_hand_waiting(scene: Scene) -> None:
    ann, bob, cyd, dee = await gathered(scene)
    await ann.send(wire.Start())
    for client in (ann, bob, cyd):
        await client.send(wire.Ready())
    assert ann.room_view.stage == Stage.BETWEEN
    await done(dee, wire.Leave())
    assert ann.room_view.stage == Stage.PLAYING


async def test_a_stranger_can_do_nothing_at_a_table(scene: Scene) -> None:
    ann, *_ = await dealt(scene)
    eve = await scene.connect("eve", ann.room)
    commands = [
        wire.Leave(),
        wire.Ready(),
        wire.Act(offer=ann.table.mine.offer, action="ga 0"),
        wire.Auto(on=True),
        wire.Vote(on=wire.Ballot.END),
        wire.Resume(),
        wire.Say(phrase="hello"),
    ]
    for command in commands:
        assert (await refused(eve, command)).code == Refusal.NOT_SEATED, command
    assert eve.last(wire.Table) is None


async def test_a_player_of_another_room_can_do_nothing_here(scene: Scene) -> None:
    ann, *_ = await dealt(scene)
    await dealt(scene, ["eve", "fay", "gus", "hal"])
    visitor = await scene.connect("eve", ann.room)
    act_there = wire.Act(offer=ann.table.mine.offer, action="ga 0")
    assert (await refused(visitor, act_there)).code == Refusal.NOT_SEATED
    assert (await refused(visitor, wire.Kick(seat=1))).code == Refusal.NOT_OWNER
    assert visitor.last(wire.Table) is None


async def test_a_second_connection_takes_over(scene: Scene) -> None:
    clients = await in_turn(scene)
    old = asked(clients)[0]
    new = await scene.connect(old.player, old.room)
    assert old.closed is not None
    assert old.closed[0] == Refusal.TAKEN_OVER
    assert new.table.mine == old.table.mine, "the same offer, and not a second of it lost"
    assert new.table.seq > old.table.seq
    heard = len(old.frames)
    await act(new)
    assert len(old.frames) == heard
    await old.drop()
    assert clients[0 if clients[0] is not old else 1].room_view.chairs[new.room_view.you].online


async def test_others_see_who_is_connected(scene: Scene) -> None:
    ann, bob, *_ = await gathered(scene)
    await bob.drop()
    assert not ann.room_view.chairs[1].online
    await scene.connect("bob", ann.room)
    assert ann.room_view.chairs[1].online


async def test_look_sends_room_and_table_again(scene: Scene) -> None:
    ann, *_ = await dealt(scene)
    before = ann.table
    await done(ann, wire.Look())
    assert ann.table.seq > before.seq
    assert ann.table.mine == before.mine
    assert ann.table.events == []


async def test_a_closed_room_shuts_its_door(scene: Scene) -> None:
    ann, *_ = await gathered(scene)
    room = scene.host.rooms[ann.room]
    await room.close()
    eve = await scene.connect("eve", ann.room)
    assert eve.closed is not None
    assert eve.closed[0] == Refusal.NO_SUCH_ROOM
    assert eve.frames == []
    assert (await scene.store.room(ann.room)).closed_at is not None


async def test_a_room_has_limits(scene: Scene) -> None:
    ann, *_ = await gathered(scene)
    guests = [await scene.connect(f"guest {n}", ann.room) for n in range(57)]
    assert guests[55].closed is None
    assert guests[56].closed is not None
    assert guests[56].closed[0] == Refusal.BUSY
    await ann.drop()
    back = await scene.connect("ann", ann.room)
    assert back.closed is None, "there is always room for who sits at the table"


async def test_ping_is_answered(scene: Scene) -> None:
    ann, *_ = await gathered(scene)
    await ann.send(wire.Ping(ref=5))
    assert ann.messages[-1] == wire.Pong(ref=5)


async def test_numbers_of_what_a_player_is_sent_ascend(scene: Scene) -> None:
    clients = await dealt(scene, rules={"hands": 1})
    await play_match(scene, clients)
    for client in clients:
        numbers = [message.seq for message in client.messages if hasattr(message, "seq")]
        assert numbers == list(range(numbers[0], numbers[0] + len(numbers)))
