"""Votes: to pause, for more time, to end the match."""

from typing import Any

import pytest

from hainan import wire
from hainan.server.exchange import NOBODY, Envelope, Gone
from hainan.server.store import StorageError
from hainan.wire import Ballot, Notice, Refusal, Stage
from tests.conftest import amount
from tests.server.rooms.play import (
    asked,
    dealt,
    done,
    gathered,
    hand_of,
    in_turn,
    play_hand,
    play_match,
    play_until,
    ready,
    refused,
    stored_match,
    vote,
)
from tests.server.scene import Client, Scene

pytestmark = [pytest.mark.anyio, pytest.mark.usefixtures("short_hands")]


def open_votes(client: Client) -> dict[str, tuple[list[int], list[int], int]]:
    return {vote.on.value: (vote.yes, vote.no, vote.needed) for vote in client.room_view.votes}


async def no(client: Client, ballot: Ballot) -> None:
    await done(client, wire.Vote(on=ballot, yes=False))


async def test_a_wish_is_told_to_all(scene: Scene) -> None:
    clients = await in_turn(scene)
    await done(clients[1], wire.Vote(on=Ballot.PAUSE))
    for client in clients:
        assert open_votes(client) == {"pause": ([1], [], 3)}


async def test_more_than_half_pause(scene: Scene) -> None:
    clients = await in_turn(scene)
    await vote(clients[:2], Ballot.PAUSE)
    assert clients[0].room_view.stage == Stage.PLAYING
    await vote(clients[2:3], Ballot.PAUSE)
    assert clients[0].room_view.stage == Stage.PAUSED
    assert open_votes(clients[0]) == {}


async def test_two_of_three_are_more_than_half(scene: Scene) -> None:
    clients = await in_turn(scene, ["ann", "bob", "cyd"], rules={"preset": "hainan"})
    await vote(clients[:2], Ballot.PAUSE)
    assert clients[0].room_view.stage == Stage.PAUSED


async def test_who_plays_with_bots_decides_alone(scene: Scene) -> None:
    clients = await in_turn(scene, ["ann"], bots=3)
    await vote(clients, Ballot.PAUSE)
    assert clients[0].room_view.stage == Stage.PAUSED


async def test_who_is_away_isnt_asked(scene: Scene) -> None:
    clients = await in_turn(scene)
    await clients[3].drop()
    await done(clients[2], wire.Auto(on=True))
    await done(clients[0], wire.Vote(on=Ballot.END))
    assert open_votes(clients[0]) == {"end": ([0], [], 2)}
    await done(clients[1], wire.Vote(on=Ballot.END))
    assert clients[0].room_view.stage == Stage.OPEN


async def test_a_wish_that_can_no_longer_come_true_is_dropped(scene: Scene) -> None:
    clients = await in_turn(scene)
    await done(clients[0], wire.Vote(on=Ballot.PAUSE))
    await no(clients[1], Ballot.PAUSE)
    assert open_votes(clients[0]) == {"pause": ([0], [1], 3)}
    await no(clients[2], Ballot.PAUSE)
    assert open_votes(clients[0]) == {}
    assert clients[0].room_view.stage == Stage.PLAYING


async def test_one_no_keeps_the_match_going(scene: Scene) -> None:
    clients = await in_turn(scene)
    await done(clients[0], wire.Vote(on=Ballot.END))
    await no(clients[1], Ballot.END)
    assert open_votes(clients[0]) == {}
    assert clients[0].room_view.stage == Stage.PLAYING


async def test_a_mind_can_be_changed(scene: Scene) -> None:
    clients = await in_turn(scene)
    await done(clients[0], wire.Vote(on=Ballot.PAUSE))
    await no(clients[1], Ballot.PAUSE)
    await done(clients[1], wire.Vote(on=Ballot.PAUSE))
    assert open_votes(clients[0]) == {"pause": ([0, 1], [], 3)}


async def test_nobody_can_say_no_to_what_wasnt_asked(scene: Scene) -> None:
    clients = await in_turn(scene)
    assert (await refused(clients[0], wire.Vote(on=Ballot.END, yes=False))).code == Refusal.NOT_NOW


async def test_a_wish_lasts_half_a_minute(scene: Scene) -> None:
    clients = await in_turn(scene, turn_seconds=100)
    await done(clients[0], wire.Vote(on=Ballot.END))
    await scene.advance(29)
    assert "end" in open_votes(clients[1])
    await scene.advance(2)
    assert open_votes(clients[1]) == {}
    await vote(clients[1:], Ballot.END)
    assert clients[0].room_view.stage == Stage.PLAYING, "the old yes doesn't count"


