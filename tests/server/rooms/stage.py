"""A live hand that can be played twice: the same commands at the same times, under walls of one's choice.

Everything that a room draws by chance comes from here, so that two runs differ in nothing but their walls.
"""

import heapq
from collections.abc import Awaitable, Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field, replace
from itertools import count
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest

from hainan import wire
from hainan.bots.policies import Policy
from hainan.bots.seats import Bot
from hainan.engine.record import Phase
from hainan.rules.actions import Act, Action
from hainan.rules.options import Rules
from hainan.rules.terms import MeldKind
from hainan.rules.tiles import parse
from hainan.server import course
from hainan.server.exchange import Attach
from hainan.server.live import LiveHand, fallback
from hainan.server.room import Surroundings
from hainan.server.state import Seat, opening_state
from hainan.server.store import How
from hainan.server.store import Room as RoomRow
from hainan.shuffle import Deal, Shuffle
from hainan.table import IllegalAction, Table
from tests.oracle import referee
from tests.server.scene import Client, FakeClock, Scene

WINDOW = (Phase.CLAIM, Phase.ROB)
QUICK = 0.3
"""Passes that are to go unnoticed come before this; the shortest pause is 0.4."""
CODE = "123456"
NEVER = 1000.0


# ---------------------------------------------------------------- chance


@dataclass(frozen=True)
class Stacked(Shuffle):
    """A shuffle with the same seed and commitment whatever its wall."""

    wall: tuple[int, ...] = ()

    def with_nonces(self, nonces: Any) -> "Stacked":
        return replace(self, nonces=tuple(nonces))

    def deal(self, rules: Rules, players: int = 4) -> Deal:
        deal = super().deal(rules, players)
        return replace(deal, wall=self.wall) if self.wall else deal


class Moments(Random):
    """Numbers that depend on the moment and the range alone.

    A server draws each anew, from the system: what was drawn before changes nothing about its chances. Two
    runs are held against each other where chance falls the same.
    """

    def __init__(self, clock: FakeClock, seed: int) -> None:
        super().__init__(seed)
        self._clock, self._seed = clock, seed

    def uniform(self, a: float, b: float) -> float:
        return Random(f"{self._seed} {self._clock.now()!r} {a} {b}").uniform(a, b)

    def getrandbits(self, k: int) -> int:
        return 1


class Unstored:
    """A store that forgets: for runs in which nothing is read back."""

    def __init__(self) -> None:
        self.state: str | None = None
        self.fail: Callable[[], None] = lambda: None

    async def create_room(self, owner: str | None, listed: bool, state: str, at: int | None = None) -> str:
        self.state = state
        return CODE

    async def room(self, code: str) -> RoomRow | None:
        assert self.state is not None
        return RoomRow(CODE, None, False, self.state, 0, 0, None)

    async def unfinished(self, code: str | None = None) -> list[Any]:
        return []

    async def commit(self, *writes: Any) -> None:
        self.fail()


# ---------------------------------------------------------------- the stage


class Ear(Client):
    """A client whose player's ear notes every byte and when it came."""

    scene: "Stage"

    def deliver(self, message: bytes) -> None:
        self.scene.heard.setdefault(self.player, []).append(
            (self.scene.clock.time, self.connection, bytes(message))
        )
        super().deliver(message)
        if isinstance(self.messages[-1], wire.Table):
            self.scene.tables.setdefault(self.player, []).append(self.messages[-1])

    def close(self, code: wire.Refusal, why: str) -> None:
        heard = self.scene.heard.setdefault(self.player, [])
        heard.append((self.scene.clock.time, self.connection, f"closed: {code} {why}".encode()))
        super().close(code, why)


