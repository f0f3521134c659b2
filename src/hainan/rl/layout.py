"""What an observation is made of: every part with its place, shape, highest value and meaning.

An observation is one vector of bytes, all of them small counts. First come planes of the 34 kinds (1m to 9m,
1p to 9p, 1s to 9s, 東南西北白發中), then facts. Seats are counted from the one that looks: 0 itself, 1
the next player 下家, and so on: one network can play all chairs.
"""

from dataclasses import dataclass
from math import prod
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from hainan.engine.record import MAX_DISCARDS, MELDS, SEATS, SHEET
from hainan.rules.actions import ACTIONS, Act
from hainan.rules.options import OPTIONS
from hainan.rules.tiles import KINDS

VERSION: Final = "hainan-observation/2"
"""Changes with any part's place, shape or meaning."""
ACTIONS_VERSION: Final = "hainan-actions/1"
"""Changes with any number of ``rules.actions.ACTIONS``."""
N_ACTIONS: Final = int(Act.COUNT)
"""How many actions there are: the length of a mask."""

Bytes = npt.NDArray[np.uint8]


@dataclass(frozen=True)
class Part:
    """One part of an observation."""

    name: str
    at: int
    """Where it begins in the vector."""
    shape: tuple[int, ...]
    high: int
    """The highest value of each of its numbers; the lowest is 0."""
    meaning: str

    @property
    def size(self) -> int:
        """How many numbers it has."""
        return prod(self.shape)

    @property
    def is_planes(self) -> bool:
        """Whether its last axis are the kinds."""
        return self.shape[-1] == KINDS


def _offset(option: str) -> int:
    """Where an option lies in the sheet's record."""
    fields: Any = SHEET.fields
    return int(fields[option][1])


_OF_SHEET: Final = tuple(name for name in SHEET.names or () if name in OPTIONS and SHEET[name].itemsize == 1)
"""The options that are one byte each; they lie side by side in the record."""
SHEET_AT: Final = _offset(_OF_SHEET[0])
"""Where they begin in it."""
_WIDE: Final = "in two numbers, 256s and ones; 65,535 stands for more"

