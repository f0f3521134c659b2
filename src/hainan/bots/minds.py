"""What a bot thinks with: working space, and the table of chances to win that is made once.

The table comes from a small model of a hand as a race. A hand is so many tiles from complete; in each
round of the table it comes one nearer with the chance that a useful tile is drawn or given, and in each
round the others may win first, as often as they were seen to.
"""

import threading
from enum import IntEnum
from functools import cache
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from hainan.engine.record import Record

CYCLES: Final = 32
"""Own draws still to come, at most: 29 with three players."""
LEVELS: Final = 9
"""Tiles from complete, at most."""
WIDTH: Final = 160
"""Useful tiles, at most: a tile that three players may give counts several times."""


class Level(IntEnum):
    """How much is looked at: a beginner sees his own hand alone and doesn't ask for licences; strong players
    see danger, kongs to come, dear hands, and one draw further."""

    EASY = 0
    NORMAL = 1
    STRONG = 2


class Pace(IntEnum):
    """How a plan comes nearer, which says how many tiles will be useful later."""

    CLOSED = 0  # sets, by drawing alone
    OPEN = 1  # sets, by calls too
    PAIRS = 2
    PONGS = 3
    UNLICENSED = 4  # open, and won by self-draw alone
    KINDS = 5  # thirteen orphans


class Row(IntEnum):
    """What is told of a legal action (``weigh``)."""

    POINTS = 0  # expected points of the whole hand from here, those of the others' wins included
    WIN = 1  # chance to win the hand
    DEAL_IN = 2  # chance that this very tile is won by somebody


# Useful tiles that a hand usually has when it is 1, 2, 3 ... tiles from complete; at 1 those that
# others may give are counted in.
_USUAL: Final = {
    Pace.CLOSED: (20, 14, 24, 33, 40, 46, 50, 54),
    Pace.OPEN: (12, 20, 33, 44, 53, 60, 66, 70),
    Pace.PAIRS: (8, 7, 11, 15, 20, 24, 27, 30),
    Pace.PONGS: (9, 14, 20, 26, 30, 34, 38, 42),
    Pace.UNLICENSED: (6, 20, 33, 44, 53, 60, 66, 70),
    Pace.KINDS: (9, 5, 8, 11, 14, 17, 20, 23),
}
# Chance that one certain player wins in a round, by rounds since the deal, where four or three play: counted
# in 4,000 hands of strong players.
_HAZARD_AT: Final = (0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 30)
_HAZARD: Final = (
    (0.0, 0.001, 0.01, 0.029, 0.052, 0.07, 0.085, 0.095, 0.11, 0.12, 0.12),
    (0.0, 0.001, 0.004, 0.014, 0.033, 0.048, 0.066, 0.081, 0.09, 0.095, 0.1),
)
_ROUNDS: Final = (18, 29)

MIND: Final = np.dtype(
    (
        np.record,
        np.dtype(
            [
                ("level", "i4"),
                ("called", "f8"),  # how often another gives a useful tile that can be called
                ("lost", "f8", (2,)),  # and the tile that an open, a closed hand wins on
                ("table", "i4"),  # which chances: 0 four players, 1 three
                ("cycles", "i4"),  # own draws still to come
                ("hidden", "i4"),  # tiles unseen
                ("plans", "i4"),  # bits of Plan that are worth a look in this decision
                ("stakes", "f8"),  # sum of B with the others (section 8)
                ("loss", "f8"),  # what another's win costs on average
                ("others", "f8"),  # chance that another wins if one never does
                ("value", "f8"),  # of the hand last looked at: points gained against never winning
                ("second", "f8"),  # the same of the next best plan
                ("win", "f8"),  # its chance to win
                ("floor", "i4", (10,)),  # by Plan: tiles missing before the discard
                ("left", "i4", (34,)),  # copies unseen
                ("useful", "i1", (34,)),
                ("useful_next", "i1", (34,)),
                ("factor", "f8", (34,)),
                ("deal_in", "f8", (34,)),  # chance that a discard of this kind is won
                ("cost", "f8", (34,)),  # what that would cost on average, the chance multiplied in
                ("before", "f8", (48,)),  # of each action: the hand's value before danger, if worth deepening
                ("second_look", "f8", (48,)),
                ("rows", "f8", (48, len(Row))),
                ("usual", "f8", (len(Pace), LEVELS - 1)),
                ("chance", "f4", (2, len(Pace), LEVELS, CYCLES, WIDTH)),
                ("others_win", "f4", (2, CYCLES)),
            ],
            align=True,
        ),
    )
)
"""One thread's working space, and the chances by players, pace, tiles missing, draws left, useful tiles."""


def _chances(players: int, pace: Pace) -> npt.NDArray[np.float64]:
    """Chance to win, [tiles missing, draws left, useful tiles]."""
    three = int(players == 3)
    chance = np.zeros((LEVELS, CYCLES, WIDTH))
    chance[0] = 1.0
    useful = np.arange(WIDTH, dtype=np.float64)
    usual = _USUAL[pace]
    for left in range(1, CYCLES):
        pool = 15 + players * left + 10.5 * (players - 1)
        elapsed = max(0, _ROUNDS[three] - left)
        stays = (1 - np.interp(elapsed, _HAZARD_AT, _HAZARD[three])) ** (players - 1)
        comes = 1 - np.exp(-useful / pool)
        for missing in range(1, LEVELS):
            level = usual[missing - 1]
            grown = np.clip(level - useful, 0, None) * 0.12  # until it waits, a hand may become a better one
            next_useful = useful + (grown if missing > 1 else 0.0)
            stay = np.interp(next_useful, useful, chance[missing, left - 1])
            nearer: Any = 1.0
            if missing > 1:
                nearer = stays * np.interp(usual[missing - 2], useful, chance[missing - 1, left - 1])
            chance[missing, left] = comes * nearer + (1 - comes) * stays * stay
    return chance


def _others_win(players: int) -> npt.NDArray[np.float64]:
    """Chance that another wins within so many rounds."""
    three = int(players == 3)
    lasts = np.ones(CYCLES)
    for left in range(1, CYCLES):
        elapsed = max(0, _ROUNDS[three] - left)
        stays = (1 - np.interp(elapsed, _HAZARD_AT, _HAZARD[three])) ** (players - 1)
        lasts[left] = stays * lasts[left - 1]
    return 1 - lasts


@cache
def _fresh() -> npt.NDArray[Any]:
    made = np.zeros(1, MIND)
    for table, players in enumerate((4, 3)):
        for pace in Pace:
            made["chance"][0, table, pace] = _chances(players, pace)
        made["others_win"][0, table] = _others_win(players)
    made["usual"][0] = [_USUAL[pace] for pace in Pace]
    return made


def new_minds() -> Record:
    """Working space for one thread, as an array of one."""
    return np.frombuffer(bytearray(_fresh().tobytes()), MIND)


_OF_THREAD: Final = threading.local()


def minds_of_thread() -> Record:
    """Working space of the calling thread: it is large, and many bots may live in one thread."""
    if not hasattr(_OF_THREAD, "minds"):
        _OF_THREAD.minds = new_minds()
    return _OF_THREAD.minds