class Stage(Scene):
    """A scene with walls of one's choice, one for each hand; the rest are shuffled."""

    def __init__(self, store: Any, walls: list[tuple[int, ...]], seed: int = 0) -> None:
        self.walls = walls
        self.heard: dict[str, list[tuple[float, str, bytes]]] = {}
        self.tables: dict[str, list[wire.Table]] = {}
        """What each player has been shown, over all his connections."""
        self._hands = count()
        super().__init__(store, seed)

    def surroundings(self, generation: int) -> Surroundings:
        return replace(
            super().surroundings(generation), minds=Moments(self.clock, self.seed), shuffles=self._shuffle
        )

    def _shuffle(self) -> Shuffle:
        n = next(self._hands)
        seed = Shuffle.from_number(self.seed, n).seed
        return Stacked(seed, wall=self.walls[n] if n < len(self.walls) else ())

    async def connect(self, player: str, room: str) -> Ear:
        client = Ear(self, player, room, f"c{next(self._connections)}")
        self.exchange.connect(client.connection, client.deliver, client.close)
        await client.send(Attach())
        return client

    @property
    def hand(self) -> LiveHand | None:
        room = self.host.rooms.get(CODE)
        return room.hand if room is not None else None

    def before(self, player: str, time: float) -> list[tuple[float, str, bytes]]:
        """What a player heard until a time, or before it where the time is negative."""
        return [heard for heard in self.heard.get(player, []) if heard[0] <= time]


def fixed_names(monkeypatch: pytest.MonkeyPatch) -> None:
    """The names of rooms and matches, which are random, the same in every run."""
    numbers = count()
    monkeypatch.setattr(course, "new_id", lambda: f"{next(numbers):032x}")
    monkeypatch.setattr("hainan.server.store.rooms.secrets", SimpleNamespace(randbelow=lambda n: int(CODE)))


# ---------------------------------------------------------------- who plays


@dataclass(frozen=True)
class Cast:
    """Who sits where: ``you``, whose ear is tested, people, players on auto-play, bots."""

    roles: tuple[str, ...]

    @property
    def players(self) -> int:
        return len(self.roles)

    @property
    def you(self) -> int:
        return self.roles.index("you")

    def of(self, role: str) -> list[int]:
        return [seat for seat, other in enumerate(self.roles) if other == role]

    @property
    def people(self) -> list[int]:
        return sorted([self.you, *self.of("human"), *self.of("auto")])

    def name(self, seat: int) -> str:
        return f"{self.roles[seat]}{seat}"

    @classmethod
    def at_random(cls, rng: Random, players: int) -> "Cast":
        others = rng.choices(("human", "bot", "auto"), (6, 3, 1), k=players - 1)
        roles = ["you", *others]
        rng.shuffle(roles)
        return cls(tuple(roles))


@dataclass(frozen=True)
class Case:
    """What a run is made of."""

    seed: int
    rules: dict[str, Any]
    cast: Cast
    walls: list[tuple[int, ...]]
    bias: str

    def with_walls(self, walls: list[tuple[int, ...]]) -> "Case":
        return replace(self, walls=walls)


def case(seed: int, bias: str | None = None, sheet: dict[str, Any] | None = None) -> Case:
    """A made-up sheet, cast and wall, the last with a liking for rare things."""
    rng = Random(seed)
    bias = bias or rng.choice([*referee.BIASES, "rob", "near", "near", "triplets"])
    record = {"dealer": -1}
    while record["dealer"] != 0:
        with suppress(IndexError):  # a wall that can't be stacked so under this sheet
            record = referee.random_record(rng, bias)
    rules = record["rules"] | {"first_dealer": "host"} | (sheet or {})
    rules.pop("rounds", None)
    rules["hands"] = 3
    if rng.random() < 0.4:
        rules["show_concealed_kongs"] = True
    if rng.random() < 0.3:
        rules["missed_win"] = rng.choice(("locked", "higher_only"))
    cast = Cast.at_random(rng, record["players"])
    return Case(seed, rules, cast, [tuple(parse(record["wall"]))], bias)


async def seated(stage: Stage, cast: Cast, **settings: Any) -> dict[int, Ear]:
    """The room with the cast seated, the match begun and everybody ready."""
    players = [Seat(player=cast.name(s), name=cast.name(s).title()) for s in range(cast.players)]
    seats = [Seat(bot="greedy") if cast.roles[s] == "bot" else players[s] for s in range(cast.players)]
    sheet = wire.Settings(players=cast.players, **settings)
    owner = cast.name(cast.you)
    state = opening_state(sheet, owner, seats)
    room = await stage.store.create_room(owner, sheet.listed, state.to_json())
    assert room == CODE
    clients = {seat: await stage.connect(cast.name(seat), room) for seat in cast.people}
    await clients[cast.you].send(wire.Start())
    for seat in cast.of("auto"):
        await clients[seat].send(wire.Auto(on=True))
    return clients


