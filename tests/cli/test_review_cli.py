"""``hainan review``: JSON for programs, the telling for people, and what it says to bad input."""

import json

import msgspec
import pytest
from rich.cells import cell_len

from hainan.bots.review import review_of
from hainan.engine.jit import COMPILED
from hainan.records import read_record
from tests.cli.test_programs import hainan
from tests.cli.test_replay_cli import BAD, ONE, RECORDS, jsonl, spoiled

pytestmark = pytest.mark.skipif(not COMPILED, reason="as plain Python a decision takes seconds")


def test_json_is_the_review() -> None:
    status, out, err = hainan("review", "--json", given=json.dumps(ONE))
    assert (status, err) == (0, "")
    assert json.loads(out) == msgspec.to_builtins(review_of(read_record(ONE)))
    seat = json.loads(hainan("review", "--json", "--seat", "1", given=json.dumps(ONE))[1])
    assert {decision["seat"] for decision in seat["decisions"]} == {1}


def test_many_records_are_counted_from_0() -> None:
    status, out, _ = hainan("review", "--json", given=jsonl(*RECORDS[:3]))
    assert status == 0
    assert [json.loads(line)["record"] for line in out.splitlines()] == [0, 1, 2]


@pytest.mark.parametrize(
    ("lang", "words"),
    [
        ("zh", ["失分最多的地方", "最好", "期望 ", "各家失分  0北", "张听"]),
        ("en", ["The worst moments", "points lost, best: ", "from waiting", "Points lost  0 North"]),
    ],
)
def test_the_telling(lang: str, words: list[str]) -> None:
    status, out, err = hainan("review", "--lang", lang, given=json.dumps(ONE))
    assert (status, err) == (0, "")
    assert max(map(cell_len, out.splitlines())) <= 80
    review = review_of(read_record(ONE))
    for word in words:
        assert word in out
    for index in review.worst:
        decision = review.decisions[index]
        assert f"{decision.lost:.2f}" in out
        why = decision.best.zh if lang == "zh" else decision.best.en
        assert "".join(why.split()) in "".join(out.split())


def test_one_seat() -> None:
    out = hainan("review", "--lang", "en", "--seat", "2", given=json.dumps(ONE))[1]
    assert "2 South: " in out
    assert "1 East: " not in out


@pytest.mark.parametrize(("text", "told"), BAD.items(), ids=range(len(BAD)))
def test_bad_records_are_one_line(text: str, told: str) -> None:
    status, out, err = hainan("review", given=text)
    assert (status, out) == (2, "")
    assert err.startswith("hainan: record 0: ")
    assert told in err
    assert err.count("\n") == 1


def test_a_bad_record_among_others() -> None:
    three = next(record for record in RECORDS if record["players"] == 3)
    given = jsonl(ONE, spoiled(ONE, 3, [3, "pong"]), three)
    status, out, err = hainan("review", "--json", "--seat", "3", given=given)
    assert status == 2
    assert [json.loads(line)["record"] for line in out.splitlines()] == [0]
    assert "record 1 (line 2): action 3: seat 3 can't 'pong'" in err
    assert "record 2 (line 3): players: there is no seat 3 among 3 players" in err


def test_bad_arguments() -> None:
    for arguments in (["--seat", "4"], ["--lang", "fr"], ["/nowhere/record.json"]):
        status, out, err = hainan("review", *arguments, given="")
        assert (status, out) == (2, "")
        assert err
