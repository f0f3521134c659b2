"""A table as one NumPy record, and the option sheet as a record within it.

Everything that a hand is made of lives here: a batch of tables is one array, a clone is a copy of
memory. Seats and kinds are plain integers; -1 means "none". Scalars are 32 bits wide so that shifts
and sums behave alike compiled and uncompiled; arrays are as narrow as their contents.
"""

from enum import IntEnum
from functools import lru_cache
from typing import Any, Final

import numpy as np

from hainan.rules.options import OPTIONS, Rules

Record = Any
"""A table, a sheet, or an array of them: what only NumPy and Numba can describe."""

SEATS: Final = 4
MELDS: Final = 4
MAX_DISCARDS: Final = 104
"""Of three players: 144 tiles less 40 dealt and 15 left are 89 draws; with the dealer's and 12 claims, 102
discards (of four 93); and one that is only thought of (hints.py)."""
MAX_ITEMS: Final = 72
"""12 for three winners, 48 for sixteen kongs, 6 for two flower bonuses, 3 for a follow."""
MAX_EVENTS: Final = 48
"""Longest is the deal: 4 ga, deal, indicator, 8 flowers and their replacements."""
NO_DRAW_AT: Final = 15
"""七墩半: with this many tiles left nothing is drawn (R4.1)."""


class Phase(IntEnum):
    """What the table waits for."""

    GA = 0
    TURN = 1
    CLAIM = 2
    ROB = 3
    OVER = 4


class Ask(IntEnum):
    """What a seat may answer to a discard, as bits (R3.2)."""

    WIN = 1
    PONG = 2
    KONG = 4
    CHOW = 8


class Wild(IntEnum):
    """How the wild kind is found (R5.9)."""

    NONE = 0
    INDICATOR = 1
    NEXT = 2
    FIXED = 3


def _record(fields: list[Any]) -> np.dtype[Any]:
    return np.dtype((np.record, np.dtype(fields, align=True)))


_TERM_OPTIONS: Final = {name: option.choices for name, option in OPTIONS.items() if option.choices}
SHEET: Final = _record(
    [
        ("players", "i4"),
        ("scoring", "i4"),  # terms.Scoring
        ("wild_mode", "i4"),  # Wild
        ("wild_fixed", "i4"),  # the kind, under Wild.FIXED
        ("hands", "i4"),
        ("rounds", "i4"),  # 0: the match is counted in hands
        *((name, "i1") for name, option in OPTIONS.items() if isinstance(option.default, bool)),
        *((name, "i1") for name in _TERM_OPTIONS),  # the number of the term
    ]
)
"""The option sheet as kernels read it; names are those of ``Rules``."""

