"""The Python face of one table: start a hand, ask what is legal, act, watch, look with a seat's eyes.

    table = Table(rules_of("lingao"), wall=wall)
    while not table.over:
        for seat, actions in table.legal().items():
            table.act(seat, actions[0])
            break
    print(table.end())

Everything that is decided is decided by the engine; this module checks what comes in and puts names
to what goes out.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from hainan.engine import entries
from hainan.engine.events import ROBBED
from hainan.engine.hints import HINT_COLUMNS
from hainan.engine.legal import MAX_LEGAL
from hainan.engine.record import SEATS, Phase, Record, copied, new_tables, sheet_of
from hainan.engine.tables import shape_tables
from hainan.engine.wall import broken_before, dealt_to
from hainan.refusal import Why, why_refused
from hainan.rules.actions import ACTIONS, BY_TEXT, Act, Action
from hainan.rules.options import Rules
from hainan.rules.presets import rules_of, rules_to_json
from hainan.rules.terms import By, EventType, Licence, MeldKind, Pattern, PayRule, Reason, Source, Term, Way
from hainan.rules.tiles import EAST, KINDS, TEXT, full_set, text_of, text_of_counts

RECORD_FORMAT: Final = "hainan-record/1"
SPECTATOR: Final = -1
_HIDDEN_FROM: Final = 42
"""Tile numbers from here on stand for hidden tiles."""
AS_IT_IS: Final = -1
"""Instead of a discard: none."""
_NOBODY: Final = -1

Event = dict[str, Any]
"""One event as in docs/formats.md, section 3."""


class IllegalAction(ValueError):
    """An action that isn't legal now: what was tried, what was legal, and which clause forbids it."""

    def __init__(self, seat: int, tried: str, legal: Sequence[Action], why: Why) -> None:
        """Keep the parts for programs, and make one sentence for people."""
        self.seat, self.tried, self.legal = seat, tried, tuple(legal)
        self.reason, self.given = why.reason, why.given
        self.clause, self.why = why.clause, why.text
        allowed = ", ".join(action.text for action in legal) or "nothing"
        super().__init__(f"seat {seat} can't {tried!r}: {self.why} ({self.clause}); legal: {allowed}")


class WallError(ValueError):
    """A wall that isn't made of the sheet's tiles."""


@cache
def members(kind: type[Term], bits: int) -> tuple[str, ...]:
    """Ids of the members whose bits are set, in order."""
    return tuple(member.id for member in kind if bits >> member & 1)


def check_wall(wall: Sequence[int], rules: Rules) -> None:
    """Refuse a wall that isn't exactly the tiles of the sheet (R1.1)."""
    wanted = full_set(no_honors=rules.no_honors, no_winds=rules.no_winds)
    if len(wall) != len(wanted):
        raise WallError(f"the wall has {len(wall)} tiles, this sheet's has {len(wanted)} (R1.1)")
    have = sorted(wall)
    if have != wanted:
        wrong = next(code for code in have if have.count(code) != wanted.count(code))
        raise WallError(
            f"the wall has {have.count(wrong)} of {TEXT[wrong]}, it should have {wanted.count(wrong)} (R1.1)"
        )


@dataclass(frozen=True)
class Wait:
    """A kind that would complete a hand, and what it would bring (sections 6 and 7)."""

    kind: int
    unseen: int
    licensed: bool
    licences: tuple[str, ...]
    patterns: tuple[str, ...]
    T: int
    V: int
    V_self_draw: int

    @classmethod
    def of(cls, row: Sequence[int]) -> "Wait":
        """From a row of the engine's hints."""
        kind, left, licensed, licences, patterns, score, by_discard, self_drawn = row[:8]
        return cls(
            kind,
            left,
            bool(licensed),
            members(Licence, licences),
            members(Pattern, patterns),
            score,
            by_discard,
            self_drawn,
        )


@dataclass(frozen=True)
class Known:
    """What a seat may know about its hand."""

    licences: tuple[str, ...]
    """Those that it holds already, whatever else it becomes."""
    waits: dict[int, list[Wait]]
    """After each discard (its kind; -1: as the hand is) that leaves it waiting."""

    @classmethod
    def of(cls, licences: int, rows: Sequence[Sequence[int]]) -> "Known":
        """From bits and rows of the engine's hints."""
        waits: dict[int, list[Wait]] = {}
        for row in rows:
            waits.setdefault(row[-1], []).append(Wait.of(row))
        return cls(members(Licence, licences), waits)


