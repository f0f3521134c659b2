"""A slow, plain referee for one hand of Hainan or Lingao mahjong, written only from the rules text.

It exists to disagree with the engine. Nothing here is clever: a hand is a list of tile texts such as
"5m", every question is answered from scratch, and each function names the clause of
the rule book that it follows. Records and legal lists have the shape of docs/formats.md, section 3.
Patterns, licences, T, V and payments come from the oracle's own `score` (docs/formats.md, section 2).
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from .scoring import PRESETS, resolve, score

Json = dict[str, Any]

KINDS: list[str] = [f"{number}{suit}" for suit in "mps" for number in range(1, 10)] + [
    f"{number}z" for number in range(1, 8)
]
FLOWERS: list[str] = [f"{number}f" for number in range(1, 9)]
ORDER: dict[str, int] = {tile: place for place, tile in enumerate(KINDS + FLOWERS)}
ORPHANS: list[str] = [tile for tile in KINDS if tile[1] == "z" or tile[0] in "19"]
GA_VALUES = (0, 1, 2, 3, 5)
DEAD_TILES = 15
"""七墩半, the seven and a half stacks that are never drawn (R4.1)."""


def tiles_in_play(rules: Json) -> list[str]:
    """All tiles of the sheet, in order (R1.1)."""
    out: list[str] = []
    for kind in KINDS:
        if kind[1] == "z" and rules["no_honors"]:
            continue
        if kind in ("1z", "2z", "3z", "4z") and rules["no_winds"]:
            continue
        out += [kind] * 4
    return out + FLOWERS


def read_tiles(text: str) -> list[str]:
    """'15m3z' -> ['1m', '5m', '3z'] (RULES section 0)."""
    out: list[str] = []
    digits: list[str] = []
    for char in text:
        if char.isdigit():
            digits.append(char)
        else:
            out += [digit + char for digit in digits]
            digits = []
    return out


def in_order(tiles: list[str]) -> list[str]:
    """Tiles ascending: 1m..9m, 1p..9p, 1s..9s, 1z..7z, 1f..8f."""
    return sorted(tiles, key=lambda tile: ORDER[tile])


def next_kind(kind: str) -> str:
    """The kind after this one in its own cycle (R5.9)."""
    number, suit = int(kind[0]), kind[1]
    if suit != "z":
        return f"{number % 9 + 1}{suit}"
    if number <= 4:
        return f"{number % 4 + 1}z"
    return {"7z": "6z", "6z": "5z", "5z": "7z"}[kind]


# ---------------------------------------------------------------------------------------------------
# Is it a winning hand (section 5)?


def is_complete(hand: list[str], melds: int, tile: str | None, wild: str | None, rules: Json) -> bool:
    """Whether the concealed tiles (and `tile`, taken as itself) make a winning hand (R5.1 to R5.4, R5.9).

    For a self-draw the drawn tile is in `hand` and `tile` is None, so a drawn wild tile may change.
    """
    fixed = [one for one in hand if one != wild]
    jokers = len(hand) - len(fixed)
    if tile is not None:
        fixed.append(tile)
    if any(one[1] == "f" for one in fixed):
        return False  # R2.2
    if len(fixed) + jokers != 14 - 3 * melds:
        return False
    if standard_shape(fixed, jokers):
        return True
    if melds:
        return False
    if seven_pairs(fixed, jokers) or thirteen_orphans(fixed):
        return True
    return bool(rules["scattered_thirteen"]) and scattered(fixed, jokers)


def standard_shape(fixed: list[str], jokers: int) -> bool:
    """Sets and a pair (R5.1), each joker standing for any kind."""
    if jokers >= 2 and only_sets(in_order(fixed), jokers - 2):
        return True
    for kind in set(fixed):
        real = min(2, fixed.count(kind))
        if 2 - real > jokers:
            continue
        rest = list(fixed)
        for _ in range(real):
            rest.remove(kind)
        if only_sets(in_order(rest), jokers - (2 - real)):
            return True
    return False


def only_sets(fixed: list[str], jokers: int) -> bool:
    """Whether these tiles and jokers are all sequences and triplets; `fixed` is in order."""
    if not fixed:
        return jokers % 3 == 0
    first = fixed[0]
    candidates = [[first] * 3]
    number, suit = int(first[0]), first[1]
    if suit != "z":
        for start in range(max(1, number - 2), min(7, number) + 1):
            candidates.append([f"{start + step}{suit}" for step in range(3)])
    for wanted in candidates:
        rest = list(fixed)
        missing = 0
        for tile in wanted:
            if tile in rest:
                rest.remove(tile)
            else:
                missing += 1
        if missing <= jokers and only_sets(rest, jokers - missing):
            return True
    return False


def seven_pairs(fixed: list[str], jokers: int) -> bool:
    """R5.2: 14 tiles, each kind an even number of times once the jokers stand for something."""
    odd = sum(1 for kind in set(fixed) if fixed.count(kind) % 2)
    return odd <= jokers


def thirteen_orphans(fixed: list[str]) -> bool:
    """R5.3: 14 tiles; whatever is missing is made up by jokers, so only what is there can spoil it."""
    if any(tile not in ORPHANS for tile in fixed):
        return False
    return len(fixed) - len(set(fixed)) <= 1


def scattered(fixed: list[str], jokers: int) -> bool:
    """R5.4: no two alike, and within a suit any two at least three apart; jokers fill what is free."""
    if len(set(fixed)) != len(fixed):
        return False
    room = 7 - sum(1 for tile in fixed if tile[1] == "z")
    for suit in "mps":
        numbers = [int(tile[0]) for tile in fixed if tile[1] == suit]
        if any(abs(a - b) < 3 for a in numbers for b in numbers if a != b):
            return False
        best = 0
        for chosen in range(1 << 9):
            more = [number for number in range(1, 10) if chosen >> (number - 1) & 1]
            if any(number in numbers for number in more):
                continue
            both = numbers + more
            if all(abs(a - b) >= 3 for a in both for b in both if a != b):
                best = max(best, len(more))
        room += best
    return jokers <= room


# ---------------------------------------------------------------------------------------------------
# The table


@dataclass
class Meld:
    """A chow, pong or kong on the table, as docs/formats.md, section 2 writes it."""

    kind: str
    tiles: list[str]
    source: int | None = None
    back: bool = False

    def as_json(self) -> Json:
        out: Json = {"kind": self.kind, "tiles": "".join(self.tiles)}
        if self.source is not None:
            out["from"] = self.source
        if self.back:
            out["back"] = True
        return out


@dataclass
class Seat:
    """What lies before one player, and what he may not do."""

    hand: list[str] = field(default_factory=list)
    melds: list[Meld] = field(default_factory=list)
    flowers: list[str] = field(default_factory=list)
    river: list[str] = field(default_factory=list)
    discards_made: int = 0
    ready: bool = False
    ga: int | None = None
    let_off: int | None = None
    """R9.1: the player whose tile was not taken; wins on others' tiles are barred while this is set."""
    passed_value: int | None = None
    """R9.2: the highest V answered otherwise since his last turn."""

    def all_tiles(self) -> list[str]:
        return self.hand + [tile for meld in self.melds for tile in meld.tiles]


