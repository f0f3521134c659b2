"""For a seat's hand: what it waits on, and what each of these tiles would bring."""

from typing import Any

from hainan.engine.jit import kernel, whole
from hainan.engine.record import Record
from hainan.engine.shapes import add_tile, waits
from hainan.engine.tables import Shapes
from hainan.engine.view import unseen
from hainan.engine.winning import (
    Facts,
    is_licensed,
    judge,
    meld_facts,
    standard_licences,
    win_value,
)
from hainan.rules.terms import By, Way

HINT_COLUMNS = 9
"""Kind, copies unseen, licensed on a discard, licences, patterns, T, V by discard, V by self-draw, and the
discard after which it is so (-1: as the hand is)."""


@kernel
def standing_licences(view: Record, seat: int) -> int:
    """Licences that a hand has now and keeps unless it is broken up, as bits: 门清, sets of dragons and
    of the winds that count, position flowers. The others show only when the hand is complete."""
    melds = meld_facts(view, seat)
    winds = melds.wind_sets
    dragons = melds.dragon_set
    for kind in range(27, 34):
        if view.hand[seat, kind] >= 3 and kind != view.wild:
            if kind >= 31:
                dragons = True
            else:
                winds |= 1 << (kind - 27)
    facts = Facts(7, True, False, False, False, False, dragons, winds, melds.closed)
    return standard_licences(view, seat, facts)


@kernel
def fill_waits(view: Record, shapes: Shapes, seat: int, discard: int, out: Any, n: int) -> int:
    """A row for each waited kind of a hand of 13 (less three a meld), from row ``n``; returns the next."""
    waited = waits(view, shapes, seat)
    for kind in range(34):
        if waited & (1 << kind) == 0:
            continue
        judged = judge(view, shapes, seat, kind)
        score = judged.rank // 4096
        out[n, 0] = kind
        out[n, 1] = unseen(view, seat, kind)
        out[n, 2] = whole(is_licensed(view, judged))
        out[n, 3] = judged.licences
        out[n, 4] = judged.patterns
        out[n, 5] = score
        out[n, 6] = win_value(view, seat, score, By.DISCARD.value, Way.NONE.value)
        out[n, 7] = win_value(view, seat, score, By.SELF_DRAW.value, Way.NONE.value)
        out[n, 8] = discard
        n += 1
    return n


@kernel
def let_go(view: Record, seat: int, kind: int) -> None:
    """Move a tile of a view from the hand to the river, where it is seen."""
    add_tile(view, seat, kind, -1)
    n = view.n_discards
    view.discard_tile[n] = kind
    view.discard_seat[n] = seat
    view.discard_taken[n] = -1
    view.n_discards = n + 1


@kernel
def fill_waits_after(view: Record, shapes: Shapes, seat: int, discards: Any, out: Any, n: int) -> int:
    """The same after each of some discards."""
    for index in range(len(discards)):
        discard = whole(discards[index])
        let_go(view, seat, discard)
        n = fill_waits(view, shapes, seat, discard, out, n)
        view.n_discards -= 1
        add_tile(view, seat, discard, 1)
    return n
