"""The store: everything that lasts, behind one object.

store = await Store.open(default_url())
await store.commit(acted(match, hand, n, seat, action, How.PLAYER, 0, now_ms()))
"""

import asyncio

from sqlalchemy import Connection, text

from hainan.server.store.address import address
from hainan.server.store.history import History
from hainan.server.store.migrate import migrate
from hainan.server.store.players import Players
from hainan.server.store.rooms import Rooms
from hainan.server.store.writer import Observer
from hainan.server.store.writes import Write


class Store(Players, Rooms, History):
    """One database, used from one event loop."""

    @classmethod
    async def open(cls, url: str) -> "Store":
        """Bring the database up to date and connect; raises StoreError."""
        where = address(url)
        await asyncio.to_thread(migrate, url)
        return cls(where)

    async def close(self) -> None:
        """Carry out what is queued, then let go of the database."""
        await self._close()

    async def commit(self, *writes: Write) -> None:
        """Carry out writes: all or none, durable when it returns; raises StorageError.

        Cancelled while it waits, it may still be carried out.
        """
        if writes:
            await self._writer.submit(writes)

    def on_commit(self, observe: Observer) -> None:
        """Have the event loop tell how many calls each transaction carried and how many seconds it took."""
        self._writer.observers.append(observe)

    async def ping(self) -> None:
        """Ask the database for a sign of life; raises StoreError."""
        await self._read(_ping)


def _ping(connection: Connection) -> None:
    connection.execute(text("SELECT 1"))