async def all_ready(clients: dict[int, Ear], cast: Cast) -> None:
    for seat in sorted([*cast.of("human"), cast.you]):
        await clients[seat].send(wire.Ready(nonce=f"nonce {seat}"))


# ---------------------------------------------------------------- what is decided


def key_of(table: Table) -> int:
    """How many decisions have been taken in turns: everybody sees that."""
    t = table.raw
    made = int(t.n_discards) + (t.phase == Phase.ROB)
    for seat in range(table.players):
        kinds = t.meld_kind[seat, : t.n_melds[seat]].tolist()
        made += kinds.count(MeldKind.CONCEALED_KONG) + kinds.count(MeldKind.ADDED_KONG)
    return made


def key_of_view(view: wire.TableView) -> tuple[int, str]:
    """The same of what a client sees, and the phase."""
    melds = [meld.kind for seat in view.seats for meld in seat.melds]
    kongs = melds.count("concealed_kong") + melds.count("added_kong")
    return len(view.order) + kongs + (view.phase == "rob"), view.phase


@dataclass
class Choice:
    """An answer, and how long it took."""

    delay: float
    action: Action
    automatic: bool = False
    """Taken by the clock or by auto-play."""


@dataclass
class Script:
    """What was decided in a hand, as far as everybody or the tested seat can know it."""

    own: dict[tuple[int, int], Choice] = field(default_factory=dict)
    """In turns and for ga (-1), by key and seat: all public in the end."""
    yours: dict[int, Choice] = field(default_factory=dict)
    """The tested seat's answers to others' tiles."""
    claims: dict[tuple[int, int], Choice] = field(default_factory=dict)
    """Answers by others that took the tile."""
    slow: dict[int, float] = field(default_factory=dict)
    """How long the last pass of others took, where it was to be noticed."""
    sleepy: int = -1
    """Who lets his time run out in his own turns, now and then: auto-play may answer for him."""


Plan = dict[int, Choice]
"""What each seat answers to a tile."""


class Mind:
    """Decides for everybody at the table but the bots, at random, and notes it."""

    def __init__(self, case: Case, wins: bool = False) -> None:
        self.case, self.cast, self.script = case, case.cast, Script()
        self._wins = wins
        """Whether a win is taken at once, for a short hand."""
        self._rng = Random(case.seed + 77)
        self.script.sleepy = self._rng.choice([-1, -1, *case.cast.of("human"), case.cast.you])
        self.answered: dict[tuple[int, int], Choice] = {}

    def own(self, table: Table, seat: int) -> Choice:
        rng, legal = self._rng, table.legal()[seat]
        fate = rng.random()
        delay = rng.uniform(0.3, 3.0)
        if seat == self.script.sleepy and fate < 0.5:
            delay = NEVER
        elif table.phase == Phase.TURN and fate < 0.04:
            delay = 21 + rng.uniform(0, 4)
        key = -1 if table.phase == Phase.GA else key_of(table)
        choice = self.script.own[key, seat] = Choice(delay, self._liked(table, legal))
        return choice

    def _liked(self, table: Table, legal: list[Action]) -> Action:
        rest = [action for action in legal if action != Act.WIN] or legal
        if len(rest) < len(legal) and (self._wins or table.raw.n_discards > 45):
            return legal[-1]
        lead = Act.DISCARD + int(table.raw.lead_tile)
        if self.case.bias == "follow" and lead in [int(action) for action in rest]:
            return next(action for action in rest if action == lead)
        bold = [action for action in rest if action >= Act.READY]
        return self._rng.choice(bold if bold and self._rng.random() < 0.7 else rest)

    def answers(self, table: Table) -> Plan:
        """Of all people who are asked about a tile, together, for one's claim waits for another's pass."""
        rng, legal, key = self._rng, table.legal(), key_of(table)
        asked = [seat for seat in legal if self.cast.roles[seat] in ("you", "human")]
        plan = {seat: Choice(rng.uniform(0.02, QUICK), legal[seat][-1]) for seat in asked}
        if self.cast.you in plan:
            plan[self.cast.you].delay = rng.uniform(0.02, 0.39) if rng.random() < 0.7 else rng.uniform(1, 4)
        able = {seat: [a for a in legal[seat][:-1] if self._wins or a != Act.WIN] for seat in asked}
        claimers = [seat for seat in asked if able[seat]]
        # Two at once: but who could win keeps the others waiting, which is seen.
        several = [seat for seat in claimers if Act.WIN not in legal[seat]]
        kind = rng.random()
        if claimers and kind < 0.45:
            for seat in several if several and rng.random() < 0.4 else [rng.choice(claimers)]:
                plan[seat] = Choice(rng.uniform(0.4, 2.0), rng.choice(able[seat]))
        elif kind > 0.9 and len(asked) == len(legal) and (others := self._slow(asked)):
            slowest = rng.choice(others)
            plan[slowest].delay = self.script.slow[key] = rng.uniform(1.0, 4.0)
        if self.cast.you in plan:
            self.script.yours[key] = plan[self.cast.you]
        self.answered |= {(key, seat): choice for seat, choice in plan.items()}
        return plan

    def _slow(self, asked: list[int]) -> list[int]:
        """Who may take his time over a pass, and be noticed."""
        return [seat for seat in asked if seat not in (self.cast.you, self.script.sleepy)]

    def look_back(self, start: Table, actions: list[tuple[int, Action]], hows: list[How]) -> None:
        """Note, of a hand that was played, what bots and the clock did, and who took tiles."""
        note(self.script, start, actions, hows, self.answered)


