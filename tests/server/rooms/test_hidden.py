"""Hidden tiles leave the process for nobody but their owner: whole live hands twice, byte for byte.

The second time, the tiles that one seat can't see lie elsewhere: in other hands, or in the wall to come. What
the others do in public is the same; whether they were asked, and what they let pass within the pause, is not.
Every byte to that seat, to spectators and guests, over HTTP and in the log must be the same, and come at the
same time. While it listens, that seat tries everything that might tell it more.
"""

import asyncio
import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from itertools import count
from random import Random, SystemRandom
from typing import Any

import msgspec
import pytest
import structlog

from hainan import wire
from hainan.engine.jit import COMPILED
from hainan.engine.record import Ask, Phase
from hainan.rules.actions import Action
from hainan.rules.terms import MeldKind
from hainan.rules.tiles import text_of
from hainan.server import course, logs
from hainan.server.audience import Channel
from hainan.server.course import Course
from hainan.server.live import LiveHand, Showing
from hainan.server.problem import Problem
from hainan.server.room import Surroundings
from hainan.server.store import Store
from hainan.server.store.writes import acted
from hainan.table import Table
from hainan.wire import Refusal
from tests.conftest import amount
from tests.server.rooms.stage import (
    CODE,
    WINDOW,
    Case,
    Echo,
    Mind,
    Probe,
    Run,
    Script,
    ScriptedBot,
    Stage,
    Unstored,
    all_ready,
    case,
    fixed_names,
    key_of,
    restarted,
    seated,
    steps,
    take_step,
    twin_wall,
)

LAST_ONES = 15 + 8
"""With so few tiles left, flowers may end the hand with any draw. What changes the room then shows the end of
the hand at once, and so tells that nobody was asked about its last tile, when all has been decided."""
WORDS = ("pass", "win", "pong", "kong", "discard 1m", "discard 5p", "kong 3s", "chow 23m", "ga 0", "nonsense")


# ---------------------------------------------------------------- curious people


def act_for_nothing(rng: Random) -> Probe:
    word, ref = rng.choice(WORDS), rng.randrange(1000)

    async def probe(run: Run) -> None:
        mine = [table.mine.offer for table in run.shown if table.mine and table.mine.offer]
        offer = rng.choice(mine[-3:]) if mine else 1
        if run.you.table.mine is None or run.you.table.mine.offer is None:
            await run.you.send(wire.Act(offer=offer, action=word, ref=ref))

    return probe


def say(command: Any, who: str = "you") -> Probe:
    async def probe(run: Run) -> None:
        await (run.you if who == "you" else run.others[who]).send(command)

    return probe


async def auto_and_back(run: Run) -> None:
    await run.you.send(wire.Auto(on=True, ref=1))
    await run.you.send(wire.Auto(on=False, ref=2))


async def second_tab(run: Run) -> None:
    run.clients[run.cast.you] = await run.stage.connect(run.cast.name(run.cast.you), CODE)


async def gone_and_back(run: Run) -> None:
    await run.you.drop()
    await second_tab(run)


def probes(seed: int, you: int) -> Callable[[int, str], Iterator[tuple[float, Probe]]]:
    """What the tested seat and a guest try in order to learn more, at times that depend on what they see."""

    def at(key: int, view: wire.TableView) -> Iterator[tuple[float, Probe]]:
        rng = Random(f"{seed} {key} {view.phase}")
        commands = [
            *(
                wire.Look(),
                wire.Advise(ref=11),
                wire.Ready(nonce="x", ref=6),
                wire.Sit(seat=1),
                wire.Ping(ref=7),
            ),
            *(wire.Kick(seat=you, ref=8), wire.HandOver(seat=3, ref=9), wire.AddBot()),
            *(
                wire.Change(settings=wire.Settings(), ref=10),
                wire.Start(),
                wire.Resume(),
                wire.Say(phrase="hello"),
            ),
            wire.Vote(on=wire.Ballot.MORE_TIME),
        ]
        guests = [wire.Look(), wire.Sit(ref=3), wire.Ready(), wire.Act(offer=5, action="pass"), wire.Advise()]
        if view.remaining <= LAST_ONES:
            commands, guests = commands[:2], guests[:1]
        tries: list[Probe] = [
            *(act_for_nothing(rng) for _ in range(8)),
            *(say(command) for command in commands),
            *(say(command, "gus") for command in guests),
            *(second_tab, gone_and_back, *([auto_and_back] if view.remaining > LAST_ONES else [])),
        ]
        for _ in range(rng.choice((0, 0, 1, 2, 3))):
            yield rng.uniform(0.0, 0.6 if view.phase in ("claim", "rob") else 2.0), rng.choice(tries)

    return at


