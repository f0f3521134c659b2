"""The score calculator: a described end of a hand in, the whole bill out (FORMATS.md, section 2).

A request is checked, written into a table record at its end, and then judged and billed by the very
kernels that end a live hand.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, Final, Literal

import msgspec
import numpy as np

from hainan.engine import entries
from hainan.engine.record import SEATS, Phase, new_tables, sheet_of
from hainan.engine.tables import shape_tables
from hainan.engine.wall import following_kind
from hainan.jsonl import encode
from hainan.rules.actions import GA_VALUES
from hainan.rules.options import Rules, RulesError
from hainan.rules.presets import rules_from_json
from hainan.rules.terms import By, MeldKind, Way
from hainan.rules.tiles import CODE, EAST, FLOWER, TEXT, TileError, in_play, parse
from hainan.table import items_of, winner_of

_following_kind = getattr(following_kind, "py_func", following_kind)
MELD_KINDS: Final = {kind.id: kind for kind in MeldKind}
WHY_NOT: Final = ("", "not a winning hand (R5)", "no licence (R6.1)")


class ScoreError(ValueError):
    """A request that can't be answered: the field and what is wrong with it."""

    def __init__(self, field: str, problem: str) -> None:
        """Keep the field apart, for programs."""
        self.field = field
        super().__init__(f"{field}: {problem}")


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
    """A score request, with the defaults of FORMATS.md."""

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
        self._blank = new_tables(1)
        self._shapes = shape_tables()
        self._why = np.zeros(1, np.int32)
        self._rules: dict[tuple[str, int], Rules] = {}

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
        described = _Described(request, rules)
        self._write(described, rules)
        entries.evaluate(self._tables, self._shapes, self._why)
        why = int(self._why[0])
        if why:
            codes = [why >> (2 * seat) & 3 for seat in request.end.winners]
            return {"legal": False, "why": WHY_NOT[next(filter(None, codes))]}
        t = self._tables[0]
        return {
            "legal": True,
            "why": None,
            "winners": [winner_of(t, seat) for seat in request.end.winners],
            "payments": t.payments[: request.players].tolist(),
            "items": items_of(t),
        }

    def _rules_of(self, request: Request) -> Rules:
        key = (encode(request.rules), request.players)
        if key not in self._rules:
            if len(self._rules) > 1000:
                self._rules.clear()
            try:
                self._rules[key] = rules_from_json(request.rules, request.players)
            except RulesError as error:
                field = "players" if error.option == "players" else f"rules.{error.option}"
                raise ScoreError(field, str(error).removeprefix(f"{error.option}: ")) from None
        return self._rules[key]

    def _write(self, described: "_Described", rules: Rules) -> None:
        request = described.request
        self._tables[:] = self._blank
        row = self._tables
        row["sheet"][0] = sheet_of(rules, request.players)
        t = self._tables[0]
        t.dealer, t.streak, t.round_wind = request.dealer, request.streak, described.round_wind
        t.tail = request.remaining
        t.wild = -1 if described.wild is None else described.wild
        t.indicator = -1
        t.phase = Phase.OVER
        t.by, t.way = described.by, described.way
        t.win_from = -1 if request.end.from_ is None else request.end.from_
        t.win_tile = -1 if described.tile is None else described.tile
        n = request.players
        row["ga"][0, :n] = described.ga
        row["hand"][0, :n] = described.hands
        row["held_flowers"][0, :n] = described.held
        row["flowers"][0, :n] = described.flowers
        row["is_ready"][0, :n] = [seat.ready for seat in request.seats]
        row["n_melds"][0, :n] = [len(seat.melds) for seat in request.seats]
        for field, rows in described.melds.items():
            row[field][0, :n] = rows
        won = row["won"][0]
        for seat in request.end.winners:
            won[seat] = 1
        for seat in request.followed:
            row["followed"][0, seat] = 1


def _place_of(error: msgspec.ValidationError) -> tuple[str, str]:
    """The field of a msgspec error ("... - at `$.ga[0]`") and its sentence."""
    problem, _, place = str(error).partition(" - at `")
    return place.rstrip("`").removeprefix("$.").removeprefix("$") or "request", problem


