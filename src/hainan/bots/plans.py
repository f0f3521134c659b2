"""Ways to complete a hand: how many tiles each is short of, and which tiles would bring it nearer.

Wild tiles held stand for any that is missing; copies locked in melds are left out of account, since a
kind of which none is left is never useful.
"""

from enum import IntEnum
from typing import NamedTuple

from hainan.engine.distance import near_of, orphans_distance, pairs_distance, seat_target
from hainan.engine.jit import kernel, whole
from hainan.engine.record import Record
from hainan.engine.shapes import group_of, place_of
from hainan.engine.tables import FAR, POW5, Shapes


class Plan(IntEnum):
    """What a hand may become; bits of ``Mind.plans``. The six by suit: + 0 m, 1 p, 2 s."""

    SETS = 0  # sets and a pair, whatever they are
    PAIRS = 1
    ORPHANS = 2
    PONGS = 3
    HALF = 4
    PURE = 7
    COUNT = 10


class Keys(NamedTuple):
    """Concealed tiles by group, as the tables are read with."""

    m: int
    p: int
    s: int
    z: int


ALL_GROUPS = 15


@kernel
def keys_of(t: Record, seat: int) -> Keys:
    """A hand's keys."""
    return Keys(whole(t.key[seat, 0]), whole(t.key[seat, 1]), whole(t.key[seat, 2]), whole(t.key[seat, 3]))


@kernel
def kept(keys: Keys, groups: int) -> Keys:
    """The keys with the tiles of other groups left out; groups as bits."""
    return Keys(
        keys.m if groups & 1 != 0 else 0,
        keys.p if groups & 2 != 0 else 0,
        keys.s if groups & 4 != 0 else 0,
        keys.z if groups & 8 != 0 else 0,
    )


@kernel
def moved(keys: Keys, kind: int, copies: int) -> Keys:
    """The keys with some copies more (or less) of a kind."""
    more = copies * place_of(kind)
    group = group_of(kind)
    return Keys(
        keys.m + (more if group == 0 else 0),
        keys.p + (more if group == 1 else 0),
        keys.s + (more if group == 2 else 0),
        keys.z + (more if group == 3 else 0),
    )


# ---------------------------------------------------------------- sets and a pair


@kernel
def by_class(shapes: Shapes, sets: int, pair: bool, suits: int, rest: int) -> int:
    """Tiles missing, from the classes of two groups each."""
    if pair:
        return whole(shapes.distance[sets, suits, rest])
    return whole(shapes.sets_distance[sets, suits, rest])


@kernel
def sets_missing(shapes: Shapes, sets: int, pair: bool, keys: Keys) -> int:
    """Tiles missing to so many sets, with the pair or without."""
    suits = shapes.two_suits[shapes.suit_near[keys.m] & 255, shapes.suit_near[keys.p] & 255]
    rest = shapes.suit_honors[shapes.suit_near[keys.s] & 255, shapes.honor_near[keys.z] & 255]
    return by_class(shapes, sets, pair, whole(suits), whole(rest))


@kernel
def mark_sets(shapes: Shapes, sets: int, pair: bool, keys: Keys, groups: int, now: int, mind: Record) -> None:
    """Mark in ``mind.useful`` the kinds of these groups that bring the sets nearer than ``now``."""
    m, p = whole(shapes.suit_near[keys.m]) & 255, whole(shapes.suit_near[keys.p]) & 255
    s, z = whole(shapes.suit_near[keys.s]) & 255, whole(shapes.honor_near[keys.z]) & 255
    suits, rest = whole(shapes.two_suits[m, p]), whole(shapes.suit_honors[s, z])
    for number in range(9):
        place = whole(POW5[number])
        if groups & 1 != 0 and mind.left[number] > 0:
            more = whole(shapes.two_suits[shapes.suit_near[keys.m + place] & 255, p])
            if by_class(shapes, sets, pair, more, rest) < now:
                mind.useful[number] = 1
        if groups & 2 != 0 and mind.left[9 + number] > 0:
            more = whole(shapes.two_suits[m, shapes.suit_near[keys.p + place] & 255])
            if by_class(shapes, sets, pair, more, rest) < now:
                mind.useful[9 + number] = 1
        if groups & 4 != 0 and mind.left[18 + number] > 0:
            more = whole(shapes.suit_honors[shapes.suit_near[keys.s + place] & 255, z])
            if by_class(shapes, sets, pair, suits, more) < now:
                mind.useful[18 + number] = 1
        if number < 7 and groups & 8 != 0 and mind.left[27 + number] > 0:
            more = whole(shapes.suit_honors[s, shapes.honor_near[keys.z + place] & 255])
            if by_class(shapes, sets, pair, suits, more) < now:
                mind.useful[27 + number] = 1


# ---------------------------------------------------------------- sequences alone (R6.2)


@kernel
def chows_missing(shapes: Shapes, sets: int, keys: Keys, honor_pair: int) -> int:
    """Tiles missing to sequences and a pair; ``honor_pair``: what a pair of winds that may stand costs."""
    two = shapes.two_chows[shapes.chow_near[keys.m], shapes.chow_near[keys.p]]
    one = shapes.chow_near[keys.s]
    return min(
        whole(shapes.chow_distance[1, sets, two, one]),
        whole(shapes.chow_distance[0, sets, two, one]) + honor_pair,
    )


@kernel
def mark_chows(shapes: Shapes, sets: int, keys: Keys, honor_pair: int, now: int, mind: Record) -> None:
    """Mark the suited kinds that bring sequences nearer."""
    for kind in range(27):
        if mind.left[kind] > 0 and chows_missing(shapes, sets, moved(keys, kind, 1), honor_pair) < now:
            mind.useful[kind] = 1


# ---------------------------------------------------------------- pairs, orphans, pongs


@kernel
def pairs_missing(t: Record, shapes: Shapes, keys: Keys, seat: int) -> int:
    """Tiles missing to seven pairs, of a hand of 13 without melds."""
    wild = whole(t.n_wild[seat])
    return pairs_distance(near_of(shapes, keys.m, keys.p, keys.s, keys.z), 13 - wild, wild)


@kernel
def orphans_missing(t: Record, shapes: Shapes, keys: Keys, seat: int) -> int:
    """Tiles missing to thirteen orphans."""
    return orphans_distance(near_of(shapes, keys.m, keys.p, keys.s, keys.z), seat_target(t, seat))


class Alike(NamedTuple):
    """How many kinds a hand holds three or four times, twice and once, wild tiles left out."""

    triplets: int
    pairs: int
    singles: int


@kernel
def alike(t: Record, seat: int) -> Alike:
    """Count the kinds of a hand."""
    triplets = 0
    pairs = 0
    singles = 0
    for kind in range(34):
        copies = t.hand[seat, kind]
        if copies > 0 and kind != t.wild:
            triplets += copies >= 3
            pairs += copies == 2
            singles += copies == 1
    return Alike(triplets, pairs, singles)


@kernel
def pongs_missing(sets: int, found: Alike, wild: int) -> int:
    """Tiles missing to so many triplets and a pair (R5.5)."""
    wanted = max(0, sets - found.triplets)
    from_pairs = min(wanted, found.pairs)
    from_singles = wanted - from_pairs
    eye = 0
    if found.pairs == from_pairs and found.triplets <= sets:
        eye = 1
    return max(0, from_pairs + 2 * from_singles + eye - wild) if from_singles < FAR else FAR
