"""The process of the rooms."""

import subprocess
import sys

import pytest

from hainan.server.apart import surroundings


def test_a_process_of_rooms_starts_with_large_pages() -> None:
    """Python takes the environment as it is meant, whatever the system is."""
    answer = subprocess.run(
        [sys.executable, "-c", "print(sum(range(10)))"],
        env=surroundings(), capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert (answer.stdout.strip(), answer.stderr) == ("45", "")


def test_the_environment_of_whoever_starts_it_counts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONMALLOC", "pymalloc")
    assert surroundings()["PYTHONMALLOC"] == "pymalloc"