class _Described:
    """A request, checked against the rules of the game and turned into the record's rows."""

    def __init__(self, request: Request, rules: Rules) -> None:
        self.request, self.rules = request, rules
        n = request.players
        if len(request.seats) != n:
            raise ScoreError("seats", f"{len(request.seats)} seats for {n} players")
        self._seat_number("dealer", request.dealer)
        _in_range("streak", request.streak, 1000)
        _in_range("remaining", request.remaining, 144)
        self.round_wind = self._wind()
        self.ga = self._ga()
        self.wild = self._wild()
        self._followed()
        self._end()
        self.copies: Counter[int] = Counter()
        self.hands: list[list[int]] = []
        self.held: list[int] = []
        self.flowers: list[int] = []
        self.melds: dict[str, list[list[int]]] = {
            name: [] for name in ("meld_kind", "meld_tile", "meld_claimed", "meld_from", "meld_back")
        }
        for seat in range(n):
            self._seat(seat, request.seats[seat])
        if self.tile is not None:
            self._hold("end.tile", [self.tile])
            if self.by == By.SELF_DRAW:  # then it is in the hand, and may be wild
                self.hands[request.end.winners[0]][self.tile] += 1
        self._copies()
        if self.by == By.ROB:
            self._robbed()

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
        if kind >= FLOWER or not self._plays(kind):
            raise ScoreError("wild", f"{given!r} is no kind in play (R5.9)")
        if self.rules.wild_kind not in (None, kind):
            raise ScoreError("wild", f"{given!r} is not the sheet's {sheet} (R5.9)")
        return kind

    def _plays(self, kind: int) -> bool:
        return in_play(kind, no_honors=self.rules.no_honors, no_winds=self.rules.no_winds)

    def _followed(self) -> None:
        for index, seat in enumerate(self.request.followed):
            self._seat_number(f"followed[{index}]", seat)
        if len(set(self.request.followed)) < len(self.request.followed):
            raise ScoreError("followed", "a seat is named twice")

    # ------------------------------------------------------------ the end

    def _end(self) -> None:
        end = self.request.end
        self.by = By[end.by.upper()]
        self.way = Way.NONE if end.way is None else Way[end.way.upper()]
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
        tiles = self._tiles("end.tile", text)
        if len(tiles) != 1 or tiles[0] >= FLOWER:
            raise ScoreError("end.tile", f"{text!r} is not one tile of a hand")
        return tiles[0]

    # ------------------------------------------------------------ seats

    def _tiles(self, field: str, text: str) -> list[int]:
        try:
            tiles = parse(text)
        except TileError as error:
            raise ScoreError(field, str(error)) from None
        for tile in tiles:
            if tile < FLOWER and not self._plays(tile):
                raise ScoreError(field, f"{TEXT[tile]} is not among the tiles of this sheet (R1.1)")
        return tiles

    def _hold(self, field: str, tiles: Sequence[int]) -> None:
        self.copies.update(tiles)
        for tile in tiles:
            most = 1 if tile >= FLOWER else 4
            if self.copies[tile] > most:
                problem = "stands twice" if most == 1 else "a fifth copy"
                raise ScoreError(field, f"{TEXT[tile]}: {problem} over all seats (R1.1)")

    def _seat(self, seat: int, given: Seat) -> None:
        field = f"seats[{seat}]"
        hand = self._tiles(f"{field}.hand", given.hand)
        flowers = self._tiles(f"{field}.flowers", given.flowers)
        if len(given.melds) > 4:
            raise ScoreError(f"{field}.melds", f"{len(given.melds)} melds; a hand has at most four")
        most = 13 - 3 * len(given.melds)
        if len(hand) > most or (len(hand) != most and seat in self.request.end.winners):
            wanted = f"{most}" if seat in self.request.end.winners else f"at most {most}"
            raise ScoreError(f"{field}.hand", f"{len(hand)} tiles, should be {wanted}")
        if any(tile < FLOWER for tile in flowers):
            raise ScoreError(f"{field}.flowers", f"{given.flowers!r} holds a tile that is no flower")
        self._hold(f"{field}.hand", hand)
        self._hold(f"{field}.flowers", flowers)
        counts = [0] * FLOWER
        for tile in hand:
            if tile < FLOWER:
                counts[tile] += 1
        self.hands.append(counts)
        self.held.append(_bits(hand))
        self.flowers.append(_bits(flowers))
        rows = [self._meld(f"{field}.melds[{index}]", seat, meld) for index, meld in enumerate(given.melds)]
        rows += [(0, 0, 0, 0, 0)] * (SEATS - len(rows))
        for name, row in zip(self.melds, zip(*rows, strict=True), strict=True):
            self.melds[name].append(list(row))

    def _meld(self, field: str, seat: int, meld: Meld) -> tuple[int, int, int, int, int]:
        kind = MELD_KINDS[meld.kind]
        tiles = sorted(self._tiles(f"{field}.tiles", meld.tiles))
        if not _makes(kind, tiles):
            raise ScoreError(f"{field}.tiles", f"{meld.tiles!r} is no {kind.en}")
        if self.wild in tiles:
            raise ScoreError(f"{field}.tiles", "a wild tile is never in a meld (R5.9)")
        if meld.back and kind != MeldKind.ADDED_KONG:
            raise ScoreError(f"{field}.back", "only an added kong can come from the back (R8.13)")
        self._hold(f"{field}.tiles", tiles)
        if kind == MeldKind.CONCEALED_KONG:
            if meld.from_ is not None:
                raise ScoreError(f"{field}.from", "a concealed kong is claimed from nobody")
            return kind, tiles[0], -1, -1, 0
        feeder = self._seat_number(f"{field}.from", meld.from_)
        if feeder == seat:
            raise ScoreError(f"{field}.from", "nobody claims from himself")
        if kind == MeldKind.CHOW and seat != (feeder + 1) % self.request.players:
            raise ScoreError(f"{field}.from", "a chow is claimed from the previous player (R3.2)")
        return kind, tiles[0], tiles[0], feeder, int(meld.back)

    # ------------------------------------------------------------ all tiles together

    def _copies(self) -> None:
        """One copy of the indicator's kind lies beside the wall (R5.9)."""
        if self.wild is None or self.rules.wild_kind is not None:
            return
        if self.rules.wild == "indicator":
            shown = self.wild
        else:
            shown = next(kind for kind in range(FLOWER) if _following_kind(kind) == self.wild)
        if self.copies[shown] > 3:
            raise ScoreError("seats", f"a fourth {TEXT[shown]}: one is the indicator (R5.9)")

    def _robbed(self) -> None:
        konger = self.request.seats[self._seat_number("end.from", self.request.end.from_)]
        pong = any(
            meld.kind == "pong" and self.tile is not None and parse(meld.tiles)[0] == self.tile
            for meld in konger.melds
        )
        if not pong:
            raise ScoreError("end.from", f"the robbed seat has no pong of {self.request.end.tile} (R3.7)")


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
    """The answer to one score request (FORMATS.md, section 2); raises ScoreError."""
    return Calculator().score(request)
