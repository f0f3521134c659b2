"""A stage for each test, on an empty SQLite database."""

from collections.abc import AsyncIterator

import pytest

from hainan.server.store import Store
from tests.server.scene import Scene


@pytest.fixture
async def scene(sqlite_url: str, anyio_backend: str) -> AsyncIterator[Scene]:
    """Rooms with a store and a clock that is fed."""
    store = await Store.open(sqlite_url)
    scene = Scene(store)
    yield scene
    await scene.stop()
    await store.close()
