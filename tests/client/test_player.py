"""What a player does about each message, without a server."""

from typing import Any

import pytest
from msgspec import structs

from hainan import wire
from hainan.client import player as module
from hainan.client.errors import ClientError, NoSeat
from hainan.client.player import End, Player
from hainan.matches import Match, seeded_deals
from hainan.rules.options import Rules
from hainan.rules.presets import rules_of
from hainan.seatview import mine_view, table_view
from hainan.wire import Refusal, Stage


class FakeTable:
    """Remembers what was said."""

    code = "123456"

    def __init__(self) -> None:
        self.room: wire.Room | None = None
        self.said: list[Any] = []

    async def send(self, command: Any) -> int:
        self.said.append(command)
        return len(self.said)

    async def act(self, offer: int, action: str) -> int:
        return await self.send(wire.Act(offer=offer, action=action))


class Scene:
    """A player at a fake table."""

    def __init__(self, matches: int | None = 1, hands: int | None = None) -> None:
        self.table = FakeTable()
        self.thoughts = 0
        self.player = Player(self.table, self._decide, matches, hands)  # type: ignore[arg-type]
        rules = rules_of()
        self.hand = Match(rules, deals=seeded_deals(0, rules)).table
        self.welcome = wire.Welcome(protocol=1, server="s", player="me", name="Me", connection="c")

    def _decide(self, view: wire.TableView, mine: wire.Mine, rules: Rules) -> str:
        self.thoughts += 1
        return mine.legal[self.thoughts % len(mine.legal)]

    async def on(self, *messages: Any) -> list[Any]:
        """What is said about messages."""
        before = len(self.table.said)
        for message in messages:
            if isinstance(message, wire.Room):
                self.table.room = message
            await self.player.on(message)
        return self.table.said[before:]

    def room(
        self, stage: Stage = Stage.PLAYING, match: str | None = "m", you: int | None = 0, **chair: Any
    ) -> wire.Room:
        chairs = [wire.Chair(player="me", name="Me", online=True, **chair)]
        chairs += [wire.Chair(bot="greedy") for _ in range(3)]
        return wire.Room(
            seq=1,
            code="123456",
            owner="me",
            settings=wire.Settings(),
            digest="",
            stage=stage,
            chairs=chairs,
            you=you,
            match=match,
            hand=0,
            totals=[0, 0, 0, 0],
        )

    def view(self, offer: int | None) -> wire.Table:
        return wire.Table(
            seq=2,
            match="m",
            hand=0,
            table=table_view(self.hand)[0],
            mine=mine_view(self.hand, 0, offer),
        )

    def over(self, hand: int) -> wire.Table:
        view = self.view(None)
        return structs.replace(view, hand=hand, table=structs.replace(view.table, phase="over"))


@pytest.fixture
def stage() -> Scene:
    return Scene()


def answers(said: list[Any]) -> list[tuple[int, str]]:
    assert all(isinstance(command, wire.Act) for command in said), said
    return [(command.offer, command.action) for command in said]


@pytest.mark.anyio
async def test_an_offer_shown_again_is_answered_once(stage: Scene) -> None:
    await stage.on(stage.welcome, stage.room())
    assert len(answers(await stage.on(stage.view(7)))) == 1
    assert await stage.on(stage.view(7), stage.room(), stage.view(7), stage.view(None)) == []
    assert len(answers(await stage.on(stage.view(8)))) == 1
    assert stage.thoughts == 2


@pytest.mark.anyio
async def test_a_new_connection_gets_the_same_answer_where_it_is_still_asked(stage: Scene) -> None:
    await stage.on(stage.welcome, stage.room())
    first = answers(await stage.on(stage.view(7)))
    assert answers(await stage.on(stage.welcome, stage.room(), stage.view(7), stage.view(7))) == first
    assert stage.thoughts == 1
    assert await stage.on(stage.welcome, stage.room(), stage.view(None)) == []


@pytest.mark.anyio
async def test_nothing_is_answered_while_the_table_is_paused(stage: Scene) -> None:
    await stage.on(stage.welcome, stage.room())
    said = await stage.on(stage.view(7))
    refused = wire.Refused(code=Refusal.PAUSED, why="paused", ref=len(stage.table.said))
    assert await stage.on(stage.room(Stage.PAUSED), refused, stage.view(7)) == []
    assert await stage.on(stage.room(), stage.view(7)) == said


