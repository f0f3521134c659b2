"""Messages to a seat and back: nothing that it may know is lost on the way, and nothing else is told."""

import random
from collections.abc import Iterator
from itertools import product
from typing import Any

import numpy as np
import pytest
from msgspec import structs

from hainan import wire
from hainan.bots.minds import new_minds
from hainan.bots.policies import LEVELS, Policy
from hainan.bots.seats import choose_action
from hainan.engine import entries
from hainan.engine.distance import new_scratch
from hainan.engine.hints import HINT_COLUMNS
from hainan.engine.jit import COMPILED
from hainan.engine.message import HINT_BYTES, MINE_BYTES, TABLE_BYTES
from hainan.engine.record import SEATS, TABLE, Ask, Phase, Record, copied
from hainan.engine.tables import shape_tables
from hainan.records import read_record
from hainan.rules.actions import ACTIONS, BY_TEXT, Act, Action
from hainan.rules.presets import DIFFERENCES
from hainan.rules.terms import MeldKind
from hainan.rules.tiles import KINDS, TEXT
from hainan.seatview import (
    Asked,
    legal_actions,
    mine_json,
    mine_view,
    record_of,
    table_json,
    table_view,
)
from hainan.table import AS_IT_IS, SPECTATOR, Known, Table
from tests import told
from tests.conftest import amount
from tests.engine.test_properties import permuted
from tests.oracle import referee

PARTS = 4
BIASES = ("rob", "follow", *referee.BIASES)
WINDOW = (Phase.CLAIM, Phase.ROB)
SHEETS = [
    {"preset": preset, **wild, **more}
    for preset, wild, more in product(
        DIFFERENCES,
        ({}, {"wild": "indicator"}, {"wild": "next"}, {"wild": "5z"}),
        (
            {},
            {"initial_flowers": "after_deal", "show_concealed_kongs": True, "ready": True},
            {"initial_flowers": "own_turn", "show_concealed_kongs": False, "missed_win": "higher_only"},
        ),
    )
]


def start(bias: str, rng: random.Random) -> Table:
    """A hand under a sheet made up at random or one of those above, where something rare is likely."""
    if rng.random() < 0.5:
        return read_record(referee.random_record(rng, bias)).table()
    while True:
        record = referee.random_record(rng, bias)
        if not {"no_honors", "no_winds"} & set(record["rules"]):
            sheet = rng.choice(SHEETS) | {"free_ga": rng.random() < 0.5}
            if bias == "follow":
                sheet["follow"] = True
            return read_record(record | {"rules": sheet}).table()


def pick(table: Table, bias: str, rng: random.Random) -> tuple[int, Action]:
    """Something legal, with a liking for what the wall was stacked for; wins are mostly let pass."""
    seat = rng.choice(list(table.legal()))
    legal = table.legal()[seat]
    rest = [action for action in legal if action != Act.WIN]
    if len(rest) < len(legal) and (not rest or rng.random() < 0.15):
        return seat, legal[-1] if legal[-1] == Act.WIN else legal[-2]
    lead = Act.DISCARD + int(table.raw.lead_tile)
    if bias == "follow" and lead in rest and rng.random() < 0.9:
        return seat, ACTIONS[lead]
    bold = [action for action in rest if Act.READY <= action < Act.WIN]
    keen = 0.8 if bias in ("rob", "triplets", "ready") else 0.4
    return seat, rng.choice(bold if bold and rng.random() < keen else rest)


def positions(part: int, hands: int) -> Iterator[tuple[Table, random.Random]]:
    """Tables after every action of random hands."""
    rng = random.Random(part)
    for number in range(hands):
        bias = BIASES[(part + number) % len(BIASES)]
        table = start(bias, rng)
        while True:
            yield table, rng
            if table.over:
                break
            table.act(*pick(table, bias, rng))


# ---------------------------------------------------------------- there and back

