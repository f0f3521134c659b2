"""What a hand is worth: its plans, their chances, and what each would bring.

A hand here is one of 13 tiles, less three a meld: after a discard, or while another plays. Its value is in
points, against never winning it: what a win pays and what the others then don't take.
"""

from typing import Final

from hainan.bots.minds import LEVELS, WIDTH, Level, Pace
from hainan.bots.outlook import paid
from hainan.bots.plans import (
    ALL_GROUPS,
    Alike,
    Keys,
    Plan,
    alike,
    chows_missing,
    kept,
    keys_of,
    mark_chows,
    mark_sets,
    moved,
    orphans_missing,
    pairs_missing,
    pongs_missing,
    sets_missing,
)
from hainan.engine.jit import kernel, whole
from hainan.engine.record import Record
from hainan.engine.shapes import ORPHANS, is_complete
from hainan.engine.tables import FAR, Shapes
from hainan.engine.winning import (
    Facts,
    allowed_chow_pairs,
    hand_score,
    is_licensed,
    judge,
    lasting_licence,
    meld_facts,
    seat_position,
    win_value,
)
from hainan.rules.terms import By, Pattern, Scoring, Way

COLOUR_COMES: Final = 0.9
"""Of the tiles of one colour that one counts on, as many come: the others see what is collected."""
AND_ALSO: Final = 0.2
"""Part of the second plan's value that the first doesn't have."""
DEAD_WAIT: Final = 8.0
"""Tiles that help a hand whose waits are all gone."""

# ---------------------------------------------------------------- chances and gains


@kernel
def chance_of(mind: Record, pace: int, missing: int, useful: float) -> float:
    """Chance to win with so many tiles missing and so many useful ones."""
    if useful <= 0.0 or missing >= LEVELS:
        return 0.0
    most = min(useful, WIDTH - 1.001)
    low = int(most)
    part = most - low
    row = mind.chance[mind.table, pace, missing, mind.cycles]
    return float(row[low] * (1.0 - part) + row[low + 1] * part)


@kernel
def givers(t: Record, mind: Record) -> float:
    """How often the others together give a tile that one can call, against drawing it."""
    return float(mind.called * (whole(t.sheet.players) - 1))


@kernel
def losers(t: Record, closed: bool, mind: Record) -> float:
    """How often the others together give the tile that one wins on, against drawing it."""
    return float(mind.lost[1 if closed else 0] * (whole(t.sheet.players) - 1))


@kernel
def gain_of(t: Record, mind: Record, score: int, licensed: bool) -> float:
    """What a win with this T brings, on average over the ways of winning it."""
    if not licensed:
        return paid(t, mind, 2 * score)
    given = losers(t, True, mind)
    return (paid(t, mind, 2 * score) + given * (paid(t, mind, score) + 1.0)) / (1.0 + given)


@kernel
def consider(mind: Record, pace: int, missing: int, useful: float, gain: float) -> None:
    """Take a plan into account: the best is kept, and the second best."""
    win = chance_of(mind, pace, missing, useful)
    value = win * (gain + mind.loss * mind.others)
    if value > mind.value:
        mind.second = mind.value
        mind.value = value
        mind.win = win
    elif value > mind.second:
        mind.second = value


@kernel
def is_lasting(t: Record, seat: int, mind: Record, facts: Facts) -> bool:
    """A licence that further calls can't lose (R6.5 to R6.7, R6.9), or none needed (R6.1); a beginner
    doesn't ask."""
    unasked = mind.level == Level.EASY or t.sheet.require_fan == 0
    return unasked or lasting_licence(t, seat, facts)


# ---------------------------------------------------------------- useful tiles, weighed


@kernel
def clear_useful(mind: Record) -> None:
    """Nothing is useful yet."""
    for kind in range(34):
        mind.useful[kind] = 0


@kernel
def drawn_tiles(t: Record, mind: Record) -> float:
    """Useful tiles, as one draws them."""
    tiles = 0
    for kind in range(34):
        if mind.useful[kind] != 0 or kind == t.wild:
            tiles += mind.left[kind]
    return float(tiles)


@kernel
def called_tiles(t: Record, seat: int, mind: Record) -> float:
    """Useful tiles, with those that may be ponged from three or chowed from one."""
    pong = givers(t, mind)
    chow = float(mind.called) if t.sheet.no_chow == 0 else 0.0
    tiles = 0.0
    for kind in range(34):
        if mind.left[kind] == 0:
            continue
        if kind == t.wild:
            tiles += mind.left[kind]
        elif mind.useful[kind] != 0:
            given = pong if t.hand[seat, kind] >= 2 else (chow if kind < 27 else 0.0)
            tiles += mind.left[kind] * (1.0 + given)
    return tiles


# ---------------------------------------------------------------- a waiting hand, wait by wait


