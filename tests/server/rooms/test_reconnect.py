"""A connection lost and found at any moment shows what one never lost shows, and goes on where it was."""

import asyncio
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import replace
from random import Random
from typing import Any

import pytest

from hainan import wire
from hainan.rules.actions import Action
from hainan.server.exchange import Detach
from hainan.wire import Ballot, Refusal
from tests.conftest import amount
from tests.server.rooms.play import seen
from tests.server.rooms.stage import (
    CODE,
    NEVER,
    WINDOW,
    Case,
    Cast,
    Ear,
    Mind,
    Run,
    Stage,
    Unstored,
    all_ready,
    case,
    fixed_names,
    seated,
)


@pytest.fixture(autouse=True)
def _same_names(monkeypatch: pytest.MonkeyPatch) -> None:
    fixed_names(monkeypatch)


Watcher = Callable[[Run], Awaitable[None]]


def cases(first: int, number: int) -> Iterator[Case]:
    """Hands with at least two people at the table."""
    seed = first
    while number:
        one = case(seed, ("rob", "near", "rob", "ready", "flowers", "multi")[seed % 6])
        seed += 1
        if len(one.cast.of("human")) >= 1:
            number -= 1
            yield one


def play(case: Case, watch: Watcher, hands: int = 1, setup: Callable[[Run], None] | None = None) -> Run:
    """Hands with something to do whenever something has happened."""

    async def main() -> Run:
        stage = Stage(Unstored(), case.walls, case.seed)
        rules = case.rules | {"hands": hands}
        clients = await seated(stage, case.cast, rules=rules, spectators=True, next_hand_seconds=0)
        run = Run(stage, case, clients, Mind(case))
        if setup is not None:
            setup(run)
        last: list[Any] = [None]

        async def watching() -> None:
            now = moment(stage)
            if last[0] != now:
                await watch(run)
                last[0] = moment(stage)

        run.watch = watching
        for number in range(hands):
            run.next_hand(Mind(replace(case, seed=case.seed + number)))
            await watching()
            await all_ready(run.clients, case.cast)
            await run.to(None, number)
        await watching()
        await stage.stop()
        return run

    return asyncio.run(main())


def moment(stage: Stage) -> Any:
    """Changes with everything that happens at the table."""
    room = stage.host.rooms[CODE]
    hand = room.hand
    table = None if hand is None else (hand.n, hand.table.n_actions, hand.holding, len(hand.offers))
    return stage.clock.time, room.state.stage, table


def view(client: Ear) -> Any:
    return None if client.table is None else seen(client)


def timeless(client: Ear) -> Any:
    """The same without the bank, which runs down while somebody thinks."""
    if (seen_now := view(client)) is not None:
        seen_now["mine"].pop("bank", None)
    return seen_now


def room_view(client: Ear) -> wire.Room:
    """The room without what time, messages and connections alone change."""
    room = client.room_view
    chairs = [replace_online(chair) for chair in room.chairs]
    return wire.Room(
        **{name: getattr(room, name) for name in wire.Room.__struct_fields__}
        | {"seq": 0, "next_in": None, "chairs": chairs}
    )


def replace_online(chair: wire.Chair) -> wire.Chair:
    return wire.Chair(player=chair.player, name=chair.name, bot=chair.bot, ready=chair.ready, auto=chair.auto)


def offer_of(client: Ear) -> int | None:
    return client.table.mine.offer if client.table is not None and client.table.mine is not None else None


# ---------------------------------------------------------------- at every message, for every seat


