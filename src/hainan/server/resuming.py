"""A room after a stop or a failure: it goes on from what is stored."""

from hainan.server.closing import Closing
from hainan.server.course import late_after
from hainan.server.state import RoomState, rules_of_settings
from hainan.server.store import How, Unfinished
from hainan.server.wishes import PAUSE_ENDS
from hainan.shuffle import Shuffle
from hainan.wire import Stage


class Resuming(Closing):
    """Brings back what was stored."""

    async def as_stored(self) -> bool:
        """Whether all that is stored is known here."""
        state, stored = await self._stored()
        known = self._after_show or self.state
        playing = self.hand is not None and known.stage in (Stage.PLAYING, Stage.PAUSED)
        taken = self.hand.table.n_actions if self.hand is not None and playing else 0
        return state == known and taken == (len(stored.actions) if stored is not None else 0)

    async def reload(self) -> None:
        """Go on from what is stored, as after a stop; everybody is told where the table stands."""
        self.state, stored = await self._stored()
        self.rules = rules_of_settings(self.state.settings)
        self.hand = self.shuffle = self._after_show = None
        self.quiet()
        if stored is not None:
            self.restore(stored)
        if self.state.stage == Stage.CLOSED:
            self.say_good_bye()
        for channel in self.audience.connected:
            self.tell_present(channel)

    async def _stored(self) -> tuple[RoomState, Unfinished | None]:
        room, going_on = await self.store.room(self.code), await self.store.unfinished(self.code)
        assert room is not None
        return RoomState.from_json(room.state), going_on[0] if going_on else None

    def restore(self, stored: Unfinished) -> None:
        """Bring back the hand that was on: the same decision, with the clocks of its beginning."""
        secret = stored.hand
        if secret is None:
            return
        self.shuffle = Shuffle(bytes.fromhex(secret.seed), tuple(secret.nonces or ()))
        if secret.start is None or secret.nonces is None:
            ready = all(map(self.is_ready, range(len(self.state.seats))))
            if ready or self.state.settings.next_hand_seconds:
                wait = 0 if ready else self.state.settings.next_hand_seconds
                self.agenda.set("next", self.clock.now() + wait)
            return
        deal = self.shuffle.deal(self.rules, len(self.state.seats))
        place = self.state.place
        assert place is not None
        hand = self.live(place, deal)
        last, now = stored.actions[-1].at if stored.actions else 0, self.clock.now()
        self.last_used = max(self.last_used, last)
        for decision in stored.actions:
            action = hand.table.legal()[decision.seat]
            taken = next(a for a in action if int(a) == decision.action)
            hand.late[decision.seat] = late_after(hand, decision.seat, How(decision.how))
            hand.table.act(decision.seat, taken)
            hand.banks[decision.seat] -= decision.bank_ms / 1000
            hand.acts.append((now + (decision.at - last) / 1000, decision.seat, taken))
        hand.look(hand.table)
        self.hand = hand
        self._ask_again()

    def _ask_again(self) -> None:
        """Offers and clocks of a hand that was brought back."""
        hand, now = self.hand, self.clock.now()
        assert hand is not None
        for seat in hand.table.legal():
            player = self.state.seats[seat].player
            number = self.audience.channel(player).number() if player is not None else hand.n + 1
            hand.offer(seat, number, now)
            if self.state.stage == Stage.PLAYING:
                self.plan(hand, seat)
        if self.state.stage == Stage.PAUSED:
            self.paused_at = now
            self.agenda.set("resume", now + PAUSE_ENDS)
