"""The kernel of datasets: a hand that was played is played again, and each of its decisions written down."""

from typing import Any, Final

from hainan.engine.jit import entry, kernel, whole
from hainan.engine.legal import legal
from hainan.engine.record import Record
from hainan.engine.step import step
from hainan.engine.tables import Shapes
from hainan.engine.wall import start_hand
from hainan.rl.layout import N_ACTIONS
from hainan.rl.observe import observe

MASK_BYTES: Final = (N_ACTIONS + 7) // 8
"""A mask of one bit an action, the first in the lowest bit of the first byte."""


@kernel
def pack(actions: Any, n: int, mask: Any) -> None:
    """Actions as bits."""
    mask[:] = 0
    for index in range(n):
        mask[actions[index] >> 3] |= 1 << (actions[index] & 7)


@entry
def tell_hand(
    tables: Record,
    raw: Any,
    shapes: Shapes,
    log: Record,
    actions: Any,
    first: int,
    observations: Any,
    masks: Any,
    points: Any,
) -> None:
    """Play the hand of ``log`` again at the table that is set for it, and write its decisions from row
    ``first`` on: observation, mask, and what the hand paid to the seat that decided."""
    t = tables[0]
    t.wall[:] = log[0].wall
    start_hand(t)
    n = whole(log[0].n)
    for index in range(n):
        seat = whole(log[0].seat[index])
        pack(actions, legal(t, shapes[0], seat, actions), masks[first + index])
        observe(t, raw[0], seat, observations[first + index])
        step(t, shapes[0], seat, whole(log[0].action[index]))
    for index in range(n):
        points[first + index] = t.payments[log[0].seat[index]]
