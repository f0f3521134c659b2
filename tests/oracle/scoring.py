"""Scoring of Hainan and Lingao mahjong, by brute force, straight from the clauses of the rule book.

This is the checker for the fast engine, so it shares nothing with it and prefers being obvious to
being quick.  "R5.8" and the like are clauses of the rule book; "F2" is section 2 of docs/formats.md.

Tiles are plain numbers ("kinds"): 0..8 = 1m..9m, 9..17 = 1p..9p, 18..26 = 1s..9s, 27..30 = the winds
1z..4z (East, South, West, North), 31..33 = the dragons 5z..7z (white, green, red), and 34..41 = the
flowers 1f..8f.  Four copies of a kind are the same number.

A meld is a dict as in F2: {"kind": "pong", "tiles": "333p", "from": 0}.

What other test code may use:

* ``PRESETS``, ``resolve(rules, players)``: the full option dict of a sheet (section 10);
* ``parse_tiles(text)``, ``tile_text(kind)``, ``tiles_text(kinds)``;
* ``is_win``, ``readings``, ``evaluate``: what a hand is worth to a seat (sections 5, 6 and R7.1, R7.3);
* ``completing_kinds``: what a hand waits on;
* ``licensed``: may this evaluation win by discard (R6.1);
* ``value``: V from T and the way of winning (R7.2, R7.3, R7.6);
* ``stake``: B(i, j) (section 8);
* ``score(request)``: a whole score request (F2).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations_with_replacement, pairwise
from typing import Any

# ------------------------------------------------------------------------------------------------
# Tiles (section 0)
# ------------------------------------------------------------------------------------------------

FIRST_OF_SUIT = {"m": 0, "p": 9, "s": 18, "z": 27, "f": 34}
KINDS = 34  # kinds that are not flowers
HONORS = range(27, 34)
WINDS = range(27, 31)
DRAGONS = range(31, 34)
TERMINALS = (0, 8, 9, 17, 18, 26)
ORPHANS = (*TERMINALS, *HONORS)  # the thirteen kinds of R5.3


def parse_tiles(text: str) -> list[int]:
    """Section 0: MPSZ text to kinds, in the order written ("15m3z" is 1m, 5m, 3z)."""
    kinds: list[int] = []
    digits: list[int] = []
    for char in text:
        if char.isdigit():
            digits.append(int(char))
        else:
            kinds.extend(FIRST_OF_SUIT[char] + digit - 1 for digit in digits)
            digits = []
    return kinds


def tile_text(kind: int) -> str:
    """Section 0: one kind as text, flowers included."""
    for suit in "fzspm":
        if kind >= FIRST_OF_SUIT[suit]:
            return f"{kind - FIRST_OF_SUIT[suit] + 1}{suit}"
    raise ValueError(f"no such kind: {kind}")


def tiles_text(kinds: list[int]) -> str:
    """Section 0: kinds as text, order kept, neighbours of one suit sharing its letter."""
    text = ""
    for kind in kinds:
        digit, suit = tile_text(kind)[0], suit_of(kind)
        if text.endswith(suit):
            text = text[:-1]
        text += digit + suit
    return text


def suit_of(kind: int) -> str:
    """Section 0: "m", "p", "s", "z" for honors, "f" for flowers."""
    return tile_text(kind)[1]


# ------------------------------------------------------------------------------------------------
# Options (section 10)
# ------------------------------------------------------------------------------------------------

COMMON: dict[str, Any] = {
    "require_fan": True,
    "half_flush": True,
    "round_wind": True,
    "honors_in_terminal_pongs": True,
    "free_ga": False,
    "discarder_pays_all": False,
    "score_draws": False,
    "multiple_wins": False,
    "multiple_wins_own_share": False,
    "no_chow": False,
    "no_honors": False,
    "no_winds": False,
    "show_concealed_kongs": False,
    "concealed_kong_keeps_concealed": False,
    "bloom_floor": False,
    "four_melds_any": False,
    "last_tiles_by_count": False,
    "wild": "none",
    "stacking": "multiply",
    "stake_mode": "multiply",
    "first_dealer": "host",
    "hands": 8,
    "rounds": None,
}

PRESETS: dict[str, dict[str, Any]] = {
    "hainan": {
        **COMMON,
        "dealer_bonus": True,
        "dealer_streak": False,
        "streak_counts_draws": False,
        "ga": True,
        "initial_flowers": "own_turn",
        "scattered_thirteen": False,
        "chow_pair_excludes_round_wind": True,
        "meld_liability": True,
        "four_melds": True,
        "last_tiles_liability": False,
        "flower_hu": "count",
        "flower_run": False,
        "flower_set": False,
        "kong_scoring": "plain",
        "follow": True,
        "ready": True,
        "missed_win": "locked",
    },
    "hainan-classic": {
        **COMMON,
        "dealer_bonus": False,
        "dealer_streak": False,
        "streak_counts_draws": False,
        "ga": False,
        "initial_flowers": "after_deal",
        "scattered_thirteen": True,
        "chow_pair_excludes_round_wind": True,
        "meld_liability": True,
        "four_melds": False,
        "last_tiles_liability": False,
        "flower_hu": "none",
        "flower_run": False,
        "flower_set": False,
        "kong_scoring": "plain",
        "follow": False,
        "ready": False,
        "missed_win": "none",
    },
    "lingao": {
        **COMMON,
        "dealer_bonus": True,
        "dealer_streak": True,
        "streak_counts_draws": True,
        "ga": True,
        "initial_flowers": "own_turn",
        "scattered_thirteen": False,
        "chow_pair_excludes_round_wind": False,
        "meld_liability": False,
        "four_melds": False,
        "last_tiles_liability": True,
        "flower_hu": "none",
        "flower_run": True,
        "flower_set": True,
        "kong_scoring": "plain",
        "follow": False,
        "ready": False,
        "missed_win": "higher_only",
    },
    "lingao-variant": {
        **COMMON,
        "dealer_bonus": True,
        "dealer_streak": True,
        "streak_counts_draws": True,
        "ga": True,
        "initial_flowers": "own_turn",
        "scattered_thirteen": False,
        "chow_pair_excludes_round_wind": False,
        "meld_liability": False,
        "four_melds": False,
        "last_tiles_liability": True,
        "flower_hu": "true_false",
        "flower_run": False,
        "flower_set": False,
        "kong_scoring": "feeder_double",
        "follow": False,
        "ready": False,
        "missed_win": "higher_only",
    },
}

DEFAULT_PRESET = "hainan"


def resolve(rules: dict[str, Any], players: int) -> dict[str, Any]:
    """Section 10: every option of a valid sheet by name, and the preset's name under "preset".

    A preset's own ``follow`` is dropped with three players, its own ``four_melds`` with
    ``meld_liability: false``.  ``rounds`` instead of ``hands``, if given (R1.9); the other is None.
    """
    preset = rules.get("preset", DEFAULT_PRESET)
    options = {**PRESETS[preset], **rules, "preset": preset}
    if players == 3 and "follow" not in rules:
        options["follow"] = False
    if not options["meld_liability"] and "four_melds" not in rules:
        options["four_melds"] = False
    if options["rounds"] is not None:
        options["hands"] = None
    return options


def table_of(options: dict[str, Any]) -> str:
    """Section 10: the scoring table belongs to the preset: "hainan" (R7.1-2) or "lingao" (R7.3)."""
    return "hainan" if options["preset"] in ("hainan", "hainan-classic") else "lingao"


def wild_kind(request_wild: str | None, options: dict[str, Any]) -> int | None:
    """F2 ``wild``: the wild kind in force, or None: the request's, else the sheet's fixed kind."""
    if options["wild"] == "none":
        return None
    if request_wild is not None:
        return parse_tiles(request_wild)[0]
    return parse_tiles(options["wild"])[0]


# ------------------------------------------------------------------------------------------------
# Readings of a hand (section 5)
# ------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Reading:
    """One way to read a complete hand (R5.8), with its wild tiles replaced by what they stand for.

    shape     "standard" (R5.1), "seven_pairs" or "luxury_seven_pairs" (R5.2), "thirteen_orphans"
              (R5.3) or "scattered_thirteen" (R5.4)
    chows     the lowest kind of each sequence, melds included; standard shape only
    triplets  the kind of each triplet or kong, melds included; standard shape only
    pair      the kind of the pair; standard shape only
    kinds     all kinds in the hand and its melds
    """

    shape: str
    chows: tuple[int, ...]
    triplets: tuple[int, ...]
    pair: int | None
    kinds: frozenset[int]


def meld_sets(melds: list[dict[str, Any]]) -> tuple[list[int], list[int]]:
    """Lowest kinds of the chows, and kinds of the pongs and kongs, among the melds."""
    chows: list[int] = []
    triplets: list[int] = []
    for meld in melds:
        lowest = min(parse_tiles(meld["tiles"]))
        if meld["kind"] == "chow":
            chows.append(lowest)
        else:
            triplets.append(lowest)
    return chows, triplets


def split_standard(
    counts: list[int], chows: list[int], triplets: list[int], pair: int | None
) -> Iterator[tuple[list[int], list[int], int]]:
    """R5.1: every way to split the tiles counted into sequences, triplets and exactly one pair.

    Recursive: the lowest tile left must be in a pair, a triplet or a sequence that it begins.
    The same split may come more than once.  ``counts`` is as it was when the generator is done.
    """
    lowest = next((kind for kind in range(KINDS) if counts[kind] > 0), None)
    if lowest is None:
        if pair is not None:
            yield chows, triplets, pair
        return
    if pair is None and counts[lowest] >= 2:
        counts[lowest] -= 2
        yield from split_standard(counts, chows, triplets, lowest)
        counts[lowest] += 2
    if counts[lowest] >= 3:
        counts[lowest] -= 3
        yield from split_standard(counts, chows, [*triplets, lowest], pair)
        counts[lowest] += 3
    if lowest < 27 and lowest % 9 <= 6 and counts[lowest + 1] > 0 and counts[lowest + 2] > 0:
        for kind in (lowest, lowest + 1, lowest + 2):
            counts[kind] -= 1
        yield from split_standard(counts, [*chows, lowest], triplets, pair)
        for kind in (lowest, lowest + 1, lowest + 2):
            counts[kind] += 1


def is_seven_pairs(counts: list[int]) -> bool:
    """R5.2 (the caller sees to the melds): four alike are two pairs, six alike three."""
    return sum(counts) == 14 and all(count % 2 == 0 for count in counts)


def is_thirteen_orphans(counts: list[int]) -> bool:
    """R5.3 (the caller sees to the melds): each of the 13, one of them twice, so nothing else."""
    return (
        sum(counts) == 14
        and all(counts[kind] >= 1 for kind in ORPHANS)
        and (sum(counts[kind] for kind in ORPHANS) == 14)
    )


def is_scattered_thirteen(counts: list[int]) -> bool:
    """R5.4 (the caller sees to the option and the melds)."""
    if sum(counts) != 14 or any(count > 1 for count in counts):
        return False
    for first in (0, 9, 18):
        held = [kind for kind in range(first, first + 9) if counts[kind]]
        if any(higher - lower < 3 for lower, higher in pairwise(held)):
            return False
    return True


def substitutions(concealed: list[int], wild: int | None, natural: int | None) -> Iterator[list[int]]:
    """R5.9: counts of the 34 kinds for every substitution of the wild tiles, as fresh lists.

    Each wild tile stands for any of the 34 kinds; which wild tile stands for which kind makes no
    difference, so multisets of kinds are tried.  One tile of kind ``natural`` is no wild tile.
    """
    fixed = [0] * KINDS
    wild_tiles = 0
    for kind in concealed:
        if kind == wild:
            wild_tiles += 1
        else:
            fixed[kind] += 1
    if natural is not None and natural == wild:
        wild_tiles -= 1
        fixed[natural] += 1
    for stand_for in combinations_with_replacement(range(KINDS), wild_tiles):
        counts = list(fixed)
        for kind in stand_for:
            counts[kind] += 1
        yield counts


def all_readings(
    concealed: list[int],
    melds: list[dict[str, Any]],
    wild: int | None,
    natural: int | None,
    options: dict[str, Any],
) -> Iterator[Reading]:
    """R5.8: every reading under every substitution; the same reading may come more than once."""
    meld_chows, meld_triplets = meld_sets(melds)
    if len(concealed) + 3 * len(melds) != 14 or any(kind >= KINDS for kind in concealed):
        return  # too few or too many tiles, or a flower in the hand (F2, R2.2)
    meld_kinds = {kind for meld in melds for kind in parse_tiles(meld["tiles"])}
    for counts in substitutions(concealed, wild, natural):
        if not melds and is_seven_pairs(counts):
            shape = "luxury_seven_pairs" if max(counts) >= 4 else "seven_pairs"
            yield Reading(shape, (), (), None, kinds_in(counts, meld_kinds))
        if not melds and is_thirteen_orphans(counts):
            yield Reading("thirteen_orphans", (), (), None, kinds_in(counts, meld_kinds))
        if not melds and options["scattered_thirteen"] and is_scattered_thirteen(counts):
            yield Reading("scattered_thirteen", (), (), None, kinds_in(counts, meld_kinds))
        if could_be_standard(counts):
            kinds = kinds_in(counts, meld_kinds)
            for chows, triplets, pair in split_standard(counts, [], [], None):
                all_chows = tuple(sorted(meld_chows + chows))
                all_triplets = tuple(sorted(meld_triplets + triplets))
                yield Reading("standard", all_chows, all_triplets, pair, kinds)


def kinds_in(counts: list[int], meld_kinds: set[int]) -> frozenset[int]:
    """All kinds in the concealed hand, as substituted, and in the melds."""
    return frozenset(meld_kinds.union(kind for kind in range(KINDS) if counts[kind]))


def could_be_standard(counts: list[int]) -> bool:
    """R5.1, only to save time: sets lie within a suit, and each honor kind is its own set or pair.

    So each suit's tiles, and each honor's, must number a multiple of 3, or 2 more where the pair is.
    """
    rests = [sum(counts[0:9]) % 3, sum(counts[9:18]) % 3, sum(counts[18:27]) % 3]
    rests += [counts[kind] % 3 for kind in HONORS]
    return 1 not in rests and rests.count(2) == 1


def readings(
    concealed: list[int],
    melds: list[dict[str, Any]],
    wild: int | None,
    natural: int | None,
    options: dict[str, Any],
) -> set[Reading]:
    """R5.8: the set of all readings; empty if the hand is not complete.  Arguments: see evaluate."""
    return set(all_readings(concealed, melds, wild, natural, options))


def is_win(
    concealed: list[int],
    melds: list[dict[str, Any]],
    wild: int | None,
    natural: int | None,
    options: dict[str, Any],
) -> bool:
    """Section 5: is this a complete hand?  Licences don't matter here.  Arguments: see evaluate."""
    return next(all_readings(concealed, melds, wild, natural, options), None) is not None


