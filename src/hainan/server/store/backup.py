"""Backup and restore: a database, of either kind, as one SQLite file, and back.

A backup is taken from one snapshot while the server goes on. It is itself a database that the server could
run on. It holds what signs tokens: only its owner may read it.
"""

import contextlib
import os
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

from sqlalchemy import URL, Connection, MetaData, Table, func, insert, select
from sqlalchemy.exc import DBAPIError

from hainan.server.store.address import Role, address, engine_of, problem, shown
from hainan.server.store.errors import StoreError
from hainan.server.store.migrate import VERSION_TABLE, migrate, version_of
from hainan.server.store.sole import SERVING, unserved

Counts = dict[str, int]
"""How many rows of each table."""
_ROWS: Final = 5000
"""Rows that are carried at a time."""
_MAGIC: Final = b"SQLite format 3\0"
_BESIDE: Final = ("-wal", "-shm", "-journal", SERVING)
"""What belongs to a database's file; some of it may be empty, and no empty file for a backup all the same."""


def backup(url: str, file: str | Path) -> Counts:
    """Write a snapshot of a database to a file, which appears when it is complete; raises StoreError.

    The file may be an earlier backup, which it replaces, and nothing else.
    """
    where, target = address(url), Path(file)
    _check_target(where, target)
    beside = target.absolute().parent  # the last step is a renaming
    try:
        with TemporaryDirectory(prefix=".hainan-backup-", dir=beside) as folder:
            copy = Path(folder) / "copy"
            counts = _take(where, copy)
            copy.chmod(0o600)
            _sync(copy)
            copy.replace(target)
            _sync(beside)
            return counts
    except OSError as error:
        raise StoreError(f"{target} can't be written: {error.strerror or error}") from None


def restore(file: str | Path, url: str, *, force: bool = False) -> Counts:
    """Fill an empty database from a backup, or with ``force`` replace all that one holds; raises StoreError.

    No server may use the database, and none can begin to meanwhile. The backup may come from an earlier
    version.
    """
    source, where = Path(file), address(url)
    _check_backup(source)
    with unserved(url), TemporaryDirectory(prefix="hainan-restore-") as folder:
        copy = Path(folder) / "copy"
        _clone(source, copy)
        migrate(_url_of(copy))
        migrate(url)
        with _connected(address(_url_of(copy)), "reader") as old, _connected(where, "writer") as new:
            tables = _tables(old)
            if not force and any(_counts(new, tables).values()):
                raise StoreError(f"the database {shown(where)} isn't empty; --force replaces what it holds")
            for table in reversed(tables):
                new.execute(table.delete())
            _carry(old, new, tables)
            return _counts(new, tables)


# ---------------------------------------------------------------- checks


def _check_target(where: URL, target: Path) -> None:
    if where.get_backend_name() == "sqlite":
        database = Path(str(where.database))
        if not database.is_file():
            raise StoreError(f"there is no database {database}")
        if target.exists() and target.samefile(database):
            raise StoreError(f"{target} is the database itself; a backup needs a file of its own")
        if target.resolve() in [Path(f"{database.resolve()}{more}") for more in _BESIDE]:
            raise StoreError(f"{target} belongs to the database; a backup needs a file of its own")
    if target.is_dir():
        raise StoreError(f"{target} is a folder; a backup is a file")
    if target.exists() and target.stat().st_size:
        try:
            _check_backup(target)
        except StoreError:
            raise StoreError(f"{target} exists and is no backup: it is left alone") from None


def _check_backup(file: Path) -> None:
    """Refuse what can't be read or is no database of this program."""
    try:
        with file.open("rb") as opened:
            head = opened.read(len(_MAGIC))
    except OSError as error:
        raise StoreError(f"{file} can't be read: {error.strerror or error}") from None
    if head == _MAGIC:
        with contextlib.suppress(sqlite3.Error), _opened(file) as connection:
            if connection.execute(f"SELECT count(*) FROM {VERSION_TABLE}, settings").fetchone():
                return
    raise StoreError(f"{file} is no backup of this program")


# ---------------------------------------------------------------- taking


def _take(where: URL, copy: Path) -> Counts:
    """A snapshot of a database of either kind, at whatever step it is, as one SQLite file."""
    if where.get_backend_name() == "sqlite":
        _clone(Path(str(where.database)), copy)
        # The copy is asked, not the database, which goes on meanwhile.
        with _connected(address(_url_of(copy)), "reader") as connection:
            _step(connection, where)
            counts = _counts(connection, _tables(connection))
    else:
        with _connected(where, "reader") as old:
            migrate(_url_of(copy), _step(old, where))
            tables = _tables(old)
            with _connected(address(_url_of(copy)), "writer") as new:
                _carry(old, new, tables)
                counts = _counts(new, tables)
    with _opened(copy) as connection:
        connection.execute("PRAGMA journal_mode = DELETE")  # one file, without a log beside it
    return counts


def _step(connection: Connection, where: URL) -> str:
    step = version_of(connection, where)
    if step is None:
        raise StoreError(f"the database {shown(where)} is empty: there is nothing to save")
    return step


def _clone(source: Path, copy: Path) -> None:
    """A SQLite file as it is at this moment, whoever writes to it."""
    try:
        with _opened(source) as old, contextlib.closing(sqlite3.connect(copy)) as new:
            old.backup(new)
    except sqlite3.Error as error:
        raise StoreError(f"{source} can't be copied: {error}") from None


# ---------------------------------------------------------------- carrying


def _tables(connection: Connection) -> list[Table]:
    """All tables as they are, the ones that others refer to first."""
    found = MetaData()
    found.reflect(connection)
    return [table for table in found.sorted_tables if table.name != VERSION_TABLE]


def _carry(old: Connection, new: Connection, tables: list[Table]) -> None:
    for table in tables:
        rows = old.execute(select(table), execution_options={"yield_per": _ROWS})
        for some in rows.mappings().partitions():
            new.execute(insert(table), [dict(row) for row in some])


def _counts(connection: Connection, tables: list[Table]) -> Counts:
    return {table.name: connection.scalar(select(func.count()).select_from(table)) or 0 for table in tables}


# ---------------------------------------------------------------- files and connections


@contextlib.contextmanager
def _connected(where: URL, role: Role) -> Iterator[Connection]:
    """One transaction: a snapshot, or all that is written."""
    engine = engine_of(where, role)
    try:
        with engine.begin() as connection:
            yield connection
    except DBAPIError as error:
        raise problem(where, error) from error
    finally:
        engine.dispose()


@contextlib.contextmanager
def _opened(file: Path) -> Iterator[sqlite3.Connection]:
    """A file that exists."""
    with contextlib.closing(sqlite3.connect(f"{file.absolute().as_uri()}?mode=rw", uri=True)) as connection:
        yield connection


def _url_of(file: Path) -> str:
    return URL.create("sqlite", database=str(file)).render_as_string(hide_password=False)


def _sync(path: Path) -> None:
    """To disk, before anyone relies on it."""
    if path.is_dir() and os.name == "nt":
        return  # Windows syncs no folders
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
