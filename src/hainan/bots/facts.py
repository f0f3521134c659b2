"""What each legal action of a seat leads to, in numbers: what the sentences of advice rest on.

``explain`` weighs the actions as ``strong`` does and lays each out on a copy of the seat's view of its own.
"""

from enum import IntEnum
from typing import Any, Final

from hainan.bots.danger import price
from hainan.bots.minds import Level, Row
from hainan.bots.outlook import look_around
from hainan.bots.plans import Plan
from hainan.bots.weigh import weigh
from hainan.bots.worth import hand_worth, survey
from hainan.engine.claims import add_meld, lay_claim, pong_to_kong
from hainan.engine.distance import Scratch, seat_distance
from hainan.engine.hints import fill_waits, let_go, standing_licences
from hainan.engine.jit import entry, kernel, whole
from hainan.engine.ledger import claimed_from, in_last_tiles, joined_by, kong_times, stake
from hainan.engine.record import Phase, Record
from hainan.engine.shapes import add_tile
from hainan.engine.step import way_of_self_draw
from hainan.engine.tables import Shapes
from hainan.engine.view import unseen
from hainan.engine.winning import judge, win_value
from hainan.rules.actions import Act
from hainan.rules.terms import By, MeldKind, PayRule, Way

NO_PLAN: Final = -9
"""A floor that no hand reaches: the plan is left out."""


class Fact(IntEnum):
    """The columns of ``explain``'s facts, one row an action; seats and tiles are -1 where there is none."""

    MISSING = 0  # tiles from complete after it: 0 wins, 1 waits
    KINDS = 1  # kinds that bring the hand nearer, of which some are unseen
    TILES = 2  # how many of them are unseen
    LICENCES = 3  # bits held then; of a win, those it has
    WAITS = 4  # rows of ``waits``
    THEN = 5  # after a chow or pong: the discard that ``strong`` would make
    PLAN = 6  # Plan that the hand rests on
    LIABLE_RULE = 7  # PayRule that would make a discarder pay for all; SHARE: none
    LIABLE_SEAT = 8  # to whom; -1: to everybody
    LIABLE_POINTS = 9  # what that costs at least (V 1)
    FED_SEAT = 10  # who may claim the tile as his third or fourth meld from this seat
    FED = 11  # how many he holds so far
    BOUND = 12  # melds then claimed from the player whose tile is taken
    KONG = 13  # points of the kong if somebody wins (R8.12, R8.13)
    FOLLOW = 14  # points from the leader if all follow (R8.19)
    SAFE = 15  # 1: everybody let this kind go since he last discarded himself
    VALUE = 16  # V of a win
    PATTERNS = 17  # bits of a win's patterns


# ---------------------------------------------------------------- an action, laid out


@kernel
def call(t: Record, seat: int, action: int) -> None:
    """Take the tile that lies there."""
    lay_claim(t, seat, action)
    if t.n_discards > 0:
        t.discard_taken[t.n_discards - 1] = seat
    t.phase = Phase.TURN
    t.turn = seat
    t.drawn = 0


@kernel
def next_discard(t: Record, shapes: Shapes, seat: int, mind: Record, discards: Any, worths: Any) -> int:
    """What ``strong`` would discard from a hand that has just called."""
    n = 0
    for kind in range(34):
        if t.hand[seat, kind] > 0:
            discards[n] = Act.DISCARD + kind
            n += 1
    weigh(t, shapes, seat, Level.STRONG.value, discards, n, mind, worths)
    best = 0
    for row in range(1, n):
        if worths[row, Row.POINTS] > worths[best, Row.POINTS]:
            best = row
    return whole(discards[best]) - Act.DISCARD


@kernel
def own_kong(t: Record, seat: int, kind: int) -> None:
    """A concealed kong, or a tile added to a pong."""
    if t.hand[seat, kind] == 4:
        add_tile(t, seat, kind, -4)
        add_meld(t, seat, MeldKind.CONCEALED_KONG.value, kind, -1, -1)
        return
    add_tile(t, seat, kind, -1)
    pong_to_kong(t, seat, kind)


@kernel
def lay_out(
    t: Record, shapes: Shapes, seat: int, action: int, mind: Record, discards: Any, worths: Any, fact: Any
) -> None:
    """Change a view into what it is after an action; a win and a pass change nothing."""
    if action < Act.CHOW:
        let_go(t, seat, (action - Act.DISCARD) % 34)
        if action >= Act.READY:
            t.is_ready[seat] = 1
    elif action < Act.KONG:
        call(t, seat, action)
        fact[Fact.THEN] = next_discard(t, shapes, seat, mind, discards, worths)
        let_go(t, seat, whole(fact[Fact.THEN]))
    elif action == Act.KONG:
        call(t, seat, action)
    elif action < Act.WIN:
        own_kong(t, seat, action - Act.OWN_KONG)


