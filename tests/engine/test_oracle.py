"""The engine against the slow, separately written oracles: scoring, and whole hands."""

import json
import random
from pathlib import Path
from typing import Any

import pytest

from hainan.records import read_record, replay
from hainan.score import Calculator
from tests.conftest import amount
from tests.oracle import referee, scoring
from tests.oracle.requests import random_request

DATA = Path(__file__).parents[1] / "data"


def lines(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (DATA / name).read_text().splitlines()]


@pytest.mark.parametrize("example", lines("score_examples.jsonl"), ids=lambda example: example["id"])
def test_worked_score_examples(example: dict[str, Any]) -> None:
    answer = Calculator().score(example["request"])
    assert answer["legal"] == example.get("legal", True)
    if answer["legal"]:
        assert answer["payments"] == example["payments"]


@pytest.mark.parametrize("number", range(32))
def test_worked_record_examples(number: int) -> None:
    example = lines("record_examples.jsonl")[number]
    told = list(replay(read_record(example["record"])))
    assert [line["legal"] for line in told] == example["legal"]
    assert told[-1]["end"] is not None
    for key, value in example["end"].items():
        assert told[-1]["end"][key] == value, key


def comparable(answer: dict[str, Any]) -> Any:
    if not answer["legal"]:
        return answer["why"]
    items = sorted(json.dumps(item, sort_keys=True) for item in answer["items"])
    return answer["winners"], answer["payments"], items


def wild_in_hand(request: dict[str, Any]) -> int:
    wild = request.get("wild")
    if wild is None or not request["end"].get("winners"):
        return 0
    hands = [request["seats"][seat].get("hand", "") for seat in request["end"]["winners"]]
    return max(scoring.parse_tiles(hand).count(scoring.parse_tiles(wild)[0]) for hand in hands)


def compare_scores(count: int, seed: int) -> None:
    rng = random.Random(seed)
    calculator = Calculator()
    compared = 0
    while compared < count:
        request = random_request(rng)
        # The oracle tries every substitution: three wild tiles cost it a hundred other hands.
        if wild_in_hand(request) >= 3 and rng.random() > 0.02:
            continue
        answer = calculator.score(request)
        assert comparable(answer) == comparable(scoring.score(request)), json.dumps(request)
        if answer["legal"]:
            assert sum(answer["payments"]) == 0
        compared += 1


@pytest.mark.parametrize("part", range(4))
def test_scores_equal_the_oracle(part: int) -> None:
    """20,000 random hands and sheets in four parts."""
    compare_scores(amount(5_000, 60), 100 + part)


@pytest.mark.soak
@pytest.mark.parametrize("part", range(20))
def test_a_million_scores_equal_the_oracle(part: int) -> None:
    compare_scores(amount(50_000, 500, 50_000), 1000 + part)


def compare_hands(count: int, seed: int) -> None:
    rng = random.Random(seed)
    for _ in range(count):
        bias = rng.choice(referee.BIASES)
        record = referee.random_record(rng, bias)
        record = referee.random_play(record, rng, referee.suited_style(rng, bias))
        told = list(replay(read_record(record)))
        legal, end = referee.replay(record)
        text = json.dumps(record)
        assert [line["legal"] for line in told] == legal, text
        mine = told[-1]["end"]
        assert (mine is None) == (end is None), text
        if mine is not None and end is not None:
            for key in ("by", "from", "tile", "way", "payments", "winners"):
                assert mine[key] == end[key], (key, text)


@pytest.mark.parametrize("part", range(4))
def test_hands_equal_the_referee(part: int) -> None:
    """Whole hands under random sheets, on walls stacked for what is rare: every legal list and the end."""
    compare_hands(amount(50, 6), 200 + part)


@pytest.mark.soak
@pytest.mark.parametrize("part", range(8))
def test_many_hands_equal_the_referee(part: int) -> None:
    compare_hands(amount(1500, 20, 1500), 2000 + part)
