"""The kernels that Python calls: few, so that little is compiled and little is dispatched."""

from typing import Any

from hainan.engine.distance import Scratch, seat_distance
from hainan.engine.ends import read_end, write_bill
from hainan.engine.hints import fill_waits, fill_waits_after, standing_licences
from hainan.engine.jit import entry, whole
from hainan.engine.legal import legal
from hainan.engine.match import match_over, next_hand
from hainan.engine.message import OPEN, SHUT, close, put_hints, put_mine, put_table
from hainan.engine.record import Record
from hainan.engine.shapes import is_complete, rebuild_keys, waits
from hainan.engine.step import finish_checked, lay, step
from hainan.engine.tables import Shapes
from hainan.engine.view import hide
from hainan.engine.wall import start_hand


@entry
def begin(tables: Record, index: int, shapes: Shapes, lists: Any, counts: Any) -> None:
    """Start the hand that is set in a record, and list what is legal (``act``)."""
    t = tables[index]
    start_hand(t)
    for seat in range(4):
        counts[seat] = legal(t, shapes[0], seat, lists[seat])


@entry
def act(tables: Record, index: int, shapes: Shapes, seat: int, action: int, lists: Any, counts: Any) -> None:
    """Take a legal action and write each seat's legal actions: ``lists[seat, :counts[seat]]``."""
    t = tables[index]
    step(t, shapes[0], seat, action)
    for other in range(4):
        counts[other] = legal(t, shapes[0], other, lists[other])


@entry
def lay_down(tables: Record, index: int, seat: int, action: int) -> None:
    """Of a legal discard or added kong only what all see at once (``step.lay``)."""
    lay(tables[index], seat, action)


@entry
def mask(views: Record, index: int, seat: int) -> None:
    """Wipe out of a copied table what a seat (-1: a spectator) can't see."""
    hide(views[index], seat)


@entry
def mask_each(views: Record) -> None:
    """Wipe out of copies of one table what each seat can't see, in order; of the last what nobody can."""
    for index in range(len(views) - 1):
        hide(views[index], index)
    hide(views[len(views) - 1], -1)


@entry
def count_hand(tables: Record, index: int, seat: int) -> None:
    """After a hand was written into a record from outside: what is kept in step with it."""
    rebuild_keys(tables[index], seat)


@entry
def advance(tables: Record, index: int) -> bool:
    """Set up the next hand of the match; whether there is none."""
    next_hand(tables[index])
    return match_over(tables[index])


@entry
def list_hints(
    views: Record, shapes: Shapes, first: int, turn: int, discards: Any, rows: Any, held: Any
) -> None:
    """Hints for the seats from ``first`` on, one for each view: for ``turn`` after each of some discards, for
    the others as the hand is. ``rows``: see ``hints.HINT_COLUMNS``; ``held[:, 0]`` are the licences held
    already, as bits, and ``held[:, 1]`` is the row after each seat's."""
    n = 0
    for index in range(len(views)):
        seat = first + index
        if seat == turn:
            n = fill_waits_after(views[index], shapes[0], seat, discards, rows, n)
        else:
            n = fill_waits(views[index], shapes[0], seat, -1, rows, n)
        held[index, 0] = standing_licences(views[index], seat)
        held[index, 1] = n


@entry
def write_table(views: Record, index: int, out: Any) -> int:
    """Write a spectator's view as a message's `table`, without a bill; how many bytes."""
    return put_table(out, views[index])


@entry
def write_mine(
    views: Record, asked: Any, lists: Any, counts: Any, rows: Any, held: Any, out: Any, ends: Any
) -> None:
    """Write each seat's view as its message's `mine`, and where each ends. ``asked``: a row a seat
    (``message.put_mine``); ``rows`` and ``held`` from ``list_hints`` of all seats, or empty."""
    n = row = 0
    for seat in range(len(asked)):
        begin = n
        n = put_mine(out, n, views[seat], seat, asked[seat], lists[seat], whole(counts[seat]))
        if len(held) > 0:
            n = put_hints(out, n, whole(held[seat, 0]), rows, row, whole(held[seat, 1]))
            row = whole(held[seat, 1])
        n = close(out, begin, n, OPEN, SHUT)
        ends[seat] = n


@entry
def look(tables: Record, index: int, shapes: Shapes, seat: int, work: Scratch, out: Any) -> None:
    """Of a hand as it stands: is it complete, its waits as bits, its distance."""
    t = tables[index]
    rebuild_keys(t, seat)
    out[0] = whole(is_complete(t, shapes[0], seat, -1))
    out[1] = waits(t, shapes[0], seat)
    out[2] = seat_distance(t, shapes[0], seat, work)


@entry
def bill(tables: Record, index: int, shapes: Shapes, end: Any, out: Any) -> None:
    """The bill of the end that a row describes, as a row (ends.py)."""
    t = tables[index]
    read_end(t, end)
    why = finish_checked(t, shapes[0])
    write_bill(t, why, out)


@entry
def evaluate(tables: Record, shapes: Shapes, why: Any) -> None:
    """Judge the winners and write the bill of tables set up at their end; why: ``finish_checked``."""
    for index in range(len(tables)):
        why[index] = finish_checked(tables[index], shapes[0])
