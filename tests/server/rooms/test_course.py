"""The course of a match: commitment, ready, deal, bills, the next hand, the end, the rematch."""

import asyncio
from itertools import product
from random import Random

import pytest

from hainan import wire
from hainan.matches import Match
from hainan.records import final_table, read_record
from hainan.rules.presets import PRESET_NAMES, rules_of
from hainan.server.store import How, Store
from hainan.shuffle import Shuffle, read_shuffle, verify
from hainan.wire import Notice, Refusal, Stage
from tests.conftest import amount
from tests.server.rooms.play import (
    NAMES,
    asked,
    bills,
    dealt,
    done,
    gathered,
    hand_of,
    in_turn,
    play_hand,
    play_match,
    ready,
    records,
    refused,
    room_of,
    stored_match,
)
from tests.server.scene import Client, Scene, run

pytestmark = pytest.mark.anyio


# ---------------------------------------------------------------- ready and deal


async def test_the_commitment_is_told_before_anybody_adds_a_nonce(scene: Scene) -> None:
    clients = await gathered(scene, rules={"preset": "hainan", "hands": 2})
    await clients[0].send(wire.Start())
    told = []
    for _ in range(2):
        assert clients[0].room_view.stage == Stage.BETWEEN
        told.append({client.room_view.commitment for client in clients})
        assert all(seat.nonce is None for seat in room_of(clients[0]).state.seats)
        await ready(clients)
        await play_hand(scene, clients)
    assert [len(commitments) for commitments in told] == [1, 1]
    kept = await records(clients[0])
    assert [record["shuffle"]["commitment"] for record in kept] == [min(commitments) for commitments in told]
    for record in kept:
        assert read_shuffle(record)[0].commitment == record["shuffle"]["commitment"]


async def test_nonces_are_mixed_in_by_seat_and_proven_by_the_record(scene: Scene) -> None:
    clients = await gathered(scene, rules={"preset": "hainan", "hands": 2})
    await clients[0].send(wire.Start())
    for hand, order in enumerate(([0, 1, 2, 3], [2, 0, 3, 1])):
        for seat in order:
            await done(clients[seat], wire.Ready(nonce=f"{NAMES[seat]} 海 {hand}"))
        await play_hand(scene, clients)
    for hand, record in enumerate(await records(clients[0])):
        assert record["shuffle"]["nonces"] == [f"{name} 海 {hand}" for name in NAMES]
        assert all(check.holds for check in verify(record))


async def test_other_nonces_deal_another_wall(scene: Scene) -> None:
    walls = []
    for nonce in ("one", "one", "two"):
        clients = await gathered(scene)
        await clients[0].send(wire.Start())
        room_of(clients[0]).shuffle = Shuffle.from_number(5)
        await ready(clients, nonce)
        walls.append(hand_of(clients[0]).table.wall)
    assert walls[0] == walls[1] != walls[2]


async def test_a_nonce_stands(scene: Scene) -> None:
    clients = await gathered(scene)
    await clients[0].send(wire.Start())
    await done(clients[0], wire.Ready(nonce="first"))
    assert (await refused(clients[0], wire.Ready(nonce="second"))).code == Refusal.NOT_NOW


async def test_ready_waits_for_all(scene: Scene) -> None:
    clients = await gathered(scene, next_hand_seconds=0)
    await clients[0].send(wire.Start())
    for client in clients[:3]:
        await done(client, wire.Ready())
    await scene.advance(10_000)
    assert clients[0].room_view.stage == Stage.BETWEEN
    assert clients[0].room_view.next_in is None
    assert [chair.ready for chair in clients[0].room_view.chairs] == [True, True, True, False]
    await done(clients[3], wire.Ready())
    assert clients[0].room_view.stage == Stage.PLAYING


async def test_the_next_hand_begins_by_itself_where_the_sheet_says_so(scene: Scene) -> None:
    clients = await gathered(scene, next_hand_seconds=12)
    await clients[0].send(wire.Start())
    await done(clients[1], wire.Ready(nonce="only one"))
    assert clients[0].room_view.next_in == 12
    await scene.advance(11.9)
    assert clients[0].room_view.stage == Stage.BETWEEN
    await scene.advance(0.2)
    assert clients[0].room_view.stage == Stage.PLAYING
    await play_hand(scene, clients)
    (record, *_) = await records(clients[0])
    assert record["shuffle"]["nonces"] == ["", "only one", "", ""]
    assert all(check.holds for check in verify(record))


@pytest.mark.parametrize("stage", ["open", "playing"])
async def test_ready_is_said_between_hands_only(scene: Scene, stage: str) -> None:
    clients = await (gathered if stage == "open" else dealt)(scene)
    assert (await refused(clients[0], wire.Ready())).code == Refusal.NOT_NOW