@dataclass
class Window:
    """The question put to the others about one discard, or one added kong (R3.4)."""

    rob: bool
    maker: int
    tile: str
    offers: dict[int, list[str]]
    values: dict[int, int]
    answers: dict[int, str] = field(default_factory=dict)


class Referee:
    """One hand, from the choice of ga to the payments."""

    def __init__(self, record: Json) -> None:
        self.players: int = record["players"]
        self.given_rules: Json = dict(record["rules"])
        self.rules: Json = resolve(self.given_rules, self.players)
        self.dealer: int = record["dealer"]
        self.streak: int = record["streak"]
        self.round_wind: str = record["round_wind"]
        self.ga_floor: list[int] = list(record["ga_floor"])
        self.wall: list[str] = read_tiles(record["wall"])
        self.head = 0
        self.tail = len(self.wall)
        self.indicator: str | None = None
        self.wild: str | None = None
        self.seats: list[Seat] = [Seat() for _ in range(self.players)]
        self.phase = "ga"
        self.turn = self.dealer
        # The turn in progress.
        self.last_drawn: str | None = None
        self.last_source: str | None = None
        self.turn_pong: str | None = None
        self.before_draw: tuple[list[str], list[Meld]] = ([], [])
        # The window in progress.
        self.window: Window | None = None
        # R8.19: "open" (the next discard leads), "running" or "over".
        self.follow_stage = "open" if self.rules["follow"] else "over"
        self.lead: tuple[int, str] = (0, "")
        self.followers = 0
        self.followed: list[int] = []
        self._end: Json | None = None
        if not self.rules["ga"]:
            self._deal()  # R8.3: with ga off nobody chooses

    # -- what a caller sees -------------------------------------------------------------------------

    @property
    def over(self) -> bool:
        return self.phase == "over"

    @property
    def remaining(self) -> int:
        """R1.2; the whole wall while ga is being chosen."""
        return self.tail - self.head

    def end(self) -> Json:
        """The `end` object of docs/formats.md, section 3."""
        if self._end is None:
            raise ValueError("the hand is not over")
        return self._end

    def legal(self) -> dict[int, list[str]]:
        """Each seat that may act now, with its legal actions in the order of docs/formats.md, section 1."""
        if self.phase == "ga":
            return {
                place: [f"ga {value}" for value in GA_VALUES if value >= self._lowest_ga(place)]
                for place, seat in enumerate(self.seats)
                if seat.ga is None
            }
        if self.phase == "turn":
            return {self.turn: self._turn_actions()}
        if self.phase == "window":
            window = self._window()
            return {
                place: list(offer) for place, offer in window.offers.items() if place not in window.answers
            }
        return {}

    def act(self, seat: int, text: str) -> None:
        """One decision; ValueError if it is not in the legal list."""
        legal = self.legal()
        if text not in legal.get(seat, []):
            raise ValueError(f"seat {seat}: {text!r} is not legal; legal: {legal}")
        if self.phase == "ga":
            self._choose_ga(seat, int(text.split()[1]))
        elif self.phase == "window":
            self._answer(seat, text)
        else:
            self._take_turn(text)

    def census(self) -> list[str]:
        """Every tile wherever it lies, in order: for checks that none is lost or made."""
        tiles = list(self.wall[self.head : self.tail])
        if self.indicator is not None:
            tiles.append(self.indicator)
        for seat in self.seats:
            tiles += seat.all_tiles() + seat.flowers + seat.river
        if self.window is not None and self.window.rob:
            tiles.append(self.window.tile)
        return in_order(tiles)

    # -- before the first turn ----------------------------------------------------------------------

    def _lowest_ga(self, place: int) -> int:
        """R8.3: never lower than the previous hand's choice, unless `free_ga`."""
        return 0 if self.rules["free_ga"] else self.ga_floor[place]

    def _choose_ga(self, place: int, value: int) -> None:
        self.seats[place].ga = value
        if all(seat.ga is not None for seat in self.seats):
            self._deal()

    def _in_turn_order(self, start: int) -> list[int]:
        return [(start + step) % self.players for step in range(self.players)]

    def _deal(self) -> None:
        """R1.4, the indicator (R5.9), then the dealer's first turn."""
        order = self._in_turn_order(self.dealer)
        for _ in range(3):
            for place in order:
                self.seats[place].hand += self.wall[self.head : self.head + 4]
                self.head += 4
        # The jump: the dealer takes k and k + N, the others those between.
        first = self.wall[self.head]
        for step, place in enumerate(order[1:], start=1):
            self.seats[place].hand.append(self.wall[self.head + step])
        last = self.wall[self.head + self.players]
        self.seats[self.dealer].hand += [first, last]
        self.head += self.players + 1

        mode = self.rules["wild"]
        if mode in ("indicator", "next"):
            at = max(i for i, tile in enumerate(self.wall) if tile[1] != "f")
            self.indicator = self.wall.pop(at)
            self.tail -= 1
            self.wild = self.indicator if mode == "indicator" else next_kind(self.indicator)
        elif mode != "none":
            self.wild = mode

        self.phase = "turn"
        self.turn = self.dealer
        self.last_drawn, self.last_source = last, "front"  # R7.5
        self._lay_flowers(self.dealer)
        if self.rules["initial_flowers"] == "after_deal":
            dealers = (self.last_drawn, self.last_source)
            for place in order[1:]:
                self._lay_flowers(place)
            self.last_drawn, self.last_source = dealers

    # -- drawing ------------------------------------------------------------------------------------

    def _lay_flowers(self, place: int) -> None:
        """Lay out and replace every flower in the hand (R2.1, R2.2), which may end the hand (R4.2)."""
        seat = self.seats[place]
        while True:
            flowers = [tile for tile in seat.hand if tile[1] == "f"]
            if not flowers:
                return
            if self.remaining == DEAD_TILES:
                for tile in flowers:
                    seat.hand.remove(tile)
                    seat.flowers.append(tile)
                self._draw_hand()
                return
            seat.hand.remove(flowers[0])
            seat.flowers.append(flowers[0])
            self._draw(place, "flower")

    def _draw(self, place: int, source: str) -> None:
        """One tile: `front`, or from the back as the replacement for a `kong` or a `flower` (R1.2)."""
        if self.remaining <= DEAD_TILES:
            raise AssertionError("the last fifteen tiles are never drawn")
        if source == "front":
            tile = self.wall[self.head]
            self.head += 1
        else:
            self.tail -= 1
            tile = self.wall[self.tail]
        self.seats[place].hand.append(tile)
        self.last_drawn, self.last_source = tile, source

    def _next_turn(self, place: int) -> None:
        """A turn that begins by drawing from the front (R3.1), or the end of the wall (R4.1)."""
        self.window = None
        if self.remaining == DEAD_TILES:
            self._draw_hand()
            return
        seat = self.seats[place]
        self.phase = "turn"
        self.turn = place
        self.turn_pong = None
        self.before_draw = (list(seat.hand), list(seat.melds))
        seat.passed_value = None  # R9.2: a draw is his own next turn
        self._draw(place, "front")
        self._lay_flowers(place)

    def _replace_kong(self, place: int) -> None:
        """The replacement for a kong; the same turn goes on (R3.1)."""
        self.phase = "turn"
        self._draw(place, "kong")
        self._lay_flowers(place)

    # -- a player's own turn ------------------------------------------------------------------------

    def _turn_actions(self) -> list[str]:
        seat = self.seats[self.turn]
        kinds = in_order(list(set(seat.hand)))
        if seat.ready:
            kinds = [kind for kind in kinds if kind == self.last_drawn]  # R7.6: the hand is locked
        actions = [f"discard {kind}" for kind in kinds]
        actions += [f"ready {kind}" for kind in kinds if self._may_declare_ready(kind)]
        actions += [f"kong {kind}" for kind in in_order(self._own_kongs())]
        if self._may_win_by_self_draw():
            actions.append("win")
        return actions

    def _may_declare_ready(self, kind: str) -> bool:
        """R7.6: with the first discard, no melds, and waiting after it."""
        seat = self.seats[self.turn]
        if not self.rules["ready"] or seat.ready or seat.discards_made or seat.melds:
            return False
        rest = list(seat.hand)
        rest.remove(kind)
        return bool(self._waits(rest, []))

    def _waits(self, hand: list[str], melds: list[Meld]) -> set[str]:
        """R7.6: the kinds, not four of them held, that would complete a winning hand."""
        held = hand + [tile for meld in melds for tile in meld.tiles]
        return {
            kind
            for kind in KINDS
            if held.count(kind) < 4 and is_complete(hand, len(melds), kind, self.wild, self.rules)
        }

    def _own_kongs(self) -> list[str]:
        """Kinds of which a concealed or an added kong may be made now (R3.5, R3.6, R5.9, R7.6)."""
        seat = self.seats[self.turn]
        if self.last_drawn is None or self.remaining <= DEAD_TILES:
            return []
        kinds: list[str] = []
        for kind in KINDS:
            if kind == self.wild:
                continue
            if seat.hand.count(kind) == 4:
                if not seat.ready or self._keeps_waits(self.turn, kind, *self.before_draw):
                    kinds.append(kind)
            elif kind in seat.hand and kind != self.turn_pong and self._pong_of(self.turn, kind) is not None:
                kinds.append(kind)
        return kinds

    def _pong_of(self, place: int, kind: str) -> Meld | None:
        for meld in self.seats[place].melds:
            if meld.kind == "pong" and meld.tiles[0] == kind:
                return meld
        return None

    def _keeps_waits(self, place: int, kind: str, hand: list[str], melds: list[Meld]) -> bool:
        """R7.6: whether the kong of `kind` leaves the same waits as `hand` and `melds` had."""
        after_hand, after_melds = self._after_kong(place, kind)
        return self._waits(after_hand, after_melds) == self._waits(hand, melds)

    def _after_kong(self, place: int, kind: str) -> tuple[list[str], list[Meld]]:
        """The hand after a concealed or an exposed kong, before its replacement."""
        seat = self.seats[place]
        rest = [tile for tile in seat.hand if tile != kind]
        return rest, [*seat.melds, Meld("concealed_kong", [kind] * 4)]

    def _may_win_by_self_draw(self) -> bool:
        """R3.5: only in a turn in which a tile was drawn; no licence is needed (R6.1)."""
        seat = self.seats[self.turn]
        if self.last_drawn is None:
            return False
        return is_complete(seat.hand, len(seat.melds), None, self.wild, self.rules)

    def _way(self, place: int) -> str | None:
        """How a self-draw is won (R7.2, R7.4, R7.5)."""
        seat = self.seats[place]
        if not seat.discards_made and not seat.melds:
            return "heavenly" if place == self.dealer else "earthly"
        if self.last_source == "kong":
            return "kong_bloom"
        if self.last_source == "flower":
            return "flower_bloom"
        return None

    def _take_turn(self, text: str) -> None:
        place = self.turn
        seat = self.seats[place]
        word, _, kind = text.partition(" ")
        if word == "win":
            self._finish("self_draw", None, str(self.last_drawn), [place])
        elif word == "kong":
            if seat.hand.count(kind) == 4:
                seat.hand, seat.melds = self._after_kong(place, kind)
                self._replace_kong(place)
            else:
                seat.hand.remove(kind)
                self._open_window(True, place, kind)
        else:
            if word == "ready":
                seat.ready = True
            seat.hand.remove(kind)
            seat.river.append(kind)
            seat.discards_made += 1
            for other, one in enumerate(self.seats):  # R9.1
                if place in (other, one.let_off):
                    one.let_off = None
            self._note_discard(place, kind)
            self._open_window(False, place, kind)

    # -- claims -------------------------------------------------------------------------------------

    def _window(self) -> Window:
        if self.window is None:
            raise AssertionError("no window is open")
        return self.window

    def _others(self, place: int) -> list[int]:
        """The others, nearest in turn order first."""
        return self._in_turn_order(place)[1:]

    def _open_window(self, rob: bool, maker: int, tile: str) -> None:
        """Ask everyone who could take the discard (R3.2) or rob the kong (R3.7)."""
        self.phase = "window"
        self.window = Window(rob, maker, tile, {}, {})
        for place in self._others(maker):
            actions: list[str] = []
            if not rob:
                if place == (maker + 1) % self.players:
                    actions += self._chows(place, tile)
                actions += self._pong_and_kong(place, tile)
            value = self._value_if_offered(place, rob, maker, tile)
            if value is not None:
                actions.append("win")
                self.window.values[place] = value
            if actions:
                self.window.offers[place] = [*actions, "pass"]
        if not self.window.offers:
            self._nobody_took_it()

    def _chows(self, place: int, tile: str) -> list[str]:
        """R3.2, R5.9, R7.6."""
        seat = self.seats[place]
        if self.rules["no_chow"] or seat.ready or tile == self.wild or tile[1] == "z":
            return []
        number, suit = int(tile[0]), tile[1]
        out: list[str] = []
        for low, high in ((number - 2, number - 1), (number - 1, number + 1), (number + 1, number + 2)):
            pair = [f"{low}{suit}", f"{high}{suit}"]
            if low >= 1 and high <= 9 and self.wild not in pair and all(one in seat.hand for one in pair):
                out.append(f"chow {low}{high}{suit}")
        return out

    def _pong_and_kong(self, place: int, tile: str) -> list[str]:
        """R3.2, R3.5, R5.9; a ready hand never pongs, and kongs only as R7.6 allows."""
        seat = self.seats[place]
        if tile == self.wild:
            return []
        held = seat.hand.count(tile)
        may_kong = held == 3 and self.remaining > DEAD_TILES
        if seat.ready:
            return ["kong"] if may_kong and self._ready_may_take_kong(place, tile) else []
        return (["pong"] if held >= 2 else []) + (["kong"] if may_kong else [])

    def _ready_may_take_kong(self, place: int, tile: str) -> bool:
        """R7.6: same waits, and one of them licensed if won by discard."""
        seat = self.seats[place]
        if not self._keeps_waits(place, tile, seat.hand, seat.melds):
            return False
        if not self.rules["require_fan"]:
            return True
        hand, melds = self._after_kong(place, tile)
        melds[-1] = Meld("exposed_kong", [tile] * 4, self._window().maker)
        return any(self._licensed(place, hand, melds, kind) for kind in self._waits(hand, melds))

    def _licensed(self, place: int, hand: list[str], melds: list[Meld], kind: str) -> bool:
        """R6.1 for a hand that isn't there yet, won on another's discard of `kind`.

        The wild kind is given as a fixed one: it is the same kind, and the question is of the kind, not of
        whether a copy is left (R7.6: literally four).
        """
        seats: list[Json] = [{} for _ in range(self.players)]
        seats[place] = {
            "hand": "".join(hand),
            "melds": [meld.as_json() for meld in melds],
            "flowers": "".join(self.seats[place].flowers),
            "ready": True,
        }
        rules = dict(self.given_rules)
        if self.wild is not None:
            rules["wild"] = self.wild
        end = {"by": "discard", "from": (place + 1) % self.players, "tile": kind, "winners": [place]}
        return bool(score(self._request(rules, seats, end))["legal"])

    def _value_if_offered(self, place: int, rob: bool, maker: int, tile: str) -> int | None:
        """The V of a win on another's tile, or None where it isn't offered (R2.2, R3.7, R6.1, R6.11, R9)."""
        seat = self.seats[place]
        if seat.let_off is not None and self.rules["missed_win"] == "locked":
            return None
        if not is_complete(seat.hand, len(seat.melds), tile, self.wild, self.rules):
            return None
        answer = self._score("rob" if rob else "discard", maker, tile, [place])
        if not answer["legal"]:
            return None
        value = int(answer["winners"][0]["V"])
        barred = self.rules["missed_win"] == "higher_only" and value <= (seat.passed_value or 0)
        return None if barred else value

    def _answer(self, place: int, text: str) -> None:
        """One answer; answers may come in any order (R3.4)."""
        window = self._window()
        window.answers[place] = text
        if "win" in window.offers[place] and text != "win":
            seat = self.seats[place]
            seat.let_off = window.maker  # R9.1
            seat.passed_value = max(window.values[place], seat.passed_value or 0)  # R9.2
        self._resolve()

    def _resolve(self) -> None:
        """R3.4: act as soon as no missing answer could change the result."""
        window = self._window()
        could_win = [place for place in self._others(window.maker) if place in window.values]
        could_pong = [place for place, offer in window.offers.items() if "pong" in offer or "kong" in offer]
        winners = [place for place in could_win if window.answers.get(place) == "win"]
        missing_win = [place for place in could_win if place not in window.answers]
        missing_pong = [place for place in could_pong if place not in window.answers]

        if winners:
            if self.rules["multiple_wins"]:
                if not missing_win:
                    self._win_window(winners)
                return
            nearer = could_win[: could_win.index(winners[0])]
            if not any(place in missing_win for place in nearer):
                self._win_window(winners[:1])
            return
        if missing_win:
            return
        for place, text in window.answers.items():
            if text in ("pong", "kong"):
                self._claim(place, text)
                return
        if missing_pong:
            return
        for place, text in window.answers.items():
            if text.startswith("chow"):
                self._claim(place, text)
                return
        if len(window.answers) == len(window.offers):
            self._nobody_took_it()

    def _win_window(self, winners: list[int]) -> None:
        window = self._window()
        self._finish("rob" if window.rob else "discard", window.maker, window.tile, winners)

    def _claim(self, place: int, text: str) -> None:
        """A chow, pong or exposed kong begins the claimer's turn (R3.1)."""
        window = self._window()
        seat = self.seats[place]
        tile = window.tile
        self.seats[window.maker].river.pop()
        self._note_claim()
        self.window = None
        self.phase = "turn"
        self.turn = place
        self.turn_pong = None
        self.last_drawn, self.last_source = None, None
        seat.passed_value = None  # R9.2
        if text == "pong":
            used, kind = [tile] * 2, "pong"
            self.turn_pong = tile
        elif text == "kong":
            used, kind = [tile] * 3, "exposed_kong"
        else:
            used, kind = read_tiles(text.split()[1]), "chow"
        for one in used:
            seat.hand.remove(one)
        seat.melds.append(Meld(kind, in_order([*used, tile]), window.maker))
        self.before_draw = (list(seat.hand), list(seat.melds))
        if kind == "exposed_kong":
            self._replace_kong(place)
        else:
            self._lay_flowers(place)  # R2.2

    def _nobody_took_it(self) -> None:
        """The discard lies, or the added kong stands (R3.7)."""
        window = self._window()
        self.window = None
        if not window.rob:
            self._note_unclaimed()
            self._next_turn((window.maker + 1) % self.players)
            return
        pong = self._pong_of(window.maker, window.tile)
        if pong is None:
            raise AssertionError("an added kong needs its pong")
        pong.kind = "added_kong"
        pong.tiles = [window.tile] * 4
        # R8.13: the fourth tile is the last one drawn and came from the back.
        pong.back = self.last_drawn == window.tile and self.last_source in ("kong", "flower")
        self._replace_kong(window.maker)

    # -- follow (R8.19) -----------------------------------------------------------------------------

    def _note_discard(self, place: int, tile: str) -> None:
        if self.follow_stage == "open":
            self.follow_stage = "running"
            self.lead = (place, tile)
            self.followers = 0
        elif self.follow_stage == "running":
            if tile == self.lead[1]:
                self.followers += 1
            else:
                self.follow_stage = "over"

    def _note_claim(self) -> None:
        if self.follow_stage == "running":
            self.follow_stage = "open" if self.followers == 0 else "over"

    def _note_unclaimed(self) -> None:
        if self.follow_stage == "running" and self.followers == 3:
            self.followed.append(self.lead[0])
            self.follow_stage = "over"

    # -- the end ------------------------------------------------------------------------------------

    def _request(self, rules: Json, seats: list[Json], end: Json) -> Json:
        """A score request (docs/formats.md, section 2)."""
        return {
            "rules": rules,
            "players": self.players,
            "dealer": self.dealer,
            "streak": self.streak,
            "round_wind": self.round_wind,
            "ga": [seat.ga or 0 for seat in self.seats],
            "remaining": self.remaining,
            "wild": self.wild,
            "followed": list(self.followed),
            "seats": seats,
            "end": end,
        }

    def _score(self, by: str, maker: int | None, tile: str | None, winners: list[int]) -> Json:
        """What the oracle says of the table as it stands, were it to end like this."""
        seats: list[Json] = []
        for place, seat in enumerate(self.seats):
            hand = list(seat.hand)
            if by == "self_draw" and place in winners:
                hand.remove(str(tile))
            seats.append(
                {
                    "hand": "".join(in_order(hand)),
                    "melds": [meld.as_json() for meld in seat.melds],
                    "flowers": "".join(in_order(seat.flowers)),
                    "ready": seat.ready,
                }
            )
        end: Json = {"by": by, "winners": winners}
        if maker is not None:
            end["from"] = maker
        if tile is not None:
            end["tile"] = tile
        if by == "self_draw":
            end["way"] = self._way(winners[0])
        answer: Json = score(self._request(dict(self.given_rules), seats, end))
        return answer

    def _finish(self, by: str, maker: int | None, tile: str | None, winners: list[int]) -> None:
        way = self._way(winners[0]) if by == "self_draw" else None
        answer = self._score(by, maker, tile, winners)
        if not answer["legal"]:
            raise AssertionError(f"the oracle refuses what the referee allowed: {answer}")
        self._end = {**answer, "by": by, "from": maker, "tile": tile, "way": way}
        self.phase = "over"

    def _draw_hand(self) -> None:
        """流局 (R4.1, R4.2)."""
        self.window = None
        self._finish("draw", None, None, [])