TABLE: Final = _record(
    [
        ("sheet", SHEET),
        # the hand's place in the match (R1.5 to R1.9)
        ("dealer", "i4"),
        ("first_dealer", "i4"),
        ("streak", "i4"),
        ("round_wind", "i4"),  # 0 East .. 3 North
        ("hands_played", "i4"),  # before this one
        ("rounds_played", "i4"),  # full round winds before this one
        ("dice", "i4", (2,)),
        ("ga_floor", "i1", (SEATS,)),
        ("ga", "i1", (SEATS,)),  # -1 until chosen
        # wall (R1.2)
        ("wall", "u1", (144,)),
        ("head", "i4"),
        ("tail", "i4"),
        ("indicator", "i4"),
        ("wild", "i4"),  # the wild kind
        # hands; `key` and `n_wild` are kept in step with `hand` (shapes.py)
        ("hand", "i1", (SEATS, 34)),
        ("key", "i4", (SEATS, 4)),  # base-5 numbers of m, p, s, z, wild tiles left out
        ("n_wild", "i4", (SEATS,)),
        ("held_flowers", "i4", (SEATS,)),  # bits: dealt, not yet laid out (R2.2)
        ("flowers", "i4", (SEATS,)),  # bits: laid out
        # melds, in the order in which they were made
        ("n_melds", "i4", (SEATS,)),
        ("meld_kind", "i1", (SEATS, MELDS)),
        ("meld_tile", "i1", (SEATS, MELDS)),  # its lowest tile
        ("meld_claimed", "i1", (SEATS, MELDS)),  # the tile that was claimed
        ("meld_from", "i1", (SEATS, MELDS)),  # from whom; -1 for a concealed kong
        ("meld_back", "i1", (SEATS, MELDS)),  # added with a tile just come from the back (R8.13)
        # discards of all seats in one line; a river is a filter of it
        ("n_discards", "i4"),
        ("discard_tile", "i1", (MAX_DISCARDS,)),
        ("discard_seat", "i1", (MAX_DISCARDS,)),
        ("discard_taken", "i1", (MAX_DISCARDS,)),  # by whose chow, pong or kong, or -1
        ("n_made", "i4", (SEATS,)),  # how many discards each seat has made
        # the turn
        ("phase", "i4"),
        ("turn", "i4"),
        ("drawn", "i4"),  # has a tile been drawn in this turn (R3.5)
        ("last_tile", "i4"),  # the last tile drawn
        ("last_source", "i4"),  # terms.Source of it
        ("fresh_pong", "i4"),  # kind ponged in this turn (R3.6)
        ("is_ready", "i1", (SEATS,)),
        # the tile that may be claimed, who was asked what, who answered what
        ("claim_tile", "i4"),
        ("claim_from", "i4"),
        ("ask", "i1", (SEATS,)),  # bits of Ask
        ("answer", "i2", (SEATS,)),  # action number, or -1
        # wins passed up (R9.1, R9.2)
        ("let_off", "i1", (SEATS,)),  # the player let off, while locked
        ("passed_v", "i4", (SEATS,)),  # highest V answered otherwise
        # follow (R8.19)
        ("lead_tile", "i4"),
        ("lead_seat", "i4"),  # -1: ended, or the next discard of `lead_next` leads
        ("lead_next", "i4"),  # whose next discard leads; -1 none
        ("followers", "i4"),
        ("followed", "i1", (SEATS,)),  # owes a follow payment
        # the end
        ("by", "i4"),  # terms.By; -1 while the hand is on
        ("way", "i4"),
        ("win_from", "i4"),
        ("win_tile", "i4"),
        ("won", "i1", (SEATS,)),
        ("patterns", "i4", (SEATS,)),  # bits of terms.Pattern
        ("licences", "i4", (SEATS,)),  # bits of terms.Licence
        ("score_t", "i4", (SEATS,)),  # T and V of section 7
        ("score_v", "i4", (SEATS,)),
        ("payments", "i4", (SEATS,)),
        ("n_items", "i4"),
        ("item_points", "i4", (MAX_ITEMS,)),
        ("item_payer", "i1", (MAX_ITEMS,)),
        ("item_payee", "i1", (MAX_ITEMS,)),
        ("item_of", "i1", (MAX_ITEMS,)),
        ("item_reason", "i1", (MAX_ITEMS,)),  # terms.Reason
        ("item_rule", "i1", (MAX_ITEMS,)),  # terms.PayRule
        # what happened since the last action, for clients
        ("n_events", "i4"),
        ("event", "i1", (MAX_EVENTS, 5)),  # terms.EventType, seat, tile, other seat, detail
        ("n_actions", "i4"),
        ("rng", "u8"),  # the generator of bulk play; live games bring their walls
    ]
)
"""A whole table."""


def new_tables(count: int) -> Record:
    """``count`` empty tables in one array.

    A plain array: for an ndarray subclass, or a record by itself, a compiled call costs ten times more.
    """
    return np.zeros(count, TABLE)


def copied(tables: Record, times: int = 1) -> Record:
    """So many copies byte for byte. (NumPy's own leaves the gaps between fields as it finds them.)"""
    return np.frombuffer(bytearray(tables.tobytes() * times), TABLE)


@lru_cache(maxsize=1024)
def sheet_of(rules: Rules, players: int) -> Record:
    """The people's option sheet as the kernels' record; assign it to ``tables["sheet"]``."""
    kind = rules.wild_kind
    values = rules.values() | {
        "players": players,
        "scoring": rules.scoring,
        "wild_mode": Wild.FIXED if kind is not None else Wild[rules.wild.upper()],
        "wild_fixed": -1 if kind is None else kind,
        "rounds": rules.rounds or 0,
    }
    for name in _TERM_OPTIONS:
        values[name] = _TERM_OPTIONS[name][values[name].upper()]
    sheet = np.zeros(1, SHEET)
    sheet[0] = tuple(int(values[name]) for name in SHEET.names or ())
    return sheet[0]
