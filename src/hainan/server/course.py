"""The course of a match at a room: start, ready, deal, decisions, bills, the next hand, the end."""

import time
from dataclasses import asdict
from typing import Any

from hainan import wire
from hainan.bots.policies import Policy
from hainan.bots.seats import Bot
from hainan.engine.record import Phase
from hainan.faults import Cause
from hainan.matches import Place
from hainan.refusal import because, why_refused
from hainan.rules.actions import BY_TEXT, Action
from hainan.rules.presets import digest, rules_to_json
from hainan.rules.tiles import text_of
from hainan.server.exchange import Envelope
from hainan.server.live import LiveHand, Showing, fallback
from hainan.server.problem import Problem
from hainan.server.room import StaleOffer
from hainan.server.state import RoomState
from hainan.server.store import How
from hainan.server.store.rows import Seat as SeatRow
from hainan.server.store.rows import Start, new_id
from hainan.server.store.writes import (
    Write,
    acted,
    hand_committed,
    hand_dealt,
    hand_over,
    hand_void,
    match_begun,
    match_over,
    totals_saved,
)
from hainan.server.telling import Telling
from hainan.shuffle import Deal, Shuffle
from hainan.table import IllegalAction, Table
from hainan.wire import Notice, Refusal, Stage

_LATE_ENOUGH = 2
"""After so many decisions in a row that ran out of time, a seat is on auto-play."""


