"""Group commit: one thread writes for everybody, many calls in one transaction with one sync.

While a transaction is being synced, other calls queue up; the next transaction takes them all. A call is
carried out as a whole or not at all, and its future is resolved only after the commit. Where the shared
transaction fails, each call gets one of its own, and only those at fault fail.
"""

import asyncio
import queue
import sqlite3
import threading
import time
from collections.abc import Callable, Sequence
from typing import Any, Final, NamedTuple

import msgspec
import psycopg
from sqlalchemy import Connection, Engine
from sqlalchemy.exc import DBAPIError

from hainan.server.store.errors import StorageError, StoreError
from hainan.server.store.schema import actions
from hainan.server.store.writes import ACTED, Write

Job = Callable[[Connection], Any]
"""Something that reads and writes in one go; it may be run again after a failure of others."""
Work = Sequence[Write] | Job
Row = dict[str, Any]
Observer = Callable[[int, float], None]


class _Call(NamedTuple):
    work: Work
    future: "asyncio.Future[Any]"


class _Outcome(NamedTuple):
    future: "asyncio.Future[Any]"
    value: Any
    error: StoreError | None


_INTO: Final = f"INSERT INTO actions ({', '.join(column.name for column in actions.columns)}) SELECT "
# One statement for all actions of a transaction, whatever their number. With one for each, the driver would
# give up the interpreter's lock at every row, and wait for it behind a busy event loop.
_GATHERED: Final = {
    "sqlite": _INTO
    + ", ".join(f"json_extract(value, '$[{place}]')" for place in range(len(actions.columns)))
    + " FROM json_each(?)",
    "postgresql": _INTO
    + ", ".join(
        f"CAST(value ->> {place} AS {column.type.compile()})" for place, column in enumerate(actions.columns)
    )
    + " FROM json_array_elements(CAST(%s AS json)) AS row(value)",
}


CROWD: Final = 4
"""Where a transaction carried so many calls, many tables are played, and the next one waits a moment for
more: fewer transactions, and fewer times that loop and thread take the interpreter from each other."""
GATHER_SECONDS: Final = 0.002