def replay(record: Json) -> tuple[list[dict[str, list[str]]], Json | None]:
    """The legal lists at the start and after each action, and the end or None (record_examples.jsonl)."""
    referee = Referee(record)
    lists = [{str(seat): actions for seat, actions in referee.legal().items()}]
    for seat, text in record["actions"]:
        referee.act(seat, text)
        lists.append({str(place): actions for place, actions in referee.legal().items()})
    return lists, referee.end() if referee.over else None


# ---------------------------------------------------------------------------------------------------
# Random hands

FLAGS: list[str] = [name for name, value in PRESETS["hainan"].items() if isinstance(value, bool)]
CHOICES: dict[str, list[Any]] = {
    "initial_flowers": ["own_turn", "after_deal"],
    "flower_hu": ["none", "count", "four_set", "true_false"],
    "kong_scoring": ["plain", "feeder_double"],
    "missed_win": ["none", "locked", "higher_only"],
    "stacking": ["multiply", "add", "max"],
    "stake_mode": ["multiply", "add"],
    "first_dealer": ["host", "dice", "random"],
    "hands": [4, 8, 16],
    "rounds": [1, 4],
}
BIASES = (
    "plain",
    "near",
    "triplets",
    "flowers",
    "follow",
    "rob",
    "wild",
    "ready",
    "heavenly",
    "suits",
    "multi",
)
"""What `random_record` may stack the wall for; see `_Stacker`."""
STYLES = ("uniform", "claim", "avoid", "kong", "late", "patient", "copycat", "feed")
"""How `random_play` chooses; see `_weight`."""


