"""``options``, ``simulate``, ``verify``, ``compile`` and what all commands share."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from hainan.cli import main as entry
from hainan.cli.common import language
from hainan.rules.options import OPTIONS
from hainan.rules.presets import rules_of
from hainan.shuffle import Shuffle
from hainan.table import Table

ROOT = Path(__file__).parents[2]


def hainan(*arguments: str, given: str | None = None) -> tuple[int, str, str]:
    """Exit status, stdout, stderr, as the installed command gives them."""
    runner = CliRunner()
    result = runner.invoke(entry.app, arguments, input=given)
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        assert isinstance(result.exception, entry.BadInput), result.exception
        return 2, result.stdout, f"hainan: {result.exception}\n"
    return result.exit_code, result.stdout, result.stderr


def test_options_shows_every_option_in_both_languages() -> None:
    for lang in ("zh", "en"):
        status, out, _ = hainan("options", "--lang", lang, "--preset", "lingao")
        assert status == 0
        for option in OPTIONS.values():
            assert option.clause in out
    told = json.loads(hainan("options", "--json", "--preset", "lingao")[1])
    assert [option["name"] for option in told["options"]] == list(OPTIONS)
    assert told["preset"] == "lingao"


def test_options_diff() -> None:
    told = json.loads(hainan("options", "--diff", "hainan", "hainan-classic", "--json")[1])
    assert told["differences"]["missed_win"] == ["locked", "none"]
    assert "follow" in hainan("options", "--diff", "hainan", "lingao", "--lang", "en")[1]


@pytest.mark.parametrize(
    "arguments",
    [
        ["options", "--preset", "sichuan"],
        ["options", "--diff", "hainan", "sichuan"],
        ["options", "--lang", "fr"],
        ["simulate", "--hands", "1", "--policy", "clever"],
        ["simulate", "--hands", "1", "--policy", "random,greedy"],
        ["simulate", "--hands", "1", "--rules", "/nowhere/sheet.json"],
        ["simulate", "--hands", "1", "--records", "/nowhere/records.jsonl"],
        ["tournament", "--policies", "/nowhere/model.onnx,easy"],
        ["tournament", "--policies", "clever,easy"],
        ["play", "--policy", "/nowhere/model.onnx"],
        ["verify", "/nowhere/record.json"],
    ],
)
def test_bad_input_is_one_line_and_status_2(arguments: list[str]) -> None:
    status, _, err = hainan(*arguments)
    assert status == 2
    assert err.startswith("hainan: ")
    assert err.count("\n") == 1
    assert "Traceback" not in err


def test_simulate_prints_for_programs_and_people(tmp_path: Path) -> None:
    sheet = tmp_path / "sheet.json"
    sheet.write_text('{"preset": "lingao", "wild": "5z"}')
    common = ["simulate", "--hands", "40", "--rules", str(sheet), "--players", "3", "--seed", "4"]
    told = json.loads(hainan(*common, "--json")[1])
    assert told["hands"] == 40
    assert told["zero_sum"] is True
    again = json.loads(hainan(*common, "--json", "--processes", "2")[1])
    assert again["digest"] == told["digest"]
    for lang, word in (("zh", "流局"), ("en", "drawn hand")):
        status, out, _ = hainan(*common, "--lang", lang)
        assert status == 0
        assert word in out
        assert told["digest"] in out


def test_simulate_writes_records_that_the_preset_overrides(tmp_path: Path) -> None:
    sheet, records = tmp_path / "sheet.json", tmp_path / "records.jsonl"
    sheet.write_text('{"preset": "lingao", "ga": false}')
    asked = ["--hands", "3", "--rules", str(sheet), "--preset", "lingao-variant", "--records", str(records)]
    status, out, _ = hainan("simulate", *asked, "--json")
    assert status == 0
    assert json.loads(out)["hands"] == 3
    first = json.loads(records.read_text().splitlines()[0])
    assert first["rules"] == {"preset": "lingao-variant", "ga": False}


@pytest.mark.parametrize("text", ["{", "[]", '{"gaa": 1}'])
def test_a_bad_sheet_is_named(tmp_path: Path, text: str) -> None:
    sheet = tmp_path / "sheet.json"
    sheet.write_text(text)
    assert hainan("simulate", "--hands", "1", "--rules", str(sheet))[0] == 2


def stored(seed: int) -> dict:
    rules = rules_of()
    shuffle = Shuffle.from_number(seed)
    deal = shuffle.deal(rules)
    return {**Table(rules, wall=deal.wall, dice=deal.dice).record(), "shuffle": shuffle.to_json()}


def test_verify(tmp_path: Path) -> None:
    good = stored(1)
    bad = good | {"dice": [good["dice"][0] % 6 + 1, good["dice"][1]]}
    for record, status, word in ((good, 0, "as committed"), (bad, 1, "DIFFERENT")):
        path = tmp_path / "record.json"
        path.write_text(json.dumps(record))
        got, out, _ = hainan("verify", str(path), "--lang", "en")
        assert got == status
        assert word in out
    assert json.loads(hainan("verify", "-", "--json", given=json.dumps(good))[1])["wall"] is True
    assert "相符" in hainan("verify", "-", "--lang", "zh", given=json.dumps(good))[1]
    many = json.dumps(good) + "\n" + json.dumps(bad) + "\n"
    assert hainan("verify", "-", given=many)[0] == 1


@pytest.mark.parametrize("text", ["{", "{}", '{"shuffle": {}}', "[1]"])
def test_verify_says_what_it_cannot_check(text: str) -> None:
    status, _, err = hainan("verify", "-", given=text)
    assert status == 2
    assert err.count("\n") == 1


def test_compile_has_nothing_to_do_the_second_time() -> None:
    status, _, err = hainan("compile", "--lang", "en")
    assert status == 0
    status, _, err = hainan("compile", "--lang", "en")
    assert status == 0
    assert "Everything is compiled." in err


def test_language_of_the_locale(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)
    assert language() == "en"
    monkeypatch.setenv("LANG", "zh_CN.UTF-8")
    assert language() == "zh"
    monkeypatch.setenv("LC_ALL", "en_GB.UTF-8")
    assert language() == "en"
    assert language("zh") == "zh"


def test_help_and_version() -> None:
    for command in ("play", "score", "replay", "simulate", "options", "verify", "compile"):
        status, out, _ = hainan(command, "--help")
        assert status == 0
        assert "Example: hainan " in out
    assert hainan("--version")[1].startswith("hainan-mahjong ")


def test_the_module_runs_and_a_closed_pipe_is_quiet() -> None:
    pipe = subprocess.run(
        f"{sys.executable} -m hainan options --json --preset lingao | head -c 1",
        shell=True, capture_output=True, text=True, cwd=ROOT, check=True,
    )  # fmt: skip
    assert pipe.stdout == "{"
    assert pipe.stderr == ""


def test_generated_pages_are_fresh() -> None:
    subprocess.run([sys.executable, "-m", "hainan.docs", "--check"], check=True, cwd=ROOT)