HintRows = tuple[npt.NDArray[np.int32], npt.NDArray[np.int32]]
"""``rows`` and ``held`` of ``entries.list_hints``."""
NO_HINTS: Final[HintRows] = (np.empty((0, HINT_COLUMNS), np.int32), np.empty((0, 2), np.int32))


def _known(rows: npt.NDArray[np.int32], held: npt.NDArray[np.int32]) -> list[Known]:
    ends = held.tolist()
    told = rows[: ends[-1][1]].tolist() if ends else []
    begin, known = 0, []
    for licences, end in ends:
        known.append(Known.of(licences, told[begin:end]))
        begin = end
    return known


class Table:
    """One table playing one hand.

    ``wall`` is the whole wall in drawing order as tile codes (tiles.CODE). ``round_wind`` is 0 for East
    to 3 for North. Raises WallError or RulesError for what can't be played.
    """

    phase: Phase
    """What the table waits for."""
    turn: int
    """Whose turn it is; while a tile may be claimed, whose it was."""

    def __init__(
        self,
        rules: Rules | None = None,
        players: int = 4,
        *,
        wall: Sequence[int],
        dealer: int = 0,
        streak: int = 0,
        round_wind: int = 0,
        ga_floor: Sequence[int] = (0, 0, 0, 0),
        dice: Sequence[int] = (1, 1),
        first_dealer: int | None = None,
        hands_played: int = 0,
        rounds_played: int = 0,
    ) -> None:
        """Set the hand up and start it; the last three say where it stands in its match."""
        self.rules = rules if rules is not None else rules_of(players=players)
        self.players = players
        self._allot()
        t = self._t
        self._array["sheet"][0] = sheet_of(self.rules, players)
        t.dealer = dealer
        t.first_dealer = dealer if first_dealer is None else first_dealer
        t.hands_played, t.rounds_played = hands_played, rounds_played
        t.streak = streak
        t.round_wind = round_wind
        for seat in range(players):
            t.ga_floor[seat] = ga_floor[seat]
        self._start(wall, dice)

    def _allot(self) -> None:
        self._array = new_tables(1)
        self._t: Record = self._array[0]
        self._shapes = shape_tables()
        self._lists = np.zeros((SEATS, MAX_LEGAL), np.int16)
        self._counts = np.zeros(SEATS, np.int16)

    def _start(self, wall: Sequence[int], dice: Sequence[int]) -> None:
        check_wall(wall, self.rules)
        self.wall: tuple[int, ...] = tuple(wall)
        self._taken = b""  # a seat and an action's number in turn: copied at once, with no list to walk
        self._t.dice[:] = dice
        self._t.wall[:] = 0
        self._t.wall[: len(wall)] = wall
        entries.begin(self._array, 0, self._shapes, self._lists, self._counts)
        self._read()

    def _read(self) -> None:
        self.phase = _PHASES[self._array["phase"].item()]
        self.turn = self._array["turn"].item()
        self._legal: dict[int, list[Action]] = {
            seat: [ACTIONS[number] for number in self._lists[seat, :count].tolist()]
            for seat, count in enumerate(self._counts.tolist())
            if count
        }

    # ------------------------------------------------------------ playing

    def legal(self) -> dict[int, list[Action]]:
        """For each seat that may act now, its legal actions in the order of docs/formats.md."""
        return self._legal

    def legal_numbers(self, seat: int) -> npt.NDArray[np.int16]:
        """A seat's legal actions as numbers, for masks: a view that the next action writes over."""
        return self._lists[seat, : self._counts[seat]]

    @property
    def legal_lists(self) -> tuple[npt.NDArray[np.int16], npt.NDArray[np.int16]]:
        """The same of all seats: in each row its actions, and how many they are."""
        return self._lists, self._counts

    def act(self, seat: int, action: Action | int | str) -> None:
        """Take an action, given itself, by number or by text; raises IllegalAction and changes nothing
        where it isn't legal."""
        chosen = self._action_of(seat, action)
        if chosen not in self._legal.get(seat, ()):
            self._refuse(seat, chosen.text)
        entries.act(self._array, 0, self._shapes, seat, int(chosen), self._lists, self._counts)
        self._taken += bytes((seat, chosen))
        self._read()

    @property
    def actions(self) -> list[tuple[int, Action]]:
        """Who has done what, in order."""
        return [
            (seat, ACTIONS[number]) for seat, number in zip(self._taken[::2], self._taken[1::2], strict=True)
        ]

    @property
    def n_actions(self) -> int:
        """How many actions there have been."""
        return len(self._taken) // 2

    def _action_of(self, seat: int, action: Action | int | str) -> Action:
        if isinstance(action, Action):
            return action
        if isinstance(action, str):
            if action not in BY_TEXT:
                self._refuse(seat, action)
            return BY_TEXT[action]
        if not 0 <= action < len(ACTIONS):
            self._refuse(seat, f"action number {action}")
        return ACTIONS[action]

    def _refuse(self, seat: int, tried: str) -> None:
        legal = self._legal.get(seat, ())
        raise IllegalAction(seat, tried, legal, why_refused(self._t, self._shapes, seat, tried, bool(legal)))

    @property
    def over(self) -> bool:
        """Whether the hand is over."""
        return not self._legal

    @property
    def remaining(self) -> int:
        """Tiles between head and tail; the whole wall while ga is being chosen (R1.2)."""
        return int(self._t.tail - self._t.head)

    # ------------------------------------------------------------ looking

    @property
    def raw(self) -> Record:
        """The engine's record itself, for kernels; everything in it is visible."""
        return self._t

    def masked_array(self, seat: int) -> Record:
        """A copy of the record, as an array of one, with everything wiped out that a seat (SPECTATOR:
        nobody) can't see: what bots and learning environments get."""
        views = copied(self._array)
        entries.mask(views, 0, seat)
        return views

    def views(self) -> Record:
        """What ``masked_array`` gives for each seat in order and, last, for spectators, in one array."""
        views = copied(self._array, self.players + 1)
        entries.mask_each(views)
        return views

    def masked(self, seat: int) -> Record:
        """The same as a record."""
        return self.masked_array(seat)[0]

    def waits(self, seat: int, discard: int | None = None) -> list[Wait]:
        """What a seat's hand waits on, as it is or after a discard (its kind); empty if it doesn't wait.

        Made from the seat's view alone, so that it tells only what the seat may know.
        """
        kind, turn = (AS_IT_IS, _NOBODY) if discard is None else (discard, seat)
        return self._known_by(seat, turn, (kind,)).waits.get(kind, [])

    def licences(self, seat: int) -> tuple[str, ...]:
        """Licences that a seat's hand holds already, whatever else it becomes; made from its view."""
        return self._known_by(seat, seat, ()).licences

    def hints(self, views: Record = None) -> list[Known]:
        """What each seat's own view tells it about its hand: in its turn after each legal discard, else as
        it stands. Empty while no hand is being played. ``views`` is ``views()``, where that is known."""
        return _known(*self.hint_rows(views))

    def hint_rows(self, views: Record = None) -> HintRows:
        """The same as ``entries.list_hints`` writes it."""
        if self.phase in (Phase.GA, Phase.OVER):
            return NO_HINTS
        turn = self.turn if self.phase == Phase.TURN else _NOBODY
        legal = self._legal.get(turn, ())
        discards = [action - Act.DISCARD for action in legal if Act.DISCARD <= action < Act.READY]
        seen = self.views() if views is None else views
        return self._list_hints(seen[: self.players], 0, turn, discards)

    def _known_by(self, seat: int, turn: int, discards: Sequence[int]) -> Known:
        """Of one seat; if it is ``turn``, after each of ``discards``."""
        [known] = _known(*self._list_hints(self.masked_array(seat), seat, turn, discards))
        return known

    def _list_hints(self, views: Record, first: int, turn: int, discards: Sequence[int]) -> HintRows:
        """Of seats from ``first`` on, one for each view; ``turn`` is looked at after each of ``discards``."""
        rows = np.empty(((len(discards) + len(views)) * KINDS, HINT_COLUMNS), np.int32)
        held = np.empty((len(views), 2), np.int32)
        entries.list_hints(views, self._shapes, first, turn, np.array(discards, np.int8), rows, held)
        return rows, held

    def events(self) -> list[Event]:
        """What happened in the last action (at first: in the deal), nothing hidden."""
        return events_of(self._t, self.wall)

    def end(self) -> dict[str, Any] | None:
        """The result as in docs/formats.md, sections 2 and 3; None while the hand is on."""
        return result_of(self._t) if self.over else None

    @property
    def wall_break(self) -> tuple[int, int]:
        """Where the wall was broken (R1.3): before whom, and after how many stacks from his left end."""
        one, other = self._t.dice.tolist()
        return broken_at(int(self._t.dealer), one + other, self.players)

    @property
    def payments(self) -> list[int]:
        """Points won or lost per seat; zeros while the hand is on."""
        return [int(points) for points in self._t.payments[: self.players]]

    def record(self) -> dict[str, Any]:
        """The hand so far as a record that replays it (docs/formats.md, section 3)."""
        t = self._t
        return {
            "format": RECORD_FORMAT,
            "rules": rules_to_json(self.rules, self.players),
            "players": self.players,
            "dealer": int(t.dealer),
            "streak": int(t.streak),
            "round_wind": TEXT[EAST + int(t.round_wind)],
            "ga_floor": [int(ga) for ga in t.ga_floor[: self.players]],
            "dice": [int(die) for die in t.dice],
            "wall": text_of(self.wall),
            "actions": [[seat, action.text] for seat, action in self.actions],
        }

    def snapshot(self) -> bytes:
        """The engine's record as bytes, every hidden thing in it."""
        return bytes(self._array.tobytes())

    def clone(self) -> "Table":
        """An independent table in the same state."""
        twin = object.__new__(Table)
        twin.rules, twin.players, twin.wall = self.rules, self.players, self.wall
        twin._taken = self._taken
        twin.phase, twin.turn = self.phase, self.turn
        twin._array = copied(self._array)
        twin._t = twin._array[0]
        twin._shapes = self._shapes
        twin._lists, twin._counts = self._lists.copy(), self._counts.copy()
        twin._legal = self._legal  # replaced at every action, never changed
        return twin

    def laid(self, seat: int, action: Action) -> "Table":
        """A look at what everybody sees at once of a legal discard or added kong: the tile lies there, and
        whether anybody may claim it isn't to be seen. Nobody can act on it."""
        twin = self.clone()
        entries.lay_down(twin._array, 0, seat, int(action))
        twin._counts[:] = 0
        twin._read()
        return twin


