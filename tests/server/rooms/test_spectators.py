"""Spectators: where the owner allows it, one full hand behind, and never a hidden tile."""

from typing import Any

import pytest

from hainan import wire
from hainan.seatview import table_view
from hainan.wire import Ballot, Refusal, Stage
from tests.conftest import amount
from tests.server.rooms.play import (
    Timed,
    asked,
    bills,
    dealt,
    done,
    gathered,
    in_turn,
    play_hand,
    play_match,
    ready,
    refused,
    room_of,
    vote,
)
from tests.server.scene import Client, Scene

pytestmark = [pytest.mark.anyio, pytest.mark.usefixtures("short_hands")]


async def watched(scene: Scene, hands: int = 3, **settings: Any) -> tuple[list[Client], Client]:
    """A match that wes watches."""
    rules = {"preset": "hainan", "ga": False, "hands": hands}
    clients = await dealt(scene, rules=rules, spectators=True, **settings)
    wes = await scene.connect("wes", clients[0].room)
    await done(wes, wire.Watch())
    return clients, wes


def tables(client: Client) -> list[wire.Table]:
    return [message for message in client.messages if isinstance(message, wire.Table)]


def film_of(client: Client, hand: int) -> list[wire.TableView]:
    """The views that one saw of a hand, in order, each once."""
    views: list[wire.TableView] = []
    for message in tables(client):
        if message.hand == hand and (not views or message.table != views[-1]):
            views.append(message.table)
    return views


async def test_a_room_has_no_spectators_by_default(scene: Scene) -> None:
    clients = await in_turn(scene)
    wes = await scene.connect("wes", clients[0].room)
    assert (await refused(wes, wire.Watch())).code == Refusal.NO_SPECTATORS


async def test_who_sits_at_the_table_cant_watch_it(scene: Scene) -> None:
    clients = await in_turn(scene, spectators=True)
    assert (await refused(clients[1], wire.Watch())).code == Refusal.NOT_NOW


async def test_a_spectator_cant_act(scene: Scene) -> None:
    clients, wes = await watched(scene)
    (dealer,) = asked(clients)
    mine = dealer.table.mine
    for command in (wire.Act(offer=mine.offer, action=mine.legal[0]), wire.Ready(), wire.Auto(on=True)):
        assert (await refused(wes, command)).code == Refusal.NOT_SEATED
    assert (await refused(wes, wire.Say(phrase="hello"))).code == Refusal.NOT_SEATED


async def test_nothing_of_a_hand_is_shown_before_it_is_over(scene: Scene) -> None:
    clients, wes = await watched(scene)
    while clients[0].table.table.phase != "over":
        assert tables(wes) == []
        (await act_or_tick(scene, clients))
        await done(wes, wire.Look())
    assert tables(wes)[-1].hand == 0
    assert tables(wes)[-1].table.order == ""


async def act_or_tick(scene: Scene, clients: list[Client]) -> None:
    if waiting := asked(clients):
        mine = waiting[0].table.mine
        await waiting[0].send(wire.Act(offer=mine.offer, action=mine.legal[0]))
    else:
        await scene.tick()


async def test_a_film_is_the_hand_as_everybody_could_see_it(scene: Scene) -> None:
    clients, wes = await watched(scene, hands=1)
    await play_hand(scene, clients)
    await scene.advance(2000)
    hand = room_of(clients[0]).hand
    replayed = hand.place.table(hand.table.rules, 4, hand.deal)
    expected = [table_view(replayed)[0]]
    for seat, action in hand.table.actions:
        replayed.act(seat, action)
        expected.append(table_view(replayed)[0])
    assert film_of(wes, 0) == [view for n, view in enumerate(expected) if n == 0 or view != expected[n - 1]]
    assert film_of(wes, 0)[-1].end == bills(clients[0])[0]


async def test_a_film_runs_at_the_pace_of_its_hand(scene: Scene) -> None:
    clients, wes = await watched(scene, hands=1)
    ears = [Timed(clients[0]), Timed(wes)]
    began = scene.clock.now()
    await play_hand(scene, clients)
    over = scene.clock.now()
    await scene.advance(2000)
    shown = [at for at, frame in ears[1].heard if b'"type":"table"' in frame]
    assert shown[-1] - shown[0] <= over - began + 0.01
    assert shown[0] == over