@kernel
def waiting_worth(t: Record, shapes: Shapes, seat: int, mind: Record) -> bool:
    """Take into account the waits that a hand has, each with its licence and its T; False if it has none."""
    drawn = 0.0
    given = 0.0
    gain = 0.0
    others = losers(t, meld_facts(t, seat).closed, mind)
    waits = False
    for kind in range(34):
        if mind.left[kind] == 0 or not is_complete(t, shapes, seat, kind):
            continue
        waits = True
        tiles = float(mind.left[kind])
        judged = judge(t, shapes, seat, kind)
        score = judged.rank // 4096
        drawn += tiles
        gain += tiles * paid(t, mind, win_value(t, seat, score, By.SELF_DRAW.value, Way.NONE.value))
        if mind.level == Level.EASY or is_licensed(t, judged):
            value = win_value(t, seat, score, By.DISCARD.value, Way.NONE.value)
            given += tiles
            gain += others * tiles * (paid(t, mind, value) + 1.0)
    if waits:
        weight = drawn + others * given
        consider(mind, Pace.CLOSED.value, 1, weight, gain / weight)
    return waits


# ---------------------------------------------------------------- sets and a pair


@kernel
def eye_worth(t: Record, shapes: Shapes, seat: int, keys: Keys, gain: float, mind: Record) -> None:
    """An open hand licensed by a 2, 5 or 8 as its pair (R6.4), of those that it holds."""
    sets = 4 - whole(t.n_melds[seat])
    wild = whole(t.n_wild[seat])
    for index in range(9):
        kind = 3 * index + 1
        copies = min(2, whole(t.hand[seat, kind]))
        if kind == t.wild or copies == 0 or (copies == 1 and mind.left[kind] == 0 and wild == 0):
            continue
        rest = moved(keys, kind, -copies)
        more = sets_missing(shapes, sets, False, rest)
        missing = max(1, 2 - copies + more - wild)
        if missing > mind.floor[Plan.SETS] + 2:
            continue
        clear_useful(mind)
        mark_sets(shapes, sets, False, rest, ALL_GROUPS, more, mind)
        if copies == 1:
            mind.useful[kind] = 1
        consider(mind, Pace.OPEN.value, missing, called_tiles(t, seat, mind), gain)


@kernel
def honor_worth(t: Record, shapes: Shapes, seat: int, keys: Keys, gain: float, mind: Record) -> None:
    """An open hand licensed by a set of dragons or of a wind that counts (R6.5 to R6.7)."""
    sets = 4 - whole(t.n_melds[seat])
    wild = whole(t.n_wild[seat])
    own = 27 + seat_position(t, seat)
    for kind in range(27, 34):
        counts = kind >= 31 or kind == own or (t.sheet.round_wind != 0 and kind == 27 + t.round_wind)
        copies = min(3, whole(t.hand[seat, kind]))
        if not counts or copies == 0 or kind == t.wild or sets == 0:
            continue
        if 3 - copies > mind.left[kind] + wild:
            continue
        rest = moved(keys, kind, -copies)
        more = sets_missing(shapes, sets - 1, True, rest)
        missing = max(1, 3 - copies + more - wild)
        if missing > mind.floor[Plan.SETS] + 2:
            continue
        clear_useful(mind)
        mark_sets(shapes, sets - 1, True, rest, ALL_GROUPS, more, mind)
        if copies < 3:
            mind.useful[kind] = 1
        consider(mind, Pace.OPEN.value, missing, called_tiles(t, seat, mind), gain)


@kernel
def chows_worth(t: Record, shapes: Shapes, seat: int, keys: Keys, gain: float, mind: Record) -> None:
    """An open hand licensed by sequences alone (R6.2)."""
    sets = 4 - whole(t.n_melds[seat])
    allowed = allowed_chow_pairs(t, seat) // 8192
    honor_pair = FAR
    for wind in range(4):
        if allowed & (1 << wind) != 0:
            honor_pair = min(honor_pair, 2 - min(2, whole(t.hand[seat, 27 + wind])))
    more = chows_missing(shapes, sets, keys, honor_pair)
    missing = max(1, more - whole(t.n_wild[seat]))
    if missing > mind.floor[Plan.SETS] + 2:
        return
    clear_useful(mind)
    mark_chows(shapes, sets, keys, honor_pair, more, mind)
    for wind in range(4):
        if allowed & (1 << wind) != 0 and t.hand[seat, 27 + wind] == 1:
            mind.useful[27 + wind] = 1
    consider(mind, Pace.OPEN.value, missing, called_tiles(t, seat, mind), gain)


