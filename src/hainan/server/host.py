"""All rooms of a process: found by their code, brought back after a stop, parked before one."""

import asyncio
from collections import Counter
from typing import Final

from hainan import wire
from hainan.server.exchange import Envelope
from hainan.server.logs import log
from hainan.server.room import Surroundings
from hainan.server.state import RoomState
from hainan.server.store import StoreError, Unfinished
from hainan.server.talk import Room
from hainan.wire import Refusal, encode

_IDLE: Final = 600.0
"""Seconds after which a room that nobody uses is dropped from memory; it stays stored."""
_SWEEP: Final = 60.0


class Host:
    """The rooms that live here; ``route`` is where an exchange brings envelopes."""

    def __init__(self, around: Surroundings) -> None:
        """No room is in memory yet."""
        self.around = around
        self.rooms: dict[str, Room] = {}
        self._loading: dict[str, asyncio.Task[Room | None]] = {}
        self._sweeper: asyncio.Task[None] | None = None
        self.parked = False
        around.metrics.watch_tables(self.count)

    async def resume(self) -> int:
        """Bring back every match that goes on; how many."""
        stored = await self.around.store.unfinished()
        for unfinished in stored:
            try:
                self._open(unfinished.room.code, unfinished.room.state, unfinished)
            except Exception:  # one broken room must not keep the others from coming back
                log.exception("a match could not be resumed", room=unfinished.room.code)
        self._sweeper = asyncio.create_task(self._sweep(), name="rooms sweeper")
        return len(stored)

    def _open(self, code: str, state: str, unfinished: Unfinished | None) -> Room:
        room = Room(code, RoomState.from_json(state), self.around)
        if unfinished is not None:
            room.restore(unfinished)
        self.rooms[code] = room
        room.start()
        return room

    async def route(self, envelope: Envelope) -> None:
        """Hand an envelope to its room, which is loaded where it isn't in memory."""
        room = self.rooms.get(envelope.room)
        if room is None and not self.parked:
            try:
                room = await self._load(envelope.room)
            except StoreError:
                log.error("a room could not be read", room=envelope.room)
                self._answer(envelope, Refusal.STORAGE, "the room could not be read; try again in a moment")
                return
        if self.parked:
            self._answer(envelope, Refusal.DRAINING, "the server is being stopped; come back in a minute")
        elif room is None:
            self._answer(envelope, Refusal.NO_SUCH_ROOM, f"there is no room {envelope.room}")
        else:
            room.post(envelope)

    def _answer(self, envelope: Envelope, code: Refusal, why: str) -> None:
        ref = getattr(envelope.command, "ref", None)
        self.around.metrics.refused(code)
        self.around.out.deliver(envelope.connection, encode(wire.Refused(code=code, why=why, ref=ref)))

    async def _load(self, code: str) -> Room | None:
        """A stored room, loaded once however many ask for it at the same time."""
        task = self._loading.get(code)
        if task is None:
            task = self._loading[code] = asyncio.create_task(self._read(code))
            task.add_done_callback(lambda _: self._loading.pop(code, None))
        return await asyncio.shield(task)

    async def _read(self, code: str) -> Room | None:
        row = await self.around.store.room(code)
        if row is None or row.closed_at is not None:
            return None
        going_on = await self.around.store.unfinished(code)
        return self._open(code, row.state, going_on[0] if going_on else None)

    def count(self) -> dict[str, int]:
        """Rooms in memory by stage."""
        return Counter(room.state.stage.value for room in self.rooms.values())

    async def park(self) -> None:
        """Take nothing more and stop all rooms where they are; everything about them is stored."""
        self.parked = True
        if self._sweeper is not None:
            self._sweeper.cancel()
        await asyncio.gather(*self._loading.values(), return_exceptions=True)
        rooms = list(self.rooms.values())
        for room in rooms:
            room.tell_notice(wire.Notice.DRAINING)
        await asyncio.gather(*(room.stop() for room in rooms))
        self.rooms.clear()

    async def _sweep(self) -> None:
        while True:
            await asyncio.sleep(_SWEEP)
            await self.sweep()

    async def sweep(self) -> None:
        """Drop rooms from memory that nobody has used for a while."""
        oldest = self.around.clock.now() - _IDLE
        for code, room in list(self.rooms.items()):
            since = room.idle_since
            if since is not None and since < oldest:
                del self.rooms[code]
                await room.stop()
