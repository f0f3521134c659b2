"""Ends of hands from outside, as one row of numbers in and one out: what the calculator speaks."""

from typing import Any, Final

from hainan.engine.jit import kernel, whole
from hainan.engine.record import MAX_ITEMS, MELDS, Phase, Record
from hainan.engine.shapes import rebuild_keys

HEAD: Final = 9
"""Dealer, streak, round wind, remaining, wild kind, by, way, from, tile."""
MELD: Final = 5
"""Kind, lowest tile, claimed tile, from, back."""
HAND: Final = 14
SEAT: Final = 7 + MELDS * MELD + HAND
"""Ga, ready, won, followed, held flowers, flowers, melds; the melds; the concealed tiles, -1 for none."""
END_ROW: Final = HEAD + 4 * SEAT

WON: Final = 5
"""Won, patterns, licences, T, V."""
ITEM: Final = 6
"""Payer, payee, points, reason, of, rule."""
BILL_HEAD: Final = 6 + 4 * WON
"""Why not (``step.finish_checked``), payments of four seats, number of items; then ``WON`` a seat."""
BILL_ROW: Final = BILL_HEAD + MAX_ITEMS * ITEM


@kernel
def read_meld(t: Record, row: Any, at: int, seat: int, meld: int) -> None:
    """One meld of a row."""
    t.meld_kind[seat, meld] = row[at]
    t.meld_tile[seat, meld] = row[at + 1]
    t.meld_claimed[seat, meld] = row[at + 2]
    t.meld_from[seat, meld] = row[at + 3]
    t.meld_back[seat, meld] = row[at + 4]


@kernel
def read_seat(t: Record, row: Any, at: int, seat: int) -> None:
    """One seat of a row."""
    t.ga[seat] = row[at]
    t.is_ready[seat] = row[at + 1]
    t.won[seat] = row[at + 2]
    t.followed[seat] = row[at + 3]
    t.held_flowers[seat] = row[at + 4]
    t.flowers[seat] = row[at + 5]
    t.n_melds[seat] = row[at + 6]
    for meld in range(whole(t.n_melds[seat])):
        read_meld(t, row, at + 7 + MELD * meld, seat, meld)
    t.hand[seat, :] = 0
    for index in range(HAND):
        tile = row[at + 7 + MELDS * MELD + index]
        if tile >= 0:
            t.hand[seat, tile] += 1
    rebuild_keys(t, seat)


@kernel
def read_end(t: Record, row: Any) -> None:
    """Set a table up at the end that a row describes; its sheet is set already."""
    t.dealer = row[0]
    t.streak = row[1]
    t.round_wind = row[2]
    t.head = 0
    t.tail = row[3]
    t.wild = row[4]
    t.indicator = -1
    t.phase = Phase.OVER
    t.by = row[5]
    t.way = row[6]
    t.win_from = row[7]
    t.win_tile = row[8]
    t.n_items = 0
    t.payments[:] = 0
    for seat in range(4):
        read_seat(t, row, HEAD + SEAT * seat, seat)


@kernel
def write_bill(t: Record, why: int, row: Any) -> None:
    """The bill of a table as a row."""
    row[0] = why
    row[5] = t.n_items
    for seat in range(4):
        row[1 + seat] = t.payments[seat]
        at = 6 + WON * seat
        row[at] = t.won[seat]
        row[at + 1] = t.patterns[seat]
        row[at + 2] = t.licences[seat]
        row[at + 3] = t.score_t[seat]
        row[at + 4] = t.score_v[seat]
    for item in range(whole(t.n_items)):
        at = BILL_HEAD + ITEM * item
        row[at] = t.item_payer[item]
        row[at + 1] = t.item_payee[item]
        row[at + 2] = t.item_points[item]
        row[at + 3] = t.item_reason[item]
        row[at + 4] = t.item_of[item]
        row[at + 5] = t.item_rule[item]
