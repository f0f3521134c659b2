"""What is wrong with something that was sent: a sentence for people, and what it says in parts for programs,
which can word it in any language."""

from enum import StrEnum
from typing import Any, Self


class Fault(StrEnum):
    """What can be wrong with a field; the parameters of each are named here."""

    WRONG = "wrong"
    """Only the sentence tells."""
    NOT_OBJECT = "not_object"
    """It should be an object."""
    FORMAT = "format"
    """It is of another format than `wanted`."""
    RANGE = "range"
    """It should be a whole number from `low` to `high`."""
    LIST = "list"
    """It should be a list of `n` numbers, each one of `allowed`."""
    ONE_OF = "one_of"
    """It should be one of `allowed`."""
    MISSING = "missing"
    """It isn't there."""
    TILES = "tiles"
    """It can't be read as tiles."""
    RULES = "rules"
    """The option sheet contradicts itself, or has a value that isn't there, at `option`."""
    WALL = "wall"
    """These aren't the tiles of the sheet."""
    ACTION = "action"
    """It should be a seat and an action."""
    ILLEGAL = "illegal"
    """Action `n`, counted from 1: `seat` may not do `action`, for a `reason` and what is `given` with it."""
    FORBIDDEN = "forbidden"
    """One may not do `action` now, for a `reason` and what is `given` with it."""
    HEX = "hex"
    """It should be `bytes` bytes in hexadecimal."""
    TEXTS = "texts"
    """It should be a list of texts."""
    COPIES = "copies"
    """There are more of `tile` than the set has."""
    COUNT = "count"
    """There are `found` where `wanted` belong."""


class Cause(StrEnum):
    """Why an action isn't legal: its name, the clause that forbids it, and a sentence with places for what is
    given with it: a `seat`, a `tile`, numbers."""

    clause: str
    en: str

    def __new__(cls, name: str, clause: str, en: str) -> Self:
        """A member from its name, clause and sentence."""
        member = str.__new__(cls, name)
        member._value_ = name
        member.clause, member.en = clause, en
        return member

    NO_SEAT = "no_seat", "section 0", "there is no seat {seat} at this table"
    NO_ACTION = "no_action", "FORMATS 1", "there is no such action"
    HAND_OVER = "hand_over", "R3.1", "the hand is over"
    GA_ONCE = "ga_once", "R8.3", "the ga is chosen once"
    GA_EARLIER = "ga_earlier", "R8.3", "the ga is chosen before the deal"
    GA_FIRST = "ga_first", "R8.3", "everybody chooses his ga first"
    GA_LOWER = "ga_lower", "R8.3", "a ga of {n} is lower than the {least} of the hand before"
    TURN_OF = "turn_of", "R3.1", "it is seat {seat}'s turn"
    ANSWERED = "answered", "R3.4", "this seat has answered"
    NOT_OFFERED = "not_offered", "R3.2", "the {tile} is not offered to this seat"
    OWN_TURN = "own_turn", "R3.1", "in one's own turn one discards, kongs or wins"
    NOTHING_DRAWN = "nothing_drawn", "R3.5", "kongs and self-drawn wins need a tile drawn in this turn"
    FLOWERS_HELD = "flowers_held", "R2.2", "flowers are still in the hand"
    NOT_WINNING = "not_winning", "R5", "this is not a winning hand"
    NO_TILE = "no_tile", "R3.1", "there is no {tile} in the hand"
    READY_KEEPS = "ready_keeps", "R7.6", "a ready hand discards the tile it has drawn"
    NO_READY = "no_ready", "R7.6", "this table plays without ready"
    READY_ALREADY = "ready_already", "R7.6", "the hand is ready already"
    READY_LATE = "ready_late", "R7.6", "ready is declared with the first discard, without melds"
    READY_NO_WAIT = "ready_no_wait", "R7.6", "without the {tile} the hand doesn't wait"
    WILD_KONG = "wild_kong", "R5.9", "wild tiles make no kong"
    WALL_OUT = "wall_out", "R3.5", "there is no tile left to draw for a kong"
    KONG_CHANGES = "kong_changes", "R7.6", "this kong would change what the ready hand waits on"
    KONG_FRESH = "kong_fresh", "R3.6", "a pong can't be added to in its own turn"
    NO_FOUR = "no_four", "R3.6", "there are no four {tile} to kong"
    ROB_OR_PASS = "rob_or_pass", "R3.7", "an added kong can be robbed or let be"
    WILD_DISCARD = "wild_discard", "R5.9", "a discarded wild tile can only be won"
    READY_CLAIMS = "ready_claims", "R7.6", "a ready hand takes a win, or a kong that keeps its waits"
    PONG_NEEDS = "pong_needs", "R3.2", "a pong needs two {tile} in the hand"
    KONG_NEEDS = "kong_needs", "R3.2", "a kong needs three {tile} in the hand"
    NOT_TURN = "not_turn", "R3.1", "it is not this seat's turn"
    NO_CHOWS = "no_chows", "R3.2", "this table plays without chows"
    CHOW_NEXT = "chow_next", "R3.2", "only the next player can chow"
    WILD_CHOW = "wild_chow", "R5.9", "wild tiles make no chow"
    NO_SEQUENCE = "no_sequence", "R3.2", "these two don't make a sequence with the {tile}"
    LET_OFF = "let_off", "R9.1", "a win on seat {seat}'s tile was passed up"
    HIGHER_ONLY = "higher_only", "R9.2", "a win of {n} was passed up; only a higher one may follow"
    NO_LICENCE = "no_licence", "R6.1", "the hand isn't complete, or it has no licence"
    OTHER_OFFER = "other_offer", "", "now offer {n} is to be answered"


class FieldError(ValueError):
    """A field that can't be used, and what is wrong with it."""

    def __init__(self, field: str, problem: str, fault: Fault = Fault.WRONG, **params: Any) -> None:
        """``problem``: the sentence; ``fault`` and ``params`` say the same to programs."""
        self.field, self.problem, self.fault, self.params = field, problem, fault, params
        super().__init__(f"{field}: {problem}")