class Losing:
    """Loses and finds the connection of every seat after everything that happens."""

    def __init__(self, tabs: bool) -> None:
        self.tabs = tabs
        """Whether a second tab takes over instead."""
        self.met: Counter[str] = Counter()

    async def __call__(self, run: Run) -> None:
        for seat in run.cast.people:
            old = run.clients[seat]
            if old.room_view is None:
                continue
            table, room, offer = view(old), room_view(old), offer_of(old)
            if not self.tabs:
                await old.drop()
            new = run.clients[seat] = await run.stage.connect(run.cast.name(seat), CODE)
            assert view(new) == table
            assert room_view(new) == room
            assert offer_of(new) == offer
            if new.table is not None:
                assert new.table.events == []
                assert offer is None or offer <= new.table.seq
            self._check_old(old)
            self.met.update(self.situations(run, seat))

    def _check_old(self, old: Ear) -> None:
        assert (old.closed is not None) == self.tabs
        if self.tabs:
            assert old.closed is not None
            assert old.closed[0] == Refusal.TAKEN_OVER

    @staticmethod
    def situations(run: Run, seat: int) -> Iterator[str]:
        hand, room = run.stage.hand, run.stage.host.rooms[CODE]
        yield room.state.stage.value
        if hand is None:
            return
        phase = hand.shown.phase
        yield phase.name.lower()
        if phase in WINDOW:
            mine = run.clients[seat].table.mine
            assert mine is not None
            yield "asked" if mine.offer is not None else "answered" if mine.answered else "not asked"
            if hand.laid:
                yield "laid"
            elif hand.table.phase not in WINDOW:
                yield "held"


@pytest.mark.parametrize("tabs", [False, True], ids=["lost", "second tab"])
def test_lost_and_found_after_every_message(tabs: bool) -> None:
    losing = Losing(tabs)
    for one in cases(0, amount(6, 1, 200)):
        calm, rough = play(one, nothing_to_do), play(one, losing)
        assert history(calm) == history(rough)
        assert refusals(calm) == refusals(rough), "every offer could be answered as if nothing had happened"
    if amount(1, 0):
        assert set(losing.met) >= {
            *("between", "playing", "open", "ga", "turn", "claim", "rob", "over"),
            *("asked", "answered", "not asked", "laid", "held"),
        }


async def nothing_to_do(run: Run) -> None:
    pass


def history(run: Run) -> dict[int, list[tuple[float, int, Action]]]:
    """Who did what at what time."""
    return {number: hand.acts for number, hand in run.hands.items()}


def refusals(run: Run) -> int:
    frames = [frame for heard in run.stage.heard.values() for _, _, frame in heard]
    return sum(frame.startswith(b'{"type":"refused"') for frame in frames)


# ---------------------------------------------------------------- lost for a while


Stayed = dict[Any, dict[int, Any]]
"""What each seat saw at each moment that something happened."""


def test_lost_for_a_while_and_found_again() -> None:
    """Whoever was away for any stretch sees, when he is back, what he would have seen had he stayed."""
    found = 0
    for one in cases(50, amount(9, 1, 300)):
        stayed: Stayed = {}

        async def note(run: Run, stayed: Stayed = stayed) -> None:
            stayed[moment(run.stage)] = {seat: timeless(client) for seat, client in run.clients.items()}

        away = Away(one, stayed)
        calm, rough = play(one, note, 2), play(one, away, 2, away.setup)
        assert history(calm) == history(rough)
        assert refusals(calm) == refusals(rough), "as many came too late"
        found += away.found
    assert found > amount(100, 3)


class Away:
    """Loses connections at random, and finds them later, at the latest when something is to be decided."""

    def __init__(self, case: Case, stayed: Stayed) -> None:
        self.stayed, self.found, self.now = stayed, 0, None
        self._rng = Random(case.seed)
        self._lost: set[int] = set()
        self._run: Run | None = None

    def setup(self, run: Run) -> None:
        self._run = run
        run.before_act = self.back

    async def __call__(self, run: Run) -> None:
        self.now = moment(run.stage)
        for seat in run.cast.people:
            if seat in self._lost and self._rng.random() < 0.2:
                await self.back(seat)
            elif seat not in self._lost and self._rng.random() < 0.2:
                await run.clients[seat].drop()
                self._lost.add(seat)
        if run.stage.host.rooms[CODE].state.stage != wire.Stage.PLAYING:  # the hand's end has been shown
            for seat in list(self._lost):
                await self.back(seat)

    async def back(self, seat: int) -> None:
        if seat not in self._lost:
            return
        assert self._run is not None
        self._lost.remove(seat)
        new = self._run.clients[seat] = await self._run.stage.connect(self._run.cast.name(seat), CODE)
        assert timeless(new) == self.stayed[self.now][seat]
        self.found += 1


