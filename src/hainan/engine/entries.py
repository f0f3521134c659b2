"""The kernels that Python calls: few, so that little is compiled and little is dispatched."""

from typing import Any

from hainan.engine.distance import Scratch, seat_distance
from hainan.engine.hints import fill_waits_after
from hainan.engine.jit import entry
from hainan.engine.ledger import settle
from hainan.engine.legal import legal
from hainan.engine.match import match_over, next_hand
from hainan.engine.record import Record
from hainan.engine.shapes import is_complete, rebuild_keys, waits
from hainan.engine.step import finish, step
from hainan.engine.tables import Shapes
from hainan.engine.view import hide
from hainan.engine.wall import start_hand


@entry
def begin(t: Record, shapes: Shapes, lists: Any, counts: Any) -> None:
    """Start the hand that is set in the record, and list what is legal (``act``)."""
    start_hand(t)
    for seat in range(4):
        counts[seat] = legal(t, shapes, seat, lists[seat])


@entry
def act(t: Record, shapes: Shapes, seat: int, action: int, lists: Any, counts: Any) -> None:
    """Take a legal action (-1: none) and write each seat's legal actions: ``lists[seat, :counts[seat]]``."""
    if action >= 0:
        step(t, shapes, seat, action)
    for other in range(4):
        counts[other] = legal(t, shapes, other, lists[other])


@entry
def mask(view: Record, seat: int) -> None:
    """Wipe out of a copied table what a seat (-1: a spectator) can't see."""
    hide(view, seat)


@entry
def advance(t: Record) -> bool:
    """Set up the next hand of the match; whether there is none."""
    next_hand(t)
    return match_over(t)


@entry
def list_waits(view: Record, shapes: Shapes, seat: int, discard: int, out: Any) -> int:
    """Hints for a seat's hand after a discard (-1: as it is): see ``hints.HINT_COLUMNS``."""
    return fill_waits_after(view, shapes, seat, discard, out)


@entry
def look(t: Record, shapes: Shapes, seat: int, work: Scratch, out: Any) -> None:
    """Of a hand as it stands: is it complete, its waits as bits, its distance."""
    rebuild_keys(t, seat)
    out[0] = int(is_complete(t, shapes, seat, -1))
    out[1] = waits(t, shapes, seat)
    out[2] = seat_distance(t, shapes, seat, work)