def completing_kinds(
    concealed: list[int], melds: list[dict[str, Any]], wild: int | None, options: dict[str, Any]
) -> list[int]:
    """R5.9, R7.6: kinds of which one more tile, taken as itself (the wild kind too), completes.

    ``concealed`` is without the tile waited for (13 - 3 x melds tiles).  All 34 kinds are tried;
    whether the hand already holds four of one, or the kind is in play, is left to the caller.
    """
    return [kind for kind in range(KINDS) if is_win([*concealed, kind], melds, wild, kind, options)]


# ------------------------------------------------------------------------------------------------
# Patterns and T (R5.5 to R5.8, R7.1, R7.3)
# ------------------------------------------------------------------------------------------------

PATTERN_ORDER = (
    "plain",
    "all_pongs",
    "pure_suit",
    "half_flush",
    "seven_pairs",
    "luxury_seven_pairs",
    "thirteen_orphans",
    "terminal_pongs",
)

HAINAN_T = {  # R7.1; terminal pongs are Lingao's alone (R5.7), half flush scores as plain
    "plain": 1,
    "all_pongs": 2,
    "pure_suit": 2,
    "seven_pairs": 2,
    "luxury_seven_pairs": 3,
    "thirteen_orphans": 13,
}

LINGAO_SHAPE = {  # R7.3
    "all_pongs": 3,
    "seven_pairs": 4,
    "luxury_seven_pairs": 5,
    "terminal_pongs": 8,
    "thirteen_orphans": 13,
}
LINGAO_COLOUR = {"pure_suit": 5, "half_flush": 2}  # R7.3


