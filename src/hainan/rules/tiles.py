"""Tile kinds, their names in both languages and their text (MPSZ, the rule book section 0).

A kind is a small integer: 0..8 = 1m..9m, 9..17 = 1p..9p, 18..26 = 1s..9s, 27..33 = 1z..7z,
34..41 = 1f..8f (one of each).
"""

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Final

KINDS: Final = 34
"""Kinds that make sets; four copies of each."""
FLOWER: Final = 34
"""The first flower, 1f."""
TILE_CODES: Final = 42
"""Kinds and flowers together."""
EAST: Final = 27
DRAGON: Final = 31
"""The first dragon, 5z."""

SUIT_LETTERS: Final = "mpszf"
_COUNT: Final = (9, 9, 9, 7, 8)
_DIGITS: Final = "一二三四五六七八九"
_HONORS_ZH: Final = "东南西北白发中"
_HONORS_EN: Final = ("East", "South", "West", "North", "White", "Green", "Red")
_FLOWERS_ZH: Final = "春夏秋冬梅兰菊竹"
_FLOWERS_EN: Final = ("Spring", "Summer", "Autumn", "Winter", "Plum", "Orchid", "Chrysanthemum", "Bamboo")
_SUITS_EN: Final = ("Characters", "Dots", "Bamboo")

TEXT: Final[tuple[str, ...]] = tuple(
    f"{number + 1}{letter}"
    for letter, count in zip(SUIT_LETTERS, _COUNT, strict=True)
    for number in range(count)
)
"""MPSZ text of each tile code."""
CODE: Final[dict[str, int]] = {text: code for code, text in enumerate(TEXT)}
"""Tile code of each MPSZ text."""

NAME_ZH: Final[tuple[str, ...]] = (
    *(f"{digit}{suit}" for suit in "万筒条" for digit in _DIGITS),
    *_HONORS_ZH,
    *_FLOWERS_ZH,
)
NAME_EN: Final[tuple[str, ...]] = (
    *(f"{number} {suit}" for suit in _SUITS_EN for number in range(1, 10)),
    *_HONORS_EN,
    *_FLOWERS_EN,
)
# Unicode orders bamboo before dots, the dragons red first, and the four plants 梅 兰 竹 菊.
GLYPH: Final[tuple[str, ...]] = tuple(
    chr(0x1F000 + offset)
    for offset in (
        *range(0x07, 0x10),
        *range(0x19, 0x22),
        *range(0x10, 0x19),
        *(0, 1, 2, 3, 6, 5, 4),
        *(0x26, 0x27, 0x28, 0x29, 0x22, 0x23, 0x25, 0x24),
    )
)
"""Unicode tile of each code."""


class TileError(ValueError):
    """Text that is not MPSZ tiles."""


def parse(text: str) -> list[int]:
    """Tile codes of MPSZ text, in its order: ``15m3z`` is 1m, 5m, 3z.

    Raises TileError, naming the offending character and its place.
    """
    return list(codes_of(text))


@lru_cache(maxsize=100_000)
def codes_of(text: str) -> tuple[int, ...]:
    """The same as a tuple, remembered: short texts such as melds come again and again."""
    codes: list[int] = []
    done = 0
    for run in _RUNS.finditer(text):
        if run.start() != done:
            break
        done = run.end()
        digits, letter = run.groups()
        codes += [CODE.get(digit + letter, -1) for digit in digits]
    if done != len(text) or -1 in codes:
        raise TileError(_what_is_wrong(text))
    return tuple(codes)


_RUNS: Final = re.compile("([0-9]+)([mpszf])")


def _what_is_wrong(text: str) -> str:
    digits = ""
    for place, char in enumerate(text, 1):
        if char.isascii() and char.isdigit():
            digits += char
            continue
        if char not in SUIT_LETTERS:
            return f"{char!r} at place {place} of {text!r} is no suit; suits are m p s z f"
        if not digits:
            return f"the {char!r} at place {place} of {text!r} has no number before it"
        for digit in digits:
            if digit + char not in CODE:
                return f"there is no tile {digit}{char} (in {text!r})"
        digits = ""
    return f"{text!r} ends in a number without a suit; suits are m p s z f"


def text_of(codes: Iterable[int]) -> str:
    """MPSZ text of tile codes, order kept, neighbours of one suit sharing the letter."""
    text, last = "", ""
    for code in codes:
        tile = TEXT[code]
        if tile[1] != last:
            text += last
            last = tile[1]
        text += tile[0]
    return text + last


def text_of_counts(counts: Sequence[int]) -> str:
    """MPSZ text of a hand given as number of copies per kind."""
    return text_of([kind for kind, copies in enumerate(counts) if copies for _ in range(copies)])


def in_play(kind: int, *, no_honors: bool, no_winds: bool) -> bool:
    """Whether a kind is among the tiles of the sheet (R1.1)."""
    if kind < EAST or kind >= FLOWER:
        return True
    return not no_honors and (not no_winds or kind >= DRAGON)


def full_set(*, no_honors: bool, no_winds: bool) -> list[int]:
    """All tiles of a sheet, sorted: 144, 128 under ``no_winds``, 116 under ``no_honors`` (R1.1)."""
    kinds = [kind for kind in range(KINDS) if in_play(kind, no_honors=no_honors, no_winds=no_winds)]
    return [kind for kind in kinds for _ in range(4)] + list(range(FLOWER, TILE_CODES))
