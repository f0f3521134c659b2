"""The way from the event loop to the database and back: readers in a few threads, one writer."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Concatenate, Final, ParamSpec, TypeVar

from sqlalchemy import URL, Connection, Engine
from sqlalchemy.exc import DBAPIError

from hainan.server.store.address import engine_of, problem
from hainan.server.store.writer import Writer

READERS: Final = 4
P = ParamSpec("P")
T = TypeVar("T")
Query = Callable[Concatenate[Connection, P], T]


class Threads:
    """Runs queries: functions of a connection and what they are asked."""

    def __init__(self, url: URL) -> None:
        """Start the threads; the database must be migrated."""
        self.kind = url.get_backend_name()
        self._url = url
        self._loop = asyncio.get_running_loop()
        self._write_engine: Engine = engine_of(url, "writer")
        self._read_engine: Engine = engine_of(url, "reader", READERS)
        # Threads of its own: the loop's are busy with passwords.
        self._pool = ThreadPoolExecutor(READERS, thread_name_prefix="hainan-store-read")
        self._writer = Writer(self._write_engine, self._loop)

    async def _close(self) -> None:
        await self._writer.close()
        await self._loop.run_in_executor(None, self._pool.shutdown)
        self._read_engine.dispose()
        self._write_engine.dispose()

    async def _read(self, query: Query[P, T], *asked: P.args, **options: P.kwargs) -> T:
        """Ask in a reader's thread and a snapshot of its own."""

        def ask() -> T:
            try:
                with self._read_engine.connect() as connection:
                    return query(connection, *asked, **options)
            except DBAPIError as error:
                raise problem(self._url, error) from error

        return await self._loop.run_in_executor(self._pool, ask)

    async def _write(self, query: Query[P, T], *asked: P.args, **options: P.kwargs) -> T:
        """Read and write in the writer's next transaction; durable when it returns."""

        def job(connection: Connection) -> T:
            return query(connection, *asked, **options)

        answer: Any = await self._writer.submit(job)
        return answer  # type: ignore[no-any-return]