def random_rules(rng: random.Random, players: int) -> Json:
    """A valid sheet with a few options flipped (section 10)."""
    rules: Json = {"preset": rng.choice(list(PRESETS))}
    for name in FLAGS:
        if name not in ("no_honors", "no_winds") and rng.random() < 0.15:
            rules[name] = rng.random() < 0.5
    for name in ("multiple_wins", "ready", "score_draws"):
        if rng.random() < 0.3:
            rules[name] = True
    for name, values in CHOICES.items():
        if rng.random() < 0.15:
            rules[name] = rng.choice(values)
    if rng.random() < 0.2:
        rules["missed_win"] = rng.choice(CHOICES["missed_win"])
    if rng.random() < 0.12:
        rules["no_honors"] = True
    if rng.random() < 0.12:
        rules["no_winds"] = True
    if "hands" in rules:
        rules.pop("rounds", None)
    # What would contradict itself (R8.2, R8.19, R8.8).
    if rules["preset"] == "hainan" and ("dealer_bonus" in rules or "dealer_streak" in rules):
        rules["dealer_bonus"] = rng.random() < 0.5
        rules["dealer_streak"] = not rules["dealer_bonus"]
    if players == 3 and rules.get("follow"):
        del rules["follow"]
    if rules.get("four_melds") and not resolve(rules, players)["meld_liability"]:
        rules["meld_liability"] = True
    if rng.random() < 0.35:
        _random_wild(rng, rules, players)
    return rules


