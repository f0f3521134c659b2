"""Clocks: time, bank, what is done when they run out, auto-play, lost connections, pauses."""

import pytest

from hainan import wire
from hainan.wire import Ballot, Refusal, Stage
from tests.server.rooms.play import (
    act,
    asked,
    dealt,
    done,
    hand_of,
    in_turn,
    play_until,
    ready,
    records,
    refused,
    room_of,
    stack,
    vote,
)
from tests.server.scene import Client, Scene
from tests.stack import alone

pytestmark = pytest.mark.anyio

# Seat 0 deals. Nobody can do anything with another's tile, but for the pair of 9p on seat 2.
HANDS = [alone("9p6p") + "9m", alone("258p"), alone("99p147m"), alone("258p")]
DRAWS = "1m2m3m4m5m6m7m8m1p2p3p4p"
CLOCKS = {"turn_seconds": 10, "claim_seconds": 6, "bank_seconds": 15}


@pytest.fixture
async def clients(scene: Scene, monkeypatch: pytest.MonkeyPatch) -> list[Client]:
    """The dealer's first turn has begun."""
    stack(monkeypatch, HANDS, DRAWS)
    return await in_turn(scene, **CLOCKS)


async def looked(client: Client) -> wire.Table:
    """The table as it is told now."""
    await client.send(wire.Look())
    return client.table


def moves(client: Client) -> list[tuple[int, str]]:
    return [(seat, action.text) for seat, action in hand_of(client).table.actions]


def discards(client: Client) -> list[tuple[int, str]]:
    return [(seat, text) for seat, text in moves(client) if text != "pass"]


# ---------------------------------------------------------------- time and bank


async def test_a_turn_has_its_time_and_then_the_bank(scene: Scene, clients: list[Client]) -> None:
    dealer = clients[0]
    assert (dealer.table.mine.seconds, dealer.table.mine.bank) == (10, 15)
    await scene.advance(9)
    assert ((await looked(dealer)).mine.seconds, dealer.table.mine.bank) == (1, 15)
    await scene.advance(3)
    assert ((await looked(dealer)).mine.seconds, dealer.table.mine.bank) == (0, 13)
    await act(dealer)
    assert dealer.table.mine.bank == 13
    assert room_of(dealer).hand.banks == [13, 15, 15, 15]


async def test_all_see_the_time_of_who_has_the_turn(scene: Scene, clients: list[Client]) -> None:
    await scene.advance(12)
    for client in clients:
        table = await looked(client)
        assert (table.turn_seconds, table.turn_bank) == (0, 13)


async def test_a_bank_is_for_the_whole_match(scene: Scene) -> None:
    clients = await in_turn(scene, rules={"hands": 2}, **CLOCKS)
    (dealer,) = asked(clients)
    seat = dealer.room_view.you
    await scene.advance(14)
    await act(dealer)
    await play_until(scene, clients, lambda: dealer.table.hand == 1 and dealer in asked(clients))
    assert dealer.table.mine.bank == 11
    assert hand_of(dealer).banks[seat] == 11
    (record, *_) = await records(dealer)
    assert record["decisions"][0]["bank_ms"] == 4000
    assert sum(decision["bank_ms"] for decision in record["decisions"]) == 4000


async def test_the_drawn_tile_is_discarded_when_time_and_bank_are_over(scene: Scene, clients) -> None:
    await act(clients[0], "discard 7z")
    await scene.advance(1)
    assert clients[1].table.mine.drawn == "1m"
    await scene.advance(10 + 15 - 1.1)
    assert clients[0].table.table.turn == 1
    await scene.advance(1)
    assert discards(clients[0])[-1] == (1, "discard 1m")
    assert hand_of(clients[1]).banks == [15, 0, 15, 15]


