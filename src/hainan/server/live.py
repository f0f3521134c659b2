"""A hand at a live table: what is true, what of it has been shown, and what is asked of whom since when.

Nothing here waits, stores or sends; the room does (course.py).

After a tile is put down, everybody at once sees it lie there, and then the table pauses for a random time,
whether or not anybody may claim it. Who may claim is asked at once; what follows when nobody does is shown
after the pause. So neither a message nor its time tells who could have claimed.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from enum import Enum, auto
from typing import Final

from msgspec import Raw

from hainan import wire
from hainan.engine.record import Phase, Record
from hainan.matches import Place
from hainan.rules.actions import Act, Action
from hainan.rules.terms import EventType
from hainan.seatview import Asked, events_of_all, mine_json, table_json
from hainan.shuffle import Deal
from hainan.table import HintRows, Table

_WINDOW: Final = (Phase.CLAIM, Phase.ROB)
_CLAIMS: Final = {EventType.CHOW.value, EventType.PONG.value, EventType.KONG.value, EventType.WIN.value}


@dataclass(slots=True)
class Offer:
    """What is asked of a seat, by the number of the message that first asked it."""

    number: int
    since: float
    seconds: float
    bank: float
    """What the seat may use beyond ``seconds``."""
    renewed: bool = False
    """Whether its time began anew when the seat was taken back."""

    @property
    def deadline(self) -> float:
        """When its time is over."""
        return self.since + self.seconds + self.bank

    def used(self, now: float) -> float:
        """What of the bank has been used."""
        return min(max(now - self.since - self.seconds, 0.0), self.bank)

    def left(self, now: float) -> tuple[float, float]:
        """Seconds left, and of the bank."""
        return max(self.since + self.seconds - now, 0.0), self.bank - self.used(now)


class Showing(Enum):
    """What is to be told of an action."""

    ALL = auto()
    """The table as it is now, to everybody."""
    LAID = auto()
    """That a tile was put down, to everybody; the rest after the pause."""
    ANSWERED = auto()
    """To its seat alone, that it has answered."""
    HELD = auto()
    """The same; what follows is shown after the pause."""


@dataclass(slots=True)
class LiveHand:
    """One hand; ``table`` is the truth and ``shown`` what has been told of it."""

    match: str
    n: int
    place: Place
    deal: Deal
    table: Table
    banks: list[float]
    seconds: tuple[float, float]
    """Time for a decision in one's own turn, and for an answer to another's tile."""
    hints: bool = True
    """Whether each seat is told what its hand waits on."""
    shown: Table = field(init=False)
    offers: dict[int, Offer] = field(default_factory=dict)
    answered: set[int] = field(default_factory=set)
    told_events: int = 0
    """How many of the last action's events had been told before."""
    views: Record = None
    """What each seat and everybody sees of what is shown, once somebody wants to see it."""
    known: HintRows | None = None
    """What each seat may know about its hand, by the same."""
    encoded: tuple[Raw, Raw] | None = None
    """What is shown and its events, once somebody wants to see it."""
    resume_at: float = 0.0
    """Until when the pause after the last tile lasts."""
    late: list[int] = field(default_factory=lambda: [0] * 4)
    """Decisions in a row that a seat has let pass."""
    acts: list[tuple[float, int, Action]] = field(default_factory=list)
    """When who did what, for those who watch later."""

    def __post_init__(self) -> None:
        """At first the table as it stands is shown."""
        self.look(self.table)

    # ------------------------------------------------------------ actions

    def after(self, seat: int, action: Action | str) -> Table:
        """What an action would make of the table; raises IllegalAction."""
        twin = self.table.clone()
        twin.act(seat, action)
        return twin

    def take(
        self, after: Table, seat: int, action: Action, now: float, pause: Callable[[], float]
    ) -> Showing:
        """Make a tried action true; what is to be told of it."""
        before, self.table = self.table, after
        self.acts.append((now, seat, action))
        self.offers.pop(seat, None)
        self.told_events = 0
        open_still = after.phase in _WINDOW
        if before.phase == Phase.TURN and _puts_down(before, seat, action):
            return self._put_down(before, seat, action, now + pause(), now, open_still)
        if before.phase == Phase.GA and after.phase == Phase.GA:
            self._show(after)
            return Showing.ANSWERED
        if before.phase in _WINDOW:
            return self._answer(seat, now, open_still)
        return Showing.ALL

    def _put_down(
        self, before: Table, seat: int, action: Action, until: float, now: float, open_still: bool
    ) -> Showing:
        self.resume_at = until
        if open_still or until <= now:
            return Showing.ALL
        self.look(before.laid(seat, action))
        return Showing.LAID

    def look_on(self) -> None:
        """Show what is true; of its events what has been told with a tile laid down isn't told again."""
        if self.laid:
            self.told_events = int(self.shown.raw.n_events)
        self.look(self.table)

    def _answer(self, seat: int, now: float, open_still: bool) -> Showing:
        # What is shown stays as it was, whether or not others are still asked: it must look the same.
        self.answered.add(seat)
        if open_still:
            return Showing.ANSWERED
        claimed = int(self.table.raw.event[0, 0]) in _CLAIMS
        if claimed or now >= self.resume_at:
            return Showing.ALL
        self.offers.clear()
        return Showing.HELD

    @property
    def laid(self) -> bool:
        """Whether only that a tile was put down has been shown."""
        return self.shown.phase in _WINDOW and not self.shown.legal() and self.holding

    @property
    def holding(self) -> bool:
        """Whether something true hasn't been shown yet."""
        return self.shown is not self.table

    # ------------------------------------------------------------ looking

    def look(self, table: Table) -> None:
        """From now on this is what is shown."""
        self._show(table)
        self.offers.clear()
        self.answered.clear()

    def _show(self, table: Table) -> None:
        self.shown = table
        self.views = self.known = self.encoded = None

    def seen(self) -> Record:
        """``shown`` as each pair of eyes sees it."""
        if self.views is None:
            self.views = self.shown.views()
        return self.views

    def hint_rows(self) -> HintRows | None:
        """What each seat is told about its hand; nothing where the room has no hints."""
        if self.hints and self.known is None:
            self.known = self.shown.hint_rows(self.seen())
        return self.known

    def public(self) -> tuple[Raw, Raw]:
        """What everybody sees of the table, and of what has just happened; encoded once for all."""
        if self.encoded is None:
            seen = self.seen()
            events = events_of_all(self.shown, seen)[self.told_events :]
            self.encoded = Raw(table_json(self.shown, seen)), Raw(wire.encode(events))
        return self.encoded

    @property
    def turn(self) -> int | None:
        """The seat whose turn is shown."""
        return self.shown.turn if self.shown.phase == Phase.TURN else None

    def offer(self, seat: int, number: int, now: float) -> None:
        """Ask a seat, by the number of the message that says so."""
        own = self.table.phase in (Phase.TURN, Phase.GA)
        turn, claim = self.seconds
        bank = self.banks[seat] if self.table.phase == Phase.TURN else 0.0
        self.offers[seat] = Offer(number, now, turn if own else claim, bank)

    def mine(self, now: float) -> list[Raw]:
        """What the owner of each seat sees of it."""
        asked = [self._asked(seat, now) for seat in range(self.shown.players)]
        return [Raw(mine) for mine in mine_json(self.shown, asked, self.seen(), self.hint_rows())]

    def _asked(self, seat: int, now: float) -> Asked:
        offer, bank, answered = self.offers.get(seat), self.banks[seat], seat in self.answered
        if offer is None:
            return Asked.of(None, None, bank, answered)
        seconds, of_bank = offer.left(now)
        return Asked.of(offer.number, seconds, of_bank if offer.bank else bank, answered)

    def turn_time(self, now: float) -> tuple[float | None, float | None]:
        """Seconds left to the seat whose turn it is, and its bank, as everybody may know."""
        turn = self.turn
        if turn is None or turn not in self.offers:
            return None, None
        seconds, bank = self.offers[turn].left(now)
        return round(seconds, 1), round(bank, 1)

    def shift(self, seconds: float) -> None:
        """Time that doesn't count, for instance of a pause."""
        for offer in self.offers.values():
            offer.since += seconds
        self.resume_at += seconds


def _puts_down(before: Table, seat: int, action: Action) -> bool:
    """Whether an action lays down a tile that others may claim: a discard, an added kong."""
    if action < Act.CHOW:
        return True
    own_kong = Act.OWN_KONG <= action < Act.WIN
    return own_kong and int(before.raw.hand[seat, action - Act.OWN_KONG]) < 4


def fallback(table: Table, seat: int) -> Action:
    """What is done for a seat whose time is over, or that is on auto-play: the drawn tile is discarded (after
    a claim the last kind of the hand), a claim is passed, ga is the floor."""
    legal = table.legal()[seat]
    if table.phase != Phase.TURN:
        return legal[-1] if table.phase in _WINDOW else legal[0]
    discards = [action for action in legal if Act.DISCARD <= action < Act.READY]
    drawn = int(table.raw.last_tile) + Act.DISCARD if table.raw.drawn else -1
    return next((action for action in discards if action == drawn), discards[-1])
