"""How tests sit down, act, look and play on."""

from collections.abc import Callable
from functools import cache
from random import Random
from typing import Any

import pytest
from msgspec import structs, to_builtins

from hainan import wire
from hainan.bots.policies import Policy
from hainan.bots.seats import Bot
from hainan.engine.jit import COMPILED
from hainan.rules.options import Rules
from hainan.server.live import LiveHand
from hainan.server.store import Match
from hainan.server.talk import Room
from hainan.shuffle import Deal, Shuffle
from hainan.wire import Stage
from tests.server.scene import Client, Scene
from tests.stack import stacked_wall

NAMES = ["ann", "bob", "cyd", "dee"]


# ---------------------------------------------------------------- sitting down


async def gathered(
    scene: Scene, names: list[str] | None = None, bots: int = 0, **settings: Any
) -> list[Client]:
    """A room with these players seated and connected; the first owns it."""
    names = NAMES if names is None else names
    code = await scene.room(names, bots, **settings)
    return [await scene.connect(name, code) for name in names]


async def ready(clients: list[Client], nonce: str = "nonce of {}") -> None:
    """Everybody who isn't yet says that he is ready."""
    for client in clients:
        if not client.room_view.chairs[client.room_view.you].ready:
            await client.send(wire.Ready(nonce=nonce.format(client.player)))


async def dealt(scene: Scene, names: list[str] | None = None, bots: int = 0, **settings: Any) -> list[Client]:
    """The same, with a match begun and its first hand dealt."""
    clients = await gathered(scene, names, bots, **settings)
    await clients[0].send(wire.Start())
    await ready(clients)
    return clients


async def in_turn(
    scene: Scene, names: list[str] | None = None, bots: int = 0, **settings: Any
) -> list[Client]:
    """The same without ga: the dealer's turn has begun."""
    rules = {"preset": "hainan", "ga": False} | settings.pop("rules", {})
    return await dealt(scene, names, bots, rules=rules, **settings)


def room_of(client: Client) -> Room:
    """The room itself, for what nobody is told."""
    return client.scene.host.rooms[client.room]


def hand_of(client: Client) -> LiveHand:
    hand = room_of(client).hand
    assert hand is not None
    return hand


# ---------------------------------------------------------------- acting


async def answers(client: Client, command: Any) -> list[Any]:
    """What a command brings its sender."""
    before = len(client.messages)
    await client.send(command)
    return client.messages[before:]


async def refused(client: Client, command: Any) -> wire.Refused:
    """The refusal of a command, which changed nothing of the room."""
    room = room_of(client)
    before = world(room)
    got = await answers(client, structs.replace(command, ref=77))
    refusals = [message for message in got if isinstance(message, wire.Refused)]
    assert len(refusals) == 1, got
    assert refusals[0].ref == 77
    assert world(room) == before
    return refusals[0]


async def done(client: Client, command: Any) -> None:
    """A command that is carried out."""
    got = await answers(client, structs.replace(command, ref=78))
    assert [message for message in got if isinstance(message, wire.Refused)] == []
    assert wire.Done(ref=78) in got


def world(room: Room) -> tuple[Any, ...]:
    """Everything that a refused command must leave alone."""
    hand = room.hand
    offers = {} if hand is None else {seat: structs_of(offer) for seat, offer in hand.offers.items()}
    table = None if hand is None else hand.table.snapshot()
    return room.state.to_json(), table, offers, room.open_votes()


def structs_of(offer: Any) -> tuple[float, ...]:
    return offer.number, offer.since, offer.seconds, offer.bank


def asked(clients: list[Client]) -> list[Client]:
    """Who has something to decide."""
    return [client for client in clients if client.table and client.table.mine.offer is not None]


async def act(client: Client, action: str | None = None) -> list[Any]:
    """Answer an offer, with the last legal action if no other is named."""
    mine = client.table.mine
    return await answers(client, wire.Act(offer=mine.offer, action=action or mine.legal[-1]))


@cache
def greedy() -> Bot:
    return Bot(Policy.GREEDY)


def chosen(client: Client, seed: int) -> str:
    """A legal action that depends on what the seat sees and on nothing else: often a good one, so that hands
    are won, else any."""
    mine, table = client.table.mine, client.table.table
    known = (
        f"{seed} {client.table.hand} {mine.seat} {mine.hand} {table.phase} {table.order} {table.remaining}"
    )
    rng = Random(known)
    if COMPILED and rng.random() < 0.8 and table.phase != "ga":
        return greedy().choose(hand_of(client).table, mine.seat).text
    return "win" if "win" in mine.legal else rng.choice(mine.legal)


