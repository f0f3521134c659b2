"""Something breaks: whoever asked for it is told, nothing has changed, and the table goes on to its end."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from structlog.testing import capture_logs

from hainan import wire
from hainan.bots.seats import Bot
from hainan.server.exchange import NOBODY, Attach, Detach, Envelope, Gone
from hainan.server.live import LiveHand
from hainan.server.store import StorageError
from hainan.server.talk import Room
from hainan.wire import Ballot, Notice, Refusal, Stage
from tests.conftest import amount
from tests.server.rooms.play import (
    NAMES,
    act,
    answers,
    asked,
    bills,
    dealt,
    done,
    gathered,
    go_on,
    hand_of,
    in_turn,
    play_hand,
    play_match,
    play_until,
    ready,
    records,
    refused,
    room_of,
    sit_out,
    stored_match,
    vote,
    world,
)
from tests.server.scene import Client, Scene

pytestmark = [pytest.mark.anyio, pytest.mark.usefixtures("short_hands")]

SHORT: dict[str, Any] = {"preset": "hainan", "hands": 1}
COMMANDS = {
    wire.Ping: wire.Ping(),
    wire.Look: wire.Look(),
    wire.Sit: wire.Sit(),
    wire.Leave: wire.Leave(),
    wire.Watch: wire.Watch(),
    wire.AddBot: wire.AddBot(),
    wire.Kick: wire.Kick(seat=1),
    wire.HandOver: wire.HandOver(seat=1),
    wire.Change: wire.Change(settings=wire.Settings()),
    wire.Start: wire.Start(),
    wire.Ready: wire.Ready(),
    wire.Act: wire.Act(offer=1, action="pass"),
    wire.Auto: wire.Auto(on=True),
    wire.Advise: wire.Advise(),
    wire.Resume: wire.Resume(),
    wire.Vote: wire.Vote(on=Ballot.END),
    wire.Say: wire.Say(phrase="hello"),
    wire.Mute: wire.Mute(seat=1),
}
DUE: list[Any] = [
    "show",
    "next",
    ("late", 1),
    ("move", 3),
    "resume",
    "film",
    ("vote", "end"),
    "void",
    "unused",
    ("recount", "end"),
]


@pytest.fixture(autouse=True)
def logged() -> Iterator[list[Any]]:
    """What is logged, unprinted."""
    with capture_logs() as entries:
        yield entries


def broken(times: int = 1) -> Callable[..., Any]:
    """A handler that breaks so many times."""
    left = times

    async def handler(room: Room, envelope: Any, command: Any) -> None:
        nonlocal left
        if left:
            left -= 1
            raise RuntimeError("broken for a test")
        await original[type(command)](room, envelope, command)

    original = dict(Room.handlers)
    return handler


def test_every_command_is_broken_here() -> None:
    assert set(Room.handlers) == set(COMMANDS) | {Attach, Detach, Gone}


@pytest.mark.parametrize("kind", COMMANDS, ids=lambda kind: kind.__name__)
async def test_a_broken_handler_changes_nothing(scene: Scene, monkeypatch, kind: type) -> None:
    clients = await in_turn(scene, ["ann"], bots=3, rules=SHORT)
    monkeypatch.setitem(Room.handlers, kind, broken())
    assert (await refused(clients[0], COMMANDS[kind])).code == Refusal.INTERNAL
    await go_on(scene, clients)


@pytest.mark.parametrize("kind", [Attach, Detach])
async def test_a_broken_greeting_or_parting_keeps_the_table_going(scene: Scene, monkeypatch, kind) -> None:
    clients = await in_turn(scene, rules=SHORT)
    before = world(room_of(clients[0]))
    monkeypatch.setitem(Room.handlers, kind, broken())
    eve = await scene.connect("eve", clients[0].room)
    await eve.drop()
    if kind is Attach:
        assert [message.code for message in eve.messages] == [Refusal.INTERNAL]
    assert world(room_of(clients[0])) == before
    await go_on(scene, clients)


async def test_a_deletion_that_breaks_keeps_the_table_going(scene: Scene, monkeypatch) -> None:
    clients = await in_turn(scene, rules=SHORT)
    before = world(room_of(clients[0]))
    monkeypatch.setitem(Room.handlers, Gone, broken())
    scene.exchange.post(Envelope(clients[0].room, NOBODY, "bob", "", Gone()))
    await scene.settle()
    assert world(room_of(clients[0])) == before
    await go_on(scene, clients)


async def eventful(scene: Scene, clients: list[Client], wes: Client) -> None:
    """Everything on the agenda comes: bob is late, a bot plays, a vote and a pause run out."""
    await wes.send(wire.Watch())
    ann, _bob, cyd = clients
    await ann.send(wire.Vote(on=Ballot.END))
    await scene.advance(31)
    await scene.advance(20)
    await vote([ann, cyd], Ballot.PAUSE)
    await scene.advance(901)
    await play_until(
        scene, [ann, cyd], lambda: clients[0].room_view.hand == 1 or ann.room_view.stage == Stage.OPEN
    )
    await scene.advance(31)
    await play_until(scene, [ann, cyd], lambda: ann.room_view.stage == Stage.OPEN)
    await scene.advance(3000)


@pytest.mark.parametrize("key", DUE[:: amount(1, 5)], ids=str)
async def test_what_breaks_when_it_is_due_is_tried_again(scene: Scene, monkeypatch, key) -> None:
    broke = []
    on_due = Room.on_due

    async def breaking(room: Room, due: Any) -> None:
        if due == key and len(broke) < 2:
            broke.append(due)
            raise RuntimeError("broken for a test")
        await on_due(room, due)

    monkeypatch.setattr(Room, "on_due", breaking)
    rules = {"preset": "lingao", "hands": 2}
    clients = await dealt(
        scene, NAMES[:3], bots=1, rules=rules, spectators=True, bank_seconds=0, turn_seconds=5
    )
    wes = await scene.connect("wes", clients[0].room)
    if key in ("void", "unused", ("recount", "end")):  # what comes of nothing that happens here
        room_of(clients[0]).agenda.set(key, scene.clock.now())
    await eventful(scene, clients, wes)
    assert broke == [key] * 2
    assert (await stored_match(clients[0])).how == "length"
    kept = [record for record in await records(clients[0]) if not record["void"]]
    assert [record["end"] for record in kept] == bills(clients[0])
    assert len(kept) == 2
    assert wes.table.table.phase == "over"


# ---------------------------------------------------------------- a hand that can't go on


async def test_faults_again_and_again_void_the_hand(scene: Scene, monkeypatch) -> None:
    hands = amount(3, 2)
    clients = await dealt(scene, ["ann", "bob", "cyd"], bots=1, rules={"preset": "hainan", "hands": hands})
    await play_hand(scene, clients)
    await ready(clients)
    await play_until(scene, clients, lambda: len(clients[0].table.table.order) > 5)
    totals, place = clients[0].room_view.totals, hand_of(clients[0]).place
    first, commitment = clients[0].room_view.hand, clients[0].room_view.commitment
    monkeypatch.setitem(Room.handlers, wire.Look, broken(3))
    for _ in range(3):
        (no, *_) = await answers(clients[1], wire.Look())
        assert no.code == Refusal.INTERNAL
    for client in clients:
        assert client.last(wire.Told).notice == Notice.VOID
        assert client.room_view.stage == Stage.BETWEEN
        assert client.room_view.hand == first + 1
        assert client.room_view.totals == totals
        assert client.room_view.commitment != commitment
    await ready(clients)
    assert hand_of(clients[0]).place == place, "the same place of the match, dealt anew"
    await play_match(scene, clients)
    match = await stored_match(clients[0])
    kept = await records(clients[0])
    assert [record["void"] for record in kept] == [False, True, *[False] * (hands - 1)]
    counted = [record["end"]["payments"] for record in kept if not record["void"]]
    assert match.totals == [sum(points) for points in zip(*counted, strict=True)]
    assert match.how == "length"


async def test_faults_of_different_hands_are_not_added_up(scene: Scene, monkeypatch) -> None:
    clients = await dealt(scene, rules={"preset": "hainan", "hands": 2})
    monkeypatch.setitem(Room.handlers, wire.Look, broken(4))
    for _ in range(2):
        await clients[1].send(wire.Look())
    await play_hand(scene, clients)
    await ready(clients)
    for _ in range(2):
        await clients[1].send(wire.Look())
    assert all(client.last(wire.Told) is None for client in clients)
    await play_match(scene, clients)


async def test_a_paused_hand_that_breaks_is_dealt_anew(scene: Scene, monkeypatch) -> None:
    clients = await in_turn(scene, rules=SHORT)
    await vote(clients[:3], Ballot.PAUSE)
    monkeypatch.setitem(Room.handlers, wire.Look, broken(3))
    for _ in range(3):
        await clients[1].send(wire.Look())
    assert clients[0].room_view.stage == Stage.BETWEEN
    await ready(clients)
    await play_match(scene, clients)


@pytest.mark.parametrize("played", [False, True])
async def test_faults_without_a_match_leave_a_room_alone(scene: Scene, monkeypatch, played: bool) -> None:
    clients = await (in_turn if played else gathered)(scene, rules=SHORT)
    if played:
        await play_match(scene, clients)
    before = room_of(clients[0]).state.to_json()
    monkeypatch.setitem(Room.handlers, wire.Look, broken(7))
    for _ in range(7):
        await clients[1].send(wire.Look())
    await scene.advance(100)
    assert room_of(clients[0]).state.to_json() == before
    assert scene.clock.next_time() is None, "nothing is tried again and again"
    await done(clients[0], wire.Start())


# ---------------------------------------------------------------- deep inside

INSIDE = [
    (Room, "tell_table"),
    (Room, "tell_seat"),
    (LiveHand, "turn_time"),
    (Room, "plan"),
    (Room, "_shown"),
    (Room, "_settled"),
    (Room, "live"),
    (Room, "_commitment"),
    (Room, "tell_room"),
    (Room, "saved"),
    (LiveHand, "take"),
    (LiveHand, "after"),
    (LiveHand, "look_on"),
    (LiveHand, "public"),
    (LiveHand, "mine"),
    (LiveHand, "hint_rows"),
    (LiveHand, "offer"),
    (Bot, "choose"),
]


@pytest.mark.parametrize("at", [0, 9, 1, 40][: amount(2, 1, 4)])
@pytest.mark.parametrize(
    ("owner", "name"), INSIDE[:: amount(1, 9)], ids=lambda part: getattr(part, "__name__", part)
)
async def test_wherever_it_breaks_the_table_never_stands_still(
    scene: Scene, monkeypatch, owner: type, name: str, at: int
) -> None:
    """After a fault anywhere inside, time alone brings the match to a proper end."""
    clients = await dealt(scene, ["ann", "bob"], bots=2, rules=SHORT, turn_seconds=3, claim_seconds=3)
    original, calls = getattr(owner, name), 0

    def breaking(*arguments: Any, **named: Any) -> Any:
        nonlocal calls
        calls += 1
        if calls == at + 1:
            raise RuntimeError("broken for a test")
        return original(*arguments, **named)

    monkeypatch.setattr(owner, name, breaking)
    await sit_out(scene, clients[0])
    match = await stored_match(clients[0])
    assert match.how == "length"
    kept = [record for record in await records(clients[0]) if not record["void"]]
    assert [record["end"]["payments"] for record in kept] == [match.totals]


# ---------------------------------------------------------------- storage


class Failing:
    """A store whose commits fail while it is told to; or that does as it was asked, and fails then."""

    def __init__(self, scene: Scene) -> None:
        self.on = self.afterwards = False
        self.calls, self._commit = 0, scene.store.commit
        scene.store.commit = self.commit

    async def commit(self, *writes: Any) -> None:
        self.calls += 1
        if self.on and not self.afterwards:
            raise StorageError("no space left for a test")
        await self._commit(*writes)
        if self.on:
            raise StorageError("the connection was lost in a test")


CHANGING = [
    wire.Act(offer=0, action=""),
    wire.Leave(),
    wire.Kick(seat=1),
    wire.HandOver(seat=1),
    wire.Auto(on=True),
]


@pytest.mark.parametrize("command", CHANGING, ids=lambda command: type(command).__name__)
async def test_what_cant_be_stored_is_refused_and_doesnt_happen(scene: Scene, command) -> None:
    clients = await in_turn(scene, ["ann", "bob"], bots=2, rules=SHORT)
    await play_until(scene, clients, lambda: clients[0] in asked(clients))
    if isinstance(command, wire.Act):
        mine = clients[0].table.mine
        command = wire.Act(offer=mine.offer, action=mine.legal[0])
    failing = Failing(scene)
    failing.on = True
    heard = len(clients[1].frames)
    assert (await refused(clients[0], command)).code == Refusal.STORAGE
    assert len(clients[1].frames) == heard, "nobody else is told anything"
    failing.on = False
    await done(clients[0], command)


@pytest.mark.parametrize("command", [wire.AddBot(seat=1), wire.Sit(), wire.Change(settings=wire.Settings())])
async def test_an_open_room_stays_as_it_was_too(scene: Scene, command) -> None:
    clients = await gathered(scene)
    await done(clients[1], wire.Leave())
    sender = clients[1] if isinstance(command, wire.Sit) else clients[0]
    failing = Failing(scene)
    failing.on = True
    assert (await refused(sender, command)).code == Refusal.STORAGE
    failing.on = False
    await done(sender, command)


async def test_a_start_that_cant_be_stored_can_be_repeated(scene: Scene) -> None:
    clients = await gathered(scene)
    failing = Failing(scene)
    failing.on = True
    assert (await refused(clients[0], wire.Start())).code == Refusal.STORAGE
    failing.on = False
    await done(clients[0], wire.Start())
    assert clients[0].room_view.stage == Stage.BETWEEN


@pytest.mark.parametrize("ballot", Ballot)
async def test_a_vote_whose_end_cant_be_stored_can_be_repeated(scene: Scene, ballot: Ballot) -> None:
    clients = await in_turn(scene, ["ann"], bots=3)
    failing = Failing(scene)
    failing.on = True
    assert (await refused(clients[0], wire.Vote(on=ballot))).code == Refusal.STORAGE
    failing.on = False
    await done(clients[0], wire.Vote(on=ballot))


async def test_the_clock_waits_for_the_storage(scene: Scene) -> None:
    clients = await in_turn(scene, rules=SHORT, bank_seconds=0)
    failing = Failing(scene)
    failing.on = True
    await scene.advance(60)
    assert hand_of(clients[0]).table.actions == []
    assert failing.calls > 30
    failing.on = False
    await scene.advance(1.1)
    assert hand_of(clients[0]).table.n_actions >= 1
    await sit_out(scene, clients[0])


@pytest.mark.parametrize("seconds", [0, 30])
async def test_a_deal_that_cant_be_stored_is_tried_again(scene: Scene, seconds: int) -> None:
    """The last `ready` is stored, the deal isn't: nobody could bring it about any more."""
    clients = await gathered(scene, next_hand_seconds=seconds)
    await clients[0].send(wire.Start())
    for client in clients[:3]:
        await client.send(wire.Ready())
    failing = Failing(scene)
    commit, calls = scene.store.commit, 0

    async def second_fails(*writes: Any) -> None:
        nonlocal calls
        calls += 1
        failing.on = calls == 2
        await commit(*writes)

    scene.store.commit = second_fails
    await done(clients[3], wire.Ready())
    assert clients[0].room_view.stage == Stage.BETWEEN
    assert clients[3].room_view.chairs[3].ready
    await scene.advance(2)
    assert clients[0].room_view.stage == Stage.PLAYING


