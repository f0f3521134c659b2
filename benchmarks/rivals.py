"""Rates of two other packages on PyPI, to set this project's benchmarks against.

`riichienv` (a Riichi mahjong environment, core in Rust) and `shanten-tools` (shanten in Rust) are
measured in the fastest single-process mode that their released Python interfaces offer: inputs are
converted, and objects that can be kept are built, before the clock starts, and the calls are driven
by `map` into an empty `deque`, so that hardly any interpreter time is added to theirs. One rate is
one mean over about `seconds` of wall time (`time.perf_counter`) after a warm-up. On a shared machine,
take the best of several, in turn with what they are compared with.

The two packages are no dependency of this project: they are imported only inside the functions, which
raise ImportError where they are missing. Print all the rates (pass the seconds for each, if not 2):

    python -m venv /tmp/rivals && /tmp/rivals/bin/pip install numpy riichienv shanten-tools
    /tmp/rivals/bin/python benchmarks/rivals.py 2

Written for riichienv 0.4.11 and shanten-tools 0.1.8.
"""

from __future__ import annotations

import importlib
import importlib.metadata
import random
import sys
import time
from collections import deque
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

Hands = npt.NDArray[np.uint8]
"""Tile counts, one hand a row: [n, 34], in the order 1-9m, 1-9p, 1-9s, ESWN, white, green, red."""

_CHUNK = 4096  # calls between two looks at the clock
_WINNING_HANDS = 8192  # distinct hands that `riichienv_wins` goes round


def versions() -> dict[str, str]:
    """The installed versions of the packages measured."""
    return {name: importlib.metadata.version(name) for name in ("riichienv", "shanten-tools")}


def random_hands(count: int, tiles: int = 14, seed: int = 0) -> Hands:
    """Hands of 13 or 14 tiles dealt at random from the 136, as counts [count, 34]."""
    rng = np.random.default_rng(seed)
    dealt = rng.permuted(np.tile(np.arange(136), (count, 1)), axis=1)[:, :tiles] // 4
    hands = np.zeros((count, 34), np.uint8)
    np.add.at(hands, (np.arange(count)[:, None], dealt), 1)
    return hands


