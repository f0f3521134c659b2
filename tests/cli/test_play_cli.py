"""``hainan play``: whole matches through piped lines, what is understood, what is shown, and to whom."""

import json
import random
import re
from itertools import chain
from pathlib import Path

import pytest
from rich.cells import cell_len
from rich.console import Console

from hainan.cli import play
from hainan.cli.decision import ME, Decision
from hainan.cli.show import Look, around
from hainan.cli.texts import TEXTS
from hainan.cli.typed import understood
from hainan.engine.jit import COMPILED
from hainan.matches import Match, seeded_deals
from hainan.rules.actions import ACTIONS, BY_TEXT, Act
from hainan.rules.presets import rules_of
from hainan.shuffle import Shuffle
from hainan.table import Table
from tests.cli.terminal import Terminal
from tests.cli.test_programs import ROOT, hainan
from tests.conftest import amount
from tests.stack import stacked_table

plays_bots = pytest.mark.skipif(not COMPILED, reason="bots are slow as plain Python")
SCRIPT = "1\n" * 400


# ---------------------------------------------------------------- whole matches


@plays_bots
@pytest.mark.parametrize(
    ("lang", "arguments", "words"),
    [
        ("zh", ["--seed", "1"], ["海南麻将", "第 1/1 局", "上几个嘎", "轮到你", "各家得失", "打完了"]),
        ("en", ["--seed", "2"], ["hand 1/1", "How much ga?", "Your turn", "Sums", "The match is over"]),
        ("zh", ["--preset", "lingao", "--players", "3"], ["临高麻将", "上家", "洗牌种子", "打完了"]),
        ("en", ["--preset", "hainan-classic", "--plain"], ["Across", "Shuffle seed", "The match is over"]),
    ],
)
def test_a_whole_match_by_piped_lines(lang: str, arguments: list[str], words: list[str]) -> None:
    status, out, err = hainan("play", "--hands", "1", "--lang", lang, *arguments, given=SCRIPT)
    assert (status, err) == (0, "")
    assert max(map(cell_len, out.splitlines())) <= 80
    for word in words:
        assert word in out


@plays_bots
@pytest.mark.parametrize(
    ("lang", "words"),
    [
        ("zh", ["建议 打", "张听", "期望 ", "刚才", "点炮 "]),
        ("en", ["Advice: Discard", "from waiting", "points, wins", "That "]),
    ],
)
def test_a_coach_advises_before_and_counts_after(lang: str, words: list[str]) -> None:
    given = "0\na\n" + SCRIPT
    status, out, err = hainan("play", "--hands", "1", "--seed", "1", "--lang", lang, "--coach", given=given)
    assert (status, err) == (0, "")
    assert max(map(cell_len, out.splitlines())) <= 80
    for word in words:
        assert word in out


@plays_bots
def test_advice_comes_on_request_alone() -> None:
    out = hainan("play", "--hands", "1", "--seed", "1", "--lang", "en", given="0\n" + SCRIPT)[1]
    assert "Advice" not in out
    out = hainan("play", "--hands", "1", "--seed", "1", "--lang", "en", given="0\na\n" + SCRIPT)[1]
    assert "points, wins" in out
    assert "That cost" not in out


@plays_bots
def test_several_hands_with_wild_tiles(tmp_path: Path) -> None:
    sheet = tmp_path / "sheet.json"
    sheet.write_text(json.dumps({"preset": "lingao", "wild": "indicator", "rounds": 1}))
    given = "1\n" * 2000
    status, out, _ = hainan("play", "--rules", str(sheet), "--hands", "3", "--lang", "en", given=given)
    assert status == 0
    assert out.count("Totals ") == 4
    assert "wild" in out
    assert max(map(cell_len, out.splitlines())) <= 80


@plays_bots
def test_the_seed_after_the_hand_is_the_one_committed_to() -> None:
    out = hainan("play", "--hands", "1", "--lang", "en", given=SCRIPT)[1]
    commitment = re.search(r"shuffle commitment ([0-9a-f]{16})\.\.\.", out)
    seed = re.search(r"Shuffle seed ([0-9a-f]{64})", out)
    assert commitment is not None
    assert seed is not None
    assert Shuffle(bytes.fromhex(seed[1])).commitment.startswith(commitment[1])
    assert out.index(seed[1]) > out.index("Sums" if "Sums" in out else "Nobody pays")
    assert "Shuffle" not in hainan("play", "--hands", "1", "--lang", "en", "--seed", "1", given=SCRIPT)[1]


# ---------------------------------------------------------------- leaving, asking, erring


