"""Advice: what each legal action of a seat is worth, and why.

    advice = advise(table, 0)
    print(advice.best, advice.of(advice.best).zh)

Made from the seat's view alone, with the numbers that ``strong`` plays by: the best action is what it plays.
"""

import threading
from typing import Final

import numpy as np
from msgspec import Struct

from hainan.bots.facts import Fact, explain
from hainan.bots.minds import Row, minds_of_thread
from hainan.bots.policies import Policy
from hainan.bots.reasons import Facts, Scene, reasons_for, sentence
from hainan.bots.seats import Bot
from hainan.engine.distance import new_scratch
from hainan.engine.hints import HINT_COLUMNS
from hainan.engine.legal import MAX_LEGAL
from hainan.engine.record import SEATS, Phase, Record, copied
from hainan.engine.tables import shape_tables
from hainan.rules.actions import Act, Action
from hainan.rules.terms import Licence, Pattern
from hainan.rules.tiles import KINDS
from hainan.table import Table, Wait, members

PLACES: Final = 3
"""Decimals that are told."""


class NothingToDecide(ValueError):
    """Nothing is asked of this seat now."""


class Advised(Struct, frozen=True, kw_only=True):
    """A legal action, what it is worth, and why."""

    action: str
    """As text (docs/formats.md, section 1)."""
    points: float | None
    """Expected points of the hand from here on, what others' wins cost included; none for ga."""
    win: float | None
    """Chance to win the hand, 0 to 1."""
    deal_in: float | None
    """Chance that this very tile is won by somebody."""
    reasons: list[str]
    """Ids of what the sentence says (``reasons.REASONS``)."""
    zh: str
    """Why, in Chinese."""
    en: str
    """Why, in English."""


class Advice(Struct, frozen=True, kw_only=True):
    """Advice on one decision."""

    seat: int
    """Whose decision it is."""
    best: str
    """The action that ``strong`` takes."""
    actions: list[Advised]
    """Every legal action, in the order of the legal list."""

    def of(self, action: str) -> Advised:
        """One of the actions, by its text. Raises KeyError."""
        for advised in self.actions:
            if advised.action == action:
                return advised
        raise KeyError(action)


class _Desk(threading.local):
    """One thread's working space; what is read of it is what was written in the same call."""

    def __init__(self) -> None:
        self.shapes = shape_tables()
        self.work = new_scratch()
        self.discards = np.zeros(KINDS, np.int16)
        self.worths = np.zeros((MAX_LEGAL, len(Row)))
        self.rows = np.zeros((MAX_LEGAL, len(Row)))
        self.waits = np.zeros((MAX_LEGAL, KINDS, HINT_COLUMNS), np.int32)
        self.facts = np.zeros((MAX_LEGAL, len(Fact)), np.int32)
        self.stakes = np.zeros(SEATS - 1, np.int32)


_DESK: Final = _Desk()


def _explained(view: Record, seat: int, legal: list[Action]) -> tuple[tuple[Facts, ...], tuple[int, ...]]:
    """Every action, and what a score of one is worth with each other seat."""
    desk, n = _DESK, len(legal)
    explain(
        copied(view, n),
        desk.shapes,
        seat,
        np.array(legal, np.int16),
        desk.work,
        minds_of_thread(),
        desk.discards,
        desk.worths,
        desk.rows,
        desk.waits,
        desk.facts,
        desk.stakes,
    )
    worth, told = desk.rows[:n].tolist(), desk.facts[:n].tolist()
    facts = tuple(
        _facts(action, worth[row], told[row], desk.waits[row, : told[row][Fact.WAITS]].tolist())
        for row, action in enumerate(legal)
    )
    return facts, tuple(desk.stakes[: int(view["sheet"]["players"][0]) - 1].tolist())


def _facts(action: Action, worth: list[float], told: list[int], waits: list[list[int]]) -> Facts:
    return Facts(
        action=action,
        text=action.text,
        points=worth[Row.POINTS],
        win=worth[Row.WIN],
        deal_in=worth[Row.DEAL_IN],
        waits=tuple(map(Wait.of, waits)),
        licences=members(Licence, told[Fact.LICENCES]),
        patterns=members(Pattern, told[Fact.PATTERNS]),
        missing=told[Fact.MISSING],
        kinds=told[Fact.KINDS],
        tiles=told[Fact.TILES],
        then=told[Fact.THEN],
        plan=told[Fact.PLAN],
        liable_rule=told[Fact.LIABLE_RULE],
        liable_seat=told[Fact.LIABLE_SEAT],
        liable_points=told[Fact.LIABLE_POINTS],
        fed_seat=told[Fact.FED_SEAT],
        fed=told[Fact.FED],
        bound=told[Fact.BOUND],
        kong=told[Fact.KONG],
        follow=told[Fact.FOLLOW],
        safe=told[Fact.SAFE] != 0,
        value=told[Fact.VALUE],
    )


def _unweighed(action: Action) -> Facts:
    """A choice of ga: nothing is dealt yet that could be weighed."""
    worth = [0.0] * len(Row)
    told = [0] * len(Fact)
    told[Fact.THEN] = -1
    return _facts(action, worth, told, [])


_NOT_YET: Final[tuple[int, ...]] = ()
"""Stakes while ga is chosen."""


def scene_of(table: Table, seat: int) -> Scene:
    """A decision as its seat sees it, every legal action explained. Raises NothingToDecide."""
    legal = table.legal().get(seat)
    if not legal:
        raise NothingToDecide(f"nothing is asked of seat {seat} now")
    view = table.masked_array(seat)
    t, phase = view[0], Phase(view["phase"].item())
    if phase == Phase.GA:
        options, stakes = tuple(map(_unweighed, legal)), _NOT_YET
        best = legal.index(Bot(Policy.STRONG).choose(table, seat))
    else:
        options, stakes = _explained(view, seat, legal)
        best = max(range(len(legal)), key=lambda index: options[index].points)
    return Scene(
        seat=seat,
        dealer=int(t.dealer),
        players=table.players,
        phase=phase,
        rules=table.rules,
        claim_tile=int(t.claim_tile),
        claim_from=int(t.claim_from),
        last_tile=int(t.last_tile),
        lead_seat=int(t.lead_seat),
        let_off=int(t.let_off[seat]),
        passed_v=int(t.passed_v[seat]),
        stakes=stakes,
        has_ga=table.rules.ga and bool((t.ga[: table.players] > 0).any()),
        options=options,
        best=best,
    )


def advised(scene: Scene, facts: Facts) -> Advised:
    """One action of a decision, in words."""
    weighed = facts.action >= Act.DISCARD
    reasons = reasons_for(scene, facts)
    return Advised(
        action=facts.text,
        points=round(facts.points, PLACES) if weighed else None,
        win=round(facts.win, PLACES) if weighed else None,
        deal_in=round(facts.deal_in, PLACES) if weighed else None,
        reasons=[reason.id for reason in reasons],
        zh=sentence("zh", scene, facts, reasons),
        en=sentence("en", scene, facts, reasons),
    )


def advise(table: Table, seat: int) -> Advice:
    """What each legal action of a seat is worth in points, and why; from the seat's view alone.

    Raises NothingToDecide where nothing is asked of the seat.
    """
    scene = scene_of(table, seat)
    return Advice(
        seat=seat,
        best=scene.chosen.text,
        actions=[advised(scene, facts) for facts in scene.options],
    )
