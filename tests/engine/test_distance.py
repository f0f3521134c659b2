"""Distance against a brute-force search, and against waits and complete hands."""

import random
from functools import cache
from itertools import combinations_with_replacement

import numpy as np
import numpy.typing as npt
from numba import njit

from hainan.analysis import Meld, analyse, distances
from hainan.rules.terms import MeldKind
from hainan.rules.tiles import full_set, parse
from tests.conftest import amount

Fillings = npt.NDArray[np.int64]


@cache
def fillings(honors: bool, wild: bool) -> tuple[Fillings, Fillings]:
    """Every filling of a group with up to four sets and a pair, with its (sets, pair); all there are."""
    kinds = 7 if honors else 9
    parts = [[k, k, k] for k in range(kinds)]
    if not honors:
        parts += [[k, k + 1, k + 2] for k in range(7)]
    rows = {}
    for size in range(5):
        for chosen in combinations_with_replacement(parts, size):
            for pair in range(-1, kinds):
                counts = [0] * kinds
                for part in chosen:
                    for kind in part:
                        counts[kind] += 1
                if pair >= 0:
                    counts[pair] += 2
                if wild or max(counts) <= 4:
                    rows[(*counts, size, int(pair >= 0))] = None
    table = np.array(list(rows))
    return table[:, :kinds].copy(), table[:, kinds:].copy()


@njit
def search(fills, shape, counts, available, wild, best):  # type: ignore[no-untyped-def]
    """Lowest cost per sets, pair and forced wild tiles over all fillings."""
    best[:] = 99
    for row in range(len(fills)):
        cost = 0
        forced = 0
        for kind in range(fills.shape[1]):
            need = fills[row, kind]
            if need > counts[kind]:
                cost += need - counts[kind]
            if need > available[kind]:
                forced += need - available[kind]
        if forced <= wild:
            sets, pair = shape[row]
            if cost < best[sets, pair, forced]:
                best[sets, pair, forced] = cost


Best = dict[tuple[int, int, int], int]


@cache
def group_best(natural: tuple[int, ...], left: tuple[int, ...], wild: int) -> Best:
    """Fewest missing tiles of one group by (sets, pair, forced wild tiles)."""
    best = np.zeros((5, 2, 5), np.int64)
    fills, shape = fillings(len(natural) == 7, wild > 0)
    search(fills, shape, np.array(natural), np.array(left), wild, best)
    return {tuple(map(int, at)): int(best[at]) for at in zip(*np.nonzero(best < 99), strict=True)}


def brute_distance(hand: list[int], locked: list[int], sets: int, wild_kind: int) -> int:
    wild = hand[wild_kind] if wild_kind >= 0 else 0
    natural = [0 if kind == wild_kind else copies for kind, copies in enumerate(hand)]
    left = [4 - (wild if kind == wild_kind else locked[kind]) for kind in range(34)]
    total: Best = {(0, 0, 0): 0}
    for first, last in ((0, 9), (9, 18), (18, 27), (27, 34)):
        after: Best = {}
        for at, cost in group_best(tuple(natural[first:last]), tuple(left[first:last]), wild).items():
            for so_far, paid in total.items():
                key = tuple(map(sum, zip(so_far, at, strict=True)))
                if key[0] <= sets and key[1] <= 1 and key[2] <= wild:
                    after[key] = min(after.get(key, 99), paid + cost)
        total = after
    nearest = min((c for (s, p, _), c in total.items() if s == sets and p == 1), default=99)
    if sets == 4:
        nearest = min(nearest, brute_pairs(natural), brute_orphans(natural))
    return max(0, nearest - wild)