def _random_wild(rng: random.Random, rules: Json, players: int) -> None:
    """R5.9: one of the modes, or a fixed kind that is in play."""
    in_play = sorted({tile for tile in tiles_in_play(resolve(rules, players)) if tile[1] != "f"})
    rules["wild"] = rng.choice(["indicator", "next", rng.choice(in_play)])


def random_record(rng: random.Random, bias: str | None = None) -> Json:
    """A record without actions; `bias` names what the wall is stacked for (at random if None)."""
    if bias is None:
        bias = rng.choice([*BIASES, "rob", "rob"])  # the rarest to come off
    players = rng.choice([4, 4, 3])
    rules = random_rules(rng, players)
    if bias == "wild" and resolve(rules, players)["wild"] == "none":
        _random_wild(rng, rules, players)
    if bias == "ready" and rng.random() < 0.8:
        rules["ready"] = True
    if bias == "multi" and rng.random() < 0.6:
        rules["multiple_wins"] = True
    if bias == "follow":
        players = 4
        rules["follow"] = True
    dealer = rng.randrange(players)
    return {
        "format": "hainan-record/1",
        "rules": rules,
        "players": players,
        "dealer": dealer,
        "streak": rng.choice([0, 0, 1, 2, 3]),
        "round_wind": rng.choice(["1z", "2z", "3z", "4z"]),
        "ga_floor": [rng.choice(GA_VALUES[:4]) if rng.random() < 0.5 else 0 for _ in range(players)],
        "dice": [rng.randint(1, 6), rng.randint(1, 6)],
        "wall": "".join(_Stacker(rng, rules, players, dealer, bias).wall()),
        "actions": [],
    }


