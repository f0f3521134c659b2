"""One server at a time on a database: two would both play its matches.

The process that runs the rooms holds something that the system takes back however the process ends: with
SQLite the lock of an empty file beside the database, with PostgreSQL a lock that lasts as a connection does.
"""

import asyncio
import contextlib
import os
import sqlite3
import time
from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Final, NoReturn

import psycopg
from sqlalchemy import URL
from sqlalchemy.exc import DBAPIError

from hainan.server.store.address import address, engine_of, make_file, problem, shown
from hainan.server.store.errors import StoreError

WAIT_SECONDS: Final = 10.0
"""A predecessor may just be draining, or its end not yet have been noticed."""
_SILENT_SECONDS: Final = 1.0
"""Mostly it has gone by then, and nobody needs to hear of it."""
_EVERY: Final = 0.1
KEEP_SECONDS = 15.0
"""How often a lock that can be lost is looked after."""
SERVING: Final = "-serving"
"""What is added to the name of a SQLite file; the file says nothing and may stay."""
_LOCK: Final = 0x4841494E414F
"""The number of the advisory lock in PostgreSQL: the one after that of migrations."""
_VANISHED: Final = (
    "SET tcp_keepalives_idle = 15; SET tcp_keepalives_interval = 5; SET tcp_keepalives_count = 3"
)
"""Where a server's whole machine is gone, PostgreSQL finds out in half a minute instead of two hours."""


class SoleUse(ABC):
    """The right to run the rooms of a database. One thread at a time may use it."""

    def __init__(self, where: URL) -> None:
        """Not yet taken."""
        self.where = where

    @abstractmethod
    def take(self) -> bool:
        """Try to get it; whether it was free. Raises StoreError where the database can't be used."""

    @abstractmethod
    def keep(self) -> bool:
        """See that it is still held; False where another one has it now."""

    @abstractmethod
    def release(self) -> None:
        """Let it go, if it was taken."""


class _OfFile(SoleUse):
    """SQLite: a transaction in a file of its own that never ends."""

    def __init__(self, where: URL) -> None:
        super().__init__(where)
        self._file: sqlite3.Connection | None = None

    def take(self) -> bool:
        make_file(self.where)
        file = serving_file(self.where)
        with contextlib.suppress(OSError):
            # Only where it is new: closing a file that is open elsewhere in this process drops its lock.
            file.touch(0o600, exist_ok=False)
        try:
            opened = sqlite3.connect(file, timeout=0, isolation_level=None)
        except sqlite3.Error as error:
            raise problem(self.where, error) from error
        try:
            opened.execute("BEGIN EXCLUSIVE")
        except sqlite3.Error as error:
            opened.close()
            if error.sqlite_errorcode == sqlite3.SQLITE_BUSY:
                return False
            raise problem(self.where, error) from error
        self._file = opened
        return True

    def keep(self) -> bool:
        return True

    def release(self) -> None:
        if self._file is not None:
            self._file.close()
            self._file = None


class _OfSession(SoleUse):
    """PostgreSQL: a lock of a connection that does nothing else."""

    def __init__(self, where: URL) -> None:
        super().__init__(where)
        self._engine = engine_of(where, "writer")
        self._driver: psycopg.Connection[Any] | None = None

    def take(self) -> bool:
        try:
            if self._driver is None:
                self._driver = self._connect()
            answer = self._driver.execute("SELECT pg_try_advisory_lock(%s)", (_LOCK,)).fetchone()
        except (DBAPIError, psycopg.Error) as error:
            self.release()
            raise problem(self.where, error) from error
        return answer == (True,)

    def keep(self) -> bool:
        try:
            if self._driver is not None:
                self._driver.execute("SELECT 1")
                return True
        except psycopg.Error:
            self.release()
        try:
            return self.take()  # the connection was lost, and the lock with it
        except StoreError:
            return True  # while there is no database, nobody else has it either

    def release(self) -> None:
        driver, self._driver = self._driver, None
        if driver is not None:
            with contextlib.suppress(psycopg.Error):  # at once; closing takes effect a moment later
                driver.execute("SELECT pg_advisory_unlock_all()")
            driver.close()
        self._engine.dispose()

    def _connect(self) -> psycopg.Connection[Any]:
        pooled = self._engine.raw_connection()
        driver: Any = pooled.driver_connection
        pooled.detach()  # ours alone: nothing gives it back
        driver.execute(_VANISHED)
        return driver  # type: ignore[no-any-return]


def sole(url: str) -> SoleUse:
    """The sole use of a database, not yet taken; raises StoreError for an address that can't be."""
    where = address(url)
    return (_OfFile if where.get_backend_name() == "sqlite" else _OfSession)(where)


def serving_file(where: URL) -> Path:
    """The file that a server of a SQLite database holds."""
    file = Path(str(where.database)).resolve()
    return file.with_name(file.name + SERVING)


# ---------------------------------------------------------------- for servers


def stop_at_once() -> NoReturn:
    """End the process: another one plays its matches. What anybody was told is stored."""
    from hainan.server.logs import log

    log.error("another server has taken over the database")
    os._exit(1)


def say_waiting() -> None:
    """Say why nothing seems to happen."""
    from hainan.server.logs import log

    log.warning("another server is using the database; waiting for its end", seconds=WAIT_SECONDS)


@contextlib.asynccontextmanager
async def sole_use(
    url: str,
    wait: float = WAIT_SECONDS,
    lost: Callable[[], object] = stop_at_once,
    waiting: Callable[[], object] = say_waiting,
) -> AsyncIterator[None]:
    """Run the rooms of a database, alone; raises StoreError where another server still does after ``wait``
    seconds.

    ``waiting`` is called once where that takes a while, and ``lost`` if it is ever another's: PostgreSQL
    was restarted, and another server came first.
    """
    use, loop = sole(url), asyncio.get_running_loop()
    # A thread for all of it, in order: a release never overtakes an attempt that nobody waits for any more.
    with ThreadPoolExecutor(1, thread_name_prefix="hainan-store-sole") as thread:
        try:
            await _take(use, thread, wait, waiting)
            keeper = asyncio.create_task(_look_after(use, thread, lost), name="sole use")
            try:
                yield
            finally:
                keeper.cancel()
        finally:
            await loop.run_in_executor(thread, use.release)


async def _take(use: SoleUse, thread: ThreadPoolExecutor, wait: float, waiting: Callable[[], object]) -> None:
    loop, told = asyncio.get_running_loop(), False
    began = loop.time()
    while not await loop.run_in_executor(thread, use.take):
        waited = loop.time() - began
        if waited > wait:
            raise StoreError(f"another server is using this database: {shown(use.where)}")
        if waited > _SILENT_SECONDS and not told:
            told = True
            waiting()
        await asyncio.sleep(_EVERY)


async def _look_after(use: SoleUse, thread: ThreadPoolExecutor, lost: Callable[[], object]) -> None:
    while True:
        await asyncio.sleep(KEEP_SECONDS)
        if not await asyncio.get_running_loop().run_in_executor(thread, use.keep):
            lost()
            return


# ---------------------------------------------------------------- for everybody else


@contextlib.contextmanager
def unserved(url: str, wait: float = 1.0) -> Iterator[None]:
    """While no server uses a database, and none can begin to; raises StoreError if one does."""
    use = sole(url)
    try:
        until = time.monotonic() + wait
        while not use.take():
            if time.monotonic() > until:
                raise StoreError(f"a server is using the database {shown(use.where)}: stop the server first")
            time.sleep(_EVERY)
        yield
    finally:
        use.release()
