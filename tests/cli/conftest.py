"""What every test of a command finds: a line of 80 cells, and everything compiled that it needs."""

import pytest

from hainan.cli.warmup import ready


@pytest.fixture(scope="session", autouse=True)
def _compiled() -> None:
    """So that the commands have nothing to say about compiling."""
    ready(["shapes", "score", "table", "hints", "bots"], "en")


@pytest.fixture(autouse=True)
def _width(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
