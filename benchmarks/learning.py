"""Figures of the learning environments: ``python benchmarks/learning.py [ROUNDS] [SECONDS]``.

What is compared is measured in turn, round by round; ratios are of medians (run.py). All of it on this CPU.
"""

import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import learning_rivals as rivals
from figure import Sheet, merge
from hainan.bots.policies import Policy
from hainan.rl import aec_v0
from hainan.rl.dataset import Dataset, create
from hainan.rl.vector import VectorEnv
from hainan.rules.presets import rules_of
from hainan.sim.runner import Run, simulate

TABLES = 1024
THREADS = 2
HANDS = {Policy.GREEDY: 6_000, Policy.RANDOM: 10_000}
"""Hands of a measurement of datasets: some seconds, so that making files and threads doesn't count."""


def vector_rate(env: VectorEnv, seconds: float) -> float:
    """Decisions a second, actions at random, observations, masks, rewards and seats written."""
    done, started = 0, time.perf_counter()
    while (spent := time.perf_counter() - started) < seconds:
        for _ in range(16):
            env.step(env.sample())
        done += 16 * env.num_envs
    return done / spent


def dataset_rates(policy: Policy) -> tuple[float, float]:
    """Hands a second on two cores, with every decision written and without."""
    run = Run(rules_of(), hands=HANDS[policy], policies=(policy,), processes=THREADS)
    with tempfile.TemporaryDirectory() as name:
        create(Path(name))
        written = simulate(run, job=Dataset(run, name)).seconds
    return run.hands / written, run.hands / simulate(run).seconds


def memory(tables: int) -> float:
    """Megabytes of a whole process with so many tables that has played a while."""
    script = (
        "from hainan.rl.vector import VectorEnv\n"
        f"env = VectorEnv({tables}); env.reset()\n"
        "for _ in range(60): env.step(env.sample())\n"
        "peak = next(line for line in open('/proc/self/status') if line.startswith('VmHWM'))\n"
        "print(int(peak.split()[1]) / 1024)"
    )
    told = subprocess.run([sys.executable, "-c", script], check=True, capture_output=True, text=True)
    return float(told.stdout)


def compare(rounds: int, seconds: float) -> dict[str, float]:
    """Medians of all rates, taken in turn."""
    env = VectorEnv(TABLES, rules_of(), seed=1, threads=THREADS)
    env.reset()
    aec = aec_v0.env(rules_of())
    mahjax = {batch: rivals.mahjax_play(batch) for batch in rivals.MAHJAX_BATCHES}
    found: dict[str, list[float]] = {}
    for _ in range(rounds):
        rates = {"vector": vector_rate(env, seconds), "aec": rivals.aec_rate(aec, seconds)}
        rates |= {f"mahjax {batch}": measure(seconds) for batch, measure in mahjax.items()}
        rates |= {"riichienv": rivals.riichienv_two(seconds)} | rivals.card_rates(seconds / 2)
        for policy in HANDS:
            written, without = dataset_rates(policy)
            name = policy.name.lower()
            rates |= {f"dataset {name}": written, f"bulk {name}": without}
        for name, rate in rates.items():
            found.setdefault(name, []).append(rate)
    return {name: statistics.median(rates) for name, rates in found.items()}


def best(rates: dict[str, float], names: tuple[str, ...]) -> tuple[str, float]:
    """The fastest of some."""
    name = max(names, key=lambda one: rates[one])
    return name, rates[name]


def figures(rounds: int, seconds: float) -> Sheet:
    """All figures, in the order of the table."""
    sheet, rates = Sheet(), compare(rounds, seconds)
    sheet.at_least("vector environment, two cores", rates["vector"], "decisions/s", 400_000)
    name, rate = best(rates, tuple(f"mahjax {batch}" for batch in rivals.MAHJAX_BATCHES))
    sheet.seen(f"  {name} tables", rate, "decisions/s")
    sheet.at_least("  against mahjax", rates["vector"] / rate, "x", 100)
    sheet.seen("  riichienv encoded, two processes", rates["riichienv"], "decisions/s")
    sheet.at_least("  against riichienv", rates["vector"] / rates["riichienv"], "x", 5)
    sheet.seen("PettingZoo AEC", rates["aec"], "decisions/s")
    games = (*rivals.PETTINGZOO, "rlcard mahjong")
    name, rate = best(rates, games)
    sheet.seen(f"  the fastest other: {name}", rate, "decisions/s")
    sheet.at_least("  against it", rates["aec"] / rate, "x", 2)
    for game in rivals.RLCARD[1:]:
        sheet.seen(f"  RLCard's {game}, without PettingZoo", rates[f"rlcard {game}"], "decisions/s")
    share = rates["dataset greedy"] / rates["bulk greedy"]
    sheet.at_least("hands with a dataset, of those without", share, "x", 0.6)
    sheet.seen("  random players", rates["dataset random"] / rates["bulk random"], "x")
    sheet.at_most("10,000 tables with observations", memory(10_000), "MB", 600)
    return sheet


def run(rounds: int, seconds: float) -> None:
    """Measure, print, write."""
    sheet = figures(rounds, seconds)
    sheet.show(f"learning environments, median of {rounds} rounds")
    merge({"learning": {"rounds": rounds, "figures": sheet.rows_for_json()}})


if __name__ == "__main__":
    run(int(sys.argv[1]) if len(sys.argv) > 1 else 3, float(sys.argv[2]) if len(sys.argv) > 2 else 2.0)