@kernel
def sets_worth(t: Record, shapes: Shapes, seat: int, keys: Keys, more: int, mind: Record) -> None:
    """Sets and a pair, with the licence that the hand has or may get."""
    missing = max(1, more - whole(t.n_wild[seat]))
    facts = meld_facts(t, seat)
    gain = gain_of(t, mind, 1, True)
    if missing == 1:  # it waits on tiles that are all gone: it has to change first
        consider(mind, Pace.CLOSED.value, 2, DEAD_WAIT, gain_of(t, mind, 1, facts.closed))
        return
    clear_useful(mind)
    mark_sets(shapes, 4 - whole(t.n_melds[seat]), True, keys, ALL_GROUPS, more, mind)
    if facts.closed:
        consider(mind, Pace.CLOSED.value, missing, drawn_tiles(t, mind), gain)
    if is_lasting(t, seat, mind, facts):
        consider(mind, Pace.OPEN.value, missing, called_tiles(t, seat, mind), gain)
    elif not facts.closed:
        alone = gain_of(t, mind, 1, False)
        consider(mind, Pace.UNLICENSED.value, missing, called_tiles(t, seat, mind), alone)
        eye_worth(t, shapes, seat, keys, gain, mind)
        honor_worth(t, shapes, seat, keys, gain, mind)
        if facts.chows:
            chows_worth(t, shapes, seat, keys, gain, mind)


# ---------------------------------------------------------------- the other plans


@kernel
def score_of(t: Record, pattern: int) -> int:
    """T of a pattern by itself."""
    return hand_score(t, 1 << pattern)


@kernel
def pairs_worth(t: Record, seat: int, missing: int, mind: Record) -> None:
    """Seven pairs."""
    tiles = 0
    for kind in range(34):
        if t.hand[seat, kind] % 2 == 1 and kind != t.wild:
            tiles += mind.left[kind]
    gain = gain_of(t, mind, score_of(t, Pattern.SEVEN_PAIRS.value), True)
    consider(mind, Pace.PAIRS.value, max(1, missing), float(tiles), gain)


@kernel
def orphans_worth(t: Record, seat: int, missing: int, mind: Record) -> None:
    """Thirteen orphans: kinds that are missing, and any of them while there is no pair."""
    paired = False
    for kind in ORPHANS:
        if t.hand[seat, kind] >= 2:
            paired = True
    tiles = 0
    for kind in ORPHANS:
        if t.hand[seat, kind] == 0 or not paired:
            tiles += mind.left[kind]
    gain = gain_of(t, mind, score_of(t, Pattern.THIRTEEN_ORPHANS.value), True)
    consider(mind, Pace.KINDS.value, max(1, missing), float(tiles), gain)


@kernel
def pongs_worth(t: Record, seat: int, missing: int, found: Alike, mind: Record) -> None:
    """All pongs: pairs may be ponged from anybody, singles only drawn."""
    sets = 4 - whole(t.n_melds[seat])
    short = found.triplets + found.pairs <= sets
    pong = givers(t, mind)
    tiles = 0.0
    for kind in range(34):
        copies = t.hand[seat, kind]
        if kind == t.wild:
            tiles += mind.left[kind]
        elif copies == 2:
            tiles += mind.left[kind] * (1.0 + pong)
        elif copies == 1 and short:
            tiles += mind.left[kind]
    gain = gain_of(t, mind, score_of(t, Pattern.ALL_PONGS.value), True)
    consider(mind, Pace.PONGS.value, max(1, missing), tiles, gain)


@kernel
def groups_of(plan: int) -> int:
    """The groups that a colour plan keeps, as bits."""
    if plan >= Plan.PURE:
        return 1 << (plan - Plan.PURE)
    return 8 | 1 << (plan - Plan.HALF)


@kernel
def colour_worth(t: Record, shapes: Shapes, seat: int, keys: Keys, plan: int, mind: Record) -> None:
    """Half flush or pure suit."""
    groups = groups_of(plan)
    rest = kept(keys, groups)
    more = sets_missing(shapes, 4 - whole(t.n_melds[seat]), True, rest)
    missing = max(1, more - whole(t.n_wild[seat]))
    if missing > mind.floor[plan] + 1:
        return
    clear_useful(mind)
    mark_sets(shapes, 4 - whole(t.n_melds[seat]), True, rest, groups, more, mind)
    pattern = Pattern.PURE_SUIT.value if plan >= Plan.PURE else Pattern.HALF_FLUSH.value
    score = score_of(t, pattern) if plan >= Plan.PURE or t.sheet.scoring == Scoring.LINGAO else 1
    gain = gain_of(t, mind, score, plan >= Plan.PURE or t.sheet.half_flush != 0)
    consider(mind, Pace.OPEN.value, missing, COLOUR_COMES * called_tiles(t, seat, mind), gain)


# ---------------------------------------------------------------- which plans, and the whole


