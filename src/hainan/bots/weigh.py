"""The evaluation: what each legal action of a seat is worth (``minds.Row``).

``easy``, ``normal`` and ``strong`` all take the action with the most points; they differ in what they
look at.
"""

from typing import Any, Final

import numpy as np

from hainan.bots.danger import look_for_danger
from hainan.bots.luck import mix
from hainan.bots.minds import Level, Pace, Row
from hainan.bots.outlook import look_around, paid
from hainan.bots.plans import Plan, keys_of, mark_sets, sets_missing
from hainan.bots.worth import (
    chance_of,
    clear_useful,
    gain_of,
    givers,
    hand_worth,
    is_lasting,
    survey,
)
from hainan.engine.claims import add_meld, lay_claim, take_back_claim
from hainan.engine.jit import kernel, whole
from hainan.engine.ledger import stake
from hainan.engine.record import Phase, Record
from hainan.engine.shapes import add_tile
from hainan.engine.step import way_of_self_draw
from hainan.engine.tables import Shapes
from hainan.engine.winning import judge, meld_facts, win_value
from hainan.rules.actions import Act
from hainan.rules.terms import By, KongScoring, MeldKind, Way

LASTS: Final = 0.55
"""Part of the draws to come that a hand lasts for, on average."""
SOMEBODY_WINS: Final = 0.94
"""Kongs are paid if somebody wins (R8.12)."""
KONGS_COME: Final = 0.25
"""Of the kongs that draws alone would make, so many are made (found in tournaments)."""
DEEP: Final = 5
"""Discards of a decision that are looked at one draw further: a fixed number, never a clock."""
DEEPER: Final = 0.5
"""How much the further look counts: it knows neither calls nor what the others let go."""
NEAR: Final = 0.5
"""Points behind the best, further than which no discard is looked at twice."""
UNSEEN: Final = -1e9
"""Points of what wasn't looked at."""
CERTAIN: Final = 0.9
"""A win that may come counts so much where one is offered that is certain."""
SLIP: Final = 0.08
"""What a beginner misjudges a discard by, at most, for each stake at the table."""

# ---------------------------------------------------------------- kongs


@kernel
def kong_pays(t: Record, seat: int, kind: int, feeder: int, mind: Record) -> float:
    """What a kong brings (R8.12, R8.13), if somebody wins."""
    wins = 1.0 if t.sheet.score_draws != 0 else SOMEBODY_WINS
    stakes = float(mind.stakes)
    if kind == MeldKind.CONCEALED_KONG:
        return wins * 2.0 * stakes
    if t.sheet.kong_scoring == KongScoring.PLAIN:
        return wins * stakes
    if kind == MeldKind.ADDED_KONG:
        return wins * 2.0 * stakes
    return wins * (stakes + (stake(t, seat, feeder) if feeder >= 0 else 0))


@kernel
def kongs_to_come(t: Record, seat: int, mind: Record) -> float:
    """What the kongs that a hand may still make are worth, on average."""
    draw = LASTS * mind.cycles / mind.hidden
    given = draw * 2.4
    concealed = kong_pays(t, seat, MeldKind.CONCEALED_KONG.value, -1, mind)
    exposed = kong_pays(t, seat, MeldKind.EXPOSED_KONG.value, -1, mind)
    points = 0.0
    for kind in range(34):
        copies = t.hand[seat, kind]
        if copies < 2 or kind == t.wild:
            continue
        if copies == 4:
            points += 0.5 * concealed
        elif copies == 3:
            points += mind.left[kind] * (draw * concealed + given * exposed)
        elif mind.left[kind] == 2:
            points += 2.0 * draw * (draw * concealed + given * exposed) + 2.0 * given * draw * exposed
    added = kong_pays(t, seat, MeldKind.ADDED_KONG.value, -1, mind)
    for meld in range(whole(t.n_melds[seat])):
        if t.meld_kind[seat, meld] == MeldKind.PONG:
            kind = whole(t.meld_tile[seat, meld])
            points += added * (0.8 if t.hand[seat, kind] > 0 else draw * mind.left[kind])
    return points


# ---------------------------------------------------------------- one draw further


@kernel
def next_worth(t: Record, shapes: Shapes, seat: int, mind: Record) -> float:
    """The best value of a hand of 14 after a discard that keeps it as near."""
    best = 0.0
    sets = 4 - whole(t.n_melds[seat])
    reach = mind.floor[Plan.SETS] + whole(t.n_wild[seat])
    for kind in range(34):
        if t.hand[seat, kind] == 0 or kind == t.wild:
            continue
        add_tile(t, seat, kind, -1)
        if sets_missing(shapes, sets, True, keys_of(t, seat)) <= reach:
            hand_worth(t, shapes, seat, mind)
            best = max(best, float(mind.value))
        add_tile(t, seat, kind, 1)
    return best


