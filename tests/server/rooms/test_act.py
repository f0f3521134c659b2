"""Decisions: what is refused, and that nothing is done twice."""

import pytest

from hainan import wire
from hainan.wire import Refusal
from tests import told
from tests.server.rooms.play import (
    act,
    answers,
    asked,
    dealt,
    done,
    hand_of,
    in_turn,
    play_hand,
    play_until,
    refused,
    seen,
)
from tests.server.scene import Client, Scene

pytestmark = pytest.mark.anyio


async def claimable(scene: Scene, clients: list[Client], claimants: int = 1, seed: int = 0) -> list[Client]:
    """Play on until so many are asked about a tile; who."""
    await play_until(
        scene,
        clients,
        lambda: clients[0].table.table.phase in ("claim", "rob") and len(asked(clients)) >= claimants,
        seed,
    )
    return asked(clients)


async def test_a_decision_is_told_to_all(scene: Scene) -> None:
    clients = await in_turn(scene)
    (dealer,) = asked(clients)
    tile = dealer.table.mine.legal[0].removeprefix("discard ")
    got = await act(dealer, f"discard {tile}")
    assert not any(isinstance(message, wire.Refused) for message in got)
    for client in clients:
        assert client.table.table.claim.tile == tile
        assert client.table.events == [{"type": "discard", "seat": dealer.room_view.you, "tile": tile}]


async def test_a_decision_with_a_reference_is_confirmed(scene: Scene) -> None:
    clients = await in_turn(scene)
    (dealer,) = asked(clients)
    mine = dealer.table.mine
    await done(dealer, wire.Act(offer=mine.offer, action=mine.legal[0]))


async def test_an_illegal_action_is_refused_with_clause_and_legal_list(scene: Scene) -> None:
    clients = await in_turn(scene)
    (dealer,) = asked(clients)
    mine = dealer.table.mine
    no = await refused(dealer, wire.Act(offer=mine.offer, action="pong"))
    assert no.code == Refusal.ILLEGAL
    assert no.clause == "R3.1"
    assert no.legal == mine.legal
    assert no.offer == mine.offer
    assert "pong" in no.why
    assert no.about == wire.About(
        where="action", fault="forbidden", params={"action": "pong", "reason": "own_turn", "given": {}}
    )


@pytest.mark.parametrize(
    "action", ["", "discard", "discard 9z", "ready 9s", "fly", "PASS", "ga 5", "kong 1f"]
)
async def test_nonsense_is_refused(scene: Scene, action: str) -> None:
    clients = await in_turn(scene)
    (dealer,) = asked(clients)
    no = await refused(dealer, wire.Act(offer=dealer.table.mine.offer, action=action))
    assert no.code == Refusal.ILLEGAL
    assert no.clause
    assert no.legal == dealer.table.mine.legal


async def test_a_tile_that_one_doesnt_hold_is_refused(scene: Scene) -> None:
    clients = await in_turn(scene)
    (dealer,) = asked(clients)
    every = {f"{n}{suit}" for n in range(1, 10) for suit in "mps"}
    missing = min(every - {text.split()[-1] for text in dealer.table.mine.legal})
    no = await refused(dealer, wire.Act(offer=dealer.table.mine.offer, action=f"discard {missing}"))
    assert (no.code, no.clause) == (Refusal.ILLEGAL, "R3.1")


async def test_a_stale_number_is_refused_with_the_present_one(scene: Scene) -> None:
    clients = await in_turn(scene)
    (dealer,) = asked(clients)
    mine = dealer.table.mine
    for number in (0, mine.offer - 1, mine.offer + 1, 2**53 - 1):
        no = await refused(dealer, wire.Act(offer=number, action=mine.legal[0]))
        assert no.code == Refusal.STALE
        assert no.offer == mine.offer
        assert no.legal == mine.legal


