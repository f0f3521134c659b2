"""Databases for the tests of the server: each test gets an empty one, of both kinds."""

import os
import uuid
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from tests.server import postgres


@pytest.fixture
def anyio_backend() -> str:
    """Asynchronous tests are marked ``@pytest.mark.anyio``."""
    return "asyncio"


@pytest.fixture(scope="session")
def postgres_admin() -> Iterator[str]:
    """The URL of a PostgreSQL server: the one named by HAINAN_TEST_POSTGRES, else one of our own."""
    if url := os.environ.get("HAINAN_TEST_POSTGRES"):
        yield url
        return
    folder = postgres.binaries()
    if folder is None:
        missing = "PostgreSQL's server isn't installed (.ci/services.sh installs it)"
        if os.environ.get("CI"):
            pytest.fail(missing)
        pytest.skip(missing)
    with postgres.cluster(folder) as url:
        yield url


@pytest.fixture
def sqlite_url(tmp_path: Path) -> str:
    """A SQLite file that doesn't exist yet."""
    return f"sqlite:///{tmp_path / 'hainan.sqlite3'}"


@pytest.fixture
def postgres_url(postgres_admin: str) -> Iterator[str]:
    """An empty PostgreSQL database."""
    name = f"hainan_{uuid.uuid4().hex}"
    with psycopg.connect(postgres_admin, autocommit=True) as admin:
        admin.execute(f"CREATE DATABASE {name}")
        yield postgres_admin.rsplit("/", 1)[0] + f"/{name}"
        admin.execute(f"DROP DATABASE {name} WITH (FORCE)")


@pytest.fixture(params=["sqlite", "postgresql"])
def database_url(request: pytest.FixtureRequest) -> str:
    """An empty database of each kind."""
    url: str = request.getfixturevalue("sqlite_url" if request.param == "sqlite" else "postgres_url")
    return url


@pytest.fixture(params=["sqlite", "postgresql"])
def other_database_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """One more."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'other.sqlite3'}"
    url: str = request.getfixturevalue("another_postgres_url")
    return url


another_postgres_url = postgres_url
