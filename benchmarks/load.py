"""The load on a server: tables of four connected players who decide at a steady pace; a process of its own.

All four sockets of a table live here. A table takes one decision at a time, on a grid of one a second with a
random phase: what the server's own pause, a hand's end or the deal holds up is made good afterwards. The time
of a decision runs from its ``act`` being sent until the last of those who are told of it has the message: all
four seats, or its own seat alone where it only answered (then ``events`` is empty). Little is parsed: a frame
is searched for what matters, and only an offer is looked into.

``benchmarks/serving.py`` starts this and reads one line of JSON for each measured window.
"""

import argparse
import asyncio
import gc
import json
import logging
import random
import re
import sys
import time
from array import array
from collections import Counter
from dataclasses import asdict, dataclass, field
from http.cookiejar import DefaultCookiePolicy
from itertools import pairwise
from typing import Any, Final

import httpx
import numpy as np
import psutil
import uvloop
from picows import WSFrame, WSListener, WSMsgType, WSTransport, ws_connect

from hainan.server.process import raise_file_limit

SETTINGS: Final = {
    "rules": {"preset": "hainan", "hands": 1000},
    "turn_seconds": 600,
    "claim_seconds": 120,
    "bank_seconds": 3600,
    "next_hand_seconds": 5,
}
"""Matches that don't end, and clocks that don't run out."""
EVERY: Final = 1.0
"""Seconds from one decision of a table to its next."""
SOONEST: Final = 0.05
"""Nobody answers faster than that."""
BEHIND: Final = 3.0
"""What a table is behind its grid by more than this is given up: it doesn't hurry for ever."""
MISSING: Final = 5.0
"""A decision that somebody hasn't been told of after so many seconds is an error."""
AT_ONCE: Final = 24
"""Tables that are being set up at the same time."""
RSS_EVERY: Final = 30.0
CLAIMS: Final = 0.3
"""How often a tile is claimed by who may."""

_now: Final = time.perf_counter
_TABLE, _ROOM, _DONE = b'{"type":"table"', b'{"type":"room"', b'{"type":"done"'
_WELCOME, _REFUSED = b'{"type":"welcome"', b'{"type":"refused"'
_HAND: Final = re.compile(rb'"hand":(\d+)')
_CODE: Final = re.compile(rb'"code":"(\w+)"')


# ---------------------------------------------------------------- what is counted


@dataclass
class Window:
    """What was measured in a span of time."""

    tables: int
    seconds: float = 0.0
    decisions: int = 0
    p50: float = 0.0
    p99: float = 0.0
    most: float = 0.0
    """Milliseconds, as are p50 and p99."""
    errors: dict[str, int] = field(default_factory=dict)
    server_cores: float = 0.0
    rooms_cores: float = 0.0
    """Of these, in the process of the rooms."""
    load_cores: float = 0.0
    other_cores: float = 0.0
    """What the rest of the machine was busy with."""
    late_p99: float = 0.0
    """Milliseconds by which this process itself sent its acts late."""
    late_most: float = 0.0
    commits: float = 0.0
    """A second."""
    commit_ms: float = 0.0
    calls_a_commit: float = 0.0
    frames: float = 0.0
    """Sent by the server, for each decision."""
    rss: list[float] = field(default_factory=list)
    """Megabytes of the server: at the start, every 30 s, at the end."""
    hands: int = 0
    ramp_seconds: float = 0.0

    @property
    def cpu_ms(self) -> float:
        """The server's CPU for each decision."""
        return self.server_cores * self.seconds / max(self.decisions, 1) * 1000


class Tally:
    """What happens in the present window."""

    def __init__(self) -> None:
        """Nothing yet."""
        self.told = array("d")
        self.late = array("d")
        self.hands = 0


# ---------------------------------------------------------------- a table