def broken_at(dealer: int, pips: int, players: int) -> tuple[int, int]:
    """Where a throw breaks the wall (R1.3): before whom, and after how many stacks from his left end."""
    return _broken_before(players, dealer, pips), pips


# ---------------------------------------------------------------- results in words


def item(payer: int, payee: int, points: int, reason: int, of: int, rule: int) -> dict[str, Any]:
    """A payment as an item of docs/formats.md, section 2, from the ledger's numbers."""
    return {
        "payer": payer,
        "payee": payee,
        "points": points,
        "for": _REASON_ID[reason],
        "of": of,
        "rule": _RULE_CLAUSE[rule],
    }


def items_of(t: Record) -> list[dict[str, Any]]:
    """Every payment of a record."""
    n = int(t.n_items)
    columns = (t.item_payer, t.item_payee, t.item_points, t.item_reason, t.item_of, t.item_rule)
    return [item(*row) for row in zip(*(column[:n].tolist() for column in columns), strict=True)]


_REASON_ID: Final = [reason.id for reason in Reason]
_RULE_CLAUSE: Final = [rule.clause for rule in PayRule]


def winner(seat: int, patterns: int, licences: int, score_t: int, score_v: int) -> dict[str, Any]:
    """A winner as in docs/formats.md, section 2."""
    return {
        "seat": seat,
        "patterns": list(members(Pattern, patterns)),
        "licences": list(members(Licence, licences)),
        "T": score_t,
        "V": score_v,
    }


