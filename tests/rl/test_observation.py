"""Observations: everything that a view tells and nothing else, the same for the table as for its view."""

import hashlib
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from hainan.engine import entries
from hainan.engine.record import SHEET, Phase, Record, new_tables
from hainan.engine.view import HIDDEN_TILE
from hainan.rl import layout
from hainan.rl.layout import (
    ACTIONS_VERSION,
    BY_NAME,
    OPTION_NAMES,
    PARTS,
    SIZE,
    VERSION,
    described,
    highest,
    named,
)
from hainan.rl.observe import bytes_of, mask, observation, observe_seat
from hainan.rules.options import OPTIONS
from hainan.rules.terms import MeldKind
from hainan.table import Table
from tests.conftest import amount
from tests.engine.test_properties import permuted
from tests.test_seatview import meaningless, positions, tidied

UNTOLD = {
    "rng": "hidden from everybody",
    "n_actions": "hidden from everybody",
    "n_events": "how the last action came about: what lasts of it stands in the other fields",
    "event": "the same",
}
BILL = (
    *("patterns", "licences", "score_t", "score_v", "payments"),
    *("n_items", "item_points", "item_payer", "item_payee", "item_of", "item_reason", "item_rule"),
)
"""Of a hand that is over: told by rewards and ``Table.end``."""


# ---------------------------------------------------------------- an observation as a record again


def wide(two: Any) -> int:
    return int(two[0]) * 256 + int(two[1])


def only(row: Any) -> int:
    """The place of the one that is set, -1 for none."""
    places = np.flatnonzero(row)
    assert len(places) <= 1
    return int(places[0]) if len(places) else -1