@kernel
def mean_next(t: Record, shapes: Shapes, seat: int, open_hand: bool, mind: Record) -> float:
    """The mean over useful tiles of the hand's best value after drawing it; marks are in ``useful_next``."""
    tiles = 0.0
    total = 0.0
    chow = float(mind.called) if t.sheet.no_chow == 0 else 0.0
    for kind in range(34):
        if mind.useful_next[kind] == 0 and (kind != t.wild or mind.left[kind] == 0):
            continue
        weight = float(mind.left[kind])
        if open_hand and kind != t.wild:
            weight *= 1.0 + (givers(t, mind) if t.hand[seat, kind] >= 2 else chow * (kind < 27))
        mind.left[kind] -= 1
        add_tile(t, seat, kind, 1)
        total += weight * next_worth(t, shapes, seat, mind)
        add_tile(t, seat, kind, -1)
        mind.left[kind] += 1
        tiles += weight
    return total / tiles if tiles > 0.0 else 0.0


@kernel
def deepened(t: Record, shapes: Shapes, seat: int, mind: Record) -> float:
    """How much more (or less) a hand of 13 is worth as sets than its useful tiles alone tell."""
    sets = 4 - whole(t.n_melds[seat])
    keys = keys_of(t, seat)
    more = sets_missing(shapes, sets, True, keys)
    missing = more - whole(t.n_wild[seat])
    facts = meld_facts(t, seat)
    lasting = is_lasting(t, seat, mind, facts)
    if missing < 2 or missing > 3 or missing > mind.floor[Plan.SETS] or not (facts.closed or lasting):
        return 0.0
    plans, cycles = whole(mind.plans), whole(mind.cycles)
    mind.plans = 1
    hand_worth(t, shapes, seat, mind)
    shallow = float(mind.value)
    pace = Pace.OPEN.value if lasting else Pace.CLOSED.value
    mind.cycles = max(1, cycles - 2)
    usual = chance_of(mind, pace, missing - 1, float(mind.usual[pace, missing - 2]))
    usual *= gain_of(t, mind, 1, True) + mind.loss * mind.others
    clear_useful(mind)
    mark_sets(shapes, sets, True, keys, 15, more, mind)
    mind.useful_next[:] = mind.useful
    mind.floor[Plan.SETS] = missing - 1
    mean = mean_next(t, shapes, seat, lasting, mind)
    mind.floor[Plan.SETS] = missing
    mind.cycles = cycles
    mind.plans = plans
    return shallow * (mean / usual - 1.0) if usual > 0.0 else 0.0


# ---------------------------------------------------------------- discards


@kernel
def tell(out: Any, row: int, points: float, win: float, deal_in: float) -> None:
    """Write what an action is worth."""
    out[row, Row.POINTS] = points
    out[row, Row.WIN] = win
    out[row, Row.DEAL_IN] = deal_in


@kernel
def without(mind: Record) -> float:
    """What a hand that never wins will cost."""
    return float(-mind.loss * mind.others)


@kernel
def follow_gain(t: Record, seat: int, kind: int) -> float:
    """Following the lead: 1 B if all three do (R8.19)."""
    if t.lead_seat < 0 or t.lead_seat == seat or kind != t.lead_tile:
        return 0.0
    chance = 0.8 if t.followers == 2 else (0.2 if t.followers == 1 else 0.05)
    return float(chance * stake(t, seat, whole(t.lead_seat)))


@kernel
def let_go(t: Record, shapes: Shapes, seat: int, kind: int, ready: bool, mind: Record) -> float:
    """Points of discarding a kind, danger aside; ``mind.win`` is set."""
    add_tile(t, seat, kind, -1)
    was_ready = whole(t.is_ready[seat])
    if ready:
        t.is_ready[seat] = 1
    hand_worth(t, shapes, seat, mind)
    points = float(mind.value)
    if mind.level == Level.STRONG:
        points += KONGS_COME * kongs_to_come(t, seat, mind)
        points += follow_gain(t, seat, kind)
    t.is_ready[seat] = was_ready
    add_tile(t, seat, kind, 1)
    return points


@kernel
def risked(mind: Record, kind: int, points: float) -> float:
    """The points of a discard with its danger."""
    if mind.level < Level.STRONG:
        return points
    return float((1.0 - mind.deal_in[kind]) * points - mind.cost[kind])


@kernel
def weigh_discards(
    t: Record, shapes: Shapes, seat: int, actions: Any, n: int, mind: Record, out: Any
) -> None:
    """Every discard and ready discard, by the hand that is left."""
    for row in range(n):
        action = whole(actions[row])
        mind.before[row] = UNSEEN
        if Act.DISCARD <= action < Act.CHOW:
            kind = (action - Act.DISCARD) % 34
            points = let_go(t, shapes, seat, kind, action >= Act.READY, mind)
            mind.before[row] = points + without(mind)
            value = risked(mind, kind, points + without(mind))
            tell(out, row, value, float(mind.win), float(mind.deal_in[kind]))


