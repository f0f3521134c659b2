"""What is wrong with something that was sent: a sentence for people, and what it says in parts for programs,
which can word it in any language."""

from enum import StrEnum
from typing import Any


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
    """Action `n`, counted from 1: `seat` may not do `action`."""
    HEX = "hex"
    """It should be `bytes` bytes in hexadecimal."""
    TEXTS = "texts"
    """It should be a list of texts."""
    COPIES = "copies"
    """There are more of `tile` than the set has."""
    COUNT = "count"
    """There are `found` where `wanted` belong."""


class FieldError(ValueError):
    """A field that can't be used, and what is wrong with it."""

    def __init__(self, field: str, problem: str, fault: Fault = Fault.WRONG, **params: Any) -> None:
        """``problem``: the sentence; ``fault`` and ``params`` say the same to programs."""
        self.field, self.problem, self.fault, self.params = field, problem, fault, params
        super().__init__(f"{field}: {problem}")
