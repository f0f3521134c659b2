"""The pause after a tile: nobody can tell from it whether anybody may claim."""

from random import Random

import pytest
from msgspec import structs

from hainan import wire
from hainan.wire import Ballot, Stage
from tests.conftest import amount
from tests.server.rooms.play import NAMES, Timed, act, asked, chosen, dealt, hand_of, in_turn, ready, stack
from tests.server.scene import Client, Scene, run
from tests.stack import alone

pytestmark = pytest.mark.anyio

LEAST, MOST = 0.4, 0.9

# ---------------------------------------------------------------- two worlds that one seat tells apart

DEALER, OTHERS = alone("9p6p") + "9m", alone("258p")
PAIR, NO_PAIR = alone("99p147m"), alone("36p147m")
DRAWS = "1m2m3m4m5m6m7m8m"
POKES = {
    "nothing": [],
    "look": [wire.Look()],
    "ready": [wire.Ready()],
    "act": [wire.Act(offer=2**32 + 7, action="pass"), wire.Act(offer=1, action="pong")],
    "discard": [wire.Act(offer=1, action="discard 1m")],
    "auto": [wire.Auto(on=False), wire.Auto(on=True), wire.Auto(on=False)],
    "leave and sit": [wire.Leave(), wire.Sit()],
    "sit": [wire.Sit()],
    "say": [wire.Say(phrase="wait"), wire.Mute(seat=2)],
    "vote": [wire.Vote(on=Ballot.MORE_TIME, yes=False), wire.Vote(on=Ballot.MORE_TIME)],
    "pause": [wire.Vote(on=Ballot.PAUSE)],
    "resume": [wire.Resume()],
    "kick": [wire.Kick(seat=1)],
    "kick nobody": [wire.Kick(seat=0)],
    "hand over": [wire.HandOver(seat=1)],
    "change": [wire.Change(settings=wire.Settings())],
    "start": [wire.Start()],
    "add bot": [wire.AddBot()],
    "watch": [wire.Watch()],
}


async def discarded(scene: Scene, pokes: list, claims: bool, later: float) -> list[list[tuple[float, bytes]]]:
    """What all but seat 2 hear after seat 0's 9p, whatever they try, until seat 1's turn is shown."""
    clients = await in_turn(scene, spectators=True, next_hand_seconds=0)
    guest = await scene.connect("guest", clients[0].room)
    curious = [clients[0], clients[1], clients[3], guest]
    ears = [Timed(client) for client in curious]
    await act(clients[0], "discard 9p")
    assert bool(asked(clients)) == claims
    await scene.advance(0.05)
    for command in pokes:
        for client in curious:
            await client.send(structs.replace(command, ref=9))
    await scene.advance(later)
    if clients[0].room_view.stage == Stage.PAUSED:
        await scene.advance(100)
        await clients[0].send(wire.Resume())
    if claims:
        await act(clients[2], "pass")
    await scene.advance(30)
    assert clients[0].table.table.turn is not None
    return [ear.heard for ear in ears]


@pytest.mark.parametrize("later", [0.05, 0.3][: amount(2, 1)])
@pytest.mark.parametrize("poke", POKES)
def test_nobody_can_find_out_whether_another_may_claim(
    tmp_path, monkeypatch, poke: str, later: float
) -> None:
    heard = []
    for number, hand in enumerate((PAIR, NO_PAIR)):
        stack(monkeypatch, [DEALER, OTHERS, hand, OTHERS], DRAWS)
        monkeypatch.setattr("hainan.server.course.new_id", lambda: "the-match" * 3 + "12345")

        async def story(scene: Scene, claims: bool = hand is PAIR) -> None:
            scene.store.create_room = same_code(scene.store.create_room)
            heard.append(await discarded(scene, POKES[poke], claims, later))

        run(story, f"sqlite:///{tmp_path / str(number)}.sqlite3")
    for one, other in zip(*heard, strict=True):
        assert one == other


def same_code(create):
    """Rooms of two worlds have the same code."""

    async def wrapped(*arguments):
        import secrets

        kept, secrets.randbelow = secrets.randbelow, lambda n: 123456
        try:
            return await create(*arguments)
        finally:
            secrets.randbelow = kept

    return wrapped


# ---------------------------------------------------------------- an added kong