# ---------------------------------------------------------------- twice


@dataclass
class Extra:
    """What a test wants beside the ears of seats and guests."""

    url: str | None = None
    """A real database."""
    hook: Callable[[Stage, Run], None] = lambda stage, run: None
    """Called before the first hand begins."""


@dataclass
class Played:
    """A hand as it went, and what is needed to play its twin."""

    stage: Stage
    run: Run
    start: Table
    actions: list[tuple[int, Action]]
    script: Script
    hand: int = 0


async def on_stage(case: Case, minds: list[Mind], extra: Extra, until: float | None) -> tuple[Stage, Run]:
    """Hand after hand, the last one until a time."""
    store = Unstored() if extra.url is None else await Store.open(extra.url)
    stage = Stage(store, case.walls, case.seed)
    clients = await seated(stage, case.cast, rules=case.rules, spectators=True, next_hand_seconds=0)
    run = Run(stage, case, clients, minds[0])
    run.probes = probes(case.seed, case.cast.you)
    for name in LISTENERS:
        run.others[name] = await stage.connect(name, CODE)
    await run.others["wes"].send(wire.Watch())
    extra.hook(stage, run)
    for number, mind in enumerate(minds):
        run.next_hand(mind)
        await all_ready(run.clients, case.cast)
        await run.to(until if number == len(minds) - 1 else None, number)
    heard = {name: list(frames) for name, frames in stage.heard.items()}
    await stage.stop()
    stage.heard = heard  # without the good-byes
    if extra.url is not None:
        await store.close()
    return stage, run


def play(case: Case, monkeypatch: pytest.MonkeyPatch, extra: Extra | None = None, hand: int = 0) -> Played:
    """Hands of people and real bots; the last one, of this number, is the one to look at."""
    fixed_names(monkeypatch)
    hows: list[Any] = []

    def noting(*row: Any) -> Any:
        if row[1] == hand:
            hows.append(row[5])
        return acted(*row)

    monkeypatch.setattr(course, "acted", noting)
    minds = [Mind(case, wins=number < hand) for number in range(hand + 1)]
    stage, run = asyncio.run(on_stage(case, minds, extra or Extra(), None))
    played = run.hands[hand]
    start = played.place.table(played.table.rules, case.cast.players, played.deal)
    minds[-1].look_back(start, played.table.actions, hows)
    return Played(stage, run, start, played.table.actions, minds[-1].script, hand)


def play_twin(
    case: Case, first: Played, until: float, monkeypatch: pytest.MonkeyPatch, extra: Extra | None = None
) -> tuple[Stage, Run]:
    """The same under another wall: people and bots do in public what they did."""
    fixed_names(monkeypatch)
    bots = type("Scripted", (ScriptedBot,), {"script": first.script if first.hand == 0 else None})
    monkeypatch.setattr(course, "Bot", bots)

    class Last(Echo):
        """From its hand on, bots keep to the script as well."""

        def own(self, table: Table, seat: int) -> Any:
            bots.script = first.script
            return super().own(table, seat)

    minds = [*(Mind(case, wins=True) for _ in range(first.hand)), Last(case, first.script)]
    return asyncio.run(on_stage(case, minds, extra or Extra(), until))