class Echo(Mind):
    """Decides as another run did, as far as that was to be seen; what wasn't, anew."""

    def __init__(self, case: Case, script: Script) -> None:
        super().__init__(case)
        self.script = script
        self._rng = Random(case.seed + 78)

    def own(self, table: Table, seat: int) -> Choice:
        key = -1 if table.phase == Phase.GA else key_of(table)
        return self.script.own.get((key, seat)) or Choice(NEVER, table.legal()[seat][0])

    def answers(self, table: Table) -> Plan:
        rng, legal, key = self._rng, table.legal(), key_of(table)
        asked = [seat for seat in legal if self.cast.roles[seat] == "human"]
        plan = {seat: Choice(rng.uniform(0.02, QUICK), legal[seat][-1]) for seat in asked}
        for seat in asked:
            if (key, seat) in self.script.claims:
                plan[seat] = self.script.claims[key, seat]
        if key in self.script.slow and (others := self._slow(asked)):
            plan[rng.choice(others)].delay = self.script.slow[key]
        if self.cast.you in legal and key in self.script.yours:
            plan[self.cast.you] = self.script.yours[key]
        return plan


class ScriptedBot:
    """A bot that decides as its like did in another run and passes otherwise; its own mind in other hands."""

    script: Script | None = None

    def __init__(self, policy: Policy, seed: int) -> None:
        self._bot = Bot(policy, seed)

    def choose(self, table: Table, seat: int) -> Action:
        if self.script is None:
            return self._bot.choose(table, seat)
        legal = table.legal()[seat]
        key = -1 if table.phase == Phase.GA else key_of(table)
        source = self.script.claims if table.phase in WINDOW else self.script.own
        choice = source.get((key, seat))
        return legal[-1] if choice is None else choice.action


# ---------------------------------------------------------------- playing

Probe = Callable[["Run"], Awaitable[None]]


async def nothing(*_: Any) -> None:
    pass


