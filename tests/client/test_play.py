"""Players in processes of their own, at a real server over real sockets."""

import asyncio
from random import Random

import pytest

from hainan import wire
from hainan.bots.policies import Policy
from hainan.bots.seats import Bot
from hainan.client.player import End, Mind, Played, play
from hainan.engine.jit import COMPILED
from hainan.matches import Match, seeded_deals
from hainan.rules.actions import ACTIONS
from hainan.rules.options import Rules
from hainan.rules.presets import PRESET_NAMES, rules_of
from hainan.seatview import mine_view, table_view
from hainan.server.store import How
from tests.client.conftest import Owner, all_of, guest, stored
from tests.client.live import LiveServer, until
from tests.client.proxy import BadLine
from tests.conftest import amount

NAMES = ("东", "南", "西", "北")


class Remembering:
    """Random choices, and what was chosen for which offer."""

    def __init__(self, seed: int) -> None:
        self.decisions: list[tuple[int, str]] = []
        self._random = Random(seed)

    def __call__(self, view: wire.TableView, mine: wire.Mine, rules: Rules) -> str:
        assert mine.offer is not None
        assert mine.legal
        self.decisions.append((mine.offer, self._random.choice(mine.legal)))
        return self.decisions[-1][1]


def check_taken_once(server: LiveServer, minds: dict[int, Remembering]) -> None:
    """What is stored of each seat is what was decided there, in order, each decision at most once."""
    actions = stored(server)
    assert {action.how for action in actions} == {How.PLAYER}, "nothing was left to time"
    for seat, mind in minds.items():
        offers = [offer for offer, _ in mind.decisions]
        assert len(set(offers)) == len(offers), "an offer was thought about twice"
        decided = iter(text for _, text in mind.decisions)
        for action in actions:
            if action.seat == seat:
                assert ACTIONS[action.action].text in decided


@pytest.mark.anyio
async def test_four_players_finish_a_match(server: LiveServer) -> None:
    owner = Owner(server, rules={"preset": "lingao", "hands": 2})
    code = await owner.open()
    policies = (Policy.GREEDY, Policy.RANDOM, Policy.GREEDY, Policy.RANDOM)
    players = [
        play(await guest(server.url, name), code, policy)
        for name, policy in zip(NAMES, policies, strict=True)
    ]
    (totals, *results) = await all_of(owner.hold(), *players)
    assert [sum(points) for points in totals] == [0]
    assert sorted(result.seat for result in results) == [0, 1, 2, 3]
    for result in results:
        assert result == Played(End.MATCHES, result.seat, 1, 2, totals)
    assert {action.how for action in stored(server)} == {How.PLAYER}
    assert {action.hand for action in stored(server)} == {0, 1}
    assert server.logged == []


@pytest.mark.anyio
async def test_a_rematch_and_then_the_seats_are_free(server: LiveServer) -> None:
    owner = Owner(server, players=3, rules={"preset": "lingao-variant", "hands": 1})
    code = await owner.open()
    players = [play(await guest(server.url, name), code, Policy.RANDOM, matches=2) for name in NAMES[:2]]
    (totals, *results) = await all_of(owner.hold(bots=1, matches=2), *players)
    assert [result.totals for result in results] == [totals, totals]
    async with owner.client.table(code) as table:
        async for message in table:
            if isinstance(message, wire.Room):
                assert [chair.player for chair in message.chairs] == [None, None, None]
                break


@pytest.mark.anyio
async def test_only_so_many_hands_and_a_bot_plays_on(server: LiveServer) -> None:
    client = await guest(server.url, "海")
    link = await client.quick(wire.Settings(rules={"preset": "lingao", "hands": 3}))
    result = (await all_of(play(client, link.code, Policy.GREEDY, 1)))[0]
    assert result == Played(End.HANDS, 0, 0, 1, [])


@pytest.mark.anyio
@pytest.mark.parametrize("seed", range(2))
async def test_a_bad_line(server: LiveServer, seed: int) -> None:
    """Cut again and again: the match is played to its end, and no action is taken twice or lost."""
    owner = Owner(server, players=3, rules={"preset": "lingao", "hands": 1})
    code = await owner.open()
    minds = {}
    with BadLine(server.port, seed, (8, 20)) as line:
        players = []
        for number in range(3):
            client = await guest(server.url, NAMES[number])
            client.url = line.url
            mind = Remembering(seed * 4 + number)
            players.append(_first(play(client, code, mind), minds, mind))
        totals, *results = await all_of(owner.hold(), *players)
    assert all(result.totals == totals for result in results)
    assert line.cuts > 20
    check_taken_once(server, minds)


async def _first(playing: object, minds: dict[int, Remembering], mind: Remembering) -> Played:
    played: Played = await playing  # type: ignore[misc]
    assert played.seat is not None
    minds[played.seat] = mind
    return played


@pytest.mark.anyio
async def test_the_server_is_restarted(server: LiveServer) -> None:
    owner = Owner(server, players=3, rules={"preset": "lingao", "hands": 1})
    code = await owner.open()
    minds: dict[int, Remembering] = {}
    players = []
    for number in range(3):
        mind = Remembering(number)
        players.append(_first(play(await guest(server.url, NAMES[number]), code, mind), minds, mind))
    totals, _, *results = await all_of(owner.hold(), asyncio.to_thread(_restart, server), *players)
    assert all(result.totals == totals for result in results)
    check_taken_once(server, minds)


def _restart(server: LiveServer) -> None:
    """Three times, at other points of the hand."""
    for more in (5, 20, 20):
        wanted = len(stored(server)) + more
        until(lambda wanted=wanted: len(stored(server)) >= wanted)
        server.restart()


@pytest.mark.anyio
async def test_the_room_is_closed_and_other_ends(server: LiveServer) -> None:
    heard: list[wire.ServerMessage] = []
    owner = Owner(server)
    code = await owner.open()
    playing = asyncio.create_task(play(await guest(server.url, "海"), code, Policy.RANDOM, hear=heard.append))
    while not any(isinstance(message, wire.Room) and message.you == 0 for message in heard):
        await asyncio.sleep(0.01)

    async def close() -> None:
        server.host.rooms[code].tell_notice(wire.Notice.CLOSED)

    await asyncio.to_thread(server.run, close())
    assert (await all_of(playing))[0] == Played(End.CLOSED, 0, 0, 0, [])


@pytest.mark.parametrize("policy", list(Policy))
@pytest.mark.parametrize("preset", list(PRESET_NAMES))
def test_a_mind_decides_by_messages_as_a_bot_does_at_the_table(preset: str, policy: Policy) -> None:
    """Played over the wire a policy is the same policy; else `hainan bot` would be another player."""
    rules = rules_of(preset, wild="indicator" if COMPILED else "none")
    bot, mind = Bot(policy, 7), Mind(policy, 7)
    random = Random(preset)
    for seed in range(amount(3, 1)):
        table = Match(rules, deals=seeded_deals(seed, rules)).table
        steps = 0
        while not table.over and steps < amount(1000, 40):
            steps += 1
            seat, legal = random.choice(list(table.legal().items()))
            offered = wire.decode_message(
                wire.encode(
                    wire.Table(
                        seq=1, match="m", hand=0, table=table_view(table)[0], mine=mine_view(table, seat, 1)
                    )
                )
            )
            action = bot.choose(table, seat)
            assert mind(offered.table, offered.mine, rules) == action.text
            table.act(seat, random.choice((action, random.choice(legal))))
