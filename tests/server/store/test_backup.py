"""Backup of a database that is being written to, and restore, in and out of both kinds."""

import asyncio
import os
import shutil
import sqlite3
import stat
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import select

from hainan.cli.backup import run_backup, run_restore
from hainan.cli.common import BadInput
from hainan.server.store import (
    Store,
    StoreError,
    acted,
    backup,
    hand_over,
    match_over,
    migrate,
    restore,
    schema,
)
from hainan.server.store.address import address, engine_of
from hainan.server.store.migrate import VERSION_TABLE
from tests.server.store.samples import a_finished_hand, a_table, actions_of, played

pytestmark = pytest.mark.anyio


def content(url: str) -> dict[str, list[Any]]:
    """Every row of every table."""
    engine = engine_of(address(url), "reader")
    with engine.connect() as connection:
        rows = {
            table.name: sorted((tuple(row) for row in connection.execute(select(table))), key=repr)
            for table in schema.metadata.sorted_tables
        }
    engine.dispose()
    return rows


async def filled(url: str) -> Store:
    """A store with something in every table."""
    store = await Store.open(url)
    await store.secret()
    ann = await store.create_player("安")
    await store.set_password(ann.id, "hash")
    await store.create_player("robot", is_bot=True)
    match = await a_finished_hand(store, [ann.id, None, None, None])
    await store.commit(match_over(match, "length", [1, 2, 3, -6], 10_000))
    running = await a_table(store)
    await store.commit(*actions_of(running)[:20])
    return store


async def test_there_and_back(
    database_url: str, other_database_url: str, tmp_path: Path, anyio_backend: str
) -> None:
    store = await filled(database_url)
    unfinished = await store.unfinished()
    file = tmp_path / "backup"
    counts = await asyncio.to_thread(backup, database_url, file)
    await store.close()
    assert all(counts[table] for table in schema.metadata.tables)
    assert sorted(path.name for path in tmp_path.glob("*backup*")) == ["backup"], (
        "one file, nothing beside it"
    )
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    before = content(database_url)
    assert restore(file, other_database_url) == counts
    assert content(other_database_url) == before
    assert content(f"sqlite:///{file}") == before
    again = await Store.open(other_database_url)
    assert await again.unfinished() == unfinished
    await again.commit(hand_over(unfinished[0].match.id, 0, played().end, 1))
    await again.close()


async def test_while_tables_go_on(
    database_url: str, other_database_url: str, tmp_path: Path, anyio_backend: str
) -> None:
    """A backup is one moment: of each table the first actions, without a gap, all of a call or none."""
    store = await Store.open(database_url)
    done = 0
    stop = False

    async def table(match: str) -> None:
        nonlocal done
        n = 0
        while not stop:
            # Two of a call: both in the backup, or none.
            await store.commit(*(acted(match, 0, n + more, 1, 5, 0, 0, 0) for more in range(2)))
            n, done = n + 2, done + 1

    tables = [asyncio.ensure_future(table(f"match {k}")) for k in range(20)]
    for name in ("first", "second"):
        while done < 200:
            await asyncio.sleep(0)
        told = done
        counts = await asyncio.to_thread(backup, database_url, tmp_path / name)
        assert counts["actions"] >= 2 * told
        assert done > told, "it went on meanwhile"
        done = max(done, 200)
    stop = True
    await asyncio.gather(*tables)
    await store.close()
    restore(tmp_path / "second", other_database_url)
    found: dict[str, list[int]] = {}
    for match, _, n, *_ in content(other_database_url)["actions"]:
        found.setdefault(match, []).append(n)
    assert len(found) == 20
    for numbers in found.values():
        assert sorted(numbers) == list(range(len(numbers)))
        assert len(numbers) % 2 == 0


async def test_a_backup_replaces_only_backups(database_url: str, tmp_path: Path, anyio_backend: str) -> None:
    store = await filled(database_url)
    await store.close()
    file = tmp_path / "backup"
    file.touch()  # as `mktemp` makes it
    backup(database_url, file)
    assert backup(database_url, file)["matches"] == 2
    letter = tmp_path / "letter"
    letter.write_text("dear Ann")
    with pytest.raises(StoreError, match="letter exists and is no backup: it is left alone"):
        backup(database_url, letter)
    assert letter.read_text() == "dear Ann"
    with pytest.raises(StoreError, match="is a folder"):
        backup(database_url, tmp_path)
    with pytest.raises(StoreError, match="can't be written: No such file"):
        backup(database_url, tmp_path / "none" / "backup")