async def test_bots_and_auto_play_are_always_ready(scene: Scene) -> None:
    ann, bob = await gathered(scene, ["ann", "bob"], bots=2)
    await ann.send(wire.Start())
    await done(ann, wire.Ready())
    assert ann.room_view.stage == Stage.BETWEEN
    await done(bob, wire.Auto(on=True))
    assert ann.room_view.stage == Stage.PLAYING


# ---------------------------------------------------------------- the end of a hand


async def test_a_hand_that_is_over_is_shown_with_bill_and_open_hands(scene: Scene) -> None:
    clients = await in_turn(scene, rules={"hands": 2})
    await play_hand(scene, clients)
    for client in clients:
        view = client.table.table
        assert view.phase == "over"
        assert view.end["payments"] == client.room_view.totals
        assert all(seat.hand for seat in view.seats)
        assert client.table.mine.offer is None
        assert client.room_view.stage == Stage.BETWEEN
        assert client.room_view.hand == 1


async def test_a_record_replays_to_the_same_bill(scene: Scene) -> None:
    clients = await dealt(scene, rules={"preset": "hainan", "hands": amount(3, 1)})
    await play_match(scene, clients)
    kept = await records(clients[0])
    assert [record["end"] for record in kept] == bills(clients[0])
    for record in kept:
        assert final_table(read_record(record)).end() == record["end"]
        assert {decision["how"] for decision in record["decisions"]} == {"player"}
        assert record["names"] == ["Ann", "Bob", "Cyd", "Dee"]


async def test_nothing_of_a_hand_can_be_read_from_storage_while_it_is_played(scene: Scene) -> None:
    clients = await in_turn(scene)
    match = clients[0].room_view.match
    assert await scene.store.record(match, 0) is None
    hand = await scene.store.hand(match, 0)
    assert (hand.seed, hand.wall, hand.nonces) == (None, None, None)


# ---------------------------------------------------------------- whole matches


def refereed(kept: list[dict], match: Match) -> None:
    """Play the stored actions on a match of the referee's own: place by place and bill by bill the same."""
    for number, record in enumerate(kept):
        table = match.table if number == 0 else match.next_hand()
        own = table.record()
        places = ("rules", "players", "dealer", "streak", "round_wind", "ga_floor", "dice", "wall")
        assert {key: record[key] for key in places} == {key: own[key] for key in places}
        for seat, action in record["actions"]:
            table.act(seat, action)
        assert table.end() == record["end"]


async def check_whole_match(scene: Scene, clients: list[Client], preset: str, **options) -> None:
    """Zero sums, totals, every record, and the referee's own match: all the same."""
    players = len(clients[0].room_view.chairs)
    kept, shown = await records(clients[0]), bills(clients[0])
    match = await stored_match(clients[0])
    assert [record["end"] for record in kept] == shown
    assert all(sum(bill["payments"]) == 0 for bill in shown)
    totals = [sum(points) for points in zip(*(bill["payments"] for bill in shown), strict=True)]
    assert totals == clients[0].room_view.totals == match.totals
    assert (match.how, match.ended_at is not None) == ("length", True)
    rules = rules_of(preset, players, **options)
    deals = [read_shuffle(record)[0].deal(rules, players) for record in kept]
    own = Match(rules, players, deals=lambda hand: deals[hand])
    refereed(kept, own)
    assert own.over
    assert own.totals == totals


@pytest.mark.parametrize(("preset", "players"), list(product(PRESET_NAMES, (3, 4)))[:: amount(1, 3)])
async def test_every_preset_is_played_as_the_referee_does(scene: Scene, preset: str, players: int) -> None:
    hands = amount(2, 1)
    clients = await dealt(scene, NAMES[:players], rules={"preset": preset, "hands": hands})
    await play_match(scene, clients)
    assert len(bills(clients[0])) == hands
    await check_whole_match(scene, clients, preset, hands=hands)


def left(client: Client) -> bool:
    return client.room_view.chairs[client.room_view.you].bot is not None


