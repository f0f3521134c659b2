"""``hainan serve`` as a process: what it prints, what it refuses to start with, and how it ends."""

import logging
import os
import re
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import psutil
import pytest
from websockets.sync.client import connect

from hainan import wire
from hainan.cli.common import BadInput
from hainan.cli.serve import run
from hainan.server.serve import bind
from tests.server.web.conftest import Socket

# Uncompiled kernels: nothing has to be waited for, and few hands are played here.
ENVIRONMENT = os.environ | {"NUMBA_DISABLE_JIT": "1", "LC_ALL": "C.UTF-8", "PYTHONIOENCODING": "utf-8"}


class Process:
    """A server in a process of its own."""

    def __init__(self, folder: Path, *arguments: str, **environment: str) -> None:
        self.folder = folder
        everything = [
            "serve",
            "--host",
            "127.0.0.1",
            "--port",
            "0",
            "--database",
            str(folder / "tables.sqlite3"),
        ]
        self.process = subprocess.Popen(
            [sys.executable, "-m", "hainan", *everything, *arguments],
            env=ENVIRONMENT | environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            encoding="utf-8",
        )
        self.printed: list[str] = []
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self.printed.append(line.rstrip())
            if "Ctrl-C" in line:
                break
        found = re.search(r"http://\S+?:(\d+)/", "\n".join(self.printed))
        assert found, self.process.stderr and self.process.stderr.read()
        self.port = int(found[1])

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def ended(self, seconds: float = 12) -> tuple[int, str]:
        """The exit status, and what was said on stderr."""
        _, errors = self.process.communicate(timeout=seconds)
        return self.process.returncode, errors


@pytest.fixture
def processes(request: pytest.FixtureRequest) -> str:
    return str(getattr(request, "param", "1"))


both = pytest.mark.parametrize("processes", ["1", "2"], indirect=True)
apart = pytest.mark.parametrize("processes", ["2"], indirect=True)


@pytest.fixture
def process(tmp_path: Path, processes: str) -> Iterator[Process]:
    running = Process(tmp_path, "--processes", processes)
    yield running
    if running.process.poll() is None:
        running.process.kill()
        running.process.communicate()


# ---------------------------------------------------------------- starting


def test_it_says_where_it_is_and_how_to_stop_it(process: Process) -> None:
    assert process.printed == [f"This machine:  http://127.0.0.1:{process.port}/", "Ctrl-C stops it."]
    answer = httpx.get(f"{process.url}/readyz")
    assert answer.status_code == 200
    assert "server" not in answer.headers


def test_in_chinese(tmp_path: Path) -> None:
    process = Process(tmp_path, "--lang", "zh")
    process.process.send_signal(signal.SIGTERM)
    assert process.ended()[0] == 0
    assert process.printed == [f"本机：        http://127.0.0.1:{process.port}/", "按 Ctrl-C 停止。"]


