"""How tiles, melds, players and events look in a terminal, and how lines are filled.

Widths are counted in terminal cells: a Chinese character takes two.
"""

import os
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from string import Formatter
from typing import Any, Final

from rich.console import Console
from rich.text import Text

from hainan.cli.common import Lang, language
from hainan.cli.texts import TEXTS, named, say, wind
from hainan.rules.actions import Action
from hainan.rules.terms import By, MeldKind, Way
from hainan.rules.tiles import CODE, FLOWER, GLYPH, NAME_ZH, TEXT, parse, text_of

BACK: Final = "\U0001f02b"
"""The back of a tile."""
_COLOURS: Final = {"m": "red", "p": "cyan", "s": "green", "z": "bold", "f": "magenta"}


@dataclass(frozen=True)
class Look:
    """How to show things: language, console, and whether the terminal has Unicode tiles.

    With them every tile is its glyph and its name (五万 in Chinese, 5m in English), since glyphs are
    tiny; without, MPSZ text.
    """

    lang: Lang
    glyphs: bool
    console: Console

    @property
    def width(self) -> int:
        """Cells in a line."""
        return self.console.width

    @property
    def on_screen(self) -> bool:
        """Whether what has been printed can be taken away again."""
        return self.console.is_terminal and not self.console.is_dumb_terminal

    def say(self, key: str, /, **values: object) -> str:
        """A sentence of the texts."""
        return say(self.lang, key, **values)

    def fill(self, key: str, /, **parts: "Part") -> Text:
        """A sentence of the texts, its places filled with styled text."""
        filled = Text()
        template = TEXTS[key][0 if self.lang == "zh" else 1]
        for literal, name, _, _ in Formatter().parse(template):
            filled.append(literal)
            if name is not None:
                part = parts[name]
                filled.append_text(part if isinstance(part, Text) else Text(str(part)))
        return filled

    def print(self, *lines: "Text | str") -> None:
        """Lines, broken where they are too long."""
        for line in lines:
            self.console.print(line)


Part = Text | str | int


def look_for(asked: str | None, plain: bool = False) -> Look:
    """What suits this terminal: Rich respects NO_COLOR and TERM; ``plain`` takes colours and glyphs away."""
    _never_fail_over_characters()
    console = Console(highlight=False, markup=False, emoji=False, color_system=None if plain else "auto")
    return Look(language(asked), not plain and _shows_glyphs(), console)


def _never_fail_over_characters() -> None:
    """Where the encoding lacks a character, or the input isn't in it, a question mark stands for it."""
    for stream in (sys.stdin, sys.stdout):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="replace")


def _shows_glyphs() -> bool:
    encoding = (sys.stdout.encoding or "").lower().replace("-", "")
    return sys.stdout.isatty() and encoding == "utf8" and os.environ.get("TERM") != "dumb"


# ---------------------------------------------------------------- tiles


def label(look: Look, code: int) -> str:
    """A tile's name without its glyph."""
    if code >= len(TEXT):
        return "?"
    return NAME_ZH[code] if look.glyphs and look.lang == "zh" else TEXT[code]


def colour(code: int) -> str:
    """A tile's style."""
    return _COLOURS[TEXT[code][1]] if code < len(TEXT) else "dim"


def glyph(code: int) -> str:
    """A tile's Unicode picture; hidden tiles show their back."""
    return GLYPH[code] if code < len(GLYPH) else BACK


def tile(look: Look, code: int, *, bare: bool = False) -> Text:
    """One tile; ``bare`` leaves the glyph out where room is short."""
    text = label(look, code)
    return Text(f"{glyph(code)}{text}" if look.glyphs and not bare else text, colour(code))


def tile_of(look: Look, text: str | None) -> Text:
    """One tile given as text; what isn't told shows its back."""
    return tile(look, CODE[text] if text is not None else len(TEXT))


def tiles(look: Look, codes: Iterable[int]) -> Text:
    """Tiles in order, close together: neighbours of one suit share their suit's name."""
    shown = [_group(look, list(group)) for _, group in groupby(codes, key=_suit)]
    return Text(" ").join(shown)


def _suit(code: int) -> str:
    return TEXT[code][1] if code < len(TEXT) else "?"


def _group(look: Look, codes: Sequence[int]) -> Text:
    if codes[0] >= len(TEXT):
        text = "?" * len(codes)
    elif look.glyphs and look.lang == "zh":
        text = "".join(NAME_ZH[code][0] for code in codes) + NAME_ZH[codes[0]][1:]
    else:
        text = text_of(codes)
    pictures = "".join(map(glyph, codes)) if look.glyphs else ""
    return Text(pictures + text, colour(codes[0]))