def suits_in(reading: Reading) -> set[str]:
    """The suits among the tiles of a reading, honors left aside."""
    return {suit_of(kind) for kind in reading.kinds} - {"z"}


def has_honor(reading: Reading) -> bool:
    """Is there an honor among the tiles of a reading?"""
    return any(kind in HONORS for kind in reading.kinds)


def is_pure_suit(reading: Reading) -> bool:
    """R5.6: all tiles of one suit; all honors is not."""
    return len(suits_in(reading)) == 1 and not has_honor(reading)


def is_half_flush(reading: Reading) -> bool:
    """R5.6: tiles of exactly one suit and at least one honor."""
    return len(suits_in(reading)) == 1 and has_honor(reading)


def is_all_pongs(reading: Reading) -> bool:
    """R5.5: four triplets or kongs and a pair."""
    return reading.shape == "standard" and not reading.chows


def is_all_thirteen(reading: Reading) -> bool:
    """R5.3; and R5.4: scattered thirteen scores and counts as thirteen orphans."""
    return reading.shape in ("thirteen_orphans", "scattered_thirteen")


def is_terminal_pongs(reading: Reading, options: dict[str, Any]) -> bool:
    """R5.7: all pongs of terminals and honors; terminals only without ``honors_in_terminal_pongs``."""
    allowed = ORPHANS if options["honors_in_terminal_pongs"] else TERMINALS
    return is_all_pongs(reading) and all(kind in allowed for kind in reading.kinds)


