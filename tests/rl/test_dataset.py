"""Datasets: every decision of the play, with what was seen, the same rows however the work is spread."""

import json
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from hainan.bots.policies import Policy
from hainan.cli import simulate as command
from hainan.cli.common import BadInput
from hainan.engine.jit import COMPILED
from hainan.records import read_record, steps
from hainan.rl import dataset
from hainan.rl.dataset import Dataset, create, finish
from hainan.rl.layout import SIZE, named
from hainan.rl.observe import mask, observation
from hainan.rules.presets import rules_of
from hainan.sim import runner
from hainan.sim.runner import Run, simulate
from tests.conftest import amount

pl = pytest.importorskip("polars")
POLICY = Policy.GREEDY if COMPILED else Policy.RANDOM


def written(run: Run, folder: Path) -> dict[str, Any]:
    create(folder)
    result = simulate(run, job=Dataset(run, str(folder)))
    finish(folder, result)
    told: dict[str, Any] = json.loads((folder / "dataset.json").read_text(encoding="utf-8"))
    return told


@pytest.fixture(autouse=True)
def small_pieces(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(runner, "_CHUNK", 8)
    monkeypatch.setattr(dataset, "ROWS", 1024)


def known(seen: Any) -> Any:
    """An observation without what a record doesn't tell: how long its match has lasted."""
    kept = seen.copy()
    for name in ("first_dealer", "hands_played", "rounds_played"):
        named(kept)[name][:] = 0
    return kept


@pytest.mark.parametrize(
    ("preset", "players", "changes"),
    [("hainan", 4, {"wild": "indicator"}), ("lingao", 3, {}), ("lingao-variant", 4, {"ga": False})],
)
def test_every_decision_stands_there_as_its_player_saw_it(
    tmp_path: Path, preset: str, players: int, changes: dict[str, Any]
) -> None:
    run = Run(rules_of(preset, players, **changes), players, amount(24, 2), seed=4, policies=(POLICY,))
    told = written(run, tmp_path / "data")
    assert told["digest"] == simulate(run).to_json()["digest"]
    assert told["complete"]
    decisions = pl.read_parquet(tmp_path / "data" / "decisions" / "*.parquet").sort("hand", "n")
    hands = pl.read_parquet(tmp_path / "data" / "hands" / "*.parquet").sort("hand")
    assert (len(hands), len(decisions)) == (told["hands"], told["decisions"])
    seen, allowed = dataset.observations(decisions["observation"]), dataset.masks(decisions["mask"])
    row = 0
    for hand, text, points in hands.select("hand", "record", "points").iter_rows():
        before = None
        for table, n, seat, did in steps(read_record(json.loads(text))):
            if before is not None:
                place = decisions.row(row, named=True)
                assert (place["hand"], place["n"], place["seat"]) == (hand, n - 1, seat)
                assert did == str(before[seat][2][place["action"]])
                assert (known(seen[row]) == known(before[seat][0])).all()
                assert named(seen[row])["hands_played"][1] == hand % run.rules.hands
                assert (allowed[row] == before[seat][1]).all()
                assert place["points"] == points[seat]
                row += 1
            if not table.over:
                before = {
                    seat: (
                        observation(table, seat),
                        mask(table, seat).astype(bool),
                        {int(action): action for action in table.legal()[seat]},
                    )
                    for seat in table.legal()
                }
        assert table.payments == points
    assert row == len(decisions)


SLOW = pytest.mark.skipif(not COMPILED, reason="many hands, slow as plain Python")


@SLOW
def test_the_same_rows_however_many_threads(tmp_path: Path) -> None:
    files = []
    for processes in (1, 3):
        folder = tmp_path / str(processes)
        told = written(Run(rules_of(), hands=40, seed=1, processes=processes), folder)
        names = sorted(path.relative_to(folder) for path in folder.rglob("*"))
        files.append(({name: (folder / name).read_bytes() for name in names if name.suffix}, told))
    assert files[0] == files[1]


@SLOW
def test_an_interrupted_run_says_so_and_its_files_are_whole(tmp_path: Path) -> None:
    run = Run(rules_of(), hands=10**6, processes=2)
    create(tmp_path)

    def interrupt(done: int) -> None:
        raise KeyboardInterrupt

    finish(tmp_path, simulate(run, interrupt, job=Dataset(run, str(tmp_path))))
    told = json.loads((tmp_path / "dataset.json").read_text(encoding="utf-8"))
    assert not told["complete"]
    assert told["hands"] == len(pl.read_parquet(tmp_path / "hands" / "*.parquet"))
    assert not list(tmp_path.rglob(".*"))


def test_a_folder_with_something_in_it_is_refused(tmp_path: Path) -> None:
    (tmp_path / "thesis.txt").write_text("x")
    with pytest.raises(FileExistsError, match="something in it already"):
        create(tmp_path)


def test_reading_as_the_page_shows_it(tmp_path: Path) -> None:
    """The examples of docs/learning.md."""
    written(Run(rules_of(), hands=amount(8, 1), seed=2, policies=(POLICY,)), tmp_path)
    page = (Path(__file__).parents[2] / "docs" / "learning.md").read_text(encoding="utf-8")
    example = page.split("```python\nimport polars as pl\n")[1].split("```")[0]
    names: dict[str, Any] = {}
    exec("import polars as pl\n" + example.replace("FOLDER", str(tmp_path)), names)
    assert names["seen"].shape[1] == SIZE
    assert names["won"].height > (0 if COMPILED else -1)
    assert names["waits"].dtype == np.uint8
    assert named(names["seen"])["hand"].any()


# ---------------------------------------------------------------- the command


def simulated(**given: Any) -> int:
    asked = {
        "hands": amount(8, 1), "preset": None, "rules_file": None, "players": 4, "seed": 3,
        "policy": "random", "processes": 1, "as_json": True, "records": None, "dataset": None, "ray": None,
        "lang": "en",
    }  # fmt: skip
    return command.run(**asked | given)


def test_hainan_simulate_dataset(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert simulated(dataset=str(tmp_path / "new" / "data")) == 0
    told = json.loads(capsys.readouterr().out)
    kept = json.loads((tmp_path / "new" / "data" / "dataset.json").read_text(encoding="utf-8"))
    assert kept["digest"] == told["digest"]
    simulated()
    assert json.loads(capsys.readouterr().out)["digest"] == told["digest"]


@pytest.mark.parametrize(
    ("given", "problem"),
    [
        ({"dataset": "{}"}, "--dataset: .*something in it already"),
        ({"dataset": "{}/file"}, "--dataset: .*file: "),
        ({"records": "x", "dataset": "{}"}, "--records: written in order"),
        ({"records": "x", "ray": "auto"}, "--records: written in order"),
        ({"ray": "127.0.0.1:1"}, "--ray: no Ray cluster at"),
    ],
)
def test_what_simulate_refuses(tmp_path: Path, given: dict[str, str], problem: str) -> None:
    (tmp_path / "file").write_text("x")
    with pytest.raises(BadInput, match=problem):
        simulated(**{name: text.format(tmp_path) for name, text in given.items()})


def test_without_the_extra_people_are_told_how_to_get_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("pyarrow", "ray"):
        monkeypatch.setitem(sys.modules, name, None)
    monkeypatch.setitem(sys.modules, "pyarrow.parquet", None)
    with pytest.raises(BadInput, match=r"--dataset: .*pip install 'hainan-mahjong\[rl\]'"):
        simulated(dataset=str(tmp_path))
    with pytest.raises(BadInput, match=r"--ray: .*pip install 'hainan-mahjong\[cluster\]'"):
        simulated(ray="auto")