async def test_an_empty_bank_leaves_the_time(scene: Scene, clients: list[Client]) -> None:
    hand_of(clients[0]).banks[1] = 0.0
    await act(clients[0], "discard 7z")
    await scene.advance(1)
    assert (clients[1].table.mine.seconds, clients[1].table.mine.bank) == (10, 0)
    await scene.advance(10)
    assert discards(clients[0])[-1] == (1, "discard 1m")


async def test_after_a_claim_the_last_kind_is_discarded(scene: Scene, clients: list[Client]) -> None:
    await act(clients[0], "discard 9p")
    await act(clients[2], "pong")
    last = clients[2].table.mine.legal[-1]
    await scene.advance(26)
    assert discards(clients[0])[-1] == (2, last)


async def test_a_claim_has_its_time_and_no_bank(scene: Scene, clients: list[Client]) -> None:
    await act(clients[0], "discard 9p")
    assert (clients[2].table.mine.seconds, clients[2].table.mine.bank) == (6, 15)
    await scene.advance(5.9)
    assert clients[0].table.table.phase == "claim"
    await scene.advance(0.2)
    assert moves(clients[0])[-1] == (2, "pass")
    assert clients[0].table.table.turn == 1
    assert hand_of(clients[0]).banks == [15] * 4


async def test_ga_is_the_floor_when_time_is_over(scene: Scene) -> None:
    clients = await dealt(scene, **CLOCKS)
    assert (clients[0].table.mine.seconds, clients[0].table.mine.bank) == (10, 15)
    await act(clients[1], "ga 2")
    await scene.advance(10)
    assert [seat.ga for seat in clients[0].table.table.seats] == [0, 2, 0, 0]
    assert hand_of(clients[0]).banks == [15] * 4, "the bank is for turns"


async def test_ga_is_a_floor_that_was_raised(scene: Scene) -> None:
    clients = await dealt(scene, rules={"preset": "hainan", "hands": 2}, **CLOCKS)
    for client in clients:
        await act(client, "ga 3")
    await play_until(scene, clients, lambda: clients[0].table.hand == 1)
    floors = [seat.floor for seat in clients[0].table.table.seats]
    assert any(floors)
    await scene.advance(10)
    assert [seat.ga for seat in clients[0].table.table.seats] == floors


async def test_a_table_that_wakes_up_late_takes_nobodys_turn_away(scene: Scene, clients) -> None:
    """Something old was due for the seat whose turn the same wake-up has just begun."""
    await act(clients[0], "discard 7z")
    room = room_of(clients[0])
    room.agenda.set(("late", 1), hand_of(clients[0]).resume_at + 0.05)
    scene.clock.time = hand_of(clients[0]).resume_at + 0.5
    await scene.tick()
    assert clients[0].table.table.turn == 1
    assert clients[1].table.mine.seconds == 10
    await scene.advance(9)
    assert clients[0].table.table.turn == 1
    await scene.advance(17)
    assert discards(clients[0])[-1] == (1, "discard 1m")


# ---------------------------------------------------------------- auto-play


async def late_twice(scene: Scene, clients: list[Client]) -> Client:
    """Seat 1 has let two turns pass."""
    await play_until(scene, clients, lambda: clients[0].table.table.turn == 1)
    for _ in range(2):
        assert not clients[0].room_view.chairs[1].auto
        await scene.advance(26)
        await play_until(scene, clients, lambda: clients[0].table.table.turn == 1)
    return clients[1]


async def test_after_two_timeouts_a_seat_is_on_auto_play(scene: Scene, clients: list[Client]) -> None:
    late = await late_twice(scene, clients)
    for client in clients:
        assert client.room_view.chairs[1].auto
    before, count = scene.clock.now(), len(discards(late))
    while len(discards(late)) == count:
        await scene.tick()
    assert 0.6 <= scene.clock.now() - before <= 1.6, "in human time"
    drawn = late.table.mine
    assert drawn.offer is None