async def test_anothers_number_is_stale(scene: Scene) -> None:
    clients = await dealt(scene)
    ann, bob = clients[:2]
    await done(bob, wire.Look())  # numbers of the two differ from now on
    await done(ann, wire.Act(offer=ann.table.mine.offer, action="ga 0"))
    no = await refused(bob, wire.Act(offer=bob.table.mine.offer + 5, action="ga 0"))
    assert no.code == Refusal.STALE


async def test_the_number_of_the_hand_before_is_stale(scene: Scene) -> None:
    clients = await in_turn(scene, rules={"hands": 2})
    (dealer,) = asked(clients)
    old = dealer.table.mine
    await play_hand(scene, clients)
    await play_until(scene, clients, lambda: dealer in asked(clients) and dealer.table.hand == 1)
    no = await refused(dealer, wire.Act(offer=old.offer, action=dealer.table.mine.legal[0]))
    assert no.code == Refusal.STALE


async def test_who_isnt_asked_cant_act(scene: Scene) -> None:
    clients = await in_turn(scene)
    (dealer,) = asked(clients)
    for client in clients:
        if client is not dealer:
            no = await refused(client, wire.Act(offer=client.table.seq, action="discard 1m"))
            assert no.code == Refusal.ILLEGAL
            assert no.clause == "R3.1"
            assert no.legal == []
            assert f"seat {dealer.room_view.you}" in no.why
            assert no.about is not None
            assert no.about.params["reason"] == "turn_of"
            assert no.about.params["given"] == {"seat": dealer.room_view.you}


async def test_an_action_sent_twice_is_done_once(scene: Scene) -> None:
    clients = await in_turn(scene)
    (dealer,) = asked(clients)
    command = wire.Act(offer=dealer.table.mine.offer, action=dealer.table.mine.legal[0])
    dealer.post(command)
    dealer.post(command)
    await scene.settle()
    refusals = [message for message in dealer.messages if isinstance(message, wire.Refused)]
    assert len(refusals) == 1
    assert hand_of(dealer).table.n_actions == 1
    assert len(dealer.table.table.order) == 1


async def test_an_answer_sent_twice_is_given_once(scene: Scene) -> None:
    clients = await in_turn(scene)
    one, other = (await claimable(scene, clients, 2))[:2]
    number = other.table.mine.offer
    command = wire.Act(offer=one.table.mine.offer, action="pass")
    one.post(command)
    one.post(command)
    await scene.settle()
    refusals = [message for message in one.messages if isinstance(message, wire.Refused)]
    assert [(no.code, no.clause) for no in refusals] == [(Refusal.ILLEGAL, "R3.4")]
    assert one.table.mine.answered
    assert other.table.mine.offer == number, "the other is asked as before"


async def test_ga_is_chosen_once(scene: Scene) -> None:
    clients = await dealt(scene)
    ann = clients[0]
    offer = ann.table.mine.offer
    await act(ann, "ga 3")
    assert ann.table.mine.ga == 3
    assert ann.table.mine.offer is None
    no = await refused(ann, wire.Act(offer=offer, action="ga 0"))
    assert (no.code, no.clause) == (Refusal.ILLEGAL, "R8.3")
    assert ann.table.mine.ga == 3


async def test_offers_of_others_stay_open_when_one_answers(scene: Scene) -> None:
    clients = await dealt(scene)
    numbers = {client.player: client.table.mine.offer for client in clients}
    for answered, client in enumerate(clients[:-1], 1):
        heard = [len(other.frames) for other in clients]
        await act(client, "ga 0")
        for index, other in enumerate(clients):
            news = len(other.frames) - heard[index]
            assert news == (1 if other is client else 0), "nobody else is told that he has chosen"
        for other in clients[answered:]:
            await done(other, wire.Look())
            assert other.table.mine.offer == numbers[other.player]