@kernel
def deepen(t: Record, shapes: Shapes, seat: int, actions: Any, n: int, mind: Record, out: Any) -> None:
    """Look one draw further after the best discards."""
    best = UNSEEN
    for _ in range(DEEP):
        row = -1
        for index in range(n):
            if mind.before[index] > UNSEEN and actions[index] < Act.READY:
                if row < 0 or out[index, Row.POINTS] > out[row, Row.POINTS]:
                    row = index
        if row < 0 or out[row, Row.POINTS] < best - NEAR:
            break
        kind = whole(actions[row]) - Act.DISCARD
        add_tile(t, seat, kind, -1)
        points = mind.before[row] + DEEPER * deepened(t, shapes, seat, mind)
        add_tile(t, seat, kind, 1)
        mind.second_look[row] = risked(mind, kind, points)
        mind.before[row] = UNSEEN
        best = max(best, float(mind.second_look[row]))


@kernel
def take_second_looks(actions: Any, n: int, mind: Record, out: Any) -> None:
    """Put the second look in the place of the first; discards that had none change as the others did on
    average, and stay below the best."""
    best = UNSEEN
    change = 0.0
    looks = 0
    for row in range(n):
        if mind.second_look[row] > UNSEEN:
            best = max(best, float(mind.second_look[row]))
            change += mind.second_look[row] - out[row, Row.POINTS]
            looks += 1
    for row in range(n):
        if mind.second_look[row] > UNSEEN:
            out[row, Row.POINTS] = mind.second_look[row]
        elif looks > 0 and Act.DISCARD <= actions[row] < Act.READY:
            out[row, Row.POINTS] = min(out[row, Row.POINTS] + change / looks, best - 0.001)


# ---------------------------------------------------------------- one's own turn