@plays_bots
@pytest.mark.parametrize("given", ["", "1\n1\n", "q\ny\n", "1\nq\nn\nq\nyes\n"])
def test_leaving_is_polite(given: str) -> None:
    status, out, err = hainan("play", "--seed", "1", "--lang", "en", given=given)
    assert (status, err) == (0, "")
    assert "The game ends here." in out
    assert "hands won" in out


def test_ctrl_c_is_polite(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(play._Game, "_play_hand", interrupted)
    status, out, _ = hainan("play", "--lang", "zh")
    assert status == 0
    assert "牌局到此结束。" in out
    assert "胡牌局数" in out


@plays_bots
def test_help_sheet_hints_and_refusals() -> None:
    given = "?\n9\nr\n0\npong\n9z\nnonsense\ni\n\n77\n"
    zh = hainan("play", "--seed", "1", "--lang", "zh", given=given)[1]
    for word in (
        "1z–7z 东南西北白发中",
        "上嘎 R8.3",
        "还没有听牌",
        "不能「pong」",
        "(R3.1)",
        "不能「nonsense」：没有这个动作",
    ):
        assert word in zh
    en = hainan("play", "--seed", "1", "--lang", "en", given=given)[1]
    for word in (
        "Can't 'pong': in one's own turn one discards, kongs or wins (R3.1)",
        "Can't '77'",
        "ga stakes R8.3",
    ):
        assert word in en
    for out in (zh, en):
        assert max(map(cell_len, out.splitlines())) <= 80


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["--preset", "sichuan"], "preset"),
        (["--hands", "5000"], "--hands"),
        (["--rules", "/nowhere/sheet.json"], "/nowhere/sheet.json"),
        (["--lang", "fr"], "--lang"),
    ],
)
def test_bad_arguments(arguments: list[str], told: str) -> None:
    status, out, err = hainan("play", *arguments)
    assert (status, out) == (2, "")
    assert told in err
    assert err.count("\n") == 1


# ---------------------------------------------------------------- what is understood

TURN = [BY_TEXT[text] for text in ("discard 1m", "discard 5m", "discard 7z", "ready 5m", "kong 1m", "win")]
CLAIM = [BY_TEXT[text] for text in ("chow 34m", "chow 46m", "pong", "kong", "win", "pass")]
STAKES = [action for action in ACTIONS if action < Act.DISCARD]


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        *((typed, "discard 5m") for typed in ("2", " ２ ", "5m", "d 5m", "d5m", "discard 5m", "DISCARD 5M")),
        *((typed, "discard 5m") for typed in ("五万", "打五万", "打 五万")),
        *((typed, "discard 7z") for typed in ("3", "7z", "中", "打中")),
        *((typed, "ready 5m") for typed in ("4", "ready 5m", "ready", "听五万", "天听打五万")),
        *((typed, "kong 1m") for typed in ("5", "k", "kong", "kong 1m", "k1m", "杠", "杠一万")),
        *((typed, "win") for typed in ("6", "w", "win", "胡")),
        ("0", "0"), ("7", "7"), ("99", "99"), ("9p", "discard 9p"),
        ("pong", "pong"), ("dance", "dance"), ("d", "discard"),
    ],
)  # fmt: skip
def test_understood_in_turn(typed: str, meant: str) -> None:
    assert str(understood(typed, TURN)) == meant


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        *((typed, "chow 34m") for typed in ("1", "34m", "43m", "c 34m", "chow 4m3m", "吃三四万", "3m 4m")),
        *((typed, "pong") for typed in ("3", "p", "pong", "碰")),
        *((typed, "kong") for typed in ("4", "k", "杠")),
        *((typed, "pass") for typed in ("6", "x", "pass", "过")),
        ("c", "chow"), ("5m", "chow 5m"), ("discard 5m", "discard 5m"),
    ],
)  # fmt: skip
def test_understood_in_a_claim(typed: str, meant: str) -> None:
    assert str(understood(typed, CLAIM)) == meant


@pytest.mark.parametrize(
    ("typed", "meant"), [("0", "ga 0"), ("5", "ga 5"), ("ga 3", "ga 3"), ("嘎2", "ga 2"), ("4", "ga 4")]
)
def test_a_ga_is_understood_by_its_value(typed: str, meant: str) -> None:
    assert str(understood(typed, STAKES)) == meant


# ---------------------------------------------------------------- what is shown


def look(lang: str, glyphs: bool) -> Look:
    return Look("zh" if lang == "zh" else "en", glyphs, Console(width=80, markup=False, highlight=False))