# ---------------------------------------------------------------- the hand after it


@kernel
def count_useful(t: Record, shapes: Shapes, seat: int, work: Scratch, fact: Any) -> None:
    """Kinds and tiles that bring the hand nearer."""
    missing = whole(fact[Fact.MISSING])
    for kind in range(34):
        left = unseen(t, seat, kind)
        if left <= 0:
            continue
        add_tile(t, seat, kind, 1)
        if seat_distance(t, shapes, seat, work) < missing:
            fact[Fact.KINDS] += 1
            fact[Fact.TILES] += left
        add_tile(t, seat, kind, -1)


@kernel
def count_waits(t: Record, shapes: Shapes, seat: int, waits: Any, fact: Any) -> None:
    """What the hand waits on, as the engine's hints have it."""
    fact[Fact.WAITS] = fill_waits(t, shapes, seat, -1, waits, 0)
    for row in range(whole(fact[Fact.WAITS])):
        if waits[row, 1] > 0:
            fact[Fact.KINDS] += 1
            fact[Fact.TILES] += waits[row, 1]


@kernel
def leading_plan(t: Record, shapes: Shapes, seat: int, mind: Record) -> int:
    """The plan that is worth most by itself."""
    look_around(t, seat, Level.STRONG.value, mind)
    survey(t, shapes, seat, mind)
    plans = whole(mind.plans)
    mind.plans = 1
    hand_worth(t, shapes, seat, mind)
    best = float(mind.value)
    leading = Plan.SETS.value
    mind.floor[Plan.SETS] = NO_PLAN
    for plan in range(Plan.PAIRS, Plan.COUNT):
        if plans & (1 << plan) == 0:
            continue
        mind.plans = 1 << plan
        hand_worth(t, shapes, seat, mind)
        if mind.value > best:
            best = float(mind.value)
            leading = plan
    return leading


@kernel
def describe_hand(
    t: Record, shapes: Shapes, seat: int, work: Scratch, mind: Record, waits: Any, fact: Any
) -> None:
    """Where the hand stands after the action."""
    fact[Fact.LICENCES] = standing_licences(t, seat)
    fact[Fact.MISSING] = seat_distance(t, shapes, seat, work)
    if fact[Fact.MISSING] <= 1:
        fact[Fact.MISSING] = 1
        count_waits(t, shapes, seat, waits, fact)
    else:
        count_useful(t, shapes, seat, work, fact)
        fact[Fact.PLAN] = leading_plan(t, shapes, seat, mind)