UNTOLD = {
    "sheet": "known from the room's settings, and compared for itself",
    "head": "only how many tiles are left is told",
    "tail": "only how many tiles are left is told",
    "rng": "hidden from everybody",
    "n_actions": "hidden from everybody",
    "n_events": "told as events",
    "event": "told as events",
    "discard_taken": "who took a tile is told by his meld; the tiles that are gone are compared",
    "answer": "whoever has answered isn't asked any more",
    "ask": "told as what is legal",
}
AT_THE_END = (
    *("by", "way", "win_from", "win_tile", "won", "patterns", "licences", "score_t", "score_v", "payments"),
    *("n_items", "item_points", "item_payer", "item_payee", "item_of", "item_reason", "item_rule"),
)
"""Told as the bill."""
MELDS = tuple(name for name in TABLE.names or () if name.startswith("meld_"))
DISCARDS = ("discard_tile", "discard_seat", "discard_taken")
OF_SEATS = tuple(name for name, (kind, *_) in (TABLE.fields or {}).items() if kind.shape[:1] == (SEATS,))


def meaningless(view: Record, seat: int) -> Iterator[str]:
    """Fields of a seat's view that say nothing in its phase."""
    yield from UNTOLD
    if view.phase == Phase.OVER:
        yield from AT_THE_END
    if view.phase != Phase.TURN:
        yield from ("turn", "drawn", "fresh_pong")
    if view.phase not in WINDOW:
        yield from ("claim_tile", "claim_from")
    if view.phase != Phase.TURN or not view.drawn:
        yield from ("last_source", "last_tile")
    elif view.turn != seat:
        yield "last_tile"
    if view.lead_seat < 0:
        yield from ("lead_tile", "followers")


def tidied(views: Record, players: int) -> Record:
    """Without what lies behind a count: melds and discards that aren't there, a fourth of three players."""
    t = views[0]
    for name in MELDS:
        for seat in range(SEATS):
            t[name][seat, t.n_melds[seat] :] = 0
    for name in DISCARDS:
        t[name][t.n_discards :] = 0
    for name in OF_SEATS:
        t[name][players:] = 0
    return views


def same_meaning(views: Record, again: Record, seat: int, players: int) -> None:
    tidied(views, players)
    tidied(again, players)
    view, other = views[0], again[0]
    assert view.sheet == other.sheet
    assert view.tail - view.head == other.tail - other.head
    taken, taken_again = view.discard_taken, other.discard_taken
    assert ((taken < 0) == (taken_again < 0)).all()
    assert sorted(taken.tolist()) == sorted(taken_again.tolist())
    for name in meaningless(view, seat):
        other[name] = view[name]
    if views.tobytes() != again.tobytes():
        pytest.fail(
            f"told wrongly: {[name for name in TABLE.names or () if str(view[name]) != str(other[name])]}"
        )


def sent(table: Table, seat: int) -> tuple[wire.TableView, wire.Mine]:
    """What arrives at a client after a seat's view went over the wire."""
    offer = 7 if table.legal().get(seat) else None
    view, events = table_view(table)
    mine = mine_view(table, seat, offer, 3.5, 12.0)
    message = wire.Table(seq=1, match="m", hand=0, table=view, events=events, mine=mine)
    arrived = wire.decode_message(wire.encode(message))
    assert arrived == message
    assert arrived.mine is not None
    return arrived.table, arrived.mine


@pytest.mark.parametrize("part", range(PARTS))
def test_messages_make_the_same_record_again(part: int) -> None:
    for table, _ in positions(part, amount(3, 1, 700)):
        for seat in range(table.players):
            view, mine = sent(table, seat)
            views, again = table.masked_array(seat), record_of(view, mine, table.rules)
            truth, asked = views[0].copy(), again[0].copy()
            same_meaning(views, again, seat, table.players)
            assert legal_actions(mine, BY_TEXT) == table.legal().get(seat, [])
            if truth.phase in WINDOW and mine.offer is not None:
                assert asked.ask[seat] == truth.ask[seat]
                assert asked.answer[seat] == truth.answer[seat]
            if truth.phase in WINDOW:
                assert mine.answered == bool(truth.ask[seat] and truth.answer[seat] >= 0)


@pytest.mark.parametrize("part", range(PARTS))
def test_spectators_messages_make_the_same_record_again(part: int) -> None:
    for table, _ in positions(10 + part, amount(4, 1, 400)):
        view = wire.decode_message(
            wire.encode(wire.Table(seq=1, match="m", hand=0, table=table_view(table)[0]))
        )
        again = record_of(view.table, None, table.rules)
        same_meaning(table.masked_array(SPECTATOR), again, SPECTATOR, table.players)


# ---------------------------------------------------------------- what a bot makes of it


