"""What the owner of a room may do, and nobody else."""

import pytest

from hainan import wire
from hainan.wire import Refusal, Stage
from tests.conftest import amount
from tests.server.rooms.play import asked, dealt, done, gathered, in_turn, play_match, refused, sit_out
from tests.server.scene import Scene

pytestmark = [pytest.mark.anyio, pytest.mark.usefixtures("short_hands")]

SHEET = wire.Settings(rules={"preset": "lingao"}, turn_seconds=30)
OF_THE_OWNER = [
    wire.AddBot(),
    wire.Kick(seat=0),
    wire.HandOver(seat=1),
    wire.Change(settings=SHEET),
    wire.Start(),
]


@pytest.mark.parametrize("command", OF_THE_OWNER, ids=lambda command: type(command).__name__)
async def test_only_the_owner_may(scene: Scene, command) -> None:
    ann, bob, *_ = await gathered(scene)
    assert (await refused(bob, command)).code == Refusal.NOT_OWNER
    eve = await scene.connect("eve", ann.room)
    assert (await refused(eve, command)).code == Refusal.NOT_OWNER


# ---------------------------------------------------------------- owners


async def test_the_owner_hands_over(scene: Scene) -> None:
    ann, _bob, cyd, _dee = await gathered(scene)
    await done(ann, wire.HandOver(seat=2))
    assert ann.room_view.owner == "cyd"
    assert (await refused(ann, wire.Start())).code == Refusal.NOT_OWNER
    await done(cyd, wire.Start())


@pytest.mark.parametrize("seat", [2, 3])
async def test_nobody_and_bots_cant_own_a_room(scene: Scene, seat: int) -> None:
    ann, *_ = await gathered(scene, ["ann", "bob", "cyd"], bots=1)
    await done(ann, wire.Kick(seat=2))
    assert (await refused(ann, wire.HandOver(seat=seat))).code == Refusal.NO_SUCH_PLAYER


async def test_a_seat_that_isnt_there_cant_own_a_room(scene: Scene) -> None:
    ann, *_ = await gathered(scene, ["ann", "bob", "cyd"])
    assert (await refused(ann, wire.HandOver(seat=3))).code == Refusal.NO_SUCH_PLAYER


@pytest.mark.parametrize("begun", [False, True])
async def test_the_room_goes_to_somebody_present_when_its_owner_leaves(scene: Scene, begun: bool) -> None:
    ann, bob, cyd, _ = await (dealt if begun else gathered)(scene)
    await bob.drop()
    await done(ann, wire.Leave())
    assert cyd.room_view.owner == "cyd"


async def test_the_room_goes_to_somebody_absent_where_nobody_else_is_left(scene: Scene) -> None:
    ann, bob = await gathered(scene, ["ann", "bob"], bots=2)
    await bob.drop()
    await done(ann, wire.Leave())
    assert ann.room_view.owner == "bob"


async def test_a_room_that_all_have_left_belongs_to_the_next_who_sits_down(scene: Scene) -> None:
    (ann,) = await gathered(scene, ["ann"], bots=3)
    await done(ann, wire.Leave())
    assert ann.room_view.owner is None
    eve = await scene.connect("eve", ann.room)
    await done(eve, wire.Sit())
    assert eve.room_view.owner == "eve"


# ---------------------------------------------------------------- bots and kicks


async def test_bots_are_put_on_free_seats(scene: Scene) -> None:
    ann, bob, cyd, dee = await gathered(scene)
    await done(bob, wire.Leave())
    await done(dee, wire.Leave())
    await done(ann, wire.AddBot(seat=3, policy="random"))
    await done(ann, wire.AddBot())
    assert [chair.bot for chair in cyd.room_view.chairs] == [None, "normal", None, "random"]
    assert (await refused(ann, wire.AddBot())).code == Refusal.SEAT_TAKEN


async def test_an_unknown_policy_is_refused_with_the_known_ones(scene: Scene) -> None:
    ann, bob, *_ = await gathered(scene)
    await done(bob, wire.Leave())
    no = await refused(ann, wire.AddBot(policy="genius"))
    assert no.code == Refusal.BAD_MESSAGE
    assert "greedy" in no.why


async def test_a_taken_seat_takes_no_bot(scene: Scene) -> None:
    ann, bob, *_ = await gathered(scene)
    await done(bob, wire.Leave())
    assert (await refused(ann, wire.AddBot(seat=2))).code == Refusal.SEAT_TAKEN


async def test_bots_come_and_go_before_a_match_only(scene: Scene) -> None:
    ann, *_ = await gathered(scene, ["ann", "bob", "cyd"], bots=1)
    await done(ann, wire.Kick(seat=3))
    assert ann.room_view.chairs[3].bot is None
    await done(ann, wire.AddBot())
    await done(ann, wire.Start())
    assert (await refused(ann, wire.Kick(seat=3))).code == Refusal.LOCKED
    assert (await refused(ann, wire.AddBot())).code == Refusal.LOCKED


async def test_who_was_kicked_cant_come_back(scene: Scene) -> None:
    ann, bob, *_ = await gathered(scene)
    await done(ann, wire.Kick(seat=1))
    assert bob.closed is not None
    assert bob.closed[0] == Refusal.KICKED
    assert ann.room_view.chairs[1].player is None
    again = await scene.connect("bob", ann.room)
    assert again.closed is not None
    assert again.closed[0] == Refusal.KICKED
    assert again.frames == []