async def test_several_things_can_be_voted_on_at_once(scene: Scene) -> None:
    clients = await in_turn(scene)
    for ballot in Ballot:
        await done(clients[0], wire.Vote(on=ballot))
    assert set(open_votes(clients[2])) == {"pause", "more_time", "end"}


@pytest.mark.parametrize("ballot", Ballot)
async def test_without_a_match_there_is_nothing_to_vote_on(scene: Scene, ballot: Ballot) -> None:
    clients = await gathered(scene)
    assert (await refused(clients[0], wire.Vote(on=ballot))).code == Refusal.NOT_NOW


async def test_a_pause_needs_a_hand(scene: Scene) -> None:
    clients = await gathered(scene)
    await clients[0].send(wire.Start())
    assert (await refused(clients[0], wire.Vote(on=Ballot.PAUSE))).code == Refusal.NOT_NOW


async def test_a_paused_table_isnt_paused_again(scene: Scene) -> None:
    clients = await in_turn(scene)
    await vote(clients[:3], Ballot.PAUSE)
    assert (await refused(clients[3], wire.Vote(on=Ballot.PAUSE))).code == Refusal.PAUSED


async def test_who_has_left_has_no_vote(scene: Scene) -> None:
    clients = await in_turn(scene)
    await done(clients[1], wire.Leave())
    assert (await refused(clients[1], wire.Vote(on=Ballot.END))).code == Refusal.NOT_SEATED


# ---------------------------------------------------------------- voters go


async def goes(client: Client, owner: Client, how: str) -> None:
    """A player gives up his seat, or loses it."""
    if how == "leave":
        await done(client, wire.Leave())
    elif how == "kick":
        await done(owner, wire.Kick(seat=client.room_view.you))
    else:
        client.scene.exchange.post(Envelope(client.room, NOBODY, client.player, "", Gone()))
        await client.scene.settle()


@pytest.mark.parametrize("how", ["leave", "kick", "delete"])
async def test_who_goes_is_waited_for_no_more(scene: Scene, how: str) -> None:
    clients = await in_turn(scene)
    await vote(clients[:3], Ballot.END)
    assert open_votes(clients[0]) == {"end": ([0, 1, 2], [], 4)}
    await goes(clients[3], clients[0], how)
    assert clients[0].room_view.stage == Stage.OPEN
    assert clients[0].last(wire.Told).notice == Notice.ENDED_BY_VOTE
    assert clients[0].room_view.chairs[3].player is None
    assert (await stored_match(clients[0])).how == "vote"


@pytest.mark.parametrize("how", ["leave", "kick", "delete"])
async def test_a_vote_goes_with_its_voter(scene: Scene, how: str) -> None:
    clients = await in_turn(scene)
    await vote(clients[1:3], Ballot.PAUSE)
    await goes(clients[1], clients[0], how)
    assert open_votes(clients[0]) == {"pause": ([2], [], 2)}
    await vote(clients[3:], Ballot.PAUSE)
    assert clients[0].room_view.stage == Stage.PAUSED


@pytest.mark.parametrize("how", ["leave", "kick", "delete"])
async def test_a_wish_lapses_when_nobody_who_voted_is_left(scene: Scene, how: str) -> None:
    clients = await in_turn(scene)
    await vote(clients[1:2], Ballot.PAUSE)
    await vote(clients[1:2], Ballot.END)
    await goes(clients[1], clients[0], how)
    assert open_votes(clients[0]) == {}
    assert (await refused(clients[0], wire.Vote(on=Ballot.END, yes=False))).code == Refusal.NOT_NOW


async def test_a_wish_that_can_no_longer_come_true_goes_with_the_voter(scene: Scene) -> None:
    clients = await in_turn(scene)
    await vote(clients[:1], Ballot.MORE_TIME)
    await no(clients[1], Ballot.MORE_TIME)
    assert "more_time" in open_votes(clients[0])
    await done(clients[2], wire.Leave())
    assert open_votes(clients[0]) == {"more_time": ([0], [1], 2)}
    await done(clients[0], wire.Leave())
    assert open_votes(clients[1]) == {}, "of the two who are left both would have to agree"


async def test_the_vote_of_who_has_left_isnt_his_successors(scene: Scene) -> None:
    clients = await in_turn(scene)
    await vote(clients[:2], Ballot.END)
    await done(clients[1], wire.Leave())
    await done(clients[1], wire.Sit())
    assert open_votes(clients[0]) == {"end": ([0], [], 4)}


