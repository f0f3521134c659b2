"""Review: every decision of a stored hand against the best there was (复盘).

    review = review_of(read_record(data))
    for index in review.worst:
        print(review.decisions[index].best.zh)

The numbers are those of the advice that its seat would have been given at that moment.
"""

from typing import Final

from msgspec import Struct

from hainan.bots.advice import PLACES, Advised, advised, scene_of
from hainan.records import HandRecord, RecordError, ReplayError
from hainan.table import IllegalAction, Table

WORST: Final = 3
"""How many moments are singled out."""


class Decision(Struct, frozen=True, kw_only=True):
    """A decision of a hand: what was done, what was best, and what the difference cost."""

    n: int
    """The number of the action in the record, from 1."""
    seat: int
    """Who decided."""
    did: Advised
    """What he did."""
    best: Advised
    """What ``strong`` would have done."""
    lost: float
    """Expected points lost, 0 or more; 0 for a choice of ga, which isn't weighed."""


class Review(Struct, frozen=True, kw_only=True):
    """A hand, decision by decision."""

    players: int
    """How many sat there."""
    decisions: list[Decision]
    """Every decision with more than one legal action, in their order; of one seat, if one was asked for."""
    worst: list[int]
    """Up to three of them that cost most, by their place in ``decisions``, the worst first."""
    lost: list[float]
    """Points lost by each seat over all its decisions; 0 for seats left out."""


def _decision(table: Table, n: int, seat: int, did: str) -> Decision | None:
    """One action of a record, before it is taken; None where there was nothing to choose."""
    legal = table.legal().get(seat, [])
    taken = next((index for index, action in enumerate(legal) if action.text == did), None)
    if taken is None or len(legal) < 2:
        return None
    scene = scene_of(table, seat)
    facts = scene.options[taken]
    return Decision(
        n=n,
        seat=seat,
        did=advised(scene, facts),
        best=advised(scene, scene.chosen),
        lost=round(scene.chosen.points - facts.points, PLACES),
    )


def review_of(record: HandRecord, seat: int | None = None) -> Review:
    """Review a hand, for one seat or for all.

    Raises RecordError where there is no such seat, ReplayError where an action isn't legal.
    """
    if seat is not None and not 0 <= seat < record.players:
        raise RecordError("players", f"there is no seat {seat} among {record.players} players")
    table = record.table()
    decisions = []
    for n, (who, did) in enumerate(record.actions, 1):
        if seat is None or who == seat:
            found = _decision(table, n, who, did)
            if found is not None:
                decisions.append(found)
        try:
            table.act(who, did)
        except IllegalAction as refusal:
            raise ReplayError(n, refusal) from None
    costly = sorted(range(len(decisions)), key=lambda index: -decisions[index].lost)
    return Review(
        players=table.players,
        decisions=decisions,
        worst=[index for index in costly[:WORST] if decisions[index].lost > 0],
        lost=[
            round(sum(one.lost for one in decisions if one.seat == at), PLACES) for at in range(table.players)
        ],
    )