class Decoder:
    """Makes a seat's view again from its observation."""

    def __init__(self, seen: Any, seat: int) -> None:
        self.of = {name: part[0] if part.shape == (1,) else part for name, part in named(seen).items()}
        self.seat, self.players = seat, int(self.of["players"])
        self.tables = new_tables(1)
        self.t = self.tables[0]

    def absolute(self, place: int) -> int:
        return (self.seat + place) % self.players if place >= 0 else -1

    def who(self, name: str) -> int:
        return self.absolute(only(self.of[name]))

    def by_seat(self, name: str, to: Any) -> None:
        for place in range(self.players):
            to[self.absolute(place)] = self.of[name][place]

    def record(self) -> Record:
        self.sheet()
        self.match()
        self.seats()
        self.rivers()
        self.decision()
        for seat in range(self.players):
            entries.count_hand(self.tables, 0, seat)
        return self.tables

    def sheet(self) -> None:
        sheet, of = self.t.sheet, self.of
        sheet.players, sheet.scoring, sheet.wild_mode = self.players, of["scoring"], of["wild_mode"]
        sheet.hands, sheet.rounds = wide(of["match_hands"]), wide(of["match_rounds"])
        sheet.wild_fixed = only(of["wild"]) if sheet.wild_mode == 3 else -1
        for name, value in zip(OPTION_NAMES, of["options"].tolist(), strict=True):
            sheet[name] = value

    def match(self) -> None:
        t, of = self.t, self.of
        t.wall[:] = HIDDEN_TILE
        t.phase = only(of["phase"])
        t.dealer, t.first_dealer = self.who("dealer"), self.who("first_dealer")
        t.round_wind, t.dice[:] = only(of["round_wind"]), of["dice"]
        t.streak, t.hands_played = wide(of["streak"]), wide(of["hands_played"])
        t.rounds_played = wide(of["rounds_played"])
        size = 116 if t.sheet.no_honors else 128 if t.sheet.no_winds else 144
        t.tail = size - of["from_back"]
        t.head = t.tail - of["remaining"]
        self.by_seat("ga", t.ga)
        t.ga[: self.players] -= 1
        self.by_seat("ga_floor", t.ga_floor)
        t.wild, t.indicator = only(of["wild"]), only(of["indicator"])

    def seats(self) -> None:
        t, of = self.t, self.of
        t.hand[self.seat] = of["hand"].sum(axis=0)
        for place in range(1, self.players):
            t.hand[self.absolute(place)] = of["open_hands"][place - 1]
        for place in range(self.players):
            seat = self.absolute(place)
            t.flowers[seat] = sum(1 << f for f in range(8) if of["flowers"][place, f] & 1)
            t.held_flowers[seat] = sum(1 << f for f in range(8) if of["flowers"][place, f] & 2)
            for meld, row in enumerate(of["melds"][place].tolist()):
                if row[0]:
                    self.meld(seat, meld, *row)
        for name, field in (("ready", t.is_ready), ("owes_follow", t.followed), ("won", t.won)):
            self.by_seat(name, field)

    def meld(self, seat: int, meld: int, kind: int, low: int, claimed: int, feeder: int, back: int) -> None:
        t = self.t
        t.n_melds[seat] = meld + 1
        t.meld_kind[seat, meld], t.meld_claimed[seat, meld], t.meld_back[seat, meld] = kind, claimed - 1, back
        t.meld_tile[seat, meld] = low - 1 if low else HIDDEN_TILE
        t.meld_from[seat, meld] = self.absolute(feeder - 1)

    def rivers(self) -> None:
        t, of = self.t, self.of
        for place, copy, kind in np.argwhere(of["discards"]).tolist():
            index = int(of["discards"][place, copy, kind]) - 1
            t.discard_tile[index], t.discard_seat[index] = kind, self.absolute(place)
            t.discard_taken[index] = self.absolute(int(of["taken"][place, copy, kind]) - 1)
            t.n_discards = max(int(t.n_discards), index + 1)
            t.n_made[self.absolute(place)] += 1
        assert (np.diff(np.where(of["discards"], of["discards"], 255).astype(int), axis=1) >= 0).all()

    def decision(self) -> None:
        t, of, seat = self.t, self.of, self.seat
        t.turn, t.fresh_pong = self.who("turn"), only(of["fresh_pong"])
        t.drawn = int(of["drawn_from"].any())
        t.last_source, t.last_tile = max(0, only(of["drawn_from"])), only(of["drawn"])
        t.claim_tile, t.claim_from = only(of["claim"]), self.who("claim_from")
        t.answer[:], t.let_off[:] = -1, -1
        t.ask[seat] = sum(1 << bit for bit in range(4) if of["asked"][bit])
        t.answer[seat] = int(of["answered"]) - 1
        t.let_off[seat], t.passed_v[seat] = self.who("let_off"), wide(of["passed"])
        t.lead_seat, t.lead_tile, t.followers = self.who("lead_seat"), only(of["lead"]), of["followers"]
        t.lead_next = self.who("lead_next")
        t.by, t.way, t.win_tile = only(of["ended"]), of["way"], int(of["win_tile"]) - 1
        t.win_from = self.who("win_from")


def left_out(t: Record, seat: int) -> list[str]:
    """Fields that say nothing in this phase, or are told otherwise."""
    window = t.phase in (Phase.CLAIM, Phase.ROB)
    told = {"head", "tail", "discard_taken", "by", "way", "win_from", "win_tile", "won"}
    told |= {"sheet", "ask", "answer"} if window else {"sheet"}
    return [name for name in (*meaningless(t, seat), *UNTOLD) if name not in told]


@pytest.mark.parametrize("part", range(4))
def test_the_view_can_be_made_again_from_the_observation(part: int) -> None:
    for table, _ in positions(50 + part, amount(3, 1, 700)):
        for seat in range(table.players):
            views, again = table.masked_array(seat), Decoder(observation(table, seat), seat).record()
            tidied(views, table.players)
            tidied(again, table.players)
            for name in left_out(views[0], seat):
                again[0][name] = views[0][name]
            assert views[0].sheet == again[0].sheet
            if views.tobytes() != again.tobytes():
                wrong = [n for n in views.dtype.names or () if str(views[0][n]) != str(again[0][n])]
                pytest.fail(f"told wrongly: {wrong}")


# ---------------------------------------------------------------- nothing else is told


def of_table(table: Table, seat: int) -> Any:
    """As the vector environment writes it: from the table itself."""
    out = np.full(SIZE, 255, np.uint8)
    observe_seat(table._array, bytes_of(table._array), 0, seat, out)
    return out


