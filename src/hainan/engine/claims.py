"""What a seat may answer to a discard or an added kong, and what declining costs (R3, R7.6, R9)."""

from hainan.engine.jit import kernel, whole
from hainan.engine.record import NO_DRAW_AT, Ask, Phase, Record
from hainan.engine.shapes import add_tile, waits
from hainan.engine.tables import Shapes
from hainan.engine.wall import remaining
from hainan.engine.winning import Judged, is_licensed, judge, win_value
from hainan.rules.actions import CHOWS_PER_SUIT, Act
from hainan.rules.terms import By, MeldKind, MissedWin, Source, Way


@kernel
def add_meld(t: Record, seat: int, kind: int, low: int, claimed: int, feeder: int) -> None:
    """Lay a meld before a player."""
    meld = t.n_melds[seat]
    t.meld_kind[seat, meld] = kind
    t.meld_tile[seat, meld] = low
    t.meld_claimed[seat, meld] = claimed
    t.meld_from[seat, meld] = feeder
    t.meld_back[seat, meld] = 0
    t.n_melds[seat] = meld + 1


@kernel
def chow_tiles(action: int) -> tuple[int, int]:
    """The two tiles of one's own that a chow action uses (``rules.actions.chow_pair``)."""
    suit, index = divmod(action - Act.CHOW, CHOWS_PER_SUIT)
    one = 9 * suit + index // 2
    return one, one + 1 + index % 2


@kernel
def lay_claim(t: Record, seat: int, action: int) -> None:
    """A chow, pong or exposed kong: the tile that lies there and one's own become a meld (R3.3 to R3.5)."""
    tile, feeder = whole(t.claim_tile), whole(t.claim_from)
    if action == Act.PONG:
        add_tile(t, seat, tile, -2)
        add_meld(t, seat, MeldKind.PONG.value, tile, tile, feeder)
    elif action == Act.KONG:
        add_tile(t, seat, tile, -3)
        add_meld(t, seat, MeldKind.EXPOSED_KONG.value, tile, tile, feeder)
    else:
        one, other = chow_tiles(action)
        add_tile(t, seat, one, -1)
        add_tile(t, seat, other, -1)
        add_meld(t, seat, MeldKind.CHOW.value, min(one, tile), tile, feeder)


@kernel
def take_back_claim(t: Record, seat: int, action: int) -> None:
    """Undo ``lay_claim``, after a look at what it would make of the hand."""
    t.n_melds[seat] -= 1
    if action == Act.PONG:
        add_tile(t, seat, whole(t.claim_tile), 2)
    elif action == Act.KONG:
        add_tile(t, seat, whole(t.claim_tile), 3)
    else:
        one, other = chow_tiles(action)
        add_tile(t, seat, one, 1)
        add_tile(t, seat, other, 1)


@kernel
def pong_to_kong(t: Record, seat: int, kind: int) -> None:
    """A pong becomes an added kong; whether its tile had just come from the back is kept (R8.13)."""
    for meld in range(whole(t.n_melds[seat])):
        if t.meld_tile[seat, meld] == kind and t.meld_kind[seat, meld] == MeldKind.PONG:
            t.meld_kind[seat, meld] = MeldKind.ADDED_KONG
            t.meld_back[seat, meld] = t.last_tile == kind and t.last_source != Source.FRONT


# ---------------------------------------------------------------- kongs of a ready hand (R7.6)


@kernel
def licensed_on_some(t: Record, shapes: Shapes, seat: int, kinds: int) -> bool:
    """Whether a discard of one of these kinds could be won (R6.1)."""
    for kind in range(34):
        if kinds & (1 << kind) != 0 and is_licensed(t, judge(t, shapes, seat, kind)):
            return True
    return False


@kernel
def keeps_waits(t: Record, shapes: Shapes, seat: int, kind: int, meld: int, before: int) -> bool:
    """Whether a kong leaves the waits as they were; an exposed one also with a licence (R7.6).

    Makes the kong on the record, looks, and takes it back.
    """
    copies = 3 if meld == MeldKind.EXPOSED_KONG else 4
    add_tile(t, seat, kind, -copies)
    add_meld(t, seat, meld, kind, kind, -1)
    after = waits(t, shapes, seat)
    fine = after == before and after != 0
    if fine and meld == MeldKind.EXPOSED_KONG:
        fine = licensed_on_some(t, shapes, seat, after)
    t.n_melds[seat] -= 1
    add_tile(t, seat, kind, copies)
    return bool(fine)


@kernel
def ready_exposed_kong(t: Record, shapes: Shapes, seat: int, kind: int) -> bool:
    """May a ready hand kong this discard?"""
    return keeps_waits(t, shapes, seat, kind, MeldKind.EXPOSED_KONG.value, waits(t, shapes, seat))


