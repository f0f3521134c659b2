"""Drawing a table as SVG: a band for each player, with hand, melds, flowers and river.

The faces are those of the page (``faces.svg``, made by web/tools/tiles/make.py); a picture carries those that
it shows.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any, Final
from xml.sax.saxutils import escape

import numpy as np

from hainan.engine.record import Phase, Record
from hainan.picture.laid import Meld, Seat, seat_of
from hainan.records import HandRecord, steps
from hainan.rules.terms import By, MeldKind
from hainan.rules.tiles import EAST, NAME_ZH, TEXT, text_of
from hainan.table import Table

_WIDE, _HIGH, _GAP = 30, 40, 4
_SMALL: Final = 0.7
"""Tiles of rivers against those of hands."""
_WIDTH, _HEAD, _BAND = 1000, 34, 112
_PHASES: Final = ("上嘎 ga", "出牌 turn", "待叫 claim", "待抢 rob", "终局 over")
_FELT, _INK, _FAINT, _LIT = "#17493a", "#f3ead4", "#9fc0ac", "#f0c75e"
_WINDS: Final = "东南西北"


@cache
def _faces() -> dict[str, str]:
    """The drawings by id."""
    text = files("hainan.picture").joinpath("faces.svg").read_text(encoding="utf-8")
    found = re.findall(r'^(<(?:path|g|symbol) id="([^"]+)".*?)(?:</defs>)?$', text, re.MULTILINE)
    return {name: drawn for drawn, name in found}


def _needed(body: str) -> str:
    """All that a drawing points at, and what that points at."""
    faces = _faces()
    wanted, open_ = set(), set(re.findall(r'href="#([^"]+)"', body))
    while open_:
        name = open_.pop()
        wanted.add(name)
        open_ |= set(re.findall(r'href="#([^"]+)"', faces[name])) - wanted
    return "".join(faces[name] for name in sorted(wanted))


# ---------------------------------------------------------------- tiles and texts


def _tile(code: int | None, x: float, y: float, scale: float = 1.0, mark: str = "") -> str:
    """A tile, None its back; marked ``lit`` or ``gone``."""
    w, h = _WIDE * scale, _HIGH * scale
    edge = f' stroke="{_LIT}" stroke-width="2.5"' if mark == "lit" else ' stroke="#0a2019" stroke-width="0.6"'
    body = f'<rect x="{x:g}" y="{y:g}" width="{w:g}" height="{h:g}" rx="{3.5 * scale:g}"'
    body += f' fill="{"#2f8f63" if code is None else "#fffaf0"}"{edge}/>'
    if code is not None:
        body += f'<use href="#face-{TEXT[code]}" x="{x:g}" y="{y:g}" width="{w:g}" height="{h:g}"/>'
    return f'<g opacity="0.35">{body}</g>' if mark == "gone" else body


def _text(x: float, y: float, text: str, ink: str = _INK, size: int = 13) -> str:
    return f'<text x="{x:g}" y="{y:g}" fill="{ink}" font-size="{size}">{escape(text)}</text>'


def _row(codes: list[int | None], x: float, y: float, scale: float = 1.0) -> tuple[str, float]:
    """Tiles side by side, and where the next thing may stand."""
    step = (_WIDE + 1) * scale
    drawn = "".join(_tile(code, x + index * step, y, scale) for index, code in enumerate(codes))
    return drawn, x + len(codes) * step


def _meld_codes(meld: Meld) -> list[int | None]:
    if meld.low >= len(TEXT):
        return [None] * 4
    if meld.kind == MeldKind.CHOW:
        return [meld.low, meld.low + 1, meld.low + 2]
    return [meld.low] * (3 if meld.kind == MeldKind.PONG else 4)


# ---------------------------------------------------------------- a player


def _is_open(t: Record, seat: Seat, eyes: int | None) -> bool:
    return eyes is None or eyes == seat.seat or bool(t.phase == Phase.OVER)


def _concealed(t: Record, seat: Seat, eyes: int | None) -> list[int | None]:
    """A hand as it is seen: backs for another's."""
    if _is_open(t, seat, eyes):
        return list(seat.concealed)
    if t.phase == Phase.GA:
        return []
    return [None] * (13 - 3 * len(seat.melds) + int(t.phase == Phase.TURN and t.turn == seat.seat))


def _title(t: Record, seat: Seat) -> str:
    parts = [f"{seat.seat} {_WINDS[seat.position]}"]
    parts += ["庄 dealer"] if seat.position == 0 else []
    parts += [f"嘎 ga {seat.ga}"] if seat.ga is not None else []
    parts += ["天听 ready"] if seat.ready else []
    parts += ["胡 wins"] if t.won[seat.seat] else []
    parts += [f"{int(t.payments[seat.seat]):+d}"] if t.phase == Phase.OVER else []
    return "  ".join(parts)


def _player(t: Record, seat: Seat, y: float, eyes: int | None) -> str:
    """One band: name, hand, melds and flowers; below it the river."""
    awaited = t.phase == Phase.TURN and t.turn == seat.seat
    drawn = _text(12, y + 14, _title(t, seat), _LIT if awaited else _INK)
    hand, x = _row(_concealed(t, seat, eyes), 12, y + 22)
    drawn += hand
    for meld in seat.melds:
        tiles, x = _row(_meld_codes(meld), x + 3 * _GAP, y + 22)
        drawn += tiles
    tiles, _ = _row(list(seat.flowers), x + 3 * _GAP, y + 22 + _HIGH * (1 - _SMALL), _SMALL)
    drawn += tiles
    lying = t.phase == Phase.CLAIM and t.claim_from == seat.seat
    for index, discard in enumerate(seat.river):
        mark = "gone" if discard.taken else "lit" if lying and discard.last else ""
        drawn += _tile(discard.code, 12 + index * (_WIDE * _SMALL + 1.5), y + 70, _SMALL, mark)
    return drawn