class _Stacker:
    """Builds a wall in which something rare is likely: hands as dealt, first draws, and the back."""

    def __init__(self, rng: random.Random, rules: Json, players: int, dealer: int, bias: str) -> None:
        self.rng = rng
        self.rules = resolve(rules, players)
        self.players = players
        self.dealer = dealer
        self.bias = bias
        self.pool: Counter[str] = Counter(tiles_in_play(self.rules))
        self.hands: list[list[str]] = [[] for _ in range(players)]
        """By position: the dealer first."""
        self.front: list[str] = []
        self.back: list[str] = []

    def wall(self) -> list[str]:
        stack: dict[str, Callable[[], None]] = {
            "near": self._near,
            "triplets": self._triplets,
            "flowers": self._flowers,
            "follow": self._follow,
            "rob": self._rob,
            "wild": self._wild,
            "ready": self._ready,
            "heavenly": self._heavenly,
            "suits": self._suits,
            "multi": self._multi,
        }
        if self.bias in stack:
            stack[self.bias]()
        return self._lay_down()

    # -- picking ------------------------------------------------------------------------------------

    def _left(self, suits: str = "mpsz") -> list[str]:
        return [tile for tile, count in sorted(self.pool.items()) if count and tile[1] in suits]

    def _take(self, *tiles: str) -> list[str]:
        """These tiles out of the pool, or nothing if they aren't all there."""
        if any(self.pool[tile] < count for tile, count in Counter(tiles).items()):
            return []
        self.pool.subtract(tiles)
        return list(tiles)

    def _set(self, triplets: float, suits: str = "mpsz") -> list[str]:
        """A triplet or a sequence, or nothing if the one tried isn't there."""
        kinds = self._left(suits)
        if not kinds:
            return []
        kind = self.rng.choice(kinds)
        if self.rng.random() < triplets or kind[1] == "z" or int(kind[0]) > 7:
            return self._take(kind, kind, kind)
        number, suit = int(kind[0]), kind[1]
        return self._take(kind, f"{number + 1}{suit}", f"{number + 2}{suit}")

    def _complete(self, triplets: float, suits: str = "mpsz") -> list[str]:
        """Fourteen tiles that win, or fewer where the pool runs dry."""
        shape = self.rng.random()
        out: list[str] = []
        if shape < 0.08:
            for _ in range(30):
                if len(out) < 14:
                    kind = self.rng.choice(self._left(suits))
                    out += self._take(kind, kind)
            return out
        if shape < 0.12 and not self.rules["no_honors"] and not self.rules["no_winds"]:
            twice = self.rng.choice(ORPHANS)
            orphans = self._take(*ORPHANS, twice)
            if orphans:
                return orphans
        for _ in range(40):
            if len(out) < 12:
                out += self._set(triplets, suits)
        for _ in range(40):
            if len(out) == 12:
                kind = self.rng.choice(self._left(suits))
                out += self._take(kind, kind)
        return out

    def _give_back(self, tiles: list[str]) -> None:
        self.pool.update(tiles)

    def _short_of(self, hand: list[str], lacking: int) -> list[str]:
        """The hand without some of its tiles, which go back to the pool."""
        self.rng.shuffle(hand)
        self._give_back(hand[: max(0, len(hand) - 14 + lacking)])
        return hand[max(0, len(hand) - 14 + lacking) :]

    def _hand_size(self, position: int) -> int:
        return 14 if position == 0 else 13

    def _lay_down(self) -> list[str]:
        """The wall in which the deal (R1.4) gives the hands, `front` comes next and `back` comes last."""
        for position, hand in enumerate(self.hands):
            self._give_back(hand[self._hand_size(position) :])
            del hand[self._hand_size(position) :]
            self.rng.shuffle(hand)
        rest = list(self.pool.elements())
        self.rng.shuffle(rest)
        for position, hand in enumerate(self.hands):
            while len(hand) < self._hand_size(position):
                hand.append(rest.pop())
        wall: list[str] = []
        for turn in range(3):
            for hand in self.hands:
                wall += hand[4 * turn : 4 * turn + 4]
        wall += [hand[12] for hand in self.hands] + [self.hands[0][13]]
        return wall + self.front + rest + self.back

    # -- what to stack for --------------------------------------------------------------------------

    def _near(self) -> None:
        """Everyone one or two tiles from winning."""
        for position in range(self.players):
            self.hands[position] = self._short_of(self._complete(0.4), self.rng.choice([1, 1, 2]))

    def _triplets(self) -> None:
        """Triplets and pairs in the hands; the tiles they lack are drawn first or in others' hands."""
        missing: list[str] = []
        for position in range(self.players):
            for _ in range(self.rng.randint(2, 4)):
                kind = self.rng.choice(self._left())
                self.hands[position] += self._take(*[kind] * self.rng.choice([2, 3, 3, 4]))
                missing += self._take(kind)
        self.rng.shuffle(missing)
        for tile in missing:
            others = [hand for hand in self.hands if tile not in hand and len(hand) < 13]
            place = self.rng.choice(["front", "hand", "back"])
            if place == "hand" and others:
                self.rng.choice(others).append(tile)
            elif place == "back":
                self.back.append(tile)
            else:
                self.front.append(tile)

    def _flowers(self) -> None:
        """Flowers in the hands, at the back, or just before the end of what can be drawn; near hands."""
        flowers = self._left("f")
        self.rng.shuffle(flowers)
        where = self.rng.choice(["hands", "one", "back", "end", "mixed"])
        one = self.rng.randrange(self.players)
        for flower in flowers:
            spot = self.rng.choice(["hands", "back", "end"]) if where == "mixed" else where
            if spot == "hands":
                self.hands[self.rng.randrange(self.players)] += self._take(flower)
            elif spot == "one":
                self.hands[one] += self._take(flower)
            else:
                self.back += self._take(flower)
        if where == "end":
            # Fifteen undrawn tiles behind the flowers: the last draws of the hand are flowers.
            rest = self._left()
            self.back += [tile for _ in range(15 + self.rng.randint(0, 3)) for tile in self._pick(rest)]
        for position in range(self.players):
            if self.rng.random() < 0.6:
                room = 13 - len(self.hands[position])
                near = self._short_of(self._complete(0.4), 1)
                self.hands[position] += near[:room]
                self._give_back(near[room:])

    def _pick(self, kinds: list[str]) -> list[str]:
        return self._take(self.rng.choice(kinds))

    def _follow(self) -> None:
        """The same kinds in every hand, so that a discard can be followed."""
        kinds = self._left()
        self.rng.shuffle(kinds)
        if self.rng.random() < 0.7:
            kinds.sort(key=lambda kind: kind[1] != "z")
        for kind in kinds[: self.rng.randint(8, 13)]:
            if self.rng.random() < 0.15:
                twice = self.rng.randrange(self.players)
                self.hands[twice] += self._take(kind, kind)
                self.front += self._take(kind)
            else:
                for hand in self.hands:
                    if len(hand) < 13:
                        hand += self._take(kind)

    def _rob(self) -> None:
        """One seat holds two or three of a kind, another one to discard, and the rest wait on it."""
        suit = self.rng.choice("mps")
        low = self.rng.randint(1, 3)
        ends = [f"{low}{suit}", f"{low + 6}{suit}"]
        order = list(range(self.players))
        self.rng.shuffle(order)
        konger, feeder, robbers = order[0], order[1], order[2:]
        for tile in ends:
            self.hands[feeder] += self._take(tile)
            if self.rng.random() < 0.7:
                self.hands[konger] += self._take(tile, tile, tile)  # R3.6: pong first, kong later
            else:
                self.hands[konger] += self._take(tile, tile)
                drawn = self.front if self.rng.random() < 0.7 else self.back
                drawn += self._take(tile)
        for _ in range(self.rng.randint(0, 2 * self.players)):
            self.front = self._pick(self._left()) + self.front
        for robber in robbers:
            # 34567 waits on 2, 5 and 8 with two more sets and a pair.
            hand = self._take(*[f"{low + step}{suit}" for step in range(1, 6)])
            hand = hand or self._take(f"{low + 1}{suit}", f"{low + 2}{suit}")
            self.hands[robber] += hand
            if self.rng.random() < 0.6:
                # An open hand, so that he may lack a licence (R8.6): he pongs, and throws the tile too many.
                claimed = self.rng.choice(self._left())
                pair = self._take(claimed, claimed)
                self.hands[robber] += pair
                if pair and self.rng.random() < 0.6:
                    self.front += self._take(claimed)
                elif pair:
                    self.hands[feeder] += self._take(claimed)
                self._fill(robber, 10)
            else:
                self._fill(robber, 11)
            kind = self.rng.choice(self._left())
            self.hands[robber] += self._take(kind, kind)
        self._fill(feeder, 11)
        self._fill(konger, 10)

    def _fill(self, position: int, upto: int) -> None:
        """Whole sets, while the hand stays within this many tiles."""
        for _ in range(30):
            if len(self.hands[position]) + 3 <= upto:
                self.hands[position] += self._set(0.5)

    def _wild(self) -> None:
        """The wild tiles in the hands and the first draws, the rest of the hands near complete."""
        mode = self.rules["wild"]
        kind = mode
        shown: list[str] = []
        if mode in ("indicator", "next"):
            kind = self.rng.choice(self._left())
            before = next(one for one in KINDS if next_kind(one) == kind)
            shown = self._take(kind if mode == "indicator" else before)
        for _ in range(4):
            spot = self.rng.randrange(self.players + 1)
            if spot == self.players:
                self.front += self._take(kind)
            else:
                self.hands[spot] += self._take(kind)
        for position in range(self.players):
            room = 13 - len(self.hands[position])
            near = self._short_of(self._complete(0.4), self.rng.choice([1, 2]))
            self.hands[position] += near[:room]
            self._give_back(near[room:])
        self.back += shown

    def _ready(self) -> None:
        """Everyone waiting at once, often with a triplet whose fourth tile is still to come."""
        for position in range(self.players):
            suits = self.rng.choice(["mpsz", "mpsz", "mz", "pz", "s"])
            hand = self._complete(self.rng.choice([0.3, 0.6, 1.0]), suits)
            if not hand:
                continue  # the others have all that there was of these suits
            triplets = [kind for kind in set(hand) if hand.count(kind) == 3]
            for kind in sorted(triplets):
                spot = self.rng.choice(["front", "hand", "back", "none"])
                fourth = self._take(kind) if spot != "none" else []
                if spot == "hand":
                    self.hands[self.rng.randrange(self.players)] += fourth
                elif spot == "front":
                    self.front += fourth
                else:
                    self.back += fourth
            loose = [tile for tile in hand if tile not in triplets]
            gone = self.rng.choice(loose or hand)
            hand.remove(gone)
            self._give_back([gone])
            self.hands[position] = hand + self.hands[position]
        self.rng.shuffle(self.front)

    def _heavenly(self) -> None:
        """A complete hand for the dealer, or hands that the first draws complete."""
        who = self.rng.sample(range(self.players), self.rng.randint(1, 2))
        for position in range(self.players):
            hand = self._complete(0.4)
            if position in who and position == 0:
                self.hands[0] = hand
            elif position in who and len(hand) == 14:
                self.hands[position] = hand[1:]
                self._give_back(hand[:1])
                while len(self.front) < position - 1:
                    self.front += self._pick(self._left())
                self.front += self._take(hand[0])
            else:
                self._give_back(hand)

    def _suits(self) -> None:
        """Each hand in one suit, or a suit and honors: many claims, colours, several ways to read a hand."""
        for position in range(self.players):
            suits = self.rng.choice("mps") + self.rng.choice(["", "z"])
            near = self._short_of(self._complete(self.rng.choice([0.2, 0.8]), suits), 1)
            self.hands[position] = near

    def _multi(self) -> None:
        """Several seats that wait on one tile, which the others hold or soon draw."""
        suit = self.rng.choice("mps")
        number = self.rng.randint(3, 7)
        tile = f"{number}{suit}"
        order = list(range(self.players))
        if self.rng.random() < 0.4:
            self.rng.shuffle(order)
        self.hands[order[0]] += self._take(tile)
        self._fill(order[0], 13)
        if self.rng.random() < 0.4:
            self.front += self._take(tile)
        for position in order[1:]:
            step = self.rng.choice([(-2, -1), (1, 2), (-1, 1)])
            self.hands[position] += self._take(*[f"{number + one}{suit}" for one in step])
            self._fill(position, 11)
            kind = self.rng.choice(self._left())
            self.hands[position] += self._take(kind, kind)


