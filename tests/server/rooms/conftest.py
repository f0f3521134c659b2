"""A stage for each test, on an empty SQLite database."""

from collections.abc import AsyncIterator

import pytest

from hainan.engine.jit import COMPILED
from hainan.engine.record import Phase
from hainan.matches import Place
from hainan.rules.options import Rules
from hainan.server.store import Store
from hainan.shuffle import Deal
from hainan.table import Table
from tests.server.scene import Scene
from tests.stack import shorten


@pytest.fixture
async def scene(sqlite_url: str, anyio_backend: str) -> AsyncIterator[Scene]:
    """Rooms with a store and a clock that is fed."""
    store = await Store.open(sqlite_url)
    scene = Scene(store)
    yield scene
    await scene.stop()
    await store.close()


@pytest.fixture
def short_hands(monkeypatch: pytest.MonkeyPatch) -> None:
    """Uncompiled, where a hand takes seconds, the wall ends after a dozen tiles."""
    if COMPILED:
        return
    whole = Place.table

    def table(place: Place, rules: Rules, players: int, deal: Deal) -> Table:
        begun = whole(place, rules, players, deal)
        return shorten(begun, 81 if begun.phase == Phase.GA else 29)

    monkeypatch.setattr(Place, "table", table)