def patterns_of(reading: Reading, options: dict[str, Any]) -> list[str]:
    """F2 ``patterns`` of one reading, in the order of docs/formats.md (R7.1, R7.3)."""
    lingao = table_of(options) == "lingao"
    found: set[str] = set()
    if is_all_thirteen(reading):
        return ["thirteen_orphans"]  # with no colour, and stacking with nothing
    if reading.shape in ("seven_pairs", "luxury_seven_pairs"):
        found.add(reading.shape)
    if is_all_pongs(reading):
        found.add("terminal_pongs" if lingao and is_terminal_pongs(reading, options) else "all_pongs")
    if is_pure_suit(reading):
        found.add("pure_suit")
    if lingao and is_half_flush(reading):
        found.add("half_flush")
    if not found:
        found.add("plain")
    return [name for name in PATTERN_ORDER if name in found]


def hand_score(patterns: list[str], options: dict[str, Any]) -> int:
    """T of one reading's patterns: R7.1 with ``stacking``, or R7.3."""
    if table_of(options) == "lingao":
        shape = 1
        colour = 1
        for name in patterns:
            shape = LINGAO_SHAPE.get(name, shape)
            colour = LINGAO_COLOUR.get(name, colour)
        return shape * colour
    values = [HAINAN_T[name] for name in patterns]
    if options["stacking"] == "add":
        return sum(values)
    if options["stacking"] == "max":
        return max(values)
    product = 1
    for points in values:
        product *= points
    return product


# ------------------------------------------------------------------------------------------------
# Licences (section 6)
# ------------------------------------------------------------------------------------------------