@pytest.mark.parametrize("part", range(4))
def test_of_the_table_as_of_the_view_and_of_any_other_table_that_looks_the_same(part: int) -> None:
    for table, rng in positions(60 + part, amount(6, 1, 700)):
        for seat in range(table.players):
            seen = observation(table, seat)
            assert (of_table(table, seat) == seen).all()
            assert (seen <= highest()).all()
            if not table.over:
                other = permuted(table, seat, rng)
                assert (of_table(other, seat) == seen).all()
                assert (observation(other, seat) == seen).all()


def seen_by(table: Table, seat: int) -> list[int]:
    """Kinds that lie open to a seat, and its hand."""
    t = table.masked(seat)
    kinds = [kind for kind in range(34) for _ in range(int(t.hand[seat, kind]))]
    kinds += [int(t.indicator)] if t.indicator >= 0 else []
    rows = zip(t.discard_tile.tolist(), t.discard_taken.tolist(), strict=True)
    kinds += [tile for tile, taken in list(rows)[: int(t.n_discards)] if taken < 0]
    for owner in range(table.players):
        for meld in range(int(t.n_melds[owner])):
            low, kind = int(t.meld_tile[owner, meld]), int(t.meld_kind[owner, meld])
            chow = kind == MeldKind.CHOW
            kinds += [low, low + 1, low + 2] if chow else [low] * (3 if kind == MeldKind.PONG else 4)
    return kinds + ([int(t.claim_tile)] if t.phase == Phase.ROB and t.claim_from != seat else [])


def test_unseen_tiles_are_all_the_others() -> None:
    for table, _ in positions(70, amount(8, 1)):
        for seat in range(0 if table.over else table.players):
            seen = seen_by(table, seat)
            told = named(observation(table, seat))["unseen"]
            assert told.tolist() == [4 - seen.count(kind) for kind in range(34)]


def test_masks_are_the_legal_actions() -> None:
    for table, _ in positions(80, amount(6, 1)):
        for seat in range(table.players):
            chosen = np.flatnonzero(mask(table, seat)).tolist()
            assert chosen == [int(action) for action in table.legal().get(seat, [])]


# ---------------------------------------------------------------- versions and the page


def test_what_the_version_numbers_stand_for() -> None:
    """Whoever changes a part or an action number changes the version too, and then this digest."""
    digest = hashlib.sha256("\n".join([VERSION, ACTIONS_VERSION, *described()]).encode()).hexdigest()[:16]
    assert digest == "917a4d8e3cd7f252"


def test_parts_fill_the_vector() -> None:
    assert [part.at for part in PARTS] == [0, *np.cumsum([part.size for part in PARTS]).tolist()[:-1]]
    seen = np.arange(2 * SIZE, dtype=np.uint64).reshape(2, SIZE)
    parts = named(seen)  # type: ignore[arg-type]
    assert all(np.shares_memory(part, seen) for part in parts.values())
    planes, facts = layout.planes(seen)
    assert planes.shape[1:] == (layout.PLANES, 34)
    assert facts.shape[1] == SIZE - layout.PLANES * 34
    assert {*OPTION_NAMES, "wild", "hands", "rounds"} == set(OPTIONS)
    offsets = [(SHEET.fields or {})[name][1] for name in OPTION_NAMES]
    assert offsets == list(range(layout.SHEET_AT, layout.SHEET_AT + len(OPTION_NAMES)))
    most = max(len(option.choices) for option in OPTIONS.values() if option.choices is not None)
    assert BY_NAME["options"].high >= most - 1
    assert BY_NAME["melds"].high >= HIDDEN_TILE
    assert int(MeldKind.CONCEALED_KONG) - 2 == BY_NAME["kongs"].high


def test_the_page_describes_every_part() -> None:
    page = (Path(__file__).parents[2] / "docs" / "learning.md").read_text(encoding="utf-8")
    assert VERSION in page
    assert ACTIONS_VERSION in page
    for part in PARTS:
        assert re.search(rf"^\| `{part.name}` \| {part.at} \|", page, re.MULTILINE), part.name
