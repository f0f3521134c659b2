"""The suit tables and their generator, which is their only source.

A hand is four groups: m, p, s and the honors. A group's concealed tiles are a number in base 5, one
digit a kind. For each such number a table says, in bits, what all readings of the group together
allow (``Bit``), once for each number of wild tiles that are spent in the group. Since a hand's reading
is a free choice of one reading in each group, "some reading of the hand has only chows" is "some
reading of each group has": no reading is ever enumerated in play (R5.8).
"""

import os
import tempfile
from enum import IntEnum
from functools import cache
from itertools import combinations_with_replacement
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
import numpy.typing as npt

from hainan.engine.jit import cache_folder

POW5: Final = 5 ** np.arange(9, dtype=np.int64)
"""Place value of a kind within its group."""
SUIT_KEYS: Final = 5**9
HONOR_KEYS: Final = 5**7
MAX_WILD: Final = 4
FAR: Final = 15
"""A distance longer than any; what a shape that can't be reached has."""


class Bit(IntEnum):
    """What the readings of one group allow. A group holds sets, or sets and the pair."""

    COMPLETE = 1
    PAIR = 2  # the pair is in this group (its size decides that)
    CHOWS = 4  # some reading has only sequences, and no honor pair
    PONGS = 8  # some reading has only triplets
    TERMINALS = 16  # the same, pair included, of terminals or honors only
    EYE = 32  # some reading has a 2, 5 or 8 as the pair
    EVEN = 64  # every kind an even number of times: seven pairs, without wild tiles
    FOUR = 128  # four of some kind
    DRAGON_SET = 256
    WIND_SET = 512  # and the next three bits: a set of 东 南 西 北
    WIND_PAIR = 8192  # and the next three bits: nothing but a pair of 东 南 西 北


Shapes = Any
"""All tables as one record (``SHAPES``): a single pointer, where a tuple of arrays would be copied and
counted at every call."""


# ---------------------------------------------------------------- the generator


class _Readings(NamedTuple):
    """All ways to fill a group with up to four sets and perhaps a pair, one row each."""

    counts: npt.NDArray[np.int64]  # [rows, kinds]
    sets: npt.NDArray[np.int64]  # how many
    pair: npt.NDArray[np.int64]  # its kind, or -1
    bits: npt.NDArray[np.int64]


def group_sets(honors: bool) -> npt.NDArray[np.int64]:
    """The sets of a group as counts: seven sequences (none of honors), then the triplets."""
    kinds = 7 if honors else 9
    sequences = [[int(low <= kind < low + 3) for kind in range(kinds)] for low in range(0 if honors else 7)]
    triplets = [[3 * int(kind == of) for kind in range(kinds)] for of in range(kinds)]
    return np.array(sequences + triplets)


def _readings(honors: bool) -> _Readings:
    sets = group_sets(honors)
    kinds = sets.shape[1]
    first_triplet = len(sets) - kinds
    rows = []
    for size in range(5):
        multisets = list(combinations_with_replacement(range(len(sets)), size))
        chosen = np.array(multisets, dtype=np.int64).reshape(len(multisets), size)
        counts = sets[chosen].sum(axis=1)
        for pair in range(-1, kinds):
            with_pair = counts.copy()
            if pair >= 0:
                with_pair[:, pair] += 2
            bits = _reading_bits(chosen, pair, first_triplet, kinds, honors)
            full = np.full(len(counts), size)
            rows.append(_Readings(with_pair, full, np.full(len(counts), pair), bits))
    return _Readings(*(np.concatenate(columns) for columns in zip(*rows, strict=True)))


def _reading_bits(
    chosen: npt.NDArray[np.int64], pair: int, first_triplet: int, kinds: int, honors: bool
) -> npt.NDArray[np.int64]:
    triplet = chosen - first_triplet  # the kind of a triplet; negative: a sequence
    bits = np.full(len(chosen), int(Bit.COMPLETE))
    if pair >= 0:
        bits |= Bit.PAIR
    all_pongs = (triplet >= 0).all(axis=1)
    bits[all_pongs] |= Bit.PONGS
    if honors:
        bits |= Bit.TERMINALS
        bits[(triplet >= 4).any(axis=1)] |= Bit.DRAGON_SET
        for wind in range(4):
            bits[(triplet == wind).any(axis=1)] |= Bit.WIND_SET << wind
        if not chosen.shape[1]:
            if pair < 0:
                bits |= Bit.CHOWS
            elif pair < 4:
                bits |= Bit.WIND_PAIR << pair
        return bits
    bits[(triplet < 0).all(axis=1)] |= Bit.CHOWS
    ends = (0, kinds - 1)
    if pair < 0 or pair in ends:
        bits[all_pongs & np.isin(triplet, ends).all(axis=1)] |= Bit.TERMINALS
    if pair in (1, 4, 7):
        bits |= Bit.EYE
    return bits


