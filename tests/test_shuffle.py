"""The committed shuffle: published vectors, verification, fairness."""

import json
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from hainan.records import RecordError
from hainan.rules.presets import rules_of, rules_to_json
from hainan.rules.tiles import full_set, text_of
from hainan.shuffle import Shuffle, verify
from hainan.table import Table

VECTORS = json.loads((Path(__file__).parent / "data" / "shuffle_vectors.json").read_text())


@pytest.mark.parametrize("vector", VECTORS, ids=lambda vector: vector["name"])
def test_published_vectors(vector: dict) -> None:
    shuffle = Shuffle(bytes.fromhex(vector["seed"]), tuple(vector["nonces"]))
    deal = shuffle.deal(rules_of(players=vector["players"], **vector["rules"]), vector["players"])
    assert shuffle.commitment == vector["commitment"]
    assert list(deal.dice) == vector["dice"]
    assert text_of(deal.wall) == vector["wall"]
    assert list(deal.first_dice) == vector["first_dice"]
    assert deal.first_random == vector["first_random"]


def stored(shuffle: Shuffle) -> dict:
    rules = rules_of()
    deal = shuffle.deal(rules)
    table = Table(rules, wall=deal.wall, dice=deal.dice)
    return {**table.record(), "shuffle": shuffle.to_json()}


def test_a_true_record_verifies() -> None:
    assert all(check.holds for check in verify(stored(Shuffle.new().with_nonces(["甲", "b", "", "d"]))))


def test_one_tile_changed_is_found() -> None:
    record = stored(Shuffle.from_number(1))
    wall = record["wall"]
    record["wall"] = (
        wall[2:4] + wall[:2] + wall[4:]
        if wall[:2] != wall[2:4]
        else wall[4:6] + wall[2:4] + wall[:2] + wall[6:]
    )
    assert [check.what for check in verify(record) if not check.holds] == ["wall"]


def test_another_seed_nonce_dice_or_commitment_is_found() -> None:
    record = stored(Shuffle.from_number(1).with_nonces(["a"]))
    for key, value in (("seed", "00" * 32), ("nonces", ["b"]), ("commitment", "00" * 32)):
        changed = record | {"shuffle": record["shuffle"] | {key: value}}
        assert not all(check.holds for check in verify(changed)), key
    assert not all(check.holds for check in verify(record | {"dice": [record["dice"][0] % 6 + 1, 1]}))


@pytest.mark.parametrize(
    ("shuffle", "field"),
    [
        (None, "shuffle"),
        ({}, "shuffle.algorithm"),
        ({"algorithm": "hainan-shuffle/2"}, "shuffle.algorithm"),
        ({"algorithm": "hainan-shuffle/1"}, "shuffle.commitment"),
        ({"algorithm": "hainan-shuffle/1", "commitment": "", "seed": "xy"}, "shuffle.seed"),
        ({"algorithm": "hainan-shuffle/1", "commitment": "", "seed": 5}, "shuffle.seed"),
        ({"algorithm": "hainan-shuffle/1", "commitment": "", "seed": "", "nonces": [1]}, "shuffle.nonces"),
    ],
)
def test_a_record_that_cannot_be_checked_says_why(shuffle: object, field: str) -> None:
    with pytest.raises(RecordError) as error:
        verify(stored(Shuffle.from_number(1)) | {"shuffle": shuffle})
    assert error.value.field == field


def test_the_commitment_hides_nonces_and_depends_on_the_seed() -> None:
    one = Shuffle.from_number(1)
    assert one.commitment == one.with_nonces(["x"]).commitment
    assert one.deal(rules_of()).wall != one.with_nonces(["x"]).deal(rules_of()).wall
    assert one.commitment != Shuffle.from_number(2).commitment
    assert replace(one) == one


@pytest.mark.parametrize("options", [{}, {"no_winds": True}, {"no_honors": True}])
def test_every_wall_is_made_of_the_sheets_tiles(options: dict) -> None:
    rules = rules_of(**options)
    wanted = full_set(no_honors=rules.no_honors, no_winds=rules.no_winds)
    assert sorted(Shuffle.from_number(3).deal(rules).wall) == wanted


def test_places_are_evenly_filled() -> None:
    """Each kind is first in the wall, and each die shows each face, about as often as it should."""
    rules = rules_of()
    deals = [Shuffle.from_number(seed).deal(rules) for seed in range(1500)]
    first = Counter(deal.wall[0] for deal in deals)
    last = Counter(deal.wall[-1] for deal in deals)
    for kind in range(34):
        assert 15 < first[kind] < 75
        assert 15 < last[kind] < 75
    faces = Counter(face for deal in deals for face in deal.dice)
    assert all(400 < faces[face] < 600 for face in range(1, 7))


def test_rules_written_beside_the_shuffle_read_back() -> None:
    assert rules_to_json(rules_of("lingao")) == {"preset": "lingao"}
