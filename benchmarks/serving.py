"""The server's figures: the real ``hainan serve`` on SQLite with full durability, loaded by other processes.

``python benchmarks/serving.py`` takes some minutes; ``--seconds 600`` is the long run, ``--only load`` (also
``bend``, ``decision``, ``bots``, ``start``) a part. What is found is printed and merged into
``benchmarks/results.json``.
"""

import argparse
import asyncio
import contextlib
import http.client
import json
import os
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Final, Self

import psutil
from websockets.sync.client import ClientConnection, connect

from decision import decision_cost, leave_unfinished
from figure import Sheet, merge_into
from hainan.sim import warm
from load import Window, numbers

HERE: Final = Path(__file__).parent
TABLES: Final = 1500
LONG: Final = 300.0
"""Seconds from which on a load is the long run."""
LATE: Final = 250.0
"""Milliseconds: where the p99 passes this, the server bends."""
STEPS: Final = (1200, 1500, 1800, 2100, 2400, 2800)
"""Numbers of tables that are tried until it does."""
UNLIMITED: Final = "1000000/1000000"
ENVIRONMENT: Final = {
    "HAINAN_LOG_LEVEL": "error",
    "HAINAN_SIGN_IN_RATE": UNLIMITED,
    "HAINAN_GUEST_RATE": UNLIMITED,
    "HAINAN_ROOM_RATE": UNLIMITED,
    "HAINAN_GUESS_RATE": UNLIMITED,
    # As installed: all bytecode is there, also where the environment doesn't let it be written.
    "PYTHONDONTWRITEBYTECODE": "",
    "PYTHONPYCACHEPREFIX": str(Path(tempfile.gettempdir()) / "hainan-bench-bytecode"),
}
START_SECONDS: Final = 120.0


# ---------------------------------------------------------------- a server


class Server:
    """``hainan serve`` in a process of its own, on a database in a folder that is given."""

    def __init__(self, folder: Path, processes: int = 1) -> None:
        """Start it; ``wait`` until it is ready."""
        self.folder, self.port = folder, _free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.log = folder / "server.txt"
        self.began = time.perf_counter()
        with self.log.open("w") as log:
            self.process = subprocess.Popen(
                [
                    *_HAINAN,
                    "serve",
                    *("--host", "127.0.0.1", "--port", str(self.port), "--processes", str(processes)),
                ],
                env=os.environ | ENVIRONMENT | {"HAINAN_DATABASE": str(folder / "tables.db")},
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
            )

    def __enter__(self) -> Self:
        """Ready for players."""
        try:
            self.wait()
        except BaseException:
            self.kill()
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Killed, as by a power cut."""
        self.kill()

    def wait(self) -> float:
        """Seconds from the process's start until ``/readyz`` answers 200."""
        until = self.began + START_SECONDS
        while time.perf_counter() < until and self.process.poll() is None:
            if self._ready():
                return time.perf_counter() - self.began
            time.sleep(0.005)
        raise RuntimeError(f"the server didn't start:\n{self.log.read_text()}")

    def _ready(self) -> bool:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=START_SECONDS)
        try:
            connection.request("GET", "/readyz")
            return connection.getresponse().status == 200
        except OSError:
            return False
        finally:
            connection.close()

    def kill(self) -> None:
        """At once."""
        self.process.kill()
        self.process.wait()

    def call(self, path: str, body: object = None, token: str = "") -> Any:
        """A call of its API; GET where there is no body."""
        headers = {"Content-Type": "application/json"} | (
            {"Authorization": f"Bearer {token}"} if token else {}
        )
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.url + path, data, headers)
        with urllib.request.urlopen(request, timeout=60) as response:
            return json.load(response)

    def decisions(self) -> float:
        """How many have been taken, by its own count."""
        with urllib.request.urlopen(self.url + "/metrics", timeout=60) as response:
            lines = response.read().decode().splitlines()
        return sum(float(line.split()[-1]) for line in lines if line.startswith("hainan_decisions_total"))

    @contextlib.contextmanager
    def socket(self, room: str, token: str) -> Iterator[ClientConnection]:
        """A connection that has said hello."""
        with connect(f"ws://127.0.0.1:{self.port}/api/rooms/{room}/socket", open_timeout=60) as connection:
            connection.send(json.dumps({"type": "hello", "protocol": 1, "token": token}))
            yield connection


_HAINAN: Final = (sys.executable, "-m", "hainan")


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextlib.contextmanager
def _folder() -> Iterator[Path]:
    with tempfile.TemporaryDirectory() as folder:
        yield Path(folder)


