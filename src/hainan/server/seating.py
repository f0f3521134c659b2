"""Who is in a room: coming and going, seats, bots, the owner's rights, settings."""

from typing import Final

from hainan import wire
from hainan.bots.policies import policy_named
from hainan.server.exchange import Attach, Detach, Envelope, Gone
from hainan.server.problem import Problem
from hainan.server.resuming import Resuming
from hainan.server.state import STAND_IN, RoomState, Seat, rules_of_settings
from hainan.wire import Refusal, Stage

_MOST_HERE: Final = 60
"""Players, spectators and waiting guests at once."""


class Seating(Resuming):
    """What changes who sits where."""

    # ------------------------------------------------------------ coming and going

    async def on_attach(self, envelope: Envelope, command: Attach) -> None:
        """A connection came: it gets the room, and its owner the table."""
        if self.state.stage == Stage.CLOSED:
            self.audience.attach(envelope.player, envelope.name, envelope.connection)
            self.say_good_bye()
            return
        if envelope.player in self.state.kicked:
            self.audience.attach(envelope.player, envelope.name, envelope.connection)
            self.audience.close(
                envelope.player, Refusal.KICKED, "the owner of this room doesn't want you here"
            )
            return
        seat = self.state.seat_of(envelope.player)
        if seat is None and len(self.audience.connected) >= _MOST_HERE:
            self.audience.attach(envelope.player, envelope.name, envelope.connection)
            self.audience.close(envelope.player, Refusal.BUSY, "too many people are in this room")
            return
        channel = self.audience.attach(envelope.player, envelope.name, envelope.connection)
        self.tell_present(channel)
        if seat is not None:
            self._tell_others(envelope.player)

    async def on_detach(self, envelope: Envelope, command: Detach) -> None:
        """A connection has gone; its seat stays, and its clock goes on."""
        if not self.audience.detach(envelope.player, envelope.connection):
            return
        if self.state.seat_of(envelope.player) is None:
            self.audience.forget(envelope.player)
        else:
            self.tell_room()

    def _tell_others(self, player: str) -> None:
        for channel in self.audience.connected:
            if channel.player != player:
                self.tell_room_to(channel)

    async def on_look(self, envelope: Envelope, command: wire.Look) -> None:
        """The present room and table once more."""
        if (channel := self.audience.get(envelope.player)) is not None:
            self.tell_present(channel)

    async def on_ping(self, envelope: Envelope, command: wire.Ping) -> None:
        """A sign of life."""
        self.audience.reply(envelope.connection, wire.Pong(ref=command.ref))

    async def on_watch(self, envelope: Envelope, command: wire.Watch) -> None:
        """Watch, where the owner allows it."""
        if not self.state.settings.spectators:
            raise Problem(Refusal.NO_SPECTATORS, "this room has no spectators")
        if self.state.seat_of(envelope.player) is not None:
            raise Problem(Refusal.NOT_NOW, "who sits at the table can't watch it")
        channel = self.audience.get(envelope.player)
        if channel is not None:
            channel.watching = True
            self.tell_present(channel)

    # ------------------------------------------------------------ seats

    async def on_sit(self, envelope: Envelope, command: wire.Sit) -> None:
        """Take a free seat, or the one that one has left during the match."""
        mine = self.state.seat_of(envelope.player)
        if mine is not None and self.state.seats[mine].bot is None:
            raise Problem(Refusal.SEAT_TAKEN, f"you sit on seat {mine} already")
        await self.show_now()
        draft = self.draft()
        index = mine if mine is not None else self._free_seat(draft, command.seat)
        if mine is None:
            draft.seats[index] = Seat(player=envelope.player, name=envelope.name)
        draft.seats[index].bot = None
        draft.owner = draft.owner or envelope.player
        await self.commit(draft)
        channel = self.audience.get(envelope.player)
        if channel is not None:
            channel.watching = False
        self.restart_clock(index)
        self.tell_room()
        if mine is not None and channel is not None:
            self.tell_present(channel)

    def _free_seat(self, draft: RoomState, wanted: int | None) -> int:
        if draft.in_match:
            raise Problem(Refusal.LOCKED, "seats are taken before the match")
        free = [index for index, seat in enumerate(draft.seats) if seat.free]
        if wanted is None and free:
            return free[0]
        if wanted not in free:
            raise Problem(Refusal.SEAT_TAKEN, "that seat isn't free" if free else "no seat is free")
        return wanted

    async def on_leave(self, envelope: Envelope, command: wire.Leave) -> None:
        """Give up a seat; the owner's rights go to the next player."""
        index = self.state.seat_of(envelope.player)
        channel = self.audience.get(envelope.player)
        if index is None and channel is not None and channel.watching:
            channel.watching = False
            self.tell_room_to(channel)
            return
        index = self.seat_of(envelope)
        await self.show_now()
        draft = self.draft()
        self._vacate(draft, index)
        self._hand_on(draft, envelope.player)
        await self.commit(draft)
        self.replan(index)
        await self.voter_gone(index)
        self.tell_room()
        await self.deal_if_ready()

    async def on_gone(self, envelope: Envelope, command: Gone) -> None:
        """A player has deleted his data: nothing here is called after him any more."""
        await self.show_now()
        draft = self.draft()
        index = draft.seat_of(envelope.player)
        draft.kicked = [player for player in draft.kicked if player != envelope.player]
        if index is not None:
            self._vacate(draft, index)
            draft.seats[index] = Seat(bot=draft.seats[index].bot)
        self._hand_on(draft, envelope.player)
        await self.commit(draft)
        self.audience.close(envelope.player, Refusal.NOT_SIGNED_IN, "this player has been deleted")
        if index is not None:
            self.replan(index)
            await self.voter_gone(index)
            self.tell_room()
            await self.deal_if_ready()

    def _vacate(self, draft: RoomState, index: int) -> None:
        """Free a seat; during a match a bot plays on for whom it belongs to."""
        if draft.in_match:
            draft.seats[index].bot = STAND_IN
            draft.seats[index].auto = False
        else:
            draft.seats[index] = Seat()

    def _hand_on(self, draft: RoomState, gone: str) -> None:
        if draft.owner != gone:
            return
        others = [seat.player for seat in draft.seats if seat.human and seat.player != gone]
        online = [player for player in others if self.audience.online(player)]
        draft.owner = next(iter(online + others), None)

    # ------------------------------------------------------------ the owner

    async def on_add_bot(self, envelope: Envelope, command: wire.AddBot) -> None:
        """A bot on a free seat."""
        self.owner_only(envelope)
        try:
            policy_named(command.policy)
        except ValueError as error:
            raise Problem(Refusal.BAD_MESSAGE, str(error)) from None
        draft = self.draft()
        draft.seats[self._free_seat(draft, command.seat)] = Seat(bot=command.policy)
        await self.commit(draft)
        self.tell_room()

    async def on_kick(self, envelope: Envelope, command: wire.Kick) -> None:
        """Take a bot or a player off his seat."""
        self.owner_only(envelope)
        await self.show_now()
        if command.seat >= len(self.state.seats) or self.state.seats[command.seat].free:
            raise Problem(Refusal.NO_SUCH_PLAYER, "nobody sits there")
        seat = self.state.seats[command.seat]
        if seat.player == envelope.player:
            raise Problem(Refusal.NOT_NOW, "leave, if you want to go yourself")
        if self.state.in_match and seat.player is None:
            raise Problem(Refusal.LOCKED, "bots stay until the match is over")
        draft = self.draft()
        self._vacate(draft, command.seat)
        if seat.player is not None:
            draft.kicked.append(seat.player)
            draft.seats[command.seat].player = None
        await self.commit(draft)
        if seat.player is not None:
            self.audience.close(seat.player, Refusal.KICKED, "the owner of this room took you off your seat")
        self.replan(command.seat)
        await self.voter_gone(command.seat)
        self.tell_room()
        await self.deal_if_ready()

    async def on_hand_over(self, envelope: Envelope, command: wire.HandOver) -> None:
        """Another owner."""
        self.owner_only(envelope)
        if command.seat >= len(self.state.seats) or not self.state.seats[command.seat].human:
            raise Problem(Refusal.NO_SUCH_PLAYER, "no player sits there")
        await self.show_now()
        draft = self.draft()
        draft.owner = draft.seats[command.seat].player
        await self.commit(draft)
        self.tell_room()

    async def on_change(self, envelope: Envelope, command: wire.Change) -> None:
        """Other settings; the sheet is locked while a match is on."""
        self.owner_only(envelope)
        await self.show_now()
        if self.state.in_match:
            raise Problem(Refusal.LOCKED, "the sheet is locked until the match is over")
        rules = rules_of_settings(command.settings)
        draft = self.draft()
        gone = draft.seats[command.settings.players :]
        if any(seat.player is not None for seat in gone):
            raise Problem(Refusal.SEAT_TAKEN, "a player sits on seat 3; with three players there is none")
        draft.settings = command.settings
        draft.seats = draft.seats[: command.settings.players]
        draft.seats += [Seat() for _ in range(command.settings.players - len(draft.seats))]
        await self.commit(draft)
        self.rules = rules
        if not command.settings.spectators:
            for channel in self.audience.watchers:
                channel.watching = False
        self.tell_room()
