"""Properties that hold after every action of random hands under random sheets."""

import json
import random
from collections import Counter
from collections.abc import Iterator

import numpy as np
import pytest

from hainan.bots.policies import Policy
from hainan.bots.seats import Bot
from hainan.engine.jit import COMPILED
from hainan.engine.record import MAX_DISCARDS, MAX_EVENTS, MAX_ITEMS, Phase
from hainan.records import read_record, replay
from hainan.rules.actions import ACTIONS, Act
from hainan.rules.presets import rules_of
from hainan.rules.terms import By, MeldKind
from hainan.rules.tiles import full_set
from hainan.table import IllegalAction, Table, events_of
from tests.conftest import amount
from tests.oracle import referee

PARTS = 4


def biased_table(rng: random.Random) -> Table:
    """A table under a random sheet, on a wall where rare things are likely."""
    return read_record(referee.random_record(rng, rng.choice(referee.BIASES))).table()


def choose(table: Table, rng: random.Random) -> tuple[int, str]:
    seat = rng.choice(list(table.legal()))
    actions = table.legal()[seat]
    bold = [action for action in actions if not action.text.startswith(("discard", "pass"))]
    return seat, rng.choice(bold if bold and rng.random() < 0.5 else actions).text


def random_states(part: int, hands: int) -> Iterator[tuple[Table, random.Random]]:
    """Tables after every action of random hands."""
    rng = random.Random(part)
    for _ in range(hands):
        table = biased_table(rng)
        while True:
            yield table, rng
            if table.over:
                break
            table.act(*choose(table, rng))


def all_tiles(table: Table) -> Counter[int]:
    t = table.raw
    tiles = Counter(t.wall[t.head : t.tail].tolist())
    if t.indicator >= 0:
        tiles[int(t.indicator)] += 1
    for seat in range(table.players):
        for kind in range(34):
            tiles[kind] += int(t.hand[seat, kind])
        for flower in range(8):
            held, laid = int(t.held_flowers[seat]) >> flower & 1, int(t.flowers[seat]) >> flower & 1
            tiles[34 + flower] += held + laid
        for meld in range(t.n_melds[seat]):
            low, kind = int(t.meld_tile[seat, meld]), MeldKind(int(t.meld_kind[seat, meld]))
            if kind == MeldKind.CHOW:
                tiles.update(range(low, low + 3))
            else:
                tiles[low] += 3 if kind == MeldKind.PONG else 4
    for index in range(t.n_discards):
        if t.discard_taken[index] < 0:
            tiles[int(t.discard_tile[index])] += 1
    if t.phase == Phase.ROB or t.by == By.ROB:
        tiles[int(t.claim_tile)] += 1
    return +tiles


def check_state(table: Table) -> None:
    t = table.raw
    rules = table.rules
    if t.phase != Phase.GA:
        wanted = Counter(full_set(no_honors=rules.no_honors, no_winds=rules.no_winds))
        assert all_tiles(table) == wanted
        for seat in range(table.players):
            own_turn = t.phase == Phase.TURN and t.turn == seat
            won_by_self = t.by == By.SELF_DRAW and t.won[seat]
            held = int(t.hand[seat].sum()) + int(t.held_flowers[seat]).bit_count()
            full = 14 if own_turn or won_by_self else 13
            # In a hand drawn for want of a tile, the one who should have drawn it has one less.
            assert held == full - 3 * t.n_melds[seat] or t.by == By.DRAW, seat
    for seat in range(table.players):
        wild = int(t.hand[seat, t.wild]) if t.wild >= 0 else 0
        assert t.n_wild[seat] == wild
        for group in range(4):
            kinds = range(9 * group, min(9 * group + 9, 34))
            key = sum(int(t.hand[seat, k]) * 5 ** (k - 9 * group) for k in kinds if k != t.wild)
            assert t.key[seat, group] == key
    assert int(t.payments.sum()) == 0
    assert bool(table.legal()) != table.over
    assert t.n_discards < MAX_DISCARDS
    assert t.n_items < MAX_ITEMS
    assert t.n_events < MAX_EVENTS
    assert sum(t.n_made.tolist()) == t.n_discards


