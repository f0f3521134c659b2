"""The score calculator: a described end of a hand in, the whole bill out (docs/formats.md, section 2).

A request is checked, written into a table record at its end, and then judged and billed by the very
kernels that end a live hand.
"""

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, Final, Literal

import msgspec
import numpy as np

from hainan.engine import entries
from hainan.engine.ends import BILL_HEAD, BILL_ROW, END_ROW, HAND, ITEM, MELD, WON
from hainan.engine.record import MELDS, SEATS, new_tables, sheet_of
from hainan.engine.tables import shape_tables
from hainan.engine.wall import following_kind
from hainan.faults import Fault, FieldError
from hainan.rules.actions import GA_VALUES
from hainan.rules.options import Rules, RulesError
from hainan.rules.presets import rules_from_json
from hainan.rules.terms import By, MeldKind, Way
from hainan.rules.tiles import CODE, EAST, FLOWER, TEXT, TILE_CODES, TileError, codes_of, in_play
from hainan.table import item, winner

_following_kind = getattr(following_kind, "py_func", following_kind)
MELD_KINDS: Final = {kind.id: kind for kind in MeldKind}
WHY_NOT: Final = ("", "not a winning hand (R5)", "no licence (R6.1)")


class ScoreError(FieldError):
    """A request that can't be answered: the field and what is wrong with it."""


class Meld(msgspec.Struct, forbid_unknown_fields=True):
    """A meld of a request; ``from_`` is the seat it was claimed from."""

    kind: Literal["chow", "pong", "exposed_kong", "added_kong", "concealed_kong"]
    tiles: str
    from_: int | None = msgspec.field(default=None, name="from")
    back: bool = False


class Seat(msgspec.Struct, forbid_unknown_fields=True):
    """A player of a request; ``hand`` without the winning tile."""

    hand: str = ""
    melds: list[Meld] = []
    flowers: str = ""
    ready: bool = False


class End(msgspec.Struct, forbid_unknown_fields=True):
    """How the hand ended."""

    by: Literal["discard", "rob", "self_draw", "draw"]
    from_: int | None = msgspec.field(default=None, name="from")
    tile: str | None = None
    winners: list[int] = []
    way: Literal["kong_bloom", "flower_bloom", "heavenly", "earthly"] | None = None


class Request(msgspec.Struct, forbid_unknown_fields=True):
    """A score request, with the defaults of docs/formats.md."""

    seats: list[Seat]
    end: End
    rules: dict[str, Any] | None = None
    players: int = 4
    dealer: int = 0
    streak: int = 0
    round_wind: str = "1z"
    ga: list[int] | None = None
    remaining: int = 60
    wild: str | None = None
    followed: list[int] = []


class Calculator:
    """Answers score requests, one at a time, in one reused table."""

    def __init__(self) -> None:
        """Load the engine."""
        self._tables = new_tables(1)
        self._shapes = shape_tables()
        self._bill = np.zeros(BILL_ROW, np.int32)
        self._rules: dict[tuple[bytes, int], Rules] = {}

    def score(self, data: Any) -> dict[str, Any]:
        """The answer to a request given as JSON data; raises ScoreError."""
        try:
            request = msgspec.convert(data, Request)
        except msgspec.ValidationError as error:
            raise ScoreError(*_place_of(error)) from None
        return self.answer(request)

    def answer(self, request: Request) -> dict[str, Any]:
        """The answer to a typed request; raises ScoreError."""
        rules = self._rules_of(request)
        end = np.array(_Described(request, rules).row(), np.int16)
        self._tables["sheet"][0] = sheet_of(rules, request.players)
        entries.bill(self._tables, 0, self._shapes, end, self._bill)
        head = self._bill[:BILL_HEAD].tolist()
        if why := head[0]:
            codes = [why >> (2 * seat) & 3 for seat in request.end.winners]
            return {"legal": False, "why": WHY_NOT[next(filter(None, codes))]}
        items = self._bill[BILL_HEAD : BILL_HEAD + ITEM * head[5]].tolist()
        won = [head[6 + WON * seat : 6 + WON * (seat + 1)] for seat in range(SEATS)]
        return {
            "legal": True,
            "why": None,
            "winners": [winner(seat, *won[seat][1:]) for seat in request.end.winners],
            "payments": head[1 : 1 + request.players],
            "items": [item(*items[at : at + ITEM]) for at in range(0, len(items), ITEM)],
        }

    def _rules_of(self, request: Request) -> Rules:
        key = (msgspec.json.encode(request.rules), request.players)
        if key not in self._rules:
            if len(self._rules) > _MOST_SHEETS:
                self._rules.clear()
            try:
                self._rules[key] = rules_from_json(request.rules, request.players)
            except RulesError as error:
                field = "players" if request.players not in (3, 4) else f"rules.{error.option}"
                problem = str(error).removeprefix(f"{error.option}: ")
                raise ScoreError(field, problem, Fault.RULES, option=error.option) from None
        return self._rules[key]