async def test_deciding_oneself_ends_auto_play(scene: Scene, clients: list[Client]) -> None:
    late = await late_twice(scene, clients)
    await act(late)
    assert not clients[0].room_view.chairs[1].auto
    await play_until(
        scene, [client for client in clients if client is not late], lambda: late in asked(clients)
    )
    await scene.advance(5)
    assert clients[0].table.table.turn == 1, "it waits for the player again"


async def test_one_timeout_and_a_decision_are_no_two_timeouts(scene: Scene, clients: list[Client]) -> None:
    others = [client for client in clients if client is not clients[1]]
    for turn in range(4):
        await play_until(scene, others, lambda: clients[0].table.table.turn == 1)
        await (act(clients[1]) if turn % 2 else scene.advance(26))
    assert not clients[0].room_view.chairs[1].auto


async def test_how_a_decision_was_come_to_is_stored(scene: Scene, monkeypatch) -> None:
    stack(monkeypatch, HANDS, DRAWS)
    clients = await in_turn(scene, ["ann", "bob", "cyd"], bots=1, rules={"hands": 1}, **CLOCKS)
    await late_twice(scene, clients)
    others = [client for client in clients if client is not clients[1]]
    await play_until(scene, others, lambda: clients[0].room_view.stage == Stage.OPEN)
    (record,) = await records(clients[0])
    hows = {seat: [] for seat in range(4)}
    for (seat, _), decision in zip(record["actions"], record["decisions"], strict=True):
        hows[seat].append(decision["how"])
    assert set(hows[0]) == set(hows[2]) == {"player"}
    assert set(hows[1]) == {"time_over", "auto"}
    assert hows[1].count("time_over") == 2
    assert set(hows[3]) == {"bot"}


async def test_auto_play_on_request(scene: Scene, clients: list[Client]) -> None:
    await done(clients[0], wire.Auto(on=True))
    assert clients[1].room_view.chairs[0].auto
    await scene.advance(1.7)
    assert discards(clients[0]) == [(0, "discard 9m")]


async def test_taking_the_seat_back_gives_the_whole_time(scene: Scene, clients: list[Client]) -> None:
    await scene.advance(12)
    await done(clients[0], wire.Auto(on=True))
    await scene.advance(0.5)
    await done(clients[0], wire.Auto(on=False))
    table = await looked(clients[0])
    assert (table.mine.seconds, table.mine.bank) == (10, 15)
    await scene.advance(24.9)
    assert discards(clients[0]) == []
    await scene.advance(0.2)
    assert discards(clients[0]) == [(0, "discard 9m")]


async def test_auto_play_cant_be_used_to_play_for_time(scene: Scene, clients: list[Client]) -> None:
    await scene.advance(8)
    await done(clients[0], wire.Auto(on=False))
    assert (await looked(clients[0])).mine.seconds == 2
    for _ in range(20):
        await clients[0].send(wire.Auto(on=True))
        await clients[0].send(wire.Auto(on=False))
        await scene.advance(4)
    assert discards(clients[0]) != []


async def test_auto_play_needs_a_match(scene: Scene, clients: list[Client]) -> None:
    await vote(clients, Ballot.END)
    assert (await refused(clients[0], wire.Auto(on=True))).code == Refusal.NOT_NOW


async def test_auto_play_is_off_after_the_match(scene: Scene, clients: list[Client]) -> None:
    await done(clients[2], wire.Auto(on=True))
    await vote([client for client in clients if client is not clients[2]], Ballot.END)
    assert clients[0].room_view.stage == Stage.OPEN
    assert not any(chair.auto for chair in clients[0].room_view.chairs)


async def test_a_lost_connection_starts_nothing_early(scene: Scene, clients: list[Client]) -> None:
    await clients[0].drop()
    await scene.advance(24.9)
    assert discards(clients[1]) == []
    assert not clients[1].room_view.chairs[0].auto
    back = await scene.connect("ann", clients[0].room)
    assert (back.table.mine.seconds, back.table.mine.bank) == (0, pytest.approx(0.1))
    await scene.advance(0.2)
    assert discards(clients[1]) == [(0, "discard 9m")]


