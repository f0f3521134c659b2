"""What the server refuses, as an exception: raised anywhere, told by HTTP and by the socket alike."""

from hainan.faults import Fault
from hainan.rules.options import RulesError
from hainan.wire import About, Refusal


class Problem(Exception):
    """A refusal for people and programs: its code, a sentence, and the clause that forbids it."""

    def __init__(
        self,
        code: Refusal,
        why: str,
        clause: str | None = None,
        wait: float | None = None,
        about: About | None = None,
    ) -> None:
        """``wait``: after how many seconds it is worth trying again; ``about``: the sentence in parts."""
        super().__init__(why)
        self.code, self.why, self.clause, self.wait, self.about = code, why, clause, wait, about

    @classmethod
    def of_rules(cls, error: RulesError) -> "Problem":
        """The refusal of an option sheet."""
        clause = error.clause if error.clause.startswith("R") else None
        about = About(where=f"rules.{error.option}", fault=Fault.RULES, params={"option": error.option})
        return cls(Refusal.BAD_SETTINGS, str(error), clause, about=about)