LICENCE_ORDER = (
    "only_chows",
    "concealed",
    "eye",
    "dragon_set",
    "seat_wind_set",
    "round_wind_set",
    "half_flush",
    "position_flower",
    "all_pongs",
    "pure_suit",
    "seven_pairs",
    "thirteen_orphans",
)


def position_flowers(position: int) -> set[int]:
    """R2.3: 0 -> 1f 5f, 1 -> 2f 6f, 2 -> 3f 7f, 3 -> 4f 8f."""
    return {34 + position, 38 + position}


def is_concealed(melds: list[dict[str, Any]], options: dict[str, Any]) -> bool:
    """R6.3: no meld of any kind; concealed kongs pass under ``concealed_kong_keeps_concealed``."""
    if options["concealed_kong_keeps_concealed"]:
        return all(meld["kind"] == "concealed_kong" for meld in melds)
    return not melds


def is_only_chows(reading: Reading, position: int, round_wind: int, options: dict[str, Any]) -> bool:
    """R6.2: every set a sequence; no dragon, seat wind or (by option) round wind for the pair."""
    if reading.shape != "standard" or reading.triplets:
        return False
    barred = {*DRAGONS, WINDS[position]}
    if options["chow_pair_excludes_round_wind"] and options["round_wind"]:
        barred.add(round_wind)
    return reading.pair not in barred


def is_eye(reading: Reading) -> bool:
    """R6.4: the pair is a suited 2, 5 or 8, in the standard shape."""
    pair = reading.pair
    return pair is not None and pair < 27 and pair % 9 + 1 in (2, 5, 8)


def licences_of(
    reading: Reading,
    melds: list[dict[str, Any]],
    options: dict[str, Any],
    *,
    position: int,
    round_wind: int,
    flowers: list[int],
) -> set[str]:
    """R6.2 to R6.10: the licences of one reading, some of which are the same for all readings."""
    found: set[str] = set()
    if is_only_chows(reading, position, round_wind, options):
        found.add("only_chows")
    if is_concealed(melds, options):
        found.add("concealed")
    if is_eye(reading):
        found.add("eye")
    if any(kind in DRAGONS for kind in reading.triplets):  # R6.5
        found.add("dragon_set")
    if WINDS[position] in reading.triplets:  # R6.6
        found.add("seat_wind_set")
    if options["round_wind"] and round_wind in reading.triplets:  # R6.7
        found.add("round_wind_set")
    if options["half_flush"] and is_half_flush(reading):  # R6.8
        found.add("half_flush")
    if any(flower in position_flowers(position) for flower in flowers):  # R6.9
        found.add("position_flower")
    if is_all_pongs(reading):  # R6.10
        found.add("all_pongs")
    if is_pure_suit(reading):
        found.add("pure_suit")
    if reading.shape in ("seven_pairs", "luxury_seven_pairs"):
        found.add("seven_pairs")
    if is_all_thirteen(reading):
        found.add("thirteen_orphans")
    return found


# ------------------------------------------------------------------------------------------------
# A whole hand, for one seat
# ------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Evaluation:
    """What a hand is to a seat.

    win       is it complete at all (section 5)?  If not, the rest is empty and T is 0.
    readings  all readings (R5.8)
    licences  those of all readings together, in the order of docs/formats.md
    patterns  of the reading that is scored, in the order of docs/formats.md
    T         the hand score of that reading
    """

    win: bool
    readings: frozenset[Reading]
    licences: tuple[str, ...]
    patterns: tuple[str, ...]
    T: int


def evaluate(
    concealed: list[int],
    melds: list[dict[str, Any]],
    wild: int | None,
    natural: int | None,
    options: dict[str, Any],
    *,
    position: int,
    round_wind: int,
    flowers: list[int],
) -> Evaluation:
    """R5.8, R6 and T: all readings, the licences of them all, and the reading that is scored.

    concealed   kinds in the concealed hand, the winning tile included (14 - 3 x melds of them);
                a flower among them makes it no winning hand (F2)
    melds       meld dicts as in F2
    wild        the wild kind in force, or None
    natural     the wild kind, if the winning tile is a discarded wild tile, which counts as its own
                kind (R5.9): that one tile is then not substituted.  Otherwise None; a kind that is
                not the wild kind is the same as None
    options     as from ``resolve``
    position    (seat - dealer) mod players: 0 East, 1 South, 2 West, 3 North (section 0)
    round_wind  the kind of the round wind, 27..30
    flowers     kinds 34..41 of the flowers laid out before the seat
    """
    found = readings(concealed, melds, wild, natural, options)
    if not found:
        return Evaluation(False, frozenset(), (), (), 0)
    licences: set[str] = set()
    best_key: tuple[int, int, list[int]] | None = None
    best_patterns: list[str] = []
    best_t = 0
    for reading in found:
        licences |= licences_of(
            reading, melds, options, position=position, round_wind=round_wind, flowers=flowers
        )
        patterns = patterns_of(reading, options)
        points = hand_score(patterns, options)
        # R5.8: highest T, then most patterns, then patterns that come first in the order
        key = (-points, -len(patterns), [PATTERN_ORDER.index(name) for name in patterns])
        if best_key is None or key < best_key:
            best_key, best_patterns, best_t = key, patterns, points
    ordered = tuple(name for name in LICENCE_ORDER if name in licences)
    return Evaluation(True, frozenset(found), ordered, tuple(best_patterns), best_t)