def test_whoever_is_asked_while_he_is_away_can_answer() -> None:
    """The offer made to an empty chair has the number that he is shown when he is back."""
    for one in cases(80, amount(6, 1, 100)):
        returns: Counter[int] = Counter()

        async def leave(run: Run) -> None:
            for client in run.clients.values():
                if client.connection in run.stage.exchange._ends:
                    await client.drop()

        def setup(run: Run, returns: Counter[int] = returns) -> None:
            async def back(seat: int) -> None:
                hand = run.stage.hand
                assert hand is not None
                run.clients[seat] = new = await run.stage.connect(run.cast.name(seat), CODE)
                if seat in hand.offers:
                    assert offer_of(new) == hand.offers[seat].number
                    returns[seat] += 1

            run.before_act = back

        calm, rough = play(one, nothing_to_do), play_unseen(one, leave, setup)
        assert history(calm) == history(rough)
        assert returns


def play_unseen(one: Case, watch: Watcher, setup: Callable[[Run], None]) -> Run:
    """As ``play``, where nobody may be there to see the end: until everything has been decided."""

    async def main() -> Run:
        stage = Stage(Unstored(), one.walls, one.seed)
        clients = await seated(
            stage, one.cast, rules=one.rules | {"hands": 1}, spectators=True, next_hand_seconds=0
        )
        run = Run(stage, one, clients, Mind(replace(one, seed=one.seed)))
        setup(run)
        await all_ready(run.clients, one.cast)
        run.watch = lambda: watch(run)
        until = stage.clock.time
        while (hand := stage.hand) is not None and not (hand.table.over and not hand.holding):
            until += 5.0
            await run.to(until)
        await stage.stop()
        return run

    return asyncio.run(main())


# ---------------------------------------------------------------- paused


def people(number: int) -> Cast:
    return Cast(("you", *["human"] * (number - 1)))


def all_people(seed: int) -> Case:
    one = case(seed, "near", {"ga": False})
    return replace(one, cast=people(one.cast.players))


def test_lost_and_found_while_paused() -> None:
    """In whatever phase the table is paused: the same view and offer, which is answered after the pause."""
    met: Counter[str] = Counter()
    for seed in range(amount(10, 1, 100)):
        rng = Random(seed)

        async def watch(run: Run, rng: Random = rng) -> None:
            hand = run.stage.hand
            if hand is not None and not hand.table.over and not hand.holding and rng.random() < 0.1:
                met.update(await paused(run))

        play(all_people(seed), watch)
    assert met["turn"]
    if amount(1, 0):
        assert met["claim"]


async def paused(run: Run) -> Counter[str]:
    """Pause, lose and find everybody, go on; what was met."""
    hand = run.stage.hand
    assert hand is not None
    phase = hand.shown.phase.name.lower()
    views = {seat: (view(client), offer_of(client)) for seat, client in run.clients.items()}
    for client in list(run.clients.values()):
        await client.send(wire.Vote(on=Ballot.PAUSE))
        if client.room_view.stage == wire.Stage.PAUSED:
            break
    assert run.you.room_view.stage == wire.Stage.PAUSED
    for seat, client in list(run.clients.items()):
        await client.drop()
        run.clients[seat] = new = await run.stage.connect(run.cast.name(seat), CODE)
        assert (view(new), offer_of(new)) == views[seat]
        assert new.room_view.stage == wire.Stage.PAUSED
    gone = run.clients[run.cast.of("human")[0]]
    await gone.drop()
    await run.you.send(wire.Resume())
    seat = run.cast.of("human")[0]
    run.clients[seat] = await run.stage.connect(run.cast.name(seat), CODE)
    for seat, client in run.clients.items():
        assert (view(client), offer_of(client)) == views[seat]
    return Counter([phase])


