"""What the server refuses, as an exception: raised anywhere, told by HTTP and by the socket alike."""

from hainan.rules.options import RulesError
from hainan.wire import Refusal


class Problem(Exception):
    """A refusal for people and programs: its code, a sentence, and the clause that forbids it."""

    def __init__(self, code: Refusal, why: str, clause: str | None = None, wait: float | None = None) -> None:
        """``wait``: after how many seconds it is worth trying again."""
        super().__init__(why)
        self.code, self.why, self.clause, self.wait = code, why, clause, wait

    @classmethod
    def of_rules(cls, error: RulesError) -> "Problem":
        """The refusal of an option sheet."""
        return cls(Refusal.BAD_SETTINGS, str(error), error.clause if error.clause.startswith("R") else None)