def has_fan(evaluation: Evaluation) -> bool:
    """R6.1: does the hand hold a licence, or is it not plain (which counts as licensed)?"""
    return evaluation.patterns != ("plain",) or bool(evaluation.licences)


def licensed(evaluation: Evaluation, by: str, options: dict[str, Any]) -> bool:
    """R6.1, R6.11: may a complete hand win in this way ("discard", "rob" or "self_draw")?"""
    if by in ("self_draw", "rob") or not options["require_fan"]:
        return True
    return has_fan(evaluation)


def value(points: int, by: str, way: str | None, ready: bool, options: dict[str, Any]) -> int:
    """V from T: R7.2 (Hainan) or R7.3 (Lingao), and 1 more if declared ready (R7.6).

    by   "discard", "rob" or "self_draw"
    way  of a self-draw: None, "kong_bloom", "flower_bloom", "heavenly" or "earthly"
    """
    if by != "self_draw":
        worth = points
    elif table_of(options) == "lingao":
        factor = {None: 2, "kong_bloom": 3, "flower_bloom": 3, "heavenly": 10, "earthly": 10}[way]
        worth = points * factor
    elif way is None:
        worth = 2 * points
    elif options["bloom_floor"]:
        worth = max(points + 2, 2 * points)
    else:
        worth = points + 2
    return worth + 1 if ready else worth


# ------------------------------------------------------------------------------------------------
# Payments (section 8)
# ------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Table:
    """What the payments of a hand depend on besides the winners' V."""

    options: dict[str, Any]
    players: int
    dealer: int
    streak: int
    ga: list[int]
    remaining: int
    melds: list[list[dict[str, Any]]]
    flowers: list[list[int]]

    def others(self, seat: int) -> list[int]:
        """All seats but this one, nearest in turn order first."""
        return [(seat + step) % self.players for step in range(1, self.players)]


def stake(table: Table, one: int, other: int) -> int:
    """Section 8: B(i, j)."""
    options = table.options
    total = 1
    if options["ga"]:  # R8.3: with ga off every ga counts as 0
        total += table.ga[one] + table.ga[other]
    if table.dealer in (one, other):
        if options["dealer_bonus"]:
            total += 1
        if options["dealer_streak"]:
            total += table.streak
    return total


def item(payer: int, payee: int, points: int, *, reason: str, of: int, rule: str) -> dict[str, Any]:
    """F2 ``items``: one share."""
    return {
        "payer": payer,
        "payee": payee,
        "points": points,
        "for": reason,
        "of": of,
        "rule": rule,
    }


def win_share(table: Table, worth: int, payer: int, winner: int) -> int:
    """R8.1: V x B, or under ``stake_mode = add`` V + B - 1."""
    bet = stake(table, payer, winner)
    if table.options["stake_mode"] == "add":
        return worth + bet - 1
    return worth * bet


def claimed_from(table: Table, holder: int, feeder: int) -> int:
    """R8.7: how many melds the holder claimed from the feeder; a concealed kong never counts."""
    count = 0
    for meld in table.melds[holder]:
        if meld["kind"] != "concealed_kong" and meld["from"] == feeder:
            count += 1
    return count


def discarder_liability(table: Table, by: str, winner: int, discarder: int, fan: bool) -> str | None:
    """The clause that makes the discarder liable for a single winner's win, or None.

    ``fan``: the winner's hand holds a licence or isn't plain.  The lowest number where several
    clauses hold (F2 ``rule``).
    """
    options = table.options
    if options["discarder_pays_all"]:
        return "R8.5"
    if by == "rob" and options["require_fan"] and not fan:
        return "R8.6"
    if options["meld_liability"] and (
        claimed_from(table, winner, discarder) >= 3 or claimed_from(table, discarder, winner) >= 3
    ):
        return "R8.7"  # this covers the discards of R8.8, which needs meld_liability too
    if options["last_tiles_liability"]:
        limit = (15 if options["last_tiles_by_count"] else 14) + table.players
        if table.remaining <= limit:
            return "R8.9"
    return None


def self_draw_liability(table: Table, winner: int) -> int | None:
    """R8.8: who is liable for a self-draw, or None."""
    if not table.options["four_melds"]:
        return None
    for seat in table.others(winner):  # the one who fed the winner, before all
        if claimed_from(table, winner, seat) >= 4:
            return seat
    for seat in table.others(winner):  # else the nearest after the winner
        if claimed_from(table, seat, winner) >= 4:
            return seat
    return None


