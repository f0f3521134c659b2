"""Legal actions of a seat: the one source of legality for referee, bots, page and environments."""

from typing import Any

from hainan.engine.claims import chow_with, ready_concealed_kong
from hainan.engine.distance import may_wait
from hainan.engine.jit import kernel, whole
from hainan.engine.record import NO_DRAW_AT, Ask, Phase, Record
from hainan.engine.shapes import add_tile, is_complete, waits
from hainan.engine.tables import Shapes
from hainan.engine.wall import remaining
from hainan.rules.actions import CHOWS_PER_SUIT, GA_VALUES, Act
from hainan.rules.terms import MeldKind

MAX_LEGAL = 48
"""14 discards, 14 ready discards, at most 4 kongs and a win."""


@kernel
def may_act(t: Record, seat: int) -> bool:
    """Whether the table waits for this seat."""
    if seat >= t.sheet.players:
        return False
    if t.phase == Phase.TURN:
        return t.turn == seat
    if t.phase == Phase.GA:
        return t.ga[seat] < 0
    return (t.phase == Phase.CLAIM or t.phase == Phase.ROB) and t.ask[seat] != 0 and t.answer[seat] < 0


@kernel
def list_ga(t: Record, seat: int, out: Any) -> int:
    """R8.3: never below the floor, unless ga is free."""
    n = 0
    for index in range(len(GA_VALUES)):
        if t.sheet.free_ga != 0 or GA_VALUES[index] >= t.ga_floor[seat]:
            out[n] = Act.GA + index
            n += 1
    return n


@kernel
def list_discards(t: Record, seat: int, out: Any) -> int:
    """Any kind of the hand; when ready, the last tile drawn."""
    if t.is_ready[seat] != 0:
        out[0] = Act.DISCARD + t.last_tile
        return 1
    n = 0
    for kind in range(34):
        if t.hand[seat, kind] > 0:
            out[n] = Act.DISCARD + kind
            n += 1
    return n


@kernel
def list_ready(t: Record, shapes: Shapes, seat: int, n: int, out: Any) -> int:
    """R7.6: with the first discard, without melds, if the hand then waits."""
    if t.sheet.ready == 0 or t.n_made[seat] > 0 or t.n_melds[seat] > 0:
        return n
    if not may_wait(t, shapes, seat):
        return n
    for kind in range(34):
        if t.hand[seat, kind] > 0:
            add_tile(t, seat, kind, -1)
            if waits(t, shapes, seat) != 0:
                out[n] = Act.READY + kind
                n += 1
            add_tile(t, seat, kind, 1)
    return n


@kernel
def own_kongs(t: Record, shapes: Shapes, seat: int) -> int:
    """Kinds that may be konged in one's own turn, as bits (R3.5, R3.6, R5.9, R7.6)."""
    kinds = 0
    for kind in range(34):
        if t.hand[seat, kind] == 4 and kind != t.wild:
            if t.is_ready[seat] == 0 or ready_concealed_kong(t, shapes, seat, kind):
                kinds |= 1 << kind
    for meld in range(whole(t.n_melds[seat])):
        if t.meld_kind[seat, meld] == MeldKind.PONG:
            kind = whole(t.meld_tile[seat, meld])
            if t.hand[seat, kind] > 0 and kind != t.fresh_pong:
                kinds |= 1 << kind
    return kinds


@kernel
def list_turn(t: Record, shapes: Shapes, seat: int, out: Any) -> int:
    """One's own turn."""
    n = list_ready(t, shapes, seat, list_discards(t, seat, out), out)
    if t.drawn != 0:
        kongs = own_kongs(t, shapes, seat) if remaining(t) > NO_DRAW_AT else 0
        if kongs != 0:
            for kind in range(34):
                if kongs & (1 << kind) != 0:
                    out[n] = Act.OWN_KONG + kind
                    n += 1
        if is_complete(t, shapes, seat, -1):
            out[n] = Act.WIN
            n += 1
    return n


@kernel
def chow_action(low: int, tile: int) -> int:
    """The action that makes the sequence from ``low`` with the tile claimed."""
    first = low + 1 if tile == low else low
    gap = 2 if tile == low + 1 else 1
    return Act.CHOW + CHOWS_PER_SUIT * (low // 9) + 2 * (first % 9) + gap - 1


@kernel
def list_claims(t: Record, seat: int, out: Any) -> int:
    """Answers to a discard or an added kong."""
    asked = whole(t.ask[seat])
    n = 0
    if asked & Ask.CHOW != 0:
        for low in range(whole(t.claim_tile) - 2, whole(t.claim_tile) + 1):
            if chow_with(t, seat, low):
                out[n] = chow_action(low, whole(t.claim_tile))
                n += 1
    if asked & Ask.PONG != 0:
        out[n] = Act.PONG
        n += 1
    if asked & Ask.KONG != 0:
        out[n] = Act.KONG
        n += 1
    if asked & Ask.WIN != 0:
        out[n] = Act.WIN
        n += 1
    out[n] = Act.PASS
    return n + 1


@kernel
def legal(t: Record, shapes: Shapes, seat: int, out: Any) -> int:
    """Write a seat's legal actions, ascending, and return how many there are."""
    if not may_act(t, seat):
        return 0
    if t.phase == Phase.TURN:
        return list_turn(t, shapes, seat, out)
    if t.phase == Phase.GA:
        return list_ga(t, seat, out)
    return list_claims(t, seat, out)