class Seat(WSListener):
    """One socket of one player."""

    def __init__(self, table: "Table", index: int, token: str) -> None:
        """Not connected yet."""
        self.table, self.index, self.token = table, index, token
        self.transport: WSTransport | None = None
        self.told = 0
        """Messages to the whole table so far: they come to all four seats in the same order."""
        self.offer = b""
        self.legal: list[bytes] = []
        self.ready_for = b""
        self.done: asyncio.Future[None] | None = None

    def itself(self) -> "Seat":
        """What listens to the connection."""
        return self

    def say(self, message: bytes) -> None:
        """Send a command."""
        if self.transport is not None:
            self.transport.send(WSMsgType.TEXT, message)

    async def ask(self, message: bytes) -> None:
        """Send a command with a ``ref`` and wait until it is done."""
        self.done = asyncio.get_running_loop().create_future()
        self.say(message)
        await asyncio.wait_for(self.done, 60)

    def on_ws_frame(self, transport: WSTransport, frame: WSFrame) -> None:
        """Something came."""
        if frame.msg_type is not WSMsgType.TEXT:
            if frame.msg_type is WSMsgType.CLOSE:
                transport.disconnect()
            return
        data = frame.get_payload_as_bytes()
        if data.startswith(_TABLE):
            self._table(data)
        elif data.startswith(_ROOM):
            self._room(data)
        elif data.startswith(_DONE):
            if self.done is not None and not self.done.done():
                self.done.set_result(None)
        elif not data.startswith(_WELCOME):
            self._trouble(data)

    def on_ws_disconnected(self, transport: WSTransport) -> None:
        """No socket should end before the load does."""
        self.table.load.error("closed")
        if self.done is not None and not self.done.done():
            self.done.set_exception(RuntimeError("closed"))

    def _table(self, data: bytes) -> None:
        everybody = b'"events":[]' not in data
        self.told += everybody
        mine = data.rfind(b'"mine":{')
        at = data.find(b'"offer":', mine)
        if at < 0:
            self.offer = b""
        else:
            self.offer = data[at + 8 : data.find(b",", at)]
            first = data.find(b'"legal":["', at) + 10
            self.legal = data[first : data.find(b'"]', first)].split(b'","')
        self.table.heard(self, everybody)

    def _room(self, data: bytes) -> None:
        """Between two hands everybody is soon ready."""
        if b'"stage":"between"' not in data:
            return
        hand = _HAND.search(data)
        if hand is not None and hand[1] != self.ready_for:
            self.ready_for = hand[1]
            self.table.load.loop.call_later(random.uniform(0.1, 0.6), self._ready)

    def _ready(self) -> None:
        self.say(b'{"type":"ready","nonce":"%016x"}' % random.getrandbits(64))
        if self.index == 0:
            self.table.load.tally.hands += 1

    def _trouble(self, data: bytes) -> None:
        code = _CODE.search(data)
        self.table.load.error(code[1].decode() if code else data[:40].decode())
        if self.done is not None and not self.done.done():
            self.done.set_exception(RuntimeError(data.decode()))
        if data.startswith(_REFUSED):
            self.table.refused(self)


class Table:
    """Four seats, and the one decision that is under way."""

    def __init__(self, load: "Load") -> None:
        """Nobody sits here."""
        self.load = load
        self.seats: list[Seat] = []
        self.code = ""
        self.due = 0.0
        self.acting: Seat | None = None
        self.sent = 0.0
        self._awaited = 0
        self._alone = False
        self._timer = False

    # ------------------------------------------------------------ setting up

    async def open(self, http: httpx.AsyncClient) -> None:
        """Four guests, a room, four sockets, four seats, and the match begins."""
        tokens = [(await _call(http, "/api/players", {"name": f"P{n}"}))["token"] for n in range(4)]
        self.code = (await _call(http, "/api/rooms", {"settings": SETTINGS}, tokens[0]))["code"]
        self.seats = [Seat(self, n, token) for n, token in enumerate(tokens)]
        address = f"ws{str(http.base_url).removeprefix('http').rstrip('/')}/api/rooms/{self.code}/socket"
        for seat in self.seats:
            seat.transport, _ = await ws_connect(
                seat.itself, address, websocket_handshake_timeout=30, read_buffer_init_size=4096
            )
            seat.say(b'{"type":"hello","protocol":1,"token":"%s"}' % seat.token.encode())
            await seat.ask(b'{"type":"sit","seat":%d,"ref":1}' % seat.index)
        await self.seats[0].ask(b'{"type":"start","ref":2}')

    # ------------------------------------------------------------ decisions

    def heard(self, seat: Seat, everybody: bool) -> None:
        """A seat was told of the table."""
        if self.acting is not None:
            if seat is self.acting and not everybody:
                self._alone = True
            if self._alone or all(other.told >= self._awaited for other in self.seats):
                self.load.tally.told.append(_now() - self.sent)
                self.acting = None
        if self.acting is None:
            self.plan()

    def refused(self, seat: Seat) -> None:
        """A decision wasn't taken: another one is tried."""
        if seat is self.acting:
            self.acting = None
            self.plan()

    def plan(self) -> None:
        """The next decision, when it is due."""
        if self.load.playing and not self._timer and any(seat.offer for seat in self.seats):
            self._timer = True
            self.load.loop.call_later(
                max(self.due - _now(), SOONEST), self._act, max(self.due, _now() + SOONEST)
            )

    def _act(self, due: float) -> None:
        self._timer = False
        if not self.load.playing:
            return
        asked = [seat for seat in self.seats if seat.offer]
        if self.acting is not None or not asked:
            return
        seat = random.choice(asked) if len(asked) > 1 else asked[0]
        message = b'{"type":"act","offer":%s,"action":"%s"}' % (seat.offer, choose(seat.legal))
        seat.offer = b""
        self.acting, self._awaited, self._alone = seat, seat.told + 1, False
        self.sent = _now()
        self.load.tally.late.append(self.sent - due)
        self.due = max(self.due + EVERY, self.sent - BEHIND)
        seat.say(message)

    def overdue(self, now: float) -> bool:
        """Whether somebody was never told; then the table goes on."""
        if self.acting is None or now - self.sent < MISSING:
            return False
        self.acting = None
        self.plan()
        return True


