"""Models from ONNX files play by what their seats see; files that are none are refused with a reason."""

import csv
import json
import subprocess
import sys
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest

from hainan.bots.policies import Policy
from hainan.engine.jit import COMPILED
from hainan.matches import Match, seeded_deals
from hainan.rl.layout import N_ACTIONS, SIZE
from hainan.rl.model import LOGITS, METADATA, Model, ModelBot, ModelError, load_model
from hainan.rl.observe import observation
from hainan.rl.optional import MissingPackage
from hainan.rules.presets import rules_of
from hainan.sim.tournament import Standing, Tournament, compete
from tests.cli.test_programs import hainan
from tests.conftest import amount

onnx = pytest.importorskip("onnx")
pytest.importorskip("onnxruntime")
helper: Any = onnx.helper
CURVE = Path(__file__).parents[2] / "examples" / "curve.py"
WEIGHTS = np.random.default_rng(8).normal(0, 1, (SIZE, N_ACTIONS)).astype(np.float32)


def model_file(
    path: Path,
    size: int = SIZE,
    actions: int = N_ACTIONS,
    rows: Any = "n",
    output: str = LOGITS,
    **metadata: str,
) -> str:
    """A network of one layer."""
    kind = onnx.TensorProto
    weights = onnx.numpy_helper.from_array(np.resize(WEIGHTS, (size, actions)), "weights")
    graph = helper.make_graph(
        [
            helper.make_node("Cast", ["seen"], ["numbers"], to=kind.FLOAT),
            helper.make_node("MatMul", ["numbers", "weights"], [output]),
        ],
        "one layer",
        [helper.make_tensor_value_info("seen", kind.UINT8, [rows, size])],
        [helper.make_tensor_value_info(output, kind.FLOAT, [rows, actions])],
        [weights],
    )
    made = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9)
    helper.set_model_props(
        made, METADATA | {name.replace("_", "."): value for name, value in metadata.items()}
    )
    onnx.save(made, path)
    return str(path)


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> Model:
    return load_model(model_file(tmp_path_factory.mktemp("model") / "tiny.onnx"))


def test_it_takes_the_legal_action_with_the_highest_logit(model: Model) -> None:
    bot = ModelBot(model)
    rules = rules_of("lingao")
    for seed in range(amount(6, 2)):
        table = Match(rules, deals=seeded_deals(seed, rules)).table
        while not table.over:
            seat, legal = next(iter(table.legal().items()))
            logits = observation(table, seat).astype(np.float32) @ WEIGHTS
            chosen = bot.choose(table, seat)
            assert chosen in legal
            assert logits[int(chosen)] == pytest.approx(
                max(logits[int(action)] for action in legal), rel=1e-3
            )
            table.act(seat, chosen)


def told(tournament: Tournament) -> dict[str, Any]:
    standing = Standing(tournament)
    compete(standing)
    return standing.to_json() | {"seconds": 0}


@pytest.mark.skipif(not COMPILED, reason="whole hands are slow as plain Python")
def test_tournaments_are_the_same_on_any_number_of_threads(
    model: Model, monkeypatch: pytest.MonkeyPatch
) -> None:
    entrants = (model, Policy.RANDOM)
    one = told(Tournament(rules_of(), entrants, deals=12, seed=3))
    monkeypatch.setattr("hainan.sim.tournament._CHUNK_WITH_GUESTS", 5)
    assert told(Tournament(rules_of(), entrants, deals=12, seed=3, processes=3)) == one
    assert one["hands"] == 12 * 6
    assert sum(row["points_per_hand"] for row in one["policies"].values()) == pytest.approx(0, abs=1e-3)
    assert set(one["policies"]) == {model.name, "random"}


def test_results_of_another_model_are_another_tournament(model: Model) -> None:
    other = Model(model.name, model.content + b" ")
    one, two = (Tournament(rules_of(), (who, Policy.RANDOM)).to_json() for who in (model, other))
    assert one["policies"][0].startswith(model.name)
    assert one != two


@pytest.mark.skipif(not COMPILED, reason="whole hands are slow as plain Python")
def test_at_the_command_line(model: Model) -> None:
    asked = ("tournament", "--policies", f"{model.name},random", "--deals", "2")
    status, out, _ = hainan(*asked, "--json")
    assert (status, list(json.loads(out)["policies"])) == (0, [model.name, "random"])
    assert Path(model.name).name in hainan(*asked, "--lang", "en")[1].replace("\n", "")


@pytest.mark.skipif(not COMPILED, reason="whole hands are slow as plain Python")
def test_the_curve_of_a_player(tmp_path: Path) -> None:
    """The same player twice: twice the same figures."""
    (tmp_path / "steps").mkdir()
    for minutes in ("00.0", "01.5"):
        model_file(tmp_path / "steps" / f"{minutes}.onnx")
    asked = [sys.executable, str(CURVE), str(tmp_path), "--deals", "2", "--against", "random"]
    subprocess.run(asked, check=True, capture_output=True)
    first, second = csv.DictReader((tmp_path / "curve.csv").read_text().splitlines())
    assert (first.pop("minutes"), second.pop("minutes")) == ("0.0", "1.5")
    assert first == second
    assert float(first["low"]) <= float(first["points"]) <= float(first["high"])
    ElementTree.parse(tmp_path / "curve.svg")


REFUSED = [
    ({"size": 100}, r"its input is tensor\(uint8\) \['n', 100\], should be tensor\(uint8\) \['n', 2216\]"),
    ({"actions": 34}, r"'logits' is tensor\(float\) \['n', 34\], should be"),
    ({"rows": 1}, r"its input is tensor\(uint8\) \[1, 2216\]"),
    ({"output": "policy"}, "no output 'logits', only policy"),
    ({"hainan_observation": "hainan-observation/0"}, "hainan-observation/0', this version plays"),
]


@pytest.mark.parametrize(("how", "why"), REFUSED)
def test_models_for_something_else_are_refused(tmp_path: Path, how: dict[str, Any], why: str) -> None:
    with pytest.raises(ModelError, match=why):
        load_model(model_file(tmp_path / "other.onnx", **how))


def test_a_file_that_is_no_model_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "letter.onnx"
    path.write_text("Dear Sir")
    with pytest.raises(ModelError, match="no ONNX model"):
        load_model(str(path))


def test_what_to_install_is_said(model: Model, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "onnxruntime", None)
    with pytest.raises(MissingPackage, match=r"pip install 'hainan-mahjong\[onnx\]'"):
        model.chooser()
