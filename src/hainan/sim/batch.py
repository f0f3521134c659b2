"""The kernel of bulk play: hand after hand in one table record, counted as it goes.

Hands are played in blocks, each a match from its beginning with its own random numbers, made from the
seed and the block's number. So any split into whole blocks, over threads, processes or machines, plays
the very same hands.
"""

from typing import Any, Final

import numpy as np

from hainan.bots.luck import below, mix
from hainan.bots.policies import choose
from hainan.engine.distance import Scratch
from hainan.engine.jit import entry, kernel, whole
from hainan.engine.legal import legal, may_act
from hainan.engine.match import next_hand
from hainan.engine.record import Phase, Record
from hainan.engine.step import step
from hainan.engine.tables import Shapes
from hainan.engine.wall import start_hand, wall_size
from hainan.engine.winning import seat_position
from hainan.rules.terms import By

MAX_ACTIONS: Final = 512
"""More than any hand has: 4 ga, 102 discards, 3 answers to each, kongs and their answers."""
TALLY: Final = np.dtype(
    (
        np.record,
        np.dtype(
            [
                ("hands", "i8"),
                ("decisions", "i8"),
                ("ended", "i8", (4,)),  # by terms.By
                ("ways", "i8", (5,)),  # self-draws by terms.Way
                ("patterns", "i8", (8,)),
                ("licences", "i8", (12,)),
                ("winners", "i8"),
                ("unbalanced", "i8"),  # hands whose payments didn't sum to zero
                ("points", "i8", (4,)),  # by position: 0 the dealer
                ("squares", "i8", (4,)),
                ("wins", "i8", (4,)),
                ("digest", "u8"),
            ]
        ),
    )
)
"""What is counted; tallies of different hands add up, the digest modulo 2**64."""

LOG: Final = np.dtype(
    (
        np.record,
        np.dtype(
            [
                ("n", "i4"),
                ("wall", "u1", (144,)),
                ("seat", "i1", (MAX_ACTIONS,)),
                ("action", "u1", (MAX_ACTIONS,)),
            ]
        ),
    )
)
"""The last hand played, enough to write its record."""


@kernel
def shuffle_wall(t: Record) -> None:
    """All tiles of the sheet in random order, and dice."""
    size = wall_size(t)
    place = 0
    for kind in range(34):
        if kind < 27 or (t.sheet.no_honors == 0 and (kind >= 31 or t.sheet.no_winds == 0)):
            for _ in range(4):
                t.wall[place] = kind
                place += 1
    for flower in range(34, 42):
        t.wall[place] = flower
        place += 1
    for last in range(size - 1, 0, -1):
        other = below(t, last + 1)
        tile = t.wall[last]
        t.wall[last] = t.wall[other]
        t.wall[other] = tile
    t.dice[0] = 1 + below(t, 6)
    t.dice[1] = 1 + below(t, 6)


@kernel
def new_match(t: Record, seed: int, block: int) -> None:
    """The first hand of a block."""
    t.rng = mix(np.uint64(seed) ^ mix(np.uint64(block) + np.uint64(1)))
    t.dealer = 0
    t.first_dealer = 0
    t.streak = 0
    t.round_wind = 0
    t.hands_played = 0
    t.rounds_played = 0
    t.ga_floor[:] = 0


@kernel
def some_place(t: Record) -> None:
    """A hand in the midst of a match: any round wind, and now and then a dealer who has stayed."""
    t.round_wind = below(t, 4)
    while t.streak < 4 and below(t, 4) == 0:
        t.streak += 1


@kernel
def some_seat(t: Record) -> int:
    """A seat that the table waits for, any of them."""
    seat = below(t, whole(t.sheet.players)) if t.phase != Phase.TURN else whole(t.turn)
    while not may_act(t, seat):
        seat = (seat + 1) % t.sheet.players
    return whole(seat)


@kernel
def play_hand(
    t: Record, shapes: Shapes, policies: Any, actions: Any, work: Scratch, mind: Record, log: Record
) -> int:
    """One hand to its end; returns the number of decisions."""
    log.wall[:] = t.wall
    start_hand(t)
    n = 0
    while t.phase != Phase.OVER:
        seat = some_seat(t)
        count = legal(t, shapes, seat, actions)
        action = choose(t, shapes, seat, whole(policies[seat]), actions, count, work, mind)
        log.seat[n] = seat
        log.action[n] = action
        n += 1
        step(t, shapes, seat, action)
    log.n = n
    return n


@entry
def set_up(tables: Record, index: int, seed: int, block: int) -> None:
    """A hand by itself, as ``play_hands`` sets up the first of a block ``anywhere``."""
    t = tables[index]
    new_match(t, seed, block)
    some_place(t)
    shuffle_wall(t)


@entry
def asked_some(tables: Record, index: int) -> int:
    """``some_seat`` of one table."""
    return some_seat(tables[index])


@kernel
def fold(digest: Any, value: Any) -> Any:
    """Mix one more number into a digest."""
    return mix((np.uint64(digest) ^ np.uint64(value & 0xFFFFFFFF)) + np.uint64(0x9E3779B97F4A7C15))


@kernel
def count_hand(t: Record, tally: Record, hand: int, decisions: int) -> None:
    """Add a finished hand to a tally."""
    tally.hands += 1
    tally.decisions += decisions
    tally.ended[t.by] += 1
    if t.by == By.SELF_DRAW:
        tally.ways[t.way] += 1
    total = 0
    digest = fold(fold(np.uint64(hand), decisions), whole(t.by))
    for seat in range(whole(t.sheet.players)):
        points = whole(t.payments[seat])
        position = seat_position(t, seat)
        tally.points[position] += points
        tally.squares[position] += points * points
        total += points
        digest = fold(digest, points)
        if t.won[seat] != 0:
            tally.winners += 1
            tally.wins[position] += 1
            for pattern in range(8):
                tally.patterns[pattern] += (t.patterns[seat] >> pattern) & 1
            for licence in range(12):
                tally.licences[licence] += (t.licences[seat] >> licence) & 1
    tally.unbalanced += whole(total != 0)
    tally.digest += digest


@entry
def play_hands(
    tables: Record,
    index: int,
    shapes: Shapes,
    policies: Any,
    seed: int,
    block: int,
    anywhere: bool,
    first: int,
    count: int,
    actions: Any,
    work: Scratch,
    minds: Record,
    tallies: Record,
    logs: Record,
) -> None:
    """Play the hands numbered from ``first``; ``first`` begins a block, or goes on from the last call.

    ``anywhere``: a block begins at some place of a match (``some_place``) instead of its beginning.
    """
    t = tables[index]
    for hand in range(first, first + count):
        if hand % block == 0:
            new_match(t, seed, hand // block)
            if anywhere:
                some_place(t)
        else:
            next_hand(t)
        shuffle_wall(t)
        decisions = play_hand(t, shapes[0], policies, actions, work, minds[0], logs[index])
        count_hand(t, tallies[index], hand, decisions)