class Run:
    """One hand under way: decisions and probes at their times, at a room that takes them as they come."""

    def __init__(self, stage: Stage, case: Case, clients: dict[int, Ear], mind: Mind) -> None:
        self.stage, self.case, self.cast, self.clients, self.mind = stage, case, case.cast, clients, mind
        self.others: dict[str, Ear] = {}
        """Guests and spectators by name."""
        self.probes: Callable[[int, wire.TableView], Iterator[tuple[float, Probe]]] = lambda *_: iter(())
        self.turned: dict[int, float] = {}
        """When the tested seat saw the turn after so many decisions, or the end."""
        self.watch: Callable[[], Awaitable[None]] | None = None
        """Called whenever something has happened."""
        self.before_act: Callable[[int], Awaitable[None]] = nothing
        """Called before a seat decides."""
        self._queue: list[tuple[float, int, Callable[[], Awaitable[None]]]] = []
        self._numbers = count()
        self._planned: dict[int, int] = {}
        self._windows: set[tuple[int, int]] = set()
        self._seen: tuple[int, str] | None = None
        self._looked = 0
        self.hands: dict[int, LiveHand] = {}

    @property
    def you(self) -> Ear:
        return self.clients[self.cast.you]

    def at(self, time: float, what: Callable[[], Awaitable[None]]) -> None:
        heapq.heappush(self._queue, (time, next(self._numbers), what))

    async def to(self, until: float | None = None, hand: int = 0) -> None:
        """Play until a time, or until the tested seat has seen the end of the hand."""
        while True:
            self._plan(hand)
            self._look(hand)
            if self.watch is not None:
                await self.watch()
            timer = self.stage.clock.next_time()
            ours = self._queue[0][0] if self._queue else None
            when = min(time for time in (timer, ours, 1e18) if time is not None)
            if when > (1e17 if until is None else until) or (until is None and self._over(hand)):
                return
            if ours is not None and ours <= when:
                self.stage.clock.time = max(self.stage.clock.time, ours)
                await heapq.heappop(self._queue)[2]()
            else:
                await self.stage.tick()

    def _over(self, hand: int) -> bool:
        last = self.shown[-1] if self.shown else None
        return last is not None and (last.hand > hand or (last.hand == hand and last.table.phase == "over"))

    def _plan(self, number: int) -> None:
        """Decide for whom something new is asked."""
        hand = self.stage.hand
        if hand is None or hand.n != number:
            return
        self.hands[number] = hand
        table = hand.table
        if table.phase in WINDOW:
            key = number, key_of(table)
            if hand.offers and key not in self._windows:
                self._windows.add(key)
                for seat, choice in self.mind.answers(table).items():
                    self._send(hand, seat, choice)
            return
        for seat in table.legal():
            offer = hand.offers.get(seat)
            mine = self.cast.roles[seat] in ("you", "human")
            if mine and offer is not None and self._planned.get(seat) != offer.number:
                self._send(hand, seat, self.mind.own(table, seat))

    def _send(self, hand: LiveHand, seat: int, choice: Choice) -> None:
        offer = hand.offers[seat]
        self._planned[seat] = offer.number

        async def act() -> None:
            await self.before_act(seat)
            await self.clients[seat].send(wire.Act(offer=offer.number, action=choice.action.text))

        if choice.delay < NEVER:
            self.at(offer.since + choice.delay, act)

    @property
    def shown(self) -> list[wire.Table]:
        """What the tested seat has been shown."""
        return self.stage.tables.get(self.cast.name(self.cast.you), [])

    def _look(self, hand: int) -> None:
        """On what the tested seat sees hang the probes, and the moments up to which runs are compared."""
        for shown in self.shown[self._looked :]:
            self._looked += 1
            seen = key_of_view(shown.table)
            if shown.hand != hand or seen == self._seen:
                continue
            self._seen = seen
            key, phase = seen
            if phase in ("turn", "over"):
                self.turned.setdefault(key, self.stage.clock.time)
            for delay, probe in self.probes(key, shown.table):
                self.at(self.stage.clock.time + delay, lambda probe=probe: probe(self))

    def next_hand(self, mind: Mind) -> None:
        """Another hand begins, with other decisions."""
        self.mind, self.turned, self._seen = mind, {}, None


# ---------------------------------------------------------------- looking back


def steps(
    start: Table, actions: list[tuple[int, Action]]
) -> Iterator[tuple[Table, Table, list[tuple[int, Action]]]]:
    """A hand's public steps: the table before and after each, and the actions that it is made of: all choices
    of ga, or what was done in a turn with the answers to it."""
    table, at = start.clone(), 0
    while at < len(actions):
        before, step = table.clone(), []
        while at < len(actions) and (not step or table.phase in (*WINDOW, Phase.GA)):
            step.append(actions[at])
            table.act(*actions[at])
            at += 1
        yield before, table.clone(), step


