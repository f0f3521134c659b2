"""What a player typed, as an action: a choice's number, an action's text, or short forms of it."""

import re
from collections.abc import Sequence
from typing import Final

from hainan.rules.actions import Act, Action
from hainan.rules.tiles import NAME_ZH, TEXT, TileError, parse, text_of

_SHORT: Final = {
    "d": "discard",
    "c": "chow",
    "p": "pong",
    "k": "kong",
    "w": "win",
    "x": "pass",
}
_VERBS_ZH: Final = {
    "天听打": " ready ",
    "天听": " ready ",
    "听": " ready ",
    "打": " discard ",
    "吃": " chow ",
    "碰": " pong ",
    "杠": " kong ",
    "胡": " win ",
    "过": " pass ",
    "嘎": " ga ",
}
_TILES_ZH: Final = {
    **{NAME_ZH[code][0]: TEXT[code][0] for code in range(9)},
    **{"万": "m", "筒": "p", "饼": "p", "条": "s", "索": "s"},
    **{NAME_ZH[code]: TEXT[code] for code in range(27, 34)},
}
_SHAPE: Final = re.compile(r"\s*([a-z]*?)\s*((?:[0-9]+[mpsz]\s*)+|[0-9]+)?\s*")


def understood(typed: str, legal: Sequence[Action]) -> Action | str:
    """One of the legal actions, or the text of what was meant, to be refused by the table."""
    text = _latin(typed)
    choosing_ga = legal[0] < Act.DISCARD
    if text.isdecimal() and not choosing_ga:
        number = int(text)
        return legal[number - 1] if 1 <= number <= len(legal) else typed
    meant = _in_full(text, legal)
    fitting = [action for action in legal if action.text == meant] or [
        action for action in legal if action.text.split()[0] == meant
    ]
    return fitting[0] if len(fitting) == 1 else meant


def _latin(typed: str) -> str:
    text = typed.strip().lower()
    for chinese, latin in (_VERBS_ZH | _TILES_ZH).items():
        text = text.replace(chinese, latin)
    return " ".join(text.split())


def _in_full(text: str, legal: Sequence[Action]) -> str:
    """The action's text, verb filled in and tiles in order."""
    shape = _SHAPE.fullmatch(text)
    if shape is None:
        return text
    verb, tiles = shape[1], _in_order(shape[2] or "")
    if not verb:
        verb = "ga" if legal[0] < Act.DISCARD else "discard" if legal[0] < Act.CHOW else "chow"
    return f"{_SHORT.get(verb, verb)} {tiles}".strip()


def _in_order(tiles: str) -> str:
    try:
        return text_of(sorted(parse(tiles.replace(" ", ""))))
    except TileError:  # a ga, or no tile at all
        return tiles
