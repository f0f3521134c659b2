"""A room: one task, the only writer of its state and of its table.

What comes in waits in a queue and is handled one by one. Every change is stored before anybody is told of it,
and becomes true only then: a handler works on a draft, so an error anywhere leaves the room as it was.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable, Hashable
from dataclasses import dataclass, field
from random import Random, SystemRandom
from typing import Any, ClassVar, Final

import structlog

from hainan import wire
from hainan.faults import Fault
from hainan.rules.options import Rules
from hainan.rules.presets import digest
from hainan.server.audience import Audience, Channel
from hainan.server.clocks import Agenda, Clock
from hainan.server.exchange import Attach, Detach, Envelope, Outbound
from hainan.server.inbox import Inbox
from hainan.server.live import LiveHand
from hainan.server.logs import log
from hainan.server.metrics import Metrics
from hainan.server.pace import NoPace, Pace, StoredRandom
from hainan.server.problem import Problem
from hainan.server.state import RoomState, rules_of_settings
from hainan.server.store import StorageError, Store
from hainan.server.store.writes import Write, room_saved
from hainan.shuffle import Shuffle
from hainan.table import IllegalAction
from hainan.wire import Refusal, Stage

_WAKE: Final = object()
_STOP: Final = object()
_NEEDED: Final = object()
FAULTS: Final = 3
"""So many errors in one hand make it void."""
RETRY: Final = 1.0
"""Seconds after which something that failed is tried again."""


class StaleOffer(IllegalAction):
    """A decision for an offer that is no longer open, while another one is."""


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What all rooms of a process share."""

    store: Store
    out: Outbound
    clock: Clock
    metrics: Metrics
    generation: int
    pauses: Random = field(default_factory=StoredRandom)
    """For the pauses after tiles alone: drawn for nothing that depends on what is hidden."""
    minds: Random = field(default_factory=SystemRandom)
    """For bots."""
    shuffles: Callable[[], Shuffle] = Shuffle.new