async def test_a_pause_between_two_hands_only_lapses(scene: Scene) -> None:
    clients = await in_turn(scene, rules={"hands": 2}, turn_seconds=3, claim_seconds=3, bank_seconds=0)
    room = clients[0].scene.host.rooms[clients[0].room]
    await play_hand(scene, clients)
    room._votes[Ballot.PAUSE] = {0: True, 1: True}  # what was open when the hand ended
    await done(clients[3], wire.Leave())
    assert open_votes(clients[0]) == {}
    assert clients[0].room_view.stage == Stage.BETWEEN


async def test_who_leaves_has_left_though_the_rest_cant_be_stored(scene: Scene) -> None:
    clients = await in_turn(scene)
    await vote(clients[:3], Ballot.END)
    commit, calls = scene.store.commit, 0

    async def failing(*writes: Any) -> None:
        nonlocal calls
        calls += 1
        if calls == 2:
            raise StorageError("broken for a test")
        await commit(*writes)

    scene.store.commit = failing
    await done(clients[3], wire.Leave())
    assert calls == 2
    assert clients[0].room_view.chairs[3].bot == "normal"
    assert clients[0].room_view.stage == Stage.PLAYING
    await scene.advance(1.5)
    assert clients[0].room_view.stage == Stage.OPEN, "it was tried again"


# ---------------------------------------------------------------- the end by vote


async def test_a_match_ended_by_vote_keeps_its_totals_and_voids_the_hand(scene: Scene) -> None:
    clients = await dealt(scene, ["ann"], bots=3, rules={"preset": "hainan", "hands": 40})
    least = amount(30, 1)  # uncompiled hands are too short to be won
    await play_until(
        scene, clients, lambda: any(clients[0].room_view.totals) or clients[0].room_view.hand == least
    )
    await ready(clients)
    totals, hand = clients[0].room_view.totals, clients[0].room_view.hand
    await play_until(scene, clients, lambda: len(clients[0].table.table.order) > 3)
    await vote(clients, Ballot.END)
    for client in clients:
        assert client.last(wire.Told).notice == Notice.ENDED_BY_VOTE
        assert client.last(wire.Told).totals == totals
        assert client.room_view.stage == Stage.OPEN
        assert client.room_view.totals == totals
    match = await stored_match(clients[0])
    assert (match.how, match.totals) == ("vote", totals)
    record = await scene.store.record(match.id, hand)
    assert record["void"]
    assert record["end"] is None
    assert await scene.store.unfinished() == []


@pytest.mark.parametrize("stage", ["between", "paused"])
async def test_a_match_can_be_ended_at_any_stage(scene: Scene, stage: str) -> None:
    clients = await in_turn(scene, rules={"hands": 2})
    if stage == "paused":
        await vote(clients[:3], Ballot.PAUSE)
    else:
        await play_hand(scene, clients)
    assert clients[0].room_view.stage == stage
    totals = clients[0].room_view.totals
    await vote(clients, Ballot.END)
    assert clients[0].room_view.stage == Stage.OPEN
    assert (await stored_match(clients[0])).totals == totals
    await scene.advance(2000)
    assert clients[0].room_view.stage == Stage.OPEN


async def test_a_match_ended_while_a_tile_lies_there_stays_ended(scene: Scene) -> None:
    clients = await in_turn(scene, rules={"hands": 2})
    (dealer,) = asked(clients)
    for client in clients[:3]:
        await client.send(wire.Vote(on=Ballot.END))
    mine = dealer.table.mine
    await dealer.send(wire.Act(offer=mine.offer, action=mine.legal[0]))
    await clients[3].send(wire.Vote(on=Ballot.END))
    heard = [len(client.frames) for client in clients]
    await scene.advance(100)
    assert [len(client.frames) for client in clients] == heard
    assert clients[0].room_view.stage == Stage.OPEN


async def test_what_was_voted_on_ends_with_the_match(scene: Scene) -> None:
    clients = await in_turn(scene, rules={"hands": 1})
    await done(clients[0], wire.Vote(on=Ballot.MORE_TIME))
    await done(clients[1], wire.Vote(on=Ballot.END))
    await play_match(scene, clients)
    assert open_votes(clients[0]) == {}
    await clients[0].send(wire.Start())
    await ready(clients)
    await vote(clients[:1] + clients[2:], Ballot.END)
    assert clients[0].room_view.stage != Stage.OPEN


async def test_a_new_match_can_follow_one_ended_by_vote(scene: Scene) -> None:
    clients = await in_turn(scene, rules={"hands": 1})
    await vote(clients, Ballot.END)
    await done(clients[0], wire.Start())
    await ready(clients)
    assert hand_of(clients[0]).n == 0
    await play_match(scene, clients)
    assert (await stored_match(clients[0])).how == "length"
