"""Whole hands are as they were."""

import pytest

from hainan.engine.jit import COMPILED
from tests.playthroughs import CASES, as_stored, path_of, text_of


@pytest.mark.parametrize("preset", CASES)
def test_playthrough(preset: str) -> None:
    choice = None if COMPILED else as_stored(preset)
    assert text_of(preset, choice).splitlines() == path_of(preset).read_text().splitlines()