def feeder_of_four(table: Table, winner: int) -> int | None:
    """R8.8 ``four_melds_any`` (nothing without ``four_melds``): who fed the winner four melds."""
    if not (table.options["four_melds"] and table.options["four_melds_any"]):
        return None
    for seat in table.others(winner):
        if claimed_from(table, winner, seat) >= 4:
            return seat
    return None


def paid_by_one(
    table: Table, payer: int, winner: int, worth: int, *, discarder: int | None, rule: str
) -> list[dict[str, Any]]:
    """R8.4, R8.11: one player pays every share, with its own B, and the flat 1 (if not self-drawn)."""
    items = []
    for seat in table.others(winner):
        items.append(
            item(payer, winner, win_share(table, worth, seat, winner), reason="win", of=seat, rule=rule)
        )
    if discarder is not None:
        items.append(item(payer, winner, 1, reason="discard", of=discarder, rule=rule))
    return items


def paid_by_each(table: Table, winner: int, worth: int, discarder: int | None) -> list[dict[str, Any]]:
    """R8.1: everybody pays his own share, the discarder 1 more."""
    items = []
    for seat in table.others(winner):
        items.append(
            item(seat, winner, win_share(table, worth, seat, winner), reason="win", of=seat, rule="R8.1")
        )
    if discarder is not None:
        items.append(item(discarder, winner, 1, reason="discard", of=discarder, rule="R8.1"))
    return items


def win_items(
    table: Table, by: str, discarder: int | None, *, winners: list[int], worth: list[int], fan: list[bool]
) -> list[dict[str, Any]]:
    """R8.1, R8.4 to R8.11: the payments for the win itself.

    ``worth`` (V) and ``fan`` (has a licence or isn't plain) go with ``winners``.  ``discarder`` is
    None for a self-draw; for a robbed kong he is the konger (section 0).
    """
    items: list[dict[str, Any]] = []
    if len(winners) >= 2:  # R8.10, alone
        assert discarder is not None
        for winner, points in zip(winners, worth, strict=True):
            if table.options["multiple_wins_own_share"]:
                share = win_share(table, points, discarder, winner)
                items.append(item(discarder, winner, share, reason="win", of=discarder, rule="R8.10"))
                items.append(item(discarder, winner, 1, reason="discard", of=discarder, rule="R8.10"))
            else:
                items += paid_by_one(table, discarder, winner, points, discarder=discarder, rule="R8.10")
        return items

    winner, points = winners[0], worth[0]
    if discarder is None:
        liable = self_draw_liability(table, winner)
        if liable is not None:
            return paid_by_one(table, liable, winner, points, discarder=None, rule="R8.8")
        return paid_by_each(table, winner, points, None)

    clause = discarder_liability(table, by, winner, discarder, fan[0])
    if clause is not None:
        return paid_by_one(table, discarder, winner, points, discarder=discarder, rule=clause)
    feeder = feeder_of_four(table, winner)  # R8.11: only where no clause made the discarder liable
    if feeder is not None:
        return paid_by_one(table, feeder, winner, points, discarder=discarder, rule="R8.8")
    return paid_by_each(table, winner, points, discarder)


def kong_factor(meld: dict[str, Any], payer: int, options: dict[str, Any]) -> int:
    """R8.12, or R8.13 under ``kong_scoring = feeder_double``: how many B one player pays for a kong."""
    feeder_double = options["kong_scoring"] == "feeder_double"
    if meld["kind"] == "concealed_kong":
        return 2
    if meld["kind"] == "exposed_kong":
        return 2 if feeder_double and payer == meld["from"] else 1
    if feeder_double:  # an added kong
        return 3 if meld.get("back") else 2
    return 1


def kong_items(table: Table) -> list[dict[str, Any]]:
    """R8.12, R8.13; R8.5: the feeder of an exposed kong pays all its shares, each of its own size."""
    options = table.options
    items = []
    for owner in range(table.players):
        for meld in table.melds[owner]:
            if meld["kind"] not in ("exposed_kong", "added_kong", "concealed_kong"):
                continue
            for seat in table.others(owner):
                points = kong_factor(meld, seat, options) * stake(table, seat, owner)
                payer = seat
                rule = "R8.13" if options["kong_scoring"] == "feeder_double" else "R8.12"
                if options["discarder_pays_all"] and meld["kind"] == "exposed_kong":
                    payer = meld["from"]
                    rule = "R8.5"
                items.append(item(payer, owner, points, reason="kong", of=seat, rule=rule))
    return items


SEASONS = {34, 35, 36, 37}  # 春夏秋冬
PLANTS = {38, 39, 40, 41}  # 梅兰菊竹
FLOWER_NUMBER = {34: 1, 35: 2, 36: 3, 37: 4, 38: 1, 39: 2, 40: 3, 41: 4}  # R8.15
FLOWER_NUMBER_VARIANT = {34: 1, 35: 2, 36: 3, 37: 4, 38: 1, 39: 2, 40: 4, 41: 3}  # R8.17: 竹 3, 菊 4


