"""How many tiles a hand is from complete, over the standard shape, seven pairs and thirteen orphans.

Tiles are drawn as themselves; wild tiles held stand for anything; and no kind is ever needed a fifth
time unless a wild tile makes it, copies in one's own melds counted. So a hand of 13 is at distance 1
exactly when it waits (R7.6), and a complete hand of 14 is at 0.
"""

from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from hainan.engine.jit import entry, kernel, whole
from hainan.engine.record import Record
from hainan.engine.shapes import group_of, meld_copies, place_of, scattered_kept
from hainan.engine.tables import FAR, POW5, Shapes

Counts = npt.NDArray[np.uint8]
COST_SHAPE: Final = (5, 2, 5)
"""Sets, pair, wild tiles that had to make a fifth copy."""
STATE_SHAPE: Final = (3, 3, *COST_SHAPE)
"""Sequences begun two kinds ago and one kind ago (three alike are three triplets), then costs."""


class Target(NamedTuple):
    """What counts as complete for a hand, beside its tiles."""

    sets: int  # still to be made of concealed tiles: 4 less the melds
    wild_kind: int  # or -1
    wild: int  # wild tiles held
    missing_honors: int  # honor kinds taken out of the game (R1.1)
    scattered: int  # R5.4


class Scratch(NamedTuple):
    """Working space, given by the caller: kernels allocate nothing."""

    state: npt.NDArray[np.int8]  # [2, *STATE_SHAPE]
    group: npt.NDArray[np.int8]  # COST_SHAPE: one group
    total: npt.NDArray[np.int8]  # [2, *COST_SHAPE]: the groups so far
    locked: npt.NDArray[np.uint8]  # [34]: copies that can't come any more


# ---------------------------------------------------------------- by the tables


class Near(NamedTuple):
    """The entries of a hand's four groups in the tables (``tables._near``); wild tiles are left out."""

    m: int
    p: int
    s: int
    z: int


@kernel
def near_of(shapes: Shapes, m: int, p: int, s: int, z: int) -> Near:
    """Look the four keys up."""
    return Near(
        whole(shapes.suit_near[m]),
        whole(shapes.suit_near[p]),
        whole(shapes.suit_near[s]),
        whole(shapes.honor_near[z]),
    )


@kernel
def group_key(counts: Counts, first: int, kinds: int) -> int:
    """A group's key from counts."""
    key = 0
    for kind in range(kinds):
        key += whole(counts[first + kind]) * whole(POW5[kind])
    return key


@kernel
def standard_by_tables(shapes: Shapes, near: Near, sets: int) -> int:
    """R5.1 without wild tiles and with no copies locked in melds: three more look-ups tell."""
    suits = shapes.two_suits[near.m & 255, near.p & 255]
    rest = shapes.suit_honors[near.s & 255, near.z & 255]
    return whole(shapes.distance[sets, suits, rest])


@kernel
def pairs_distance(near: Near, natural: int, wild: int) -> int:
    """R5.2 of that many natural tiles: a missing partner costs one, a pair from nothing two."""
    pairs = ((near.m >> 8) & 7) + ((near.p >> 8) & 7) + ((near.s >> 8) & 7) + ((near.z >> 8) & 7)
    lacking = 7 - pairs
    singles = natural - 2 * pairs
    return max(0, lacking + max(0, lacking - singles) - wild)


@kernel
def orphans_distance(near: Near, target: Target) -> int:
    """R5.3; kinds that are out of the game must be wild tiles."""
    if target.missing_honors > target.wild:
        return FAR
    kinds = ((near.m >> 11) & 7) + ((near.p >> 11) & 7) + ((near.s >> 11) & 7) + ((near.z >> 11) & 7)
    pair = ((near.m | near.p | near.s | near.z) >> 14) & 1
    return max(0, 14 - kinds - pair - target.wild)


# ---------------------------------------------------------------- standard shape, kind by kind


@kernel
def clear(costs: npt.NDArray[np.int8]) -> None:
    """Nothing can be reached yet."""
    flat = costs.reshape(-1)
    for index in range(flat.size):
        flat[index] = FAR


