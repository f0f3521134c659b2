"""The project's figures in one run, as a table for people and ``benchmarks/results.json`` for programs.

Machines are noisy, so what is compared is measured in turn, round by round, and the median is quoted;
ratios are ratios of medians. ``python benchmarks/run.py [ROUNDS] [SECONDS]``. The figures of the learning
environments follow (learning.py), and the server's in a short version (serving.py).
"""

import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np

import learning
import rivals
from figure import Sheet, merge
from hainan.analysis import Counts
from hainan.bots.policies import Policy
from hainan.engine import entries
from hainan.engine.distance import fill_distances, new_scratch
from hainan.engine.record import TABLE, Phase, Record, new_tables, sheet_of
from hainan.engine.tables import shape_tables
from hainan.jsonl import encode
from hainan.rules.presets import rules_of
from hainan.rules.terms import By
from hainan.rules.tiles import full_set
from hainan.sim.runner import Player, Run, simulate
from hainan.table import Table

HERE = Path(__file__).parent
HANDS = 20_000
REQUESTS = 40_000


def rate(work: Callable[[], int], seconds: float) -> float:
    """Units of work a second."""
    work()
    done, started = 0, time.perf_counter()
    while (spent := time.perf_counter() - started) < seconds:
        done += work()
    return done / spent


def medians(measures: dict[str, Callable[[], float]], rounds: int) -> dict[str, float]:
    """The median of each measure, all taken in turn."""
    found: dict[str, list[float]] = {name: [] for name in measures}
    for _ in range(rounds):
        for name, measure in measures.items():
            found[name].append(measure())
    return {name: statistics.median(values) for name, values in found.items()}


# ---------------------------------------------------------------- what is measured


def random_play(seconds: float) -> float:
    """Random hands on one core, all rules of preset hainan on, legal lists at every decision."""
    player = Player(Run(rules_of()))
    return rate(lambda: int(player.play(0, 2000)["hands"][0]), seconds)


def bot_play(policy: Policy, seconds: float) -> float:
    """Hands of four bots on one core, preset hainan."""
    player = Player(Run(rules_of(), policies=(policy,)))
    return rate(lambda: int(player.play(0, 400)["hands"][0]), seconds)


def strong_decision_ms(seconds: float) -> float:
    """Milliseconds of a strong bot's decision on one core, the step of the engine in it; mean over hands."""
    player = Player(Run(rules_of("lingao"), policies=(Policy.STRONG,)))
    return 1000 / rate(lambda: int(player.play(0, 200)["decisions"][0]), seconds)


def parallel_play(processes: int, hands: int) -> float:
    """Random hands over several cores."""
    result = simulate(Run(rules_of(), hands=hands, processes=processes))
    return hands / result.seconds


def face_play(seconds: float) -> float:
    """Hands stepped through ``Table``, choices from its legal list; shuffling is not in the time."""
    rng = random.Random(1)
    rules = rules_of()
    walls = []
    for _ in range(200):
        walls.append(full_set(no_honors=False, no_winds=False))
        rng.shuffle(walls[-1])

    def hand() -> int:
        table = Table(rules, wall=rng.choice(walls))
        while not table.over:
            legal = table.legal()
            seat = next(iter(legal)) if len(legal) == 1 else rng.choice(list(legal))
            actions = legal[seat]
            table.act(seat, actions[int(rng.random() * len(actions))])
        return 1

    return rate(hand, seconds)


def own_distance(hands: Counts, seconds: float) -> float:
    """Distances of many hands, arrays in and out."""
    shapes, work = shape_tables(), new_scratch()
    locked, out = np.zeros_like(hands), np.zeros(len(hands), np.int8)

    def once() -> int:
        fill_distances(shapes, hands, locked, -1, 0, work, out)
        return len(hands)

    return rate(once, seconds)


def ended_tables(count: int) -> Record:
    """Tables at their ends: complete hands won by discard or self-draw, in all positions."""
    tables = new_tables(count)
    tables["sheet"] = sheet_of(rules_of(), 4)
    tables["wild"] = tables["indicator"] = -1
    tables["phase"] = Phase.OVER
    rng = np.random.default_rng(1)
    winners = rng.integers(0, 4, count)
    hands = rivals.random_complete_hands(count)
    for index, (winner, hand) in enumerate(zip(winners.tolist(), hands, strict=True)):
        by_self = index % 2
        tile = int(rng.choice(np.flatnonzero(hand)))
        tables["hand"][index, winner] = hand
        if not by_self:
            tables["hand"][index, winner, tile] -= 1
        tables["won"][index, winner] = 1
        tables["by"][index] = By.SELF_DRAW if by_self else By.DISCARD
        tables["win_tile"][index] = tile
        tables["win_from"][index] = -1 if by_self else (winner + 1 + index % 3) % 4
        tables["dealer"][index] = index % 4
    return tables


def own_wins(seconds: float) -> float:
    """Win, licences, T, V and payments of complete hands, arrays in and out."""
    tables = ended_tables(8192)
    shapes, why = shape_tables(), np.zeros(len(tables), np.int32)

    def once() -> int:
        entries.evaluate(tables, shapes, why)
        return len(tables)

    speed = rate(once, seconds)
    assert not why.any(), "every one of these hands is a licensed win"
    assert not tables["payments"].sum(axis=1).any()
    return speed


