"""One legal action and what follows from it, one small function per action (sections 3 and 4)."""

from hainan.engine.claims import add_meld, lay_claim, note_passed_win, offer, open_claims, pong_to_kong
from hainan.engine.events import ROBBED, emit
from hainan.engine.jit import kernel, whole
from hainan.engine.ledger import settle, write_winner
from hainan.engine.record import Ask, Phase, Record
from hainan.engine.shapes import add_tile, rebuild_keys
from hainan.engine.tables import Shapes
from hainan.engine.wall import deal, draw, enter_turn, replace_held_flowers, turn_by_draw
from hainan.engine.winning import is_licensed, judge
from hainan.rules.actions import GA_VALUES, Act
from hainan.rules.terms import By, EventType, MeldKind, Source, Way

# ---------------------------------------------------------------- follow (R8.19)


@kernel
def follow_discard(t: Record, seat: int, kind: int) -> None:
    """A discard leads, follows, or ends the follow."""
    if t.lead_next == seat:
        t.lead_next = -1
        t.lead_seat = seat
        t.lead_tile = kind
        t.followers = 0
    elif t.lead_seat >= 0:
        if kind == t.lead_tile:
            t.followers += 1
        else:
            t.lead_seat = -1


@kernel
def follow_claim(t: Record, seat: int) -> None:
    """A claimed lead makes the claimer's next discard the lead; a claimed follower ends it."""
    if t.lead_seat >= 0 and t.followers == 0:
        t.lead_next = seat
    t.lead_seat = -1


@kernel
def follow_unclaimed(t: Record) -> None:
    """The third follower's tile went by: the lead pays, once."""
    if t.lead_seat >= 0 and t.followers == 3:
        t.followed[t.lead_seat] = 1
        emit(t, EventType.FOLLOW, whole(t.lead_seat), whole(t.lead_tile), -1, 0)
        t.lead_seat = -1


# ---------------------------------------------------------------- winning


@kernel
def way_of_self_draw(t: Record, seat: int) -> int:
    """Heavenly and earthly first, then where the last tile came from (R7.2, R7.4, R7.5)."""
    if t.n_made[seat] == 0 and t.n_melds[seat] == 0:
        return Way.HEAVENLY.value if seat == t.dealer else Way.EARTHLY.value
    if t.last_source == Source.KONG:
        return Way.KONG_BLOOM.value
    return Way.FLOWER_BLOOM.value if t.last_source == Source.FLOWER else Way.NONE.value


@kernel
def end_in_win(t: Record, by: int, tile: int, way: int) -> None:
    """The hand is over; its winners are those marked in ``won``."""
    t.phase = Phase.OVER
    t.by = by
    t.way = way
    t.win_tile = tile


@kernel
def win_self_drawn(t: Record, seat: int) -> None:
    """自摸."""
    end_in_win(t, By.SELF_DRAW.value, whole(t.last_tile), way_of_self_draw(t, seat))
    t.won[seat] = 1
    emit(t, EventType.WIN, seat, whole(t.win_tile), -1, t.by * 8 + t.way)


@kernel
def win_claimed(t: Record, winners: int) -> None:
    """By discard or robbing; ``winners`` as bits, told in turn order from the discarder."""
    by = By.ROB.value if t.phase == Phase.ROB else By.DISCARD.value
    if t.phase == Phase.ROB:
        emit(t, EventType.KONG, whole(t.claim_from), whole(t.claim_tile), -1, ROBBED + MeldKind.ADDED_KONG)
    end_in_win(t, by, whole(t.claim_tile), Way.NONE.value)
    t.win_from = t.claim_from
    for step in range(1, whole(t.sheet.players)):
        seat = whole((t.claim_from + step) % t.sheet.players)
        if winners & (1 << seat) != 0:
            t.won[seat] = 1
            emit(t, EventType.WIN, seat, whole(t.claim_tile), whole(t.claim_from), by * 8)


# ---------------------------------------------------------------- one's own turn


@kernel
def put_down(t: Record, seat: int, kind: int) -> None:
    """Let a tile go; locks on wins end with it (R9.1)."""
    add_tile(t, seat, kind, -1)
    emit(t, EventType.DISCARD, seat, kind, -1, 0)
    t.discard_tile[t.n_discards] = kind
    t.discard_seat[t.n_discards] = seat
    t.n_discards += 1
    t.n_made[seat] += 1
    t.let_off[seat] = -1
    for other in range(whole(t.sheet.players)):
        if t.let_off[other] == seat:
            t.let_off[other] = -1
    follow_discard(t, seat, kind)


@kernel
def discard(t: Record, shapes: Shapes, seat: int, kind: int) -> None:
    """A tile is let go, then everybody is asked."""
    put_down(t, seat, kind)
    open_claims(t, shapes, Phase.CLAIM.value, seat, kind)