WEIGHTS: dict[str, dict[str, float]] = {
    "claim": {"win": 1.0, "kong": 8.0, "kong own": 8.0, "pong": 6.0, "chow": 3.0, "ready": 1.0},
    "avoid": {"win": 0.02, "kong": 2.0, "kong own": 2.0, "pong": 1.0, "chow": 0.5, "ready": 3.0},
    "kong": {"win": 0.5, "kong": 40.0, "kong own": 40.0, "pong": 12.0, "chow": 0.2, "ready": 2.0},
    "late": {"win": 0.15, "kong": 0.5, "kong own": 60.0, "pong": 20.0, "chow": 0.1, "ready": 0.5},
    "patient": {"win": 8.0, "kong": 1.0, "kong own": 1.0, "pong": 0.2, "chow": 0.1, "ready": 20.0},
    "copycat": {"win": 0.3, "kong": 0.3, "kong own": 0.3, "pong": 0.3, "chow": 0.2, "ready": 0.5},
    "feed": {"win": 0.6, "kong": 1.0, "kong own": 1.0, "pong": 6.0, "chow": 20.0, "ready": 0.5},
}
"""What an action weighs against a pass (1) or a loose tile's discard (at most 1), by style."""
SUITED_STYLES: dict[str, tuple[str, ...]] = {
    "triplets": ("kong", "late"),
    "follow": ("copycat",),
    "rob": ("late",),
    "ready": ("patient",),
    "heavenly": ("patient", "avoid"),
    "suits": ("feed", "claim"),
    "multi": ("patient",),
}
"""The styles that bring out what a wall is stacked for."""