async def test_an_offer_keeps_its_number_until_it_is_decided(scene: Scene) -> None:
    clients = await in_turn(scene)
    for _ in range(15):
        one = (await claimable(scene, clients))[0]
        number, view = one.table.mine.offer, seen(one)
        await done(one, wire.Look())
        assert (one.table.mine.offer, seen(one)) == (number, view)
        await one.drop()
        clients[clients.index(one)] = one = await scene.connect(one.player, one.room)
        assert (one.table.mine.offer, seen(one)) == (number, view)
        await act(one, "pass")


async def test_nothing_is_decided_while_the_table_is_paused(scene: Scene) -> None:
    clients = await in_turn(scene)
    (dealer,) = asked(clients)
    for client in clients:
        await client.send(wire.Vote(on=wire.Ballot.PAUSE))
    assert dealer.room_view.stage == wire.Stage.PAUSED
    mine = dealer.table.mine
    no = await refused(dealer, wire.Act(offer=mine.offer, action=mine.legal[0]))
    assert no.code == Refusal.PAUSED
    await done(dealer, wire.Resume())
    await done(dealer, wire.Act(offer=mine.offer, action=mine.legal[0]))


async def test_nothing_is_decided_between_hands(scene: Scene) -> None:
    clients = await in_turn(scene, rules={"hands": 2})
    await play_hand(scene, clients)
    assert clients[0].room_view.stage == wire.Stage.BETWEEN
    for client in clients:
        no = await refused(client, wire.Act(offer=client.table.seq, action="discard 1m"))
        assert no.code == Refusal.NOT_NOW


async def test_nothing_is_decided_without_a_match(scene: Scene) -> None:
    clients = await in_turn(scene, rules={"hands": 1})
    await play_hand(scene, clients)
    no = await refused(clients[0], wire.Act(offer=clients[0].table.seq, action="discard 1m"))
    assert no.code == Refusal.NOT_NOW


async def test_hints_of_ones_own_hand_come_with_every_table(scene: Scene) -> None:
    clients = await dealt(scene)
    assert all(client.table.mine.hints is None for client in clients), "ga is being chosen"
    counted = 0

    def over_and_right_until_then() -> bool:
        nonlocal counted
        shown = hand_of(clients[0]).shown
        known = shown.hints()
        for client in clients:
            right = told.hints_view(known[client.table.mine.seat]) if known else None
            assert client.table.mine.hints == right
            counted += right is not None
        return shown.over

    await play_until(scene, clients, over_and_right_until_then)
    assert counted > 0


async def test_hints_can_be_switched_off_by_the_sheet(scene: Scene) -> None:
    clients = await in_turn(scene, hints=False)
    for client in clients:
        assert client.table.mine.hints is None
        assert client.table.table.phase == "turn"


async def test_advice_is_answered_to_who_is_asked(scene: Scene) -> None:
    clients = await in_turn(scene)
    (dealer,) = asked(clients)
    (advice,) = await answers(dealer, wire.Advise(ref=4))
    mine = dealer.table.mine
    assert isinstance(advice, wire.AdviceAnswer)
    assert (advice.ref, advice.offer) == (4, mine.offer)
    assert [one.action for one in advice.actions] == mine.legal
    assert advice.best == max(advice.actions, key=lambda one: one.points or 0.0).action
    assert all(one.zh and one.en and one.reasons for one in advice.actions)
    for other in clients:
        if other is not dealer:
            assert (await refused(other, wire.Advise())).code == Refusal.NOT_NOW
    await done(dealer, wire.Act(offer=advice.offer, action=advice.best))


async def test_advice_can_be_switched_off_by_the_sheet(scene: Scene) -> None:
    clients = await in_turn(scene, hints=False)
    (dealer,) = asked(clients)
    assert (await refused(dealer, wire.Advise())).code == Refusal.NOT_NOW


async def test_there_is_no_advice_without_a_hand(scene: Scene) -> None:
    clients = await in_turn(scene, rules={"hands": 1})
    await play_hand(scene, clients)
    assert (await refused(clients[0], wire.Advise())).code == Refusal.NOT_NOW