class Course(Telling):
    """What happens to a room's match."""

    def __init__(self, *arguments: Any) -> None:
        """No bot has a mind of its own yet."""
        super().__init__(*arguments)
        self._bots: dict[int, Bot] = {}
        self._moves: dict[int, Action] = {}
        self._next_shuffle: Shuffle | None = None

    # ------------------------------------------------------------ from stage to stage

    async def on_start(self, envelope: Envelope, command: wire.Start) -> None:
        """The owner begins a match: the sheet is locked, and the first shuffle committed."""
        self.owner_only(envelope)
        if self.state.stage != Stage.OPEN:
            raise Problem(Refusal.NOT_NOW, "a match is on already")
        if any(seat.free for seat in self.state.seats):
            raise Problem(Refusal.NOT_NOW, "every seat needs a player or a bot first")
        draft, at = self.draft(), self.clock.wall_ms()
        players = len(draft.seats)
        draft.match, draft.hand, draft.place = new_id(), -1, None
        draft.totals = [0] * players
        draft.banks = [float(draft.settings.bank_seconds)] * players
        rows = [
            SeatRow(n, seat.player, seat.name or str(seat.bot), seat.bot)
            for n, seat in enumerate(draft.seats)
        ]
        begun = match_begun(
            draft.match,
            self.code,
            rules_to_json(self.rules, players),
            digest(self.rules),
            rows,
            not draft.settings.listed,
            new_id(),
            at,
        )
        shuffle, committed = self._commitment(draft)
        await self.commit(draft, *begun, committed)
        self.hand, self.shuffle = None, shuffle
        await self._wait_for_ready()

    def _commitment(self, draft: RoomState) -> tuple[Shuffle, Write]:
        """The secret of the next hand, and the room between two hands."""
        shuffle = self.around.shuffles()
        draft.hand += 1
        draft.stage, draft.commitment = Stage.BETWEEN, shuffle.commitment
        for seat in draft.seats:
            seat.nonce = None
        at = self.clock.wall_ms()
        write = hand_committed(str(draft.match), draft.hand, shuffle.commitment, shuffle.seed.hex(), at)
        return shuffle, write

    async def _wait_for_ready(self) -> None:
        """Before a hand: tell the commitment, and wait for the players or for the time the sheet gives."""
        seconds = self.state.settings.next_hand_seconds
        if seconds:
            self.agenda.set("next", self.clock.now() + seconds)
        self.tell_room()
        await self.deal_if_ready()

    async def on_ready(self, envelope: Envelope, command: wire.Ready) -> None:
        """A player is ready for the next hand; his nonce counts from now on."""
        seat = self.seat_of(envelope)
        await self.show_now()
        if self.state.stage != Stage.BETWEEN:
            raise Problem(Refusal.NOT_NOW, "the next hand isn't waited for")
        if self.state.seats[seat].nonce is not None:
            raise Problem(Refusal.NOT_NOW, "this seat is ready already; its nonce stands")
        draft = self.draft()
        draft.seats[seat].nonce = command.nonce
        await self.commit(draft)
        self.tell_room()
        await self.deal_if_ready()

    async def deal_if_ready(self) -> None:
        if self.state.stage == Stage.BETWEEN and all(map(self.is_ready, range(len(self.state.seats)))):
            self.agenda.drop("next")
            await self._attempt_due("next")  # a deal that fails is tried again, whoever brought it about

    async def deal(self) -> None:
        """Mix the nonces in, deal, and show the table."""
        assert self.shuffle is not None
        assert self.state.match is not None
        draft, players = self.draft(), len(self.state.seats)
        nonces = [seat.nonce or "" for seat in draft.seats]
        deal = self.shuffle.with_nonces(nonces).deal(self.rules, players)
        place = draft.place or Place.first(deal, self.rules, players)
        draft.place, draft.stage = place, Stage.PLAYING
        start = Start(players=players, dice=deal.dice, **_fields(place))
        wall = text_of(deal.wall)
        dealt = hand_dealt(self.state.match, draft.hand, nonces, start, wall, self.clock.wall_ms())
        await self.commit(draft, dealt)
        self.agenda.drop("next")
        self.faults = 0
        self.hand = self.live(place, deal)
        self.tell_room()
        self.tell_table()

    def live(self, place: Place, deal: Deal) -> LiveHand:
        settings = self.state.settings
        return LiveHand(
            str(self.state.match),
            self.state.hand,
            place,
            deal,
            place.table(self.rules, len(self.state.seats), deal),
            list(self.state.banks),
            (float(settings.turn_seconds), float(settings.claim_seconds)),
            settings.hints,
        )

    # ------------------------------------------------------------ decisions

    def playing(self) -> LiveHand:
        """The present hand; raises Problem where none is played."""
        if self.state.stage == Stage.PAUSED:
            raise Problem(Refusal.PAUSED, "the table is paused")
        if self.hand is None or self.state.stage != Stage.PLAYING:
            raise Problem(Refusal.NOT_NOW, "no hand is being played")
        return self.hand

    async def on_act(self, envelope: Envelope, command: wire.Act) -> None:
        """A player's decision."""
        seat = self.seat_of(envelope)
        hand = self.playing()
        offer = hand.offers.get(seat)
        if offer is None:
            raise self._not_asked(hand, seat, command.action)
        if offer.number != command.offer:
            raise _stale(hand, seat, command.offer)
        action = BY_TEXT.get(command.action)
        if action is None or action not in hand.table.legal()[seat]:
            hand.after(seat, command.action)  # raises, and says why
            raise AssertionError("an action that isn't legal was taken")
        await self._take(seat, action, How.PLAYER, envelope.received)

    def _not_asked(self, hand: LiveHand, seat: int, tried: str) -> Exception:
        """Why a seat that isn't asked can't act: explained from what it has been shown."""
        if seat in hand.answered:  # said at once: what is shown is from before the answer
            return IllegalAction(seat, tried, (), because(Cause.ANSWERED))
        if hand.shown.legal().get(seat):
            return Problem(Refusal.STALE, "that has been decided; wait for the table")
        return IllegalAction(seat, tried, (), why_refused(hand.shown.masked(seat), None, seat, tried, False))

    async def _take(self, seat: int, action: Action, how: How, received: float) -> None:
        """Try an action, store it with all that follows from it, then make it true and tell."""
        hand = self.playing()
        after = hand.after(seat, action)
        at, now = self.clock.wall_ms(), self.clock.now()
        used = hand.offers[seat].used(now) if how in (How.PLAYER, How.TIME_OVER) else 0.0
        n = hand.table.n_actions
        writes = [acted(hand.match, hand.n, n, seat, action, how, round(used * 1000), at)]
        # An answer to a tile ends no auto-play: that would tell that this seat was asked.
        in_secret = how == How.PLAYER and hand.table.phase in (Phase.CLAIM, Phase.ROB)
        late = late_after(hand, seat, how)
        draft = None if in_secret else self._draft_after(seat, how, late)
        shuffle = self.shuffle
        settled: RoomState | None = None
        if after.over:
            settled = self.draft() if draft is None else RoomState.from_json(draft.to_json())
            shuffle, more = self._settled(settled, hand, after, seat, used)
            writes += more
        elif draft is not None:
            writes.append(self.saved(draft))
        await self.write(*writes)
        hand.late[seat] = late
        hand.banks[seat] -= used
        if settled is not None:
            self._after_show, self._next_shuffle = settled, shuffle
        if draft is not None:
            self.state = draft
        self.forget(seat)
        await self._tell_action(hand.take(after, seat, action, now, self.pace.pause), hand, seat)
        if draft is not None and (settled is None or self._after_show is not None):
            self.tell_room()  # also while the end waits to be seen: the same as when there is none
        self.decided(how.name.lower(), received)

    def _draft_after(self, seat: int, how: How, late: int) -> RoomState | None:
        """The room where a decision changes it: twice too late is auto-play, and acting oneself ends it."""
        auto = self.state.seats[seat].auto
        too_late = how == How.TIME_OVER and late >= _LATE_ENOUGH
        wanted = how != How.PLAYER and (auto or too_late)
        if wanted == auto:
            return None
        draft = self.draft()
        draft.seats[seat].auto = wanted
        return draft

    def _settled(
        self, draft: RoomState, hand: LiveHand, after: Table, seat: int, used: float
    ) -> tuple[Shuffle | None, list[Write]]:
        """The room after a hand that ended: settled once, with the action that ended it."""
        at, bill = self.clock.wall_ms(), after.end()
        assert bill is not None
        assert draft.match is not None
        writes = [hand_over(draft.match, hand.n, bill, at)]
        draft.totals = [a + b for a, b in zip(draft.totals, bill["payments"], strict=True)]
        draft.banks = [bank - (used if other == seat else 0.0) for other, bank in enumerate(hand.banks)]
        place = Place.after(after)
        shuffle: Shuffle | None = None
        if place is None:
            writes.append(match_over(draft.match, "length", draft.totals, at))
            self.to_open(draft)
        else:
            draft.place = place
            shuffle, committed = self._commitment(draft)
            writes += [totals_saved(draft.match, draft.totals), committed]
        return shuffle, [*writes, self.saved(draft)]

    def to_open(self, draft: RoomState) -> None:
        """The match is over: the room is open for a rematch, and who has left gives up his seat."""
        draft.stage, draft.commitment, draft.place = Stage.OPEN, None, None
        for seat in draft.seats:
            seat.nonce, seat.auto = None, False
            if seat.bot is not None and seat.name:  # a stand-in
                seat.player, seat.name, seat.bot = None, "", None

    # ------------------------------------------------------------ telling

    async def _tell_action(self, showing: Showing, hand: LiveHand, seat: int) -> None:
        if showing == Showing.ALL:
            hand.look_on()
            self.tell_table()
            await self._shown()
        elif showing == Showing.LAID:
            self.tell_table()
            self.agenda.set("show", hand.resume_at)
        else:
            self.tell_seat(seat)
            if showing == Showing.HELD:
                self.agenda.set("show", hand.resume_at)

    async def show_now(self) -> None:
        """Before the room changes: show the end of a hand, if that waits. No other pause is cut short, or a
        player could find out by any command whether there is one."""
        if self._after_show is not None:
            await self.show()

    async def show(self) -> None:
        """The pause after a tile is over."""
        self.agenda.drop("show")
        if self.hand is not None:
            self.hand.look_on()
            self.tell_table()
            await self._shown()

    async def _shown(self) -> None:
        """What has to wait until a hand's end has been seen."""
        if self._after_show is None or self.hand is None:
            return
        self.state, self._after_show = self._after_show, None
        self.shuffle = self._next_shuffle
        self._moves.clear()
        for seat in range(len(self.state.seats)):
            self.forget(seat)
        if self.state.settings.spectators:
            self.film(self.hand)
        if self.state.stage == Stage.BETWEEN:
            await self._wait_for_ready()
        else:
            self.drop_votes()
            self.tell_notice(Notice.MATCH_OVER)
            self.tell_room()

    # ------------------------------------------------------------ bots, clocks

    def plan(self, hand: LiveHand, seat: int) -> None:
        """What will happen if nobody acts: a bot's move, auto-play, or the end of the time."""
        place, now = self.state.seats[seat], self.clock.now()
        if place.bot is not None:
            action = self._bot(seat, place.bot).choose(hand.table, seat)
        elif place.auto:
            action = fallback(hand.table, seat)
        else:
            self.agenda.set(("late", seat), hand.offers[seat].deadline)
            return
        self._moves[seat] = action
        self.agenda.set(("move", seat), now + self.pace.thinking(action))

    def _bot(self, seat: int, policy: str) -> Bot:
        if seat not in self._bots:
            self._bots[seat] = Bot(Policy[policy.upper()], self.around.minds.getrandbits(63))
        return self._bots[seat]

    def forget(self, seat: int) -> None:
        self._moves.pop(seat, None)
        self.agenda.drop(("late", seat))
        self.agenda.drop(("move", seat))

    def replan(self, seat: int) -> None:
        """Somebody else, or nobody, decides for a seat from now on."""
        self.forget(seat)
        self._bots.pop(seat, None)
        hand = self.hand
        if self.state.stage == Stage.PLAYING and hand is not None and seat in hand.offers:
            self.plan(hand, seat)

    async def decide(self, seat: int, how: How) -> None:
        hand = self.hand
        if hand is None or self.state.stage != Stage.PLAYING or seat not in hand.offers:
            return
        if how == How.TIME_OVER and self.clock.now() < hand.offers[seat].deadline:
            return  # it was another offer's time, and something else was due before it
        action = self._moves.get(seat)
        if action is None or action not in hand.table.legal()[seat]:
            action = fallback(hand.table, seat)
        await self._take(seat, action, how, time.perf_counter())

    def drop_votes(self) -> None:
        """The match is over: what is still being voted on has no object any more."""
        raise NotImplementedError

    async def voter_gone(self, seat: int) -> None:
        """Somebody has given up his seat: what is being voted on may be decided by that."""
        raise NotImplementedError

    def quiet(self) -> None:
        for key in ("show", "next", "resume", "void"):
            self.agenda.drop(key)
        for seat in range(len(self.state.seats)):
            self.forget(seat)

    async def void_hand(self) -> None:
        """The present hand doesn't count: it is dealt anew, with another shuffle, from the same place."""
        if self.hand is None or self._after_show is not None or not self.state.in_match:
            return
        draft = self.draft()
        assert draft.match is not None
        void = hand_void(draft.match, draft.hand, self.clock.wall_ms())
        shuffle, committed = self._commitment(draft)
        await self.commit(draft, void, committed)
        self.hand, self.shuffle = None, shuffle
        self.quiet()
        self.tell_notice(Notice.VOID)
        await self._wait_for_ready()


def late_after(hand: LiveHand, seat: int, how: How) -> int:
    """How many decisions in a row a seat has let pass after this one. An answer to a tile isn't public, and
    ends no such row."""
    ends = how == How.PLAYER and hand.table.phase not in (Phase.CLAIM, Phase.ROB)
    return 0 if ends else hand.late[seat] + (how == How.TIME_OVER)


def _stale(hand: LiveHand, seat: int, quoted: int) -> StaleOffer:
    legal, now = hand.table.legal()[seat], hand.offers[seat].number
    return StaleOffer(seat, f"offer {quoted}", legal, because(Cause.OTHER_OFFER, n=now))


def _fields(place: Place) -> dict[str, Any]:
    return asdict(place) | {"ga_floor": list(place.ga_floor)}
