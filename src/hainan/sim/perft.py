"""Perft: the number of action sequences to a depth from a fixed wall, which any change of legality
or of what follows an action is likely to change."""

from typing import Any

import numpy as np

from hainan.engine.jit import entry, whole
from hainan.engine.legal import MAX_LEGAL, legal
from hainan.engine.record import SEATS, Record, new_tables
from hainan.engine.step import step
from hainan.engine.tables import Shapes, shape_tables
from hainan.rules.actions import ACTIONS
from hainan.table import Table


@entry
def count_sequences(stack: Record, shapes: Shapes, depth: int, lists: Any, counts: Any, at: Any) -> int:
    """Sequences of ``depth`` actions from ``stack[0]``; a hand that ends sooner ends its sequence.

    ``stack`` has depth + 1 tables; ``lists`` and ``counts`` a row for each; ``at`` the place in each.
    """
    total = 0
    level = 0
    at[0] = -1
    while level >= 0:
        t = stack[level]
        if at[level] < 0:
            n = 0
            for seat in range(whole(t.sheet.players)):
                found = legal(t, shapes[0], seat, lists[level, n:, 1])
                for index in range(n, n + found):
                    lists[level, index, 0] = seat
                n += found
            counts[level] = n
            at[level] = 0
            if level == depth or n == 0:
                total += 1
                level -= 1
                continue
        if at[level] == counts[level]:
            level -= 1
            continue
        seat = whole(lists[level, at[level], 0])
        action = whole(lists[level, at[level], 1])
        at[level] += 1
        stack[level + 1] = t
        step(stack[level + 1], shapes[0], seat, action)
        level += 1
        at[level] = -1
    return total


def perft(table: Table, depth: int) -> int:
    """The number of action sequences of ``depth`` actions, any seat that may act next; shorter where
    the hand ends."""
    stack = new_tables(depth + 1)
    stack[0] = table.raw
    rows = SEATS * MAX_LEGAL
    lists = np.zeros((depth + 1, rows, 2), np.int16)
    counts, at = np.zeros(depth + 1, np.int64), np.zeros(depth + 1, np.int64)
    return int(count_sequences(stack, shape_tables(), depth, lists, counts, at))


def divide(table: Table, depth: int) -> dict[str, int]:
    """Perft by first action: ``{"0 discard 5m": ...}``."""
    found = {}
    for seat, actions in table.legal().items():
        for action in actions:
            twin = table.clone()
            twin.act(seat, ACTIONS[action])
            found[f"{seat} {action.text}"] = perft(twin, depth - 1)
    return found
