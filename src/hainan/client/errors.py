"""What can go wrong for a client, in one line for people."""

from hainan.wire import Refusal, Refused


class ClientError(Exception):
    """The server can't be used so: why, and the server's code where it gave one."""

    def __init__(self, why: str, code: Refusal | None = None) -> None:
        """``why`` is one line."""
        super().__init__(why)
        self.why, self.code = why, code


class Unreachable(ClientError):
    """Nobody answers, or not as a server of this game would."""


class NoSeat(ClientError):
    """There is no seat for this player."""


class CommandRefused(ClientError):
    """A command was refused and changed nothing."""

    def __init__(self, refused: Refused) -> None:
        """As the server told it."""
        super().__init__(refused.why, refused.code)
        self.refused = refused


class AnswerLost(ClientError):
    """The connection was lost before an answer came; whether the command was carried out isn't known."""