@pytest.fixture
def unchanged(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """What starting a server changes in a process is put back."""
    monkeypatch.setattr("hainan.cli.serve.ready", lambda *_: None)
    on_term = signal.getsignal(signal.SIGTERM)
    yield
    signal.signal(signal.SIGTERM, on_term)
    logging.getLogger().handlers = []


@pytest.mark.usefixtures("unchanged")
@pytest.mark.parametrize(
    ("options", "environment", "said"),
    [
        ({"database": "mysql://user:secret@host/x"}, {}, "isn't supported"),
        ({}, {"DATABASE_URL": "nonsense://user:secret@host/x"}, "isn't supported"),
        ({}, {"DATABASE_URL": "postgresql://user:secret@127.0.0.1:1/x"}, "can't be used"),
        ({"database": "/proc/nothing/tables.sqlite3"}, {}, "/proc/nothing"),
        ({"public_url": "nonsense"}, {}, "public-url: 'nonsense'"),
        ({"host": "203.0.113.7"}, {}, "host: '203.0.113.7'"),
        ({}, {"HAINAN_PORT": "many"}, "port: "),
    ],
)
def test_what_it_can_not_start_with_is_one_line(
    options: dict[str, str], environment: dict[str, str], said: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    port = None if "HAINAN_PORT" in environment else 0
    given: dict[str, Any] = {"host": "127.0.0.1", "database": None, "public_url": None} | options
    given.setdefault("processes", None)
    with pytest.raises(BadInput) as caught:
        run(port=port, lang="en", **given)
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)
    assert "secret" not in str(caught.value)


def test_a_port_in_use_is_one_line_and_exit_status_2() -> None:
    with bind("127.0.0.1", 0) as taken:
        port = str(taken.getsockname()[1])
        ended = subprocess.run(
            [sys.executable, "-m", "hainan", "serve", "--host", "127.0.0.1", "--port", port],
            env=ENVIRONMENT,
            capture_output=True,
            text=True,
            check=False,
            timeout=60,
        )
    said = f"hainan: port {port} is in use: choose another with --port\n"
    assert (ended.returncode, ended.stdout, ended.stderr) == (2, "", said)


# ---------------------------------------------------------------- ending


@both
@pytest.mark.parametrize("sign", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_drains_within_its_time(process: Process, sign: signal.Signals) -> None:
    token = httpx.post(f"{process.url}/api/players", json={"name": "阿海"}).json()["token"]
    head = {"Authorization": f"Bearer {token}"}
    code = httpx.post(f"{process.url}/api/quick", headers=head).json()["code"]
    clients = [Socket(connect(f"ws://127.0.0.1:{process.port}/api/rooms/{code}/socket")) for _ in range(2)]
    for client in clients:
        client.hello(token)
    began = time.monotonic()
    process.process.send_signal(sign)
    goodbyes = []
    for client in clients:
        message = client.receive()
        while not isinstance(message, wire.Goodbye):
            message = client.receive()
        goodbyes.append(message.code)
        client.closed()
    status, errors = process.ended()
    assert time.monotonic() - began < 10
    assert status == 0, errors
    assert wire.Refusal.DRAINING in goodbyes  # one may have been taken over by the other before
    assert set(goodbyes) <= {wire.Refusal.DRAINING, wire.Refusal.TAKEN_OVER}
    assert "Traceback" not in errors
    with pytest.raises(httpx.ConnectError):
        httpx.get(f"{process.url}/healthz")


def test_a_client_that_does_not_read_does_not_hold_it_up(process: Process) -> None:
    token = httpx.post(f"{process.url}/api/players", json={"name": "阿海"}).json()["token"]
    head = {"Authorization": f"Bearer {token}"}
    code = httpx.post(f"{process.url}/api/rooms", headers=head).json()["code"]
    raw = Socket(connect(f"ws://127.0.0.1:{process.port}/api/rooms/{code}/socket", close_timeout=0.1))
    raw.hello(token)
    with httpx.Client(base_url=process.url) as idle:  # nor does a connection that is kept alive
        idle.get("/healthz")
        began = time.monotonic()
        process.process.send_signal(signal.SIGTERM)
        assert process.ended()[0] == 0
        assert time.monotonic() - began < 10
    raw.raw.close()


def test_a_second_signal_stops_at_once(tmp_path: Path) -> None:
    script = (
        "import asyncio, sys\n"
        "from hainan.server.host import Host\n"
        "async def park(self):\n"
        "    print('parking', file=sys.stderr, flush=True)\n"
        "    await asyncio.sleep(60)\n"
        "Host.park = park\n"
        "from hainan.cli.main import main\n"
        "main()\n"
    )
    process = subprocess.Popen(
        [
            sys.executable,
            "-c",
            script,
            "serve",
            "--port",
            "0",
            "--database",
            str(tmp_path / "tables.sqlite3"),
        ],
        env=ENVIRONMENT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdout is not None
    assert process.stderr is not None
    for line in process.stdout:
        if "Ctrl-C" in line:
            break
    process.send_signal(signal.SIGTERM)
    for line in process.stderr:
        if "parking" in line:
            break
    began = time.monotonic()
    process.send_signal(signal.SIGTERM)
    threading.Timer(20, process.kill).start()
    process.communicate()
    assert time.monotonic() - began < 2
    assert process.returncode == 128 + signal.SIGTERM


def rooms_of(process: Process) -> psutil.Process:
    return psutil.Process(process.process.pid).children()[0]


@apart
def test_the_rooms_end_with_a_server_that_is_killed(process: Process, tmp_path: Path) -> None:
    rooms = rooms_of(process)
    process.process.kill()
    process.ended()
    assert psutil.wait_procs([rooms], 5)[1] == []
    again = Process(tmp_path)
    again.process.send_signal(signal.SIGTERM)
    assert again.ended()[0] == 0


@apart
def test_a_server_ends_without_its_rooms(process: Process) -> None:
    rooms_of(process).kill()
    status, errors = process.ended()
    assert status == 1
    assert "the process of the rooms has ended" in errors


@apart
def test_nothing_of_two_processes_stays(process: Process) -> None:
    rooms = rooms_of(process)
    process.process.send_signal(signal.SIGINT)
    assert process.ended()[0] == 0
    assert not rooms.is_running()


@apart
def test_the_figures_of_both_processes_are_told(process: Process) -> None:
    page = httpx.get(f"{process.url}/metrics").text
    assert "rooms_process_resident_memory_bytes" in page
    assert "hainan_commit_seconds_count" in page


@both
def test_what_was_there_is_there_again(process: Process, tmp_path: Path) -> None:
    token = httpx.post(f"{process.url}/api/players", json={"name": "阿海"}).json()["token"]
    head = {"Authorization": f"Bearer {token}"}
    code = httpx.post(f"{process.url}/api/rooms", headers=head).json()["code"]
    process.process.send_signal(signal.SIGTERM)
    assert process.ended()[0] == 0
    again = Process(tmp_path)
    assert httpx.get(f"{again.url}/api/rooms/{code}", headers=head).status_code == 200
    again.process.send_signal(signal.SIGTERM)
    assert again.ended()[0] == 0