@pytest.mark.anyio
@pytest.mark.parametrize("code", [Refusal.STORAGE, Refusal.INTERNAL, Refusal.TOO_FAST])
async def test_what_failed_for_now_is_looked_at_and_said_again(
    stage: Scene, code: Refusal, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "TRY_AGAIN", 0)
    await stage.on(stage.welcome, stage.room())
    said = await stage.on(stage.view(7))
    assert await stage.on(wire.Refused(code=code, why="later", ref=1)) == [wire.Look()]
    assert await stage.on(stage.room(), stage.view(7)) == said


@pytest.mark.anyio
async def test_an_answer_that_came_too_late_is_nothing(stage: Scene) -> None:
    await stage.on(stage.welcome, stage.room(), stage.view(7))
    late = wire.Refused(code=Refusal.ILLEGAL, why="another won", ref=1, offer=8)
    assert await stage.on(late, structs.replace(late, code=Refusal.STALE, offer=None, legal=None)) == []


@pytest.mark.anyio
async def test_a_policy_that_chooses_nonsense_is_told(stage: Scene) -> None:
    await stage.on(stage.welcome, stage.room(), stage.view(7))
    with pytest.raises(ClientError, match="isn't legal"):
        await stage.on(wire.Refused(code=Refusal.ILLEGAL, why="pass: no", ref=1, offer=7))


@pytest.mark.anyio
async def test_ready_once_and_with_the_same_nonce_on_a_new_connection(stage: Scene) -> None:
    first = await stage.on(stage.welcome, stage.room(Stage.BETWEEN))
    assert [type(command) for command in first] == [wire.Ready]
    assert len(first[0].nonce) == 32
    assert await stage.on(stage.room(Stage.BETWEEN)) == []
    assert await stage.on(wire.Done(ref=1), stage.room(Stage.BETWEEN, ready=True)) == []
    assert await stage.on(stage.welcome, stage.room(Stage.BETWEEN)) == first
    (other,) = await stage.on(stage.welcome, structs.replace(stage.room(Stage.BETWEEN), hand=1))
    assert other.nonce != first[0].nonce


@pytest.mark.anyio
async def test_a_seat_is_taken_and_taken_back(stage: Scene) -> None:
    assert await stage.on(stage.welcome, stage.room(Stage.OPEN, None, None)) == [wire.Sit()]
    assert await stage.on(stage.room(Stage.OPEN, None, None)) == []
    assert await stage.on(stage.welcome, stage.room(bot="greedy")) == [wire.Sit()]
    assert await stage.on(stage.welcome, stage.room(auto=True)) == [wire.Auto(on=False)]


@pytest.mark.anyio
@pytest.mark.parametrize("code", [Refusal.SEAT_TAKEN, Refusal.LOCKED])
async def test_no_seat(stage: Scene, code: Refusal) -> None:
    await stage.on(stage.welcome, stage.room(Stage.OPEN, None, None))
    with pytest.raises(NoSeat, match="no seat in room 123456: full"):
        await stage.on(wire.Refused(code=code, why="full", ref=1))


@pytest.mark.anyio
async def test_an_earlier_match_of_the_room_does_not_count() -> None:
    stage = Scene(matches=2)
    await stage.on(stage.welcome, stage.room(Stage.OPEN, "earlier"))
    await stage.on(stage.room(Stage.OPEN, "earlier"), stage.room(Stage.BETWEEN, "first"))
    await stage.on(stage.room(Stage.OPEN, "first"), stage.room(Stage.OPEN, "first"))
    assert stage.player.played.matches == 1
    assert not stage.player.done
    # The second one passed while nobody was connected.
    await stage.on(stage.welcome, stage.room(Stage.OPEN, "second"))
    assert stage.player.done
    assert stage.player.played.totals == [[0, 0, 0, 0]] * 2


@pytest.mark.anyio
async def test_only_so_many_hands() -> None:
    stage = Scene(hands=2)
    await stage.on(stage.welcome, stage.room(), stage.over(0), stage.over(0))
    assert not stage.player.done
    await stage.on(stage.over(1))
    assert stage.player.done
    assert stage.player.played.end == End.HANDS
