"""What is told of a table, and to whom: its seats, and those who watch a hand later."""

from typing import Any, Final

from msgspec import Raw, Struct

from hainan import wire
from hainan.seatview import events_of_all, table_json
from hainan.server.audience import Channel
from hainan.server.gallery import Film, Gallery
from hainan.server.live import LiveHand
from hainan.server.room import RoomBase
from hainan.wire import Notice


class TableMessage(Struct, frozen=True, kw_only=True, tag_field="type", tag="table", omit_defaults=True):
    """``wire.Table`` with the parts that all seats share already encoded."""

    seq: int
    match: str
    hand: int
    table: Raw
    events: Raw
    mine: Raw | None = None
    turn_seconds: float | None = None
    turn_bank: float | None = None


NO_EVENTS: Final = Raw(b"[]")


class Telling(RoomBase):
    """Sends the table. Who is asked for something is planned elsewhere (``plan``)."""

    def __init__(self, *arguments: Any) -> None:
        """Nothing is on show yet."""
        super().__init__(*arguments)
        self.gallery = Gallery()

    def plan(self, hand: LiveHand, seat: int) -> None:
        """What will happen if a seat that is asked does nothing."""
        raise NotImplementedError

    # ------------------------------------------------------------ seats

    def tell_table(self) -> None:
        """The table to everybody seated, and what is asked of whom."""
        hand = self.hand
        assert hand is not None
        now = self.clock.now()
        asked = {} if hand.holding else hand.table.legal()
        numbers: list[tuple[int, Channel | None, int]] = []
        for seat, place in enumerate(self.state.seats):
            channel = self.audience.channel(place.player) if place.player is not None else None
            number = channel.number() if channel is not None else hand.n + 1
            numbers.append((seat, channel, number))
            if seat in asked:
                hand.offer(seat, number, now)
                self.plan(hand, seat)
        turn = hand.turn_time(now)
        mine: list[Raw] = []
        for seat, channel, number in numbers:
            if channel is not None and channel.connection is not None:
                mine = mine or hand.mine(now)
                self.audience.send(channel, _message(hand, number, hand.public()[1], mine[seat], turn))

    def tell_seat(self, seat: int) -> None:
        """The table to one seat, with nothing new asked, and nothing that has just happened."""
        hand, channel = self.hand, self.audience.get(self.state.seats[seat].player)
        if hand is not None and channel is not None:
            now = self.clock.now()
            mine, turn = hand.mine(now)[seat], hand.turn_time(now)
            self.audience.send(channel, _message(hand, channel.number(), NO_EVENTS, mine, turn))

    def tell_present(self, channel: Channel) -> None:
        """Room and table as they are, to somebody who just came."""
        self.tell_room_to(channel)
        seat = self.state.seat_of(channel.player)
        if seat is not None and self.hand is not None and self.hand.match == self.state.match:
            self.tell_seat(seat)
        elif channel.watching:
            self.tell_watchers([channel], NO_EVENTS)

    def tell_notice(self, notice: Notice) -> None:
        """Something that concerns everybody; spectators hear no totals, which they haven't seen yet."""
        for channel in self.audience.connected:
            totals = None if channel.watching else self.state.totals
            told = wire.Told(seq=channel.number(), notice=notice, match=self.state.match, totals=totals)
            self.audience.send(channel, told)

    # ------------------------------------------------------------ spectators

    def film(self, hand: LiveHand) -> None:
        """A hand that is over, for those who watch."""
        began = hand.acts[0][0] if hand.acts else 0.0
        start = hand.place.table(self.rules, len(self.state.seats), hand.deal)
        acts = tuple((at - began, seat, action) for at, seat, action in hand.acts)
        self.gallery.add(Film(hand.match, hand.n, start, acts), self.clock.now())
        self.tell_watchers(self.audience.watchers, NO_EVENTS)
        self.await_film()

    def await_film(self) -> None:
        """Wait for the next act of the hand on show."""
        if (due := self.gallery.due) is not None:
            self.agenda.set("film", due)

    def step_film(self) -> None:
        """Show what is due of it."""
        while self.gallery.step(self.clock.now()):
            self.tell_watchers(self.audience.watchers, None)
        self.await_film()

    def tell_watchers(self, watchers: list[Channel], events: Raw | None) -> None:
        """The hand on show, as everybody saw it; ``events`` of the last action unless others are given."""
        if self.gallery.table is None or not watchers:
            return
        public = Raw(table_json(self.gallery.table))
        if events is None:
            events = Raw(wire.encode(events_of_all(self.gallery.table)))
        for channel in watchers:
            message = TableMessage(
                seq=channel.number(),
                match=self.gallery.match,
                hand=self.gallery.hand,
                table=public,
                events=events,
            )
            self.audience.send(channel, message)


def _message(
    hand: LiveHand, number: int, events: Raw, mine: Raw, turn: tuple[float | None, float | None]
) -> TableMessage:
    return TableMessage(
        seq=number,
        match=hand.match,
        hand=hand.n,
        table=hand.public()[0],
        events=events,
        mine=mine,
        turn_seconds=turn[0],
        turn_bank=turn[1],
    )