def winner_of(t: Record, seat: int) -> dict[str, Any]:
    """A winner of a record."""
    columns = (t.patterns, t.licences, t.score_t, t.score_v)
    return winner(seat, *(int(column[seat]) for column in columns))


def result_of(t: Record) -> dict[str, Any]:
    """The `end` of a hand that is over."""
    players = int(t.sheet.players)
    by, way = By(int(t.by)), Way(int(t.way))
    first = int(t.win_from) + 1
    order = [(first + step) % players for step in range(players)]
    return {
        "legal": True,
        "why": None,
        "by": by.id,
        "from": None if t.win_from < 0 else int(t.win_from),
        "tile": None if t.win_tile < 0 else TEXT[int(t.win_tile)],
        "way": None if way == Way.NONE else way.id,
        "winners": [winner_of(t, seat) for seat in order if t.won[seat]],
        "payments": [int(points) for points in t.payments[:players]],
        "items": items_of(t),
    }


# ---------------------------------------------------------------- events in words


def events_of(t: Record, wall: Sequence[int]) -> list[Event]:
    """The events in a record, true or masked; ``wall`` tells the hands as dealt (empty: untold)."""
    events = told_events(t.event[: int(t.n_events)].tolist())
    for event in events:
        if wall and event["type"] == EventType.DEAL.id:
            event["hands"] = _dealt_hands(t, wall)
    if events and t.phase == Phase.OVER:
        events.append({"type": EventType.PAY.id, "items": items_of(t)})
    return events