def _group_bits(readings: _Readings, dtype: type) -> npt.NDArray[Any]:
    """Bits by number of wild tiles: what a reading allows, it allows with some of its tiles wild."""
    kinds = readings.counts.shape[1]
    table = np.zeros((MAX_WILD + 1, 5**kinds), dtype)
    natural = np.minimum(readings.counts, 4)
    wild = (readings.counts - natural).sum(axis=1)  # from the fifth copy on only a wild tile will do
    keys = natural @ POW5[:kinds]
    for spent in range(MAX_WILD + 1):
        rows = wild == spent
        np.bitwise_or.at(table[spent], keys[rows], readings.bits[rows].astype(dtype))
    for spent in range(1, MAX_WILD + 1):
        fuller = table[spent - 1].reshape((5,) * kinds)
        here = table[spent].reshape((5,) * kinds)
        for axis in range(kinds):
            np.moveaxis(here, axis, 0)[:4] |= np.moveaxis(fuller, axis, 0)[1:]
    every = np.indices((5,) * kinds, dtype=np.uint8).reshape(kinds, -1)
    table[0][(every % 2 == 0).all(axis=0)] |= dtype(Bit.EVEN)
    table[0][(every == 4).any(axis=0)] |= dtype(Bit.FOUR)
    return table


Costs = npt.NDArray[np.int16]
"""[keys or classes, sets 0..4, without or with the pair]: the fewest tiles missing."""


def _group_costs(readings: _Readings) -> Costs:
    """The fewest tiles missing to s sets (and the pair), for each key.

    A tile too many costs nothing and a tile missing costs one, kind by kind; so the nearest filling
    is found one kind at a time: first by adding tiles, then by leaving tiles out.
    """
    kinds = readings.counts.shape[1]
    possible = (readings.counts <= 4).all(axis=1)
    costs = np.full((5, 2, *(5,) * kinds), FAR, np.int16)
    for sets in range(5):
        for pair in range(2):
            rows = possible & (readings.sets == sets) & ((readings.pair >= 0) == bool(pair))
            grid = costs[sets, pair]
            grid.reshape(-1)[readings.counts[rows] @ POW5[:kinds]] = 0
            for axis in range(kinds):
                column = np.moveaxis(grid, axis, 0)
                for copies in (3, 2, 1, 0):
                    np.minimum(column[copies], column[copies + 1] + 1, out=column[copies])
            for axis in range(kinds):
                column = np.moveaxis(grid, axis, 0)
                for copies in (1, 2, 3, 4):
                    np.minimum(column[copies], column[copies - 1], out=column[copies])
    return np.moveaxis(costs.reshape(5, 2, -1), -1, 0)


def _only_chows(readings: _Readings) -> _Readings:
    """The readings of a suit whose sets are all sequences (R6.2)."""
    rows = readings.bits & Bit.CHOWS != 0
    return _Readings(*(column[rows] for column in readings))


def _classes(costs: Costs) -> tuple[Costs, npt.NDArray[np.uint8]]:
    """The different rows of costs, and for each row which it is."""
    flat = costs.reshape(len(costs), -1) @ 16 ** np.arange(10, dtype=np.int64)
    _, first, which = np.unique(flat, return_index=True, return_inverse=True)
    if len(first) > 256:
        raise OverflowError("more classes of costs than a byte can number")
    return costs[first], which.astype(np.uint8)


def _together(one: Costs, other: Costs) -> Costs:
    """Costs of two groups together, for each pair of classes."""
    left, right = one[:, None], other[None, :]
    both = np.full((len(one), len(other), 5, 2), FAR, np.int16)
    for sets in range(5):
        for here in range(sets + 1):
            for pair, mine, yours in ((0, 0, 0), (1, 1, 0), (1, 0, 1)):
                cost = left[:, :, here, mine] + right[:, :, sets - here, yours]
                np.minimum(both[:, :, sets, pair], cost, out=both[:, :, sets, pair])
    return both


def _merged(one: Costs, other: Costs) -> tuple[Costs, npt.NDArray[np.uint8]]:
    """The classes of two groups together, and the table that finds them."""
    classes, which = _classes(_together(one, other).reshape(-1, 5, 2))
    return classes, which.reshape(len(one), len(other))