def hainan(*arguments: str, given: bytes = b"", cache: str | None = None) -> float:
    """Seconds that a whole command takes."""
    environment = os.environ | ({"HAINAN_CACHE_DIR": cache} if cache else {})
    started = time.perf_counter()
    subprocess.run(
        [sys.executable, "-m", "hainan", *arguments],
        input=given,
        env=environment,
        check=True,
        capture_output=True,
    )
    return time.perf_counter() - started


def score_requests() -> tuple[float, float]:
    """Requests a second through ``hainan score -``, start-up aside, and seconds of one request with it."""
    lines = (HERE.parent / "tests" / "data" / "score_examples.jsonl").read_text().splitlines()
    requests = [encode(json.loads(line)["request"]).encode() for line in lines]
    one = hainan("score", "-", "--json", given=requests[0])
    many = b"\n".join(requests[n % len(requests)] for n in range(REQUESTS))
    return REQUESTS / (hainan("score", "-", "--json", given=many) - one), one


def resident_mb() -> float:
    """Megabytes resident of 100,000 tables, each written to."""
    script = (
        "import numpy as np\n"
        "from hainan.engine.record import new_tables\n"
        "def rss(): return int(open('/proc/self/statm').read().split()[1]) * 4096 / 1e6\n"
        "before = rss(); tables = new_tables(100_000); tables.view(np.uint8)[:] = 1\n"
        "print(rss() - before)"
    )
    told = subprocess.run([sys.executable, "-c", script], check=True, capture_output=True, text=True)
    return float(told.stdout)


# ---------------------------------------------------------------- the run


def figures(rounds: int, seconds: float) -> Sheet:
    """All figures, in the order of the table."""
    sheet = Sheet()
    at_least, at_most = sheet.at_least, sheet.at_most
    hands = rivals.random_hands(20_000)
    play = medians(
        {
            "own": lambda: random_play(seconds),
            "riichienv": lambda: rivals.riichienv_random_hands(seconds),
            "face": lambda: face_play(seconds),
        },
        rounds,
    )
    at_least("random play, one core", play["own"], "hands/s", 20_000)
    at_least("  against RiichiEnv", play["own"] / play["riichienv"], "x", 40)
    hands_each = int(play["own"] * max(seconds, 1.0))
    many = medians({f"{n}": partial(parallel_play, n, hands_each) for n in (1, 2)}, rounds)
    at_least("two threads against one", many["2"] / many["1"], "x", 1.8)
    at_least("stepped through Table", play["face"], "hands/s", 1300)
    at_least("  against RiichiEnv", play["face"] / play["riichienv"], "x", 2)
    at_least("four normal bots, one core", bot_play(Policy.NORMAL, seconds), "hands/s", 2000)
    at_most("a decision of the strong bot", strong_decision_ms(seconds), "ms", 200)
    near = medians(
        {
            "own": lambda: own_distance(hands, seconds),
            "shanten-tools": lambda: rivals.shanten_tools(hands, seconds),
            "riichienv": lambda: rivals.riichienv_shanten(hands, seconds),
        },
        rounds,
    )
    at_least("distance, one core", near["own"], "hands/s", 5_000_000)
    at_least("  against shanten-tools", near["own"] / near["shanten-tools"], "x", 4)
    at_least("  against RiichiEnv", near["own"] / near["riichienv"], "x", 2)
    wins = medians(
        {"own": lambda: own_wins(seconds), "riichienv": lambda: rivals.riichienv_wins(seconds)}, rounds
    )
    at_least("win, licences, T, V, payments", wins["own"], "hands/s", 500_000)
    at_least("  against RiichiEnv", wins["own"] / wins["riichienv"], "x", 2)
    scored = [score_requests() for _ in range(rounds)]
    at_least("hainan score - on JSON Lines", statistics.median(s for s, _ in scored), "requests/s", 10_000)
    at_most("a table's record", TABLE.itemsize, "bytes", 2048)
    at_most("100,000 tables, resident", resident_mb(), "MB", 250)
    with tempfile.TemporaryDirectory() as cache:
        at_most("first start, everything compiled", hainan("compile", cache=cache), "s", 60)
    at_most("later start of hainan score", statistics.median(s for _, s in scored), "s", 1.5)
    at_most("hainan --help", statistics.median(hainan("--help") for _ in range(5)), "s", 0.3)
    return sheet


def main() -> None:
    """Measure, print, write."""
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 5
    seconds = float(sys.argv[2]) if len(sys.argv) > 2 else 1.0
    hainan("compile")
    sheet = figures(rounds, seconds)
    sheet.show(f"median of {rounds} rounds; {rivals.versions()}")
    merge({"versions": rivals.versions(), "rounds": rounds, "figures": sheet.rows_for_json()})
    learning.run(max(3, rounds // 2), seconds)
    # In a process of its own, as the server is: what the others have loaded here isn't for it to carry.
    subprocess.run([sys.executable, str(HERE / "serving.py")], check=True)


if __name__ == "__main__":
    main()
