"""Tiles as the page calls them in Chinese."""

from collections.abc import Iterable

from hainan.rules.tiles import TEXT, parse

_HONORS = ("东风", "南风", "西风", "北风", "白板", "发财", "红中")
_FLOWERS = "春夏秋冬梅兰菊竹"


def name_of(code: str) -> str:
    """``5p`` is 五筒."""
    number, suit = int(code[0]), code[1]
    if suit == "z":
        return _HONORS[number - 1]
    if suit == "f":
        return _FLOWERS[number - 1]
    return "一二三四五六七八九"[number - 1] + {"m": "万", "p": "筒", "s": "条"}[suit]


def codes(text: str) -> list[str]:
    """``123m`` is 1m, 2m and 3m."""
    return [TEXT[kind] for kind in parse(text)]


def names(tiles: Iterable[str]) -> str:
    return " ".join(map(name_of, tiles))
