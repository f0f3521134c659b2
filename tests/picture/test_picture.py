"""Pictures for notebooks: well-formed, every tile that is seen drawn, nothing hidden in them."""

import random
import re
import xml.etree.ElementTree as ET
from collections import Counter

import pytest

from hainan.engine.record import Phase
from hainan.picture import film, picture
from hainan.records import read_record
from hainan.rules.tiles import CODE
from hainan.table import SPECTATOR, Table
from tests.conftest import amount
from tests.engine.test_properties import permuted
from tests.test_seatview import positions


def faces(svg: str) -> Counter[str]:
    return Counter(re.findall(r'<use href="#face-(\w+)"', svg))


def sampled(part: int) -> list[tuple[Table, random.Random]]:
    return [
        (table.clone(), rng)
        for table, rng in positions(part, amount(4, 1))
        if table.over or rng.random() < 0.1
    ]


@pytest.mark.parametrize("part", [100, 101])
def test_pictures_hold_all_that_they_point_at(part: int) -> None:
    for table, _ in sampled(part):
        for seat in (None, SPECTATOR, 0):
            shown = picture(table, seat)
            root = ET.fromstring(shown._repr_svg_())
            ids = {node.get("id") for node in root.iter()}
            pointed = {node.get("href") for node in root.iter() if node.tag.endswith("use")}
            assert {f"#{name}" for name in ids} >= pointed
            assert not [node for node in root.iter() if node.get("style")]


def test_with_everything_open_every_tile_on_the_table_is_drawn() -> None:
    for table, _ in sampled(102):
        t = table.raw
        taken = int((t.discard_taken[: t.n_discards] >= 0).sum())
        flowers = sum(int(bits).bit_count() for bits in (*t.flowers.tolist(), *t.held_flowers.tolist()))
        expected = int(t.hand.sum()) + flowers + int(t.n_discards)
        melds = sum(
            3 if kind <= 2 else 4
            for seat in range(table.players)
            for kind in t.meld_kind[seat, : t.n_melds[seat]].tolist()
        )
        drawn = faces(picture(table).svg)
        assert drawn.total() == expected + melds
        assert set(drawn) <= set(CODE)
        assert picture(table).svg.count('opacity="0.35"') == taken


@pytest.mark.parametrize("part", [103, 104])
def test_a_seat_s_picture_shows_nothing_hidden(part: int) -> None:
    for table, rng in sampled(part):
        if table.phase == Phase.OVER:
            continue
        for seat in range(table.players):
            other = permuted(table, seat, rng)
            assert picture(other, seat).svg == picture(table, seat).svg
            assert str(picture(other, seat)) == str(picture(table, seat))


def test_a_record_is_a_film() -> None:
    table = sampled(105)[-1][0]
    record = read_record(table.record())
    shown = film(record)
    assert len(shown) == len(record.actions) + 1
    seat, text = record.actions[2]
    assert shown[3].caption == f"3: {seat} {text}"
    assert text in shown[3].svg
    assert shown[-1].svg.count("<svg") == 1
    assert "终局" in str(shown[-1])
    assert next(iter(shown)).caption == ""
    assert picture(table.masked_array(0), 0).svg == picture(table, 0).svg