_MOST_SHEETS: Final = 1000


def _place_of(error: msgspec.ValidationError) -> tuple[str, str]:
    """The field of a msgspec error ("... - at `$.ga[0]`") and its sentence."""
    problem, _, place = str(error).partition(" - at `")
    return place.rstrip("`").removeprefix("$.").removeprefix("$") or "request", problem


class _Described:
    """A request, checked against the rules of the game, on its way into the engine's row."""

    def __init__(self, request: Request, rules: Rules) -> None:
        self.request, self.rules = request, rules
        if len(request.seats) != request.players:
            raise ScoreError("seats", f"{len(request.seats)} seats for {request.players} players")
        self._seat_number("dealer", request.dealer)
        _in_range("streak", request.streak, 1000)
        _in_range("remaining", request.remaining, 144)
        self.out = _out_of_play(rules.no_honors, rules.no_winds)
        self.wild = self._wild()
        self._followed()
        self._end()
        self.tiles: list[tuple[str, Sequence[int]]] = []
        self.seats = [self._seat(seat, given) for seat, given in enumerate(request.seats)]
        self._copies()
        if self.by == By.ROB:
            self._robbed()

    def row(self) -> list[int]:
        """The engine's row (engine/ends.py)."""
        request = self.request
        row = [
            request.dealer,
            request.streak,
            self._wind(),
            request.remaining,
            _or_none(self.wild),
            int(self.by),
            int(self.way),
            _or_none(request.end.from_),
            _or_none(self.tile),
        ]
        for ga, seat in zip(self._ga(), self.seats, strict=True):
            row.append(ga)
            row += seat
        return row + [0] * (END_ROW - len(row))

    # ------------------------------------------------------------ the table

    def _seat_number(self, field: str, seat: int | None) -> int:
        if seat is None or not 0 <= seat < self.request.players:
            raise ScoreError(field, f"{seat!r} is no seat; seats are 0 to {self.request.players - 1}")
        return seat

    def _wind(self) -> int:
        kind = CODE.get(self.request.round_wind, -1)
        if not EAST <= kind < EAST + 4:
            raise ScoreError("round_wind", f"{self.request.round_wind!r} is none of 1z, 2z, 3z, 4z")
        return kind - EAST

    def _ga(self) -> list[int]:
        ga = self.request.ga
        if ga is None:
            return [0] * self.request.players
        if len(ga) != self.request.players:
            raise ScoreError("ga", f"{len(ga)} values for {self.request.players} players")
        for seat, value in enumerate(ga):
            if value not in GA_VALUES:
                raise ScoreError(f"ga[{seat}]", f"{value} is none of 0, 1, 2, 3, 5 (R8.3)")
        return ga

    def _wild(self) -> int | None:
        given, sheet = self.request.wild, self.rules.wild
        if sheet == "none":
            if given is not None:
                raise ScoreError("wild", "this sheet plays without wild tiles; it must be null (R5.9)")
            return None
        if given is None:
            if self.rules.wild_kind is None:
                raise ScoreError("wild", f"the wild kind is required under wild = {sheet} (R5.9)")
            return self.rules.wild_kind
        kind = CODE.get(given, FLOWER)
        if kind >= FLOWER or kind in self.out:
            raise ScoreError("wild", f"{given!r} is no kind in play (R5.9)")
        if self.rules.wild_kind not in (None, kind):
            raise ScoreError("wild", f"{given!r} is not the sheet's {sheet} (R5.9)")
        return kind

    def _followed(self) -> None:
        for index, seat in enumerate(self.request.followed):
            self._seat_number(f"followed[{index}]", seat)
        if len(set(self.request.followed)) < len(self.request.followed):
            raise ScoreError("followed", "a seat is named twice")

    # ------------------------------------------------------------ the end

    def _end(self) -> None:
        end = self.request.end
        self.by = _BY[end.by]
        self.way = Way.NONE if end.way is None else _WAY[end.way]
        self.tile = self._winning_tile()
        for index, seat in enumerate(end.winners):
            self._seat_number(f"end.winners[{index}]", seat)
        if len(set(end.winners)) < len(end.winners):
            raise ScoreError("end.winners", "a seat is named twice")
        if self.by == By.DRAW:
            if end.winners:
                raise ScoreError("end.winners", "nobody wins a drawn hand (R4.1)")
        elif not end.winners:
            raise ScoreError("end.winners", "a win needs a winner")
        if self.way != Way.NONE and self.by != By.SELF_DRAW:
            raise ScoreError("end.way", "only a self-draw has a way (R7.2)")
        self._from(end)
        if len(end.winners) > 1:
            if self.by == By.SELF_DRAW:
                raise ScoreError("end.winners", "a self-draw has one winner")
            if not self.rules.multiple_wins:
                raise ScoreError("end.winners", "several winners need multiple_wins (R3.3)")

    def _from(self, end: End) -> None:
        if self.by in (By.DISCARD, By.ROB):
            if self._seat_number("end.from", end.from_) in end.winners:
                raise ScoreError("end.from", "the discarder is among the winners")
        elif end.from_ is not None:
            raise ScoreError("end.from", f"must be null for {end.by}")

    def _winning_tile(self) -> int | None:
        text = self.request.end.tile
        if self.by == By.DRAW:
            if text is not None:
                raise ScoreError("end.tile", "a drawn hand has no winning tile")
            return None
        if text is None:
            raise ScoreError("end.tile", "a win needs its tile")
        tiles = self._parsed("end.tile", text)
        if len(tiles) != 1 or tiles[0] >= FLOWER:
            raise ScoreError("end.tile", f"{text!r} is not one tile of a hand")
        return tiles[0]

    # ------------------------------------------------------------ seats

    def _parsed(self, field: str, text: str) -> tuple[int, ...]:
        try:
            tiles = codes_of(text)
        except TileError as error:
            raise ScoreError(field, str(error), Fault.TILES) from None
        if self.out and not self.out.isdisjoint(tiles):
            gone = next(tile for tile in tiles if tile in self.out)
            raise ScoreError(field, f"{TEXT[gone]} is not among the tiles of this sheet (R1.1)")
        return tiles

    def _hand(self, seat: int, given: Seat) -> tuple[int, ...]:
        field = f"seats[{seat}]"
        hand = self._parsed(f"{field}.hand", given.hand)
        if len(given.melds) > MELDS:
            raise ScoreError(f"{field}.melds", f"{len(given.melds)} melds; a hand has at most four")
        most = 13 - 3 * len(given.melds)
        wins = seat in self.request.end.winners
        if len(hand) > most or (wins and len(hand) != most):
            wanted = f"{most}" if wins else f"at most {most}"
            problem = f"{len(hand)} tiles, should be {wanted}"
            raise ScoreError(f"{field}.hand", problem, Fault.COUNT, found=len(hand), wanted=most)
        self.tiles.append((f"{field}.hand", hand))
        return hand

    def _flowers(self, seat: int, given: Seat) -> tuple[int, ...]:
        field = f"seats[{seat}].flowers"
        flowers = self._parsed(field, given.flowers)
        if flowers and min(flowers) < FLOWER:
            raise ScoreError(field, f"{given.flowers!r} holds a tile that is no flower")
        self.tiles.append((field, flowers))
        return flowers

    def _seat(self, seat: int, given: Seat) -> list[int]:
        """A seat's part of the row, from ``ready`` on."""
        hand, flowers = self._hand(seat, given), self._flowers(seat, given)
        wins = seat in self.request.end.winners
        row = [int(given.ready), int(wins), int(seat in self.request.followed)]
        row += [_bits(hand), _bits(flowers), len(given.melds)]
        for index, meld in enumerate(given.melds):
            row += self._meld(f"seats[{seat}].melds[{index}]", seat, meld)
        row += [0] * (MELD * (MELDS - len(given.melds)))
        concealed = [tile for tile in hand if tile < FLOWER]
        if wins and self.by == By.SELF_DRAW and self.tile is not None:
            concealed.append(self.tile)  # it is in the hand, and may be wild
        return row + concealed + [-1] * (HAND - len(concealed))

    def _meld(self, field: str, seat: int, meld: Meld) -> list[int]:
        kind = MELD_KINDS[meld.kind]
        tiles = sorted(self._parsed(f"{field}.tiles", meld.tiles))
        if not _makes(kind, tiles):
            raise ScoreError(f"{field}.tiles", f"{meld.tiles!r} is no {kind.en}")
        if self.wild in tiles:
            raise ScoreError(f"{field}.tiles", "a wild tile is never in a meld (R5.9)")
        if meld.back and kind != MeldKind.ADDED_KONG:
            raise ScoreError(f"{field}.back", "only an added kong can come from the back (R8.13)")
        self.tiles.append((f"{field}.tiles", tiles))
        if kind == MeldKind.CONCEALED_KONG:
            if meld.from_ is not None:
                raise ScoreError(f"{field}.from", "a concealed kong is claimed from nobody")
            return [kind, tiles[0], -1, -1, 0]
        feeder = self._seat_number(f"{field}.from", meld.from_)
        if feeder == seat:
            raise ScoreError(f"{field}.from", "nobody claims from himself")
        if kind == MeldKind.CHOW and seat != (feeder + 1) % self.request.players:
            raise ScoreError(f"{field}.from", "a chow is claimed from the previous player (R3.2)")
        return [kind, tiles[0], tiles[0], feeder, int(meld.back)]

    # ------------------------------------------------------------ all tiles together

    def _copies(self) -> None:
        """No more tiles than there are (R1.1); under a shown indicator one of its kind is out (R5.9)."""
        if self.tile is not None:
            self.tiles.append(("end.tile", (self.tile,)))
        copies = [0] * TILE_CODES
        for field, tiles in self.tiles:
            for tile in tiles:
                copies[tile] += 1
                if copies[tile] > (4 if tile < FLOWER else 1):
                    problem = "a fifth copy" if tile < FLOWER else "stands twice"
                    said = f"{TEXT[tile]}: {problem} over all seats (R1.1)"
                    raise ScoreError(field, said, Fault.COPIES, tile=TEXT[tile])
        if self.wild is None or self.rules.wild_kind is not None:
            return
        if self.rules.wild == "indicator":
            shown = self.wild
        else:
            shown = next(kind for kind in range(FLOWER) if _following_kind(kind) == self.wild)
        if copies[shown] > 3:
            problem = f"a fourth {TEXT[shown]}: one is the indicator (R5.9)"
            raise ScoreError("seats", problem, Fault.COPIES, tile=TEXT[shown])

    def _robbed(self) -> None:
        konger = self.request.seats[self._seat_number("end.from", self.request.end.from_)]
        if not any(meld.kind == "pong" and codes_of(meld.tiles)[0] == self.tile for meld in konger.melds):
            raise ScoreError("end.from", f"the robbed seat has no pong of {self.request.end.tile} (R3.7)")