WAITS, DOESNT_WAIT = "123m456m789s11s49p", "123m456m789s11s29p"


async def konged(scene: Scene, robs: bool) -> list[list[tuple[float, bytes]]]:
    """What seats 0, 1 and 3 hear from the moment at which seat 0 adds to its pong."""
    clients = await in_turn(scene)
    moves = ["discard 9p", "discard 5p", "pong", "discard 7z", "discard 1m", "discard 9p", "discard 3m"]
    for move in moves:
        while not (waiting := [client for client in asked(clients) if move in client.table.mine.legal]):
            await (act(asked(clients)[0], "pass") if asked(clients) else scene.tick())
        await act(waiting[0], move)
    while clients[0].table.table.turn != 0:
        await (act(asked(clients)[0], "pass") if asked(clients) else scene.tick())
    ears = [Timed(clients[seat]) for seat in (0, 1, 3)]
    await act(clients[0], "kong 5p")
    assert clients[0].table.table.claim == wire.Claim(tile="5p", from_=0, rob=True)
    assert bool(asked(clients)) == robs
    await scene.advance(0.1)
    if robs:
        assert clients[2].table.mine.legal == ["win", "pass"]
        await act(clients[2], "pass")
    await scene.advance(3)
    assert clients[0].table.table.seats[0].melds[0].kind == "added_kong"
    return [ear.heard for ear in ears]


def test_nobody_can_find_out_whether_another_may_rob_a_kong(tmp_path, monkeypatch) -> None:
    heard = []
    for number, hand in enumerate((WAITS, DOESNT_WAIT)):
        stack(monkeypatch, [alone("55p9p") + "9m", alone("2p8m"), hand, alone("2p8m")], "5p1m6p3m5p4m6m")
        monkeypatch.setattr("hainan.server.course.new_id", lambda: "the-match" * 3 + "12345")

        async def story(scene: Scene, robs: bool = hand is WAITS) -> None:
            scene.store.create_room = same_code(scene.store.create_room)
            heard.append(await konged(scene, robs))

        run(story, f"sqlite:///{tmp_path / str(number)}.sqlite3")
    for one, other in zip(*heard, strict=True):
        assert one == other


# ---------------------------------------------------------------- many discards


class Tile:
    """A tile that was put down: who might claim it, and what was to be seen how much later."""

    def __init__(self, clients: list[Client], now: float) -> None:
        self.at = now
        self.claimable = bool(hand_of(clients[0]).offers)
        self.shown = {client.player: client.table for client in clients}
        self.took = self.claimed = None

    def followed(self, client: Client, now: float) -> None:
        self.took = now - self.at
        self.claimed = client.table.events[0]["type"] in ("chow", "pong", "kong", "win")


async def tiles_of_a_hand(scene: Scene, clients: list[Client], seed: int) -> list[Tile]:
    """Play a hand in which people pass every claim, within a third of a second."""
    rng, tiles, last = Random(seed), [], None
    while True:
        table = clients[0].table
        if table.table != last and table.table.phase in ("claim", "rob"):
            tiles.append(Tile(clients, scene.clock.now()))
        elif table.table != last and tiles and tiles[-1].took is None:
            tiles[-1].followed(clients[0], scene.clock.now())
        last = table.table
        if table.table.phase == "over":
            return tiles
        if not (waiting := asked(clients)):
            await scene.tick()
        elif table.table.claim is not None:
            await scene.advance(rng.uniform(0.0, 0.1))
            await act(waiting[0], "pass")
        else:
            await act(waiting[0], chosen(waiting[0], seed))


async def many_tiles(scene: Scene, people: int, hands: int) -> list[Tile]:
    rules = {"preset": "hainan", "hands": hands}
    clients = await dealt(scene, NAMES[:people], 4 - people, rules=rules)
    tiles = []
    for hand in range(hands):
        tiles += await tiles_of_a_hand(scene, clients, hand)
        await ready(clients)
    return tiles


@pytest.mark.parametrize("people", [4, 2, 1][: amount(3, 1)])
async def test_pauses_come_from_a_source_that_knows_nothing(scene: Scene, people: int) -> None:
    """Tile after tile, claimable or not, the table waits for what the generator says next: so the times can't
    depend on anything else."""
    tiles = await many_tiles(scene, people, amount(5, 1))
    source = Random(scene.seed)
    for tile in tiles:
        pause = source.uniform(LEAST, MOST)
        if not tile.claimed:
            assert tile.took == pytest.approx(pause)
    assert any(tile.claimable for tile in tiles)
    assert any(not tile.claimable for tile in tiles)