async def test_bots_move_in_human_time(scene: Scene) -> None:
    clients = await dealt(scene, ["ann"], bots=3, rules={"preset": "hainan", "hands": 1})
    (ann,) = clients
    since, last = scene.clock.now(), None
    while ann.room_view.stage != Stage.OPEN:
        turn = ann.table.table.turn
        if (turn, ann.table.table.order) != last:
            since, last = scene.clock.now(), (turn, ann.table.table.order)
        if asked(clients):
            await act(ann)
        else:
            await scene.tick()
        if last[0] not in (None, 0) and ann.table.table.order != last[1]:
            assert 0.6 <= scene.clock.now() - since <= 1.6


# ---------------------------------------------------------------- pause and more time


async def test_a_pause_keeps_the_clocks(scene: Scene, clients: list[Client]) -> None:
    await scene.advance(12)
    await vote(clients[:3], Ballot.PAUSE)
    assert clients[0].room_view.stage == Stage.PAUSED
    await scene.advance(500)
    assert discards(clients[0]) == []
    await done(clients[3], wire.Resume())
    assert clients[3].room_view.stage == Stage.PLAYING
    assert (clients[0].table.mine.seconds, clients[0].table.mine.bank) == (0, 13)
    await scene.advance(12.9)
    assert discards(clients[0]) == []
    await scene.advance(0.2)
    assert discards(clients[0]) == [(0, "discard 9m")]


async def test_a_pause_keeps_the_clocks_of_claims(scene: Scene, clients: list[Client]) -> None:
    await act(clients[0], "discard 9p")
    await scene.advance(4)
    await vote(clients[:3], Ballot.PAUSE)
    await scene.advance(100)
    await done(clients[1], wire.Resume())
    assert clients[2].table.mine.seconds == 2
    await scene.advance(2.1)
    assert moves(clients[0])[-1] == (2, "pass")


async def test_a_pause_that_nobody_ends_is_over_after_a_quarter_of_an_hour(scene: Scene, clients) -> None:
    await vote(clients[:3], Ballot.PAUSE)
    await scene.advance(899)
    assert clients[0].room_view.stage == Stage.PAUSED
    await scene.advance(2)
    assert clients[0].room_view.stage == Stage.PLAYING


async def test_bots_and_auto_play_stand_still_in_a_pause(scene: Scene) -> None:
    clients = await in_turn(scene, ["ann"], bots=3)
    await play_until(scene, clients, lambda: clients[0].table.table.turn not in (None, 0))
    await vote(clients, Ballot.PAUSE)
    before = moves(clients[0])
    await scene.advance(300)
    assert moves(clients[0]) == before
    await done(clients[0], wire.Resume())
    await scene.advance(1.7)
    assert len(moves(clients[0])) > len(before)


async def test_only_a_paused_table_is_resumed(scene: Scene, clients: list[Client]) -> None:
    assert (await refused(clients[0], wire.Resume())).code == Refusal.NOT_NOW


async def test_more_time_adds_to_every_bank(scene: Scene, clients: list[Client]) -> None:
    await scene.advance(12)
    await vote(clients[:3], Ballot.MORE_TIME)
    assert (clients[0].table.mine.seconds, clients[0].table.mine.bank) == (0, 73)
    assert [client.table.mine.bank for client in clients[1:]] == [75, 75, 75]
    await scene.advance(72.9)
    assert discards(clients[0]) == []
    await scene.advance(0.2)
    assert discards(clients[0]) == [(0, "discard 9m")]


async def test_more_time_between_hands_is_there_in_the_next(scene: Scene) -> None:
    clients = await in_turn(scene, rules={"hands": 2}, **CLOCKS)
    await play_until(scene, clients, lambda: clients[0].room_view.stage == Stage.BETWEEN)
    await vote(clients[:3], Ballot.MORE_TIME)
    await ready(clients)
    assert [client.table.mine.bank for client in clients] == [75] * 4
