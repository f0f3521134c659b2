"""A server that is stopped anywhere goes on as if it had never been: compared with a twin that wasn't."""

from collections.abc import AsyncIterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from hainan import wire
from hainan.server.store import Store
from hainan.wire import Ballot, Stage
from tests.conftest import amount
from tests.server.rooms.play import (
    NAMES,
    act,
    asked,
    bills,
    chosen,
    dealt,
    done,
    gathered,
    hand_of,
    in_turn,
    play_hand,
    play_match,
    play_until,
    ready,
    records,
    room_of,
    seen,
    vote,
)
from tests.server.scene import Client, Scene

pytestmark = pytest.mark.anyio


@dataclass
class World:
    """A table and who sits at it."""

    scene: Scene
    clients: list[Client]
    generation: int = 1

    async def restart(self) -> None:
        """Stop everything, and start again on what is stored."""
        await self.scene.stop()
        self.generation += 1
        before = self.scene
        self.scene = Scene(before.store, before.seed, self.generation)
        self.scene._shuffles = before._shuffles
        self.scene.clock.time = before.clock.time
        await self.scene.host.resume()
        numbers = {client.player: last_number(client) for client in self.clients}
        self.clients = [await self.scene.connect(client.player, client.room) for client in self.clients]
        for client in self.clients:
            assert min(message.seq for message in client.messages) > numbers[client.player]

    async def settle(self) -> None:
        """Let time pass until somebody is asked."""
        while not asked(self.clients) and self.clients[0].room_view.stage == Stage.PLAYING:
            await self.scene.tick()

    async def step(self, seed: int) -> None:
        """One decision, or the next hand."""
        if self.clients[0].room_view.stage == Stage.BETWEEN:
            await ready(self.clients)
        elif waiting := asked(self.clients):
            client = waiting[seed % len(waiting)]
            await act(client, chosen(client, seed))
        await self.settle()

    @property
    def over(self) -> bool:
        return self.clients[0].room_view.stage == Stage.OPEN


def last_number(client: Client) -> int:
    return max(message.seq for message in client.messages if hasattr(message, "seq"))


def rooms(client: Client) -> dict[str, Any]:
    """The room as told, without what a restart is allowed to change."""
    view = client.room_view
    return {
        name: getattr(view, name)
        for name in ("owner", "settings", "digest", "stage", "chairs", "you", "hand", "commitment", "totals")
    }


@pytest.fixture
async def worlds(tmp_path: Path, anyio_backend: str) -> AsyncIterator[list[Scene]]:
    """Two scenes with the same seeds, on two databases."""
    stores = [await Store.open(f"sqlite:///{tmp_path / name}.sqlite3") for name in ("twin", "stopped")]
    yield [Scene(store) for store in stores]
    for store in stores:
        await store.close()


async def compared(scenes: list[Scene], people: int, seed: int, every: int = 1, **rules: Any) -> list[World]:
    """Play a match in both worlds; one of them is stopped after every so many decisions."""
    sheet = {"preset": "hainan"} | rules
    twin, stopped = [
        World(scene, await dealt(scene, NAMES[:people], 4 - people, rules=sheet)) for scene in scenes
    ]
    for world in (twin, stopped):
        await world.settle()
    number = 0
    while not twin.over:
        for world in (twin, stopped):
            await world.step(seed)
        if (number := number + 1) % every == 0 and not stopped.over:
            await stopped.restart()
            await stopped.settle()
        for one, other in zip(twin.clients, stopped.clients, strict=True):
            assert rooms(one) == rooms(other)
            if twin.clients[0].room_view.stage == Stage.PLAYING:
                assert seen(one) == seen(other)
    assert stopped.over
    for world in (twin, stopped):
        await world.scene.stop()
    return [twin, stopped]


async def same_records(twin: World, stopped: World) -> None:
    one, other = await records(twin.clients[0]), await records(stopped.clients[0])
    for key in ("shuffle", "wall", "dice", "dealer", "streak", "ga_floor", "actions", "end", "void"):
        assert [record[key] for record in one] == [record[key] for record in other]
    assert [record["end"] for record in one] == bills(twin.clients[0])


@pytest.mark.parametrize("seed", range(amount(2, 1, 20)))
async def test_a_hand_that_is_stopped_after_every_decision_ends_the_same(worlds, seed: int) -> None:
    await same_records(*await compared(worlds, 4, seed, every=amount(1, 5), hands=1))


@pytest.mark.parametrize("preset", ["hainan-classic", "lingao"][: amount(2, 1)])
async def test_a_match_that_is_stopped_now_and_then_ends_the_same(worlds, preset: str) -> None:
    await same_records(*await compared(worlds, 4, 3, every=7, hands=amount(3, 1), preset=preset))


@pytest.mark.parametrize("people", [3, 2, 1][: amount(3, 1)])
async def test_tables_with_bots_too(worlds, people: int) -> None:
    await same_records(*await compared(worlds, people, 5, every=amount(2, 9), hands=1))


# ---------------------------------------------------------------- one by one


async def restarted(scene: Scene, clients: list[Client]) -> World:
    world = World(scene, clients)
    await world.restart()
    return world