@kernel
def describe_win(t: Record, shapes: Shapes, seat: int, fact: Any) -> None:
    """What a win is worth."""
    drawn = t.phase == Phase.TURN
    judged = judge(t, shapes, seat, -1 if drawn else whole(t.claim_tile))
    by = By.SELF_DRAW.value if drawn else By.DISCARD.value
    way = way_of_self_draw(t, seat) if drawn else Way.NONE.value
    fact[Fact.VALUE] = win_value(t, seat, judged.rank // 4096, by, way)
    fact[Fact.PATTERNS] = judged.patterns
    fact[Fact.LICENCES] = judged.licences


# ---------------------------------------------------------------- the others


@kernel
def tell_liability(t: Record, seat: int, mind: Record, fact: Any) -> None:
    """Whether one would pay for all if the tile let go is won (R8.5, R8.7, R8.9), and how much."""
    melds = False
    for other in range(whole(t.sheet.players)):
        if other != seat and t.sheet.meld_liability != 0 and joined_by(t, seat, other, 3):
            melds = True
            fact[Fact.LIABLE_SEAT] = other
    if t.sheet.discarder_pays_all != 0:
        fact[Fact.LIABLE_RULE] = PayRule.PAYS_ALL
        fact[Fact.LIABLE_SEAT] = -1
    elif in_last_tiles(t):
        fact[Fact.LIABLE_RULE] = PayRule.LAST_TILES
        fact[Fact.LIABLE_SEAT] = -1
    elif melds:
        fact[Fact.LIABLE_RULE] = PayRule.THREE_MELDS
    else:
        return
    least = 1e9
    for other in range(whole(t.sheet.players)):
        if other != seat and (fact[Fact.LIABLE_SEAT] < 0 or fact[Fact.LIABLE_SEAT] == other):
            least = min(least, price(t, seat, other, 1.0))
    fact[Fact.LIABLE_POINTS] = int(least)


@kernel
def may_take(t: Record, seat: int, other: int, kind: int) -> bool:
    """Whether somebody may chow or pong a tile, as far as this seat sees."""
    if kind == t.wild or t.is_ready[other] != 0:
        return False
    if unseen(t, seat, kind) >= 2:
        return True
    return kind < 27 and t.sheet.no_chow == 0 and other == (seat + 1) % t.sheet.players


@kernel
def tell_feeding(t: Record, seat: int, kind: int, fact: Any) -> None:
    """Who may claim the tile as his third meld from this seat, or his fourth (R8.7, R8.8)."""
    if t.sheet.meld_liability == 0:
        return
    for other in range(whole(t.sheet.players)):
        fed = claimed_from(t, other, seat) if other != seat else 0
        counts = fed == 2 or (fed == 3 and t.sheet.four_melds != 0)
        if counts and fed > fact[Fact.FED] and may_take(t, seat, other, kind):
            fact[Fact.FED_SEAT] = other
            fact[Fact.FED] = fed


@kernel
def has_passed(t: Record, other: int, kind: int) -> bool:
    """Whether a player let a kind go, or discarded it, in his last discard or since."""
    for back in range(whole(t.n_discards)):
        index = t.n_discards - 1 - back
        if t.discard_tile[index] == kind:
            return True
        if t.discard_seat[index] == other:
            return False
    return False


@kernel
def tell_discard(t: Record, seat: int, kind: int, mind: Record, fact: Any) -> None:
    """What may come of a tile let go."""
    tell_liability(t, seat, mind, fact)
    tell_feeding(t, seat, kind, fact)
    fact[Fact.SAFE] = 1
    for other in range(whole(t.sheet.players)):
        if other != seat and not has_passed(t, other, kind):
            fact[Fact.SAFE] = 0
    if t.lead_seat >= 0 and t.lead_seat != seat and kind == t.lead_tile:
        fact[Fact.FOLLOW] = stake(t, seat, whole(t.lead_seat))


@kernel
def tell_kong(t: Record, seat: int, action: int, fact: Any) -> None:
    """What the kong just laid out pays from all together."""
    meld = t.n_melds[seat] - 1
    if action >= Act.OWN_KONG:
        for index in range(whole(t.n_melds[seat])):
            if t.meld_tile[seat, index] == action - Act.OWN_KONG and t.meld_kind[seat, index] >= 3:
                meld = index
    for payer in range(whole(t.sheet.players)):
        if payer != seat:
            fact[Fact.KONG] += kong_times(t, seat, whole(meld), payer) * stake(t, payer, seat)


# ---------------------------------------------------------------- the one way in


@kernel
def reset(fact: Any) -> None:
    """Nothing is known yet."""
    fact[:] = 0
    fact[Fact.THEN] = -1
    fact[Fact.LIABLE_SEAT] = -1
    fact[Fact.FED_SEAT] = -1


@kernel
def describe(
    t: Record,
    shapes: Shapes,
    seat: int,
    action: int,
    work: Scratch,
    mind: Record,
    discards: Any,
    worths: Any,
    waits: Any,
    fact: Any,
) -> None:
    """One action's facts, from a view that is changed on the way."""
    reset(fact)
    if action == Act.WIN:
        describe_win(t, shapes, seat, fact)
        return
    t.flowers[seat] |= t.held_flowers[seat]  # they will be laid out before they matter
    t.held_flowers[seat] = 0
    if action < Act.CHOW:
        tell_discard(t, seat, (action - Act.DISCARD) % 34, mind, fact)
    lay_out(t, shapes, seat, action, mind, discards, worths, fact)
    if Act.CHOW <= action <= Act.KONG:
        fact[Fact.BOUND] = claimed_from(t, seat, whole(t.claim_from))
    if Act.KONG <= action < Act.WIN:
        tell_kong(t, seat, action, fact)
    describe_hand(t, shapes, seat, work, mind, waits, fact)


@entry
def explain(
    views: Record,
    shapes: Shapes,
    seat: int,
    actions: Any,
    work: Scratch,
    minds: Record,
    discards: Any,
    worths: Any,
    rows: Any,
    waits: Any,
    facts: Any,
    stakes: Any,
) -> None:
    """Fill ``rows`` (float64 [n, 3], ``Row``), ``facts`` (int32 [n, ``Fact``]) and ``waits`` (int32
    [n, 34, ``hints.HINT_COLUMNS``]) for a seat's n legal actions but those of choosing ga, and ``stakes``
    with B for each other seat in turn order (section 8).

    ``views`` are n copies of the seat's view, used up; ``discards`` and ``worths`` are working space.
    """
    n = len(actions)
    players = whole(views[0].sheet.players)
    for step in range(1, players):
        stakes[step - 1] = stake(views[0], seat, (seat + step) % players)
    weigh(views[0], shapes[0], seat, Level.STRONG.value, actions, n, minds[0], rows)
    for row in range(n):
        describe(
            views[row],
            shapes[0],
            seat,
            whole(actions[row]),
            work,
            minds[0],
            discards,
            worths,
            waits[row],
            facts[row],
        )
