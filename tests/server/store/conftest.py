"""A store on an empty database of each kind."""

from collections.abc import AsyncIterator

import pytest

from hainan.server.store import Store


@pytest.fixture
async def store(database_url: str, anyio_backend: str) -> AsyncIterator[Store]:
    """Open, and closed afterwards."""
    opened = await Store.open(database_url)
    yield opened
    await opened.close()
