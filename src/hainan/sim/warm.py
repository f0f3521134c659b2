"""Small runs that compile every kernel called from Python, part by part."""

from hainan.analysis import distances
from hainan.bots.advice import advise
from hainan.bots.policies import Policy
from hainan.bots.seats import Bot
from hainan.engine.entries import count_hand
from hainan.engine.tables import shape_tables
from hainan.matches import Match, seeded_deals
from hainan.rules.presets import rules_of
from hainan.score import score as score_request
from hainan.seatview import mine_view, table_view
from hainan.sim.batch import asked_some, set_up
from hainan.sim.perft import perft
from hainan.sim.runner import Run, simulate
from hainan.table import Table


def _table() -> Table:
    rules = rules_of(ga=False)
    return Match(rules, deals=seeded_deals(0, rules)).table


def shapes() -> None:
    """The suit tables."""
    shape_tables()


def table() -> None:
    """Live tables, views, and what is told of them."""
    played = _table()
    first = played.legal()[0][0]
    played.laid(0, first).masked(0)
    played.act(0, first)
    table_view(played)
    mine_view(played, 0, None)
    count_hand(played.masked_array(0), 0, 0)


def hints() -> None:
    """Licences held, waits and what they bring."""
    _table().licences(0)
    _table().waits(0)


def score() -> None:
    """Judging and billing."""
    score_request({"seats": [{}, {}, {}, {}], "end": {"by": "draw"}})


def bots() -> None:
    """A bot's choice at a live table."""
    Bot(Policy.GREEDY).choose(_table(), 0)


def advice() -> None:
    """Advice on a decision."""
    advise(_table(), 0)


def bulk() -> None:
    """Bulk play."""
    simulate(Run(rules_of(), hands=1))
    tables = _table().masked_array(0)
    set_up(tables, 0, 0, 0)
    asked_some(tables, 0)


def counting() -> None:
    """Perft."""
    perft(_table(), 1)


def analysis() -> None:
    """Hand analysis over arrays."""
    distances([[0] * 34])