def choose(legal: list[bytes]) -> bytes:
    """A win always, a claim now and then, else a random discard: hands with long rivers."""
    if b"win" in legal:
        return b"win"
    if legal[-1] == b"pass":
        return b"pass" if random.random() > CLAIMS else legal[int(random.random() * (len(legal) - 1))]
    return legal[int(random.random() * len(legal))]


async def _call(http: httpx.AsyncClient, path: str, body: Any, token: str = "") -> Any:
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    response = await http.post(path, json=body, headers=headers)
    response.raise_for_status()
    return response.json()


# ---------------------------------------------------------------- all tables


class Load:
    """All tables, and the server's process as it is seen from outside."""

    def __init__(self, url: str, process: psutil.Process) -> None:
        """No table yet."""
        self.url = url
        self.processes = [process, *process.children()]
        """The server's: that of the sockets, and that of the rooms where they have one of their own."""
        self.loop = asyncio.get_running_loop()
        self.tables: list[Table] = []
        self.playing = False
        self.tally = Tally()
        self.errors: Counter[str] = Counter()
        """Since the last window, its ramp included."""

    def error(self, code: str) -> None:
        """Something that must not be."""
        self.errors[code] += 1

    async def grow(self, tables: int) -> float:
        """Open tables until there are so many, while nobody plays; seconds that it took."""
        self.playing = False
        began, places = _now(), asyncio.Semaphore(AT_ONCE)
        limits = httpx.Limits(max_connections=AT_ONCE)
        async with httpx.AsyncClient(base_url=self.url, limits=limits, timeout=60) as http:
            http.cookies.jar.set_policy(DefaultCookiePolicy(allowed_domains=[]))  # it is many people

            async def one() -> None:
                async with places:
                    table = Table(self)
                    await table.open(http)
                    self.tables.append(table)

            await asyncio.gather(*(one() for _ in range(tables - len(self.tables))))
        gc.collect()
        gc.freeze()
        return _now() - began

    def play(self) -> None:
        """From now on every table plays, each in its own phase."""
        self.playing = True
        for table in self.tables:
            table.due = _now() + random.uniform(SOONEST, EVERY)
            table.plan()

    async def measure(self, seconds: float, settle: float) -> Window:
        """Let the tables play, and count what happens after they have settled."""
        self.play()
        await asyncio.sleep(settle)
        async with httpx.AsyncClient(base_url=self.url, timeout=60) as http:
            counted = await counts(http)
            self.tally, before, began = Tally(), self._cpu(), _now()
            rss = await self._watch(seconds)
            window = Window(len(self.tables), _now() - began, rss=rss, hands=self.tally.hands)
            self._cores(window, before)
            _fill(window, self.tally)
            _store_figures(window, counted, await counts(http))
        window.errors, self.errors = dict(self.errors), Counter()
        return window

    async def _watch(self, seconds: float) -> list[float]:
        """Until the time is over: the server's memory, and tellings that never come."""
        until, sample, rss = _now() + seconds, 0.0, []
        while (now := _now()) < until:
            if now >= sample:
                sample = now + RSS_EVERY
                rss.append(self._rss())
            await asyncio.sleep(min(0.5, max(until - now, 0.0)))
            for _ in range(sum(table.overdue(now) for table in self.tables)):
                self.error("missing")
        return [*rss, self._rss()]

    def _rss(self) -> float:
        return sum(float(process.memory_info().rss) for process in self.processes) / 1e6

    def _cpu(self) -> list[float]:
        """Seconds of CPU: the whole machine's, this process's, and that of each of the server's."""
        whole = psutil.cpu_times()
        busy = float(sum(whole) - whole.idle - getattr(whole, "iowait", 0.0))
        server = [process.cpu_times() for process in self.processes]
        return [busy, time.process_time(), *(times.user + times.system for times in server)]

    def _cores(self, window: Window, before: list[float]) -> None:
        busy, load, *server = (
            (now - then) / window.seconds for now, then in zip(self._cpu(), before, strict=True)
        )
        window.server_cores, window.load_cores = sum(server), load
        window.rooms_cores = server[-1]
        window.other_cores = max(busy - sum(server) - load, 0.0)


