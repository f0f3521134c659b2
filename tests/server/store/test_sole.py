"""One server at a time on a database, however the one before it ended."""

import asyncio
import stat
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psycopg
import pytest

from hainan.cli.backup import run_backup, run_restore
from hainan.cli.common import BadInput
from hainan.server.store import Store, StoreError, backup, migrate, restore, sole_use
from hainan.server.store import sole as module
from hainan.server.store.address import address
from hainan.server.store.sole import serving_file, sole, unserved

pytestmark = pytest.mark.anyio

HOLD = """
import asyncio, sys
from hainan.server.store import sole_use

async def main():
    async with sole_use(sys.argv[1], wait=float(sys.argv[2]), waiting=lambda: None):
        print("held", flush=True)
        await asyncio.to_thread(sys.stdin.readline)

asyncio.run(main())
"""


class Server:
    """What holds a database like a server, in a process of its own."""

    def __init__(self, url: str, wait: float = 5.0) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-c", HOLD, url, str(wait)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def held(self) -> None:
        assert self.process.stdout is not None
        assert self.process.stdout.readline() == "held\n"

    def end(self) -> tuple[int, str]:
        _, errors = self.process.communicate("\n", timeout=20)
        return self.process.returncode, errors

    def kill(self) -> None:
        self.process.kill()
        self.process.communicate()


@contextmanager
def serving(url: str) -> Iterator[Server]:
    server = Server(url)
    try:
        server.held()
        yield server
    finally:
        server.kill()


@pytest.fixture
async def lock_of(postgres_url: str, anyio_backend: str) -> AsyncIterator[Any]:
    """The backends of PostgreSQL that hold an advisory lock now, with their states."""
    with psycopg.connect(postgres_url, autocommit=True) as looking:

        def found() -> list[tuple[int, str]]:
            return looking.execute(
                "SELECT pid, state FROM pg_stat_activity JOIN pg_locks USING (pid)"
                " WHERE locktype = 'advisory' AND granted AND datname = current_database()"
            ).fetchall()

        def end() -> None:
            for pid, _ in found():
                looking.execute("SELECT pg_terminate_backend(%s, 5000)", (pid,))

        found.end = end  # type: ignore[attr-defined]
        yield found


# ---------------------------------------------------------------- two servers


def test_a_second_server_is_refused_and_a_killed_one_leaves_it_free_at_once(database_url: str) -> None:
    with serving(database_url) as first:
        status, errors = Server(database_url, wait=0).end()
        assert status != 0
        assert "StoreError: another server is using this database: " in errors
        first.kill()
        began = time.monotonic()
        use = sole(database_url)
        while not use.take():
            time.sleep(0.01)
        assert time.monotonic() - began < 1
        use.release()


def test_a_second_server_waits_for_the_first_to_end(database_url: str) -> None:
    with serving(database_url) as first:
        second = Server(database_url)
        time.sleep(0.3)
        assert second.process.poll() is None
        assert first.end() == (0, "")
        second.held()
        assert second.end() == (0, "")


async def test_who_waits_says_so_once(
    sqlite_url: str, monkeypatch: pytest.MonkeyPatch, anyio_backend: str
) -> None:
    monkeypatch.setattr(module, "_SILENT_SECONDS", 0.05)
    said: list[str] = []
    async with sole_use(sqlite_url, waiting=lambda: said.append("first")):
        with pytest.raises(StoreError, match="another server"):
            async with sole_use(sqlite_url, wait=0.5, waiting=lambda: said.append("second")):
                raise AssertionError("two at once")
    assert said == ["second"]


async def test_who_waited_in_vain_leaves_nothing_behind(database_url: str, anyio_backend: str) -> None:
    async with sole_use(database_url):
        with pytest.raises(StoreError, match="another server is using this database"):
            async with sole_use(database_url, wait=0.2):
                raise AssertionError("two at once")
        # The attempt in the same process hasn't freed it for others either.
        assert await asyncio.to_thread(Server(database_url, wait=0).end) != (0, "")
    async with sole_use(database_url, wait=0):
        pass


async def test_waiting_can_be_broken_off(database_url: str, anyio_backend: str) -> None:
    async with sole_use(database_url):

        async def wait() -> None:
            async with sole_use(database_url, wait=60):
                raise AssertionError("two at once")

        waiting = asyncio.create_task(wait())
        await asyncio.sleep(0.25)
        waiting.cancel()
        with pytest.raises(asyncio.CancelledError):
            await waiting
    async with sole_use(database_url, wait=0):
        pass


async def test_the_database_is_free_for_everything_else(database_url: str, anyio_backend: str) -> None:
    async with sole_use(database_url):
        store = await Store.open(database_url)
        assert await store.next_generation() == 1
        await store.close()


