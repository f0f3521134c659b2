"""From a complete hand to its licences, patterns and scores (sections 5 to 7).

Facts of a reading are gathered once (``Facts``), then licences and patterns are short predicates over
them. One ``Facts`` stands for all readings with the same wild tiles in each group: bits of the suit
tables say what some of these readings allow.
"""

from typing import Final, NamedTuple

from hainan.engine.jit import kernel, whole
from hainan.engine.record import Record
from hainan.engine.shapes import (
    Hand,
    hand_with,
    is_orphan,
    is_scattered,
    is_seven_pairs,
    is_thirteen_orphans,
    natural_copies,
    odd_kinds,
    one_pair,
)
from hainan.engine.tables import Bit, Shapes
from hainan.rules.terms import By, Licence, MeldKind, Pattern, Scoring, Stacking, Way


class Facts(NamedTuple):
    """What licences and patterns ask about, for hand and melds together."""

    suits: int  # bits 1 2 4: m p s present
    honors: bool
    chows: bool  # every set a sequence, no forbidden pair (R6.2)
    pongs: bool  # every set a triplet or kong
    terminals: bool  # and nothing but terminals and honors
    eye: bool  # a suited 2, 5 or 8 as the pair
    dragon_set: bool
    wind_sets: int  # bits 1 2 4 8
    closed: bool  # no meld that breaks 门清


class Judged(NamedTuple):
    """What a hand is worth. ``rank`` orders readings (R5.8); no reading at all has rank 0."""

    rank: int
    patterns: int
    licences: int


@kernel
def nothing() -> Judged:
    """No winning hand."""
    return Judged(0, 0, 0)


# ---------------------------------------------------------------- facts


@kernel
def seat_position(t: Record, seat: int) -> int:
    """0 dealer (East), 1 South, 2 West, 3 North (section 0)."""
    return whole((seat - t.dealer) % t.sheet.players)


@kernel
def meld_facts(t: Record, seat: int) -> Facts:
    """The facts of the melds alone, as if the rest were empty."""
    return facts_of_melds(t, seat, True)


@kernel
def open_facts(t: Record, seat: int) -> Facts:
    """The same as far as everybody sees it: of a concealed kong face down only that it is one (R3.9)."""
    return facts_of_melds(t, seat, t.sheet.show_concealed_kongs != 0)


