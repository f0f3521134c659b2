"""``hainan score``: answers for programs and for people, and what it says to bad input."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from rich.cells import cell_len

from hainan.score import score
from tests.cli.test_programs import ROOT, hainan

EXAMPLES = [json.loads(line) for line in (ROOT / "tests/data/score_examples.jsonl").read_text().splitlines()]
REQUESTS = [example["request"] for example in EXAMPLES]
WIN: dict[str, Any] = {
    "seats": [{}, {}, {"hand": "234m567s678s22p34p"}, {}],
    "end": {"by": "discard", "from": 3, "tile": "5p", "winners": [2]},
}
SPEC: dict[str, Any] = {
    "rules": {"preset": "hainan", "dealer_bonus": True},
    "seats": [
        {},
        {},
        {
            "hand": "9m234m567678s",
            "melds": [{"kind": "pong", "tiles": "333p", "from": 0}],
            "flowers": "3f",
            "ready": False,
        },
        {},
    ],
    "end": {"by": "discard", "from": 3, "tile": "9m", "winners": [2]},
}


def jsonl(*values: Any) -> str:
    return "".join((value if isinstance(value, str) else json.dumps(value)) + "\n" for value in values)


def test_the_example_of_the_formats() -> None:
    for text in (json.dumps(SPEC), json.dumps(SPEC, indent=2)):
        status, out, err = hainan("score", "--json", given=text)
        assert (status, err) == (0, "")
        answer = json.loads(out)
        assert answer["payments"] == [-2, -1, 5, -2]
        assert answer["winners"] == [
            {"seat": 2, "patterns": ["plain"], "licences": ["position_flower"], "T": 1, "V": 1}
        ]
        assert {"payer": 0, "payee": 2, "points": 2, "for": "win", "of": 0, "rule": "R8.1"} in answer["items"]


def test_json_lines_answer_line_by_line(tmp_path: Path) -> None:
    path = tmp_path / "requests.jsonl"
    path.write_text(jsonl(*REQUESTS))
    status, out, err = hainan("score", str(path), "--json")
    assert (status, err) == (0, "")
    assert [json.loads(line) for line in out.splitlines()] == [score(request) for request in REQUESTS]


def test_a_hand_that_does_not_win_is_an_answer() -> None:
    lost = next(example["request"] for example in EXAMPLES if example.get("legal") is False)
    status, out, err = hainan("score", "--json", given=json.dumps(lost))
    assert (status, err) == (0, "")
    assert json.loads(out)["legal"] is False
    assert "(R6.1)" in hainan("score", "--lang", "zh", given=json.dumps(lost))[1]


BAD = {
    "": "not JSON",
    "{": "not JSON",
    json.dumps(WIN)[:-9]: "not JSON",
    "3": "request",
    "[]": "request",
    "{}": "seats",
    json.dumps(WIN | {"seats": [{}, {}, {}]}): "seats: 3 seats for 4 players",
    json.dumps(WIN | {"seats": [{"flowers": "1f1f"}, *WIN["seats"][1:]]}): "seats[0].flowers: 1f",
    json.dumps(WIN | {"seats": [{"hand": "5555p"}, *WIN["seats"][1:]]}): "end.tile: 5p: a fifth copy",
    json.dumps(WIN | {"seats": [{"hand": "8z"}, *WIN["seats"][1:]]}): "seats[0].hand: there is no tile 8z",
    json.dumps(WIN | {"seats": [{"hand": "5x"}, *WIN["seats"][1:]]}): "seats[0].hand: 'x'",
    json.dumps(WIN | {"dealer": 4}): "dealer: 4 is no seat",
    json.dumps(WIN | {"end": WIN["end"] | {"from": -1}}): "end.from: -1 is no seat",
    json.dumps(WIN | {"end": WIN["end"] | {"winners": [7]}}): "end.winners[0]: 7 is no seat",
    json.dumps(WIN | {"rules": {"preset": "sichuan"}}): "rules.preset",
    json.dumps(WIN | {"rules": {"gaa": True}}): "rules.gaa",
}


@pytest.mark.parametrize(("text", "told"), BAD.items(), ids=range(len(BAD)))
def test_bad_input_is_one_line_that_names_the_field(text: str, told: str) -> None:
    for asked in (["--json"], []):
        status, out, err = hainan("score", *asked, given=text)
        assert (status, out) == (2, "")
        assert told in err
        assert err.count("\n") == 1
        assert "Traceback" not in err


def test_a_bad_line_is_told_and_the_others_are_answered() -> None:
    text = jsonl(WIN, "{", WIN | {"dealer": 9}, "", WIN)
    status, out, err = hainan("score", "--json", given=text)
    answers = [json.loads(line) for line in out.splitlines()]
    assert status == 2
    assert [set(answer) == {"error"} for answer in answers] == [False, True, True, False]
    assert "dealer" in answers[2]["error"]
    assert ["line 2" in err.splitlines()[0], "line 3: dealer" in err.splitlines()[1]] == [True, True]
    assert err.count("\n") == 2
    status, out, _ = hainan("score", "--lang", "en", given=text)
    assert status == 2
    assert out.count("Win by discard") == 2


@pytest.mark.parametrize("name", ["/nowhere/request.json", "/"])
def test_a_file_that_cannot_be_read(name: str) -> None:
    status, out, err = hainan("score", name)
    assert (status, out) == (2, "")
    assert err.startswith(f"hainan: {name}: ")


def test_the_bill_for_people_fits_and_names_everything() -> None:
    for lang in ("zh", "en"):
        status, out, _ = hainan("score", "--lang", lang, given=jsonl(*REQUESTS))
        assert status == 0
        assert max(map(cell_len, out.splitlines())) <= 80
        for clause in ("R8.1", "R8.5", "R8.6 ", "R8.7 ", "R8.8 ", "R8.9 ", "R8.10 ", "R8.12", "R8.19"):
            assert clause in out
    zh, en = (hainan("score", "--lang", lang, given=json.dumps(WIN))[1] for lang in ("zh", "en"))
    assert "2西 胡  平胡  T 1  V 1  番：只吃不碰、门清、有眼" in zh
    assert "各家得失  0东 -2   1南 -1   2西 +5   3北 -2" in zh
    assert "2 West wins  plain hand  T 1  V 1  licences: only chows, concealed, 2-5-8 eye" in en
    assert "Sums  0 East -2   1 South -1   2 West +5   3 North -2" in en


def test_whose_share_a_liable_player_pays() -> None:
    out = hainan("score", "--lang", "en", given=json.dumps(WIN | {"rules": {"discarder_pays_all": True}}))[1]
    shares = [line.split()[-6:] for line in out.splitlines() if "R8.5" in line]
    assert "share of" in out
    assert len(shares) == 4
    assert "share of" not in hainan("score", "--lang", "en", given=json.dumps(WIN))[1]


def test_nobody_pays() -> None:
    drawn = json.dumps({"seats": [{}, {}, {}, {}], "end": {"by": "draw"}})
    assert "谁也不用付分" in hainan("score", "--lang", "zh", given=drawn)[1]
    assert "Nobody pays" in hainan("score", "--lang", "en", given=drawn)[1]


def test_lines_are_answered_while_others_are_awaited() -> None:
    command = [sys.executable, "-m", "hainan", "score", "--json"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, cwd=ROOT) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(jsonl(WIN, WIN).encode())
        process.stdin.flush()
        assert [json.loads(process.stdout.readline())["legal"] for _ in range(2)] == [True, True]
        process.stdin.write(jsonl(WIN).encode())
        process.stdin.flush()
        assert json.loads(process.stdout.readline())["legal"] is True
        process.stdin.close()
        assert process.wait() == 0


def test_a_closed_pipe_is_quiet(tmp_path: Path) -> None:
    path = tmp_path / "requests.jsonl"
    path.write_text(jsonl(*REQUESTS * 100))
    for asked in ("score --json", "score --lang zh"):
        pipe = subprocess.run(
            f"{sys.executable} -m hainan {asked} {path} | head -c 1",
            shell=True, capture_output=True, cwd=ROOT, check=True,
        )  # fmt: skip
        assert (len(pipe.stdout), pipe.stderr) == (1, b"")
