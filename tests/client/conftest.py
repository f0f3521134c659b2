"""A live server, and people who own rooms there."""

import asyncio
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from hainan import wire
from hainan.client.client import Client, Retry
from tests.client.live import LiveServer

QUICK = Retry(first=0.01, longest=0.1, give_up=30)


@pytest.fixture
def anyio_backend() -> str:
    """Asynchronous tests are marked ``@pytest.mark.anyio``."""
    return "asyncio"


@pytest.fixture
def server(tmp_path: Path) -> Iterator[LiveServer]:
    with LiveServer(f"sqlite:///{tmp_path / 'tables.sqlite3'}") as running:
        yield running


class Decision(NamedTuple):
    """A stored action."""

    match: str
    hand: int
    n: int
    seat: int
    action: int
    how: int


def stored(server: LiveServer) -> list[Decision]:
    """All stored decisions, in order."""
    with sqlite3.connect(server.database.removeprefix("sqlite:///")) as database:
        rows = database.execute(
            "SELECT match, hand, actions.n, seat, action, actions.how FROM actions"
            " JOIN matches ON matches.id = match ORDER BY started_at, hand, actions.n"
        ).fetchall()
    database.close()
    return [Decision(*row) for row in rows]


class Owner:
    """Owns a room without sitting in it: adds bots, and begins a match whenever all seats are taken."""

    def __init__(self, server: LiveServer, **settings: object) -> None:
        self.client = Client(server.url, retry=QUICK)
        self.settings = wire.Settings(**settings)  # type: ignore[arg-type]
        self.code = ""
        self.totals: list[list[int]] = []
        self._begun: str | None = None

    async def open(self) -> str:
        await self.client.guest("Owner")
        self.code = (await self.client.create_room(self.settings)).code
        return self.code

    async def hold(self, bots: int = 0, matches: int = 1) -> list[list[int]]:
        """Until so many matches are over; their totals."""
        async with self.client.table(self.code) as table:
            for _ in range(bots):
                await table.ask(wire.AddBot(policy="random"))
            async for message in table:
                if not isinstance(message, wire.Room) or message.stage != wire.Stage.OPEN:
                    continue
                if message.match == self._begun and self._begun is not None:
                    self.totals.append(list(message.totals or ()))
                    self._begun = None
                if len(self.totals) == matches:
                    break
                if all(chair.player or chair.bot for chair in message.chairs):
                    await table.send(wire.Start())
                    self._begun = await self._match_of(table)
        return self.totals

    async def _match_of(self, table: object) -> str:
        async for message in table:  # type: ignore[attr-defined]
            if isinstance(message, wire.Room) and message.stage != wire.Stage.OPEN and message.match:
                return message.match
        raise AssertionError("the room was closed")


async def guest(url: str, name: str) -> Client:
    client = Client(url, retry=QUICK)
    await client.guest(name)
    return client


async def all_of(*work: object) -> list[object]:
    """Everything at once, within a time in which it must be done."""
    async with asyncio.timeout(120):
        return list(await asyncio.gather(*work))  # type: ignore[call-overload]
