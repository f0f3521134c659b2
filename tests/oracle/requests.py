"""Random valid score requests (section 2 of docs/formats.md), most of them with complete hands."""

from __future__ import annotations

from random import Random
from typing import Any

from .scoring import (
    DRAGONS,
    HONORS,
    KINDS,
    ORPHANS,
    PRESETS,
    TERMINALS,
    WINDS,
    parse_tiles,
    resolve,
    tile_text,
    tiles_text,
)

ON_OFF = [True, False]

# Options that touch scoring come first and are drawn more often.
SCORING_OPTIONS: dict[str, list[Any]] = {
    "ga": ON_OFF,
    "scattered_thirteen": ON_OFF,
    "chow_pair_excludes_round_wind": ON_OFF,
    "meld_liability": ON_OFF,
    "four_melds": ON_OFF,
    "four_melds_any": ON_OFF,
    "last_tiles_liability": ON_OFF,
    "last_tiles_by_count": ON_OFF,
    "flower_hu": ["none", "count", "four_set", "true_false"],
    "flower_run": ON_OFF,
    "flower_set": ON_OFF,
    "kong_scoring": ["plain", "feeder_double"],
    "require_fan": ON_OFF,
    "half_flush": ON_OFF,
    "round_wind": ON_OFF,
    "honors_in_terminal_pongs": ON_OFF,
    "discarder_pays_all": ON_OFF,
    "score_draws": ON_OFF,
    "multiple_wins": ON_OFF,
    "multiple_wins_own_share": ON_OFF,
    "concealed_kong_keeps_concealed": ON_OFF,
    "bloom_floor": ON_OFF,
    "stacking": ["multiply", "add", "max"],
    "stake_mode": ["multiply", "add"],
    "dealer_bonus": ON_OFF,
    "dealer_streak": ON_OFF,
}
OTHER_OPTIONS: dict[str, list[Any]] = {
    "streak_counts_draws": ON_OFF,
    "initial_flowers": ["own_turn", "after_deal"],
    "follow": ON_OFF,
    "ready": ON_OFF,
    "missed_win": ["none", "locked", "higher_only"],
    "free_ga": ON_OFF,
    "no_chow": ON_OFF,
    "no_honors": ON_OFF,
    "no_winds": ON_OFF,
    "show_concealed_kongs": ON_OFF,
    "first_dealer": ["host", "dice", "random"],
    "hands": [1, 4, 8, 16],
    "rounds": [1, 2, 4],
}
SCORING_NAMES = list(SCORING_OPTIONS)
OTHER_NAMES = list(OTHER_OPTIONS)
PRESET_NAMES = list(PRESETS)

# Shapes that can be read in more than one way, or wait on odd tiles; suits are exchanged and turned.
# 14, 11, 8 or 5 tiles: the rest is made up with random melds.
AMBIGUOUS = [
    "333345p666s888m55z",
    "111222333m456p77s",
    "111222333m444p55s",
    "111222333444m55p",
    "111222333444m55m",
    "22334455667788m",
    "11223344556677m",
    "112233m112233p55s",
    "112233445566m77z",
    "11123455678999m",
    "22233344455588m",
    "22223333444455m",
    "33334444555566m",
    "11112233445566p",
    "222233334455m11z",
    "11119999m99p1111z",
    "111999m111999p11s",
    "111m111999p11199s",
    "111222333z55566z",
    "111m222333z55577z",
    "111z222m333444m77m",
    "111222333p55566z",
    "11122233344z555z",
    "23455567888m222p",
    "222555888m222p55s",
    "44455566678999m",
    "223344m223344p99s",
    "22334455m111z777z",
    "123456789m11122z",
    "222333444m55m",
    "23455667788m",
    "33334566m888p",
    "11122233p555z",
    "33345567m888s",
    "22234567m111p",
    "22345678m",
    "33345678m",
    "44456788m",
    "11123444m",
    "22255m",
    "23444m",
    "55678p",
    "11155z",
    "22288s",
]
AMBIGUOUS_KINDS = [parse_tiles(text) for text in AMBIGUOUS]

FAR_APART = [  # numbers within a suit, from 0 (R5.4)
    (0, 3, 6),
    (0, 3, 7),
    (0, 3, 8),
    (0, 4, 7),
    (0, 4, 8),
    (0, 5, 8),
    (1, 4, 7),
    (1, 4, 8),
    (1, 5, 8),
    (2, 5, 8),
]