class Others:
    """How busy the machine is beside some processes."""

    def __init__(self, *own: int) -> None:
        """From now on; this process counts as own."""
        self._own = [psutil.Process(), *map(psutil.Process, own)]
        self._began, self._before = time.perf_counter(), self._busy()

    def _busy(self) -> float:
        whole = psutil.cpu_times()
        own = sum(sum(process.cpu_times()[:2]) for process in self._own)
        return float(sum(whole) - whole.idle - getattr(whole, "iowait", 0.0) - own)

    def cores(self) -> float:
        """That others took since."""
        return max((self._busy() - self._before) / (time.perf_counter() - self._began), 0.0)


def told(connection: ClientConnection, kind: str) -> Any:
    """The next message of a type."""
    while True:
        message = json.loads(connection.recv(timeout=60))
        if message["type"] == kind:
            return message
        if message["type"] in ("refused", "goodbye"):
            raise RuntimeError(str(message))


# ---------------------------------------------------------------- the load


def load(tables: Sequence[int], seconds: float, processes: int, until_p99: float = 0.0) -> list[Window]:
    """Windows of a fresh server under load, one for each number of tables."""
    with _folder() as folder, Server(folder, processes) as server:
        arguments = [
            *("--url", server.url, "--pid", str(server.process.pid)),
            *("--tables", ",".join(map(str, tables)), "--seconds", str(seconds)),
            *("--until-p99", str(until_p99)),
        ]
        output = subprocess.run(
            [sys.executable, str(HERE / "load.py"), *arguments],
            stdout=subprocess.PIPE,
            timeout=sum(120 + seconds + 0.2 * number for number in tables),
            check=True,
            text=True,
        )
        windows = [Window(**json.loads(line)) for line in output.stdout.splitlines()]
        if trouble := server.log.read_text().partition("Ctrl-C stops it.")[2].strip():
            print(f"the server logged:\n{trouble[:2000]}", file=sys.stderr)
    return windows


def under_load(sheet: Sheet, seconds: float, tables: int) -> None:
    """Latency, errors, CPU and memory at the number of tables that is wanted, with both processes."""
    window = load([tables], seconds, 2)[0]
    sheet.beside = window.other_cores
    where = f"{tables:,} tables, 2 processes, {seconds:.0f} s"
    sheet.at_most(f"{where}: p99, act to last seat", window.p99, "ms", 100)
    sheet.seen("  p50", window.p50, "ms")
    sheet.seen("  longest", window.most, "ms")
    sheet.at_most("  errors", sum(window.errors.values()), "", 0)
    sheet.at_least("  decisions", window.decisions / window.seconds, "/s", 0.97 * tables)
    sheet.seen("  server, CPU", window.server_cores, "cores")
    sheet.seen("    of it in the process of the rooms", window.rooms_cores, "cores")
    sheet.seen("  server, CPU of a decision", window.cpu_ms, "ms")
    sheet.seen("  messages sent for a decision", window.frames, "")
    sheet.seen("  commits", window.commits, "/s")
    sheet.seen("  time of a commit", window.commit_ms, "ms")
    sheet.seen("  load, CPU", window.load_cores, "cores")
    sheet.seen("  load, p99 of its own lateness", window.late_p99, "ms")
    sheet.at_most("  memory, highest", max(window.rss), "MB", 1200)
    if seconds >= LONG:
        sheet.at_most("  memory, end against a third of the time", _growth(window.rss), "x", 1.05)
    if window.errors:
        print(f"errors: {window.errors}", file=sys.stderr)
    print("memory, MB:", " ".join(f"{value:.0f}" for value in window.rss), file=sys.stderr)


