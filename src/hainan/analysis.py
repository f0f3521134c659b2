"""Hands by themselves: complete or not, all readings, waits, and distance, one or many at a time."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations_with_replacement, product
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from hainan.engine import entries
from hainan.engine.distance import fill_distances, new_scratch
from hainan.engine.record import new_tables, sheet_of
from hainan.engine.tables import group_sets, shape_tables
from hainan.rules.options import Rules
from hainan.rules.presets import rules_of
from hainan.rules.terms import MeldKind
from hainan.rules.tiles import EAST, KINDS, parse, text_of

Counts = npt.NDArray[np.uint8]


def distances(
    hands: npt.ArrayLike,
    melded: npt.ArrayLike | None = None,
    *,
    wild: int | None = None,
    scattered: bool = False,
) -> npt.NDArray[np.int8]:
    """How many tiles each hand is from complete: 0 complete, 1 waiting (R5, R7.6).

    ``hands`` is [n, 34], copies of each kind concealed: 13 or 14 tiles, less three a meld. ``melded``,
    [n, 34], copies in the hand's own melds, which can't come again. ``wild`` is the wild kind, and
    ``scattered`` counts R5.4 too. Raises ValueError for other shapes.
    """
    counts = np.ascontiguousarray(hands, np.uint8)
    if counts.ndim != 2 or counts.shape[1] != KINDS:
        raise ValueError(f"hands should be [n, {KINDS}], not {counts.shape}")
    locked = np.zeros_like(counts) if melded is None else np.ascontiguousarray(melded, np.uint8)
    if locked.shape != counts.shape:
        raise ValueError(f"melded should be {counts.shape} as hands are, not {locked.shape}")
    out = np.zeros(len(counts), np.int8)
    kind = -1 if wild is None else wild
    fill_distances(shape_tables(), counts, locked, kind, int(scattered), new_scratch(), out)
    return out


# ---------------------------------------------------------------- one hand


@dataclass(frozen=True)
class Meld:
    """A meld of a hand, for analysis: its kind and its lowest tile."""

    kind: MeldKind
    tile: int


@dataclass(frozen=True)
class Analysis:
    """What a hand's shape is: complete (14 tiles, less three a meld), its waits (13), its distance."""

    complete: bool
    waits: tuple[int, ...]
    distance: int


@cache
def _sheet(scattered: bool) -> Rules:
    return rules_of(scattered_thirteen=scattered)


def analyse(
    hand: Sequence[int] | str, melds: Sequence[Meld] = (), *, wild: int | None = None, scattered: bool = False
) -> Analysis:
    """Look at one hand of tile codes or MPSZ text; ``wild`` is the wild kind. Raises ValueError."""
    tiles = parse(hand) if isinstance(hand, str) else list(hand)
    size = 13 - 3 * len(melds)
    if len(tiles) not in (size, size + 1):
        raise ValueError(f"{len(tiles)} tiles with {len(melds)} melds; there should be {size} or {size + 1}")
    tables = new_tables(1)
    tables["sheet"][0] = sheet_of(_sheet(scattered), 4)
    t = tables[0]
    t.wild = -1 if wild is None else wild
    t.indicator = -1
    for tile in tiles:
        tables["hand"][0, 0, tile] += 1
    t.n_melds[0] = len(melds)
    for index, meld in enumerate(melds):
        t.meld_kind[0, index], t.meld_tile[0, index] = meld.kind, meld.tile
    out = np.zeros(3, np.int64)
    entries.look(tables, 0, shape_tables(), 0, new_scratch(), out)
    full = len(tiles) == size + 1
    waits = tuple(kind for kind in range(KINDS) if not full and int(out[1]) >> kind & 1)
    return Analysis(full and bool(out[0]), waits, int(out[2]))


# ---------------------------------------------------------------- readings

Reading = tuple[tuple[int, ...], ...]
"""Sets and the pair, each as the tiles that it stands for, the pair last."""
_MOST_READINGS: Final = 10_000


@cache
def _group_readings(honors: bool) -> dict[tuple[int, ...], list[Reading]]:
    """All readings of a group by its counts, sets first and the pair last, wild tiles already named."""
    sets = group_sets(honors)
    kinds = sets.shape[1]
    readings: dict[tuple[int, ...], list[Reading]] = {}
    for size in range(5):
        for chosen in combinations_with_replacement(range(len(sets)), size):
            counts = sets[list(chosen)].sum(axis=0) if chosen else np.zeros(kinds, np.int64)
            tiles = tuple(_tiles(sets[one]) for one in chosen)
            for pair in range(-1, kinds):
                full = counts.copy()
                if pair >= 0:
                    full[pair] += 2
                reading = (*tiles, (pair, pair)) if pair >= 0 else tiles
                readings.setdefault(tuple(full.tolist()), []).append(reading)
    return readings


def _tiles(counts: Any) -> tuple[int, ...]:
    return tuple(kind for kind, copies in enumerate(counts) for _ in range(int(copies)))


def _substituted(counts: tuple[int, ...], wild: int) -> Iterator[tuple[int, ...]]:
    for added in combinations_with_replacement(range(len(counts)), wild):
        full = list(counts)
        for kind in added:
            full[kind] += 1
        yield tuple(full)


def _readings_of_group(counts: tuple[int, ...], wild: int, first: int) -> list[Reading]:
    table = _group_readings(first == EAST)
    found = {
        reading
        for full in (_substituted(counts, wild) if wild else [counts])
        for reading in table.get(full, [])
    }
    return [tuple(tuple(first + kind for kind in part) for part in reading) for reading in sorted(found)]


def readings(hand: Sequence[int] | str, melds: int = 0, *, wild: int | None = None) -> list[Reading]:
    """Every way to read a complete hand as sets and a pair (R5.1, R5.8), wild tiles substituted (R5.9).

    Seven pairs and thirteen orphans have but one reading and aren't listed. Empty if there is none.
    """
    tiles = parse(hand) if isinstance(hand, str) else list(hand)
    spare = sum(tile == wild for tile in tiles)
    natural = [tile for tile in tiles if tile != wild]
    firsts = (0, 9, 18, EAST)
    groups = [tuple(natural.count(first + k) for k in range(7 if first == EAST else 9)) for first in firsts]
    found: list[Reading] = []
    for split in product(range(spare + 1), repeat=4):
        if sum(split) != spare:
            continue
        parts = [_readings_of_group(g, w, f) for g, w, f in zip(groups, split, firsts, strict=True)]
        for combination in product(*parts):
            reading = tuple(sorted((part for group in combination for part in group), key=_sets_first))
            if sum(len(part) == 2 for part in reading) == 1 and len(reading) == 5 - melds:
                found.append(reading)
            if len(found) >= _MOST_READINGS:
                return found
    return found


def _sets_first(part: tuple[int, ...]) -> tuple[int, tuple[int, ...]]:
    return -len(part), part


def reading_text(reading: Reading) -> str:
    """A reading for people: ``123m 555p 22z``."""
    return " ".join(text_of(part) for part in reading)
