"""Why an action is refused: the clause that forbids it, and a sentence.

Legality itself is decided by the engine's legal lists alone; this only explains.
"""

from dataclasses import dataclass
from typing import Any

from hainan.engine.record import NO_DRAW_AT, Phase, Record
from hainan.faults import Reason
from hainan.rules.actions import BY_TEXT, GA_VALUES, Act, chow_pair
from hainan.rules.terms import MissedWin
from hainan.rules.tiles import KINDS, TEXT


@dataclass(frozen=True)
class Why:
    """A reason, with what is given with it."""

    reason: Reason
    given: dict[str, int | str]

    @property
    def clause(self) -> str:
        """The clause that forbids it."""
        return self.reason.clause

    @property
    def text(self) -> str:
        """The sentence."""
        return self.reason.en.format(**self.given)


def because(reason: Reason, **given: int | str) -> Why:
    """A reason, with what is given with it: a ``seat``, a ``tile`` as text, numbers."""
    return Why(reason, given)


def why_refused(t: Record, shapes: Any, seat: int, tried: str, may_act: bool) -> Why:
    """The reason; ``may_act``: the table waits for this seat."""
    if not 0 <= seat < t.sheet.players:
        return because(Reason.NO_SEAT, seat=seat)
    if tried not in BY_TEXT:
        return because(Reason.NO_ACTION)
    if t.phase == Phase.OVER:
        return because(Reason.HAND_OVER)
    if not may_act:
        return _not_waited_for(t, seat)
    number = int(BY_TEXT[tried])
    if number < Act.DISCARD:
        return _ga(t, seat, GA_VALUES[number])
    if t.phase == Phase.GA:
        return because(Reason.GA_FIRST)
    if t.phase == Phase.TURN:
        return _in_turn(t, seat, number)
    return _claim(t, seat, number)


def _not_waited_for(t: Record, seat: int) -> Why:
    if t.phase == Phase.GA:
        return because(Reason.GA_ONCE)
    if t.phase == Phase.TURN:
        return because(Reason.TURN_OF, seat=int(t.turn))
    if t.answer[seat] >= 0:
        return because(Reason.ANSWERED)
    return because(Reason.NOT_OFFERED, tile=TEXT[int(t.claim_tile)])


def _ga(t: Record, seat: int, value: int) -> Why:
    if t.phase != Phase.GA:
        return because(Reason.GA_EARLIER)
    return because(Reason.GA_LOWER, n=value, least=int(t.ga_floor[seat]))


def _in_turn(t: Record, seat: int, number: int) -> Why:
    if number < Act.CHOW:
        ready = number >= Act.READY
        return _discard(t, seat, (number - Act.DISCARD) % KINDS, ready)
    if number < Act.OWN_KONG or number == Act.PASS:
        return because(Reason.OWN_TURN)
    if not t.drawn:
        return because(Reason.NOTHING_DRAWN)
    if number == Act.WIN:
        flowers = t.held_flowers[seat] != 0
        return because(Reason.FLOWERS_HELD) if flowers else because(Reason.NOT_WINNING)
    return _own_kong(t, seat, number - Act.OWN_KONG)


def _discard(t: Record, seat: int, kind: int, ready: bool) -> Why:
    if t.hand[seat, kind] == 0:
        return because(Reason.NO_TILE, tile=TEXT[kind])
    if not ready:
        return because(Reason.READY_KEEPS)
    if not t.sheet.ready:
        return because(Reason.NO_READY)
    if t.is_ready[seat]:
        return because(Reason.READY_ALREADY)
    if t.n_made[seat] or t.n_melds[seat]:
        return because(Reason.READY_LATE)
    return because(Reason.READY_NO_WAIT, tile=TEXT[kind])


def _own_kong(t: Record, seat: int, kind: int) -> Why:
    if kind == t.wild:
        return because(Reason.WILD_KONG)
    if t.tail - t.head <= NO_DRAW_AT:
        return because(Reason.WALL_OUT)
    if t.hand[seat, kind] == 4:
        return because(Reason.KONG_CHANGES)
    if t.hand[seat, kind] > 0 and kind == t.fresh_pong:
        return because(Reason.KONG_FRESH)
    return because(Reason.NO_FOUR, tile=TEXT[kind])


def _claim(t: Record, seat: int, number: int) -> Why:
    tile = TEXT[int(t.claim_tile)]
    if number == Act.WIN:
        return _win(t, seat)
    if t.phase == Phase.ROB:
        return because(Reason.ROB_OR_PASS)
    if t.claim_tile == t.wild:
        return because(Reason.WILD_DISCARD)
    if t.is_ready[seat]:
        return because(Reason.READY_CLAIMS)
    if Act.CHOW <= number < Act.PONG:
        return _chow(t, seat, number)
    if number == Act.PONG:
        return because(Reason.PONG_NEEDS, tile=tile)
    if number == Act.KONG:
        if t.hand[seat, int(t.claim_tile)] == 3:
            return because(Reason.WALL_OUT)
        return because(Reason.KONG_NEEDS, tile=tile)
    return because(Reason.NOT_TURN)


def _chow(t: Record, seat: int, number: int) -> Why:
    if t.sheet.no_chow:
        return because(Reason.NO_CHOWS)
    if seat != (t.claim_from + 1) % t.sheet.players:
        return because(Reason.CHOW_NEXT)
    if any(kind == t.wild for kind in chow_pair(number)):
        return because(Reason.WILD_CHOW)
    return because(Reason.NO_SEQUENCE, tile=TEXT[int(t.claim_tile)])


def _win(t: Record, seat: int) -> Why:
    if t.let_off[seat] >= 0:
        return because(Reason.LET_OFF, seat=int(t.let_off[seat]))
    if t.sheet.missed_win == MissedWin.HIGHER_ONLY and t.passed_v[seat] > 0:
        return because(Reason.HIGHER_ONLY, n=int(t.passed_v[seat]))
    return because(Reason.NO_LICENCE)