@kernel
def melds_allow(t: Record, facts: Facts, plan: int) -> bool:
    """Whether melds made so far leave a plan possible."""
    if plan == Plan.PONGS:
        return facts.pongs
    groups = groups_of(plan)
    return facts.suits & ~groups == 0 and (not facts.honors or plan < Plan.PURE)


@kernel
def plan_missing(t: Record, shapes: Shapes, seat: int, keys: Keys, plan: int) -> int:
    """Tiles missing to one of the plans beside sets."""
    sets = 4 - whole(t.n_melds[seat])
    if plan == Plan.PAIRS:
        return pairs_missing(t, shapes, keys, seat) if sets == 4 else FAR
    if plan == Plan.ORPHANS:
        return orphans_missing(t, shapes, keys, seat) if sets == 4 else FAR
    if plan == Plan.PONGS:
        return pongs_missing(sets, alike(t, seat), whole(t.n_wild[seat]))
    return max(0, sets_missing(shapes, sets, True, kept(keys, groups_of(plan))) - whole(t.n_wild[seat]))


@kernel
def patience(t: Record, mind: Record, plan: int, closed: bool) -> int:
    """How many tiles further than plain sets a plan may be to be worth a look; negative: never."""
    if plan == Plan.PAIRS:
        return 1
    if plan == Plan.ORPHANS:
        return 2 if mind.level < Level.STRONG else 3
    if mind.level == Level.STRONG:
        return 2 if t.sheet.scoring == Scoring.LINGAO else 1
    return -1 if closed or mind.level == Level.EASY else 1


@kernel
def survey(t: Record, shapes: Shapes, seat: int, mind: Record) -> None:
    """Find the plans that are worth a look in this decision, from the hand before any discard."""
    keys = keys_of(t, seat)
    facts = meld_facts(t, seat)
    more = sets_missing(shapes, 4 - whole(t.n_melds[seat]), True, keys)
    nearest = max(0, more - whole(t.n_wild[seat]))
    mind.floor[Plan.SETS] = nearest
    mind.plans = 1
    for plan in range(Plan.PAIRS, Plan.COUNT):
        slack = patience(t, mind, plan, facts.closed)
        if slack < 0 or (plan >= Plan.PONGS and not melds_allow(t, facts, plan)):
            continue
        missing = plan_missing(t, shapes, seat, keys, plan)
        mind.floor[plan] = missing
        if missing <= nearest + slack:
            mind.plans |= 1 << plan


@kernel
def if_planned(t: Record, shapes: Shapes, seat: int, keys: Keys, plan: int, mind: Record) -> int:
    """Tiles missing to a plan that is worth a look, else ``FAR``."""
    return plan_missing(t, shapes, seat, keys, plan) if mind.plans & (1 << plan) != 0 else FAR


@kernel
def hand_worth(t: Record, shapes: Shapes, seat: int, mind: Record) -> None:
    """Fill ``mind.value`` and ``mind.win`` for a hand, over the plans that ``survey`` found."""
    mind.value = 0.0
    mind.second = 0.0
    mind.win = 0.0
    keys = keys_of(t, seat)
    wild = whole(t.n_wild[seat])
    more = sets_missing(shapes, 4 - whole(t.n_melds[seat]), True, keys)
    pairs = if_planned(t, shapes, seat, keys, Plan.PAIRS.value, mind)
    orphans = if_planned(t, shapes, seat, keys, Plan.ORPHANS.value, mind)
    waits = False
    if min(more - wild, pairs, orphans) <= 1:
        waits = waiting_worth(t, shapes, seat, mind)
    if more - wild <= mind.floor[Plan.SETS] and not waits:
        sets_worth(t, shapes, seat, keys, more, mind)
    if 1 < pairs <= mind.floor[Plan.PAIRS]:
        pairs_worth(t, seat, pairs, mind)
    if 1 < orphans <= mind.floor[Plan.ORPHANS]:
        orphans_worth(t, seat, orphans, mind)
    if mind.plans >> Plan.PONGS != 0:
        far_worth(t, shapes, seat, keys, mind)
    mind.value += AND_ALSO * mind.second


@kernel
def far_worth(t: Record, shapes: Shapes, seat: int, keys: Keys, mind: Record) -> None:
    """The plans that score more or bring a licence: pongs and colours."""
    if mind.plans & (1 << Plan.PONGS) != 0:
        found = alike(t, seat)
        missing = pongs_missing(4 - whole(t.n_melds[seat]), found, whole(t.n_wild[seat]))
        if 1 < missing <= mind.floor[Plan.PONGS] + 1:
            pongs_worth(t, seat, missing, found, mind)
    for plan in range(Plan.HALF, Plan.COUNT):
        if mind.plans & (1 << plan) != 0:
            colour_worth(t, shapes, seat, keys, plan, mind)