async def test_a_database_that_cant_be_used_is_one_sentence(tmp_path: Path, anyio_backend: str) -> None:
    (tmp_path / "file").touch()
    (tmp_path / "junk.sqlite3-serving").write_bytes(b"junk" * 500)
    for url, said in (
        (f"sqlite:///{tmp_path / 'file' / 'x'}", "can't be written"),
        (f"sqlite:///{tmp_path / 'junk.sqlite3'}", "can't be used: file is not a database"),
        ("postgresql://user:secret@127.0.0.1:1/x", "can't be used"),
        ("sqlite://", "keeps nothing"),
    ):
        with pytest.raises(StoreError, match=said) as caught:
            async with sole_use(url):
                raise AssertionError("there is no such database")
        assert "secret" not in str(caught.value)


# ---------------------------------------------------------------- SQLite


async def test_a_file_has_one_server_by_whatever_name(tmp_path: Path, anyio_backend: str) -> None:
    (tmp_path / "link").symlink_to(tmp_path / "real")
    async with sole_use(f"sqlite:///{tmp_path / 'real'}"):
        status, errors = await asyncio.to_thread(Server(f"sqlite:///{tmp_path / 'link'}", wait=0).end)
        assert status != 0
        assert "another server" in errors
    file = tmp_path / "real-serving"
    assert file.read_bytes() == b""
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


async def test_a_backup_doesnt_replace_what_belongs_to_the_database(
    sqlite_url: str, anyio_backend: str
) -> None:
    migrate(sqlite_url)
    async with sole_use(sqlite_url):
        for more in ("-serving", "-wal"):
            target = Path(f"{address(sqlite_url).database}{more}")
            with pytest.raises(StoreError, match=f"{more} belongs to the database"):
                backup(sqlite_url, target)
        assert serving_file(address(sqlite_url)).read_bytes() == b""


# ---------------------------------------------------------------- PostgreSQL


async def test_a_lock_is_held_outside_any_transaction(postgres_url: str, lock_of: Any) -> None:
    assert lock_of() == []
    async with sole_use(postgres_url):
        assert [state for _, state in lock_of()] == ["idle"], "nothing keeps old rows from being swept"
    assert lock_of() == []


async def test_a_lock_that_was_lost_is_taken_again(
    postgres_url: str, lock_of: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "KEEP_SECONDS", 0.02)
    async with sole_use(postgres_url, lost=lambda: pytest.fail("nobody else wanted it")):
        ((before, _),) = lock_of()
        lock_of.end()
        async with asyncio.timeout(10):
            while not (now := lock_of()) or now[0][0] == before:
                await asyncio.sleep(0.02)


async def test_who_loses_the_lock_to_another_server_stops(
    postgres_url: str, lock_of: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "KEEP_SECONDS", 0.3)
    lost = asyncio.Event()
    async with sole_use(postgres_url, lost=lost.set):
        lock_of.end()
        async with sole_use(postgres_url, wait=0):
            async with asyncio.timeout(10):
                await lost.wait()


async def test_while_there_is_no_database_nobody_else_has_it(postgres_url: str) -> None:
    use = sole(postgres_url)
    assert use.take()
    use.where = use.where.set(port=1)
    use._engine = module.engine_of(use.where, "writer")
    use._driver.close()
    assert use.keep()
    use.release()


def test_stopping_at_once_is_the_end_of_the_process() -> None:
    ended = subprocess.run(
        [sys.executable, "-c", "from hainan.server.store.sole import stop_at_once; stop_at_once()"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.returncode == 1
    assert "another server has taken over the database" in ended.stdout + ended.stderr


# ---------------------------------------------------------------- backup and restore


def test_a_backup_is_taken_and_a_restore_refused_while_a_server_runs(
    database_url: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    migrate(database_url)
    file = str(tmp_path / "backup")
    with serving(database_url) as server:
        assert run_backup(file, database_url, "en") == 0
        for force in (False, True):
            with pytest.raises(BadInput, match=r"a server is using the database .*: stop the server first"):
                run_restore(file, database_url, force, "en")
        server.kill()
        assert run_restore(file, database_url, False, "en") == 0
    assert f"Restored from {file}" in capsys.readouterr().out
    assert not list(tmp_path.glob("*backup*-serving"))


def test_no_server_begins_while_a_database_is_restored(
    database_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    migrate(database_url)
    backup(database_url, tmp_path / "backup")
    tried = []

    def carry(*arguments: Any) -> None:
        tried.append(Server(database_url, wait=0).end())

    monkeypatch.setattr(sys.modules["hainan.server.store.backup"], "_carry", carry)
    restore(tmp_path / "backup", database_url)
    assert len(tried) == 1
    assert "another server is using this database" in tried[0][1]
    with unserved(database_url, wait=0):
        pass