def meld(look: Look, names: "Names", kind: MeldKind, low: int, source: int) -> Text:
    """A meld and from whom it was claimed; its lowest tile stands for pongs and kongs."""
    codes = (low, low + 1, low + 2) if kind == MeldKind.CHOW else (low,)
    gap = "" if look.lang == "zh" else " "
    shown = Text.assemble(f"{named(kind, look.lang)}{gap}", tiles(look, codes))
    return shown if source < 0 else shown.append(f"({names.short[source]})")


def flowers(look: Look, codes: Iterable[int], position: int) -> Text:
    """Laid-out flowers, those of one's own position marked (R2.3)."""
    return Text(" ").join(
        tile(look, code).append("*" if (code - FLOWER) % 4 == position else "") for code in codes
    )


# ---------------------------------------------------------------- players


@dataclass(frozen=True)
class Names:
    """What the players are called, by seat: in full, and in a few cells; whether that tells their winds."""

    full: tuple[str, ...]
    short: tuple[str, ...]
    tell_winds: bool


def numbered(lang: Lang, players: int, dealer: int) -> Names:
    """Players by seat number and seat wind, for stored hands and requests."""
    winds = [wind((seat - dealer) % players, lang) for seat in range(players)]
    return Names(
        tuple(f"{seat}{at}" if lang == "zh" else f"{seat} {at}" for seat, at in enumerate(winds)),
        tuple(f"{seat}{at[0]}" for seat, at in enumerate(winds)),
        tell_winds=True,
    )


def around(lang: Lang, players: int) -> Names:
    """Players as seat 0 sees them."""
    keys = ("you", "next", "across", "previous") if players == 4 else ("you", "next", "previous")
    full, short = (tuple(say(lang, key + end) for key in keys) for end in ("", ".short"))
    return Names(full, short, tell_winds=False)


# ---------------------------------------------------------------- events


def told(look: Look, names: Names, events: Iterable[Mapping[str, Any]]) -> list[Text]:
    """Events in words (docs/formats.md, section 3), those of one player in a row together."""
    sentences = []
    for seat, together in groupby(events, key=lambda event: event.get("seat")):
        what = Text(look.say("and")).join([event_text(look, event) for event in together])
        sentences.append(what if seat is None else look.fill("did", who=names.full[seat], what=what))
    return sentences


def event_text(look: Look, event: Mapping[str, Any]) -> Text:
    """What happened, without who did it."""
    parts: dict[str, Part] = {"tile": tile_of(look, event.get("tile")), "value": event.get("value", "")}
    kind = event["type"]
    if kind == "indicator":
        parts["wild"] = tile_of(look, event["wild"])
    elif kind == "chow":
        parts["tiles"] = tiles(look, parse(event["tiles"]))
    elif kind == "kong":
        parts["kind"] = named(MeldKind[event["kind"].upper()], look.lang)
    elif kind == "win":
        parts["by"] = way_text(look, event["by"], event["way"])
    sentence = look.fill(f"event.{kind}", **parts)
    return sentence.append(look.say("event.robbed")) if event.get("robbed") else sentence


def action_text(look: Look, action: Action) -> Text:
    """An action as it is offered: in English as it is typed."""
    verb, _, rest = action.text.partition(" ")
    if verb == "ga":
        return look.fill("do.ga", value=rest)
    shown = look.fill(f"do.{verb}", tiles=tiles(look, parse(rest)))
    shown.rstrip()
    return shown


def way_text(look: Look, by: str, way: str | None) -> str:
    """How a hand was won, the way of a self-draw included."""
    return named(By[by.upper()] if way is None else Way[way.upper()], look.lang)


# ---------------------------------------------------------------- lines


def flow(head: Text | str, items: Iterable[Text], width: int, *, gap: int = 1, indent: int = 4) -> list[Text]:
    """Lines that begin with ``head`` and hold as many items as fit; an item is never broken."""
    line = head.copy() if isinstance(head, Text) else Text(head)
    lines, empty = [line], True
    for item in items:
        space = 0 if empty else gap
        if not empty and line.cell_len + space + item.cell_len > width:
            line, space = Text(" " * indent), 0
            lines.append(line)
        line.append(" " * space).append_text(item)
        empty = False
    return lines


def padded(text: Text, width: int) -> Text:
    """Text filled up to so many cells."""
    filled = text.copy()
    filled.append(" " * max(width - text.cell_len, 0))
    return filled


def signed(points: int) -> Text:
    """Points won or lost, with their sign."""
    return Text(f"{points:+d}" if points else "0", "green" if points > 0 else "red" if points < 0 else "")


def score_text(look: Look, points: int) -> Text:
    """A player's points so far."""
    return look.fill("score", points=signed(points))