@kernel
def take_kind(
    now: npt.NDArray[np.int8],
    then: npt.NDArray[np.int8],
    held: int,
    available: int,
    may_begin: bool,
    target: Target,
) -> None:
    """One kind further: begin sequences, take triplets, take the pair; pay for what is missing."""
    clear(then)
    for older in range(3):
        for newer in range(3):
            for sets in range(target.sets + 1):
                for pair in range(2):
                    for forced in range(target.wild + 1):
                        cost = whole(now[older, newer, sets, pair, forced])
                        if cost >= FAR:
                            continue
                        for begun in range(3 if may_begin else 1):
                            for triplets in range(3):
                                more = sets + begun + triplets
                                if more > target.sets:
                                    break
                                for eye in range(2 - pair):
                                    need = older + newer + begun + 3 * triplets + 2 * eye
                                    by_wild = forced + max(0, need - available)
                                    if by_wild > target.wild:
                                        break
                                    paid = cost + max(0, need - held)
                                    if paid < then[newer, begun, more, pair + eye, by_wild]:
                                        then[newer, begun, more, pair + eye, by_wild] = paid


@kernel
def cost_of_group(counts: Counts, first: int, kinds: int, target: Target, work: Scratch) -> None:
    """Fill ``work.group`` with the fewest tiles missing, by sets, pair and forced wild tiles."""
    here = 0
    clear(work.state[0])
    work.state[0, 0, 0, 0, 0, 0] = 0
    for index in range(kinds):
        kind = first + index
        held = 0 if kind == target.wild_kind else whole(counts[kind])
        may_begin = kinds == 9 and index < 7
        available = 4 - whole(work.locked[kind])
        take_kind(work.state[here], work.state[1 - here], held, available, may_begin, target)
        here = 1 - here
    for sets in range(5):
        for pair in range(2):
            for forced in range(5):
                work.group[sets, pair, forced] = work.state[here, 0, 0, sets, pair, forced]


@kernel
def add_group(
    before: npt.NDArray[np.int8], after: npt.NDArray[np.int8], target: Target, work: Scratch
) -> None:
    """Costs of the groups so far and one more."""
    clear(after)
    for sets in range(target.sets + 1):
        for pair in range(2):
            for forced in range(target.wild + 1):
                cost = whole(before[sets, pair, forced])
                if cost >= FAR:
                    continue
                for more in range(target.sets - sets + 1):
                    for eye in range(2 - pair):
                        for wild in range(target.wild - forced + 1):
                            paid = cost + whole(work.group[more, eye, wild])
                            if paid < after[sets + more, pair + eye, forced + wild]:
                                after[sets + more, pair + eye, forced + wild] = paid


@kernel
def standard_by_kind(counts: Counts, target: Target, work: Scratch) -> int:
    """The exact search, for hands with melds or wild tiles."""
    here = 0
    clear(work.total[0])
    work.total[0, 0, 0, 0] = 0
    for group in range(4):
        cost_of_group(counts, 9 * group, 7 if group == 3 else 9, target, work)
        add_group(work.total[here], work.total[1 - here], target, work)
        here = 1 - here
    best = FAR + MAX_SPARE
    for forced in range(target.wild + 1):
        best = min(best, whole(work.total[here, target.sets, 1, forced]))
    return max(0, best - target.wild)


MAX_SPARE: Final = 4
"""Wild tiles are taken off at the end, so costs on the way may be that much larger."""

# ---------------------------------------------------------------- the other shapes


@kernel
def present(counts: Counts, target: Target, first: int) -> int:
    """The numbers present in a suit, as nine bits."""
    mask = 0
    for number in range(9):
        if counts[first + number] > 0 and first + number != target.wild_kind:
            mask |= 1 << number
    return mask


@kernel
def scattered_distance(counts: Counts, target: Target) -> int:
    """R5.4; honors are needed, at least five of them."""
    honors = 0
    for kind in range(27, 34):
        honors += whole(counts[kind] > 0 and kind != target.wild_kind)
    masks = (present(counts, target, 0), present(counts, target, 9), present(counts, target, 18))
    in_game = 7 - target.missing_honors
    if in_game + target.wild < 5:
        return FAR
    return max(0, 14 - scattered_kept(masks, honors) - target.wild)


# ---------------------------------------------------------------- together


@kernel
def with_other_shapes(counts: Counts, near: Near, natural: int, target: Target, standard: int) -> int:
    """The nearest shape, given the distance of the standard one."""
    if target.sets < 4:
        return standard
    best = min(standard, pairs_distance(near, natural, target.wild), orphans_distance(near, target))
    return min(best, scattered_distance(counts, target)) if target.scattered != 0 else best


@kernel
def missing_honors(t: Record) -> int:
    """Honor kinds that the sheet leaves out."""
    if t.sheet.no_honors != 0:
        return 7
    return 4 if t.sheet.no_winds != 0 else 0


