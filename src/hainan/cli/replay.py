"""``hainan replay``: a stored hand told line by line, stepped through, or as JSON (docs/formats.md)."""

import sys
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

from rich.text import Text

from hainan.cli.bill import print_bill
from hainan.cli.common import BAD_INPUT, OK, language, warn
from hainan.cli.keys import single_keys
from hainan.cli.lines import print_json
from hainan.cli.screen import Room, opened_lines, place_facts
from hainan.cli.show import Look, Names, action_text, flow, look_for, numbered, tile, tiles, told
from hainan.cli.warmup import ready
from hainan.jsonl import JsonError, Value
from hainan.picture.laid import Seat, seat_of
from hainan.records import RecordError, ReplayError, read_record, replay, steps
from hainan.rules.actions import BY_TEXT
from hainan.rules.tiles import parse
from hainan.table import Event, Table, Wait

_NEXT: Final = (" ", "\n", "\r", "n", "l", "right")
_BACK: Final = ("b", "p", "h", "left", "\x7f")
_START: Final = ("g", "home")
_END: Final = ("G", "end")
_QUIT: Final = ("q", "Q", "\x1b")
_SHOWN_APART: Final = {"ga", "deal", "pay"}


def run(values: Iterable[Value], jsonl: bool, lang: str | None, plain: bool) -> int:
    """Tell the records; the exit status."""
    if jsonl:
        ready(["table"], language(lang))
        return _print_lines(values)
    ready(["table", "hints"], language(lang))
    look = look_for(lang, plain)
    if sys.stdin.isatty() and look.on_screen:
        return _Stepper(look, list(values)).run()
    return _print_tellings(look, values)


def wrong(number: int, value: Value, error: ValueError) -> int:
    """Say on stderr what is wrong with a record; the exit status."""
    line = "" if value.line is None else f" (line {value.line})"
    warn(f"hainan: record {number}{line}: {error}")
    return BAD_INPUT


def _print_lines(values: Iterable[Value]) -> int:
    status = OK
    for number, value in enumerate(values):
        which = {} if value.line is None else {"record": number}
        try:
            for line in replay(read_record(decoded(value))):
                print_json(which | line)
        except (JsonError, RecordError, ReplayError) as error:
            sys.stdout.flush()
            status = wrong(number, value, error)
    sys.stdout.flush()
    return status


def decoded(value: Value) -> object:
    """What a value holds. Raises JsonError where it isn't JSON."""
    if value.error is not None:
        raise value.error
    return value.value


# ---------------------------------------------------------------- a hand, moment by moment


@dataclass(frozen=True)
class Moment:
    """The table at the start or after an action."""

    table: Table
    n: int
    seat: int | None
    did: str | None


@dataclass(frozen=True)
class Hand:
    """A record played as far as it goes, and what stopped it if that was an error."""

    moments: list[Moment]
    problem: ValueError | None
    names: Names

    @classmethod
    def of(cls, look: Look, value: Value) -> "Hand":
        """Play a record."""
        moments: list[Moment] = []
        try:
            for table, n, seat, did in steps(read_record(decoded(value))):
                moments.append(Moment(table.clone(), n, seat, did))
        except (JsonError, RecordError, ReplayError) as error:
            problem: ValueError | None = error
        else:
            problem = None
        first = moments[0].table if moments else None
        names = (
            numbered(look.lang, first.players, int(first.raw.dealer))
            if first
            else Names((), (), tell_winds=True)
        )
        return cls(moments, problem, names)


def _happened(look: Look, names: Names, moment: Moment) -> list[Text]:
    """What was done and what followed from it."""
    events = [event for event in moment.table.events() if event["type"] not in _SHOWN_APART]
    sentences = told(look, names, events)
    if moment.seat is not None and moment.did is not None and not _tells_it(events, moment):
        did = action_text(look, BY_TEXT[moment.did])
        sentences.insert(0, look.fill("did", who=names.full[moment.seat], what=did))
    return sentences


def _tells_it(events: Sequence[Event], moment: Moment) -> bool:
    """Whether the first event is the action itself; a pass, or a claim not yet taken, has none."""
    return bool(events) and events[0].get("seat") == moment.seat and events[0]["type"] != "draw"


# ---------------------------------------------------------------- the whole telling


def _print_tellings(look: Look, values: Iterable[Value]) -> int:
    status = OK
    for number, value in enumerate(values):
        hand = Hand.of(look, value)
        _print_telling(look, hand, None if value.line is None else number)
        if hand.problem is not None:
            sys.stdout.flush()
            status = wrong(number, value, hand.problem)
    sys.stdout.flush()
    return status


def _print_telling(look: Look, hand: Hand, number: int | None) -> None:
    if number is not None:
        look.console.rule(look.say("record", n=number), align="left")
    for moment in hand.moments:
        if moment.n == 0:
            look.print(*flow("", place_facts(look, hand.names, moment.table.raw), look.width, gap=2))
        look.print(*_dealt(look, hand.names, moment))
        if happened := _happened(look, hand.names, moment):
            look.print(*flow(f"{moment.n:3}  ", happened, look.width, gap=2, indent=5))
    if hand.moments:
        _print_result(look, hand)


