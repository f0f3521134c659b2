"""Whole hands are as they were."""

import pytest

from tests.playthroughs import CASES, path_of, text_of


@pytest.mark.parametrize("preset", CASES)
def test_playthrough(preset: str) -> None:
    assert text_of(preset).splitlines() == path_of(preset).read_text().splitlines()
