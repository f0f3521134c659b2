"""All rooms of a process: found by their code, brought back after a stop, parked before one."""

import asyncio
from collections import Counter
from typing import Any, Final

from hainan import wire
from hainan.server.clocks import LoopClock
from hainan.server.closing import ABANDONED_MS, UNUSED_MS
from hainan.server.exchange import Attach, Envelope, Outbound
from hainan.server.logs import log
from hainan.server.metrics import Metrics
from hainan.server.room import Surroundings
from hainan.server.state import RoomState
from hainan.server.store import Room as RoomRow
from hainan.server.store import Store, StoreError, Unfinished, room_used
from hainan.server.talk import Room
from hainan.wire import Refusal, Stage, encode

_IDLE_MS: Final = 600_000
"""Milliseconds after which a room that nobody uses is dropped from memory; it stays stored."""
_SWEEP: Final = 60.0
_FIRST_LOOK: Final = 300.0
_LOOK: Final = 3600.0
"""How often rooms that nobody needs any more are looked for; after a start, players may come back first."""


class Host:
    """The rooms that live here; ``route`` is where an exchange brings envelopes."""

    def __init__(self, around: Surroundings) -> None:
        """No room is in memory yet."""
        self.around = around
        self.rooms: dict[str, Room] = {}
        self._loading: dict[str, asyncio.Task[None]] = {}
        self._waiting: dict[str, list[Envelope]] = {}
        self._sweeper: asyncio.Task[None] | None = None
        self._look_at = around.clock.now() + _FIRST_LOOK
        self._highest = 0
        """The highest number of a message that any room which isn't in memory any more has sent."""
        self.parked = False
        around.metrics.watch_tables(self.count)

    async def resume(self) -> int:
        """Bring back every match that goes on; how many."""
        stored = await self.around.store.unfinished()
        for unfinished in stored:
            try:
                self._open(unfinished.room, unfinished)
            except Exception:  # one broken room must not keep the others from coming back
                log.exception("a match could not be resumed", room=unfinished.room.code)
        self._sweeper = asyncio.create_task(self._sweep(), name="rooms sweeper")
        return len(stored)

    def _open(self, row: RoomRow, unfinished: Unfinished | None) -> Room:
        room = Room(row.code, RoomState.from_json(row.state), self.around)
        room.last_used = row.updated_at
        room.audience.begin_above(self._highest)
        if unfinished is not None:
            room.restore(unfinished)
        self.rooms[row.code] = room
        room.start()
        return room

    def route(self, envelope: Envelope) -> None:
        """Hand an envelope to its room, which is loaded where it isn't in memory."""
        room = self.rooms.get(envelope.room)
        if self.parked:
            self._answer(envelope, Refusal.DRAINING, "the server is being stopped; come back in a minute")
        elif room is not None:
            room.post(envelope)
        elif (waiting := self._waiting.get(envelope.room)) is not None:
            waiting.append(envelope)
        else:
            self._begin_loading(envelope.room, [envelope])

    def _begin_loading(self, code: str, waiting: list[Envelope]) -> asyncio.Task[None]:
        self._waiting[code] = waiting
        task = self._loading[code] = asyncio.create_task(self._load(code))
        return task

    def _answer(self, envelope: Envelope, code: Refusal, why: str) -> None:
        ref = getattr(envelope.command, "ref", None)
        self.around.metrics.refused(code)
        if code == Refusal.NO_SUCH_ROOM and isinstance(envelope.command, Attach):
            self.around.out.close(envelope.connection, code, why)  # it was closed a moment ago
            return
        self.around.out.deliver(envelope.connection, encode(wire.Refused(code=code, why=why, ref=ref)))

    async def _load(self, code: str) -> None:
        """Bring a stored room into memory, and give it what has come for it meanwhile, in order."""
        refusal, why = Refusal.NO_SUCH_ROOM, f"there is no room {code}"
        room = None
        try:
            room = await self._read(code)
        except StoreError:
            log.error("a room could not be read", room=code)
            refusal, why = Refusal.STORAGE, "the room could not be read; try again in a moment"
        except Exception:
            log.exception("a room could not be loaded", room=code)
            refusal, why = Refusal.INTERNAL, "the room could not be opened"
        del self._loading[code]
        for envelope in self._waiting.pop(code):
            if room is None:
                self._answer(envelope, refusal, why)
            else:
                self.route(envelope)

    async def _read(self, code: str) -> Room | None:
        row = await self.around.store.room(code)
        if row is None or row.closed_at is not None:
            return None
        going_on = await self.around.store.unfinished(code)
        return self._open(row, going_on[0] if going_on else None)

    async def loaded(self) -> None:
        """Wait for the rooms that are being loaded."""
        await asyncio.gather(*self._loading.values())

    def count(self) -> dict[str, int]:
        """Rooms in memory by stage."""
        return Counter(room.state.stage.value for room in self.rooms.values())

    async def park(self) -> None:
        """Take nothing more and stop all rooms where they are; everything about them is stored."""
        self.parked = True
        if self._sweeper is not None:
            self._sweeper.cancel()
        await self.loaded()
        rooms = list(self.rooms.values())
        for room in rooms:
            room.tell_notice(wire.Notice.DRAINING)
        await asyncio.gather(*(room.stop() for room in rooms))
        self.rooms.clear()
        await self._note([room for room in rooms if not room.state.in_match])

    async def _note(self, rooms: list[Room]) -> bool:
        """Store when rooms were last used, for it isn't stored every time; whether it could be."""
        used = [room_used(room.code, room.last_used) for room in rooms if room.state.stage != Stage.CLOSED]
        try:
            await self.around.store.commit(*used)
        except StoreError:
            log.error("when rooms were last used could not be stored", rooms=len(used))
            return False
        return True

    # ------------------------------------------------------------ rooms that nobody uses

    async def _sweep(self) -> None:
        while True:
            await asyncio.sleep(_SWEEP)
            try:
                await self.sweep()
            except Exception:  # another time, then
                log.exception("rooms could not be looked after")

    async def sweep(self) -> None:
        """Drop rooms from memory that nobody has used for a while, and at times close those that nobody
        needs any more."""
        before = self.around.clock.wall_ms() - _IDLE_MS
        for room in list(self.rooms.values()):
            if _idle(room, before) and await self._note([room]) and _idle(room, before):
                await self._drop(room)
        now = self.around.clock.now()
        if now >= self._look_at:
            self._look_at = now + _LOOK
            await self._close_unused()

    async def _drop(self, room: Room) -> None:
        del self.rooms[room.code]
        self._highest = max(self._highest, room.audience.highest)
        await room.stop()

    async def _close_unused(self) -> None:
        """Close rooms that nobody has used for a long time, whether or not they are in memory."""
        now = self.around.clock.wall_ms()
        for code in await self.around.store.unused_rooms(now - UNUSED_MS, now - ABANDONED_MS):
            room = self.rooms.get(code)
            if room is None:
                loading = self._loading.get(code) or self._begin_loading(code, [])
                await asyncio.shield(loading)
                room = self.rooms.get(code)
            if room is not None and room.unused:
                room.close_unless_needed()
                await room.settled()
                if room.state.stage == Stage.CLOSED:
                    await self._drop(room)


def _idle(room: Room, before: int) -> bool:
    since = room.idle_since
    return since is not None and since < before


async def opened(store: Store, out: Outbound, metrics: Metrics, **around: Any) -> Host:
    """The host of a server that starts, with every unfinished match resumed; raises StoreError."""
    generation = await store.next_generation()
    host = Host(Surroundings(store, out, LoopClock(), metrics, generation, **around))
    resumed = await host.resume()
    log.info("started", generation=generation, rooms=resumed)
    return host