@kernel
def weigh_self_draw(t: Record, shapes: Shapes, seat: int, mind: Record) -> float:
    """What winning now brings."""
    judged = judge(t, shapes, seat, -1)
    value = win_value(t, seat, judged.rank // 4096, By.SELF_DRAW.value, way_of_self_draw(t, seat))
    return paid(t, mind, value)


@kernel
def weigh_own_kong(t: Record, shapes: Shapes, seat: int, kind: int, mind: Record) -> float:
    """A concealed or added kong: what it pays, and the hand with a tile more to draw."""
    if t.hand[seat, kind] == 4:
        add_tile(t, seat, kind, -4)
        add_meld(t, seat, MeldKind.CONCEALED_KONG.value, kind, -1, -1)
        survey(t, shapes, seat, mind)
        hand_worth(t, shapes, seat, mind)
        points = mind.value + kong_pays(t, seat, MeldKind.CONCEALED_KONG.value, -1, mind)
        t.n_melds[seat] -= 1
        add_tile(t, seat, kind, 4)
        return float(points)
    add_tile(t, seat, kind, -1)
    hand_worth(t, shapes, seat, mind)
    points = mind.value + kong_pays(t, seat, MeldKind.ADDED_KONG.value, -1, mind)
    add_tile(t, seat, kind, 1)
    return float(points)


@kernel
def weigh_turn(t: Record, shapes: Shapes, seat: int, actions: Any, n: int, mind: Record, out: Any) -> None:
    """Every action of one's own turn."""
    survey(t, shapes, seat, mind)
    weigh_discards(t, shapes, seat, actions, n, mind, out)
    if mind.level == Level.STRONG:
        mind.second_look[:] = UNSEEN
        deepen(t, shapes, seat, actions, n, mind, out)
        take_second_looks(actions, n, mind, out)
    for row in range(n):
        action = whole(actions[row])
        if action == Act.WIN:
            tell(out, row, weigh_self_draw(t, shapes, seat, mind), 1.0, 0.0)
        elif action >= Act.OWN_KONG:
            points = weigh_own_kong(t, shapes, seat, action - Act.OWN_KONG, mind)
            tell(out, row, points + without(mind), float(mind.win), 0.0)


# ---------------------------------------------------------------- another's tile


@kernel
def weigh_won(t: Record, shapes: Shapes, seat: int, mind: Record) -> float:
    """What winning another's tile brings."""
    judged = judge(t, shapes, seat, whole(t.claim_tile))
    value = win_value(t, seat, judged.rank // 4096, By.DISCARD.value, Way.NONE.value)
    return paid(t, mind, value) + 1.0


@kernel
def best_after_call(t: Record, shapes: Shapes, seat: int, mind: Record, out: Any, row: int) -> None:
    """Tell of the best discard of a hand that has just called."""
    survey(t, shapes, seat, mind)
    out[row, Row.POINTS] = UNSEEN
    for kind in range(34):
        if t.hand[seat, kind] > 0:
            points = let_go(t, shapes, seat, kind, False, mind) + without(mind)
            value = risked(mind, kind, points)
            if value > out[row, Row.POINTS]:
                tell(out, row, value, float(mind.win), float(mind.deal_in[kind]))


@kernel
def weigh_call(t: Record, shapes: Shapes, seat: int, action: int, mind: Record, out: Any, row: int) -> None:
    """A chow or pong, with the best discard after it."""
    lay_claim(t, seat, action)
    best_after_call(t, shapes, seat, mind, out, row)
    take_back_claim(t, seat, action)


@kernel
def weigh_exposed_kong(t: Record, shapes: Shapes, seat: int, mind: Record) -> float:
    """An exposed kong, with a tile to draw."""
    lay_claim(t, seat, Act.KONG.value)
    survey(t, shapes, seat, mind)
    hand_worth(t, shapes, seat, mind)
    points = float(mind.value) + kong_pays(t, seat, MeldKind.EXPOSED_KONG.value, whole(t.claim_from), mind)
    take_back_claim(t, seat, Act.KONG.value)
    return points


@kernel
def weigh_claims(t: Record, shapes: Shapes, seat: int, actions: Any, n: int, mind: Record, out: Any) -> None:
    """Every answer to a discard or an added kong."""
    for row in range(n):
        action = whole(actions[row])
        if action == Act.WIN:
            tell(out, row, weigh_won(t, shapes, seat, mind), 1.0, 0.0)
        elif action == Act.PASS:
            survey(t, shapes, seat, mind)
            hand_worth(t, shapes, seat, mind)
            points = float(mind.value) + (
                KONGS_COME * kongs_to_come(t, seat, mind) if mind.level == Level.STRONG else 0.0
            )
            tell(out, row, points + without(mind), float(mind.win), 0.0)
        elif action == Act.KONG:
            points = weigh_exposed_kong(t, shapes, seat, mind)
            tell(out, row, points + without(mind), float(mind.win), 0.0)
        else:
            weigh_call(t, shapes, seat, action, mind, out, row)


# ---------------------------------------------------------------- the one way in


@kernel
def weigh(
    t: Record, shapes: Shapes, seat: int, level: int, actions: Any, n: int, mind: Record, out: Any
) -> None:
    """Fill ``out[:n]`` (float64 [n, 3], ``Row``) for a seat's legal actions, from what it sees.

    Not for the choice of ga (``ga_choice``). The record is changed on the way and put back.
    """
    look_around(t, seat, level, mind)
    if level >= Level.STRONG:
        look_for_danger(t, seat, mind)
    held = whole(t.held_flowers[seat])
    flowers = whole(t.flowers[seat])
    t.held_flowers[seat] = 0  # they will be laid out before they matter
    if level != Level.EASY:
        t.flowers[seat] = flowers | held
    if t.phase == Phase.TURN:
        weigh_turn(t, shapes, seat, actions, n, mind, out)
    else:
        weigh_claims(t, shapes, seat, actions, n, mind, out)
    t.held_flowers[seat] = held
    t.flowers[seat] = flowers


@kernel
def ga_choice(t: Record, seat: int, level: int, actions: Any, n: int) -> int:
    """How much ga: as little as one must. The dealer has the better chances (R8.1, R8.2), so strong
    dealers stake 2, and the most where they may lower it again (R8.3)."""
    if level < Level.STRONG or seat != t.dealer:
        return whole(actions[0])
    if t.sheet.free_ga != 0:
        return whole(actions[n - 1])
    return whole(max(actions[0], Act.GA + 2))


@kernel
def slip(t: Record, seat: int, action: int, mind: Record) -> float:
    """What a beginner misjudges a discard by: the same in the same position."""
    key = mix(np.uint64((whole(t.n_discards) * 4 + seat) * 256 + action))
    for group in range(4):
        key = mix(key ^ np.uint64(t.key[seat, group]))
    return float(float(key >> np.uint64(40)) / 2.0**24 * SLIP * mind.stakes)


@kernel
def best_action(t: Record, shapes: Shapes, seat: int, level: int, actions: Any, n: int, mind: Record) -> int:
    """The action with the most points, the first among equals; ``mind.rows`` tells of all of them."""
    if t.phase == Phase.GA:
        mind.rows[:] = 0.0
        return ga_choice(t, seat, level, actions, n)
    weigh(t, shapes, seat, level, actions, n, mind, mind.rows)
    best = 0
    for row in range(n):
        if level == Level.EASY and actions[row] < Act.READY:
            mind.rows[row, Row.POINTS] -= slip(t, seat, whole(actions[row]), mind)
        if mind.rows[row, Row.POINTS] > mind.rows[best, Row.POINTS]:
            best = row
    return whole(actions[best])