def suited_style(rng: random.Random, bias: str) -> str:
    """Half the time one of the bias's own styles, else any."""
    if bias in SUITED_STYLES and rng.random() < 0.5:
        return rng.choice(SUITED_STYLES[bias])
    return rng.choice(STYLES)


def _weight(referee: Referee, seat: int, text: str, style: str) -> float:
    """How likely this action is under a style of play.

    `uniform`: all alike. `claim`: chows, pongs and kongs gladly. `avoid`: hardly ever wins. `kong`: kongs
    always, pongs gladly. `late`: pongs rather than kongs, adds the fourth later (R3.6), and robs. `patient`:
    keeps its hand, declares ready, throws what fits nowhere. `copycat`: discards what was discarded last.
    `feed`: discards what the next player can claim, and he claims it.
    """
    word, _, tile = text.partition(" ")
    if style == "uniform":
        return 1.0
    if style == "late" and word == "win" and referee.window is not None and referee.window.rob:
        return 5.0
    if word in ("win", "pong", "kong", "chow", "ready"):
        return WEIGHTS[style][("kong own" if tile else "kong") if word == "kong" else word]
    if word == "discard":
        hand = referee.seats[seat].hand
        if style == "copycat":
            last = [one.river[-1] for one in referee.seats if one.river]
            return 20.0 if tile in last else 0.3
        if style == "feed":
            neighbour = referee.seats[(seat + 1) % referee.players]
            return 10.0 if _looseness([*neighbour.hand, tile], tile) < 0.1 else 0.2
        return _looseness(hand, tile)
    return 1.0


def _looseness(hand: list[str], tile: str) -> float:
    """High for a tile that has no like and no neighbour in the hand."""
    near = 3 * (hand.count(tile) - 1)
    if tile[1] != "z":
        for step, worth in ((-2, 1), (-1, 2), (1, 2), (2, 1)):
            near += worth * min(1, hand.count(f"{int(tile[0]) + step}{tile[1]}"))
    return float(3.0**-near)


def random_play(record: Json, rng: random.Random, style: str = "uniform") -> Json:
    """The record with a whole hand of random legal actions, answers in random order of the seats."""
    referee = Referee(record)
    actions: list[list[Any]] = []
    while not referee.over:
        legal = referee.legal()
        seat = rng.choice(sorted(legal))
        texts = legal[seat]
        weights = [_weight(referee, seat, text, style) for text in texts]
        text = rng.choices(texts, weights)[0]
        referee.act(seat, text)
        actions.append([seat, text])
    return {**record, "actions": actions}