def chosen(views: Record, seat: int, legal: list[Any], policy: Policy, rng: int) -> int:
    views["rng"][0] = rng
    with np.errstate(over="ignore"):
        return choose_action(
            views, 0, shape_tables(), seat, int(policy), np.array(legal, np.int16), new_scratch(), new_minds()
        )


@pytest.mark.parametrize("part", range(PARTS))
def test_a_bot_is_blind_to_hidden_tiles(part: int) -> None:
    """It plays the same on the table itself, on its view, and with all tiles that it can't see dealt anew."""
    for table, rng in positions(25 + part, amount(4, 1, 400)):
        for seat, legal in table.legal().items():
            if not COMPILED and rng.random() > 0.05:
                continue
            twin = permuted(table, seat, rng)
            for policy in LEVELS:
                here = chosen(copied(table._array), seat, legal, policy, 1)
                assert here == chosen(copied(twin._array), seat, legal, policy, 1)
                assert here == chosen(table.masked_array(seat), seat, legal, policy, 1)


def known_of(views: Record, seat: int, discard: int) -> Known:
    rows, held = np.zeros((KINDS, HINT_COLUMNS), np.int32), np.zeros((1, 2), np.int32)
    turn = seat if discard != AS_IT_IS else -1
    entries.list_hints(views, shape_tables(), seat, turn, np.array([discard], np.int8), rows, held)
    [[licences, n]] = held.tolist()
    return Known.of(licences, rows[:n].tolist())


@pytest.mark.parametrize("part", range(PARTS))
def test_a_bot_elsewhere_decides_the_same(part: int) -> None:
    """Greedy and random bots choose alike on the view and on what its messages say."""
    plain = 12  # decisions of the greedy bot as plain Python, which are slow
    for table, rng in positions(20 + part, amount(4, 1, 400)):
        for seat, legal in table.legal().items():
            view, mine = sent(table, seat)
            number = rng.getrandbits(63)
            for policy in Policy:
                if policy != Policy.RANDOM and not COMPILED:
                    plain -= 1
                    if plain < 0 or table.phase == Phase.TURN:
                        continue
                here = chosen(table.masked_array(seat), seat, legal, policy, number)
                there = chosen(record_of(view, mine, table.rules), seat, legal, policy, number)
                assert here == there


@pytest.mark.parametrize("part", range(PARTS))
def test_hints_elsewhere_are_the_same(part: int) -> None:
    for table, rng in positions(30 + part, amount(3, 1, 200)):
        if table.over or table.phase == Phase.GA or not (COMPILED or rng.random() < 0.1):
            continue
        for seat in range(table.players):
            view, mine = sent(table, seat)
            there = record_of(view, mine, table.rules)
            assert known_of(there, seat, AS_IT_IS).licences == table.licences(seat)
            if table.phase != Phase.TURN or table.raw.turn != seat:
                assert known_of(there, seat, AS_IT_IS).waits.get(AS_IT_IS, []) == table.waits(seat)
            else:
                discards = [a - Act.DISCARD for a in table.legal()[seat] if Act.DISCARD <= a < Act.READY]
                for kind in discards if COMPILED else discards[:1]:
                    assert known_of(there, seat, kind).waits.get(kind, []) == table.waits(seat, kind)


def test_hints_are_what_the_table_tells() -> None:
    for table, _ in positions(40, amount(6, 1)):
        playing = table.phase not in (Phase.GA, Phase.OVER)
        for seat in range(table.players) if COMPILED else (0,):
            hints = mine_view(table, seat, None, hints=True).hints
            if playing:
                assert hints == told.hints_view(table.hints()[seat])
                check_hints(table, seat, hints)
            else:
                assert hints is None
                assert not table.hints()


def check_hints(table: Table, seat: int, hints: wire.Hints) -> None:
    assert hints.licences == list(table.licences(seat))
    if table.phase == Phase.TURN and table.turn == seat:
        assert not hints.waits
        assert all(BY_TEXT[f"discard {tile}"] in table.legal()[seat] for tile in hints.discards)
        after = {TEXT[kind]: table.waits(seat, kind) for kind in range(KINDS) if table.raw.hand[seat, kind]}
        for tile, waits in hints.discards.items():
            assert waits == [told.hint(wait) for wait in after[tile]] != []
    else:
        assert not hints.discards
        assert hints.waits == [told.hint(wait) for wait in table.waits(seat)]