@pytest.mark.parametrize("part", range(PARTS))
def test_tiles_hands_keys_and_payments(part: int) -> None:
    for table, _ in random_states(part, amount(40, 3, 2000)):
        check_state(table)


def test_the_longest_hand_has_room() -> None:
    """Three players with all flowers at the end of the wall, who win nothing and claim what they can."""
    rng, rules, longest = random.Random(1), rules_of(ga=False, follow=False), 0
    tiles = full_set(no_honors=False, no_winds=False)
    plain, flowers = tiles[:-8], tiles[-8:]
    for _ in range(amount(60, 2, 2000)):
        table = Table(rules, players=3, wall=rng.sample(plain, len(plain)) + flowers)
        while not table.over:
            seat, legal = next(iter(table.legal().items()))
            claims = [action for action in legal if Act.CHOW <= action < Act.KONG]
            discards = [action for action in legal if action < Act.READY]
            table.act(seat, rng.choice(claims or discards or legal[-1:]))
        check_state(table)
        longest = max(longest, int(table.raw.n_discards))
    assert longest > 96 or not COMPILED


@pytest.mark.parametrize("part", range(PARTS))
def test_everything_outside_the_legal_list_is_refused_and_changes_nothing(part: int) -> None:
    for table, rng in random_states(10 + part, amount(6, 1, 100)):
        before = table.snapshot()
        for seat in range(-1, 5):
            legal = table.legal().get(seat, [])
            illegal = [action for action in ACTIONS if action not in legal]
            for action in rng.sample(illegal, min(12, len(illegal))):
                with pytest.raises(IllegalAction) as refusal:
                    table.act(seat, action.text)
                assert refusal.value.clause.startswith(("R", "section"))
        assert table.snapshot() == before


def test_nonsense_is_refused() -> None:
    table = biased_table(random.Random(1))
    for nonsense in ("", "discard", "discard 9z", "chow 11m", "ga 4", "吃", "discard 5m "):
        with pytest.raises(IllegalAction):
            table.act(0, nonsense)
    for number in (-1, 156, 10**6):
        with pytest.raises(IllegalAction):
            table.act(0, number)


@pytest.mark.parametrize("part", range(PARTS))
def test_every_legal_action_is_accepted(part: int) -> None:
    for table, _ in random_states(20 + part, amount(3, 1, 60)):
        for seat, actions in table.legal().items():
            assert actions == sorted(actions)
            assert len(set(actions)) == len(actions)
            for action in actions:
                twin = table.clone()
                twin.act(seat, action)
                check_state(twin)


@pytest.mark.parametrize("part", range(PARTS))
def test_record_replays_to_the_same_record_and_bytes(part: int) -> None:
    for table, _ in random_states(30 + part, amount(25, 2, 1000)):
        if table.over:
            record = json.loads(json.dumps(table.record()))
            told = list(replay(read_record(record)))
            assert told[-1]["end"] == table.end()
            twin = read_record(record).table()
            for seat, text in record["actions"]:
                twin.act(seat, text)
            assert twin.record() == record
            assert twin.snapshot() == table.snapshot()