# ---------------------------------------------------------------- two tabs, spectators, and the end


def test_an_old_tab_that_goes_takes_nobody_with_it() -> None:
    async def main() -> None:
        one = all_people(3)
        stage = Stage(Unstored(), one.walls)
        clients = await seated(stage, one.cast, rules=one.rules, next_hand_seconds=0)
        await all_ready(clients, one.cast)
        old = clients[0]
        new = await stage.connect(old.player, CODE)
        heard = len(old.frames)
        stage.exchange.disconnect(old.connection)
        await old.send(Detach())
        assert new.room_view.chairs[0].online
        mine = new.table.mine
        assert mine is not None
        assert mine.offer is not None
        await new.send(wire.Act(offer=mine.offer, action=mine.legal[0], ref=4))
        assert wire.Done(ref=4) in new.messages
        assert len(old.frames) == heard
        await stage.stop()

    asyncio.run(main())


def test_an_offer_is_answered_once_whichever_tab_answers() -> None:
    async def main() -> None:
        one = all_people(4)
        stage = Stage(Unstored(), one.walls)
        clients = await seated(stage, one.cast, rules=one.rules, next_hand_seconds=0)
        await all_ready(clients, one.cast)
        old = clients[0]
        mine = old.table.mine
        assert mine is not None
        assert mine.offer is not None
        new = await stage.connect(old.player, CODE)
        command = wire.Act(offer=mine.offer, action=mine.legal[0], ref=4)
        old.post(command)
        new.post(command)
        await stage.settle()
        assert wire.Done(ref=4) not in new.messages
        assert isinstance(new.messages[-1], wire.Refused)
        hand = stage.hand
        assert hand is not None
        assert hand.table.n_actions == 1
        await stage.stop()

    asyncio.run(main())


def test_a_spectator_lost_and_found_sees_the_film_where_it_is() -> None:
    """Whoever comes to watch sees what those see who have watched all the time."""
    compared = 0
    for one in cases(120, amount(4, 1, 50)):
        watchers: dict[str, Ear] = {}

        async def watch(run: Run, watchers: dict[str, Ear] = watchers) -> None:
            nonlocal compared
            for name in ("wes", "win"):
                if name not in watchers or name == "win":
                    if name in watchers:
                        await watchers[name].drop()
                    watchers[name] = await run.stage.connect(name, CODE)
                    await watchers[name].send(wire.Watch())
            wes, win = (watchers[name] for name in ("wes", "win"))
            assert (wes.table is None) == (win.table is None)
            if wes.table is not None:
                assert wes.table.mine is None
                assert (wes.table.table, wes.table.hand) == (win.table.table, win.table.hand)
                compared += 1

        play(one, watch, 2)
    assert compared > amount(50, 5)


def test_the_last_table_stays_to_be_seen() -> None:
    """After the match: whoever comes back sees the end, also much later."""

    async def main() -> None:
        one = next(cases(0, 1))
        stage = Stage(Unstored(), one.walls, one.seed)
        clients = await seated(stage, one.cast, rules=one.rules | {"hands": 1}, next_hand_seconds=0)
        run = Run(stage, one, clients, Mind(one))
        await all_ready(clients, one.cast)
        await run.to()
        assert run.you.room_view.stage == wire.Stage.OPEN
        end = view(run.you)
        assert end["table"]["end"] is not None
        await run.you.drop()
        await stage.advance(NEVER)
        back = await stage.connect(run.you.player, CODE)
        assert view(back) == end
        assert back.room_view.totals == run.you.room_view.totals
        await stage.stop()

    asyncio.run(main())