def screen(table: Table, lang: str = "zh", glyphs: bool = True, height: int = 23) -> list[str]:
    shown = look(lang, glyphs)
    decision = Decision(shown, around(shown.lang, table.players), table, [0] * table.players)
    return [line.plain for line in decision.lines([], height)]


@pytest.mark.parametrize("lang", ["zh", "en"])
@pytest.mark.parametrize(("preset", "players", "wild"), [("hainan", 4, "none"), ("lingao", 3, "indicator")])
def test_every_decision_fits_on_80_by_24(lang: str, preset: str, players: int, wild: str) -> None:
    rules, lots = rules_of(preset, players, wild=wild), random.Random(1)
    for seed in range(amount(12, 1)):
        table = Match(rules, players, deals=seeded_deals(seed, rules, players)).table
        while not table.over:
            if ME in table.legal():
                for glyphs in (True, False):
                    lines = screen(table, lang, glyphs)
                    assert len(lines) <= 23
                    assert max(map(cell_len, lines)) <= 80
            seat = lots.choice(list(table.legal()))
            table.act(seat, lots.choice(table.legal()[seat]))


def test_nothing_hidden_is_shown() -> None:
    rules, lots = rules_of(ga=False), random.Random(2)
    for seed in range(amount(6, 1)):
        table = Match(rules, deals=seeded_deals(seed, rules)).table
        while not table.over:
            if ME in table.legal():
                assert screen(table) == screen(reshuffled(table, lots))
            seat = lots.choice(list(table.legal()))
            table.act(seat, lots.choice(table.legal()[seat]))


def reshuffled(table: Table, lots: random.Random) -> Table:
    """The same to the player at seat 0: the other hands and the wall are dealt anew among themselves."""
    twin = table.clone()
    t = twin.raw
    rest = range(int(t.head), int(t.tail))
    hands = [[kind for kind in range(34) for _ in range(t.hand[seat, kind])] for seat in (1, 2, 3)]
    hidden = [*chain(*hands), *(int(t.wall[place]) for place in rest if t.wall[place] < 34)]
    lots.shuffle(hidden)
    for seat, hand in enumerate(hands, 1):
        t.hand[seat] = 0
        for _ in hand:
            t.hand[seat, hidden.pop()] += 1
    for place in rest:
        if t.wall[place] < 34:
            t.wall[place] = hidden.pop()
    if t.turn != ME:
        t.last_tile = 0
    return twin


def test_hints_say_what_each_waited_tile_would_bring() -> None:
    table = stacked_table(["123m456m789m123s5p9p"])
    text = "\n".join(screen(table))
    assert "打🀡九筒听 🀝五筒剩3 有番 T1 V1 自摸V2" in text
    assert "天听打" in text
    assert "5p 3 left, T1 V1 self-draw V2" in "\n".join(screen(table, "en", glyphs=False))
    decision = Decision(look("zh", True), around("zh", 4), table, [0] * 4)
    full = "\n".join(line.plain for line in decision.hints_in_full())
    assert "番：只吃不碰、门清、有眼" in full


def test_claims_rivers_and_melds() -> None:
    table = stacked_table(["1m3m5m7m9m1p3p5p7p9p1s3s5s7s", "1m1m2m"])
    table.act(0, "discard 1m")
    table.act(1, "pong")
    table.act(1, "discard 2m")
    while ME not in table.legal():
        seat = next(iter(table.legal()))
        table.act(seat, table.legal()[seat][-1 if "pass" in map(str, table.legal()[seat]) else 0])
    text = "\n".join(screen(table))
    assert "碰🀇一万(你)" in text
    assert "(🀇一万)" in text


def test_every_sentence_that_is_asked_for_exists() -> None:
    sources = "".join(path.read_text() for path in (ROOT / "src/hainan/cli").glob("*.py"))
    asked = set(re.findall(r'(?:say|fill)\(\s*"([^"]+)"', sources))
    assert asked
    assert asked <= set(TEXTS)


# ---------------------------------------------------------------- in a terminal


@plays_bots
def test_a_terminal_gets_glyphs_and_a_fresh_screen() -> None:
    with Terminal("play", "--seed", "1", "--lang", "zh") as terminal:
        terminal.expect("上几个嘎？")
        terminal.send("2\n")
        assert re.search("[\U0001f000-\U0001f021]", terminal.expect("号码或牌"))
        terminal.send("pong\n")
        terminal.expect("不能「pong」")
        terminal.send("q\n")
        terminal.expect("真的不打了？")
        terminal.send("\x03")
        terminal.expect("牌局到此结束。")
        assert terminal.status() == 0
    assert "\x1b[2J" in terminal.shown
    assert "\x1b[" in terminal.shown