def permuted(table: Table, seat: int, rng: random.Random) -> Table:
    """The same table with all tiles that a seat can't see dealt out anew among their places."""
    twin = table.clone()
    t = twin.raw
    hidden: list[int] = t.wall[t.head : t.tail].tolist()
    for other in range(table.players):
        if other != seat:
            hidden += [k for k in range(34) for _ in range(int(t.hand[other, k]))]
            hidden += [34 + f for f in range(8) if int(t.held_flowers[other]) >> f & 1]
    rng.shuffle(hidden)
    for other in range(table.players):
        if other == seat:
            continue
        size = int(t.hand[other].sum()) + int(t.held_flowers[other]).bit_count()
        t.hand[other, :] = 0
        t.held_flowers[other] = 0
        for tile in [hidden.pop() for _ in range(size)]:
            if tile < 34:
                t.hand[other, tile] += 1
            else:
                t.held_flowers[other] |= 1 << (tile - 34)
    t.wall[t.head : t.tail] = hidden
    t.wall[: t.head] = rng.choices(range(42), k=int(t.head))
    for other in range(table.players):
        if other != seat:
            t.ask[other] = rng.randrange(16) if t.phase == Phase.CLAIM else t.ask[other]
            t.key[other, :] = rng.randrange(1000)
            t.n_wild[other] = rng.randrange(4)
            t.passed_v[other] = rng.randrange(9)
            t.let_off[other] = rng.randrange(-1, table.players)
            if t.phase == Phase.GA:
                t.ga[other] = rng.choice((-1, 0, 5))
            if t.turn == other:
                t.last_tile = rng.randrange(34)
            if not t.sheet.show_concealed_kongs:
                for meld in range(t.n_melds[other]):
                    if t.meld_kind[other, meld] == MeldKind.CONCEALED_KONG:
                        t.meld_tile[other, meld] = rng.randrange(34)
    for row in t.event[: t.n_events]:
        drawn = row[0] == 3 and row[2] < 34
        konged = row[0] == 9 and row[4] == MeldKind.CONCEALED_KONG and not t.sheet.show_concealed_kongs
        if row[1] != seat and (drawn or konged):
            row[2] = rng.randrange(34)
    t.rng = np.uint64(rng.getrandbits(64))
    return twin


@pytest.mark.parametrize("part", range(PARTS))
def test_a_view_is_blind_to_hidden_tiles(part: int) -> None:
    """Permuting what a seat can't see leaves its view, hints, events and bot the same, byte for byte."""
    bot = Bot(Policy.GREEDY)
    for table, rng in random_states(40 + part, amount(12, 1, 400)):
        if table.over:
            continue
        for seat in range(-1, table.players):
            twin = permuted(table, seat, rng)
            assert twin.masked_array(seat).tobytes() == table.masked_array(seat).tobytes()
            assert events_of(twin.masked(seat), ()) == events_of(table.masked(seat), ())
        seat = rng.randrange(table.players)
        twin = permuted(table, seat, rng)
        if COMPILED and seat in table.legal():  # as plain Python the bot takes seconds
            assert bot.choose(twin, seat) == bot.choose(table, seat)
        if table.phase == Phase.CLAIM:
            assert twin.waits(seat) == table.waits(seat)


@pytest.mark.parametrize("part", range(PARTS))
def test_a_clone_goes_its_own_way(part: int) -> None:
    for table, rng in random_states(50 + part, amount(3, 1, 50)):
        if not table.over:
            before = table.snapshot()
            twin = table.clone()
            twin.act(*choose(twin, rng))
            assert table.snapshot() == before


@pytest.mark.parametrize("part", range(PARTS))
def test_waits_are_what_completes_the_hand(part: int) -> None:
    """Every waited kind is worth what winning it brings."""
    for table, _ in random_states(60 + part, amount(10, 1, 400)):
        t = table.raw
        if table.phase != Phase.CLAIM:
            continue
        for seat in table.legal():
            if "win" in [action.text for action in table.legal()[seat]]:
                waits = {wait.kind: wait for wait in table.waits(seat)}
                assert int(t.claim_tile) in waits
                assert waits[int(t.claim_tile)].licensed


@pytest.mark.parametrize("part", range(PARTS))
def test_waits_after_a_discard_are_those_once_it_is_made(part: int) -> None:
    """The tile let go is seen then: it doesn't count as one that may still come."""
    for table, _ in random_states(70 + part, amount(6, 1, 200)):
        for seat, actions in table.legal().items():
            if table.phase == Phase.TURN:
                for action in actions:
                    if action.text.startswith("discard ") and (
                        waits := table.waits(seat, action - Act.DISCARD)
                    ):
                        twin = table.clone()
                        twin.act(seat, action)
                        if not twin.over:
                            assert twin.waits(seat) == waits
