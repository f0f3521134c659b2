"""Rates of other environments, to set the learning environments against; each in its fastest released mode.

- `mahjax` (Riichi in JAX): its faster game, single rounds, random legal actions, auto-reset and observation
  within one compiled loop on the device, so that no Python is between two steps. The best batch size counts.
- `riichienv` (Riichi in Rust): `rivals.riichienv_random_play` with each observation encoded by its own
  `Observation.encode`, in two processes.
- Card games of PettingZoo by its loop (`last`, a random action by the mask, `step`), RLCard's by its own.

Rates are decisions a second. The packages are those of the group `bench`.
"""

from __future__ import annotations

import importlib
import random
import subprocess
import sys
import time
import warnings
from collections.abc import Callable
from typing import Any

PETTINGZOO = ("leduc_holdem_v4", "texas_holdem_v4", "texas_holdem_no_limit_v6")
RLCARD = ("mahjong", "gin-rummy", "doudizhu", "uno")
MAHJAX_BATCHES = (16, 64)
# 256 and 1,024 tables were slower on two cores, and take minutes to compile.
MAHJAX_STEPS = 32
"""Steps in one compiled loop."""


def mahjax_play(batch: int) -> Callable[[float], float]:
    """Compile random play of so many tables; what is returned measures its rate over so many seconds."""
    jax: Any = importlib.import_module("jax")
    env = importlib.import_module("mahjax").make("no_red_mahjong", round_mode="single", observe_type="dict")
    auto_reset = importlib.import_module("mahjax.wrappers.auto_reset_wrapper").auto_reset
    step, observe = jax.vmap(auto_reset(env.step, env.init)), jax.vmap(env.observe)

    def one(carry: Any, key: Any) -> Any:
        state, seen = carry
        chosen, steps = jax.random.split(key)
        logits = jax.numpy.where(state.legal_action_mask, 0.0, -1e9)
        action = jax.random.categorical(chosen, logits, axis=-1)
        state = step(state, action, jax.random.split(steps, batch))
        told = sum(part.sum() for part in jax.tree_util.tree_leaves(observe(state)))
        return (state, seen + told.astype(jax.numpy.float32)), None

    def loop(state: Any, key: Any) -> Any:
        start = (state, jax.numpy.float32(0))
        return jax.lax.scan(one, start, jax.random.split(key, MAHJAX_STEPS))[0]

    compiled = jax.jit(loop)
    state = jax.jit(jax.vmap(env.init))(jax.random.split(jax.random.PRNGKey(0), batch))
    state, _ = jax.block_until_ready(compiled(state, jax.random.PRNGKey(1)))

    def measure(seconds: float) -> float:
        nonlocal state
        done, started = 0, time.perf_counter()
        while (spent := time.perf_counter() - started) < seconds:
            state, _ = jax.block_until_ready(compiled(state, jax.random.PRNGKey(done)))
            done += batch * MAHJAX_STEPS
        return done / spent

    return measure


def mahjax_best(seconds: float) -> dict[int, float]:
    """Rates by batch size."""
    return {batch: mahjax_play(batch)(seconds) for batch in MAHJAX_BATCHES}


def riichienv_encoded(seconds: float, seed: int = 0) -> float:
    """Random play with every observation encoded, in this process."""
    env = importlib.import_module("riichienv").RiichiEnv(
        game_mode="4p-red-single", skip_mjai_logging=True, seed=seed
    )
    uniform = random.Random(seed).random
    decisions, started = 0, time.perf_counter()
    while (spent := time.perf_counter() - started) < seconds:
        observations = env.reset()
        while not env.done():
            actions = {}
            for player, observation in observations.items():
                observation.encode()
                legal = observation.legal_actions()
                actions[player] = legal[int(uniform() * len(legal))]
            decisions += len(actions)
            observations = env.step(actions)
    return decisions / spent


def riichienv_two(seconds: float) -> float:
    """The same in two processes at a time."""
    command = [sys.executable, __file__, "riichienv", str(seconds)]
    running = [subprocess.Popen([*command, str(n)], stdout=subprocess.PIPE, text=True) for n in (1, 2)]
    return sum(float(process.communicate()[0]) for process in running)


def aec_rate(env: Any, seconds: float, seed: int = 0) -> float:
    """Decisions a second of a PettingZoo environment under random legal actions."""
    env.reset(seed=seed)
    decisions, started = 0, time.perf_counter()
    while (spent := time.perf_counter() - started) < seconds:
        for agent in env.agent_iter():
            seen, _, termination, truncation, info = env.last()
            if termination or truncation:
                env.step(None)
                continue
            mask = seen["action_mask"] if "action_mask" in seen else info["action_mask"]
            env.step(env.action_space(agent).sample(mask))
            decisions += 1
        env.reset()
    return decisions / spent


def rlcard_rate(game: str, seconds: float, seed: int = 0) -> float:
    """Decisions a second of a game of RLCard by its own interface, which encodes each state that it gives."""
    env = importlib.import_module("rlcard").make(game)
    uniform = random.Random(seed).random
    decisions, started = 0, time.perf_counter()
    while (spent := time.perf_counter() - started) < seconds:
        state, _ = env.reset()
        while not env.is_over():
            legal = list(state["legal_actions"])
            state, _ = env.step(legal[int(uniform() * len(legal))])
            decisions += 1
    return decisions / spent


def card_rates(seconds: float) -> dict[str, float]:
    """Rates of all the card games by name."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        rates = {
            name: aec_rate(importlib.import_module(f"pettingzoo.classic.{name}").env(), seconds)
            for name in PETTINGZOO
        }
        return rates | {f"rlcard {game}": rlcard_rate(game, seconds) for game in RLCARD}


if __name__ == "__main__":
    print(riichienv_encoded(float(sys.argv[2]), int(sys.argv[3])))
