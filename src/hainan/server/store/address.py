"""Which database: its address, and connections to it."""

import os
import sqlite3
from pathlib import Path
from typing import Any, Final, Literal

from platformdirs import user_data_path
from sqlalchemy import URL, Engine, create_engine, event, make_url
from sqlalchemy.exc import ArgumentError, DBAPIError

from hainan.server.store.errors import StoreError

BUSY_SECONDS: Final = 30
"""How long a connection waits for another process that writes to the same SQLite file."""
_FORM: Final = "sqlite:////folder/file.sqlite3 or postgresql://user:password@host/name"
_WRITER_CACHE_KIB: Final = 32 * 1024
"""The pages where the present hands of thousands of tables end, and more."""


def default_url() -> str:
    """The database where none is named: DATABASE_URL, else a file in the user's data folder."""
    if url := os.environ.get("DATABASE_URL"):
        return url
    file = user_data_path("hainan-mahjong") / "hainan.sqlite3"
    return URL.create("sqlite", database=str(file)).render_as_string(hide_password=False)


def url_of(database: str | None) -> str:
    """The URL of a database given by its URL, as the path of an SQLite file, or not at all."""
    if database is None:
        return default_url()
    return database if "://" in database else f"sqlite:///{Path(database).expanduser().absolute()}"


def address(url: str) -> URL:
    """The address checked, with the driver that is used; raises StoreError."""
    try:
        parsed = make_url(url)
        kind = parsed.get_backend_name()
    except (ArgumentError, ValueError):  # not repeated: it may hold a password
        raise StoreError(f"this is no database URL; it should look like {_FORM}") from None
    if kind == "sqlite":
        if parsed.database in (None, "", ":memory:"):
            raise StoreError("a database in memory keeps nothing: name a file, as in sqlite:////folder/file")
        return parsed.set(drivername="sqlite+pysqlite")
    if kind in ("postgres", "postgresql"):
        return parsed.set(drivername="postgresql+psycopg")
    raise StoreError(f"a database of kind {kind!r} isn't supported; use {_FORM}")


def shown(url: URL) -> str:
    """An address for people: a file's path, or host and name without the password."""
    if url.get_backend_name() == "sqlite":
        return str(url.database)
    port = f":{url.port}" if url.port else ""
    return f"{url.database or ''} on {url.host or 'localhost'}{port}"


def problem(url: URL, error: Exception) -> StoreError:
    """A driver's error as one sentence."""
    said = str(error.orig if isinstance(error, DBAPIError) else error).strip()
    first = said.splitlines()[0].rstrip(".") if said else type(error).__name__
    return StoreError(f"the database {shown(url)} can't be used: {first}")


def make_file(url: URL) -> None:
    """A SQLite file that only its owner can read, and its folder; raises StoreError where it can't be."""
    if url.get_backend_name() != "sqlite":
        return
    file = Path(str(url.database))
    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.touch(0o600)
        with file.open("r+b"):
            pass
    except OSError as error:
        raise StoreError(f"the database {file} can't be written: {error.strerror or error}") from None


Role = Literal["writer", "reader"]


def engine_of(url: URL, role: Role, connections: int = 1) -> Engine:
    """Connections to a database: one that writes, or some that only read, each in a snapshot.

    Their errors tell no parameters: those of a running hand are secret.
    """
    if url.get_backend_name() == "sqlite":
        return _sqlite(url, role, connections)
    return _postgresql(url, role, connections)


def _sqlite(url: URL, role: Role, connections: int) -> Engine:
    engine = create_engine(
        url,
        # The driver's own transactions would begin only at the first change: no snapshot, no lock.
        connect_args={"timeout": BUSY_SECONDS, "check_same_thread": False, "isolation_level": None},
        pool_size=connections,
        max_overflow=0,
        execution_options=_COUNTED,
        hide_parameters=True,
    )

    @event.listens_for(engine, "connect")
    def _prepare(connection: sqlite3.Connection, _record: Any) -> None:
        connection.execute("PRAGMA foreign_keys = ON")
        # The log is synced at every commit: what was told survives a power cut.
        connection.execute("PRAGMA synchronous = FULL")
        if role == "writer":
            connection.execute(f"PRAGMA cache_size = -{_WRITER_CACHE_KIB}")
        else:
            connection.execute("PRAGMA query_only = ON")

    @event.listens_for(engine, "begin")
    def _begin(connection: Any) -> None:
        connection.exec_driver_sql("BEGIN IMMEDIATE" if role == "writer" else "BEGIN")

    return engine


def _postgresql(url: URL, role: Role, connections: int) -> Engine:
    asked = {name: value for name, value in _CONNECT.items() if name not in url.query}
    options: dict[str, Any] = {
        "connect_args": asked,
        "pool_size": connections,
        "max_overflow": 0,
        "hide_parameters": True,
    }
    if role == "reader":
        snapshot = {"isolation_level": "REPEATABLE READ", "postgresql_readonly": True}
        return create_engine(url, execution_options=snapshot, pool_pre_ping=True, **options)
    # As with SQLite: a single statement is its own transaction, and others are begun in so many words.
    engine = create_engine(url, isolation_level="AUTOCOMMIT", execution_options=_COUNTED, **options)

    @event.listens_for(engine, "begin")
    def _begin(connection: Any) -> None:
        connection.exec_driver_sql("BEGIN")

    return engine


_COUNTED: Final = {"preserve_rowcount": True}
"""The writer checks how many rows each statement changed."""
_CONNECT: Final = {
    "connect_timeout": 10,
    "application_name": "hainan-mahjong",
    # A database whose machine is gone is noticed in half a minute, not in two hours.
    "keepalives_idle": 15,
    "keepalives_interval": 5,
    "keepalives_count": 3,
}