@kernel
def facts_of_melds(t: Record, seat: int, all_known: bool) -> Facts:
    """The facts of the melds, with or without the tiles of concealed kongs."""
    suits = 0
    honors = False
    chows = True
    pongs = True
    terminals = True
    dragon_set = False
    wind_sets = 0
    closed = True
    for meld in range(whole(t.n_melds[seat])):
        kind = whole(t.meld_kind[seat, meld])
        tile = whole(t.meld_tile[seat, meld])
        if kind == MeldKind.CONCEALED_KONG and not all_known:
            chows = False
            closed = closed and t.sheet.concealed_kong_keeps_concealed != 0
            continue
        if tile >= 27:
            honors = True
            if tile >= 31:
                dragon_set = True
            else:
                wind_sets |= 1 << (tile - 27)
        else:
            suits |= 1 << (tile // 9)
        if kind == MeldKind.CHOW:
            pongs = False
        else:
            chows = False
        if kind == MeldKind.CHOW or not is_orphan(tile):
            terminals = False
        if kind != MeldKind.CONCEALED_KONG or t.sheet.concealed_kong_keeps_concealed == 0:
            closed = False
    return Facts(suits, honors, chows, pongs, terminals, False, dragon_set, wind_sets, closed)


@kernel
def allowed_chow_pairs(t: Record, seat: int) -> int:
    """Wind pairs that only chows may have, as bits of WIND_PAIR (R6.2)."""
    allowed = 15 & ~(1 << seat_position(t, seat))
    if t.sheet.chow_pair_excludes_round_wind != 0 and t.sheet.round_wind != 0:
        allowed &= ~(1 << t.round_wind)
    return whole(allowed) * Bit.WIND_PAIR


@kernel
def standard_facts(
    melds: Facts, m: int, p: int, s: int, z: int, suits: int, honors: bool, chow_pairs: int
) -> Facts:
    """Facts of a standard hand from the bits of its four groups and what is present in them."""
    suited = m & p & s
    return Facts(
        melds.suits | suits,
        melds.honors or honors,
        melds.chows and suited & Bit.CHOWS != 0 and z & (Bit.CHOWS | chow_pairs) != 0,
        melds.pongs and suited & z & Bit.PONGS != 0,
        melds.terminals and suited & z & Bit.TERMINALS != 0,
        (m | p | s) & Bit.EYE != 0,
        melds.dragon_set or z & Bit.DRAGON_SET != 0,
        melds.wind_sets | ((z // Bit.WIND_SET) & 15),
        melds.closed,
    )


@kernel
def is_pure(facts: Facts) -> bool:
    """R5.6: tiles of one suit only."""
    return not facts.honors and (facts.suits == 1 or facts.suits == 2 or facts.suits == 4)


@kernel
def is_half(facts: Facts) -> bool:
    """R5.6: one suit and honors."""
    return facts.honors and (facts.suits == 1 or facts.suits == 2 or facts.suits == 4)


# ---------------------------------------------------------------- licences (R6.2 to R6.10)


@kernel
def flag(holds: bool, bit: int) -> int:
    """A bit of a set, if it holds."""
    return 1 << bit if holds else 0


@kernel
def common_licences(t: Record, seat: int, facts: Facts) -> int:
    """Licences that a hand of any shape can hold (R6.3, R6.8, R6.9, R6.10)."""
    position = seat_position(t, seat)
    return (
        flag(facts.closed, Licence.CONCEALED)
        | flag(is_half(facts) and t.sheet.half_flush != 0, Licence.HALF_FLUSH)
        | flag(whole(t.flowers[seat]) & (17 << position) != 0, Licence.POSITION_FLOWER)
        | flag(is_pure(facts), Licence.PURE_SUIT)
    )


@kernel
def standard_licences(t: Record, seat: int, facts: Facts) -> int:
    """All licences of a standard hand."""
    seat_wind = facts.wind_sets & (1 << seat_position(t, seat)) != 0
    round_wind = facts.wind_sets & (1 << t.round_wind) != 0 and t.sheet.round_wind != 0
    return (
        common_licences(t, seat, facts)
        | flag(facts.chows, Licence.ONLY_CHOWS)
        | flag(facts.eye, Licence.EYE)
        | flag(facts.dragon_set, Licence.DRAGON_SET)
        | flag(seat_wind, Licence.SEAT_WIND_SET)
        | flag(round_wind, Licence.ROUND_WIND_SET)
        | flag(facts.pongs, Licence.ALL_PONGS)
    )


LASTING: Final = sum(
    1 << licence
    for licence in (
        Licence.DRAGON_SET, Licence.SEAT_WIND_SET, Licence.ROUND_WIND_SET, Licence.POSITION_FLOWER
    )
)  # fmt: skip
"""Licences that no further meld can lose (R6.5 to R6.7, R6.9), as bits."""


@kernel
def lasting_licence(t: Record, seat: int, facts: Facts) -> bool:
    """Whether these facts hold a licence that lasts."""
    return standard_licences(t, seat, facts) & LASTING != 0


# ---------------------------------------------------------------- patterns and T (R7.1, R7.3)


@kernel
def colour(t: Record, facts: Facts) -> int:
    """The colour pattern that scores, as a bit, or 0."""
    if is_pure(facts):
        return 1 << Pattern.PURE_SUIT
    return flag(is_half(facts) and t.sheet.scoring == Scoring.LINGAO, Pattern.HALF_FLUSH)


@kernel
def standard_patterns(t: Record, facts: Facts) -> int:
    """The best patterns of a standard hand with these facts."""
    patterns = colour(t, facts)
    if facts.pongs:
        terminals = facts.terminals and (not facts.honors or t.sheet.honors_in_terminal_pongs != 0)
        if t.sheet.scoring == Scoring.LINGAO and terminals:
            patterns |= 1 << Pattern.TERMINAL_PONGS
        else:
            patterns |= 1 << Pattern.ALL_PONGS
    return patterns if patterns != 0 else 1 << Pattern.PLAIN


@kernel
def pattern_value(lingao: bool, pattern: int) -> int:
    """The points of one pattern (R7.1 Hainan, R7.3 Lingao)."""
    if pattern == Pattern.THIRTEEN_ORPHANS:
        return 13
    if pattern == Pattern.PLAIN:
        return 1
    if not lingao:
        return 3 if pattern == Pattern.LUXURY_SEVEN_PAIRS else 2
    if pattern == Pattern.ALL_PONGS:
        return 3
    if pattern == Pattern.SEVEN_PAIRS:
        return 4
    if pattern == Pattern.TERMINAL_PONGS:
        return 8
    return 2 if pattern == Pattern.HALF_FLUSH else 5  # pure suit, luxury


@kernel
def hand_score(t: Record, patterns: int) -> int:
    """T of a set of patterns; Lingao's shape and colour always multiply."""
    lingao = t.sheet.scoring == Scoring.LINGAO
    product = 1
    total = 0
    highest = 0
    for pattern in range(8):
        if patterns & (1 << pattern) != 0:
            value = pattern_value(lingao, pattern)
            product *= value
            total += value
            highest = max(highest, value)
    if lingao or t.sheet.stacking == Stacking.MULTIPLY:
        return product
    return total if t.sheet.stacking == Stacking.ADD else highest


@kernel
def rank_of(t: Record, patterns: int) -> int:
    """Readings in order (R5.8): by T, then most patterns, then the patterns that come first."""
    count = 0
    order = 0
    for pattern in range(8):
        if patterns & (1 << pattern) != 0:
            count += 1
            order |= 128 >> pattern
    return (hand_score(t, patterns) * 16 + count) * 256 + order


@kernel
def better(one: Judged, other: Judged) -> Judged:
    """Both together: the licences of either, the patterns of the higher (R5.8)."""
    licences = one.licences | other.licences
    if one.rank >= other.rank:
        return Judged(one.rank, one.patterns, licences)
    return Judged(other.rank, other.patterns, licences)


# ---------------------------------------------------------------- judging each shape


@kernel
def judge_standard(t: Record, shapes: Shapes, seat: int, hand: Hand) -> Judged:
    """R5.1 with every way to spend the wild tiles (R5.9)."""
    best = nothing()
    for in_m in range(hand.wild + 1):
        m = whole(shapes.suit[in_m, hand.m])
        if m & Bit.COMPLETE == 0:
            continue
        for in_p in range(hand.wild - in_m + 1):
            p = whole(shapes.suit[in_p, hand.p])
            if p & Bit.COMPLETE == 0:
                continue
            for in_s in range(hand.wild - in_m - in_p + 1):
                in_z = hand.wild - in_m - in_p - in_s
                s = whole(shapes.suit[in_s, hand.s])
                z = whole(shapes.honor[in_z, hand.z])
                if not one_pair(m, p, s, z):
                    continue
                suits = flag(hand.m + in_m > 0, 0) | flag(hand.p + in_p > 0, 1) | flag(hand.s + in_s > 0, 2)
                chow_pairs = allowed_chow_pairs(t, seat)
                facts = standard_facts(meld_facts(t, seat), m, p, s, z, suits, hand.z + in_z > 0, chow_pairs)
                patterns = standard_patterns(t, facts)
                reading = Judged(rank_of(t, patterns), patterns, standard_licences(t, seat, facts))
                best = better(best, reading)
    return best


@kernel
def unmelded_facts(suits: int, honors: bool) -> Facts:
    """Facts of a shape without sets."""
    return Facts(suits, honors, False, False, False, False, False, 0, True)


@kernel
def has_three(t: Record, seat: int, extra: int) -> bool:
    """Three or four of some kind: among seven pairs, always four in the end."""
    for kind in range(34):
        if natural_copies(t, seat, extra, kind) >= 3:
            return True
    return False


@kernel
def judge_seven_pairs(t: Record, seat: int, extra: int, hand: Hand) -> Judged:
    """R5.2; wild tiles that no odd kind needs pair up, in any group or upon a pair that is there."""
    best = nothing()
    spare = (hand.wild - odd_kinds(t, seat, extra)) // 2
    four = has_three(t, seat, extra)
    present = flag(hand.m > 0, 0) | flag(hand.p > 0, 1) | flag(hand.s > 0, 2) | flag(hand.z > 0, 3)
    for added in range(16):
        groups = (added & 1) + ((added >> 1) & 1) + ((added >> 2) & 1) + (added >> 3)
        if groups > spare:
            continue
        luxury = four or spare > groups
        facts = unmelded_facts((present | added) & 7, (present | added) & 8 != 0)
        shape = Pattern.LUXURY_SEVEN_PAIRS if luxury else Pattern.SEVEN_PAIRS
        patterns = colour(t, facts) | (1 << shape)
        licences = common_licences(t, seat, facts) | (1 << Licence.SEVEN_PAIRS)
        best = better(best, Judged(rank_of(t, patterns), patterns, licences))
    return best


@kernel
def judge_orphans(t: Record, seat: int) -> Judged:
    """R5.3 and R5.4: no colour, and it stacks with nothing."""
    patterns = 1 << Pattern.THIRTEEN_ORPHANS
    licences = common_licences(t, seat, unmelded_facts(7, True)) | (1 << Licence.THIRTEEN_ORPHANS)
    return Judged(rank_of(t, patterns), patterns, licences)


@kernel
def judge(t: Record, shapes: Shapes, seat: int, extra: int) -> Judged:
    """All readings of a hand with an extra tile taken as itself (-1: as it is); rank 0 if none.

    Flowers still in the hand prevent a win (R2.2).
    """
    if t.held_flowers[seat] != 0:
        return nothing()
    hand = hand_with(t, seat, extra)
    best = judge_standard(t, shapes, seat, hand)
    if t.n_melds[seat] == 0:
        if is_seven_pairs(t, shapes, seat, extra):
            best = better(best, judge_seven_pairs(t, seat, extra, hand))
        if is_thirteen_orphans(t, seat, extra):
            best = better(best, judge_orphans(t, seat))
        elif t.sheet.scattered_thirteen != 0 and is_scattered(t, seat, extra):
            best = better(best, judge_orphans(t, seat))
    return best


@kernel
def is_plain(judged: Judged) -> bool:
    """R6.1: no scoring pattern."""
    return judged.patterns == 1 << Pattern.PLAIN


@kernel
def is_licensed(t: Record, judged: Judged) -> bool:
    """R6.1: may this hand be won on a discard?"""
    return t.sheet.require_fan == 0 or judged.licences != 0 or not is_plain(judged)


# ---------------------------------------------------------------- V (R7.2, R7.3, R7.6)


@kernel
def win_value(t: Record, seat: int, score: int, by: int, way: int) -> int:
    """V of a hand score by the way of winning."""
    ready = whole(t.is_ready[seat] != 0)
    if by != By.SELF_DRAW:
        return score + ready
    if t.sheet.scoring == Scoring.LINGAO:
        if way == Way.NONE:
            return 2 * score + ready
        return (10 if way == Way.HEAVENLY or way == Way.EARTHLY else 3) * score + ready
    if way == Way.NONE:
        return 2 * score + ready
    if t.sheet.bloom_floor != 0:
        return max(2 * score, score + 2) + ready
    return score + 2 + ready