def _near(classes: npt.NDArray[np.uint8], honors: bool) -> npt.NDArray[np.uint16]:
    """All that distances ask of a key: its class (8 bits), pairs (3 bits), kinds of terminals or honors
    present (3 bits), and whether one of these stands twice (1 bit)."""
    kinds = 7 if honors else 9
    copies = np.indices((5,) * kinds, dtype=np.uint8).reshape(kinds, -1)[
        ::-1
    ]  # the first kind is the last digit
    orphans = copies if honors else copies[[0, 8]]
    pairs = np.minimum((copies // 2).sum(axis=0), 7).astype(np.uint16)
    present = (orphans > 0).sum(axis=0).astype(np.uint16)
    twice = (orphans > 1).any(axis=0).astype(np.uint16)
    return classes.astype(np.uint16) | pairs << 8 | present << 11 | twice << 14


def _tables() -> dict[str, npt.NDArray[Any]]:
    suit, honor = _readings(honors=False), _readings(honors=True)
    suits, suit_class = _classes(_group_costs(suit))
    honors, honor_class = _classes(_group_costs(honor))
    pairs_of_suits, two_suits = _merged(suits, suits)
    suits_and_honors, suit_honors = _merged(suits, honors)
    distance = np.moveaxis(_together(pairs_of_suits, suits_and_honors), (-2, -1), (1, 0))
    chows, chow_class = _classes(_group_costs(_only_chows(suit)))
    pairs_of_chows, two_chows = _merged(chows, chows)
    chow_distance = np.moveaxis(_together(pairs_of_chows, chows), (-2, -1), (1, 0))
    return {
        "suit": _group_bits(suit, np.uint8),
        "honor": _group_bits(honor, np.uint32),
        "suit_near": _near(suit_class, honors=False),
        "honor_near": _near(honor_class, honors=True),
        "two_suits": two_suits,
        "suit_honors": suit_honors,
        "distance": distance[1].astype(np.uint8),
        "sets_distance": distance[0].astype(np.uint8),
        "chow_near": chow_class,
        "two_chows": two_chows,
        "chow_distance": chow_distance.astype(np.uint8),
    }


SHAPES: Final = np.dtype(
    (
        np.record,
        [
            ("suit", "u1", (MAX_WILD + 1, SUIT_KEYS)),  # Bit, by wild tiles spent
            ("honor", "u4", (MAX_WILD + 1, HONOR_KEYS)),
            # Distances. Keys with the same costs (``_group_costs``) are one class; there are few, and
            # few of two groups together, so that the distance of a hand is seven look-ups.
            ("suit_near", "u2", (SUIT_KEYS,)),  # ``_near``
            ("honor_near", "u2", (HONOR_KEYS,)),
            ("two_suits", "u1", (126, 126)),  # the class of two suits
            ("suit_honors", "u1", (126, 55)),  # the class of a suit and the honors
            ("distance", "u1", (5, 180, 165)),  # by sets wanted, and the two classes
            # For the plans of bots: the same without the pair, and of three suits with sequences alone,
            # without and with the pair (R6.2).
            ("sets_distance", "u1", (5, 180, 165)),
            ("chow_near", "u1", (SUIT_KEYS,)),
            ("two_chows", "u1", (140, 140)),
            ("chow_distance", "u1", (2, 5, 188, 140)),
        ],
    )
)


def generate() -> Shapes:
    """Make all tables from the sets of the game, as an array of one; about a second."""
    made = np.zeros(1, SHAPES)
    for name, table in _tables().items():
        made[name][0] = table
    return made


@cache
def shape_tables() -> Shapes:
    """The tables as an array of one, generated once on a machine and then read from the cache folder."""
    path = cache_folder() / "shapes.bin"
    try:
        # Copy-on-write: Numba then sees the same writable type as of fresh tables.
        stored = np.memmap(path, SHAPES, "c", shape=(1,))
        return np.asarray(stored)
    except (OSError, ValueError):
        made = generate()  # first start, or a file cut short by a full disk
        _save_whole(path, made)
        return made


def _save_whole(path: Path, tables: npt.NDArray[Any]) -> None:
    """Write beside and rename, so that no other process ever reads half a file."""
    try:
        handle, name = tempfile.mkstemp(dir=path.parent)
        with os.fdopen(handle, "wb") as file:
            tables.tofile(file)
        os.replace(name, path)
    except OSError:
        return  # no room or no right to write: the tables are made again next time