async def test_pauses_after_claimable_and_other_tiles_are_alike(scene: Scene) -> None:
    tiles = await many_tiles(scene, 4, amount(12, 2))
    of = {
        claimable: sorted(tile.took for tile in tiles if tile.claimable == claimable)
        for claimable in (True, False)
    }
    for times in of.values():
        assert times[0] >= LEAST
        assert times[-1] <= MOST
        assert sum(times) / len(times) == pytest.approx((LEAST + MOST) / 2, abs=amount(3, 6) / 40)
    assert len(of[True]) > 10


async def test_a_tile_is_shown_at_once_and_looks_the_same_to_all_who_arent_asked(scene: Scene) -> None:
    tiles = await many_tiles(scene, 4, amount(3, 1))
    for tile in tiles:
        views = list(tile.shown.values())
        assert all(view.table == views[0].table for view in views)
        for view in views:
            assert [event["type"] for event in view.events][-1:] in (["discard"], ["kong"])
            if view.mine.offer is None:
                assert view.mine.legal == []
                assert view.mine.seconds is None
                assert (view.turn_seconds, view.turn_bank) == (None, None)


async def test_what_follows_a_pause_isnt_told_twice(scene: Scene) -> None:
    """Events of a seat's messages, put together, are those of the record's replay."""
    clients = await in_turn(scene, rules={"hands": 1})
    await tiles_of_a_hand(scene, clients, 4)
    messages = [message for message in clients[1].messages if isinstance(message, wire.Table)]
    told = [event["type"] for message in messages for event in message.events]
    table = hand_of(clients[1]).place.table(hand_of(clients[1]).table.rules, 4, hand_of(clients[1]).deal)
    happened = [event["type"] for event in table.events()]
    for seat, action in hand_of(clients[1]).table.actions:
        table.act(seat, action)
        happened += [event["type"] for event in table.events()]
    assert told == happened


async def test_a_claim_is_shown_at_once(scene: Scene, monkeypatch) -> None:
    stack(monkeypatch, [DEALER, OTHERS, PAIR, OTHERS], DRAWS)
    clients = await in_turn(scene)
    await act(clients[0], "discard 9p")
    await scene.advance(0.1)
    await act(clients[2], "pong")
    assert [client.table.table.turn for client in clients] == [2, 2, 2, 2]


async def test_who_thinks_longer_than_the_pause_keeps_the_table_waiting(scene: Scene, monkeypatch) -> None:
    stack(monkeypatch, [DEALER, OTHERS, PAIR, OTHERS], DRAWS)
    clients = await in_turn(scene)
    await act(clients[0], "discard 9p")
    await scene.advance(5)
    assert clients[1].table.table.phase == "claim"
    await act(clients[2], "pass")
    assert clients[1].table.table.turn == 1


async def test_who_has_passed_sees_that_he_has_answered(scene: Scene, monkeypatch) -> None:
    stack(monkeypatch, [DEALER, OTHERS, PAIR, OTHERS], DRAWS)
    clients = await in_turn(scene)
    await act(clients[0], "discard 9p")
    heard = [len(client.frames) for client in clients]
    await act(clients[2], "pass")
    assert clients[2].table.mine.answered
    assert clients[2].table.mine.offer is None
    assert [len(client.frames) - count for client, count in zip(clients, heard, strict=True)] == [0, 0, 1, 0]


async def test_a_pause_that_was_voted_for_doesnt_end_the_pause_after_a_tile(
    scene: Scene, monkeypatch
) -> None:
    stack(monkeypatch, [DEALER, OTHERS, NO_PAIR, OTHERS], DRAWS)
    clients = await in_turn(scene)
    await act(clients[0], "discard 9p")
    for client in clients[:3]:
        await client.send(wire.Vote(on=Ballot.PAUSE))
    assert clients[0].room_view.stage == Stage.PAUSED
    await scene.advance(60)
    assert clients[0].table.table.phase == "claim"
    await clients[3].send(wire.Resume())
    assert clients[0].table.table.phase == "claim"
    await scene.advance(MOST)
    assert clients[0].table.table.turn == 1
