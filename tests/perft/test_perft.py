"""The counts of the text files; a mismatch shows the lines that differ, which name the first action."""

import pytest

from hainan.engine.jit import COMPILED
from hainan.sim.perft import perft
from tests.perft import CASES, path_of, table_of, text_of


@pytest.mark.parametrize(("preset", "players"), CASES)
def test_perft(preset: str, players: int) -> None:
    stored = path_of(preset, players).read_text()
    if COMPILED:
        assert text_of(preset, players).splitlines() == stored.splitlines()
        return
    table = table_of(preset, players)
    for depth in (1, 2):
        assert f"depth {depth}: {perft(table, depth)}\n" in stored