def told_events(rows: list[list[int]]) -> list[Event]:
    """Rows of a record's event buffer in words."""
    return [_event(*row) for row in rows]


def _event(number: int, seat: int, tile: int, other: int, detail: int) -> Event:
    event: Event = {"type": _EVENT_ID[number]}
    if seat >= 0:
        event["seat"] = seat
    if 0 <= tile < _HIDDEN_FROM:
        event["tile"] = TEXT[tile]
    if other >= 0:
        event["from"] = other
    if number == EventType.DRAW.value:
        event["source"] = _SOURCE_ID[detail]
    elif number not in _PLAIN_EVENTS:
        event.update(_details(EventType(number), detail))
    return event


_PHASES: Final = tuple(Phase)
_EVENT_ID: Final = {event.value: event.id for event in EventType}
_SOURCE_ID: Final = [source.id for source in Source]
_PLAIN_EVENTS: Final = {EventType.DISCARD.value, EventType.FLOWER.value, EventType.PONG.value}


def _details(kind: EventType, detail: int) -> dict[str, Any]:
    """What a kind of event tells beside seat and tiles."""
    match kind:
        case EventType.GA:
            return {"value": detail}
        case EventType.INDICATOR:
            return {"wild": TEXT[detail]}
        case EventType.CHOW:
            return {"tiles": text_of(range(detail, detail + 3))}
        case EventType.KONG:
            robbed = {"robbed": True} if detail & ROBBED else {}
            return {"kind": MeldKind(detail & ~ROBBED).id} | robbed
        case EventType.WIN:
            by, way = divmod(detail, 8)
            return {"by": By(by).id, "way": None if way == Way.NONE else Way(way).id}
    return {}


_dealt_to = getattr(dealt_to, "py_func", dealt_to)
_broken_before = getattr(broken_before, "py_func", broken_before)
"""Kernels as plain Python: they have no way in from here."""


def _dealt_hands(t: Record, wall: Sequence[int]) -> list[str]:
    players, dealer = int(t.sheet.players), int(t.dealer)
    hands: list[list[int]] = [[] for _ in range(players)]
    for index, code in enumerate(wall[: 13 * players + 1]):
        hands[_dealt_to(players, dealer, index)].append(code)
    return [text_of(sorted(hand)) for hand in hands]


def hand_text(t: Record, seat: int) -> str:
    """A seat's concealed tiles as text, flowers last."""
    flowers = int(t.held_flowers[seat])
    return text_of_counts(t.hand[seat].tolist()) + flowers_text(flowers)


@cache
def flowers_text(bits: int) -> str:
    """Flowers as text."""
    return text_of([34 + index for index in range(8) if bits >> index & 1])
