"""What a room is between two moments: everything about it that must outlive the process, except its hands."""

import msgspec
from msgspec import Struct, field

from hainan.matches import Place
from hainan.rules.options import Rules, RulesError
from hainan.rules.presets import rules_from_json
from hainan.server.problem import Problem
from hainan.wire import Settings, Stage

STAND_IN = "normal"
"""The policy that plays for who has left."""


class Seat(Struct, kw_only=True, omit_defaults=True):
    """A chair and who sits on it."""

    player: str | None = None
    name: str = ""
    bot: str | None = None
    """The policy that plays: a bot's, or of a stand-in for a player who has left."""
    auto: bool = False
    nonce: str | None = None
    """What its client adds to the next shuffle; None until it is ready."""

    @property
    def free(self) -> bool:
        """Whether anybody may sit here."""
        return self.player is None and self.bot is None

    @property
    def human(self) -> bool:
        """Whether a person plays here."""
        return self.player is not None and self.bot is None


class RoomState(Struct, kw_only=True, omit_defaults=True):
    """A room as it is stored, with every change."""

    owner: str | None
    settings: Settings
    seats: list[Seat]
    stage: Stage = Stage.OPEN
    kicked: list[str] = field(default_factory=list)
    match: str | None = None
    """The match that is on, or the last one."""
    hand: int = 0
    """The number of its present or coming hand, in storage; void hands have numbers too."""
    place: Place | None = None
    """Where that hand stands in the match; None before the first."""
    commitment: str | None = None
    totals: list[int] = field(default_factory=list)
    banks: list[float] = field(default_factory=list)
    """Seconds of each seat, at the beginning of the hand."""

    @property
    def in_match(self) -> bool:
        """Whether a match is on."""
        return self.stage in (Stage.BETWEEN, Stage.PLAYING, Stage.PAUSED)

    @property
    def humans(self) -> list[int]:
        """Seats on which people play."""
        return [index for index, seat in enumerate(self.seats) if seat.human]

    def seat_of(self, player: str) -> int | None:
        """Where a player sits."""
        for index, seat in enumerate(self.seats):  # asked at every message
            if seat.player == player:
                return index
        return None

    def to_json(self) -> str:
        """As it is stored."""
        return msgspec.json.encode(self).decode()

    @classmethod
    def from_json(cls, text: str) -> "RoomState":
        """As it was stored."""
        return msgspec.json.decode(text, type=cls)


def rules_of_settings(settings: Settings) -> Rules:
    """The option sheet of a room; raises Problem where it contradicts itself."""
    try:
        return rules_from_json(settings.rules, settings.players)
    except RulesError as error:
        raise Problem.of_rules(error) from None


def opening_state(settings: Settings, owner: str | None, seats: list[Seat] | None = None) -> RoomState:
    """A new room; ``seats`` may already be taken, and are filled up with free ones. Raises Problem."""
    rules_of_settings(settings)
    seats = list(seats or ())
    seats += [Seat() for _ in range(settings.players - len(seats))]
    return RoomState(owner=owner, settings=settings, seats=seats[: settings.players])
