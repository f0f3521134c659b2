"""Tables without sockets: real rooms on a real store, whose connections only take bytes.

What one decision costs the processor is measured with them (``python benchmarks/decision.py``), and the
unfinished tables of the cold start are made with them. Time stands still but for what the driver lets pass,
so that no pause is waited for; everything else is as in ``hainan serve``, the rooms' tasks and the writer's
thread included.
"""

import contextlib
import heapq
import random
import sys
import tempfile
import time
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any, Final
from unittest.mock import patch

import uvloop

from hainan import wire
from hainan.server import audience
from hainan.server.accounts import Accounts
from hainan.server.exchange import Attach, Envelope, LocalExchange
from hainan.server.host import Host
from hainan.server.live import LiveHand
from hainan.server.metrics import Metrics
from hainan.server.process import calm_collector
from hainan.server.room import Surroundings
from hainan.server.state import Seat, opening_state
from hainan.server.store import Store
from hainan.server.store.writer import Writer
from hainan.sim import warm

SETTINGS: Final = wire.Settings(
    rules={"preset": "hainan", "hands": 1000},
    turn_seconds=600,
    claim_seconds=120,
    bank_seconds=3600,
    next_hand_seconds=2,
)
CLAIMS: Final = 0.3
"""How often a tile is claimed by who may."""


# ---------------------------------------------------------------- time that is fed


class Alarm:
    """A timer of the still clock."""

    def __init__(self, callback: Callable[[], None]) -> None:
        """Rings once, unless it is cancelled."""
        self.callback: Callable[[], None] | None = callback

    def cancel(self) -> None:
        """Let it not ring."""
        self.callback = None


class StillClock:
    """Time that passes only when it is told to."""

    def __init__(self) -> None:
        """It is now."""
        self.time = 1000.0
        self._alarms: list[tuple[float, int, Alarm]] = []
        self._numbers = count()

    def now(self) -> float:
        """Seconds."""
        return self.time

    def wall_ms(self) -> int:
        """UTC in milliseconds."""
        return 1_700_000_000_000 + round(self.time * 1000)

    def call_at(self, when: float, callback: Callable[[], None]) -> Alarm:
        """Ring at a time."""
        alarm = Alarm(callback)
        heapq.heappush(self._alarms, (when, next(self._numbers), alarm))
        return alarm

    def pass_by(self, seconds: float) -> None:
        """Let time pass, and ring what is due."""
        self.time += seconds
        while self._alarms and self._alarms[0][0] <= self.time:
            alarm = heapq.heappop(self._alarms)[2]
            if alarm.callback is not None:
                alarm.callback()


# ---------------------------------------------------------------- rooms without sockets


class Ear:
    """A connection that only takes bytes."""

    def __init__(self) -> None:
        """Nothing has come."""
        self.messages = 0
        self.bytes = 0

    def deliver(self, message: bytes) -> None:
        """Take a message."""
        self.messages += 1
        self.bytes += len(message)

    def close(self, code: wire.Refusal, why: str) -> None:
        """No connection is closed here."""
        raise RuntimeError(f"closed: {code} {why}")


class Tables:
    """Rooms of four, all of whose players listen."""

    def __init__(self, store: Store, generation: int) -> None:
        """None yet."""
        self.clock, self.exchange, self.metrics, self.ear = StillClock(), LocalExchange(), Metrics(), Ear()
        self.store = store
        store.on_commit(self.metrics.committed)
        self.host = Host(Surroundings(store, self.exchange, self.clock, self.metrics, generation))
        self.exchange.serve(self.host.route)
        self.codes: list[str] = []
        self.tokens: dict[str, list[str]] = {}
        self.decisions = 0
        self._rng = random.Random(1)

    async def open(self, rooms: int) -> None:
        """So many rooms, each with four guests and a match that has begun."""
        accounts = Accounts(self.store, await self.store.secret())
        for _ in range(rooms):
            guests = [await accounts.guest(f"P{n}") for n in range(4)]
            seats = [Seat(player=guest.player.id, name=guest.player.name) for guest in guests]
            state = opening_state(SETTINGS, guests[0].player.id, seats)
            code = await self.store.create_room(state.owner, False, state.to_json())
            self.codes.append(code)
            self.tokens[code] = [guest.token for guest in guests]
            for seat in seats:
                connection = f"{code}.{seat.player}"
                self.exchange.connect(connection, self.ear.deliver, self.ear.close)
                self.exchange.post(Envelope(code, connection, str(seat.player), seat.name, Attach()))
            await self.host.loaded()
            await self._command(code, 0, wire.Start())
        await self._settle()
        self.clock.pass_by(SETTINGS.next_hand_seconds)
        await self._settle()

    async def round(self, codes: list[str]) -> int:
        """One decision at each of these tables where one is asked for, then a second; how many."""
        taken = 0
        for code in codes:
            taken += await self._decide(code)
        await self._settle()
        self.clock.pass_by(1.0)
        await self._settle()
        self.decisions += taken
        return taken

    async def _decide(self, code: str) -> bool:
        hand = self.host.rooms[code].hand
        if hand is None or not hand.offers:
            return False
        seat, offer = next(iter(hand.offers.items()))
        action = self._choice([action.text for action in hand.table.legal()[seat]])
        frame = wire.encode(wire.Act(offer=offer.number, action=action))
        command = wire.decode_command(frame)  # part of what a decision costs
        await self._command(code, seat, command)
        return True

    def _choice(self, legal: list[str]) -> str:
        """As in load.py."""
        if "win" in legal:
            return "win"
        if legal[-1] == "pass" and self._rng.random() > CLAIMS:
            return "pass"
        return self._rng.choice(legal[:-1] if legal[-1] == "pass" else legal)

    async def _command(self, code: str, seat: int, command: Any) -> None:
        player = self.host.rooms[code].state.seats[seat].player or ""
        self.exchange.post(Envelope(code, f"{code}.{player}", player, "P", command, time.perf_counter()))

    async def _settle(self) -> None:
        for room in self.host.rooms.values():
            await room.settled()


