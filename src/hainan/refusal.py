"""Why an action is refused: the clause that forbids it, and a sentence.

Legality itself is decided by the engine's legal lists alone; this only explains.
"""

from dataclasses import dataclass
from typing import Any

from hainan.engine.record import NO_DRAW_AT, Phase, Record
from hainan.faults import Cause
from hainan.rules.actions import BY_TEXT, GA_VALUES, Act, chow_pair
from hainan.rules.terms import MissedWin
from hainan.rules.tiles import KINDS, TEXT


@dataclass(frozen=True)
class Why:
    """A reason, with what is given with it."""

    reason: Cause
    given: dict[str, int | str]

    @property
    def clause(self) -> str:
        """The clause that forbids it."""
        return self.reason.clause

    @property
    def text(self) -> str:
        """The sentence."""
        return self.reason.en.format(**self.given)


def because(reason: Cause, **given: int | str) -> Why:
    """A reason, with what is given with it: a ``seat``, a ``tile`` as text, numbers."""
    return Why(reason, given)


def why_refused(t: Record, shapes: Any, seat: int, tried: str, may_act: bool) -> Why:
    """The reason; ``may_act``: the table waits for this seat."""
    if not 0 <= seat < t.sheet.players:
        return because(Cause.NO_SEAT, seat=seat)
    if tried not in BY_TEXT:
        return because(Cause.NO_ACTION)
    if t.phase == Phase.OVER:
        return because(Cause.HAND_OVER)
    if not may_act:
        return _not_waited_for(t, seat)
    number = int(BY_TEXT[tried])
    if number < Act.DISCARD:
        return _ga(t, seat, GA_VALUES[number])
    if t.phase == Phase.GA:
        return because(Cause.GA_FIRST)
    if t.phase == Phase.TURN:
        return _in_turn(t, seat, number)
    return _claim(t, seat, number)


def _not_waited_for(t: Record, seat: int) -> Why:
    if t.phase == Phase.GA:
        return because(Cause.GA_ONCE)
    if t.phase == Phase.TURN:
        return because(Cause.TURN_OF, seat=int(t.turn))
    if t.answer[seat] >= 0:
        return because(Cause.ANSWERED)
    return because(Cause.NOT_OFFERED, tile=TEXT[int(t.claim_tile)])


def _ga(t: Record, seat: int, value: int) -> Why:
    if t.phase != Phase.GA:
        return because(Cause.GA_EARLIER)
    return because(Cause.GA_LOWER, n=value, least=int(t.ga_floor[seat]))


def _in_turn(t: Record, seat: int, number: int) -> Why:
    if number < Act.CHOW:
        ready = number >= Act.READY
        return _discard(t, seat, (number - Act.DISCARD) % KINDS, ready)
    if number < Act.OWN_KONG or number == Act.PASS:
        return because(Cause.OWN_TURN)
    if not t.drawn:
        return because(Cause.NOTHING_DRAWN)
    if number == Act.WIN:
        flowers = t.held_flowers[seat] != 0
        return because(Cause.FLOWERS_HELD) if flowers else because(Cause.NOT_WINNING)
    return _own_kong(t, seat, number - Act.OWN_KONG)


def _discard(t: Record, seat: int, kind: int, ready: bool) -> Why:
    if t.hand[seat, kind] == 0:
        return because(Cause.NO_TILE, tile=TEXT[kind])
    if not ready:
        return because(Cause.READY_KEEPS)
    if not t.sheet.ready:
        return because(Cause.NO_READY)
    if t.is_ready[seat]:
        return because(Cause.READY_ALREADY)
    if t.n_made[seat] or t.n_melds[seat]:
        return because(Cause.READY_LATE)
    return because(Cause.READY_NO_WAIT, tile=TEXT[kind])


def _own_kong(t: Record, seat: int, kind: int) -> Why:
    if kind == t.wild:
        return because(Cause.WILD_KONG)
    if t.tail - t.head <= NO_DRAW_AT:
        return because(Cause.WALL_OUT)
    if t.hand[seat, kind] == 4:
        return because(Cause.KONG_CHANGES)
    if t.hand[seat, kind] > 0 and kind == t.fresh_pong:
        return because(Cause.KONG_FRESH)
    return because(Cause.NO_FOUR, tile=TEXT[kind])


def _claim(t: Record, seat: int, number: int) -> Why:
    tile = TEXT[int(t.claim_tile)]
    if number == Act.WIN:
        return _win(t, seat)
    if t.phase == Phase.ROB:
        return because(Cause.ROB_OR_PASS)
    if t.claim_tile == t.wild:
        return because(Cause.WILD_DISCARD)
    if t.is_ready[seat]:
        return because(Cause.READY_CLAIMS)
    if Act.CHOW <= number < Act.PONG:
        return _chow(t, seat, number)
    if number == Act.PONG:
        return because(Cause.PONG_NEEDS, tile=tile)
    if number == Act.KONG:
        if t.hand[seat, int(t.claim_tile)] == 3:
            return because(Cause.WALL_OUT)
        return because(Cause.KONG_NEEDS, tile=tile)
    return because(Cause.NOT_TURN)


def _chow(t: Record, seat: int, number: int) -> Why:
    if t.sheet.no_chow:
        return because(Cause.NO_CHOWS)
    if seat != (t.claim_from + 1) % t.sheet.players:
        return because(Cause.CHOW_NEXT)
    if any(kind == t.wild for kind in chow_pair(number)):
        return because(Cause.WILD_CHOW)
    return because(Cause.NO_SEQUENCE, tile=TEXT[int(t.claim_tile)])


def _win(t: Record, seat: int) -> Why:
    if t.let_off[seat] >= 0:
        return because(Cause.LET_OFF, seat=int(t.let_off[seat]))
    if t.sheet.missed_win == MissedWin.HIGHER_ONLY and t.passed_v[seat] > 0:
        return because(Cause.HIGHER_ONLY, n=int(t.passed_v[seat]))
    return because(Cause.NO_LICENCE)