@kernel
def declare_ready(t: Record, seat: int, kind: int) -> None:
    """天听 with the discard that follows (R7.6)."""
    t.is_ready[seat] = 1
    emit(t, EventType.READY, seat, kind, -1, 0)


@kernel
def concealed_kong(t: Record, seat: int, kind: int) -> None:
    """暗杠: the same turn goes on with a tile from the back."""
    add_tile(t, seat, kind, -4)
    add_meld(t, seat, MeldKind.CONCEALED_KONG.value, kind, -1, -1)
    emit(t, EventType.KONG, seat, kind, -1, MeldKind.CONCEALED_KONG.value)
    draw(t, seat, Source.KONG.value)


@kernel
def put_to_pong(t: Record, seat: int, kind: int) -> None:
    """The fourth tile of an added kong leaves the hand."""
    add_tile(t, seat, kind, -1)
    emit(t, EventType.KONG, seat, kind, -1, MeldKind.ADDED_KONG.value)


@kernel
def declare_added_kong(t: Record, shapes: Shapes, seat: int, kind: int) -> None:
    """补杠: it may be robbed (R3.7)."""
    put_to_pong(t, seat, kind)
    open_claims(t, shapes, Phase.ROB.value, seat, kind)


@kernel
def complete_added_kong(t: Record) -> None:
    """Nobody robbed it: the pong becomes a kong, and the turn goes on."""
    seat, kind = whole(t.claim_from), whole(t.claim_tile)
    t.phase = Phase.TURN
    pong_to_kong(t, seat, kind)
    draw(t, seat, Source.KONG.value)


# ---------------------------------------------------------------- claims


@kernel
def take_discard(t: Record, seat: int) -> None:
    """The claimed tile leaves the river, and the claimer's turn begins."""
    t.discard_taken[t.n_discards - 1] = seat
    follow_claim(t, seat)
    enter_turn(t, seat)


@kernel
def chow(t: Record, seat: int, action: int) -> None:
    """吃."""
    take_discard(t, seat)
    lay_claim(t, seat, action)
    low = whole(t.meld_tile[seat, t.n_melds[seat] - 1])
    emit(t, EventType.CHOW, seat, whole(t.claim_tile), whole(t.claim_from), low)
    replace_held_flowers(t, seat)


@kernel
def pong(t: Record, seat: int) -> None:
    """碰."""
    tile = whole(t.claim_tile)
    take_discard(t, seat)
    lay_claim(t, seat, Act.PONG.value)
    t.fresh_pong = tile
    emit(t, EventType.PONG, seat, tile, whole(t.claim_from), 0)
    replace_held_flowers(t, seat)


@kernel
def exposed_kong(t: Record, seat: int) -> None:
    """明杠: first its replacement, then the flowers of the deal (R2.2)."""
    tile = whole(t.claim_tile)
    take_discard(t, seat)
    lay_claim(t, seat, Act.KONG.value)
    emit(t, EventType.KONG, seat, tile, whole(t.claim_from), MeldKind.EXPOSED_KONG.value)
    if draw(t, seat, Source.KONG.value):
        replace_held_flowers(t, seat)


@kernel
def nobody_claims(t: Record) -> None:
    """The tile goes by: an added kong stands, or the next player draws."""
    if t.phase == Phase.ROB:
        complete_added_kong(t)
        return
    follow_unclaimed(t)
    turn_by_draw(t, whole((t.claim_from + 1) % t.sheet.players))


@kernel
def missing(t: Record, bits: int) -> bool:
    """Whether somebody who could do one of these things hasn't answered."""
    for seat in range(whole(t.sheet.players)):
        if whole(t.ask[seat]) & bits != 0 and t.answer[seat] < 0:
            return True
    return False


@kernel
def decided_winners(t: Record) -> int:
    """Winners as bits, once no missing answer could change who they are; 0 if none, -1 if not yet."""
    winners = 0
    for step in range(1, whole(t.sheet.players)):
        seat = whole((t.claim_from + step) % t.sheet.players)
        if whole(t.ask[seat]) & Ask.WIN == 0:
            continue
        if t.answer[seat] < 0:
            return -1
        if t.answer[seat] == Act.WIN:
            winners |= 1 << seat
            if t.sheet.multiple_wins == 0:
                return winners
    return winners


@kernel
def answered(t: Record, first: int, last: int) -> int:
    """The seat that answered with an action in this range, or -1."""
    for seat in range(whole(t.sheet.players)):
        if t.ask[seat] != 0 and first <= t.answer[seat] <= last:
            return seat
    return -1