def note(
    script: Script,
    start: Table,
    actions: list[tuple[int, Action]],
    hows: list[How],
    answered: dict[tuple[int, int], Choice],
) -> None:
    left = iter(hows)
    for before, after, step in steps(start, actions):
        how = [next(left) for _ in step]
        own = step if before.phase == Phase.GA else step[:1]
        key = -1 if before.phase == Phase.GA else key_of(before)
        for (seat, action), by in zip(own, how, strict=False):
            chosen = script.own.get((key, seat), Choice(NEVER, action))
            chosen.automatic = by in (How.TIME_OVER, How.AUTO)
            script.own[key, seat] = chosen
        if before.phase == Phase.TURN:
            opened = before.clone()
            opened.act(*step[0])
            for seat, action in takers(after, step[1:]):
                key = key_of(opened)
                script.claims[key, seat] = answered.get((key, seat), Choice(NEVER, action))


def takers(closed: Table, answers: list[tuple[int, Action]]) -> list[tuple[int, Action]]:
    """Who took a tile that was put down."""
    if closed.phase == Phase.OVER:
        return [(seat, action) for seat, action in answers if action == Act.WIN and closed.raw.won[seat]]
    turn = int(closed.raw.turn)
    return [(seat, action) for seat, action in answers if seat == turn and action != Act.PASS]


# ---------------------------------------------------------------- another hand, the same to one seat


def twin_wall(
    case: Case, start: Table, actions: list[tuple[int, Action]], script: Script, upto: int, rng: Random
) -> tuple[int, ...] | None:
    """A wall under which a hand goes on as it did for whoever sees what ``case.cast.you`` sees, until so many
    decisions have been taken in turns: the other hands and the wall to come have other tiles. None where this
    try isn't one."""
    tight, loose = hidden_places(start, actions, script, case.cast.you, upto)
    wall = list(start.wall)
    tiles = [wall[place] for place in tight + loose]
    flowers = [tile for tile in tiles if tile >= 34]
    others = [tile for tile in tiles if tile < 34]
    rng.shuffle(flowers)
    rng.shuffle(others)
    blooming = set(rng.sample(loose, len(flowers)))
    for place in tight + loose:
        wall[place] = (flowers if place in blooming else others).pop()
    return tuple(wall) if looks_alike(case, start, tuple(wall), actions, script, upto) else None


class Places:
    """Where each tile of the wall has gone, by its place in the wall."""

    def __init__(self, start: Table) -> None:
        self.wall = start.wall
        self.players = start.players
        self.live = list(range(len(start.wall)))
        self.hands: list[list[int]] = [[] for _ in range(start.players)]
        self.public: set[int] = set()
        self.kept: set[int] = set()
        """Of hands that are ready: others would have to wait as well."""
        self.waiting = set(range(start.players))
        """Who hasn't had a turn."""

    def deal(self, table: Table) -> None:
        dealer = int(table.raw.dealer)
        self.waiting.discard(dealer)
        for index in range(13 * self.players + 1):
            turn = index // 4 if index < 12 * self.players else index - 12 * self.players
            self.hands[(dealer + turn) % self.players].append(self.live.pop(0))
        if table.raw.indicator >= 0 and any(e["type"] == "indicator" for e in table.events()):
            back = max(place for place in self.live if self.wall[place] < 34)
            self.public |= {place for place in self.live if place >= back}
            self.live.remove(back)

    def follow(self, events: list[dict[str, Any]]) -> None:
        for event in events:
            kind, seat = event["type"], event.get("seat")
            if kind != "ga":
                self.waiting.discard(seat)
            if kind == "draw":
                self.hands[seat].append(self.live.pop(0 if event["source"] == "front" else -1))
            elif kind == "ready":
                self.kept |= set(self.hands[seat])
            elif kind in ("discard", "flower"):
                self.show(seat, parse(event["tile"]))
            elif kind == "kong" and not event.get("robbed"):
                four = event["kind"] == "concealed_kong"
                self.show(seat, parse(event["tile"]) * (4 if four else 3 if "from" in event else 1))
            elif kind == "pong":
                self.show(seat, parse(event["tile"]) * 2)
            elif kind == "chow":
                tiles = list(parse(event["tiles"]))
                tiles.remove(parse(event["tile"])[0])
                self.show(seat, tiles)

    def show(self, seat: int, tiles: Any) -> None:
        """Tiles leave a hand, those that came last first."""
        for tile in tiles:
            place = next(place for place in reversed(self.hands[seat]) if self.wall[place] == tile)
            self.hands[seat].remove(place)
            self.public.add(place)


