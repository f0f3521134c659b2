"""A player who deletes his data is gone from his rooms too, by HTTP and through the exchange."""

from hainan import wire
from hainan.server.exchange import NOBODY, Envelope, Gone
from hainan.wire import Stage
from tests.server.scene import Scene, begin, run

NAMES = ["ann", "bob", "cyd"]


async def delete(scene: Scene, room: str, player: str) -> None:
    assert await scene.store.rooms_with(player) == [room]
    scene.exchange.post(Envelope(room, NOBODY, player, "", Gone()))
    await scene.settle()
    assert await scene.store.rooms_with(player) == [], "his id stands nowhere any more"


def test_before_a_match_his_seat_is_free(sqlite_url: str) -> None:
    async def scenario(scene: Scene) -> None:
        room = await scene.room(NAMES)
        bob = await scene.connect("bob", room)
        ann = await scene.connect("ann", room)
        await delete(scene, room, "ann")
        chair = bob.room_view.chairs[0]
        assert (chair.player, chair.name) == (None, None)
        assert bob.room_view.owner == "bob", "the room goes to the next"
        assert ann.closed == (wire.Refusal.NOT_SIGNED_IN, "this player has been deleted")

    run(scenario, sqlite_url)


def test_during_a_match_a_bot_without_a_name_plays_on(sqlite_url: str) -> None:
    async def scenario(scene: Scene) -> None:
        room = await scene.room(NAMES, rules={"preset": "hainan", "hands": 1})
        _, bob, cyd = await begin(scene, room, NAMES)
        await delete(scene, room, "ann")
        chair = bob.room_view.chairs[0]
        assert (chair.player, chair.name, chair.bot) == (None, "normal", "normal")
        for client in (bob, cyd):
            await client.send(wire.Auto(on=True))
        await scene.advance(600)
        assert bob.room_view.stage == Stage.OPEN, "the match was played to its end"

    run(scenario, sqlite_url)


def test_who_has_left_decides_nothing_until_he_is_back(sqlite_url: str) -> None:
    async def scenario(scene: Scene) -> None:
        room = await scene.room(NAMES, rules={"preset": "hainan", "hands": 1})
        ann, _, _ = await begin(scene, room, NAMES)
        offer = ann.table.mine.offer
        await ann.send(wire.Leave())
        for command in (wire.Act(offer=offer, action="ga 0"), wire.Vote(on=wire.Ballot.END)):
            await ann.send(command)
            assert ann.last(wire.Refused).code == wire.Refusal.NOT_SEATED
        await ann.send(wire.Sit())
        await ann.send(wire.Act(offer=ann.table.mine.offer, action="ga 0"))
        assert ann.table.mine.ga == 0

    run(scenario, sqlite_url)