def _header(t: Record, caption: str) -> str:
    parts = [f"{NAME_ZH[EAST + int(t.round_wind)]}风圈", f"第{int(t.hands_played) + 1}局"]
    if t.phase != Phase.GA:
        parts.append(f"余 {int(t.tail - t.head)} left")
    parts.append(_PHASES[int(t.phase)])
    if t.phase == Phase.ROB:
        parts.append(f"{int(t.claim_from)}: {TEXT[int(t.claim_tile)]}")
    if t.phase == Phase.OVER:
        parts.append(By(int(t.by)).zh)
    if t.wild >= 0:
        parts.append(f"癞子 wild {TEXT[int(t.wild)]}")
    return _text(12, 22, "   ".join(parts + ([caption] if caption else [])), _FAINT, 14)


def svg_of(t: Record, eyes: int | None = None, caption: str = "") -> str:
    """A record as SVG. ``eyes``: whose view it is, shown first, others' hands as backs; None shows all."""
    players = int(t.sheet.players)
    first = 0 if eyes is None or eyes < 0 else eyes
    height = _HEAD + players * _BAND
    body = _header(t, caption)
    for place in range(players):
        seat = seat_of(t, (first + place) % players)
        body += _player(t, seat, _HEAD + place * _BAND, eyes)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {height}" width="{_WIDTH}"'
        f' height="{height}" font-family="system-ui, sans-serif"><defs>{_needed(body)}</defs>'
        f'<rect width="{_WIDTH}" height="{height}" rx="8" fill="{_FELT}"/>{body}</svg>'
    )


# ---------------------------------------------------------------- as plain text


def _player_text(t: Record, seat: Seat, eyes: int | None) -> Iterator[str]:
    hand = _concealed(t, seat, eyes)
    shown = "?" * len(hand) if None in hand else text_of([code for code in hand if code is not None])
    melds = [f"{meld.kind.id} {_codes_text(_meld_codes(meld))}" for meld in seat.melds]
    yield "  ".join([_title(t, seat), shown, *melds, text_of(seat.flowers)]).rstrip()
    river = [f"({TEXT[one.code]})" if one.taken else TEXT[one.code] for one in seat.river]
    yield f"    {' '.join(river)}".rstrip()


def _codes_text(codes: list[int | None]) -> str:
    return "".join("?" if code is None else TEXT[code] for code in codes)


def text_of_table(t: Record, eyes: int | None = None) -> str:
    """The same as lines of text: tiles in MPSZ, claimed discards in brackets."""
    players = int(t.sheet.players)
    left = "" if t.phase == Phase.GA else f"  {int(t.tail - t.head)} left"
    lines = [
        f"{TEXT[EAST + int(t.round_wind)]}  hand {int(t.hands_played) + 1}{left}  {_PHASES[int(t.phase)]}"
    ]
    for seat in range(players):
        lines += _player_text(t, seat_of(t, seat), eyes)
    return "\n".join(lines)


# ---------------------------------------------------------------- for notebooks


@dataclass(frozen=True)
class Picture:
    """A table as it stood at one moment; notebooks show it as a picture."""

    view: Any
    """The record, as an array of one: a copy."""
    seat: int | None
    """Whose view it is; None: everything lies open."""
    caption: str = ""

    @property
    def svg(self) -> str:
        """The picture as SVG."""
        return svg_of(self.view[0], self.seat, self.caption)

    def _repr_svg_(self) -> str:
        return self.svg

    def __str__(self) -> str:
        """The same as text."""
        return text_of_table(self.view[0], self.seat)


def picture(table: "Table | Record", seat: int | None = None, caption: str = "") -> Picture:
    """A picture of a table (or of a record, as an array of one) as it stands now.

    With a seat it is drawn from that seat's view (``Table.masked_array``); -1 sees what all can see.
    """
    if isinstance(table, Table):
        view = np.array(table.clone()._array) if seat is None else table.masked_array(seat)
        return Picture(view, seat, caption)
    return Picture(np.array(table), seat, caption)


class Film:
    """A record's positions by number: 0 is the start, n the table after its nth action."""

    def __init__(self, record: HandRecord, seat: int | None = None) -> None:
        """Play the record through once. Raises ReplayError."""
        self._pictures = [
            picture(table, seat, "" if did is None else f"{n}: {who} {did}")
            for table, n, who, did in steps(record)
        ]

    def __len__(self) -> int:
        """How many positions."""
        return len(self._pictures)

    def __getitem__(self, n: int) -> Picture:
        """One of them."""
        return self._pictures[n]

    def __iter__(self) -> Iterator[Picture]:
        """All of them in order."""
        return iter(self._pictures)


def film(record: HandRecord, seat: int | None = None) -> Film:
    """The positions of a record (``records.read_record``), each as a picture; ``seat`` as in ``picture``."""
    return Film(record, seat)
