"""How likely each discard is to be won by somebody, and what that would cost."""

from typing import Final

import numpy as np

from hainan.engine.jit import kernel, whole
from hainan.engine.ledger import claimed_from, in_last_tiles, joined_by, stake
from hainan.engine.record import Record
from hainan.engine.winning import Facts, lasting_licence, open_facts
from hainan.rules.terms import Scoring


@kernel
def rounds_gone(t: Record, mind: Record) -> int:
    """Rounds since the deal."""
    return max(0, (18 if t.sheet.players == 4 else 29) - whole(mind.cycles))


WAITS: Final = np.array(
    [
        [0.0, 0.01, 0.03, 0.14, 0.2, 0.25, 0.3],
        [0.01, 0.02, 0.06, 0.18, 0.35, 0.6, 0.75],
        [0.1, 0.11, 0.21, 0.31, 0.45, 0.65, 0.75],
        [0.6, 0.6, 0.67, 0.73, 0.83, 0.87, 0.95],
    ]
)
"""How often a player waits, by his melds and the rounds gone, by threes."""
WAITED: Final = np.array(
    [
        [0.0, 0.002, 0.006, 0.032, 0.032],  # honors
        [0.01, 0.01, 0.017, 0.036, 0.036],  # 1 and 9
        [0.014, 0.015, 0.04, 0.084, 0.084],
        [0.025, 0.037, 0.054, 0.09, 0.09],
        [0.012, 0.022, 0.052, 0.098, 0.098],
        [0.025, 0.05, 0.066, 0.113, 0.113],  # 5
    ]
)
"""How often a waiting player waits on a kind, by where it stands and how many copies are unseen."""

UNSAFE: Final = 1.6
"""How much likelier a kind is waited on that isn't safe: WAITED counts the safe ones too (``mark_safe``)."""


@kernel
def waiting_chance(t: Record, other: int, mind: Record) -> float:
    """How likely a player is to wait."""
    melds = whole(t.n_melds[other])
    if t.is_ready[other] != 0 or melds == 4:
        return 1.0
    gone = rounds_gone(t, mind)
    if t.sheet.players == 3:
        gone = gone * 3 // 4
    return float(WAITS[melds, min(6, (gone + 2) // 3)])


@kernel
def kind_chance(kind: int, left: int) -> float:
    """How likely a waiting player is to wait on a kind."""
    place = 0 if kind >= 27 else 1 + min(kind % 9, 8 - kind % 9)
    return UNSAFE * float(WAITED[place, left])


@kernel
def visible_licence(t: Record, other: int, facts: Facts) -> bool:
    """A licence that can be seen: closed, a position flower, a set that counts."""
    return facts.closed or lasting_licence(t, other, facts)


@kernel
def suspected(facts: Facts, melds: int) -> int:
    """The one suit of two melds or more, or -1."""
    if melds < 2:
        return -1
    if facts.suits == 1 or facts.suits == 0:
        return 0 if facts.suits == 1 else -1
    if facts.suits == 2:
        return 1
    return 2 if facts.suits == 4 else -1


@kernel
def likely_value(t: Record, other: int, facts: Facts, melds: int) -> float:
    """V that a player's hand probably has on a discard."""
    lingao = t.sheet.scoring == Scoring.LINGAO
    value = 1.3 if lingao else 1.15
    if suspected(facts, melds) >= 0:
        value += 0.8 * (melds - 1) if lingao else 0.2
    if melds >= 2 and facts.pongs:
        value += 0.5 * melds if lingao else 0.3
    return value + whole(t.is_ready[other] != 0)


@kernel
def price(t: Record, seat: int, other: int, value: float) -> float:
    """What it costs to let a player win by one's discard (R8.1, R8.5, R8.7, R8.9)."""
    liable = t.sheet.discarder_pays_all != 0 or in_last_tiles(t)
    if t.sheet.meld_liability != 0 and joined_by(t, seat, other, 3):
        liable = True
    stakes = 0
    for payer in range(whole(t.sheet.players)):
        if payer != other and (liable or payer == seat):
            stakes += stake(t, payer, other)
    return value * stakes + 1.0


@kernel
def feeding(t: Record, seat: int, other: int, kind: int, value: float, mind: Record) -> float:
    """What a third (or fourth) meld fed to a player costs: from then on one pays for all (R8.7, R8.8)."""
    fed = claimed_from(t, other, seat)
    if t.sheet.meld_liability == 0 or fed < 2 or fed > 3 or kind == t.wild:
        return 0.0
    takes = 0.05 * mind.left[kind]
    if kind < 27 and other == (seat + 1) % t.sheet.players and t.sheet.no_chow == 0:
        takes += 0.25
    share = 0.25 if fed == 2 else 0.5 * t.sheet.four_melds
    return float(takes * share * value * mind.stakes)


@kernel
def mark_safe(t: Record, other: int, factor: Record) -> None:
    """Lower the danger of what a player let go himself, and of what passed him since: he would have won it,
    or is locked (R9.1)."""
    last = -1
    for index in range(whole(t.n_discards)):
        if t.discard_seat[index] == other:
            last = index
            kind = whole(t.discard_tile[index])
            factor[kind] = 0.5
    for index in range(max(0, last), whole(t.n_discards)):
        factor[t.discard_tile[index]] = 0.04


@kernel
def fear(t: Record, seat: int, other: int, mind: Record) -> None:
    """Add one player to the danger of each kind."""
    facts = open_facts(t, other)
    melds = whole(t.n_melds[other])
    waits = waiting_chance(t, other, mind)
    if t.sheet.require_fan != 0 and not visible_licence(t, other, facts):
        waits *= 0.6
    suit = suspected(facts, melds)
    value = likely_value(t, other, facts, melds)
    cost = price(t, seat, other, value)
    for kind in range(34):
        mind.factor[kind] = 1.0
    mark_safe(t, other, mind.factor)
    for kind in range(34):
        chance = waits * kind_chance(kind, whole(mind.left[kind])) * mind.factor[kind]
        if suit >= 0 and kind < 27:
            chance *= 1.6 if kind // 9 == suit else 0.6
        mind.deal_in[kind] += chance
        mind.cost[kind] += chance * cost + feeding(t, seat, other, kind, value, mind)


@kernel
def look_for_danger(t: Record, seat: int, mind: Record) -> None:
    """Fill ``mind.deal_in`` and ``mind.cost`` for each kind that could be let go now."""
    for kind in range(34):
        mind.deal_in[kind] = 0.0
        mind.cost[kind] = 0.0
    for other in range(whole(t.sheet.players)):
        if other != seat:
            fear(t, seat, other, mind)