class RoomBase:
    """State, storage and messages; what a room does stands in seating.py, course.py and talk.py."""

    def __init__(self, code: str, state: RoomState, around: Surroundings) -> None:
        """A room as it was stored; ``restore`` brings back its hand."""
        self.code = code
        self.state = state
        self.around = around
        self.store, self.clock = around.store, around.clock
        self.rules: Rules = rules_of_settings(state.settings)
        self.hand: LiveHand | None = None
        self.shuffle: Shuffle | None = None
        self.audience = Audience(around.out, around.generation)
        self.agenda = Agenda(self.clock, lambda: self._inbox.put(_WAKE))
        self.faults = 0
        self._after_show: RoomState | None = None
        self._wrote = False
        self._inbox = Inbox()
        self._task: asyncio.Task[None] | None = None
        self.last_used = self.clock.wall_ms()
        """When anybody or anything last did something here: UTC in milliseconds, also before a restart."""

    # ------------------------------------------------------------ storage

    def draft(self) -> RoomState:
        """A copy of the state, to be changed and committed."""
        return RoomState.from_json(self.state.to_json())

    async def commit(self, draft: RoomState, *writes: Write) -> None:
        """Store a changed state with other writes, all or none; then it is true. Raises StorageError."""
        await self.write(*writes, self.saved(draft))
        self.state = draft

    async def write(self, *writes: Write) -> None:
        """Store, all or none. From here on what is stored may be more than what is known here."""
        self._wrote = True
        await self.store.commit(*writes)
        self.last_used = self.clock.wall_ms()

    def saved(self, draft: RoomState) -> Write:
        """The write of a state."""
        at = self.clock.wall_ms()
        return room_saved(self.code, draft.owner, draft.settings.listed, draft.to_json(), at)

    # ------------------------------------------------------------ messages

    def tell_room(self) -> None:
        """The room as it is now, to everybody in it."""
        shared = self._room_fields()
        for channel in self.audience.connected:
            self.audience.send(channel, self._room_for(channel, shared))

    def tell_room_to(self, channel: Channel) -> None:
        """The room as it is now, to one."""
        self.audience.send(channel, self._room_for(channel, self._room_fields()))

    def _room_for(self, channel: Channel, shared: dict[str, Any]) -> wire.Room:
        watching = channel.watching
        return wire.Room(
            seq=channel.number(),
            you=self.state.seat_of(channel.player),
            watching=watching,
            muted=sorted(channel.muted),
            **(shared | {"totals": None} if watching else shared),
        )

    def _room_fields(self) -> dict[str, Any]:
        state = self.state
        due = self.agenda.when("next")
        return {
            "code": self.code,
            "owner": state.owner,
            "settings": state.settings,
            "digest": digest(self.rules),
            "stage": state.stage,
            "chairs": [self._chair(index) for index in range(len(state.seats))],
            "match": state.match,
            "hand": state.hand if state.match else None,
            "commitment": state.commitment,
            "next_in": None if due is None else round(max(due - self.clock.now(), 0.0), 1),
            "votes": self.open_votes(),
            "totals": state.totals or None,
        }

    def _chair(self, index: int) -> wire.Chair:
        seat = self.state.seats[index]
        return wire.Chair(
            player=seat.player,
            name=seat.name or seat.bot,
            bot=seat.bot,
            online=self.audience.online(seat.player),
            ready=self.is_ready(index),
            auto=seat.auto,
        )

    def is_ready(self, index: int) -> bool:
        """Whether the next hand need not wait for a seat: bots and auto-play never keep others waiting."""
        seat = self.state.seats[index]
        return seat.nonce is not None or seat.bot is not None or seat.auto

    def open_votes(self) -> list[wire.Open]:
        """What is being voted on."""
        return []

    @property
    def pace(self) -> Pace:
        """Waiting times; none at a table of bots alone."""
        alone = not any(seat.player for seat in self.state.seats)
        return (NoPace if alone else Pace)(self.around.pauses, self.around.minds)

    # ------------------------------------------------------------ the task

    def start(self) -> None:
        """Begin to handle what comes in."""
        self.agenda.arm()
        self._task = asyncio.create_task(self._run(), name=f"room {self.code}")

    def post(self, envelope: Envelope) -> None:
        """Put something into the queue."""
        self._inbox.put(envelope)

    def close_unless_needed(self) -> None:
        """Put a look whether anybody needs this room into the queue."""
        self._inbox.put(_NEEDED)

    async def stop(self) -> None:
        """Finish what is being handled and stop; everything is stored."""
        self._inbox.put(_STOP)
        if self._task is not None:
            await self._task
        self.agenda.clear()

    async def _run(self) -> None:
        structlog.contextvars.bind_contextvars(room=self.code)
        while (item := await self._inbox.get()) is not _STOP:
            self._wrote = False
            if item is _WAKE:
                for key in self.agenda.due():
                    await self._attempt_due(key)
            elif item is _NEEDED:
                await self._attempt_due("unused")
            else:
                self.last_used = self.clock.wall_ms()
                await self._attempt(item)
            self.agenda.arm()
            self._inbox.done()

    async def settled(self) -> None:
        """Wait until everything that has come in is handled."""
        await self._inbox.settled()

    @property
    def idle_since(self) -> int | None:
        """Since when nobody has needed this room, UTC in milliseconds; None while somebody might."""
        busy = self.state.in_match or self.audience.connected or not self._inbox.empty
        return None if busy else self.last_used

    # ------------------------------------------------------------ handling

    async def _attempt(self, envelope: Envelope) -> None:
        """Handle a command; whatever goes wrong, its sender is told and the room goes on."""
        ref = getattr(envelope.command, "ref", None)
        try:
            await self.handle(envelope)
        except Problem as problem:
            self._refuse(
                envelope,
                wire.Refused(
                    code=problem.code, why=problem.why, clause=problem.clause, ref=ref, about=problem.about
                ),
            )
        except IllegalAction as illegal:
            self._refuse(envelope, self._illegal(illegal, ref))
        except StorageError:
            log.error("storage failed")
            why = "it could not be stored, so nothing has changed; try again in a moment"
            self._refuse(envelope, wire.Refused(code=Refusal.STORAGE, why=why, ref=ref))
            await self._mend(broken=False)
        except Exception:
            log.exception("handler failed")
            why = "something broke here; " + ("look what counts" if self._wrote else "nothing has changed")
            self._refuse(envelope, wire.Refused(code=Refusal.INTERNAL, why=why, ref=ref))
            await self._fault()
        else:
            if ref is not None and not isinstance(envelope.command, wire.Advise | wire.Ping):
                self.audience.reply(envelope.connection, wire.Done(ref=ref))

    def _refuse(self, envelope: Envelope, refused: wire.Refused) -> None:
        self.around.metrics.refused(refused.code)
        self.audience.reply(envelope.connection, refused)

    def _illegal(self, illegal: IllegalAction, ref: int | None) -> wire.Refused:
        offer = self.hand.offers.get(illegal.seat) if self.hand else None
        params = {"action": illegal.tried, "reason": illegal.reason, "given": illegal.given}
        return wire.Refused(
            code=Refusal.STALE if isinstance(illegal, StaleOffer) else Refusal.ILLEGAL,
            why=f"{illegal.tried}: {illegal.why}",
            clause=illegal.clause or None,
            legal=[action.text for action in illegal.legal],
            offer=offer.number if offer else None,
            ref=ref,
            about=wire.About(where="action", fault=Fault.FORBIDDEN, params=params),
        )

    async def _attempt_due(self, key: Hashable) -> None:
        """Do what is due; where that fails it is tried again, for a table must never stand still."""
        try:
            await self.on_due(key)
        except StorageError:
            log.error("storage failed")
            self.agenda.set(key, self.clock.now() + RETRY)
            await self._mend(broken=False)
        except Exception:
            log.exception("timer failed")
            self.agenda.set(key, self.clock.now() + RETRY)
            await self._fault()

    async def _fault(self) -> None:
        """Something broke in this hand; if that goes on, the hand is void and dealt anew."""
        await self._mend(broken=True)
        self.faults += 1
        if self.faults < FAULTS or self.hand is None:
            return
        try:
            await self.void_hand()
            self.faults = 0
        except Exception:
            log.exception("a hand could not be voided")
            self.agenda.set("void", self.clock.now() + RETRY)

    async def _mend(self, *, broken: bool) -> None:
        """After a failure: where something may be stored that isn't known here, go on from what is stored.
        A lost answer of the storage is no reason unless it did what it was asked."""
        if not self._wrote:
            return
        try:
            if broken or not await self.as_stored():
                await self.reload()
        except Exception:
            log.exception("a room could not be read anew")
            self.agenda.set("reload", self.clock.now() + RETRY)

    async def as_stored(self) -> bool:
        """Whether all that is stored is known here."""
        raise NotImplementedError

    async def reload(self) -> None:
        """Go on from what is stored."""
        raise NotImplementedError

    async def handle(self, envelope: Envelope) -> None:
        """Carry out a command; raises Problem, IllegalAction, StorageError."""
        if self.state.stage == Stage.CLOSED and not isinstance(envelope.command, Attach | Detach):
            raise Problem(Refusal.NO_SUCH_ROOM, "this room is closed")
        await self.handlers[type(envelope.command)](self, envelope, envelope.command)

    handlers: ClassVar[dict[type, Callable[[Any, Envelope, Any], Awaitable[None]]]]

    async def on_due(self, key: Hashable) -> None:
        """Do what was on the agenda."""
        raise NotImplementedError

    async def void_hand(self) -> None:
        """The present hand doesn't count."""
        raise NotImplementedError

    # ------------------------------------------------------------ who may

    def seat_of(self, envelope: Envelope) -> int:
        """The sender's seat; raises Problem."""
        seat = self.state.seat_of(envelope.player)
        if seat is None or self.state.seats[seat].bot is not None:
            raise Problem(Refusal.NOT_SEATED, "only who sits at this table may do that")
        return seat

    def owner_only(self, envelope: Envelope) -> None:
        """Refuse everybody but the owner."""
        if envelope.player != self.state.owner:
            raise Problem(Refusal.NOT_OWNER, "only the room's owner may do that")

    def decided(self, how: str, received: float) -> None:
        """Count a decision and how long it took until everybody was told."""
        self.around.metrics.decided(how, time.perf_counter() - received if received else 0.0)