async def test_what_is_no_backup(database_url: str, tmp_path: Path) -> None:
    letter = tmp_path / "letter"
    letter.write_text("dear Ann")
    other = tmp_path / "other"
    with sqlite3.connect(other) as connection:
        connection.execute("CREATE TABLE theirs (id)")
    connection.close()
    cut = tmp_path / "cut"
    cut.write_bytes(other.read_bytes()[:100])
    for file in (letter, other, cut):
        with pytest.raises(StoreError, match=f"{file.name} is no backup of this program"):
            restore(file, database_url)
    with pytest.raises(StoreError, match="can't be read: No such file"):
        restore(tmp_path / "none", database_url)
    with pytest.raises(StoreError, match="can't be read: Is a directory"):
        restore(tmp_path, database_url)


async def test_a_damaged_backup(
    database_url: str, tmp_path: Path, sqlite_url: str, anyio_backend: str
) -> None:
    store = await filled(sqlite_url + "-source")
    await store.close()
    file = tmp_path / "backup"
    backup(sqlite_url + "-source", file)
    whole = file.read_bytes()
    file.write_bytes(whole[: len(whole) // 2])
    migrate(database_url)
    with pytest.raises(StoreError):
        restore(file, database_url)
    assert not any(content(database_url).values()), "all or nothing"


async def test_a_target_that_isnt_empty(
    database_url: str, other_database_url: str, tmp_path: Path, anyio_backend: str
) -> None:
    store = await filled(database_url)
    await store.close()
    file = tmp_path / "backup"
    backup(database_url, file)
    other = await Store.open(other_database_url)
    await other.create_player("Bob")
    await other.close()
    before = content(other_database_url)
    with pytest.raises(StoreError, match="isn't empty; --force replaces what it holds"):
        restore(file, other_database_url)
    assert content(other_database_url) == before
    restore(file, other_database_url, force=True)
    assert content(other_database_url) == content(database_url)


async def test_a_backup_that_is_newer(database_url: str, sqlite_url: str, tmp_path: Path) -> None:
    file = tmp_path / "backup"
    migrate(f"sqlite:///{file}")
    with sqlite3.connect(file) as connection:
        connection.execute(f"UPDATE {VERSION_TABLE} SET version_num = '9999'")
    connection.close()
    with pytest.raises(StoreError, match="newer than this program"):
        restore(file, database_url)


async def test_nothing_to_save(database_url: str, tmp_path: Path, sqlite_url: str) -> None:
    if database_url.startswith("sqlite"):
        with pytest.raises(StoreError, match="there is no database"):
            backup(database_url, tmp_path / "backup")
        Path(database_url.removeprefix("sqlite:///")).touch()
    with pytest.raises(StoreError, match="is empty: there is nothing to save"):
        backup(database_url, tmp_path / "backup")
    assert not (tmp_path / "backup").exists()


def test_the_database_itself_is_no_backup_file(sqlite_url: str) -> None:
    migrate(sqlite_url)
    file = Path(sqlite_url.removeprefix("sqlite:///"))
    os.link(file, file.with_name("link"))
    for name in (file, file.with_name("link")):
        with pytest.raises(StoreError, match="is the database itself"):
            backup(sqlite_url, name)


# ---------------------------------------------------------------- the commands


async def test_commands(
    sqlite_url: str,
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    anyio_backend: str,
) -> None:
    store = await filled(sqlite_url)
    await store.close()
    file, other = str(tmp_path / "backup"), f"sqlite:///{tmp_path / 'other'}"
    monkeypatch.setenv("DATABASE_URL", sqlite_url)
    assert run_backup(file, None, "en") == 0
    assert capsys.readouterr().out == f"Saved to {file} (0.1 MB): 2 players, 2 matches, 2 hands\n"
    assert run_restore(file, other, False, "zh") == 0
    assert capsys.readouterr().out == f"已从 {file} 恢复：2 玩家，2 场比赛，2 局牌\n"
    with pytest.raises(BadInput, match="--force"):
        run_restore(file, other, False, "en")
    assert run_restore(file, other, True, "en") == 0
    assert run_backup(file, other, "zh") == 0
    assert "已备份到" in capsys.readouterr().out
    with pytest.raises(BadInput, match="no database"):
        run_backup(file, f"sqlite:///{tmp_path / 'none'}", "en")


def test_commands_compile_nothing(sqlite_url: str, tmp_path: Path) -> None:
    migrate(sqlite_url)
    script = (
        "import sys; from hainan.cli.main import main\n"
        "try: main()\nexcept SystemExit as end: assert end.code in (0, None), end.code\n"
        "assert 'numba' not in sys.modules and 'numpy' not in sys.modules"
    )
    file = str(tmp_path / "backup")
    for arguments in (
        ["backup", file, "--database", sqlite_url],
        ["restore", file, "--database", f"sqlite:///{tmp_path / 'other'}"],
    ):
        subprocess.run([sys.executable, "-W", "error", "-c", script, *arguments], check=True, cwd=tmp_path)
    shutil.rmtree(tmp_path)