STYLES = [
    "standard", "standard", "standard", "standard", "chows", "chows", "pongs", "pongs", "pure", "pure",
    "half", "half", "half", "honors", "terminal_pongs", "seven", "seven", "luxury", "orphans",
    "scattered", "ambiguous", "ambiguous", "ambiguous", "random",
]  # fmt: skip
ANY_SHAPE = ["standard", "chows", "pongs", "pure", "half", "terminal_pongs", "seven", "luxury"]

Meld = dict[str, Any]


def random_rules(rng: Random, players: int) -> dict[str, Any]:
    """A random valid option sheet (section 10)."""
    preset = rng.choice(PRESET_NAMES)
    rules: dict[str, Any] = {"preset": preset}
    if preset == "hainan" and rng.random() < 0.2:
        del rules["preset"]  # it is the default
    for _ in range(rng.choice((0, 1, 2, 3, 4, 6, 9))):
        name = rng.choice(SCORING_NAMES)
        rules[name] = rng.choice(SCORING_OPTIONS[name])
    for _ in range(rng.choice((0, 0, 0, 1, 2))):
        name = rng.choice(OTHER_NAMES)
        rules[name] = rng.choice(OTHER_OPTIONS[name])
    if rng.random() < 0.2:
        rules["multiple_wins"] = True
    if rng.random() < 0.15:
        rules["four_melds"] = True
        rules["four_melds_any"] = rng.random() < 0.8
    if rng.random() < 0.5:
        rules["wild"] = rng.choice(("none", "indicator", "next", "kind", "kind"))
    if rules.get("wild") == "kind":
        rules["wild"] = tile_text(rng.choice(kinds_in_play(rules)))
    make_valid(rng, rules, players)
    return rules


def make_valid(rng: Random, rules: dict[str, Any], players: int) -> None:
    """Take back what contradicts itself (section 10)."""
    if rules.get("preset", "hainan") == "hainan" and ("dealer_bonus" in rules or "dealer_streak" in rules):
        rules["dealer_bonus"] = rng.random() < 0.4  # exactly one of the two
        rules["dealer_streak"] = not rules["dealer_bonus"]
    if players == 3 and rules.get("follow"):
        rules["follow"] = False
    if "hands" in rules and "rounds" in rules:
        del rules["hands"]
    if rules.get("four_melds") and not resolve(rules, players)["meld_liability"]:
        rules["meld_liability"] = True


def kinds_in_play(options: dict[str, Any]) -> list[int]:
    """R1.1: the kinds that the sheet's tiles have, flowers aside."""
    if options.get("no_honors"):
        return list(range(27))
    if options.get("no_winds"):
        return [*range(27), *DRAGONS]
    return list(range(KINDS))


def indicator_of(wild: int, options: dict[str, Any]) -> int:
    """R5.9 ``next``: the kind before the wild kind in its cycle (1..9, E S W N, red green white)."""
    if wild < 27:
        return wild // 9 * 9 + (wild % 9 - 1) % 9
    if wild in WINDS:
        return 27 + (wild - 27 - 1) % 4
    return 31 + (wild - 31 + 1) % 3