def hidden_places(
    start: Table, actions: list[tuple[int, Action]], script: Script, you: int, upto: int
) -> tuple[list[int], list[int]]:
    """Places of the wall whose tiles a seat hasn't seen after so many decisions, and that may be exchanged;
    the first of the two can't hold flowers, which would have been laid out."""
    places, table = Places(start), start.clone()
    if table.phase != Phase.GA:
        places.deal(table)
        places.follow(table.events())
    for before, _, step in steps(start, actions):
        if before.phase != Phase.GA and key_of(before) >= upto:
            break
        table = before.clone()
        for taken in step:
            ga = table.phase == Phase.GA
            if taken == step[0] and table.phase == Phase.TURN and not table.raw.drawn:
                if script.own[key_of(table), taken[0]].automatic:
                    places.kept |= set(places.hands[taken[0]])  # its last kind is discarded
            table.act(*taken)
            if ga and table.phase != Phase.GA:
                places.deal(table)
            places.follow(table.events())
    gone = places.public | places.kept
    tight, loose = [], [place for place in places.live if place not in gone]
    for seat in range(start.players):
        mine = [place for place in places.hands[seat] if place not in gone]
        if seat != you and seat in places.waiting and start.rules.initial_flowers == "own_turn":
            loose += mine
        elif seat != you:
            tight += mine
    return tight, loose


def looks_alike(
    case: Case,
    start: Table,
    wall: tuple[int, ...],
    actions: list[tuple[int, Action]],
    script: Script,
    upto: int,
) -> bool:
    """Whether a seat sees the same of a hand under another wall, after every public step up to so many."""
    one, other = start, restarted(start, wall)
    for before, after, step in steps(start, actions):
        if not same_view(one, other, case.cast.you):
            return False
        if before.phase != Phase.GA and key_of(before) >= upto:
            return True
        other = other.clone()
        try:
            take_step(case, other, step, script)
        except (IllegalAction, StopIteration):
            return False
        one = after
        if after.phase == Phase.OVER:
            return other.phase == Phase.OVER
    return True


def restarted(start: Table, wall: tuple[int, ...]) -> Table:
    t = start.raw
    return Table(
        start.rules,
        start.players,
        wall=wall,
        dice=t.dice.tolist(),
        dealer=int(t.dealer),
        first_dealer=int(t.first_dealer),
        streak=int(t.streak),
        round_wind=int(t.round_wind),
        ga_floor=t.ga_floor.tolist(),
        hands_played=int(t.hands_played),
        rounds_played=int(t.rounds_played),
    )


def same_view(one: Table, other: Table, seat: int) -> bool:
    views = [table.masked_array(seat) for table in (one, other)]
    for view in views:
        view["event"], view["n_events"] = 0, 0  # answers that nobody saw come between them
    return bool(views[0].tobytes() == views[1].tobytes())


def take_step(case: Case, table: Table, step: list[tuple[int, Action]], script: Script) -> None:
    """A public step on another table: the same in turns, the same by who takes a tile; all others pass."""
    if table.phase == Phase.GA:
        for seat, action in step:
            table.act(seat, action)
        return
    seat, action = step[0]
    if script.own[key_of(table), seat].automatic and fallback(table, seat) != action:
        raise StopIteration
    table.act(seat, action)
    if table.phase not in WINDOW:
        if len(step) > 1 and any(action != Act.PASS for _, action in step[1:]):
            raise StopIteration
        if key_of(table) in script.slow:
            raise StopIteration
        return
    key, you = key_of(table), case.cast.you
    people = [other for other in table.legal() if case.cast.roles[other] == "human"]
    if key in script.slow and not set(people) - {script.sleepy}:
        raise StopIteration
    wanted = {seat: choice.action for (at, seat), choice in script.claims.items() if at == key}
    if you in table.legal() and key in script.yours:
        wanted.setdefault(you, script.yours[key].action)
    for seat in list(table.legal()):
        if seat not in wanted:
            table.act(seat, table.legal()[seat][-1])
    for seat, action in sorted(wanted.items(), key=lambda item: -item[1]):
        if table.phase in WINDOW:
            table.act(seat, action)