@kernel
def ready_concealed_kong(t: Record, shapes: Shapes, seat: int, kind: int) -> bool:
    """May a ready hand kong these four? What counts are the waits before this turn's draw."""
    last = whole(t.last_tile)
    add_tile(t, seat, last, -1)
    before = waits(t, shapes, seat)
    add_tile(t, seat, last, 1)
    return keeps_waits(t, shapes, seat, kind, MeldKind.CONCEALED_KONG.value, before)


# ---------------------------------------------------------------- winning another's tile


@kernel
def claim_value(t: Record, seat: int, judged: Judged) -> int:
    """V of winning the tile that may be claimed now."""
    return win_value(t, seat, judged.rank // 4096, By.DISCARD.value, Way.NONE.value)


@kernel
def may_win(t: Record, shapes: Shapes, seat: int) -> bool:
    """Whether a seat is offered the win (R6.1, R6.11, R9.1, R9.2)."""
    if t.let_off[seat] >= 0:
        return False
    judged = judge(t, shapes, seat, whole(t.claim_tile))
    if judged.rank == 0 or (t.phase == Phase.CLAIM and not is_licensed(t, judged)):
        return False
    return t.sheet.missed_win != MissedWin.HIGHER_ONLY or claim_value(t, seat, judged) > t.passed_v[seat]


@kernel
def note_passed_win(t: Record, shapes: Shapes, seat: int) -> None:
    """A win was offered and something else answered (R9.1, R9.2)."""
    if t.sheet.missed_win == MissedWin.LOCKED:
        t.let_off[seat] = t.claim_from
    elif t.sheet.missed_win == MissedWin.HIGHER_ONLY:
        judged = judge(t, shapes, seat, whole(t.claim_tile))
        t.passed_v[seat] = max(whole(t.passed_v[seat]), claim_value(t, seat, judged))


# ---------------------------------------------------------------- chow, pong, kong


@kernel
def holds(t: Record, seat: int, kind: int) -> bool:
    """Whether a hand has a tile that a chow may use: never a wild one (R5.9)."""
    return t.hand[seat, kind] > 0 and kind != t.wild


@kernel
def chow_with(t: Record, seat: int, low: int) -> bool:
    """Whether the claimed tile makes the sequence from ``low`` with two tiles of the hand."""
    tile = whole(t.claim_tile)
    if low < 0 or low // 9 != tile // 9 or (low + 2) // 9 != tile // 9:
        return False
    for kind in range(low, low + 3):
        if kind != tile and not holds(t, seat, kind):
            return False
    return True


@kernel
def may_chow(t: Record, seat: int) -> bool:
    """Only the next player, only suited tiles (R3.2)."""
    tile = whole(t.claim_tile)
    if tile >= 27 or t.sheet.no_chow != 0 or seat != (t.claim_from + 1) % t.sheet.players:
        return False
    return chow_with(t, seat, tile - 2) or chow_with(t, seat, tile - 1) or chow_with(t, seat, tile)


@kernel
def may_kong(t: Record, shapes: Shapes, seat: int) -> bool:
    """An exposed kong needs three alike and a tile to draw (R3.5)."""
    if t.hand[seat, t.claim_tile] < 3 or remaining(t) <= NO_DRAW_AT:
        return False
    return t.is_ready[seat] == 0 or ready_exposed_kong(t, shapes, seat, whole(t.claim_tile))


@kernel
def claims_of(t: Record, shapes: Shapes, seat: int) -> int:
    """Everything that a seat may do with the tile, as bits of Ask."""
    bits = Ask.WIN.value if may_win(t, shapes, seat) else 0
    if t.phase == Phase.ROB or t.claim_tile == t.wild:
        return bits
    if t.is_ready[seat] == 0:
        if t.hand[seat, t.claim_tile] >= 2:
            bits |= Ask.PONG
        if may_chow(t, seat):
            bits |= Ask.CHOW
    if may_kong(t, shapes, seat):
        bits |= Ask.KONG
    return whole(bits)


@kernel
def offer(t: Record, phase: int, seat: int, tile: int) -> None:
    """A tile lies there to be claimed; nobody is asked yet."""
    t.phase = phase
    t.claim_from = seat
    t.claim_tile = tile
    t.answer[:] = -1
    t.ask[:] = 0


@kernel
def open_claims(t: Record, shapes: Shapes, phase: int, seat: int, tile: int) -> None:
    """Ask everybody about a tile let go; who can do nothing with it isn't asked."""
    offer(t, phase, seat, tile)
    for other in range(whole(t.sheet.players)):
        if other != seat:
            t.ask[other] = claims_of(t, shapes, other)