def twins(case: Case, first: Played, wanted: int) -> Iterator[tuple[Case, int, float]]:
    """The case under other walls: up to which decision, and until when, the same must be seen by whoever sees
    what the tested seat sees."""
    rng, last = Random(case.seed), max(first.run.turned)
    ends = [key for key in first.run.turned if key < last] or [last]
    found = 0
    for _ in range(60):
        upto = last if rng.random() < 0.3 else rng.choice(ends[len(ends) // 3 :])
        wall = twin_wall(case, first.start, first.actions, first.script, upto, rng)
        if wall is not None and wall != first.start.wall:
            walls = [*case.walls[: first.hand], wall]
            at = first.run.turned[upto]
            # When the hand is over all hands lie open: just before.
            yield replace(case, walls=walls), upto, at - 1e-9 if upto == last else at
            found += 1
        if found == wanted:
            return


LISTENERS = ("gus", "wes")


def first_difference(names: tuple[str, ...], one: Stage, other: Stage, until: float) -> str | None:
    """Where two runs sound different; None if nowhere."""
    for name in names:
        left, right = one.before(name, until), other.before(name, until)
        for heard, again in zip(left, right, strict=False):
            if heard != again:
                return f"{name} hears\n{heard}\nor\n{again}"
        if len(left) != len(right):
            return f"{name} hears {len(left)} or {len(right)} messages; {(left + right)[-1]}"
    return None


def ears(case: Case) -> tuple[str, ...]:
    return (case.cast.name(case.cast.you), *LISTENERS)


@dataclass
class Tally:
    """How much a test has held against each other, and what it met."""

    twins: int = 0
    met: Counter[str] = field(default_factory=Counter)


def compare(
    case: Case, monkeypatch: pytest.MonkeyPatch, wanted: int = 2, tally: Tally | None = None, hand: int = 0
) -> str | None:
    """The first difference between a hand and its twins."""
    with monkeypatch.context() as patch:
        first = play(case, patch, hand=hand)
    for twin, upto, until in twins(case, first, wanted):
        with monkeypatch.context() as patch:
            stage, _ = play_twin(twin, first, until, patch)
        if (difference := first_difference(ears(case), first.stage, stage, until)) is not None:
            return f"seed {case.seed}, up to {upto}: {difference}"
        if tally is not None:
            tally.twins += 1
            tally.met.update(meets(case, first, twin.walls[-1], upto))
    return None


# ---------------------------------------------------------------- what is met


def meets(case: Case, first: Played, wall: tuple[int, ...], upto: int) -> Iterator[str]:
    """What two worlds have in common and what tells them apart, step by step."""
    one, other, you = first.start, restarted(first.start, wall), case.cast.you
    for before, after, step in steps(first.start, first.actions):
        if before.phase != Phase.GA and key_of(before) >= upto:
            return
        yield from things(case, one, step)
        if before.phase == Phase.TURN:
            yield from asked_apart(case, one, other, step[0], you)
        other = other.clone()
        take_step(case, other, step, first.script)
        one = after


def things(case: Case, table: Table, step: list[tuple[int, Action]]) -> Iterator[str]:
    t, you = table.raw, case.cast.you
    if table.phase == Phase.GA:
        yield "ga"
        return
    others = [seat for seat in range(table.players) if seat != you]
    if any(t.held_flowers[seat] for seat in others):
        yield "flowers in another's hand"
    for seat in others:
        if MeldKind.CONCEALED_KONG in t.meld_kind[seat, : t.n_melds[seat]].tolist():
            yield "a shown kong" if table.rules.show_concealed_kongs else "a hidden kong"
        if t.is_ready[seat]:
            yield "a ready hand"
    yield f"a turn of {case.cast.roles[int(t.turn)]}"
    for seat, action in step[1:]:
        if seat == you:
            yield "you pass" if action.text == "pass" else "you claim"


def asked_apart(case: Case, one: Table, other: Table, put: tuple[int, Action], you: int) -> Iterator[str]:
    """Who is asked in one world but not in the other."""
    worlds = [table.clone() for table in (one, other)]
    asks: list[dict[int, int]] = []
    for table in worlds:
        table.act(*put)
        window = table.phase in WINDOW
        asks.append({s: int(table.raw.ask[s]) for s in table.legal() if s != you} if window else {})
    for seat in set(asks[0]) ^ set(asks[1]):
        yield f"{case.cast.roles[seat]} is asked in one world only"
    if bool(asks[0]) != bool(asks[1]):
        yield "somebody is asked in one world only"
        if you in worlds[0].legal():
            yield "you and another, or you alone"
        if worlds[0].phase == Phase.ROB or worlds[1].phase == Phase.ROB:
            yield "a robbery in one world only"
    if any(ask & Ask.WIN for ask in [*asks[0].values(), *asks[1].values()]):
        yield "a win passed up in secret"


# ---------------------------------------------------------------- seats, guests and spectators


def cases() -> Iterator[Case]:
    for seed in range(amount(24, 2, 3000)):
        yield case(seed, "rob" if seed % 3 == 2 else None)


def test_a_seat_hears_the_same_whatever_is_hidden_from_it(monkeypatch: pytest.MonkeyPatch) -> None:
    tally = Tally()
    for one in cases():
        difference = compare(one, monkeypatch, amount(2, 1), tally)
        assert difference is None, difference
    assert tally.twins > amount(24, 0)
    # Otherwise this would prove little.
    assert not COMPILED or set(tally.met) >= {
        *("ga", "flowers in another's hand", "a shown kong", "a hidden kong", "a ready hand"),
        *("a turn of you", "a turn of human", "a turn of bot", "a turn of auto", "you pass", "you claim"),
        *("human is asked in one world only", "bot is asked in one world only"),
        *("auto is asked in one world only", "somebody is asked in one world only"),
        *("you and another, or you alone", "a win passed up in secret"),
    }


def test_spectators_of_the_hand_before_learn_nothing_of_this_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """While the hand before is on show, the present one is other than it was; nor do players learn more."""
    tally = Tally()
    for seed in range(5000, 5000 + amount(4, 1, 200)):
        short = case(seed, "near")
        more = replace(short, walls=[*short.walls, ()])
        difference = compare(more, monkeypatch, 2 if amount(1, 0) else 1, tally, hand=1)
        assert difference is None, difference
    assert tally.twins


def test_the_wall_that_was_never_drawn_is_never_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """When the hand is over, not even then: to nobody at the table, neither in this hand nor in the next."""
    for seed in range(6000, 6000 + amount(5, 1, 200)):
        one = case(seed)
        with monkeypatch.context() as patch:
            first = play(one, patch)
        t = first.run.hands[0].table.raw
        last = list(first.start.wall)
        left = [place for place in range(len(last)) if last[place] < 34][int(t.head) + 8 : int(t.tail) - 8]
        undrawn = [place for place in left if int(t.head) <= place < int(t.tail) - 1]
        tiles = [last[place] for place in undrawn]
        Random(seed).shuffle(tiles)
        for place, tile in zip(undrawn, tiles, strict=True):
            last[place] = tile
        with monkeypatch.context() as patch:
            twin = play(one.with_walls([tuple(last)]), patch)
        names = (*(one.cast.name(seat) for seat in one.cast.people), *LISTENERS)
        assert first_difference(names, first.stage, twin.stage, 1e9) is None


# ---------------------------------------------------------------- HTTP


Answers = list[tuple[float, bytes]]


def asking_over_http(answers: Answers) -> Callable[[Stage, Run], None]:
    """Whatever the pages about a match are made of, whenever it changes."""

    def hook(stage: Stage, run: Run) -> None:
        async def watch() -> None:
            if stage.hand is None:
                return
            store, match = stage.store, stage.hand.match
            found = [
                await store.match(match),
                await store.hands(match),
                await store.hand(match, 0),
                await store.record(match, 0),
                await store.matches_of(run.cast.name(run.cast.you)),
            ]
            told = msgspec.json.encode(found)
            if not answers or answers[-1][1] != told:
                answers.append((stage.clock.time, told))

        run.watch = watch

    return hook


def secrets_of(stage: Stage, first: Played) -> dict[str, str]:
    """What nobody may read anywhere while the hand is on."""
    shuffle = stage.host.around.shuffles()
    t = first.start.raw
    hands = {f"hand {seat}": text_of_hand(first.start, seat) for seat in range(first.start.players)}
    seed = type(shuffle).from_number(stage.seed, 0).seed
    secrets = {"wall": text_of(first.start.wall), "seed": seed.hex(), "nonce": "nonce "}
    return secrets | {name: hand for name, hand in hands.items() if hand and t.phase != Phase.GA}


def text_of_hand(table: Table, seat: int) -> str:
    kinds = table.raw.hand[seat].tolist()
    return text_of([kind for kind, n in enumerate(kinds) for _ in range(n)])


def test_http_tells_nothing_of_a_hand_that_is_on(monkeypatch: pytest.MonkeyPatch, tmp_path: Any) -> None:
    """The same answers under either wall; the record only when the hand is over, and then whole."""
    found = 0
    for seed in (2, 7)[: amount(2, 1)]:
        one, answers = case(seed), []
        url = f"sqlite:///{tmp_path}/{seed}"
        with monkeypatch.context() as patch:
            first = play(one, patch, Extra(f"{url}a.sqlite3", asking_over_http(answers)))
        secrets = secrets_of(first.stage, first)
        over = first.run.hands[0].acts[-1][0]
        for time, told in answers:
            for name in ("wall", "seed", "nonce"):
                assert (secrets[name] in told.decode()) == (time >= over), name
            if time < over:
                assert not [name for name, secret in secrets.items() if secret in told.decode()]
        for number, (twin, _, until) in enumerate(twins(one, first, 1)):
            again: Answers = []
            with monkeypatch.context() as patch:
                play_twin(twin, first, until, patch, Extra(f"{url}{number}.sqlite3", asking_over_http(again)))
            sooner = min(until, over - 1e-9)
            assert [a for a in answers if a[0] <= sooner] == [a for a in again if a[0] <= sooner]
            found += 1
    assert found


# ---------------------------------------------------------------- logs


@pytest.fixture
def quiet_afterwards() -> Iterator[None]:
    """Logging as it was."""
    import logging

    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    yield
    root.handlers[:], root.level = handlers, level
    structlog.reset_defaults()


Lines = list[tuple[float, str]]


def faulty(lines: Lines, faults: set[int]) -> Callable[[Stage, Run], None]:
    """Log everything, and let storage break in some turns, with errors that quote all there is to know."""

    def hook(stage: Stage, run: Run) -> None:
        left = set(faults)

        def write(line: str) -> None:
            lines.append((stage.clock.time, re.sub(r'"timestamp": *"[^"]*"', "", line)))

        def fail() -> None:
            hand = stage.hand
            if hand is not None and hand.table.phase == Phase.TURN and key_of(hand.table) in left:
                left.remove(key_of(hand.table))
                hands = [text_of_hand(hand.table, seat) for seat in range(hand.table.players)]
                raise RuntimeError(f"{text_of(hand.table.wall)} {hands} {hand.table.raw} nonce 0 {write}")

        logs.configure("json", "debug", write)
        stage.store.fail = fail

    return hook


def logged_twice(one: Case, monkeypatch: pytest.MonkeyPatch) -> tuple[int, list[str], str | None]:
    """Lines logged, secrets in them, and a difference between two worlds."""
    lines: Lines = []
    with monkeypatch.context() as patch:
        first = play(one, patch, Extra(hook=faulty(lines, {2, 5})))
    text = "\n".join(line for _, line in lines)
    pieces = [
        secret[i : i + 12] for secret in secrets_of(first.stage, first).values() for i in range(0, 99, 6)
    ]
    leaked = [piece for piece in pieces if len(piece) > 5 and piece in text]
    for twin, _, until in twins(one, first, 1):
        again: Lines = []
        with monkeypatch.context() as patch:
            stage, _ = play_twin(twin, first, until, patch, Extra(hook=faulty(again, {2, 5})))
        assert first_difference(ears(one), first.stage, stage, until) is None
        if [line for line in lines if line[0] <= until] != [line for line in again if line[0] <= until]:
            return len(lines), leaked, "the logs differ"
    return len(lines), leaked, None


@pytest.mark.usefixtures("quiet_afterwards")
def test_the_log_tells_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    written = 0
    for seed in range(7000, 7000 + amount(5, 1)):
        count, leaked, difference = logged_twice(case(seed), monkeypatch)
        assert leaked == []
        assert difference is None
        written += count
    assert written


@pytest.mark.usefixtures("quiet_afterwards")
def test_a_log_that_tells_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    def all_of_it(_logger: Any, _method: str, line: Any) -> Any:
        error = line.pop("exc_info", None)
        return {key: str(value) for key, value in line.items()} | {"error": str(logs._exception(error))}

    monkeypatch.setattr(logs, "only_known", all_of_it)
    assert any(logged_twice(case(seed), monkeypatch)[1] for seed in range(7000, 7000 + amount(4, 1)))


# ---------------------------------------------------------------- chance


def test_chance_comes_from_the_system() -> None:
    """Numbers of a generator that can be computed would tell by the one what the others were."""
    around = Surroundings(None, None, None, None, 1)  # type: ignore[arg-type]
    assert isinstance(around.pauses, SystemRandom)
    assert isinstance(around.minds, SystemRandom)


# ---------------------------------------------------------------- leaks that must be found


def no_pause(patch: pytest.MonkeyPatch) -> None:
    """What follows is shown at once where nobody may claim."""

    def put_down(
        self: LiveHand, before: Any, seat: int, action: Any, until: float, now: float, still: bool
    ) -> Any:
        self.resume_at = now
        return Showing.ALL

    patch.setattr(LiveHand, "_put_down", put_down)


def one_count(patch: pytest.MonkeyPatch) -> None:
    """Messages of all players are counted together."""
    numbers = count(1)
    patch.setattr(Channel, "number", lambda self: next(numbers))


def anothers_tiles(patch: pytest.MonkeyPatch) -> None:
    """One sees what the next seat holds."""
    mine = LiveHand.mine

    def both(self: LiveHand, now: float) -> list[msgspec.Raw]:
        told = [msgspec.json.decode(one, type=wire.Mine) for one in mine(self, now)]
        for seat, one in enumerate(told):
            flowers = text_of_hand(self.table, (seat + 1) % self.table.players)[:2]
            told[seat] = msgspec.structs.replace(one, flowers=flowers)
        return [msgspec.Raw(wire.encode(one)) for one in told]

    patch.setattr(LiveHand, "mine", both)


def asked_is_explained(patch: pytest.MonkeyPatch) -> None:
    """Who acts without being asked learns from the refusal whether anybody is."""

    def told(self: Course, hand: LiveHand, seat: int, tried: str) -> Exception:
        open_still = hand.table.phase in WINDOW
        return (
            Problem(Refusal.NOT_NOW, "others are asked") if open_still else Problem(Refusal.STALE, "decided")
        )

    patch.setattr(Course, "_not_asked", told)


def answer_shows_the_truth(patch: pytest.MonkeyPatch) -> None:
    """Who passes sees at once what that costs him, but only while others are still asked."""
    answer = LiveHand._answer

    def shown(self: LiveHand, seat: int, now: float, open_still: bool) -> Showing:
        if open_still:
            self.shown, self.views, self.encoded = self.table, None, None
        return answer(self, seat, now, open_still)

    patch.setattr(LiveHand, "_answer", shown)


def commands_end_the_pause(patch: pytest.MonkeyPatch) -> None:
    """Whatever changes the room first shows what is true."""

    async def show_now(self: Course) -> None:
        if self.agenda.when("show") is not None:
            await self._show()

    patch.setattr(Course, "show_now", show_now)


def answers_end_auto_play(patch: pytest.MonkeyPatch) -> None:
    """Who is on auto-play and lets a tile pass himself is seen to be back."""
    take = Course._take

    async def seen(self: Course, seat: int, action: Action, how: Any, received: float) -> None:
        secret = self.hand is not None and self.hand.table.phase in WINDOW and how == course.How.PLAYER
        await take(self, seat, action, how, received)
        if secret and self.state.seats[seat].auto:
            self.state.seats[seat].auto = False
            self.tell_room()

    patch.setattr(Course, "_take", seen)


def one_generator(patch: pytest.MonkeyPatch) -> None:
    """Pauses are drawn from the numbers that bots who are asked in secret draw from too."""
    around = Stage.surroundings

    def shared(self: Stage, generation: int) -> Surroundings:
        random = Random(self.seed)
        return replace(around(self, generation), pauses=random, minds=random)

    patch.setattr(Stage, "surroundings", shared)


def pause_only_if_asked(patch: pytest.MonkeyPatch) -> None:
    """A pause is twice as long where somebody thinks."""
    take = LiveHand.take

    def longer(self: LiveHand, after: Table, seat: int, action: Action, now: float, pause: Any) -> Showing:
        asked = after.phase in WINDOW
        return take(self, after, seat, action, now, lambda: pause() * (1.5 if asked else 1.0))

    patch.setattr(LiveHand, "take", longer)


LEAKS = (
    *(
        no_pause,
        one_count,
        anothers_tiles,
        asked_is_explained,
        answer_shows_the_truth,
        commands_end_the_pause,
    ),
    *(answers_end_auto_play, one_generator, pause_only_if_asked),
)


@pytest.mark.parametrize("leak", LEAKS, ids=lambda leak: leak.__name__)
def test_a_leak_is_found_out(
    leak: Callable[[pytest.MonkeyPatch], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    if not COMPILED and leak not in (one_count, anothers_tiles):
        pytest.skip("needs many hands")
    leak(monkeypatch)
    assert any(compare(one, monkeypatch) is not None for one in cases())