async def step(scene: Scene, clients: list[Client], seed: int = 0) -> Client | None:
    """One decision of the first who is asked, else the next thing on the agenda; who decided."""
    if not (waiting := asked(clients)):
        await scene.tick()
        return None
    await act(waiting[0], chosen(waiting[0], seed))
    return waiting[0]


async def play_until(
    scene: Scene, clients: list[Client], wanted: Callable[[], bool], seed: int = 0, most: int = 5000
) -> None:
    """Play on, hand after hand, until something is so."""
    for _ in range(most):
        if wanted():
            return
        if clients[0].room_view.stage == Stage.BETWEEN:
            await ready(clients)
        else:
            await step(scene, clients, seed)
    raise AssertionError("it never came to that")


async def play_hand(scene: Scene, clients: list[Client], seed: int = 0) -> None:
    """To the end of the present hand."""
    n = clients[0].table.hand
    await play_until(scene, clients, lambda: over(clients[0], n), seed)


def over(client: Client, n: int) -> bool:
    """Whether a hand has ended and its end was shown."""
    return client.table.hand > n or client.table.table.phase == "over"


async def play_match(scene: Scene, clients: list[Client], seed: int = 0) -> None:
    """To the end of the match."""
    await play_until(scene, clients, lambda: clients[0].room_view.stage == Stage.OPEN, seed)


async def go_on(scene: Scene, clients: list[Client]) -> None:
    """To the end of the match; uncompiled, which takes long, for a few more tiles."""
    if COMPILED:
        await play_match(scene, clients)
    else:
        tiles = len(clients[0].table.table.order) + 6
        await play_until(scene, clients, lambda: len(clients[0].table.table.order) >= tiles)


async def sit_out(scene: Scene, client: Client, seconds: float = 20_000.0) -> None:
    """Let time alone play the match to its end; fails where the table stands still."""
    until, ticks = scene.clock.now() + seconds, 0
    while client.room_view.stage != Stage.OPEN:
        assert (ticks := ticks + 1) < 5000, "this goes round in circles"
        when = scene.clock.next_time()
        assert when is not None, "nothing will ever happen at this table"
        assert when < until, "this takes too long"
        await scene.tick()


# ---------------------------------------------------------------- looking


def seen(client: Client) -> dict[str, Any]:
    """Table and hand as a seat sees them, without what time and messages alone change."""
    message = to_builtins(client.table)
    mine = message.get("mine", {})
    asked_now = mine.pop("offer", None) is not None
    mine.pop("seconds", None)
    return {"hand": message["hand"], "table": message["table"], "mine": mine, "asked": asked_now}


def bills(client: Client) -> list[dict[str, Any]]:
    """The bill of every hand that this client saw the end of."""
    ends: dict[tuple[str, int], dict[str, Any]] = {}
    for message in client.messages:
        if isinstance(message, wire.Table) and message.table.end is not None:
            ends[message.match, message.hand] = message.table.end
    return list(ends.values())


async def stored_match(client: Client) -> Match:
    match = await client.scene.store.match(client.room_view.match)
    assert match is not None
    return match


async def records(client: Client) -> list[dict[str, Any]]:
    """Every stored record of the last match, in order."""
    match = client.room_view.match
    hands = await client.scene.store.hands(match)
    found = [await client.scene.store.record(match, hand.n) for hand in hands]
    return [record for record in found if record is not None]


# ---------------------------------------------------------------- set up by hand


class Timed:
    """A client's ear that remembers when it heard what."""

    def __init__(self, client: Client) -> None:
        self.client = client
        self.heard: list[tuple[float, bytes]] = []
        client.scene.exchange.connect(client.connection, self._deliver, client.close)

    def _deliver(self, message: bytes) -> None:
        self.heard.append((self.client.scene.clock.now(), bytes(message)))
        self.client.deliver(message)


def stack(monkeypatch: pytest.MonkeyPatch, hands: list[str], draws: str = "", seed: int = 0) -> None:
    """Every hand is dealt from this wall; seat 0 deals."""

    def deal(self: Shuffle, rules: Rules, players: int = 4) -> Deal:
        return Deal(tuple(stacked_wall(rules, players, hands, draws, seed=seed)), (1, 1), (2, 3), 0)

    monkeypatch.setattr(Shuffle, "deal", deal)


async def vote(clients: list[Client], ballot: wire.Ballot) -> None:
    """All want the same."""
    for client in clients:
        await client.send(wire.Vote(on=ballot))
