"""A stage for tests: rooms with a real store, a clock that is fed, and clients that are lists of messages."""

import asyncio
import heapq
from collections.abc import Callable
from itertools import count
from random import Random
from typing import Any

from hainan import wire
from hainan.server.exchange import Attach, Detach, Envelope, LocalExchange
from hainan.server.host import Host
from hainan.server.metrics import Metrics
from hainan.server.room import Surroundings
from hainan.server.state import Seat, opening_state
from hainan.server.store import Store
from hainan.shuffle import Shuffle


class FakeTimer:
    def __init__(self, callback: Callable[[], None]) -> None:
        self.callback: Callable[[], None] | None = callback

    def cancel(self) -> None:
        self.callback = None


class FakeClock:
    """Time that stands still until a test moves it."""

    def __init__(self, now: float = 1000.0) -> None:
        self.time = now
        self._heap: list[tuple[float, int, FakeTimer]] = []
        self._numbers = count()

    def now(self) -> float:
        return self.time

    def wall_ms(self) -> int:
        return 1_700_000_000_000 + round(self.time * 1000)

    def call_at(self, when: float, callback: Callable[[], None]) -> FakeTimer:
        timer = FakeTimer(callback)
        heapq.heappush(self._heap, (when, next(self._numbers), timer))
        return timer

    def next_time(self) -> float | None:
        while self._heap and self._heap[0][2].callback is None:
            heapq.heappop(self._heap)
        return self._heap[0][0] if self._heap else None

    def fire(self) -> None:
        """Go to the next timer and let it ring."""
        when, _, timer = heapq.heappop(self._heap)
        self.time = max(self.time, when)
        if timer.callback is not None:
            timer.callback()


class Client:
    """One connection of one player: what was sent to it, as bytes and as messages."""

    def __init__(self, scene: "Scene", player: str, room: str, connection: str) -> None:
        self.scene, self.player, self.room, self.connection = scene, player, room, connection
        self.frames: list[bytes] = []
        self.messages: list[Any] = []
        self._last: dict[type, Any] = {}
        self.closed: tuple[wire.Refusal, str] | None = None

    def deliver(self, message: bytes) -> None:
        self.frames.append(bytes(message))
        self.messages.append(wire.decode_message(message))
        self._last[type(self.messages[-1])] = self.messages[-1]

    def close(self, code: wire.Refusal, why: str) -> None:
        self.closed = (code, why)

    def last(self, kind: type) -> Any:
        return self._last.get(kind)

    @property
    def table(self) -> wire.Table:
        return self.last(wire.Table)

    @property
    def room_view(self) -> wire.Room:
        return self.last(wire.Room)

    async def send(self, command: Any) -> None:
        self.post(command)
        await self.scene.settle()

    def post(self, command: Any) -> None:
        envelope = Envelope(self.room, self.connection, self.player, self.player.title(), command)
        self.scene.exchange.post(envelope)

    async def drop(self) -> None:
        self.scene.exchange.disconnect(self.connection)
        await self.send(Detach())


class Scene:
    """Rooms, their store and their clock."""

    def __init__(self, store: Store, seed: int = 0, generation: int = 1) -> None:
        self.store, self.seed = store, seed
        self.clock = FakeClock()
        self.exchange = LocalExchange()
        self.metrics = Metrics()
        self._shuffles = count(seed * 1000)
        self._connections = count()
        self.host = Host(self.surroundings(generation))
        self.exchange.serve(self.host.route)

    def surroundings(self, generation: int) -> Surroundings:
        return Surroundings(
            self.store,
            self.exchange,
            self.clock,
            self.metrics,
            generation,
            Random(self.seed),
            Random(self.seed + 1),
            lambda: Shuffle.from_number(next(self._shuffles)),
        )

    async def room(self, players: list[str], bots: int = 0, **settings: Any) -> str:
        """A room with these players seated, the first of whom owns it."""
        sheet = wire.Settings(**{"players": len(players) + bots} | settings)
        seats = [Seat(player=name, name=name.title()) for name in players]
        seats += [Seat(bot="greedy") for _ in range(bots)]
        state = opening_state(sheet, players[0] if players else "owner", seats)
        at = self.clock.wall_ms()
        return await self.store.create_room(state.owner, sheet.listed, state.to_json(), at)

    async def connect(self, player: str, room: str) -> Client:
        client = Client(self, player, room, f"c{next(self._connections)}")
        self.exchange.connect(client.connection, client.deliver, client.close)
        await client.send(Attach())
        return client

    async def settle(self) -> None:
        """Until every room has handled everything."""
        await self.host.loaded()
        await asyncio.sleep(0)
        for room in list(self.host.rooms.values()):
            await room.settled()

    async def tick(self) -> None:
        """To the next thing on any agenda."""
        self.clock.fire()
        await self.settle()

    async def advance(self, seconds: float) -> None:
        """Let time pass, and happen what is due in it."""
        until = self.clock.time + seconds
        while (when := self.clock.next_time()) is not None and when <= until:
            await self.tick()
        self.clock.time = until
        await self.settle()

    async def stop(self) -> None:
        await self.host.park()


async def begin(scene: Scene, room: str, names: list[str]) -> list[Client]:
    """Connect the players, start the match, and have everybody ready."""
    clients = [await scene.connect(name, room) for name in names]
    await clients[0].send(wire.Start())
    for client in clients:
        await client.send(wire.Ready(nonce=f"nonce of {client.player}"))
    return clients


async def play_on(scene: Scene, clients: list[Client], rng: Random, steps: int = 10**6) -> int:
    """Answer offers at random, let time pass where none is open, until the hand is over; how many."""
    taken = 0
    while taken < steps:
        asked = [client for client in clients if client.table.mine and client.table.mine.offer is not None]
        if asked:
            client = rng.choice(asked)
            mine = client.table.mine
            await client.send(wire.Act(offer=mine.offer, action=rng.choice(mine.legal)))
            taken += 1
        elif clients[0].table.table.phase == "over":
            break
        else:
            await scene.tick()
    return taken


def run(scenario: Callable[[Scene], Any], url: str, seed: int = 0) -> Any:
    """Play a scenario on a fresh store."""

    async def main() -> Any:
        store = await Store.open(url)
        scene = Scene(store, seed)
        try:
            return await scenario_of(scene)
        finally:
            await scene.stop()
            await store.close()

    scenario_of = scenario
    return asyncio.run(main())