class Writer:
    """The thread that writes, and the queue before it. All other methods are the event loop's."""

    def __init__(self, engine: Engine, loop: asyncio.AbstractEventLoop) -> None:
        """Start it."""
        self.observers: list[Observer] = []
        self._engine, self._loop = engine, loop
        self._gathered = _GATHERED[engine.dialect.name]
        self._connection: Connection | None = None
        self._queue: queue.SimpleQueue[_Call | None] = queue.SimpleQueue()
        self._closed = False
        self._crowded = False
        self._thread = threading.Thread(target=self._run, name="hainan-store", daemon=True)
        self._thread.start()

    def submit(self, work: Work) -> "asyncio.Future[Any]":
        """Queue a call; its future is resolved when it is durable."""
        if self._closed:
            raise StorageError("the storage is closed")
        future = self._loop.create_future()
        self._queue.put(_Call(work, future))
        return future

    async def close(self) -> None:
        """Carry out what is queued, then stop."""
        if not self._closed:
            self._closed = True
            self._queue.put(None)
            await self._loop.run_in_executor(None, self._thread.join)
            await asyncio.sleep(0)  # the last answers are told

    # ------------------------------------------------------------ in the thread

    def _run(self) -> None:
        going_on = True
        while going_on:
            calls, going_on = self._take()
            self._crowded = len(calls) >= CROWD
            if calls:
                began = time.perf_counter()
                outcomes = self._carry_out(calls)
                self._tell(outcomes, time.perf_counter() - began)
        self._disconnect()

    def _take(self) -> tuple[list[_Call], bool]:
        """Wait for a call and take all that wait with it; False with the last ones."""
        calls: list[_Call] = []
        try:
            call = self._queue.get()
            if self._crowded and call is not None:
                time.sleep(GATHER_SECONDS)
            while call is not None:
                calls.append(call)
                call = self._queue.get_nowait()
        except queue.Empty:
            return calls, True
        return calls, False

    def _carry_out(self, calls: list[_Call]) -> list[_Outcome]:
        try:
            values = self._transaction([call.work for call in calls])
        except Exception as error:  # whatever it was: nothing of it is stored
            if len(calls) == 1:
                return [_Outcome(calls[0].future, None, _refusal(error))]
            return self._one_by_one(calls)
        return [_Outcome(call.future, value, None) for call, value in zip(calls, values, strict=True)]

    def _one_by_one(self, calls: list[_Call]) -> list[_Outcome]:
        try:
            self._connected()
        except Exception as error:  # then nobody's turn needs to be waited for
            return [_Outcome(call.future, None, _refusal(error)) for call in calls]
        return [outcome for call in calls for outcome in self._carry_out([call])]

    def _transaction(self, works: Sequence[Work]) -> list[Any]:
        try:
            connection = self._connected()
            acted = _only_acted(works)
            if acted is None:
                with connection.begin():
                    return self._work_through(connection, works)
            # Nearly always: a single statement, which is a transaction of its own, straight to the driver.
            driver: Any = connection.connection.driver_connection
            _changed(len(acted), driver.execute(self._gathered, (_rows(acted),)).rowcount, "acted")
            return [None] * len(works)
        except Exception:
            # Perhaps the connection is what failed; the next transaction gets a new one.
            self._disconnect()
            raise

    def _connected(self) -> Connection:
        if self._connection is None:
            self._connection = self._engine.connect()
        return self._connection

    def _disconnect(self) -> None:
        connection, self._connection = self._connection, None
        if connection is not None:
            connection.invalidate()
            connection.close()

    def _work_through(self, connection: Connection, works: Sequence[Work]) -> list[Any]:
        acted: list[Row] = []
        values: list[Any] = []
        for work in works:
            if callable(work):
                values.append(work(connection))
                continue
            for write in work:
                if write.statement is ACTED:
                    acted.append(write.parameters)
                else:
                    result = connection.execute(write.statement, write.parameters)
                    _changed(1, result.rowcount, write.statement)
            values.append(None)
        if acted:
            result = connection.exec_driver_sql(self._gathered, (_rows(acted),))
            _changed(len(acted), result.rowcount, "acted")
        return values

    def _tell(self, outcomes: list[_Outcome], seconds: float) -> None:
        try:
            self._loop.call_soon_threadsafe(self._resolve, outcomes, seconds)
        except RuntimeError:  # the loop is closed: nobody waits any more
            return

    # ------------------------------------------------------------ in the event loop

    def _resolve(self, outcomes: list[_Outcome], seconds: float) -> None:
        for future, value, error in outcomes:
            if future.done():  # its task was cancelled
                continue
            if error is None:
                future.set_result(value)
            else:
                future.set_exception(error)
        for observe in self.observers:
            observe(len(outcomes), seconds)


def _only_acted(works: Sequence[Work]) -> list[Row] | None:
    """The rows of works that hold nothing but actions."""
    rows = []
    for work in works:
        if callable(work):
            return None
        for write in work:
            if write.statement is not ACTED:
                return None
            rows.append(write.parameters)
    return rows


def _rows(acted: list[Row]) -> str:
    return msgspec.json.encode([tuple(row.values()) for row in acted]).decode()


def _changed(wanted: int, rows: int, what: object) -> None:
    if rows != wanted:
        raise StorageError(f"a write changed {rows} rows instead of {wanted}: {what}")


def _refusal(error: Exception) -> StoreError:
    if isinstance(error, StoreError):
        return error
    refused = error.orig if isinstance(error, DBAPIError) else error
    # PostgreSQL's further lines, and thus its error as a cause, may show a row with its seed and wall.
    said = (str(refused).strip() or type(refused).__name__).splitlines()[0]
    refusal = StorageError(f"the storage refused a write: {said}")
    if not isinstance(error, (DBAPIError, *_DRIVERS_ERRORS)):
        refusal.__cause__ = error
    return refusal


_DRIVERS_ERRORS: Final = (sqlite3.Error, psycopg.Error)
