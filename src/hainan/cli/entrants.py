"""Who plays, by name: a built-in policy, or a model in a file."""

from typing import Protocol

from hainan.bots.policies import Policy, policy_named
from hainan.bots.seats import Bot
from hainan.rl.model import SUFFIX, Model, ModelBot, ModelError, load_model
from hainan.rl.optional import MissingPackage
from hainan.rules.actions import Action
from hainan.sim.guests import Entrant
from hainan.table import Table


def entrant_named(name: str) -> Entrant:
    """A built-in policy by name, or a model by the name of its file. Raises ValueError."""
    if not name.endswith(SUFFIX):
        try:
            return policy_named(name)
        except ValueError as error:
            raise ValueError(f"{error}, or a model: FILE{SUFFIX}") from None
    try:
        return load_model(name)
    except OSError as error:
        raise ValueError(f"{name}: {error.strerror or error}") from None
    except (ModelError, MissingPackage) as error:
        raise ValueError(f"{name}: {error}") from None


class Player(Protocol):
    """Plays seats of a live table."""

    def choose(self, table: Table, seat: int) -> Action:
        """One of the seat's legal actions."""


def bot_of(entrant: Entrant) -> Player:
    """A bot that plays like this."""
    if isinstance(entrant, Policy):
        return Bot(entrant)
    assert isinstance(entrant, Model)
    return ModelBot(entrant)
