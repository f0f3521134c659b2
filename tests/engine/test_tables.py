"""The suit tables against plain recursion, over every hand of one suit and of the honors."""

import random
from collections.abc import Iterator
from functools import cache
from itertools import combinations_with_replacement, product
from pathlib import Path

import numpy as np
import pytest

from hainan.engine import tables
from hainan.engine.tables import POW5, SHAPES, Bit, generate, shape_tables
from tests.conftest import amount

Counts = tuple[int, ...]
# A reading as (has the pair, kinds of triplets, kinds of sequences' first tiles, kind of the pair).
Reading = tuple[int, frozenset[int], int]


@cache
def readings(counts: Counts, honors: bool) -> frozenset[tuple[int, frozenset[int], int]]:
    """All readings of a group: the pair's kind or -1, the kinds of triplets, the number of sequences.
    The lowest tile is in the pair, a triplet or a sequence: there is no fourth way."""
    low = next((kind for kind, copies in enumerate(counts) if copies), None)
    if low is None:
        return frozenset({(-1, frozenset(), 0)})
    found: set[Reading] = set()

    def less(*kinds: int) -> Counts:
        left = list(counts)
        for kind in kinds:
            left[kind] -= 1
        return tuple(left)

    if counts[low] >= 2:
        found |= {(low, t, s) for pair, t, s in readings(less(low, low), honors) if pair < 0}
    if counts[low] >= 3:
        found |= {(pair, t | {low}, s) for pair, t, s in readings(less(low, low, low), honors)}
    if not honors and low < 7 and counts[low + 1] and counts[low + 2]:
        found |= {(pair, t, s + 1) for pair, t, s in readings(less(low, low + 1, low + 2), honors)}
    return frozenset(found)


def bits_of(reading: Reading, honors: bool) -> int:
    pair, triplets, sequences = reading
    bits = int(Bit.COMPLETE)
    if pair >= 0:
        bits |= Bit.PAIR
    if not sequences:
        bits |= Bit.PONGS
    if honors:
        bits |= Bit.TERMINALS
        if triplets & {4, 5, 6}:
            bits |= Bit.DRAGON_SET
        for wind in range(4):
            if wind in triplets:
                bits |= Bit.WIND_SET << wind
        if not triplets and pair < 0:
            bits |= Bit.CHOWS
        if not triplets and 0 <= pair < 4:
            bits |= Bit.WIND_PAIR << pair
        return bits
    if not triplets:
        bits |= Bit.CHOWS
    if not sequences and triplets <= {0, 8} and pair in (-1, 0, 8):
        bits |= Bit.TERMINALS
    if pair in (1, 4, 7):
        bits |= Bit.EYE
    return bits


def brute_bits(counts: Counts, wild: int, honors: bool) -> int:
    bits = 0
    for added in combinations_with_replacement(range(len(counts)), wild):
        full = list(counts)
        for kind in added:
            full[kind] += 1
        if sum(full) <= 14:
            for reading in readings(tuple(full), honors):
                bits |= bits_of(reading, honors)
    return bits


def hands(kinds: int, most: int) -> Iterator[Counts]:
    """Every hand of a group with up to 14 tiles."""
    if kinds == 0:
        yield ()
        return
    for copies in range(min(4, most) + 1):
        for rest in hands(kinds - 1, most - copies):
            yield (copies, *rest)


READING_BITS = ~(Bit.EVEN | Bit.FOUR)


@pytest.mark.parametrize("honors", [False, True])
def test_every_hand_of_one_group(honors: bool) -> None:
    kinds = 7 if honors else 9
    table = shape_tables()[0].honor[0] if honors else shape_tables()[0].suit[0]
    place = POW5[:kinds].tolist()
    seen = 0
    for counts in hands(kinds, 14):
        key = sum(c * p for c, p in zip(counts, place, strict=True))
        bits = int(table[key])
        expected = brute_bits(counts, 0, honors)
        assert bits & READING_BITS == expected, counts
        assert bool(bits & Bit.EVEN) == all(c % 2 == 0 for c in counts), counts
        assert bool(bits & Bit.FOUR) == (4 in counts), counts
        seen += 1
    assert seen == (43_130 if honors else 405_350)


@pytest.mark.parametrize("honors", [False, True])
def test_wild_tiles_by_every_substitution(honors: bool) -> None:
    kinds = 7 if honors else 9
    shapes = shape_tables()[0]
    rng = random.Random(5)
    for _ in range(amount(4000, 4000, 100_000)):
        wild = rng.randint(1, 4)
        tiles = rng.choices(range(kinds), k=rng.randint(0, 12 - wild))
        counts = tuple(min(4, tiles.count(kind)) for kind in range(kinds))
        key = int(np.array(counts) @ POW5[:kinds])
        bits = int((shapes.honor if honors else shapes.suit)[wild, key])
        assert bits & READING_BITS == brute_bits(counts, wild, honors), (counts, wild)


def test_empty_groups_hold_nothing_but_wild_tiles() -> None:
    shapes = shape_tables()[0]
    for wild, (table, kinds) in product(range(5), ((shapes.suit, 9), (shapes.honor, 7))):
        expected = brute_bits((0,) * kinds, wild, kinds == 7)
        assert int(table[wild, 0]) & READING_BITS == expected


def test_the_generator_is_the_source_of_what_is_read_from_disk() -> None:
    made, read = generate(), shape_tables()
    for name in SHAPES.names or ():
        assert np.array_equal(made[name], read[name]), name


def test_a_table_file_cut_short_is_made_anew(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tables, "cache_folder", lambda: tmp_path)
    monkeypatch.setattr(tables, "generate", lambda: shape_tables().copy())
    whole = shape_tables()
    fresh = tables.shape_tables.__wrapped__
    (tmp_path / "shapes.bin").write_bytes(b"short")
    assert np.array_equal(fresh()["distance"], whole["distance"])
    assert (tmp_path / "shapes.bin").stat().st_size == whole.nbytes
    assert np.array_equal(fresh()["suit_near"], whole["suit_near"])
    # Where nothing can be written, the tables are made and simply not kept.
    monkeypatch.setattr(tables, "cache_folder", lambda: tmp_path / "nowhere")
    assert np.array_equal(fresh()["honor"], whole["honor"])
