"""Review: the advice of every moment, held against what was done."""

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

from hainan.bots.advice import advise
from hainan.bots.review import WORST, Review, review_of
from hainan.engine.jit import COMPILED
from hainan.records import RecordError, ReplayError, read_record, steps
from hainan.rules.presets import PRESET_NAMES
from tests.conftest import amount

pytestmark = pytest.mark.skipif(not COMPILED, reason="as plain Python a decision takes seconds")
PLACE = Path(__file__).parents[1] / "data" / "record_examples.jsonl"
RECORDS: list[dict[str, Any]] = [json.loads(line)["record"] for line in PLACE.read_text().splitlines()]
SOME = RECORDS[: amount(12, 0, len(RECORDS))]


@pytest.mark.parametrize("record", SOME, ids=range(len(SOME)))
def test_a_review_is_the_advice_of_every_moment(record: dict[str, Any]) -> None:
    hand = read_record(record)
    review = review_of(hand)
    by_number = {decision.n: decision for decision in review.decisions}
    for table, n, _, _ in steps(hand):
        if n == len(hand.actions):
            break
        seat, did = hand.actions[n]
        decision = by_number.pop(n + 1, None)
        if len(table.legal()[seat]) == 1:
            assert decision is None
            continue
        assert decision is not None
        advice = advise(table, seat)
        assert decision.seat == seat
        assert decision.did == advice.of(did)
        assert decision.best == advice.of(advice.best)
        if decision.did.points is not None and decision.best.points is not None:
            assert decision.lost == pytest.approx(decision.best.points - decision.did.points, abs=0.0011)
        assert decision.lost >= 0
        assert (decision.lost == 0) or decision.did != decision.best
    assert not by_number


def test_records_of_every_preset_and_of_three() -> None:
    assert {record["rules"]["preset"] for record in RECORDS} == set(PRESET_NAMES)
    assert {record["players"] for record in SOME} == {3, 4}


@pytest.mark.parametrize("record", SOME[:4], ids=range(len(SOME[:4])))
def test_one_seat_and_the_sums(record: dict[str, Any]) -> None:
    hand = read_record(record)
    review = review_of(hand)
    for seat in range(hand.players):
        own = review_of(hand, seat)
        assert own.decisions == [one for one in review.decisions if one.seat == seat]
        assert own.lost[seat] == review.lost[seat] == pytest.approx(sum(one.lost for one in own.decisions))
        assert all(lost == 0 for other, lost in enumerate(own.lost) if other != seat)
    worst = [review.decisions[index].lost for index in review.worst]
    assert worst == sorted((one.lost for one in review.decisions if one.lost > 0), reverse=True)[:WORST]


def test_a_review_is_json_and_back() -> None:
    review = review_of(read_record(RECORDS[0]))
    assert msgspec.json.decode(msgspec.json.encode(review), type=Review) == review


def test_what_cannot_be_reviewed() -> None:
    three = next(record for record in RECORDS if record["players"] == 3)
    with pytest.raises(RecordError, match="no seat 3 among 3"):
        review_of(read_record(three), 3)
    spoiled = RECORDS[0] | {"actions": [*RECORDS[0]["actions"][:5], [0, "dance"]]}
    with pytest.raises(ReplayError, match="action 6"):
        review_of(read_record(spoiled))