def brute_pairs(natural: list[int]) -> int:
    """Fewest tiles missing to seven pairs: keep any seven halves, the pairs first."""
    halves = sorted(
        (min(2, copies - 2 * n) for copies in natural for n in range((copies + 1) // 2)), reverse=True
    )
    return 14 - sum(halves[:7])


def brute_orphans(natural: list[int]) -> int:
    kinds = [*range(27, 34), 0, 8, 9, 17, 18, 26]
    return min(sum(max(0, (2 if kind == twice else 1) - natural[kind]) for kind in kinds) for twice in kinds)


def random_hand(rng: random.Random, wild_kind: int) -> tuple[list[int], list[int], list[Meld]]:
    """A hand of 13 or 14 tiles less three a meld, often near complete, with its melds."""
    while True:
        melds: list[Meld] = []
        locked = [0] * 34
        for _ in range(rng.choice((0, 0, 0, 1, 2, 3, 4))):
            if rng.random() < 0.4:
                low = 9 * rng.randrange(3) + rng.randrange(7)
                melds.append(Meld(MeldKind.CHOW, low))
                for kind in range(low, low + 3):
                    locked[kind] += 1
            else:
                kong = rng.random() < 0.3
                kind = rng.randrange(34)
                melds.append(Meld(MeldKind.EXPOSED_KONG if kong else MeldKind.PONG, kind))
                locked[kind] += 4 if kong else 3
        if max(locked) > 4 or (wild_kind >= 0 and locked[wild_kind]):
            continue
        size = rng.choice((13, 14)) - 3 * len(melds)
        suits = rng.sample(range(3), rng.choice((1, 2, 3)))
        pool = [
            tile
            for tile in full_set(no_honors=False, no_winds=False)
            if tile < 34 and (tile >= 27 or tile // 9 in suits or rng.random() < 0.2)
        ]
        for kind, copies in enumerate(locked):
            for _ in range(copies):
                if kind in pool:
                    pool.remove(kind)
        if wild_kind >= 0:
            pool += [wild_kind] * (4 - pool.count(wild_kind))
        if len(pool) < size:
            continue
        hand = [0] * 34
        for kind in rng.sample(pool, size):
            hand[kind] += 1
        return hand, locked, melds


def compare(count: int, seed: int, wild: bool) -> None:
    rng = random.Random(seed)
    for _ in range(count):
        wild_kind = rng.randrange(34) if wild else -1
        hand, locked, melds = random_hand(rng, wild_kind)
        got = distances([hand], [locked], wild=wild_kind if wild else None)[0]
        assert got == brute_distance(hand, locked, 4 - len(melds), wild_kind), (hand, locked, wild_kind)


def test_distance_is_the_shortest_way() -> None:
    compare(amount(20_000, 60, 200_000), 1, wild=False)


def test_distance_with_wild_tiles_is_the_shortest_way() -> None:
    compare(amount(3_000, 20, 50_000), 2, wild=True)


def test_waiting_is_distance_one_and_complete_is_distance_zero() -> None:
    """R7.6: a hand waits exactly where its distance is 1, wild tiles and melds included."""
    rng = random.Random(3)
    for _ in range(amount(6_000, 60, 100_000)):
        wild_kind = rng.choice((None, rng.randrange(34)))
        hand, _, melds = random_hand(rng, -1 if wild_kind is None else wild_kind)
        tiles = [kind for kind, copies in enumerate(hand) for _ in range(copies)]
        scattered = rng.random() < 0.3
        seen = analyse(tiles, melds, wild=wild_kind, scattered=scattered)
        if len(tiles) % 3 == 2:
            assert seen.complete == (seen.distance == 0), (tiles, melds, wild_kind)
        else:
            assert bool(seen.waits) == (seen.distance == 1), (tiles, melds, wild_kind)


def test_fourth_copy_in_a_meld_is_no_wait() -> None:
    """123456789m, a pong of 1p and a lone 1p: all four are held, so the hand must change first."""
    seen = analyse("123456789m1p", [Meld(MeldKind.PONG, 9)])
    assert seen.waits == ()
    assert seen.distance == 2


def test_scattered_thirteen_counts_where_it_is_played() -> None:
    hand = [0] * 34
    for tile in parse("147m258p369s1234z"):
        hand[tile] = 1
    assert distances([hand], scattered=True)[0] == 1
    assert distances([hand])[0] > 1
