"""What players can wish for at a table: auto-play, a pause, more time, an early end."""

from typing import Any, Final

from msgspec import structs

from hainan import wire
from hainan.bots.advice import Advised, advise
from hainan.server.course import Course
from hainan.server.exchange import Envelope
from hainan.server.pace import MORE_TIME
from hainan.server.problem import Problem
from hainan.server.state import RoomState
from hainan.server.store.writes import Write, hand_void, match_over
from hainan.wire import Notice, Refusal, Stage

PAUSE_ENDS: Final = 900.0
"""Seconds after which a pause that nobody ends is over."""


class Wishes(Course):
    """What bends the course of a match."""

    def __init__(self, *arguments: Any) -> None:
        """The table isn't paused."""
        super().__init__(*arguments)
        self.paused_at: float | None = None

    async def on_auto(self, envelope: Envelope, command: wire.Auto) -> None:
        """托管 on or off."""
        seat = self.seat_of(envelope)
        await self.show_now()
        if not self.state.in_match:
            raise Problem(Refusal.NOT_NOW, "there is nothing to play yet")
        if self.state.seats[seat].auto == command.on:
            return
        draft = self.draft()
        draft.seats[seat].auto = command.on
        await self.commit(draft)
        if self.hand is not None:
            self.hand.late[seat] = 0
        if command.on:
            self.replan(seat)
        else:
            self.restart_clock(seat)
        self.tell_room()
        await self.deal_if_ready()

    def restart_clock(self, seat: int) -> None:
        """Who takes back his seat gets the whole time for what he is asked; once, not to play for time."""
        offer = self.hand.offers.get(seat) if self.hand is not None else None
        if offer is not None and not offer.renewed:
            offer.since, offer.renewed = self.clock.now(), True
        self.replan(seat)

    async def on_advise(self, envelope: Envelope, command: wire.Advise) -> None:
        """What each action offered to the seat is worth, and why, from its view."""
        seat = self.seat_of(envelope)
        if not self.state.settings.hints:
            raise Problem(Refusal.NOT_NOW, "this room plays without hints")
        offer = self.hand.offers.get(seat) if self.hand is not None else None
        if self.hand is None or offer is None:
            raise Problem(Refusal.NOT_NOW, "nothing is asked of this seat")
        advice = advise(self.hand.shown, seat)
        answer = wire.AdviceAnswer(
            offer=offer.number,
            best=advice.best,
            actions=[advised_view(one) for one in advice.actions],
            ref=command.ref,
        )
        self.audience.reply(envelope.connection, answer)

    async def pause(self) -> None:
        """Clocks stand still until somebody resumes."""
        await self.show_now()
        self.playing()
        draft = self.draft()
        draft.stage = Stage.PAUSED
        await self.commit(draft)
        self.paused_at = self.clock.now()
        self.agenda.drop("show")
        for seat in range(len(self.state.seats)):
            self.forget(seat)
        self.agenda.set("resume", self.clock.now() + PAUSE_ENDS)
        self.tell_room()

    async def on_resume(self, envelope: Envelope, command: wire.Resume) -> None:
        """Any player ends a pause."""
        self.seat_of(envelope)
        if self.state.stage != Stage.PAUSED:
            raise Problem(Refusal.NOT_NOW, "the table isn't paused")
        await self.resume()

    async def resume(self) -> None:
        """Go on where the pause began, with the clocks as they were."""
        if self.state.stage != Stage.PAUSED or self.hand is None:
            return
        draft = self.draft()
        draft.stage = Stage.PLAYING
        await self.commit(draft)
        self.agenda.drop("resume")
        now = self.clock.now()
        self.hand.shift(now - (self.paused_at if self.paused_at is not None else now))
        self.paused_at = None
        if self.hand.holding:
            self.agenda.set("show", self.hand.resume_at)
        for seat in list(self.hand.offers):
            self.plan(self.hand, seat)
        self.tell_room()
        for seat in range(len(self.state.seats)):
            self.tell_seat(seat)

    async def more_time(self) -> None:
        """Every bank grows."""
        await self.show_now()
        draft = self.draft()
        draft.banks = [bank + MORE_TIME for bank in draft.banks]
        await self.commit(draft)
        if self.hand is None:
            return
        self.hand.banks = [bank + MORE_TIME for bank in self.hand.banks]
        for seat, offer in self.hand.offers.items():
            if seat == self.hand.turn:
                offer.bank += MORE_TIME
                self.replan(seat)
        for seat in range(len(self.state.seats)):
            self.tell_seat(seat)

    def early_end(self, draft: RoomState, how: str) -> list[Write]:
        """What is stored when a match ends before its time."""
        at = self.clock.wall_ms()
        assert draft.match is not None
        return [hand_void(draft.match, draft.hand, at), match_over(draft.match, how, draft.totals, at)]

    async def end_match(self, how: str, notice: Notice) -> None:
        """End a match early: the hand that is on doesn't count, the totals so far stand."""
        await self.show_now()
        if not self.state.in_match:
            return
        draft = self.draft()
        writes = self.early_end(draft, how)
        self.to_open(draft)
        await self.commit(draft, *writes)
        self.hand = self.shuffle = None
        self.quiet()
        self.drop_votes()
        self.tell_notice(notice)
        self.tell_room()


def advised_view(advised: Advised) -> wire.Advised:
    """An action with its advice, as it is told."""
    return wire.Advised(**structs.asdict(advised))
