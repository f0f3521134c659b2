"""Small runs that compile the kernels of the learning environments (sim/warm.py has the others)."""

import numpy as np

from hainan.engine.legal import MAX_LEGAL
from hainan.engine.record import copied
from hainan.rl.layout import SIZE
from hainan.rl.observe import asked_next, bytes_of, observe_seat
from hainan.rl.telling import MASK_BYTES, tell_hand
from hainan.rl.vector import VectorEnv
from hainan.rules.presets import rules_of
from hainan.sim.runner import Player, Run


def learning() -> None:
    """The vector environment, single observations, and the decisions of a hand."""
    env = VectorEnv(2, rules_of())
    env.reset()
    env.step(env.sample())
    tables = copied(env.tables[:1])
    asked_next(tables, 0)
    observe_seat(tables, bytes_of(tables), 0, 0, np.zeros(SIZE, np.uint8))
    player = Player(Run(rules_of(), hands=1))
    player.play(0, 1)
    tables = copied(player.tables)
    tell_hand(
        tables, bytes_of(tables), player.shapes, player.log, np.zeros(MAX_LEGAL, np.int16), 0,
        np.zeros((512, SIZE), np.uint8), np.zeros((512, MASK_BYTES), np.uint8), np.zeros(512, np.int32),
    )  # fmt: skip
