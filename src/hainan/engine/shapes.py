"""What can be asked of a hand's shape: is it complete, and what does it wait on.

A hand is its concealed tiles: kept as counts in the record and, in step with them, as the keys that
the suit tables (tables.py) are read with.
"""

from typing import Final, NamedTuple

import numpy as np

from hainan.engine.jit import kernel, whole
from hainan.engine.record import Record
from hainan.engine.tables import POW5, Bit, Shapes
from hainan.rules.terms import MeldKind

ORPHANS: Final = np.array([0, 8, 9, 17, 18, 26, *range(27, 34)])
"""The thirteen terminals and honors (R5.3)."""


@kernel
def is_orphan(kind: int) -> bool:
    """Whether a kind is a terminal or an honor."""
    return kind >= 27 or kind % 9 == 0 or kind % 9 == 8


# ---------------------------------------------------------------- keys


@kernel
def group_of(kind: int) -> int:
    """0 m, 1 p, 2 s, 3 honors."""
    return kind // 9


@kernel
def place_of(kind: int) -> int:
    """What one copy of a kind adds to its group's key."""
    return whole(POW5[kind % 9])


@kernel
def add_tile(t: Record, seat: int, kind: int, copies: int) -> None:
    """Put tiles into a hand (or take them, with a negative number), keeping its keys in step."""
    t.hand[seat, kind] += copies
    if kind == t.wild:
        t.n_wild[seat] += copies
    else:
        t.key[seat, group_of(kind)] += copies * place_of(kind)


@kernel
def rebuild_keys(t: Record, seat: int) -> None:
    """Compute a hand's keys from its tiles."""
    t.n_wild[seat] = 0
    for group in range(4):
        t.key[seat, group] = 0
    for kind in range(34):
        copies = whole(t.hand[seat, kind])
        if kind == t.wild:
            t.n_wild[seat] = copies
        else:
            t.key[seat, group_of(kind)] += copies * place_of(kind)


class Hand(NamedTuple):
    """A complete hand's concealed tiles as the tables see them."""

    m: int
    p: int
    s: int
    z: int
    wild: int


@kernel
def hand_with(t: Record, seat: int, kind: int) -> Hand:
    """A hand with one more tile taken as itself (R5.9), or as it is with kind -1."""
    m, p, s, z = t.key[seat, 0], t.key[seat, 1], t.key[seat, 2], t.key[seat, 3]
    if kind >= 0:
        place = place_of(kind)
        group = group_of(kind)
        if group == 0:
            m += place
        elif group == 1:
            p += place
        elif group == 2:
            s += place
        else:
            z += place
    return Hand(whole(m), whole(p), whole(s), whole(z), whole(t.n_wild[seat]))


# ---------------------------------------------------------------- complete hands (R5)


@kernel
def one_pair(m: int, p: int, s: int, z: int) -> bool:
    """Whether exactly one of four groups of bits holds the pair, and all are complete."""
    complete = m & p & s & z & Bit.COMPLETE
    pairs = ((m & Bit.PAIR) + (p & Bit.PAIR) + (s & Bit.PAIR) + (z & Bit.PAIR)) // Bit.PAIR
    return complete != 0 and pairs == 1


@kernel
def is_standard(shapes: Shapes, hand: Hand) -> bool:
    """R5.1: sets and a pair, with every way to spend the wild tiles tried."""
    for in_m in range(hand.wild + 1):
        m = whole(shapes.suit[in_m, hand.m])
        if m & Bit.COMPLETE == 0:
            continue
        for in_p in range(hand.wild - in_m + 1):
            p = whole(shapes.suit[in_p, hand.p])
            if p & Bit.COMPLETE == 0:
                continue
            for in_s in range(hand.wild - in_m - in_p + 1):
                s = whole(shapes.suit[in_s, hand.s])
                z = whole(shapes.honor[hand.wild - in_m - in_p - in_s, hand.z])
                if one_pair(m, p, s, z):
                    return True
    return False


@kernel
def natural_copies(t: Record, seat: int, extra: int, kind: int) -> int:
    """Copies of a kind taken as themselves in a hand with an extra tile (-1: none)."""
    copies = 0 if kind == t.wild else whole(t.hand[seat, kind])
    return copies + 1 if kind == extra else copies


@kernel
def odd_kinds(t: Record, seat: int, extra: int) -> int:
    """How many kinds stand an odd number of times, wild tiles left out."""
    odd = 0
    for kind in range(34):
        odd += natural_copies(t, seat, extra, kind) % 2
    return odd


@kernel
def is_seven_pairs(t: Record, shapes: Shapes, seat: int, extra: int) -> bool:
    """R5.2, given fourteen tiles without melds: each odd kind needs a wild tile, the rest pair up."""
    hand = hand_with(t, seat, extra)
    if hand.wild == 0:
        groups = shapes.suit[0, hand.m] & shapes.suit[0, hand.p] & shapes.suit[0, hand.s]
        return whole(groups) & whole(shapes.honor[0, hand.z]) & Bit.EVEN != 0
    return odd_kinds(t, seat, extra) <= hand.wild