def _dealt(look: Look, names: Names, moment: Moment) -> list[Text]:
    """The hands as dealt, if that is what happened."""
    hands = [hand for event in moment.table.events() if event["type"] == "deal" for hand in event["hands"]]
    return [
        look.fill("dealt", who=name, tiles=tiles(look, parse(hand)))
        for name, hand in zip(names.full, hands, strict=False)
    ]


def _print_result(look: Look, hand: Hand) -> None:
    table = hand.moments[-1].table
    for seat in range(table.players):
        look.print(*opened_lines(look, hand.names, seat_of(table.raw, seat), Room.NO_RIVERS))
    end = table.end()
    if end is None:
        look.print(look.say("unfinished"))
    else:
        print_bill(look, hand.names, end)


# ---------------------------------------------------------------- step by step


class _Stepper:
    """Steps through records with keys; a record is played when it is first looked at."""

    def __init__(self, look: Look, values: Sequence[Value]) -> None:
        self.look, self.values = look, values
        self.problems: dict[int, ValueError] = {}
        self._open(0)

    def run(self) -> int:
        """Until the player quits; the exit status."""
        if len(self.values) > 1 or self.hand.moments:
            with (
                self.look.console.screen(hide_cursor=True),
                single_keys() as key,
                suppress(EOFError, KeyboardInterrupt),
            ):
                self._step_until_quit(key)
        return max((wrong(n, self.values[n], error) for n, error in self.problems.items()), default=OK)

    def _open(self, number: int) -> None:
        self.number, self.at = number, 0
        self.hand = Hand.of(self.look, self.values[number])
        if self.hand.problem is not None:
            self.problems[number] = self.hand.problem

    def _step_until_quit(self, key: Callable[[], str]) -> None:
        while True:
            self.look.console.clear()
            self._draw()
            pressed = key()
            if pressed in _QUIT:
                return
            self._move(pressed)

    def _move(self, pressed: str) -> None:
        last = len(self.hand.moments) - 1
        if pressed in _START:
            self.at = 0
        elif pressed in _END:
            self.at = max(last, 0)
        elif pressed in _NEXT:
            if self.at < last:
                self.at += 1
            elif self.number + 1 < len(self.values):
                self._open(self.number + 1)
        elif pressed in _BACK:
            if self.at > 0:
                self.at -= 1
            elif self.number > 0:
                self._open(self.number - 1)
                self.at = max(len(self.hand.moments) - 1, 0)

    # ------------------------------------------------------------ a screen

    def _draw(self) -> None:
        at_end = self.at >= len(self.hand.moments) - 1
        if self.hand.moments:
            moment = self.hand.moments[self.at]
            over = moment.table.over
            self.look.print(*self._screen(moment, Room.NO_RIVERS if over else None))
            if over:
                print_bill(self.look, self.hand.names, moment.table.end() or {})
            elif at_end and self.hand.problem is None:
                self.look.print(self.look.say("unfinished"))
        if at_end and self.hand.problem is not None:
            self.look.print(*flow("", [Text(str(self.hand.problem), "bold red")], self.look.width))
        self.look.console.print(Text(self.look.say("keys"), "dim"), end="", soft_wrap=True)

    def _screen(self, moment: Moment, room: Room | None) -> list[Text]:
        """The table with all hands open, set as closely as the height needs."""
        head = self._head(moment)
        news = flow("", _happened(self.look, self.hand.names, moment), self.look.width, gap=2)
        for at in Room if room is None else (room,):
            players = [
                line for seat in range(moment.table.players) for line in self._player(moment, seat, at)
            ]
            lines = [*head, *players, Text(), *news]
            if len(lines) < self.look.console.height - 1:
                break
        return lines

    def _head(self, moment: Moment) -> list[Text]:
        facts = [Text(self.look.say("step", n=moment.n, count=len(self.hand.moments) - 1))]
        if len(self.values) > 1:
            facts.insert(0, Text(self.look.say("record.of", n=self.number, count=len(self.values))))
        facts += place_facts(self.look, self.hand.names, moment.table.raw)
        return flow("", facts, self.look.width, gap=2)

    def _player(self, moment: Moment, seat: int, room: Room) -> list[Text]:
        seen = seat_of(moment.table.raw, seat)
        return opened_lines(self.look, self.hand.names, seen, room, self._waits(moment.table, seen))

    def _waits(self, table: Table, seen: Seat) -> list[Text]:
        """What a hand of 13 waits on, and what each tile would be worth on a discard."""
        if table.over or seen.drawn is not None or len(seen.hand) % 3 != 1:
            return []
        waits = [self._wait(wait) for wait in table.waits(seen.seat)]
        return [self.look.fill("waits", tiles=Text(" ").join(waits))] if waits else []

    def _wait(self, wait: Wait) -> Text:
        worth = f"(V{wait.V})" if wait.licensed else self.look.say("no licence")
        return tile(self.look, wait.kind).append(worth)