@kernel
def seat_target(t: Record, seat: int) -> Target:
    """What completes a seat's hand under the table's sheet."""
    return Target(
        4 - whole(t.n_melds[seat]),
        whole(t.wild),
        whole(t.n_wild[seat]),
        missing_honors(t),
        whole(t.sheet.scattered_thirteen),
    )


@kernel
def seat_near(t: Record, shapes: Shapes, seat: int) -> Near:
    """The table entries of a seat's hand."""
    m, p, s, z = t.key[seat, 0], t.key[seat, 1], t.key[seat, 2], t.key[seat, 3]
    return near_of(shapes, whole(m), whole(p), whole(s), whole(z))


@kernel
def concealed_natural(t: Record, seat: int) -> int:
    """Tiles in a hand, wild ones left out."""
    tiles = -whole(t.n_wild[seat])
    for kind in range(34):
        tiles += whole(t.hand[seat, kind])
    return tiles


@kernel
def rough_distance(t: Record, shapes: Shapes, seat: int) -> int:
    """The distance if copies locked in melds are left out of account, without wild tiles; very fast."""
    near, target = seat_near(t, shapes, seat), seat_target(t, seat)
    standard = standard_by_tables(shapes, near, target.sets)
    return with_other_shapes(t.hand[seat], near, 13, target, standard)


@kernel
def seat_distance(t: Record, shapes: Shapes, seat: int, work: Scratch) -> int:
    """The distance of a seat's hand."""
    target = seat_target(t, seat)
    if target.sets == 4 and target.wild == 0:
        return rough_distance(t, shapes, seat)
    for kind in range(34):
        work.locked[kind] = target.wild if kind == t.wild else meld_copies(t, seat, kind)
    standard = standard_by_kind(t.hand[seat], target, work)
    near = seat_near(t, shapes, seat)
    return with_other_shapes(t.hand[seat], near, concealed_natural(t, seat), target, standard)


@kernel
def may_wait(t: Record, shapes: Shapes, seat: int) -> bool:
    """Whether a hand without melds could wait after a discard: a quick no for most."""
    return t.n_wild[seat] > 0 or rough_distance(t, shapes, seat) <= 1


def new_scratch() -> Scratch:
    """Working space for one thread."""
    return Scratch(
        np.zeros((2, *STATE_SHAPE), np.int8),
        np.zeros(COST_SHAPE, np.int8),
        np.zeros((2, *COST_SHAPE), np.int8),
        np.zeros(34, np.uint8),
    )


@kernel
def row_near(shapes: Shapes, counts: Counts, wild_kind: int, wild: int) -> Near:
    """The table entries of a row of counts."""
    m, p, s, z = (
        group_key(counts, 0, 9),
        group_key(counts, 9, 9),
        group_key(counts, 18, 9),
        group_key(counts, 27, 7),
    )
    if wild > 0:
        less = wild * place_of(wild_kind)
        group = group_of(wild_kind)
        m -= less if group == 0 else 0
        p -= less if group == 1 else 0
        s -= less if group == 2 else 0
        z -= less if group == 3 else 0
    return near_of(shapes, m, p, s, z)


@kernel
def count_tiles(counts: Counts) -> int:
    """Tiles of a row of counts."""
    tiles = np.uint8(0)
    for kind in range(34):
        tiles += counts[kind]
    return whole(tiles)


@entry
def fill_distances(
    shapes: Shapes,
    hands: npt.NDArray[np.uint8],
    melded: npt.NDArray[np.uint8],
    wild_kind: int,
    scattered: int,
    work: Scratch,
    out: npt.NDArray[np.int8],
) -> None:
    """Distances of many hands; see ``analysis.distances``."""
    for row in range(len(hands)):
        counts = hands[row]
        tiles = count_tiles(counts)
        wild = whole(counts[wild_kind]) if wild_kind >= 0 else 0
        target = Target((tiles - 1) // 3, wild_kind, wild, 0, scattered)
        near = row_near(shapes[0], counts, wild_kind, wild)
        if wild > 0 or target.sets < 4:
            for kind in range(34):
                work.locked[kind] = melded[row, kind]
            if wild_kind >= 0:
                work.locked[wild_kind] = wild
            standard = standard_by_kind(counts, target, work)
        else:
            standard = standard_by_tables(shapes[0], near, 4)
        out[row] = with_other_shapes(counts, near, tiles - wild, target, standard)