@kernel
def is_thirteen_orphans(t: Record, seat: int, extra: int) -> bool:
    """R5.3, given fourteen tiles without melds: no tile is lost on another kind or a third copy."""
    used = 0
    paired = False
    missing = 0
    for kind in ORPHANS:
        copies = natural_copies(t, seat, extra, whole(kind))
        if copies == 0:
            missing += 1
            if missing > t.n_wild[seat]:
                return False
        elif copies > 1:
            if copies > 2 or paired:
                return False
            paired = True
        used += copies
    return used + t.n_wild[seat] == 14


@kernel
def suit_mask(t: Record, seat: int, extra: int, suit: int) -> int:
    """The numbers present in a suit as nine bits, or -1 if two tiles are alike."""
    mask = 0
    for number in range(9):
        copies = natural_copies(t, seat, extra, 9 * suit + number)
        if copies > 1:
            return -1
        mask |= copies << number
    return mask


@kernel
def best_scattered(mask: int, size: int) -> int:
    """The most numbers of a suit that fit in some set of ``size`` numbers at least 3 apart (R5.4)."""
    best = 0
    for low in range(9):
        one = (mask >> low) & 1
        if size == 1:
            best = max(best, one)
        for middle in range(low + 3, 9):
            two = one + ((mask >> middle) & 1)
            if size == 2:
                best = max(best, two)
            if size == 3:
                for high in range(middle + 3, 9):
                    best = max(best, two + ((mask >> high) & 1))
    return best


@kernel
def scattered_kept(masks: tuple[int, int, int], honors: int) -> int:
    """The most tiles that can stay on the way to fourteen scattered ones (R5.4)."""
    best = 0
    for m in range(1, 4):
        for p in range(1, 4):
            for s in range(1, 4):
                rest = 14 - m - p - s
                if rest <= 7:
                    kept = (
                        best_scattered(masks[0], m)
                        + best_scattered(masks[1], p)
                        + best_scattered(masks[2], s)
                        + min(rest, honors)
                    )
                    best = max(best, kept)
    return best


@kernel
def honor_kinds(t: Record, seat: int, extra: int) -> int:
    """How many honor kinds stand in a hand."""
    kinds = 0
    for kind in range(27, 34):
        kinds += natural_copies(t, seat, extra, kind) > 0
    return kinds


@kernel
def is_scattered(t: Record, seat: int, extra: int) -> bool:
    """R5.4, given fourteen tiles without melds."""
    for kind in range(27, 34):
        if natural_copies(t, seat, extra, kind) > 1:
            return False
    masks = (suit_mask(t, seat, extra, 0), suit_mask(t, seat, extra, 1), suit_mask(t, seat, extra, 2))
    if min(masks) < 0:
        return False
    return scattered_kept(masks, honor_kinds(t, seat, extra)) + t.n_wild[seat] == 14


@kernel
def is_complete(t: Record, shapes: Shapes, seat: int, extra: int) -> bool:
    """Whether a hand with an extra tile taken as itself (-1: as it is) is a winning shape (R5).

    The right number of tiles is the caller's care; flowers still in the hand prevent it (R2.2).
    """
    if t.held_flowers[seat] != 0:
        return False
    if is_standard(shapes, hand_with(t, seat, extra)):
        return True
    if t.n_melds[seat] > 0:
        return False
    return (
        is_seven_pairs(t, shapes, seat, extra)
        or is_thirteen_orphans(t, seat, extra)
        or (t.sheet.scattered_thirteen != 0 and is_scattered(t, seat, extra))
    )


# ---------------------------------------------------------------- waits


@kernel
def meld_copies(t: Record, seat: int, kind: int) -> int:
    """Copies of a kind in a seat's melds."""
    copies = 0
    for meld in range(whole(t.n_melds[seat])):
        low = t.meld_tile[seat, meld]
        what = t.meld_kind[seat, meld]
        if what == MeldKind.CHOW:
            copies += low <= kind < low + 3 and kind < 27
        elif low == kind:
            copies += 3 if what == MeldKind.PONG else 4
    return copies


@kernel
def held_copies(t: Record, seat: int, kind: int) -> int:
    """Copies of a kind in a seat's hand and melds, literally (R7.6)."""
    return whole(t.hand[seat, kind]) + meld_copies(t, seat, kind)


@kernel
def waits(t: Record, shapes: Shapes, seat: int) -> int:
    """Kinds that complete a hand of 13 (less three a meld), as bits: each taken as itself, and none of
    which hand and melds hold four (R7.6)."""
    found = 0
    for kind in range(34):
        if held_copies(t, seat, kind) < 4 and is_complete(t, shapes, seat, kind):
            found |= 1 << kind
    return found
