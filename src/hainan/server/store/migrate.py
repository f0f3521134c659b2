"""Bring a database to the form that this program knows: Alembic's steps, run at start under a lock.

Two processes that start together take turns; the second finds everything done. Steps go forwards only: the
way back is a backup.
"""

import sqlite3
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import URL, Connection, inspect, text
from sqlalchemy.exc import DBAPIError

from hainan.server.store.address import BUSY_SECONDS, address, engine_of, make_file, problem, shown
from hainan.server.store.errors import StoreError

VERSION_TABLE: Final = "alembic_version"
_LOCK: Final = 0x4841494E414E
"""The number of the advisory lock in PostgreSQL: HAINAN."""
_STEPS: Final = Path(__file__).with_name("migrations")


def migrate(url: str, step: str = "head") -> None:
    """Make or update the database, up to a step; raises StoreError."""
    where = address(url)
    make_file(where)
    engine = engine_of(where, "writer")
    try:
        with engine.connect() as connection:
            _write_ahead(connection)
            with connection.begin(), _lock(connection):
                _upgrade(connection, where, step)
    except DBAPIError as error:
        raise problem(where, error) from error
    finally:
        engine.dispose()


def _upgrade(connection: Connection, where: URL, step: str) -> None:
    """Take the steps that are missing, in the transaction that is open."""
    config = _config()
    if version_of(connection, where) == ScriptDirectory.from_config(config).get_current_head():
        return
    config.attributes["connection"] = connection
    command.upgrade(config, step)


def version_of(connection: Connection, where: URL) -> str | None:
    """The step that a database is at, None for one without tables; raises StoreError for one that this
    program doesn't know."""
    found = MigrationContext.configure(connection).get_current_revision()
    if found is None:
        if inspect(connection).get_table_names():
            raise StoreError(f"the database {shown(where)} belongs to another program")
        return None
    known = {step.revision for step in ScriptDirectory.from_config(_config()).walk_revisions()}
    if found not in known:
        raise StoreError(
            f"the database {shown(where)} is newer than this program (it is at step {found}): "
            "update hainan-mahjong"
        )
    return found


def _config() -> Config:
    config = Config()
    config.set_main_option("script_location", str(_STEPS).replace("%", "%%"))
    config.set_main_option("path_separator", "os")
    return config


def _write_ahead(connection: Connection) -> None:
    """Switch a SQLite file to its write-ahead log; it stays so.

    SQLite doesn't wait for others here, so two that start together have to try again.
    """
    driver = connection.connection.driver_connection
    if not isinstance(driver, sqlite3.Connection):
        return
    until = time.monotonic() + BUSY_SECONDS
    while True:
        try:
            driver.execute("PRAGMA journal_mode = WAL")
            return
        except sqlite3.OperationalError as error:
            if "locked" not in str(error) or time.monotonic() > until:
                raise DBAPIError("PRAGMA journal_mode", None, error) from error
            time.sleep(0.01)
        except sqlite3.DatabaseError as error:
            raise DBAPIError("PRAGMA journal_mode", None, error) from error


@contextmanager
def _lock(connection: Connection) -> Iterator[None]:
    """Nobody else migrates until the transaction ends; SQLite's was begun as the only one that writes."""
    if connection.dialect.name == "postgresql":
        connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": _LOCK})
    yield