# ---------------------------------------------------------------- what is written


@pytest.mark.parametrize("part", range(PARTS))
def test_messages_say_what_the_views_hold(part: int) -> None:
    """And they say it in the order of wire.py, with nothing that needn't be said."""
    for table, rng in positions(90 + part, amount(8, 1, 1000)):
        assert table_view(table) == told.table_view(table)
        public = table_json(table)
        assert public == wire.encode(table_view(table)[0])
        assert public == table_json(table, table.views())
        assert len(public) < TABLE_BYTES // 2
        found = table.hint_rows() if COMPILED else None
        known = table.hints() if COMPILED else []
        for seat, legal in enumerate(map(table.legal().get, range(table.players))):
            offer = rng.choice((0, 7, 123456789012)) if legal else None
            seconds = None if offer is None else rng.randrange(999) / 10
            bank, answered = rng.randrange(9999) / 10, rng.random() < 0.1
            asked = [Asked()] * table.players
            asked[seat] = Asked.of(offer, seconds, bank, answered)
            mine = mine_json(table, asked, hints=found)[seat]
            right = told.mine_view(table, seat, offer, seconds, bank, known=known[seat] if known else None)
            if answered:
                right = structs.replace(right, answered=True)
            assert mine == wire.encode(right)
            hints = (
                sum(map(len, right.hints.discards.values())) + len(right.hints.waits) if right.hints else 0
            )
            assert len(mine) < MINE_BYTES // 2 + hints * HINT_BYTES


# ---------------------------------------------------------------- public means public


@pytest.mark.parametrize("part", range(PARTS))
def test_the_public_part_is_the_same_for_all(part: int) -> None:
    """What all see can be made of what any one seat sees, so it holds nothing that this seat may not know."""
    for table, _ in positions(50 + part, amount(4, 1, 400)):
        view, events = table_view(table)
        for seat in range(table.players):
            theirs = table.masked_array(seat)
            entries.mask(theirs, 0, SPECTATOR)
            assert theirs.tobytes() == table.masked_array(SPECTATOR).tobytes()
            twin = table.clone()
            twin._array, twin._t = theirs, theirs[0]
            assert table_view(twin) == (view, events)


@pytest.mark.parametrize("part", range(PARTS))
def test_messages_are_blind_to_hidden_tiles(part: int) -> None:
    for table, rng in positions(60 + part, amount(3, 1, 200)):
        if table.over:
            continue
        public = wire.encode(table_view(table))
        for seat in range(table.players):
            twin = permuted(table, seat, rng)
            twin._legal = {other: legal for other, legal in table.legal().items() if other == seat}
            assert wire.encode(table_view(twin)) == public
            for offer in (7, None) if seat in table.legal() else (None,):
                # Of a table whose other hands may be anything: hints are looked for where that is quick.
                mine, theirs = (mine_view(one, seat, offer, hints=COMPILED) for one in (table, twin))
                assert wire.encode(theirs) == wire.encode(mine)


# ---------------------------------------------------------------- who may have to pay for all


def claimed_from(view: wire.TableView, holder: int, feeder: int) -> int:
    """R8.7: an added kong counts as the pong it grew from, a concealed kong never."""
    melds = view.seats[holder].melds
    return sum(meld.from_ == feeder and meld.kind != "concealed_kong" for meld in melds)


@pytest.mark.parametrize("part", range(PARTS))
def test_r8_5_r8_7_r8_8_r8_9_who_may_have_to_pay_for_all_is_told(part: int) -> None:
    for table, _ in positions(70 + part, amount(6, 1, 400)):
        view = table_view(table)[0]
        said = view.warnings
        if table.over or table.phase == Phase.GA:
            assert said == []
            continue
        rules = table.rules
        bonds = {(one.from_, one.to): one.kind for one in said if one.to is not None}
        for holder, feeder in product(range(table.players), repeat=2):
            melds = claimed_from(view, holder, feeder) if holder != feeder else 0
            if not rules.meld_liability or melds < 2:
                assert (feeder, holder) not in bonds
            else:
                kinds = ("two_melds", "three_melds", "four_melds" if rules.four_melds else "three_melds")
                assert bonds[feeder, holder] == kinds[melds - 2]
        alone = {one.kind: one.clause for one in said if one.to is None}
        last = view.remaining <= 14 + table.players + rules.last_tiles_by_count
        assert ("last_tiles" in alone) == (rules.last_tiles_liability and last)
        assert alone.get("blocking") == ("R8.5" if rules.discarder_pays_all else None)