def _fill(window: Window, tally: Tally) -> None:
    window.decisions = len(tally.told)
    if tally.told:
        told = np.array(tally.told) * 1000
        window.p50, window.p99 = (float(value) for value in np.percentile(told, (50, 99)))
        window.most = float(told.max())
    if tally.late:
        late = np.array(tally.late) * 1000
        window.late_p99, window.late_most = float(np.percentile(late, 99)), float(late.max())


async def counts(http: httpx.AsyncClient) -> dict[str, float]:
    """The server's own counts, by name; labelled ones are added up."""
    found: Counter[str] = Counter()
    for line in (await http.get("/metrics")).text.splitlines():
        if not line.startswith("#"):
            name, _, value = line.rpartition(" ")
            found[name.partition("{")[0]] += float(value)  # type: ignore[assignment]
    return dict(found)


def _store_figures(window: Window, before: dict[str, float], after: dict[str, float]) -> None:
    def more(name: str) -> float:
        return after.get(name, 0.0) - before.get(name, 0.0)

    commits = max(more("hainan_commit_seconds_count"), 1.0)
    window.commits = commits / window.seconds
    window.commit_ms = more("hainan_commit_seconds_sum") / commits * 1000
    window.calls_a_commit = more("hainan_commit_calls_sum") / commits
    window.frames = more("hainan_frames_out_total") / max(window.decisions, 1)


# ---------------------------------------------------------------- the run


async def steps(arguments: argparse.Namespace) -> None:
    """A window for each number of tables, until the wanted p99 is passed."""
    load = Load(arguments.url, psutil.Process(arguments.pid))
    for tables in arguments.tables:
        ramp = await load.grow(tables)
        print(f"{tables} tables after {ramp:.0f} s", file=sys.stderr, flush=True)
        window = await load.measure(arguments.seconds, arguments.settle)
        window.ramp_seconds = ramp
        print(json.dumps(asdict(window)), flush=True)
        if arguments.until_p99 and window.p99 > arguments.until_p99:
            break


def main() -> None:
    """Load a server that runs."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--url", required=True)
    parser.add_argument("--pid", type=int, required=True, help="the server's process")
    parser.add_argument("--tables", type=numbers, required=True, help="e.g. 1500,1800,2100: one window each")
    parser.add_argument("--seconds", type=float, default=20.0)
    parser.add_argument("--settle", type=float, default=8.0, help="after the ramp")
    parser.add_argument("--until-p99", type=float, default=0.0, help="milliseconds")
    arguments = parser.parse_args()
    logging.getLogger("httpx").setLevel(logging.ERROR)
    logging.getLogger("picows").setLevel(logging.CRITICAL)
    raise_file_limit()
    uvloop.run(steps(arguments))


def numbers(text: str) -> list[int]:
    """Growing numbers with commas between them."""
    found = [int(part) for part in text.split(",")]
    if any(one >= other for one, other in pairwise(found)):
        raise argparse.ArgumentTypeError("the numbers must grow")
    return found


if __name__ == "__main__":
    main()
