"""Every action a player can take, as a number and as text (docs/formats.md, section 1).

Numbers ascend in the order of the legal list, so a list of numbers is sorted as it should be read.
"""

from enum import IntEnum
from typing import Final

from hainan.rules.tiles import KINDS, TEXT, text_of

GA_VALUES: Final = (0, 1, 2, 3, 5)
"""What may be staked (R8.3)."""
CHOWS_PER_SUIT: Final = 15


class Act(IntEnum):
    """The first number of each group of actions."""

    GA = 0
    DISCARD = 5
    READY = 39
    CHOW = 73
    PONG = 118
    KONG = 119
    OWN_KONG = 120
    WIN = 154
    PASS = 155
    COUNT = 156


class Action(int):
    """An action: a number with its text."""

    text: str

    def __new__(cls, number: int, text: str) -> "Action":
        """One of the catalogue; use ``ACTIONS[number]`` or ``parse`` instead."""
        self = super().__new__(cls, number)
        self.text = text
        return self

    def __str__(self) -> str:
        """The text of docs/formats.md."""
        return self.text

    def __repr__(self) -> str:
        """The text, marked as an action."""
        return f"<{self.text}>"


def chow_pair(number: int) -> tuple[int, int]:
    """The two tiles of one's own that a chow action uses."""
    suit, index = divmod(number - Act.CHOW, CHOWS_PER_SUIT)
    low = 9 * suit + index // 2
    return low, low + 1 + index % 2


def _texts() -> list[str]:
    return [
        *(f"ga {value}" for value in GA_VALUES),
        *(f"discard {TEXT[kind]}" for kind in range(KINDS)),
        *(f"ready {TEXT[kind]}" for kind in range(KINDS)),
        *(f"chow {text_of(chow_pair(number))}" for number in range(Act.CHOW, Act.PONG)),
        "pong",
        "kong",
        *(f"kong {TEXT[kind]}" for kind in range(KINDS)),
        "win",
        "pass",
    ]


ACTIONS: Final[tuple[Action, ...]] = tuple(Action(number, text) for number, text in enumerate(_texts()))
"""All actions by number."""
BY_TEXT: Final[dict[str, Action]] = {action.text: action for action in ACTIONS}
"""All actions by text."""