_PLANES: Final[list[tuple[str, tuple[int, ...], int, str]]] = [
    ("hand", (4, KINDS), 1, "one's concealed hand: plane n has the kinds of which it holds more than n"),
    ("drawn", (KINDS,), 1, "the tile just drawn, in one's own turn (it is part of the hand)"),
    ("claim", (KINDS,), 1, "the tile that lies there to be claimed or robbed"),
    ("fresh_pong", (KINDS,), 1, "the kind ponged in this turn, which can't be made a kong at once (R3.6)"),
    ("lead", (KINDS,), 1, "the tile to be followed (R8.19)"),
    ("wild", (KINDS,), 1, "the wild kind (R5.9)"),
    ("indicator", (KINDS,), 1, "the tile turned over for it"),
    ("unseen", (KINDS,), 4, "copies that one hasn't seen, of four"),
    ("chows", (SEATS, KINDS), 4, "by seat: chows, counted at their lowest tile"),
    ("pongs", (SEATS, KINDS), 1, "by seat: pongs"),
    ("kongs", (SEATS, KINDS), 3, "by seat: 1 an exposed, 2 an added, 3 a concealed kong that one can see"),
    (
        "discards",
        (SEATS, 4, KINDS),
        MAX_DISCARDS,
        "by seat and copy: when it was discarded, counted from 1 over all seats; 0 not",
    ),
    (
        "taken",
        (SEATS, 4, KINDS),
        SEATS,
        "of the same discards: by whom it was claimed, 1 + seat; 0 by nobody",
    ),
    ("open_hands", (SEATS - 1, KINDS), 4, "the others' hands by seat from 1 on, once the hand is over"),
]
_FACTS: Final[list[tuple[str, tuple[int, ...], int, str]]] = [
    ("phase", (5,), 1, "ga, turn, claim, rob, over"),
    ("players", (1,), SEATS, "3 or 4"),
    ("dealer", (SEATS,), 1, "who deals, by seat"),
    ("first_dealer", (SEATS,), 1, "who dealt first in this match, by seat"),
    ("turn", (SEATS,), 1, "whose turn it is, by seat; only in a turn"),
    ("round_wind", (4,), 1, "東, 南, 西, 北"),
    ("streak", (2,), 255, f"how often the dealer has stayed (R1.7), {_WIDE}"),
    ("hands_played", (2,), 255, f"hands of the match before this one, {_WIDE}"),
    ("rounds_played", (2,), 255, f"full round winds before this hand, {_WIDE}"),
    ("dice", (2,), 6, "the dice"),
    ("remaining", (1,), 144, "tiles left; the whole wall while ga is chosen (R1.2)"),
    ("from_back", (1,), 144, "tiles gone from the back of the wall: replacements, and the indicator"),
    ("ga", (SEATS,), 6, "1 + ga of each seat; 0 where it isn't known yet (R8.3)"),
    ("ga_floor", (SEATS,), 5, "below which each ga can't go"),
    ("flowers", (SEATS, 8), 2, "春 to 竹 of each seat: 1 laid out, 2 dealt and not yet laid out"),
    (
        "melds",
        (SEATS, MELDS, 5),
        64,
        "by seat in the order made: kind (1 chow, 2 pong, 3 exposed, 4 added, 5 concealed kong),"
        " 1 + lowest tile (0 hidden), 1 + claimed tile, 1 + from whom, 1 if its added tile had just come"
        " from the back (R8.13)",
    ),
    ("drawn_from", (3,), 1, "where this turn's tile came from: front, for a kong, for a flower (R7.5)"),
    ("ready", (SEATS,), 1, "who has declared ready (R7.6)"),
    ("claim_from", (SEATS,), 1, "whose tile lies there"),
    ("asked", (4,), 1, "what one may do with it: win, pong, kong, chow"),
    ("answered", (1,), N_ACTIONS, "1 + the action one has answered; 0 none"),
    ("let_off", (SEATS,), 1, "whom one has let off, while that locks one's wins (R9.1)"),
    ("passed", (2,), 255, f"the highest V one has passed up (R9.2), {_WIDE}"),
    ("lead_seat", (SEATS,), 1, "whose discard is to be followed (R8.19)"),
    ("lead_next", (SEATS,), 1, "whose next discard leads"),
    ("followers", (1,), 3, "how many have followed"),
    ("owes_follow", (SEATS,), 1, "who owes a follow payment"),
    ("ended", (4,), 1, "how the hand ended: discard, rob, self-draw, draw; all 0 while it is on"),
    ("way", (1,), 4, "of a self-draw: 1 kong bloom, 2 flower bloom, 3 heavenly, 4 earthly"),
    ("win_tile", (1,), KINDS, "1 + the winning tile, once the hand is over"),
    ("win_from", (SEATS,), 1, "who discarded it or was robbed"),
    ("won", (SEATS,), 1, "who won"),
    ("scoring", (1,), 1, "the table of section 7: 0 Hainan's, 1 Lingao's"),
    ("wild_mode", (1,), 3, "option wild: none, indicator, next, a fixed kind"),
    ("match_hands", (2,), 255, f"option hands, {_WIDE}"),
    ("match_rounds", (2,), 255, f"option rounds, {_WIDE}; 0: the match is counted in hands"),
    (
        "options",
        (len(_OF_SHEET),),
        8,
        "the other options: " + ", ".join(_OF_SHEET) + " (those of several values by their number)",
    ),
]


def _placed() -> tuple[Part, ...]:
    parts, at = [], 0
    for name, shape, high, meaning in (*_PLANES, *_FACTS):
        parts.append(Part(name, at, shape, high, meaning))
        at += parts[-1].size
    return tuple(parts)


PARTS: Final = _placed()
"""All parts in order."""
BY_NAME: Final = {part.name: part for part in PARTS}
"""The same by name."""
SIZE: Final = PARTS[-1].at + PARTS[-1].size
"""Numbers in an observation."""
PLANES: Final = BY_NAME["phase"].at // KINDS
"""How many planes of 34 kinds it begins with."""
OPTION_NAMES: Final = _OF_SHEET
"""The options of the part ``options``."""


def named(observations: Bytes) -> dict[str, Bytes]:
    """Views of observations [..., SIZE] by the names of their parts, each [..., *shape]: no copies."""
    lead = observations.shape[:-1]
    return {
        part.name: observations[..., part.at : part.at + part.size].reshape(*lead, *part.shape)
        for part in PARTS
    }


def planes(observations: Any) -> Any:
    """Planes [..., PLANES, 34] and facts [..., the rest] of observations [..., SIZE], NumPy's or torch's."""
    end = PLANES * KINDS
    lead = observations.shape[:-1]
    return observations[..., :end].reshape(*lead, PLANES, KINDS), observations[..., end:]


def highest() -> Bytes:
    """The highest value of each number [SIZE]: for a space, or to bring numbers to 0..1."""
    return np.concatenate([np.full(part.size, part.high, np.uint8) for part in PARTS])


def described() -> list[str]:
    """One line a part and one an action: what the version numbers stand for."""
    parts = [f"{part.name} {part.at} {part.shape} {part.high} {part.meaning}" for part in PARTS]
    return [*parts, *(f"{int(action)} {action.text}" for action in ACTIONS)]