def flower_factor(flowers: list[int], options: dict[str, Any]) -> tuple[int, str]:
    """R8.14 to R8.17: how many B each other player pays for laid-out flowers, and by which clause."""
    held = set(flowers)
    count = len(held)
    full_set = held.issuperset(SEASONS) or held.issuperset(PLANTS)
    run = {FLOWER_NUMBER[flower] for flower in held} == {1, 2, 3, 4}
    if options["flower_hu"] == "count":  # R8.14
        return {7: 1, 8: 2}.get(count, 0), "R8.14"
    if options["flower_hu"] == "four_set":  # R8.14
        if count == 8:
            return 2, "R8.14"
        return (1 if full_set else 0), "R8.14"
    if options["flower_hu"] == "true_false":  # R8.17
        if full_set:
            return 2 + (count - 4), "R8.17"
        if {FLOWER_NUMBER_VARIANT[flower] for flower in held} == {1, 2, 3, 4}:
            return 1 + (count - 4), "R8.17"
        return 0, "R8.17"
    best = (0, "none")
    if options["flower_run"] and run:  # R8.15
        best = (2 if count == 8 else 1, "R8.15")
    if options["flower_set"] and full_set and count - 2 > best[0]:  # R8.16: the higher only
        best = (count - 2, "R8.16")
    return best


def flower_items(table: Table) -> list[dict[str, Any]]:
    """R8.14 to R8.18: what the others pay for each seat's flowers; no liability."""
    items = []
    for owner in range(table.players):
        factor, rule = flower_factor(table.flowers[owner], table.options)
        if factor == 0:
            continue
        for seat in table.others(owner):
            items.append(
                item(seat, owner, factor * stake(table, seat, owner), reason="flower", of=seat, rule=rule)
            )
    return items


def follow_items(table: Table, followed: list[int]) -> list[dict[str, Any]]:
    """R8.19: each seat that owes it pays each of the others 1 x B.  Taken as given (F2)."""
    items = []
    for payer in followed:
        for seat in table.others(payer):
            items.append(
                item(payer, seat, stake(table, payer, seat), reason="follow", of=payer, rule="R8.19")
            )
    return items


# ------------------------------------------------------------------------------------------------
# A score request (F2)
# ------------------------------------------------------------------------------------------------


def score(request: dict[str, Any]) -> dict[str, Any]:
    """F2: the answer to a valid score request.  Bad input is not looked for."""
    players: int = request.get("players", 4)
    options = resolve(request.get("rules", {}), players)
    dealer: int = request.get("dealer", 0)
    round_wind = parse_tiles(request.get("round_wind", "1z"))[0]
    wild = wild_kind(request.get("wild"), options)
    seats: list[dict[str, Any]] = request["seats"]
    end: dict[str, Any] = request["end"]
    by: str = end["by"]
    table = Table(
        options=options,
        players=players,
        dealer=dealer,
        streak=request.get("streak", 0),
        ga=request.get("ga", [0] * players),
        remaining=request.get("remaining", 60),
        melds=[seat.get("melds", []) for seat in seats],
        flowers=[parse_tiles(seat.get("flowers", "")) for seat in seats],
    )
    winners: list[int] = [] if by == "draw" else end["winners"]
    evaluations: list[Evaluation] = []
    worth: list[int] = []
    for winner in winners:
        tile = parse_tiles(end["tile"])[0]
        # R5.9: a discarded wild tile is won as its own kind; a self-drawn one is wild
        natural = tile if by != "self_draw" and tile == wild else None
        evaluation = evaluate(
            concealed=[*parse_tiles(seats[winner].get("hand", "")), tile],
            melds=table.melds[winner],
            wild=wild,
            natural=natural,
            options=options,
            position=(winner - dealer) % players,
            round_wind=round_wind,
            flowers=table.flowers[winner],
        )
        if not evaluation.win:
            return {"legal": False, "why": "not a winning hand (R5)"}
        if not licensed(evaluation, by, options):
            return {"legal": False, "why": "no licence (R6.1)"}
        evaluations.append(evaluation)
        ready = bool(seats[winner].get("ready", False))
        worth.append(value(evaluation.T, by, end.get("way"), ready, options))

    items = follow_items(table, request.get("followed", []))
    if winners:
        discarder = None if by == "self_draw" else end["from"]
        fan = [has_fan(evaluation) for evaluation in evaluations]
        items += win_items(table, by, discarder, winners=winners, worth=worth, fan=fan)
    if winners or options["score_draws"]:  # R8.12, R8.18
        items += kong_items(table)
        items += flower_items(table)

    payments = [0] * players
    for entry in items:
        payments[entry["payer"]] -= entry["points"]
        payments[entry["payee"]] += entry["points"]
    return {
        "legal": True,
        "why": None,
        "winners": [
            {
                "seat": winner,
                "patterns": list(evaluation.patterns),
                "licences": list(evaluation.licences),
                "T": evaluation.T,
                "V": points,
            }
            for winner, evaluation, points in zip(winners, evaluations, worth, strict=True)
        ],
        "payments": payments,
        "items": items,
    }