def test_warnings_of_all_kinds_are_met() -> None:
    met = {
        (one.kind, one.clause)
        for part in range(PARTS)
        for table, _ in positions(70 + part, amount(16, 16, 60))
        for one in table_view(table)[0].warnings
    }
    assert met >= {
        ("two_melds", "R8.7"),
        ("three_melds", "R8.7"),
        ("last_tiles", "R8.9"),
        ("blocking", "R8.5"),
    }


# ---------------------------------------------------------------- a tile that lies there


def puts_down(table: Table, seat: int) -> Iterator[Any]:
    hand = table.raw.hand[seat]
    for action in table.legal()[seat]:
        if action < Act.CHOW or (Act.OWN_KONG <= action < Act.WIN and hand[action - Act.OWN_KONG] < 4):
            yield action


def test_a_tile_laid_down_looks_the_same_whether_or_not_anybody_is_asked() -> None:
    """``laid`` is what whoever isn't asked sees of a tile that somebody may claim, byte for byte."""
    asked = unasked = robbed = 0
    for table, _ in positions(0, amount(26, 1, 1500)):
        if table.phase != Phase.TURN:
            continue
        seat = int(table.raw.turn)
        for action in puts_down(table, seat):
            after = table.clone()
            after.act(seat, action)
            laid = table.laid(seat, action)
            assert laid.legal() == {}
            assert laid.phase == (Phase.CLAIM if action < Act.CHOW else Phase.ROB)
            told, truth = laid.events(), after.events()
            assert truth[: len(told)] == told
            assert table_view(laid)[1] == table_view(after)[1][: len(told)]
            if after.phase not in WINDOW:
                unasked += 1
                continue
            asked += 1
            robbed += after.phase == Phase.ROB
            assert truth == told
            for other in (SPECTATOR, *range(table.players)):
                if other not in after.legal():
                    assert laid.masked_array(other).tobytes() == after.masked_array(other).tobytes()
            assert wire.encode(table_view(laid)) == wire.encode(table_view(after))
    assert asked
    assert unasked
    assert robbed or not COMPILED


def test_laid_changes_nothing() -> None:
    for table, _ in positions(80, amount(10, 1)):
        if table.phase == Phase.TURN:
            before = table.snapshot()
            for action in puts_down(table, int(table.raw.turn)):
                table.laid(int(table.raw.turn), action)
            assert table.snapshot() == before


# ---------------------------------------------------------------- everything was met


def test_the_random_hands_meet_everything() -> None:
    """The tests above would be worth little on hands without kongs, flowers, ready, locks and follows."""
    if not COMPILED:
        pytest.skip("needs many hands")
    met: set[str] = set()
    for table, _ in positions(0, 52):
        met |= seen(table)
    assert met >= {
        *("hidden kong", "shown kong", "held flowers", "ready", "follow", "owes", "let off", "passed"),
        *("rob", "ga", "wild", "three", "four", "win offered", "claimed by two", "answered"),
        *DIFFERENCES,
    }


def seen(table: Table) -> set[str]:
    t = table.raw
    met = {table.rules.preset, "three" if table.players == 3 else "four"}
    for seat in range(table.players):
        kinds = t.meld_kind[seat, : t.n_melds[seat]].tolist()
        if MeldKind.CONCEALED_KONG in kinds:
            met.add("shown kong" if table.rules.show_concealed_kongs else "hidden kong")
    flags = {
        "held flowers": t.held_flowers.any(),
        "ready": t.is_ready.any(),
        "follow": table.rules.follow and t.lead_seat >= 0,
        "owes": t.followed.any(),
        "let off": (t.let_off >= 0).any() and t.phase != Phase.GA,
        "passed": (t.passed_v > 0).any(),
        "rob": t.phase == Phase.ROB,
        "ga": t.phase == Phase.GA,
        "wild": t.wild >= 0,
        "win offered": t.phase in WINDOW and (t.ask & Ask.WIN).any(),
        "claimed by two": t.phase in WINDOW and (t.ask > 0).sum() > 1,
        "answered": t.phase in WINDOW and (t.answer >= 0).any(),
    }
    return met | {name for name, there in flags.items() if there}
