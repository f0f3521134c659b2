"""Quick phrases and mutes."""

import pytest

from hainan import wire
from hainan.wire import Refusal
from tests.server.rooms.play import done, gathered, in_turn, refused
from tests.server.scene import Client, Scene

pytestmark = pytest.mark.anyio


def said(client: Client) -> list[tuple[int, str]]:
    return [(word.seat, word.phrase) for word in client.messages if isinstance(word, wire.Said)]


async def test_phrases_are_heard_by_all(scene: Scene) -> None:
    clients = await gathered(scene)
    for phrase in wire.PHRASES:
        await done(clients[1], wire.Say(phrase=phrase))
        await scene.advance(3)
    assert [said(client) for client in clients] == [[(1, phrase) for phrase in wire.PHRASES]] * 4


async def test_an_unknown_phrase_is_refused(scene: Scene) -> None:
    clients = await gathered(scene)
    assert (await refused(clients[1], wire.Say(phrase="<b>"))).code == Refusal.BAD_MESSAGE


async def test_three_phrases_in_six_seconds_are_enough(scene: Scene) -> None:
    clients = await gathered(scene)
    for _ in range(3):
        await done(clients[0], wire.Say(phrase="hello"))
    assert (await refused(clients[0], wire.Say(phrase="hello"))).code == Refusal.TOO_FAST
    await done(clients[1], wire.Say(phrase="hello"))
    await scene.advance(5.9)
    assert (await refused(clients[0], wire.Say(phrase="hello"))).code == Refusal.TOO_FAST
    await scene.advance(0.2)
    await done(clients[0], wire.Say(phrase="hello"))
    assert len(said(clients[3])) == 5


async def test_coming_back_doesnt_reset_the_limit(scene: Scene) -> None:
    clients = await gathered(scene)
    for _ in range(3):
        await done(clients[0], wire.Say(phrase="hello"))
    await clients[0].drop()
    again = await scene.connect("ann", clients[0].room)
    assert (await refused(again, wire.Say(phrase="hello"))).code == Refusal.TOO_FAST


async def test_who_is_muted_isnt_heard(scene: Scene) -> None:
    clients = await gathered(scene)
    await done(clients[0], wire.Mute(seat=2))
    assert clients[0].room_view.muted == [2]
    assert clients[1].room_view.muted == []
    await done(clients[2], wire.Say(phrase="hurry"))
    assert said(clients[0]) == []
    assert said(clients[1]) == said(clients[2]) == [(2, "hurry")]
    await done(clients[0], wire.Mute(seat=2, on=False))
    assert clients[0].room_view.muted == []
    await done(clients[2], wire.Say(phrase="sorry"))
    assert said(clients[0]) == [(2, "sorry")]


async def test_a_mute_lasts_over_a_lost_connection(scene: Scene) -> None:
    clients = await gathered(scene)
    await done(clients[0], wire.Mute(seat=2))
    await clients[0].drop()
    again = await scene.connect("ann", clients[0].room)
    assert again.room_view.muted == [2]


async def test_phrases_go_on_during_a_hand_and_leave_it_alone(scene: Scene) -> None:
    clients = await in_turn(scene)
    before = [client.table for client in clients]
    await done(clients[3], wire.Say(phrase="think"))
    assert said(clients[0]) == [(3, "think")]
    assert [client.table for client in clients] == before


async def test_spectators_hear_phrases_and_can_mute(scene: Scene) -> None:
    clients = await in_turn(scene, spectators=True)
    wes = await scene.connect("wes", clients[0].room)
    await done(wes, wire.Watch())
    await done(clients[0], wire.Say(phrase="hello"))
    await done(wes, wire.Mute(seat=0))
    await done(clients[0], wire.Say(phrase="again"))
    assert said(wes) == [(0, "hello")]