_BY: Final = {by.id: by for by in By}
_WAY: Final = {way.id: way for way in Way}


@cache
def _out_of_play(no_honors: bool, no_winds: bool) -> frozenset[int]:
    return frozenset(k for k in range(FLOWER) if not in_play(k, no_honors=no_honors, no_winds=no_winds))


def _or_none(value: int | None) -> int:
    return -1 if value is None else value


def _in_range(field: str, value: int, most: int) -> None:
    if not 0 <= value <= most:
        raise ScoreError(field, f"{value} is not between 0 and {most}")


def _bits(tiles: Sequence[int]) -> int:
    bits = 0
    for tile in tiles:
        if tile >= FLOWER:
            bits |= 1 << (tile - FLOWER)
    return bits


def _makes(kind: MeldKind, tiles: Sequence[int]) -> bool:
    """Whether sorted tiles make a meld of this kind."""
    if not tiles or tiles[-1] >= FLOWER:
        return False
    low = tiles[0]
    if kind == MeldKind.CHOW:
        return low < EAST and low % 9 < 7 and list(tiles) == [low, low + 1, low + 2]
    return len(tiles) == (3 if kind == MeldKind.PONG else 4) and tiles[-1] == low


def score(request: Mapping[str, Any]) -> dict[str, Any]:
    """The answer to one score request (docs/formats.md, section 2); raises ScoreError."""
    return Calculator().score(request)