class Builder:
    """Builds hands and melds from the tiles that are left."""

    def __init__(self, rng: Random, options: dict[str, Any], players: int, wild: int | None) -> None:
        self.rng = rng
        self.options = options
        self.players = players
        self.wild = wild
        self.in_play = kinds_in_play(options)
        self.left = [0] * KINDS
        for kind in self.in_play:
            self.left[kind] = 4
        if wild is not None and options["wild"] == "indicator":
            self.left[wild] = 3
        if wild is not None and options["wild"] == "next":
            self.left[indicator_of(wild, options)] -= 1

    # -- taking tiles -------------------------------------------------------------------------

    def take(self, kinds: list[int]) -> bool:
        """Take these tiles if they are all left."""
        for position, kind in enumerate(kinds):
            if self.left[kind] == 0:
                self.give(kinds[:position])
                return False
            self.left[kind] -= 1
        return True

    def give(self, kinds: list[int]) -> None:
        """Put tiles back."""
        for kind in kinds:
            self.left[kind] += 1

    def take_any(self, count: int) -> list[int]:
        """Take this many tiles of any kinds."""
        taken: list[int] = []
        while len(taken) < count:
            kind = self.rng.choice(self.in_play)
            if self.left[kind]:
                self.left[kind] -= 1
                taken.append(kind)
        return taken

    # -- complete hands -----------------------------------------------------------------------

    def group(self, kinds: list[int], chow_rate: float, must: int | None) -> list[int] | None:
        """Take a random sequence or triplet of these kinds, with ``must`` in it if given."""
        rng = self.rng
        for _ in range(12):
            if rng.random() < chow_rate:
                if must is None:
                    first = rng.choice(kinds)
                else:
                    first = must - rng.randrange(3)
                if not 0 <= first < 27 or first % 9 > 6:
                    continue
                tiles = [first, first + 1, first + 2]
                if must is not None and must not in tiles:
                    continue
            else:
                tiles = [rng.choice(kinds) if must is None else must] * 3
            if self.take(tiles):
                return tiles
        return None

    def pair(self, kinds: list[int], must: int | None) -> list[int] | None:
        """Take a random pair of these kinds."""
        for _ in range(12):
            kind = self.rng.choice(kinds) if must is None else must
            if self.take([kind, kind]):
                return [kind, kind]
        return None

    def standard(self, style: str, must: int | None) -> list[list[int]] | None:
        """Four sets and a pair, the pair last; a group with ``must`` in it is never first."""
        rng = self.rng
        in_play = self.in_play
        honors = [kind for kind in in_play if kind in HONORS]
        suit = rng.randrange(3) if must is None or must >= 27 else must // 9
        one_suit = list(range(9 * suit, 9 * suit + 9))
        kinds, chow_rate = in_play, 0.7
        if style == "chows":
            kinds, chow_rate = list(range(27)), 1.0
        elif style == "pongs":
            chow_rate = 0.0
        elif style == "pure":
            kinds, chow_rate = one_suit, rng.choice((0.3, 0.8, 1.0))
        elif style == "half":
            kinds, chow_rate = one_suit + honors * rng.choice((1, 1, 3)), rng.choice((0.0, 0.6, 0.8))
        elif style == "honors":
            kinds, chow_rate = honors or in_play, 0.0
        elif style == "terminal_pongs":
            terminals = list(TERMINALS) if rng.random() < 0.3 else [k for k in ORPHANS if k in in_play]
            kinds, chow_rate = terminals, 0.0
        pair_kinds = in_play if style == "chows" else kinds
        must_in = None if must is None else rng.choice((0, 0, 1))  # in a set, or in the pair
        groups: list[list[int]] = []
        for number in range(5):
            if number < 4:
                wanted = must if number == 3 and must_in == 0 else None
                tiles = self.group(kinds, chow_rate if wanted is None or wanted < 27 else 0.0, wanted)
            else:
                tiles = self.pair(pair_kinds, must if must_in == 1 else None)
            if tiles is None:
                for group in groups:
                    self.give(group)
                return None
            groups.append(tiles)
        return groups

    def whole(self, style: str) -> list[int] | None:
        """Fourteen tiles of a shape without melds, or an ambiguous shape (which may be shorter)."""
        rng = self.rng
        tiles: list[int] = []
        if style in ("seven", "luxury"):
            suits = rng.choice(([0, 1, 2, 3], [0, 1, 2, 3], [0], [1], [2], [0, 3], [1, 3], [2, 3]))
            kinds = [kind for kind in self.in_play if min(kind // 9, 3) in suits]
            if style == "seven":
                chosen = rng.sample(kinds, 7)
            else:
                fours = rng.choice((1, 1, 1, 2, 3))
                chosen = rng.sample(kinds, 7 - fours)
                chosen += chosen[:fours]
            tiles = chosen * 2
        elif style == "orphans":
            tiles = [*ORPHANS, rng.choice(ORPHANS)]
        elif style == "scattered":
            tiles = self.scattered()
        elif style == "ambiguous":
            tiles = self.turned(rng.choice(AMBIGUOUS_KINDS))
        return tiles if self.take(tiles) else None

    def scattered(self) -> list[int]:
        """R5.4: up to three tiles a suit, at least 3 apart, and honors."""
        rng = self.rng
        suited: list[int] = []
        for first in (0, 9, 18):
            suited += [first + number for number in rng.choice(FAR_APART)]
        honors = rng.randint(5, 7)
        return rng.sample(suited, 14 - honors) + rng.sample(list(HONORS), honors)

    def turned(self, tiles: list[int]) -> list[int]:
        """The same shape with suits exchanged, and perhaps counted from 9 down."""
        suits = self.rng.sample((0, 1, 2), 3)
        down = self.rng.random() < 0.5
        out = []
        for kind in tiles:
            if kind >= 27:
                out.append(kind)
            else:
                number = 8 - kind % 9 if down else kind % 9
                out.append(suits[kind // 9] * 9 + number)
        return out

    # -- melds --------------------------------------------------------------------------------

    def claimed(self, seat: int, tiles: list[int], friend: int | None) -> Meld | None:
        """Make a set that has been taken into a meld; a kong takes a fourth tile from what is left."""
        rng = self.rng
        if self.wild in tiles:
            return None
        if tiles[0] != tiles[1]:
            if self.options["no_chow"]:
                return None
            return {"kind": "chow", "tiles": tiles_text(tiles), "from": (seat - 1) % self.players}
        kind = rng.choice(("pong", "pong", "exposed_kong", "added_kong", "concealed_kong"))
        if kind != "pong":
            if not self.take(tiles[:1]):
                kind = "pong"
            else:
                tiles = [*tiles, tiles[0]]
        meld: Meld = {"kind": kind, "tiles": tiles_text(tiles)}
        if kind != "concealed_kong":
            meld["from"] = friend
            if friend is None:
                meld["from"] = (seat + rng.randrange(1, self.players)) % self.players
        if kind == "added_kong" and rng.random() < 0.5:
            meld["back"] = rng.random() < 0.8
        return meld

    def friend_of(self, seat: int, likely: list[int]) -> int | None:
        """One seat that all of a seat's pongs come from, or None for mixed ones."""
        rng = self.rng
        choice = rng.random()
        others = [other for other in likely if other != seat]
        if choice < 0.35 and others:
            return rng.choice(others)
        if choice < 0.6:
            return (seat - 1) % self.players  # the chows come from there too
        if choice < 0.75:
            return (seat + rng.randrange(1, self.players)) % self.players
        return None

    def random_melds(self, seat: int, count: int, likely: list[int]) -> list[Meld]:
        """This many random melds, or fewer."""
        melds: list[Meld] = []
        friend = self.friend_of(seat, likely)
        chow_rate = 0.0 if self.options["no_chow"] else self.rng.choice((0.0, 0.5, 0.9))
        for _ in range(count):
            tiles = self.group(self.in_play, chow_rate, None)
            if tiles is None:
                continue
            meld = self.claimed(seat, tiles, friend)
            if meld is None:
                self.give(tiles)
            else:
                melds.append(meld)
        return melds

    # -- a winner -----------------------------------------------------------------------------

    def winner(self, seat: int, must: int | None, likely: list[int]) -> tuple[list[int], list[Meld]] | None:
        """A hand (the winning tile in it, ``must`` if given) and melds, mostly complete; or None."""
        rng = self.rng
        style = rng.choice(STYLES if must is None else ANY_SHAPE)
        concealed: list[int] = []
        melds: list[Meld] = []
        if style == "random":
            melds = self.random_melds(seat, rng.randrange(5), likely)
            concealed = self.take_any(14 - 3 * len(melds))
        elif style in ("seven", "luxury", "orphans", "scattered", "ambiguous"):
            tiles = self.whole(style)
            if tiles is None:
                return None
            concealed = tiles
            missing = (14 - len(tiles)) // 3
            if missing:
                melds = self.random_melds(seat, missing, likely)
                if len(melds) < missing:
                    self.give(concealed)
                    for meld in melds:
                        self.give(parse_tiles(meld["tiles"]))
                    return None
        else:
            groups = self.standard(style, must)
            if groups is None:
                return None
            friend = self.friend_of(seat, likely)
            wanted = rng.choice((0, 0, 1, 2, 3, 3, 4, 4)) if must is None else rng.randrange(4)
            for number, tiles in enumerate(groups):
                meld = None
                if number < wanted and number < 4:
                    meld = self.claimed(seat, tiles, friend)
                if meld is None:
                    concealed += tiles
                else:
                    melds.append(meld)
        if must is not None and must not in concealed:
            self.give(concealed)
            for meld in melds:
                self.give(parse_tiles(meld["tiles"]))
            return None
        self.put_wild_tiles(concealed, must)
        if rng.random() < 0.06:
            self.spoil(concealed, must)
        return concealed, melds

    def spoil(self, concealed: list[int], must: int | None) -> None:
        """Exchange one tile for a random one: mostly a near miss."""
        place = self.rng.randrange(len(concealed))
        if must is None or concealed[place] != must:
            new = self.take_any(1)
            self.give([concealed[place]])
            concealed[place] = new[0]

    def put_wild_tiles(self, concealed: list[int], must: int | None) -> None:
        """Let wild tiles stand for some of the tiles (R5.9); one tile of ``must`` stays."""
        rng = self.rng
        if self.wild is None:
            return
        places = [place for place, kind in enumerate(concealed) if kind != self.wild]
        if must is not None and must != self.wild:
            places.remove(concealed.index(must))
        rng.shuffle(places)
        for place in places[: rng.choice((0, 0, 1, 1, 1, 2, 2, 3, 4))]:
            if not self.take([self.wild]):
                return
            self.give([concealed[place]])
            concealed[place] = self.wild


def random_flowers(rng: Random, players: int) -> list[list[int]]:
    """Each of the eight flowers before one seat at most, often many before one."""
    laid: list[list[int]] = [[] for _ in range(players)]
    flowers = list(range(34, 42))
    rng.shuffle(flowers)
    choice = rng.random()
    if choice < 0.3:
        return laid
    lucky = rng.randrange(players)
    if choice < 0.4:  # a full set for one seat
        full = rng.choice((range(34, 38), range(38, 42)))
        laid[lucky] = list(full)
    elif choice < 0.5:  # numbers 1 to 4 of any colour, in either numbering (R8.15, R8.17)
        numbering = rng.choice(((0, 1, 2, 3), (0, 1, 3, 2)))
        laid[lucky] = [34 + n if rng.random() < 0.5 else 38 + numbering[n] for n in range(4)]
    elif choice < 0.65:
        laid[lucky] = flowers[: rng.randint(4, 8)]
    share = rng.choice((0.0, 0.2, 0.5, 1.0))
    for flower in flowers:
        if flower not in laid[lucky] and rng.random() < share:
            laid[rng.randrange(players)].append(flower)
    return laid


def arranged(rng: Random, tiles: list[int]) -> str:
    """Tiles as text, mostly sorted."""
    tiles = sorted(tiles)
    if rng.random() < 0.2:
        rng.shuffle(tiles)
    return tiles_text(tiles)


def end_of(rng: Random, players: int, options: dict[str, Any]) -> tuple[str, int | None, list[int]]:
    """How the hand ends, who discarded or konged, and who wins."""
    by = rng.choices(("discard", "rob", "self_draw", "draw"), (42, 19, 30, 9))[0]
    seats = list(range(players))
    rng.shuffle(seats)
    if by == "draw":
        return by, None, []
    if by == "self_draw":
        return by, None, seats[:1]
    count = 1
    if options["multiple_wins"] and rng.random() < 0.5:
        count = rng.randint(2, players - 1)
    return by, seats[0], seats[1 : 1 + count]


def random_request(rng: Random) -> dict[str, Any]:
    """A random valid score request."""
    players = 4 if rng.random() < 0.7 else 3
    rules = random_rules(rng, players)
    options = resolve(rules, players)
    wild: int | None = None
    if options["wild"] in ("indicator", "next"):
        wild = rng.choice(kinds_in_play(options))
    elif options["wild"] != "none":
        wild = parse_tiles(options["wild"])[0]
    builder = Builder(rng, options, players, wild)
    by, source, winners = end_of(rng, players, options)

    hands: list[list[int]] = [[] for _ in range(players)]
    melds: list[list[Meld]] = [[] for _ in range(players)]
    flowers = random_flowers(rng, players)
    tile: int | None = None
    for winner in list(winners):
        likely = [source] if source is not None else []
        if tile is not None:
            builder.give([tile])  # the winning tile is one tile, however many win it
        made = None
        for _ in range(12):
            made = builder.winner(winner, tile, likely)
            if made is not None:
                break
        if made is None:
            kept = builder.take_any(1) if tile is None else [tile]
            if tile is not None:
                builder.take(kept)
            made = kept + builder.take_any(13), []
        hand, melds[winner] = made
        if tile is None:
            tile = rng.choice(hand)
            if by == "rob":
                assert source is not None
                robbable = [kind for kind in hand if kind != wild and builder.left[kind] == 3]
                if robbable:
                    tile = rng.choice(robbable)
                    builder.take([tile] * 3)
                    origin = (source + rng.randrange(1, players)) % players
                    pong = {"kind": "pong", "tiles": tiles_text([tile] * 3), "from": origin}
                    melds[source].append(pong)
                else:
                    by = "discard"
        hand.remove(tile)
        hands[winner] = hand

    for seat in range(players):
        if seat in winners:
            continue
        room = 4 - len(melds[seat])
        count = min(room, rng.choice((0, 0, 0, 1, 2, 3, 3, 4, 4)))
        melds[seat] += builder.random_melds(seat, count, winners)
        rng.shuffle(melds[seat])
        if rng.random() < 0.3:
            hands[seat] = builder.take_any(rng.randint(0, 13 - 3 * len(melds[seat])))
    put_flowers_in_hands(rng, builder, hands, flowers, winners)

    seats = []
    for seat in range(players):
        entry: dict[str, Any] = {
            "hand": arranged(rng, hands[seat]),
            "melds": melds[seat],
            "flowers": arranged(rng, flowers[seat]),
            "ready": rng.random() < (0.12 if seat in winners else 0.03),
        }
        seats.append({name: given for name, given in entry.items() if given or rng.random() < 0.5})

    end: dict[str, Any] = {"by": by, "winners": winners}
    if by in ("discard", "rob"):
        end["from"] = source
    if tile is not None:
        end["tile"] = tile_text(tile)
    if by == "self_draw":
        way = rng.choice((None, None, "kong_bloom", "flower_bloom", "heavenly", "earthly"))
        if way is not None or rng.random() < 0.5:
            end["way"] = way

    request: dict[str, Any] = {"rules": rules, "seats": seats, "end": end}
    defaults: dict[str, Any] = {
        "players": 4, "dealer": 0, "streak": 0, "round_wind": "1z", "ga": [0] * players,
        "remaining": 60, "wild": None, "followed": [],
    }  # fmt: skip
    given = {
        "players": players,
        "dealer": rng.randrange(players),
        "streak": rng.choice((0, 0, 1, 2, 3, 7)),
        "round_wind": tile_text(rng.choice(WINDS)),
        "ga": [rng.choice((0, 0, 1, 2, 3, 5)) for _ in range(players)],
        "remaining": random_remaining(rng, players, options),
        "wild": None if wild is None else tile_text(wild),
        "followed": random_followed(rng, players),
    }
    if wild is not None and options["wild"] not in ("indicator", "next") and rng.random() < 0.5:
        given["wild"] = None  # it defaults to the sheet's kind
    if rng.random() < 0.15:
        given["ga"] = [0] * players
    for name, choice in given.items():
        if choice != defaults[name] or rng.random() < 0.5:
            request[name] = choice
    return request


def put_flowers_in_hands(
    rng: Random, builder: Builder, hands: list[list[int]], flowers: list[list[int]], winners: list[int]
) -> None:
    """R2.2: a flower not yet laid out, now and then; in a winner's hand it forbids the win (F2)."""
    for seat, hand in enumerate(hands):
        if hand and rng.random() < (0.015 if seat in winners else 0.1):
            shown = {flower for some in (*flowers, *hands) for flower in some if flower >= KINDS}
            hidden = [flower for flower in range(34, 42) if flower not in shown]
            if hidden:
                place = rng.randrange(len(hand))
                builder.give([hand[place]])
                hand[place] = rng.choice(hidden)


def random_remaining(rng: Random, players: int, options: dict[str, Any]) -> int:
    """Tiles left: often few, so that R8.9 matters."""
    tiles = 4 * len(kinds_in_play(options)) + 8
    if rng.random() < 0.4:
        return rng.randint(15, 21)
    if rng.random() < 0.3:
        return 60
    return rng.randint(15, tiles - 13 * players - 2)


def random_followed(rng: Random, players: int) -> list[int]:
    """R8.19: seldom anybody; taken as given, so also where the option is off."""
    if rng.random() < 0.85:
        return []
    return rng.sample(range(players), 2 if rng.random() < 0.1 else 1)
