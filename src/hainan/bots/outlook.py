"""What a seat sees of the table, gathered once for a decision: tiles left, draws to come, stakes."""

from hainan.bots.minds import CYCLES, Level
from hainan.engine.jit import kernel, whole
from hainan.engine.ledger import stake
from hainan.engine.record import NO_DRAW_AT, Phase, Record
from hainan.engine.wall import remaining
from hainan.rules.terms import MeldKind, Scoring, StakeMode


@kernel
def in_game(t: Record, kind: int) -> bool:
    """Whether the sheet plays with a kind (R1.1)."""
    return kind < 27 or (t.sheet.no_honors == 0 and (kind >= 31 or t.sheet.no_winds == 0))


@kernel
def see_melds(t: Record, seat: int, owner: int, mind: Record) -> None:
    """Take the tiles of melds off those unseen; another's concealed kong is hidden (R3.9)."""
    for meld in range(whole(t.n_melds[owner])):
        what = t.meld_kind[owner, meld]
        low = whole(t.meld_tile[owner, meld])
        if what == MeldKind.CHOW:
            for kind in range(low, low + 3):
                mind.left[kind] -= 1
        elif what != MeldKind.CONCEALED_KONG or owner == seat or t.sheet.show_concealed_kongs != 0:
            mind.left[low] -= 3 if what == MeldKind.PONG else 4


@kernel
def count_left(t: Record, seat: int, mind: Record) -> None:
    """Copies of each kind that a seat hasn't seen, and how many tiles that are."""
    for kind in range(34):
        mind.left[kind] = (4 if in_game(t, kind) else 0) - t.hand[seat, kind]
    for owner in range(whole(t.sheet.players)):
        see_melds(t, seat, owner, mind)
    for index in range(whole(t.n_discards)):
        if t.discard_taken[index] < 0:
            mind.left[t.discard_tile[index]] -= 1
    if t.indicator >= 0:
        mind.left[t.indicator] -= 1
    if t.phase == Phase.ROB and t.claim_from != seat:
        mind.left[t.claim_tile] -= 1
    hidden = 0
    for kind in range(34):
        mind.left[kind] = max(0, whole(mind.left[kind]))
        hidden += mind.left[kind]
    mind.hidden = max(1, hidden)


@kernel
def count_own(t: Record, seat: int, mind: Record) -> None:
    """The same by somebody who looks at his own hand alone."""
    for kind in range(34):
        mind.left[kind] = (4 if in_game(t, kind) else 0) - t.hand[seat, kind]


@kernel
def paid(t: Record, mind: Record, value: int) -> float:
    """What a win of V brings from all payers together, the discarder's 1 aside (R8.1)."""
    if t.sheet.stake_mode == StakeMode.ADD:
        payers = whole(t.sheet.players) - 1
        return float(payers * (value - 1) + mind.stakes)
    return float(value * mind.stakes)


@kernel
def usual_win(t: Record) -> float:
    """V of an average win by another."""
    return 2.0 if t.sheet.scoring == Scoring.LINGAO else 1.6


@kernel
def count_stakes(t: Record, seat: int, mind: Record) -> None:
    """Sum of the stakes with the others, and what one of their wins costs."""
    stakes = 0
    for other in range(whole(t.sheet.players)):
        if other != seat:
            stakes += stake(t, seat, other)
    mind.stakes = float(stakes)
    mind.loss = usual_win(t) * stakes / (t.sheet.players - 1) + 0.25


@kernel
def draws_to_come(t: Record) -> int:
    """How often each seat will draw yet, if nobody wins."""
    return max(0, (remaining(t) - NO_DRAW_AT) // whole(t.sheet.players))


@kernel
def look_around(t: Record, seat: int, level: int, mind: Record) -> None:
    """Set a mind up for a decision."""
    mind.level = level
    mind.called = 0.3 if level == Level.STRONG else 0.5
    mind.lost[0] = mind.called
    mind.lost[1] = 0.8
    mind.table = 1 if t.sheet.players == 3 else 0
    mind.cycles = min(CYCLES - 1, draws_to_come(t))
    mind.others = mind.others_win[mind.table, mind.cycles]
    if level > Level.EASY:
        count_left(t, seat, mind)
    else:
        count_own(t, seat, mind)
    count_stakes(t, seat, mind)