@kernel
def resolve(t: Record) -> None:
    """Act as soon as no missing answer could change the result (R3.4)."""
    winners = decided_winners(t)
    if winners < 0:
        return
    if winners > 0:
        win_claimed(t, winners)
        return
    seat = answered(t, Act.PONG.value, Act.KONG.value)
    if seat >= 0:
        if t.answer[seat] == Act.PONG:
            pong(t, seat)
        else:
            exposed_kong(t, seat)
        return
    if missing(t, Ask.PONG.value | Ask.KONG.value):
        return
    seat = answered(t, Act.CHOW.value, Act.PONG.value - 1)
    if seat >= 0:
        chow(t, seat, whole(t.answer[seat]))
    elif not missing(t, Ask.CHOW.value):
        nobody_claims(t)


@kernel
def answer_claim(t: Record, shapes: Shapes, seat: int, action: int) -> None:
    """One answer to a discard or an added kong."""
    t.answer[seat] = action
    if whole(t.ask[seat]) & Ask.WIN != 0 and action != Act.WIN:
        note_passed_win(t, shapes, seat)


# ---------------------------------------------------------------- ga, and the one way in


@kernel
def choose_ga(t: Record, seat: int, action: int) -> None:
    """上嘎: told to all when the last has chosen, then the deal (R8.3)."""
    t.ga[seat] = GA_VALUES[action - Act.GA]
    for other in range(whole(t.sheet.players)):
        if t.ga[other] < 0:
            return
    for other in range(whole(t.sheet.players)):
        emit(t, EventType.GA, other, -1, -1, whole(t.ga[other]))
    deal(t)


@kernel
def act_in_turn(t: Record, shapes: Shapes, seat: int, action: int) -> None:
    """Discard, declare ready, kong or win in one's own turn."""
    if action == Act.WIN:
        win_self_drawn(t, seat)
    elif action < Act.CHOW:
        kind = whole((action - Act.DISCARD) % 34)
        if action >= Act.READY:
            declare_ready(t, seat, kind)
        discard(t, shapes, seat, kind)
    else:
        kind = whole(action - Act.OWN_KONG)
        if t.hand[seat, kind] == 4:
            concealed_kong(t, seat, kind)
        else:
            declare_added_kong(t, shapes, seat, kind)


@kernel
def lay(t: Record, seat: int, action: int) -> None:
    """The table as all see it just after a discard or an added kong: the tile lies there, and whether anybody
    may claim it is not to be seen. For live tables; nothing goes on from here."""
    t.n_events = 0
    if action < Act.CHOW:
        kind = whole((action - Act.DISCARD) % 34)
        if action >= Act.READY:
            declare_ready(t, seat, kind)
        put_down(t, seat, kind)
        offer(t, Phase.CLAIM.value, seat, kind)
    else:
        kind = whole(action - Act.OWN_KONG)
        put_to_pong(t, seat, kind)
        offer(t, Phase.ROB.value, seat, kind)


@kernel
def finish(t: Record, shapes: Shapes) -> None:
    """The hand is over: what each winner's hand is worth, then the bill."""
    extra = -1 if t.by == By.SELF_DRAW else whole(t.win_tile)
    for seat in range(whole(t.sheet.players)):
        if t.won[seat] != 0:
            write_winner(t, seat, judge(t, shapes, seat, extra))
    settle(t)


@kernel
def why_no_win(t: Record, shapes: Shapes, seat: int, extra: int) -> int:
    """0 a win, 1 not a winning hand (R5), 2 no licence (R6.1)."""
    judged = judge(t, shapes, seat, extra)
    if judged.rank == 0:
        return 1
    return 2 if t.by == By.DISCARD and not is_licensed(t, judged) else 0


@kernel
def finish_checked(t: Record, shapes: Shapes) -> int:
    """For a table set up at its end from outside: write the bill if every winner can win. Returns 0,
    or ``why_no_win`` of each seat in two bits a seat."""
    extra = -1 if t.by == By.SELF_DRAW else whole(t.win_tile)
    why = 0
    for seat in range(whole(t.sheet.players)):
        rebuild_keys(t, seat)
        if t.won[seat] != 0:
            why |= why_no_win(t, shapes, seat, extra) << (2 * seat)
    if why == 0:
        finish(t, shapes)
    return whole(why)


@kernel
def step(t: Record, shapes: Shapes, seat: int, action: int) -> None:
    """Take one legal action; whether it is legal is the caller's care (legal.py)."""
    t.n_events = 0
    t.n_actions += 1
    if t.phase == Phase.GA:
        choose_ga(t, seat, action)
    elif t.phase == Phase.TURN:
        act_in_turn(t, shapes, seat, action)
    else:
        answer_claim(t, shapes, seat, action)
    if t.phase == Phase.CLAIM or t.phase == Phase.ROB:
        resolve(t)
    if t.phase == Phase.OVER:
        finish(t, shapes)