async def test_the_end_of_a_hand_waits_for_the_storage_and_is_settled_once(scene: Scene) -> None:
    people = amount(2, 4)
    rules = {"preset": "hainan", "hands": amount(2, 1)}
    clients = await in_turn(scene, NAMES[:people], bots=4 - people, rules=rules)
    failing = Failing(scene)
    tried = 0
    while clients[0].room_view.stage != Stage.OPEN:
        failing.on = (tried := tried + 1) % 3 == 0
        if clients[0].room_view.stage == Stage.BETWEEN:
            await ready(clients)
        elif waiting := asked(clients):
            await act(waiting[0])
        else:
            await scene.tick()
    failing.on = False
    match = await stored_match(clients[0])
    assert [record["end"] for record in await records(clients[0])] == bills(clients[0])
    assert match.totals == clients[0].room_view.totals
    codes = {no.code for client in clients for no in client.messages if isinstance(no, wire.Refused)}
    assert codes == {Refusal.STORAGE}


async def test_a_commit_that_was_carried_out_though_it_failed_freezes_nothing(scene: Scene) -> None:
    """A database may lose the connection just after it committed."""
    clients = await in_turn(scene, rules=SHORT)
    failing = Failing(scene)
    failing.on = failing.afterwards = True
    await act(asked(clients)[0])
    failing.on = False
    await sit_out(scene, clients[0])
    (record,) = await records(clients[0])
    assert record["end"]["payments"] == (await stored_match(clients[0])).totals
