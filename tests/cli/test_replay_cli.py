"""``hainan replay``: the lines for programs, the telling for people, the stepping in a terminal."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from rich.cells import cell_len

from hainan.jsonl import encode
from hainan.records import read_record, replay
from hainan.rules.tiles import parse, text_of
from tests.cli.terminal import Terminal
from tests.cli.test_programs import ROOT, hainan

RECORDS = [
    json.loads(line)["record"]
    for line in (ROOT / "tests/data/record_examples.jsonl").read_text().splitlines()
]
ONE = RECORDS[0]


def jsonl(*records: Any) -> str:
    return "".join((record if isinstance(record, str) else json.dumps(record)) + "\n" for record in records)


def test_jsonl_prints_the_lines_of_a_replay(tmp_path: Path) -> None:
    path = tmp_path / "record.json"
    for text in (json.dumps(ONE), json.dumps(ONE, indent=1)):
        path.write_text(text)
        status, out, err = hainan("replay", str(path), "--jsonl")
        assert (status, err) == (0, "")
        assert out.splitlines() == [encode(line) for line in replay(read_record(ONE))]
    lines = [json.loads(line) for line in out.splitlines()]
    assert [line["n"] for line in lines] == list(range(len(ONE["actions"]) + 1))
    assert (lines[0]["seat"], lines[0]["did"]) == (None, None)
    assert lines[-1]["end"]["legal"] is True


def test_many_records_are_counted_from_0() -> None:
    status, out, _ = hainan("replay", "--jsonl", given=jsonl(*RECORDS[:4]))
    assert status == 0
    records = [json.loads(line)["record"] for line in out.splitlines()]
    assert records == [at for at, record in enumerate(RECORDS[:4]) for _ in range(len(record["actions"]) + 1)]


def spoiled(record: dict[str, Any], n: int, action: list[Any]) -> dict[str, Any]:
    return record | {"actions": [*record["actions"][: n - 1], action, *record["actions"][n:]]}


def test_an_illegal_action_ends_its_record_only() -> None:
    text = jsonl(ONE, spoiled(RECORDS[1], 3, [3, "pong"]), RECORDS[2])
    status, out, err = hainan("replay", "--jsonl", given=text)
    assert status == 2
    assert err.count("\n") == 1
    assert "record 1 (line 2): action 3: seat 3 can't 'pong'" in err
    assert "legal: " in err
    counts = [sum(json.loads(line)["record"] == n for line in out.splitlines()) for n in range(3)]
    assert counts == [len(ONE["actions"]) + 1, 3, len(RECORDS[2]["actions"]) + 1]


@pytest.mark.parametrize(
    "action", [[7, "discard 5m"], [-1, "pass"], [0, "dance"], [0, "discard 9z"], [0, ""]]
)
def test_actions_that_do_not_exist(action: list[Any]) -> None:
    status, out, err = hainan("replay", "--jsonl", given=json.dumps(spoiled(ONE, 5, action)))
    assert status == 2
    assert len(out.splitlines()) == 5
    assert "record 0: action 5: seat" in err
    assert err.count("\n") == 1


WALL = parse(ONE["wall"])
BAD = {
    "": "not JSON",
    json.dumps(ONE)[:100]: "not JSON",
    "[1]": "record: should be an object",
    json.dumps(ONE | {"format": "hainan-record/2"}): "format: 'hainan-record/2'",
    json.dumps(ONE | {"wall": text_of(WALL[1:])}): "wall: the wall has 143 tiles",
    json.dumps(ONE | {"wall": text_of([WALL[0], *WALL[:-1]])}): "wall: the wall has ",
    json.dumps(ONE | {"wall": ONE["wall"][:-1] + "y"}): "wall: 'y'",
    json.dumps(ONE | {"dealer": 4}): "dealer: 4",
    json.dumps(ONE | {"players": 2}): "players: 2",
    json.dumps(ONE | {"rules": {"preset": "sichuan"}}): "rules: preset",
    json.dumps(ONE | {"actions": [[0, 3]]}): "actions[0]",
}


@pytest.mark.parametrize(("text", "told"), BAD.items(), ids=range(len(BAD)))
def test_bad_records_are_one_line(text: str, told: str) -> None:
    for asked in (["--jsonl"], []):
        status, out, err = hainan("replay", *asked, given=text)
        assert (status, out) == (2, "")
        assert err.startswith("hainan: record 0: ")
        assert told in err
        assert err.count("\n") == 1
        assert "Traceback" not in err


def test_a_bad_record_among_others() -> None:
    status, out, err = hainan("replay", "--lang", "en", given=jsonl("{", ONE, ONE | {"players": 9}))
    assert status == 2
    assert [line.split(": ")[1] for line in err.splitlines()] == ["record 0 (line 1)", "record 2 (line 3)"]
    assert out.count("Sums") == 1


def test_a_missing_file() -> None:
    for asked in (["--jsonl"], []):
        status, out, err = hainan("replay", "/nowhere/record.json", *asked)
        assert (status, out) == (2, "")
        assert err.count("\n") == 1


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_the_telling_of_all_examples(lang: str) -> None:
    status, out, err = hainan("replay", "--lang", lang, given=jsonl(*RECORDS))
    assert (status, err) == (0, "")
    assert max(map(cell_len, out.splitlines())) <= 80
    telling = hainan("replay", "--lang", lang, given=json.dumps(ONE))[1]
    assert f"{len(ONE['actions']):3}  " in telling
    assert ("各家得失" if lang == "zh" else "Sums") in telling


def test_the_telling_of_a_hand_that_was_left() -> None:
    left = ONE | {"actions": ONE["actions"][:9]}
    out = hainan("replay", "--lang", "en", given=json.dumps(left))[1]
    assert "The record stops here" in out
    assert "1 East: discard 4z" in out


def test_the_telling_says_what_went_wrong_after_what_went_well() -> None:
    status, out, err = hainan("replay", "--lang", "en", given=json.dumps(spoiled(ONE, 6, [0, "pong"])))
    assert status == 2
    assert "  5  1 East: discard 3m" in out
    assert "action 6" in err


def test_a_closed_pipe_is_quiet(tmp_path: Path) -> None:
    path = tmp_path / "records.jsonl"
    path.write_text(jsonl(*RECORDS))
    pipe = subprocess.run(
        f"{sys.executable} -m hainan replay --jsonl {path} | head -c 1",
        shell=True, capture_output=True, cwd=ROOT, check=True,
    )  # fmt: skip
    assert (pipe.stdout, pipe.stderr) == (b"{", b"")


def test_stepping_with_keys(tmp_path: Path) -> None:
    path = tmp_path / "records.jsonl"
    path.write_text(jsonl(ONE, RECORDS[1]))
    with Terminal("replay", str(path), "--lang", "zh") as terminal:
        terminal.expect("第 0/51 步")
        terminal.send(" ")
        terminal.expect("第 1/51 步")
        terminal.send("\x1b[Cn")
        terminal.expect("第 3/51 步")
        terminal.send("\x1b[D")
        terminal.expect("第 2/51 步")
        terminal.send("G")
        terminal.expect("第 51/51 步")
        terminal.expect("各家得失")
        terminal.send("n")
        terminal.expect("1 号记录（共 2 个）  第 0/93 步")
        terminal.send("bg")
        terminal.expect("0 号记录（共 2 个）  第 0/51 步")
        terminal.send("q")
        assert terminal.status() == 0
        assert "🀛🀜🀝三四五筒" in terminal.shown
