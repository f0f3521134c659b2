"""The kernels of the vector environment: many tables, each brought to its next decision.

Hands follow one another in matches as in bulk play (sim/batch.py), with the same random numbers: table ``i``
of N plays the blocks i, i + N, i + 2N ... of its seed.
"""

from typing import Any, Final

import numpy as np

from hainan.bots.luck import below
from hainan.bots.policies import Policy
from hainan.engine.jit import entry, kernel, whole
from hainan.engine.legal import MAX_LEGAL, legal
from hainan.engine.match import match_over, next_hand
from hainan.engine.record import Phase, Record
from hainan.engine.step import step
from hainan.engine.tables import Shapes
from hainan.engine.wall import start_hand
from hainan.rl.observe import next_seat, observe
from hainan.sim.batch import new_match, shuffle_wall

CALLER: Final = -1
"""In place of a policy: the caller chooses."""
SHOW: Final = -1
"""In place of an action: only write what is to be seen."""
DEAL: Final = -2
"""In place of an action: begin the next match."""

PLACE: Final = np.dtype(
    (
        np.record,
        np.dtype(
            [
                ("block", "i8"),  # of the next match
                ("seat", "i4"),  # whose decision the table waits for
                ("policy", "i4"),  # who makes it, or CALLER
                ("n", "i4"),  # how many actions it has
                ("asked", "i4"),  # has the caller been asked in this episode
                ("points", "i4", (4,)),  # of the match so far
                ("legal", "i2", (MAX_LEGAL,)),
            ],
            align=True,
        ),
    )
)
"""What the environment knows of a table beyond its record."""


@kernel
def deal_hand(t: Record) -> None:
    """Shuffle, and start the hand that is set."""
    shuffle_wall(t)
    start_hand(t)


@kernel
def deal_match(t: Record, place: Record, seed: int, stride: int) -> None:
    """Begin the table's next match."""
    new_match(t, seed, whole(place.block))
    place.block += stride
    place.points[:] = 0
    deal_hand(t)


@kernel
def end_episode(place: Record, points: Any, rewards: Any, terminations: Any, index: int) -> None:
    """Tell rewards, unless nothing was asked of the caller in this episode."""
    if place.asked != 0:
        for seat in range(4):
            rewards[index, seat] = points[seat]
        terminations[index] = True
        place.asked = 0


@kernel
def end_hand(
    t: Record, place: Record, seed: int, stride: int, by_match: bool, rewards: Any, done: Any, index: int
) -> None:
    """Count what the hand paid, and deal the next, of the next match if this one is over."""
    for seat in range(4):
        place.points[seat] += t.payments[seat]
    if not by_match:
        end_episode(place, t.payments, rewards, done, index)
    next_hand(t)
    if not match_over(t):
        deal_hand(t)
        return
    if by_match:
        end_episode(place, place.points, rewards, done, index)
    deal_match(t, place, seed, stride)


@kernel
def write_mask(place: Record, mask: Any) -> None:
    """Legal actions as a row of truths."""
    mask[:] = False
    for index in range(whole(place.n)):
        mask[place.legal[index]] = True


@entry
def advance(
    tables: Record,
    raw: Any,
    places: Record,
    rows: Any,
    shapes: Shapes,
    policies: Any,
    actions: Any,
    seed: int,
    by_match: bool,
    observations: Any,
    masks: Any,
    rewards: Any,
    terminations: Any,
    seats: Any,
) -> None:
    """Take ``actions[row]`` (SHOW, DEAL) at each of the tables ``rows``, and go on to the next decision that
    isn't a random player's; where it is the caller's, write mask and observation.

    Arrays are those of ``vector.Buffers``; ``policies`` [n, 4]: the policy of each seat, or CALLER.
    """
    for index in rows:
        t = tables[index]
        place = places[index]
        action = whole(actions[index])
        if action == DEAL:
            deal_match(t, place, seed, len(tables))
        while True:
            if action >= 0:
                step(t, shapes[0], whole(place.seat), action)
            while t.phase == Phase.OVER:
                end_hand(t, place, seed, len(tables), by_match, rewards, terminations, index)
            place.seat = next_seat(t)
            place.policy = policies[index, place.seat]
            place.n = legal(t, shapes[0], whole(place.seat), place.legal)
            if place.policy != Policy.RANDOM:
                break
            action = whole(place.legal[below(t, whole(place.n))])
        if place.policy == CALLER:
            place.asked = 1
            seats[index] = place.seat
            write_mask(place, masks[index])
            observe(t, raw[index], whole(place.seat), observations[index])


@entry
def first_illegal(places: Record, actions: Any) -> int:
    """The first table whose action isn't legal, -1 if all are."""
    for index in range(len(places)):
        place = places[index]
        found = False
        for choice in range(whole(place.n)):
            found = found or place.legal[choice] == actions[index]
        if not found:
            return index
    return -1


@entry
def sample(places: Record, numbers: Any, actions: Any) -> None:
    """For each table one of its legal actions; ``numbers`` are random, of 32 bits."""
    for index in range(len(places)):
        place = places[index]
        actions[index] = place.legal[numbers[index] * place.n >> 32]