def _growth(rss: Sequence[float]) -> float:
    """The last value against that after a third of the time, when caches are full."""
    return rss[-1] / rss[len(rss) // 3]


def where_it_bends(sheet: Sheet, seconds: float, steps: Sequence[int]) -> None:
    """More and more tables, until the p99 is too late: with one process and with two."""
    for processes in (1, 2):
        windows = load(steps, seconds, processes, LATE)
        for window in windows:
            sheet.beside = window.other_cores
            sheet.seen(f"{window.tables:,} tables, processes: {processes}: p99", window.p99, "ms")
            sheet.seen("  decisions", window.decisions / window.seconds, "/s")
        carried = [window.tables for window in windows if window.p99 <= LATE]
        sheet.beside = max(window.other_cores for window in windows)
        most = f"most tables with a p99 of at most {LATE:.0f} ms, processes: {processes}"
        sheet.seen(most, max(carried, default=0), "")


# ---------------------------------------------------------------- without sockets


def one_decision(sheet: Sheet, seconds: float, rooms: int = 16) -> None:
    """CPU of a decision in all, and by part."""
    warm.table()
    others = Others()
    cost, split = decision_cost(seconds, rooms), decision_cost(seconds, rooms, split=True)
    alone = decision_cost(seconds, 1)
    sheet.beside = others.cores()
    sheet.at_most("CPU of a decision in all", cost["all"], "ms", 0.4)
    sheet.seen("  decisions sharing a commit", cost["decisions a commit"], "")
    sheet.seen("  messages made for it", cost["messages"], "")
    parts = ("act", "view", "mine", "encode", "commit")
    for part in parts:
        sheet.seen(f"  of it: {part}", split[part], "ms")
    sheet.seen("  of it: the rest", split["all"] - sum(split[part] for part in parts), "ms")
    sheet.seen("  with a commit for each", alone["all"], "ms")


def bots_alone(sheet: Sheet, seconds: float, rooms: Sequence[int]) -> None:
    """Tables of bots at full speed."""
    best = 0.0
    for number in rooms:
        with _folder() as folder, Server(folder) as server:
            for _ in range(number):
                _bots_play(server)
            time.sleep(2.0)
            others = Others(server.process.pid)
            began, before = time.perf_counter(), server.decisions()
            time.sleep(seconds)
            speed = (server.decisions() - before) / (time.perf_counter() - began)
            sheet.beside = others.cores()
        sheet.seen(f"bots alone, {number} table{'s'[: number > 1]}", speed, "decisions/s")
        best = max(best, speed)
    sheet.at_least("bots alone, the best of these", best, "decisions/s", 1500)


def _bots_play(server: Server) -> None:
    """A room of four bots that play on by themselves."""
    token = server.call("/api/players", {"name": "Owner"})["token"]
    settings = {"rules": {"preset": "hainan", "hands": 1000}}
    code = server.call("/api/rooms", {"settings": settings}, token)["code"]
    with server.socket(code, token) as connection:
        commands = [{"type": "add_bot", "seat": seat} for seat in range(4)] + [{"type": "start"}]
        for ref, command in enumerate(commands):
            connection.send(json.dumps(command | {"ref": ref}))
            told(connection, "done")


def cold_start(sheet: Sheet, rooms: int, deepest: int) -> None:
    """Seconds until a server with unfinished tables is ready, and until a player sees his table."""
    with _folder() as folder, Server(folder, 2):
        pass  # now its bytecode is there
    for processes in (1, 2):
        _cold_start(sheet, rooms, deepest, processes)


def _cold_start(sheet: Sheet, rooms: int, deepest: int, processes: int) -> None:
    with _folder() as folder:
        left = asyncio.run(leave_unfinished(folder / "tables.db", rooms, deepest))
        others = Others()
        with Server(folder, processes) as server:
            ready = time.perf_counter() - server.began
            seen = _table_seen(server, left.code, left.token)
            sheet.beside = max(others.cores() - _cores_of(server), 0.0)
    sheet.seen(f"{rooms} unfinished tables, processes: {processes}, to replay", left.decisions, "decisions")
    sheet.seen("  cold start until /readyz", ready, "s")
    sheet.at_most("  cold start until a player sees his table", seen, "s", 5)


def _table_seen(server: Server, code: str, token: str) -> float:
    with server.socket(code, token) as connection:
        told(connection, "table")
        return time.perf_counter() - server.began


def _cores_of(server: Server) -> float:
    parent = psutil.Process(server.process.pid)
    times = [process.cpu_times() for process in (parent, *parent.children())]
    busy = float(sum(each.user + each.system for each in times))
    return busy / (time.perf_counter() - server.began)


# ---------------------------------------------------------------- the run

PARTS: Final = ("decision", "load", "bend", "bots", "start")


def run(
    seconds: float = 20.0,
    tables: int = TABLES,
    steps: Sequence[int] = STEPS,
    only: Sequence[str] = PARTS,
) -> None:
    """Measure, print, write; of the results, the parts that aren't measured stay as they are."""
    subprocess.run([*_HAINAN, "compile"], check=True, capture_output=True)
    parts: dict[str, Callable[[Sheet], None]] = {
        "decision": lambda sheet: one_decision(sheet, 5.0),
        "load": lambda sheet: under_load(sheet, seconds, tables),
        "bend": lambda sheet: where_it_bends(sheet, 20.0, steps),
        "bots": lambda sheet: bots_alone(sheet, 8.0, (1, 8, 32)),
        "start": lambda sheet: cold_start(sheet, 500, 100),
    }
    shown = Sheet()
    for part in only:
        sheet = Sheet()
        parts[part](sheet)
        shown.rows += sheet.rows
        name = "long load" if part == "load" and seconds >= LONG else part
        merge_into("server", {name: sheet.rows_for_json()})
    shown.show(f"hainan serve on SQLite; {os.cpu_count()} cores, its load on the same")


def main() -> None:
    """Measure what is asked for."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--seconds", type=float, default=20.0, help="of the load; 600 for the figure")
    parser.add_argument("--tables", type=int, default=TABLES)
    parser.add_argument("--steps", type=numbers, default=STEPS, help="numbers of tables for the bend")
    parser.add_argument("--only", default=",".join(PARTS), help="parts, with commas")
    arguments = parser.parse_args()
    run(arguments.seconds, arguments.tables, arguments.steps, arguments.only.split(","))


if __name__ == "__main__":
    main()