@contextlib.asynccontextmanager
async def tables_on(file: Path, rooms: int) -> AsyncIterator[Tables]:
    """Such rooms on a database of their own; they are left as after a ``kill -9``."""
    store = await Store.open(f"sqlite:///{file}")
    try:
        tables = Tables(store, await store.next_generation())
        await tables.open(rooms)
        yield tables
    finally:
        await store.close()


@dataclass(frozen=True)
class Left:
    """What such rooms leave behind."""

    decisions: int
    """Of the hands that are on: so many are to be replayed."""
    code: str
    """A room where a hand is on."""
    token: str
    """Of one of its players."""


async def leave_unfinished(file: Path, rooms: int, deepest: int) -> Left:
    """Rooms in the middle of their hands, from the deal to ``deepest`` decisions after it."""
    async with tables_on(file, rooms) as tables:
        for n in range(deepest):
            await tables.round(tables.codes[n * rooms // deepest :])
        playing = {code: room.hand for code, room in tables.host.rooms.items() if room.hand is not None}
        depths = {code: hand.table.n_actions for code, hand in playing.items() if hand.offers}
        code = max(depths, key=lambda code: depths[code])
        return Left(sum(depths.values()), code, tables.tokens[code][0])


# ---------------------------------------------------------------- what a decision costs


class Cost:
    """Milliseconds of CPU for a decision."""

    def __init__(self, tables: Tables) -> None:
        """From now on."""
        self._tables = tables
        self._decisions, self._messages = tables.decisions, tables.ear.messages
        self._commits = sum(tables.metrics.commit_calls.counts)
        self._cpu, self._thread, self._began = time.process_time(), time.thread_time(), time.perf_counter()

    def seconds(self) -> float:
        """Since then."""
        return time.perf_counter() - self._began

    def taken(self) -> dict[str, float]:
        """What has been used since then: in all, and by the event loop's thread."""
        decisions = max(self._tables.decisions - self._decisions, 1)
        commits = max(sum(self._tables.metrics.commit_calls.counts) - self._commits, 1)
        cpu, thread = time.process_time() - self._cpu, time.thread_time() - self._thread
        return {
            "all": cpu / decisions * 1000,
            "other threads": (cpu - thread) / decisions * 1000,
            "messages": (self._tables.ear.messages - self._messages) / decisions,
            "decisions a commit": decisions / commits,
            "decisions": float(decisions),
        }


async def cost_of_decisions(seconds: float, rooms: int, *, split: bool) -> dict[str, float]:
    """What decisions cost where so many tables share commits; ``split``: also by part, which costs itself."""
    with tempfile.TemporaryDirectory() as folder:
        async with tables_on(Path(folder) / "tables.db", rooms) as tables:
            for _ in range(20):
                await tables.round(tables.codes)
            calm_collector()
            with timers() if split else contextlib.nullcontext(Counter[str]()) as parts:
                cost = Cost(tables)
                while cost.seconds() < seconds:
                    await tables.round(tables.codes)
                taken = cost.taken()
    return taken | {part: spent / taken["decisions"] * 1000 for part, spent in parts.items()}


@contextlib.contextmanager
def timers() -> Iterator[Counter[str]]:
    """CPU seconds by part while this lasts: check and apply, view, mine, encode, commit."""
    spent: Counter[str] = Counter()
    with contextlib.ExitStack() as patches:
        for part, place, name in (
            ("act", LiveHand, "after"),
            ("view", LiveHand, "public"),
            ("mine", LiveHand, "mine"),
            ("encode", audience, "encode"),
            ("commit", Writer, "_carry_out"),
        ):
            patches.enter_context(patch.object(place, name, _timed(spent, part, getattr(place, name))))
        yield spent


def _timed(spent: Counter[str], part: str, function: Callable[..., Any]) -> Callable[..., Any]:
    def timed(*arguments: Any, **options: Any) -> Any:
        began = time.thread_time()
        try:
            return function(*arguments, **options)
        finally:
            spent[part] += time.thread_time() - began  # type: ignore[assignment]

    return timed


def decision_cost(seconds: float, rooms: int, *, split: bool = False) -> dict[str, float]:
    """``cost_of_decisions``, on the event loop that the server uses."""
    return uvloop.run(cost_of_decisions(seconds, rooms, split=split))


def main() -> None:
    """Print what decisions cost at one table, and where several share their commits."""
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 5.0
    warm.table()
    for rooms in (1, 2, 4, 16, 64):
        for split in (False, True):
            cost = decision_cost(seconds, rooms, split=split)
            print(rooms, "split" if split else "", {name: round(value, 3) for name, value in cost.items()})


if __name__ == "__main__":
    main()