async def test_a_stand_in_plays_for_who_was_kicked(scene: Scene) -> None:
    clients = await in_turn(scene, rules={"hands": 1})
    ann = clients[0]
    victim = next(client for client in clients[1:] if client not in asked(clients))
    seat = victim.room_view.you
    await done(ann, wire.Kick(seat=seat))
    heard = len(victim.frames)
    assert ann.room_view.chairs[seat].bot == "normal"
    assert ann.room_view.chairs[seat].player is None
    await play_match(scene, [client for client in clients if client is not victim])
    assert len(victim.frames) == heard, "nothing more is told to him"
    assert ann.room_view.chairs[seat].bot is None, "after the match the seat is free"


async def test_the_owner_cant_kick_himself_or_nobody(scene: Scene) -> None:
    ann, *_ = await gathered(scene, ["ann", "bob", "cyd"])
    assert (await refused(ann, wire.Kick(seat=0))).code == Refusal.NOT_NOW
    assert (await refused(ann, wire.Kick(seat=3))).code == Refusal.NO_SUCH_PLAYER
    await done(ann, wire.Kick(seat=1))
    assert (await refused(ann, wire.Kick(seat=1))).code == Refusal.NO_SUCH_PLAYER


# ---------------------------------------------------------------- settings


async def test_settings_change_before_a_match(scene: Scene) -> None:
    ann, bob, *_ = await gathered(scene)
    digest = bob.room_view.digest
    await done(ann, wire.Change(settings=SHEET))
    assert bob.room_view.settings == SHEET
    assert bob.room_view.digest != digest
    await done(ann, wire.Start())
    match = await scene.store.match(bob.room_view.match)
    assert match.rules["preset"] == "lingao"
    assert match.digest == bob.room_view.digest


@pytest.mark.parametrize(
    ("rules", "clause"),
    [
        ({"preset": "hainan", "no_such_option": 1}, None),
        ({"preset": "sichuan"}, None),
        ({"preset": "hainan", "hands": 0}, "R1.9"),
        ({"preset": "hainan", "meld_liability": False, "four_melds": True}, "R8"),
    ],
)
async def test_a_bad_sheet_is_refused_with_its_clause(scene: Scene, rules, clause) -> None:
    ann, *_ = await gathered(scene)
    no = await refused(ann, wire.Change(settings=wire.Settings(rules=rules)))
    assert no.code == Refusal.BAD_SETTINGS
    assert no.why
    assert no.clause is None if clause is None else no.clause.startswith(clause)


async def test_the_sheet_is_locked_during_a_match(scene: Scene) -> None:
    ann, *others = await gathered(scene)
    await done(ann, wire.Start())
    assert (await refused(ann, wire.Change(settings=SHEET))).code == Refusal.LOCKED
    for client in (ann, *others):
        await done(client, wire.Ready())
    assert (await refused(ann, wire.Change(settings=SHEET))).code == Refusal.LOCKED


async def test_three_players_leave_no_seat_for_a_fourth(scene: Scene) -> None:
    ann, _bob, _cyd, dee = await gathered(scene)
    three = wire.Settings(players=3)
    assert (await refused(ann, wire.Change(settings=three))).code == Refusal.SEAT_TAKEN
    await done(dee, wire.Leave())
    await done(ann, wire.Change(settings=three))
    assert len(ann.room_view.chairs) == 3
    await done(ann, wire.Start())
    assert ann.room_view.totals == [0, 0, 0]


async def test_a_fourth_seat_can_be_added(scene: Scene) -> None:
    ann, *_ = await gathered(scene, ["ann", "bob", "cyd"])
    await done(ann, wire.Change(settings=wire.Settings()))
    assert ann.room_view.chairs[3] == wire.Chair()


async def test_a_bot_on_seat_3_goes_with_it(scene: Scene) -> None:
    ann, *_ = await gathered(scene, ["ann", "bob", "cyd"], bots=1)
    await done(ann, wire.Change(settings=wire.Settings(players=3)))
    assert len(ann.room_view.chairs) == 3


# ---------------------------------------------------------------- start


async def test_a_match_needs_all_seats(scene: Scene) -> None:
    ann, bob, *_ = await gathered(scene)
    await done(bob, wire.Leave())
    assert (await refused(ann, wire.Start())).code == Refusal.NOT_NOW
    await done(ann, wire.AddBot())
    await done(ann, wire.Start())
    assert ann.room_view.stage == Stage.BETWEEN


async def test_a_match_begins_once(scene: Scene) -> None:
    ann, *others = await gathered(scene)
    await done(ann, wire.Start())
    assert (await refused(ann, wire.Start())).code == Refusal.NOT_NOW
    for client in (ann, *others):
        await done(client, wire.Ready())
    assert (await refused(ann, wire.Start())).code == Refusal.NOT_NOW


async def test_an_owner_who_doesnt_sit_can_run_a_table_of_bots(scene: Scene) -> None:
    code = await scene.room([], bots=4, rules={"preset": "hainan", "hands": 1})
    owner = await scene.connect("owner", code)
    for seat in range(amount(2, 4)):
        await done(owner, wire.Kick(seat=seat))
        await done(owner, wire.AddBot(policy="random"))
    await done(owner, wire.Start())
    before = scene.clock.now()
    await sit_out(scene, owner)
    assert scene.clock.now() == before, "bots alone wait for nobody"
    assert sum(owner.room_view.totals) == 0
