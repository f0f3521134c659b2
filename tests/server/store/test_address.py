"""Which database is used, and what is said about one that can't be."""

import stat
from pathlib import Path

import pytest

from hainan.server.store import Store, StoreError, default_url, migrate
from hainan.server.store.address import address

pytestmark = pytest.mark.anyio


def test_by_default_a_file_of_the_user(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("DATABASE_URL", raising=False)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "with space %20 and #"))
    database = address(default_url()).database
    assert database is not None
    assert Path(database).parts[-2:] == ("hainan-mahjong", "hainan.sqlite3")
    migrate(default_url())
    assert Path(database).is_file()
    assert stat.S_IMODE(Path(database).stat().st_mode) == 0o600, "it holds what signs tokens"


def test_database_url(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DATABASE_URL", "postgres://ann:secret@host/db")
    assert default_url() == "postgres://ann:secret@host/db"


@pytest.mark.parametrize("scheme", ["postgres", "postgresql", "postgresql+psycopg", "postgresql+psycopg2"])
def test_postgresql_by_any_name(scheme: str) -> None:
    url = address(f"{scheme}://ann:s%40cret@host:5433/db?sslmode=require")
    assert url.drivername == "postgresql+psycopg"
    assert (url.password, url.port, url.query["sslmode"]) == ("s@cret", 5433, "require")


@pytest.mark.parametrize(
    ("url", "said"),
    [
        ("", "no database URL"),
        ("hainan.sqlite3", "no database URL"),
        ("postgres://ann:secret@host:port/db", "no database URL"),
        ("mysql://ann:secret@host/db", "kind 'mysql' isn't supported"),
        ("sqlite://", "in memory keeps nothing"),
        ("sqlite:///:memory:", "in memory keeps nothing"),
        ("postgres://ann:secret@127.0.0.1:1/db", "the database db on 127.0.0.1:1 can't be used"),
    ],
)
def test_what_is_no_database(url: str, said: str) -> None:
    with pytest.raises(StoreError, match=said) as refused:
        migrate(url)
    assert "secret" not in str(refused.value)
    assert "\n" not in str(refused.value)


async def test_a_file_that_is_none(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="Is a directory"):
        await Store.open(f"sqlite:///{tmp_path}")
    (tmp_path / "file").write_text("not a database at all, but long enough to be asked")
    with pytest.raises(StoreError, match="can't be used: file is not a database"):
        await Store.open(f"sqlite:///{tmp_path / 'file'}")
    with pytest.raises(StoreError, match="can't be written: "):
        await Store.open(f"sqlite:///{tmp_path / 'file' / 'below'}")
    with pytest.raises(StoreError, match="can't be written: "):
        await Store.open("sqlite:////proc/hainan/file")
