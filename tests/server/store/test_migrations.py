"""The steps make the tables of the schema, once, whoever starts together, and refuse what isn't theirs."""

import subprocess
import sys
from typing import Any

import pytest
from alembic.autogenerate import compare_metadata
from alembic.runtime.migration import MigrationContext
from sqlalchemy import Connection, text

from hainan.server.store import StoreError, migrate, schema
from hainan.server.store.address import address, engine_of
from hainan.server.store.migrate import VERSION_TABLE

DESCRIPTIONS = {
    "sqlite": ["SELECT name, sql FROM sqlite_master WHERE name NOT LIKE 'sqlite_%' ORDER BY name"],
    "postgresql": [
        "SELECT table_name, column_name, data_type, is_nullable, column_default FROM "
        "information_schema.columns WHERE table_schema = 'public' ORDER BY 1, 2",
        "SELECT indexdef FROM pg_indexes WHERE schemaname = 'public' ORDER BY 1",
        "SELECT conname, pg_get_constraintdef(oid) FROM pg_constraint "
        "WHERE connamespace = 'public'::regnamespace ORDER BY 1",
    ],
}


def described(connection: Connection) -> list[Any]:
    """The database in its own words, without Alembic's table."""
    rows: list[Any] = []
    for query in DESCRIPTIONS[connection.dialect.name]:
        rows += [" ".join(str(row).split()) for row in connection.execute(text(query))]
    return [row for row in rows if VERSION_TABLE not in row]


def test_steps_make_the_schema(database_url: str) -> None:
    migrate(database_url)
    engine = engine_of(address(database_url), "writer")
    with engine.begin() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        assert compare_metadata(context, schema.metadata) == []
        made_by_steps = described(connection)
        schema.metadata.drop_all(connection)
        assert described(connection) == []
        schema.metadata.create_all(connection)
        assert described(connection) == made_by_steps
    engine.dispose()
    assert len(made_by_steps) > len(schema.metadata.tables)


def test_actions_lie_in_their_key(sqlite_url: str) -> None:
    migrate(sqlite_url)
    engine = engine_of(address(sqlite_url), "reader")
    with engine.connect() as connection:
        assert any("WITHOUT ROWID" in row for row in described(connection))
        assert connection.scalar(text("PRAGMA journal_mode")) == "wal"
        assert connection.scalar(text("PRAGMA synchronous")) == 2
    engine.dispose()


def test_processes_that_start_together(database_url: str) -> None:
    script = (
        "import sys; from hainan.server.store import migrate\n"
        "print('up', flush=True); sys.stdin.readline(); migrate(sys.argv[1]); migrate(sys.argv[1])"
    )
    processes = [
        subprocess.Popen(
            [sys.executable, "-W", "error", "-c", script, database_url],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        for _ in range(3)
    ]
    for process in processes:
        assert process.stdout is not None
        assert process.stdout.readline() == b"up\n"
    for process in processes:
        assert process.stdin is not None
        process.stdin.write(b"go\n")
        process.stdin.flush()
    for process in processes:
        _, said = process.communicate(timeout=60)
        assert (process.returncode, said) == (0, b"")


def test_a_database_that_is_newer(database_url: str) -> None:
    migrate(database_url)
    _execute(database_url, f"UPDATE {VERSION_TABLE} SET version_num = '9999'")
    with pytest.raises(StoreError, match=r"newer than this program \(it is at step 9999\): update"):
        migrate(database_url)


def test_a_database_of_another_program(database_url: str) -> None:
    if database_url.startswith("sqlite"):
        open(database_url.removeprefix("sqlite:///"), "wb").close()
    _execute(database_url, "CREATE TABLE theirs (id INTEGER)")
    with pytest.raises(StoreError, match="belongs to another program"):
        migrate(database_url)


def _execute(url: str, statement: str) -> None:
    engine = engine_of(address(url), "writer")
    with engine.begin() as connection:
        connection.execute(text(statement))
    engine.dispose()