async def test_a_tile_that_was_just_laid_goes_on_at_once(scene: Scene) -> None:
    clients = await in_turn(scene)
    (dealer,) = asked(clients)
    await act(dealer)
    world = await restarted(scene, clients)
    assert world.clients[0].table.table.order == str(dealer.room_view.you)
    assert asked(world.clients)
    await world.scene.stop()


async def test_banks_lose_nothing(scene: Scene) -> None:
    clients = await in_turn(scene, turn_seconds=10, bank_seconds=15)
    (dealer,) = asked(clients)
    seat = dealer.room_view.you
    await scene.advance(14)
    await act(dealer)
    await scene.advance(1)
    world = await restarted(scene, clients)
    assert hand_of(world.clients[0]).banks == [11 if other == seat else 15 for other in range(4)]
    assert asked(world.clients)[0].table.mine.seconds in (10, 20)
    await world.scene.stop()


async def test_nonces_that_were_sent_before_a_stop_count(scene: Scene) -> None:
    clients = await gathered(scene)
    await clients[0].send(wire.Start())
    commitment = clients[0].room_view.commitment
    await done(clients[0], wire.Ready(nonce="before"))
    world = await restarted(scene, clients)
    assert world.clients[0].room_view.commitment == commitment
    assert [chair.ready for chair in world.clients[0].room_view.chairs] == [True, False, False, False]
    await ready(world.clients, "after")
    assert world.clients[0].room_view.stage == Stage.PLAYING
    await play_match_of(world, 1)
    (record, *_) = await records(world.clients[0])
    assert record["shuffle"]["nonces"] == ["before", "after", "after", "after"]
    await world.scene.stop()


async def play_match_of(world: World, hands: int) -> None:
    for _ in range(hands):
        await play_hand(world.scene, world.clients)


async def test_between_hands_the_next_one_still_begins_by_itself(scene: Scene) -> None:
    clients = await in_turn(scene, rules={"hands": 2})
    await play_hand(scene, clients)
    world = await restarted(scene, clients)
    assert world.clients[0].room_view.stage == Stage.BETWEEN
    await world.scene.advance(31)
    assert world.clients[0].table.hand == 1
    await world.scene.stop()


async def test_all_were_ready_but_the_deal_wasnt_stored(scene: Scene) -> None:
    clients = await gathered(scene, next_hand_seconds=0)
    await clients[0].send(wire.Start())
    for client in clients[:3]:
        await client.send(wire.Ready())
    room = room_of(clients[0])
    draft = room.draft()
    draft.seats[3].nonce = ""
    await room.commit(draft)
    world = await restarted(scene, clients)
    await world.scene.advance(0)
    assert world.clients[0].room_view.stage == Stage.PLAYING
    await world.scene.stop()


async def test_a_paused_table_is_paused_again(scene: Scene) -> None:
    clients = await in_turn(scene)
    await vote(clients[:3], Ballot.PAUSE)
    world = await restarted(scene, clients)
    assert world.clients[0].room_view.stage == Stage.PAUSED
    await world.scene.advance(500)
    await done(world.clients[1], wire.Resume())
    assert world.clients[1].room_view.stage == Stage.PLAYING
    assert asked(world.clients)[0].table.mine.seconds == 20
    await world.scene.stop()


async def test_auto_play_and_stand_ins_go_on(scene: Scene) -> None:
    clients = await in_turn(scene, rules={"hands": 1})
    await done(clients[0], wire.Auto(on=True))
    await done(clients[1], wire.Leave())
    world = await restarted(scene, clients)
    chairs = world.clients[2].room_view.chairs
    assert chairs[0].auto
    assert chairs[1].bot == "normal"
    await play_match(world.scene, world.clients[2:])
    await world.scene.stop()


async def test_a_finished_match_stays_finished(scene: Scene) -> None:
    clients = await in_turn(scene, rules={"hands": 1})
    await play_match(scene, clients)
    totals = clients[0].room_view.totals
    world = await restarted(scene, clients)
    assert world.scene.host.rooms[clients[0].room].state.stage == Stage.OPEN
    assert world.clients[0].room_view.totals == totals
    await done(world.clients[0], wire.Start())
    await world.scene.stop()


async def test_spectators_see_a_hand_that_was_interrupted(scene: Scene) -> None:
    clients = await in_turn(scene, rules={"hands": 2}, spectators=True)
    await play_until(scene, clients, lambda: len(clients[0].table.table.order) == 5)
    world = await restarted(scene, clients)
    wes = await world.scene.connect("wes", clients[0].room)
    await wes.send(wire.Watch())
    began = world.scene.clock.now()
    await play_hand(world.scene, world.clients)
    took = world.scene.clock.now() - began
    await world.scene.advance(took + 60)
    assert wes.table.table.phase == "over"
    await world.scene.stop()


async def test_what_is_late_twice_is_so_over_a_stop(scene: Scene) -> None:
    clients = await in_turn(scene, bank_seconds=0, turn_seconds=5)
    (dealer,) = asked(clients)
    seat = dealer.room_view.you
    others = [client for client in clients if client is not dealer]
    await scene.advance(5.1)
    await play_until(scene, others, lambda: dealer in asked(clients) and dealer.table.table.turn == seat)
    world = await restarted(scene, clients)
    await world.scene.advance(5.1)
    assert world.clients[seat].room_view.chairs[seat].auto
    await world.scene.stop()