def random_complete_hands(count: int, seed: int = 0) -> Hands:
    """Complete closed hands, four sets and a pair, as counts [count, 34].

    Each set is drawn uniformly from the 21 runs and 34 triplets, the pair from the 34 kinds, and a
    hand with five of a kind is drawn again. Triplets are thus far commoner than in play.
    """
    rng = random.Random(seed)
    hands = np.zeros((count, 34), np.uint8)
    for hand in hands:
        while True:
            hand[:] = 0
            for _ in range(4):
                group = rng.randrange(21 + 34)
                if group < 21:
                    first = 9 * (group // 7) + group % 7
                    hand[first : first + 3] += 1
                else:
                    hand[group - 21] += 3
            hand[rng.randrange(34)] += 2
            if hand.max() <= 4:
                break
    return hands


def tile_ids(hands: Hands) -> list[list[int]]:
    """Each hand as the sorted 136-tile ids riichienv takes: 4 * kind + copy.

    The copies go from 3 down, so that a red five (copy 0) is there only with all four fives.
    """
    return [[4 * k + 3 - copy for k, n in enumerate(hand) for copy in range(n)] for hand in hands.tolist()]


def _call_rate(call: Callable[..., object], columns: Sequence[Sequence[object]], seconds: float) -> float:
    """Calls per second of call(a, b, ...) over the rows of the columns, gone round again and again."""
    total = len(columns[0])
    chunks = [[column[at : at + _CHUNK] for column in columns] for at in range(0, total, _CHUNK)]
    for chunk in chunks[:8]:
        deque(map(call, *chunk), maxlen=0)
    calls = 0
    start = time.perf_counter()
    while True:
        for chunk in chunks:
            deque(map(call, *chunk), maxlen=0)
            calls += len(chunk[0])
            elapsed = time.perf_counter() - start
            if elapsed >= seconds:
                return calls / elapsed


def riichienv_random_play(seconds: float, seed: int = 0) -> tuple[float, float]:
    """Hands per second and decisions per second of random play in RiichiEnv, in one process.

    Measured: four players each choosing uniformly from `Observation.legal_actions()`, in the mode
    "4p-red-single", where a game is one hand (kyoku), so that games are hands. A decision is one
    observation answered; the environment asks for none where passing is all that a player could do.

    Why it is the fastest: the event log is off (`skip_mjai_logging=True`, about 25 % faster than on),
    one environment is reset rather than made anew, and nothing is encoded. The choice is
    `actions[int(random() * n)]`, which is what the package's own `agents.RandomAgent` does less some
    Python (within 3 % of it); choosing from `Observation.mask()` is slower. East-only and half games
    take as long for each hand. There is no batch or native random play in the release: some nine
    tenths of the time is inside `RiichiEnv.step`, which also builds the next observation.
    """
    env = importlib.import_module("riichienv").RiichiEnv(
        game_mode="4p-red-single", skip_mjai_logging=True, seed=seed
    )
    reset, step, done = env.reset, env.step, env.done
    uniform = random.Random(seed).random

    def play() -> int:
        decisions = 0
        observations = reset()
        while not done():
            actions = {}
            for player, observation in observations.items():
                legal = observation.legal_actions()
                actions[player] = legal[int(uniform() * len(legal))]
            decisions += len(actions)
            observations = step(actions)
        return decisions

    for _ in range(50):
        play()
    hands = decisions = 0
    start = time.perf_counter()
    while True:
        decisions += play()
        hands += 1
        elapsed = time.perf_counter() - start
        if elapsed >= seconds:
            return hands / elapsed, decisions / elapsed


def riichienv_random_hands(seconds: float) -> float:
    """Hands (kyoku) per second of random play in RiichiEnv: see `riichienv_random_play`."""
    return riichienv_random_play(seconds)[0]


def riichienv_shanten(hands: Hands, seconds: float) -> float:
    """Shanten numbers per second of `riichienv.calculate_shanten` over hands [n, 34].

    Measured: one call for each hand, from Python, as there is no batch call; the least over the
    standard, seven-pairs and thirteen-orphans forms (the last two are skipped once a form is complete
    or ready), by lookup tables.

    Why it is the fastest: the tile ids are built beforehand, and passed as `bytes`, which it reads
    some 10 % faster than a list and four times faster than a numpy array.
    """
    calculate = importlib.import_module("riichienv").calculate_shanten
    return _call_rate(calculate, [[bytes(ids) for ids in tile_ids(hands)]], seconds)


def shanten_tools(hands: Hands, seconds: float) -> float:
    """Shanten numbers per second of `shanten_tools.shanten` over hands [n, 34].

    Measured: one call for each hand, from Python: it takes one uint8 array of 34 counts and refuses
    more dimensions, so that numpy's array interface is crossed for each hand. It returns shanten + 1,
    over the same three forms.

    Why it is the fastest: it takes only such an array; the rows are made into arrays beforehand.
    """
    calculate = importlib.import_module("shanten_tools").shanten
    return _call_rate(calculate, [list(np.ascontiguousarray(hands, np.uint8))], seconds)


def shanten_tools_discards(hands: Hands, seconds: float) -> float:
    """Shanten numbers per second by `shanten_tools.shanten_discard` over hands [n, 34] of 14 tiles.

    Measured: one call gives the shanten + 1 after each possible discard (one for each kind held, some
    12 in a random hand), and each of these counts. It is the nearest to a batch that the package has,
    and crosses from Python once for all of them; but they differ by one tile, unlike hands at random.
    """
    calculate = importlib.import_module("shanten_tools").shanten_discard
    calls = _call_rate(calculate, [list(np.ascontiguousarray(hands, np.uint8))], seconds)
    return calls * float((hands > 0).sum(axis=1).mean())


def _winning_columns(core: Any, hands: Hands, seed: int) -> list[list[Any]]:
    """For each complete hand: evaluator, winning tile, no dora, no ura dora, conditions."""
    rng = random.Random(seed)
    ids = tile_ids(hands)
    winds = [core.Wind.East, core.Wind.South, core.Wind.West, core.Wind.North]
    conditions = [
        core.Conditions(
            riichi=True,
            tsumo=rng.random() < 0.5,
            player_wind=rng.choice(winds),
            round_wind=rng.choice(winds[:2]),
        )
        for _ in ids
    ]
    none: list[Any] = [b""] * len(ids)
    evaluators = [core.HandEvaluator(hand) for hand in ids]
    return [evaluators, [rng.choice(hand) for hand in ids], none, none, conditions]


def riichienv_wins(seconds: float, build: bool = False, seed: int = 0) -> float:
    """Winning hands evaluated per second by riichienv: yaku, han, fu and points, one call a hand.

    Measured: `HandEvaluator.calc` on closed hands of four sets and a pair (`random_complete_hands`),
    all in riichi, so that each has a yaku, half by tsumo and half by ron, in any seat, in East or South
    round, with no dora indicators (one of each kind would cost some 10 %). With `build`, the evaluator
    is made anew for each hand, from tile ids: what a caller who holds hands as arrays needs to do.

    Why it is the fastest: it calls the Rust class `riichienv._riichienv.HandEvaluator` itself. The
    public `riichienv.HandEvaluator` is a Python wrapper that converts the conditions on each call, at
    half the rate. Without `build`, evaluators and conditions are made once, before the clock starts.
    """
    core: Any = importlib.import_module("riichienv._riichienv")
    hands = random_complete_hands(_WINNING_HANDS, seed)
    columns = _winning_columns(core, hands, seed)
    if not all(result.is_win for result in map(core.HandEvaluator.calc, *columns)):
        raise AssertionError("riichienv did not find a win in a complete hand in riichi")
    if not build:
        return _call_rate(core.HandEvaluator.calc, columns, seconds)

    evaluator = core.HandEvaluator

    def built(ids: bytes, *rest: Any) -> object:
        return evaluator(ids).calc(*rest)

    return _call_rate(built, [[bytes(ids) for ids in tile_ids(hands)], *columns[1:]], seconds)


def check() -> None:
    """Raise AssertionError unless both packages give known results, and agree on random hands."""
    riichienv: Any = importlib.import_module("riichienv")
    core: Any = importlib.import_module("riichienv._riichienv")
    plus_one = importlib.import_module("shanten_tools").shanten

    def agreed(hands: Hands) -> list[int]:
        first = [riichienv.calculate_shanten(bytes(ids)) for ids in tile_ids(hands)]
        second = [plus_one(hand) - 1 for hand in hands]
        assert first == second, "the packages differ on a shanten number"
        return first

    for text, shanten in (
        ("123m456p789s11z", -1),  # complete, with a set called
        ("1112345678999m", 0),
        ("19m19p19s1234567z", 0),
        ("1122m3344p5566s7z", 0),
        ("147m258p369s1234z", 6),
    ):
        ids, _ = riichienv.parse_hand(text)
        hand = np.bincount(np.array(ids) // 4, minlength=34).astype(np.uint8)
        assert agreed(hand[None]) == [shanten], text
    for tiles in (13, 14):
        agreed(random_hands(2000, tiles, seed=1))
    assert set(agreed(random_complete_hands(2000, seed=1))) == {-1}

    east, south = core.Wind.East, core.Wind.South
    for text, winner, conditions, won in (
        ("34567m345p678s55p", "2m", {"riichi": True, "player_wind": east}, (True, 3, 30, 5800)),
        ("34567m345p678s55p", "2m", {"riichi": True, "player_wind": south}, (True, 3, 30, 3900)),
        ("1122m3344p5566s7z", "7z", {"player_wind": south}, (True, 2, 25, 1600)),
        ("111m33p12s111666z", "3s", {"player_wind": east}, (True, 5, 60, 12000)),
        ("123m456m789p55s79s", "8s", {"player_wind": east}, (False, 0, 40, 1000)),  # no yaku
    ):
        ids, _ = riichienv.parse_hand(text)
        result = core.HandEvaluator(ids).calc(
            riichienv.parse_tile(winner), [], [], core.Conditions(**conditions)
        )
        assert (result.is_win, result.han, result.fu, result.ron_agari) == won, text


def main(seconds: float = 2.0) -> None:
    """Check the packages, then print all the rates."""
    check()
    for name, version in versions().items():
        print(f"{name} {version}")
    hands13, hands14 = random_hands(20000, 13), random_hands(20000, 14)
    play = riichienv_random_play(seconds)
    rates = {
        "riichienv random play, hands/s": play[0],
        "riichienv random play, decisions/s": play[1],
        "riichienv shanten, 13 tiles, hands/s": riichienv_shanten(hands13, seconds),
        "riichienv shanten, 14 tiles, hands/s": riichienv_shanten(hands14, seconds),
        "shanten-tools shanten, 13 tiles, hands/s": shanten_tools(hands13, seconds),
        "shanten-tools shanten, 14 tiles, hands/s": shanten_tools(hands14, seconds),
        "shanten-tools shanten_discard, shanten/s": shanten_tools_discards(hands14, seconds),
        "riichienv wins, evaluators kept, hands/s": riichienv_wins(seconds),
        "riichienv wins, evaluators built, hands/s": riichienv_wins(seconds, build=True),
    }
    for what, rate in rates.items():
        print(f"{what:<42} {rate:>12,.0f}")


if __name__ == "__main__":
    main(*map(float, sys.argv[1:2]))