async def test_no_tile_is_shown_that_was_hidden_then(scene: Scene) -> None:
    clients, wes = await watched(scene, hands=1)
    await play_hand(scene, clients)
    await scene.advance(2000)
    for message in tables(wes):
        assert message.mine is None
        if message.table.phase != "over":
            assert all(seat.hand is None for seat in message.table.seats)
        for event in message.events:
            assert "hands" not in event
            if event["type"] == "draw" and message.table.phase != "over":
                assert event.get("tile", "1f").endswith("f")


async def test_spectators_hear_no_totals(scene: Scene) -> None:
    clients, wes = await watched(scene, hands=2)
    await play_match(scene, clients)
    await scene.advance(3000)
    heard = [message for message in wes.messages if isinstance(message, wire.Room | wire.Told)]
    assert any(isinstance(message, wire.Told) for message in heard)
    assert [message.totals for message in heard if getattr(message, "watching", True)] == [None] * len(
        [message for message in heard if getattr(message, "watching", True)]
    )
    assert wes.room_view.watching


async def test_hands_are_shown_one_after_another_each_to_its_end(scene: Scene) -> None:
    """Hands played faster than they are shown wait for their turn; of each the bill is to be seen."""
    hands = amount(3, 2)
    clients, wes = await watched(scene, hands=hands)
    await play_match(scene, clients)
    await scene.advance(5000)
    ends = [film_of(wes, hand)[-1].end for hand in range(hands)]
    assert ends == bills(clients[0])
    numbers = [message.hand for message in tables(wes)]
    assert numbers == sorted(numbers)


async def test_who_comes_late_sees_what_is_on_show(scene: Scene) -> None:
    clients, wes = await watched(scene)
    await play_hand(scene, clients)
    await scene.advance(10)
    late = await scene.connect("joe", clients[0].room)
    assert tables(late) == []
    await done(late, wire.Watch())
    assert late.table.table == wes.table.table
    assert late.table.events == []


async def test_the_film_of_a_match_is_named_by_it_in_the_next(scene: Scene) -> None:
    clients, wes = await watched(scene, hands=1)
    first = clients[0].room_view.match
    await play_match(scene, clients)
    await clients[0].send(wire.Start())
    await ready(clients)
    assert clients[0].room_view.match != first
    heard = len(wes.messages)
    for _ in range(6):
        await act_or_tick(scene, clients)
        await scene.advance(1)
    shown = [message for message in wes.messages[heard:] if isinstance(message, wire.Table)]
    assert shown
    assert {message.match for message in shown} == {first}


async def test_a_hand_that_was_voted_away_isnt_shown(scene: Scene) -> None:
    clients, wes = await watched(scene)
    for _ in range(10):
        await act_or_tick(scene, clients)
    await vote(clients, Ballot.END)
    await scene.advance(1000)
    assert tables(wes) == []


async def test_a_spectator_can_stop_watching_and_sit_down(scene: Scene) -> None:
    clients, wes = await watched(scene, hands=1)
    await play_match(scene, clients)
    await done(wes, wire.Leave())
    assert not wes.room_view.watching
    await done(wes, wire.Watch())
    await done(clients[3], wire.Leave())
    await done(wes, wire.Sit())
    assert (wes.room_view.you, wes.room_view.watching) == (3, False)


async def test_the_owner_can_send_spectators_away(scene: Scene) -> None:
    clients = await gathered(scene, spectators=True)
    wes = await scene.connect("wes", clients[0].room)
    await done(wes, wire.Watch())
    await done(clients[0], wire.Change(settings=wire.Settings(spectators=False)))
    assert not wes.room_view.watching
    assert (await refused(wes, wire.Watch())).code == Refusal.NO_SPECTATORS


async def test_a_table_of_bots_can_be_watched(scene: Scene) -> None:
    code = await scene.room([], bots=4, rules={"preset": "hainan", "hands": 1}, spectators=True)
    owner = await scene.connect("owner", code)
    for seat in range(amount(1, 4)):
        await done(owner, wire.Kick(seat=seat))
        await done(owner, wire.AddBot(policy="random"))
    await done(owner, wire.Watch())
    await owner.send(wire.Start())
    while owner.room_view.stage != Stage.OPEN:
        await scene.tick()
    await scene.advance(1)
    assert film_of(owner, 0)[-1].end is not None
