"""Why an action is refused: the clause that forbids it, and a sentence.

Legality itself is decided by the engine's legal lists alone; this only explains.
"""

from typing import Any

from hainan.engine.record import NO_DRAW_AT, Phase, Record
from hainan.rules.actions import BY_TEXT, GA_VALUES, Act, chow_pair
from hainan.rules.terms import MissedWin
from hainan.rules.tiles import KINDS, TEXT

Why = tuple[str, str]


def why_refused(t: Record, shapes: Any, seat: int, tried: str, may_act: bool) -> Why:
    """The clause and the reason; ``may_act``: the table waits for this seat."""
    if not 0 <= seat < t.sheet.players:
        return "section 0", f"there is no seat {seat} at this table"
    if tried not in BY_TEXT:
        return "FORMATS 1", "there is no such action"
    if t.phase == Phase.OVER:
        return "R3.1", "the hand is over"
    if not may_act:
        return _not_waited_for(t, seat)
    number = int(BY_TEXT[tried])
    if number < Act.DISCARD:
        return _ga(t, seat, GA_VALUES[number])
    if t.phase == Phase.GA:
        return "R8.3", "everybody chooses his ga first"
    if t.phase == Phase.TURN:
        return _in_turn(t, seat, number)
    return _claim(t, seat, number)


def _not_waited_for(t: Record, seat: int) -> Why:
    if t.phase == Phase.GA:
        return "R8.3", "the ga is chosen once"
    if t.phase == Phase.TURN:
        return "R3.1", f"it is seat {int(t.turn)}'s turn"
    if t.answer[seat] >= 0:
        return "R3.4", "this seat has answered"
    return "R3.2", f"the {TEXT[int(t.claim_tile)]} is not offered to this seat"


def _ga(t: Record, seat: int, value: int) -> Why:
    if t.phase != Phase.GA:
        return "R8.3", "the ga is chosen before the deal"
    return "R8.3", f"a ga of {value} is lower than the {int(t.ga_floor[seat])} of the hand before"


def _in_turn(t: Record, seat: int, number: int) -> Why:
    if number < Act.CHOW:
        ready = number >= Act.READY
        return _discard(t, seat, (number - Act.DISCARD) % KINDS, ready)
    if number < Act.OWN_KONG or number == Act.PASS:
        return "R3.1", "in one's own turn one discards, kongs or wins"
    if not t.drawn:
        return "R3.5", "kongs and self-drawn wins need a tile drawn in this turn"
    if number == Act.WIN:
        flowers = t.held_flowers[seat] != 0
        return ("R2.2", "flowers are still in the hand") if flowers else ("R5", "this is not a winning hand")
    return _own_kong(t, seat, number - Act.OWN_KONG)


def _discard(t: Record, seat: int, kind: int, ready: bool) -> Why:
    if t.hand[seat, kind] == 0:
        return "R3.1", f"there is no {TEXT[kind]} in the hand"
    if not ready:
        return "R7.6", "a ready hand discards the tile it has drawn"
    if not t.sheet.ready:
        return "R7.6", "this table plays without ready"
    if t.is_ready[seat]:
        return "R7.6", "the hand is ready already"
    if t.n_made[seat] or t.n_melds[seat]:
        return "R7.6", "ready is declared with the first discard, without melds"
    return "R7.6", f"without the {TEXT[kind]} the hand doesn't wait"


def _own_kong(t: Record, seat: int, kind: int) -> Why:
    if kind == t.wild:
        return "R5.9", "wild tiles make no kong"
    if t.tail - t.head <= NO_DRAW_AT:
        return "R3.5", "there is no tile left to draw for a kong"
    if t.hand[seat, kind] == 4:
        return "R7.6", "this kong would change what the ready hand waits on"
    if t.hand[seat, kind] > 0 and kind == t.fresh_pong:
        return "R3.6", "a pong can't be added to in its own turn"
    return "R3.6", f"there are no four {TEXT[kind]} to kong"


def _claim(t: Record, seat: int, number: int) -> Why:
    tile = TEXT[int(t.claim_tile)]
    if number == Act.WIN:
        return _win(t, seat)
    if t.phase == Phase.ROB:
        return "R3.7", "an added kong can be robbed or let be"
    if t.claim_tile == t.wild:
        return "R5.9", "a discarded wild tile can only be won"
    if t.is_ready[seat]:
        return "R7.6", "a ready hand takes a win, or a kong that keeps its waits"
    if Act.CHOW <= number < Act.PONG:
        return _chow(t, seat, number)
    if number == Act.PONG:
        return "R3.2", f"a pong needs two {tile} in the hand"
    if number == Act.KONG:
        if t.hand[seat, int(t.claim_tile)] == 3:
            return "R3.5", "there is no tile left to draw for a kong"
        return "R3.2", f"a kong needs three {tile} in the hand"
    return "R3.1", "it is not this seat's turn"


def _chow(t: Record, seat: int, number: int) -> Why:
    if t.sheet.no_chow:
        return "R3.2", "this table plays without chows"
    if seat != (t.claim_from + 1) % t.sheet.players:
        return "R3.2", "only the next player can chow"
    if any(kind == t.wild for kind in chow_pair(number)):
        return "R5.9", "wild tiles make no chow"
    return "R3.2", f"these two don't make a sequence with the {TEXT[int(t.claim_tile)]}"


def _win(t: Record, seat: int) -> Why:
    if t.let_off[seat] >= 0:
        return "R9.1", f"a win on seat {int(t.let_off[seat])}'s tile was passed up"
    if t.sheet.missed_win == MissedWin.HIGHER_ONLY and t.passed_v[seat] > 0:
        return "R9.2", f"a win of {int(t.passed_v[seat])} was passed up; only a higher one may follow"
    return "R6.1", "the hand isn't complete, or it has no licence"