async def play_at_random(scene: Scene, rng: Random) -> None:
    """A match of random length and company, with people who answer, are late, go and come back."""
    players, preset = rng.choice([3, 4]), rng.choice(list(PRESET_NAMES))
    people = rng.randint(amount(1, 3), players)
    hands = rng.randint(1, 4)
    clients = await dealt(
        scene, NAMES[:people], players - people, rules={"preset": preset, "hands": hands}, turn_seconds=5
    )
    taken = 0
    while clients[0].room_view.stage != Stage.OPEN:
        waiting = [client for client in asked(clients) if not left(client)]
        if clients[0].room_view.stage == Stage.BETWEEN:
            await ready(clients, f"{{}} {rng.random()}")
        elif waiting and rng.random() < 0.95:
            client = rng.choice(waiting)
            mine = client.table.mine
            await client.send(wire.Act(offer=mine.offer, action=rng.choice(mine.legal)))
            taken += 1
        else:
            await scene.tick()
        if clients[0].room_view.stage != Stage.OPEN and rng.random() < 0.02:  # then seats are given up
            leaver = rng.choice(clients)
            await leaver.send(wire.Sit() if left(leaver) else rng.choice([wire.Leave(), wire.Auto(on=True)]))
    refusals = {no.code for client in clients for no in client.messages if isinstance(no, wire.Refused)}
    assert refusals <= {Refusal.NOT_NOW, Refusal.SEAT_TAKEN}
    await check_whole_match(scene, clients, preset, hands=hands)
    decisions = [decision["how"] for record in await records(clients[0]) for decision in record["decisions"]]
    assert decisions.count("player") == taken
    assert set(decisions) <= {how.name.lower() for how in How}


async def test_random_matches_are_recorded_as_they_were_played(scene: Scene) -> None:
    rng = Random(11)
    for _ in range(amount(6, 1, 400)):
        await play_at_random(scene, rng)


@pytest.mark.parametrize("hands", [amount(4, 1)])
def test_a_match_is_played_and_kept_by_both_databases(database_url: str, hands: int) -> None:
    async def story(scene: Scene) -> None:
        people = amount(3, 4)
        clients = await dealt(scene, NAMES[:people], 4 - people, rules={"preset": "hainan", "hands": hands})
        await play_match(scene, clients)
        await check_whole_match(scene, clients, "hainan", hands=hands)
        for record in await records(clients[0]):
            assert all(check.holds for check in verify(record))

    run(story, database_url)


async def test_many_tables_play_at_once(scene: Scene) -> None:
    async def one(number: int) -> None:
        names = [f"{name} {number}" for name in NAMES]
        await check(await dealt(scene, names, rules={"preset": "lingao", "hands": 1}))

    async def check(clients: list[Client]) -> None:
        while clients[0].table.table.phase != "over":
            if waiting := asked(clients):
                mine = waiting[0].table.mine
                await waiting[0].send(wire.Act(offer=mine.offer, action=mine.legal[0]))
            else:
                await scene.tick()
        await check_whole_match(scene, clients, "lingao", hands=1)

    await asyncio.gather(*(one(number) for number in range(amount(5, 2))))


# ---------------------------------------------------------------- the end and after it


async def test_a_match_ends_by_its_length_and_the_room_is_open_again(scene: Scene) -> None:
    clients = await in_turn(scene, rules={"hands": 1})
    await play_hand(scene, clients)
    for client in clients:
        told = client.last(wire.Told)
        assert told.notice == Notice.MATCH_OVER
        assert told.totals == client.room_view.totals == client.table.table.end["payments"]
        assert client.room_view.stage == Stage.OPEN
        assert client.room_view.commitment is None
    assert (await stored_match(clients[0])).how == "length"


async def test_the_final_table_is_still_to_be_seen(scene: Scene) -> None:
    clients = await in_turn(scene, rules={"hands": 1})
    await play_hand(scene, clients)
    end = clients[1].table.table.end
    await clients[1].drop()
    again = await scene.connect("bob", clients[1].room)
    assert again.table.table.end == end


async def test_a_rematch_has_the_same_seats_and_new_totals(scene: Scene) -> None:
    clients = await in_turn(scene, rules={"hands": 1})
    await play_hand(scene, clients)
    first = clients[0].room_view.match
    await done(clients[0], wire.Start())
    view = clients[3].room_view
    assert view.match != first
    assert (view.hand, view.totals, view.stage) == (0, [0, 0, 0, 0], Stage.BETWEEN)
    assert [chair.player for chair in view.chairs] == NAMES
    assert not any(chair.ready for chair in view.chairs)
    await ready(clients)
    await play_hand(scene, clients)
    matches = await scene.store.matches_of("ann")
    assert [match.how for match in matches] == ["length", "length"]


async def test_the_store_opens_what_it_wrote(sqlite_url: str) -> None:
    store = await Store.open(sqlite_url)
    scene = Scene(store)
    clients = await in_turn(scene, rules={"hands": 1})
    await play_hand(scene, clients)
    before = await records(clients[0])
    await scene.stop()
    await store.close()
    again = await Store.open(sqlite_url)
    match = clients[0].room_view.match
    assert [await again.record(match, hand.n) for hand in await again.hands(match)] == before
    await again.close()
