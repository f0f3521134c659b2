"""Lamp, waits and marked discards are the engine's."""

import re
from typing import Any

import pytest

from hainan.rules.tiles import CODE, TEXT
from hainan.table import Table, Wait
from tests.browser.names import name_of
from tests.browser.play import Laid, sit_at
from tests.browser.stage import Stage
from tests.browser.table import TablePage, plainly
from tests.browser.visitor import DESKTOP, Newcomer


def long(wait: Wait) -> str:
    """A wait as the lamp reads it out."""
    how = (
        f"别人打的得 {wait.V} 分，自摸 {wait.V_self_draw} 分"
        if wait.licensed
        else f"没有番，只能自摸，{wait.V_self_draw} 分"
    )
    return f"{name_of(TEXT[wait.kind])}：还有 {wait.unseen} 张没见到；{how}"


def wanted(table: Table, seat: int) -> dict[str, Any]:
    """What the page must show of a seat's hints: from the engine's kernels, tile by tile."""
    legal = [action.text for action in table.legal().get(seat, ())]
    throws = [text.split()[1] for text in legal if text.startswith("discard ")]
    after = {tile: table.waits(seat, CODE[tile]) for tile in throws}
    after = {tile: waits for tile, waits in after.items() if waits}
    return {
        "lit": bool(table.licences(seat)),
        "licences": len(table.licences(seat)),
        "waits": [] if throws else [long(wait) for wait in table.waits(seat)],
        "marked": sorted(after),
    }


_SHOWN = """(wanted) => {
  const lamp = document.querySelector('[data-testid=lamp]');
  if (!lamp) return false;
  const all = (selector) => [...document.querySelectorAll(selector)];
  const said = lamp.querySelector('.licences').textContent.trim();
  const shown = {
    lit: lamp.querySelector('.badge').textContent.trim() === '有番',
    licences: said === '' || said.startsWith('还没有番') ? 0 : said.split(' · ').length,
    waits: all('[data-testid=lamp] .waits li[aria-label]').map((it) => it.getAttribute('aria-label')),
    marked: [...new Set(all('[data-testid=hand] .aid').map((it) => it.parentElement.dataset.code))].sort(),
  };
  const lit = shown.lit === wanted.lit || (wanted.waits.length > 0 && shown.lit);
  return lit && ['licences', 'waits', 'marked'].every(
    (what) => JSON.stringify(shown[what]) === JSON.stringify(wanted[what]));
}"""


def lamp_agrees(table: TablePage, engine: Table, seat: int) -> None:
    table.visitor.until(_SHOWN, wanted(engine, seat))


def sheet_agrees(table: TablePage, engine: Table, seat: int) -> None:
    """The list behind the lamp: for each discard its waits with copies and points."""
    table.page.get_by_role("button", name=re.compile("看全部听牌")).click()
    dialog = table.page.locator("dialog[open]")
    shown = dialog.evaluate(
        """(it) => [...it.querySelectorAll('section')].map((part) => [
          part.querySelector('h3').textContent.trim(),
          [...part.querySelectorAll('li')].map((row) => [
            row.querySelector('.tile').dataset.tile, row.querySelector('b').textContent,
            row.querySelector('.words span').textContent.replace(/\\s+/g, ' ').trim()])])"""
    )
    legal = [action.text for action in engine.legal().get(seat, ())]
    throws = [text.split()[1] for text in legal if text.startswith("discard ")]
    expected = [
        [f"打{name_of(tile)}听", [[TEXT[it.kind], f"余{it.unseen}", row(it)] for it in waits]]
        for tile in throws
        if (waits := engine.waits(seat, CODE[tile]))
    ]
    if not throws and engine.waits(seat):
        expected = [["听", [[TEXT[it.kind], f"余{it.unseen}", row(it)] for it in engine.waits(seat)]]]
    assert sorted(shown) == sorted(expected)
    table.page.keyboard.press("Escape")
    dialog.wait_for(state="hidden")


def row(wait: Wait) -> str:
    return f"余{wait.unseen} · {long(wait).split('；')[1]}"


@pytest.mark.parametrize(
    ("hand", "throw"),
    [
        ("123m456m789m11s46p9s", "9s"),  # a closed wait with a licence
        ("23445677m11s456p9s", "9s"),  # many waits
        ("1123m456m789s1z1z4p5p", "1z"),  # no wait at all
    ],
)
def test_hints_are_the_engines(newcomer: Newcomer, stage: Stage, hand: str, throw: str) -> None:
    laid = sit_at(stage, newcomer, [hand, "5p"], draws="8s", scripts={1: ["wait"]}, viewport=DESKTOP)
    table = laid.table
    table.wait_for("turn")
    before = laid.engine()
    lamp_agrees(table, before, 0)
    sheet_agrees(table, before, 0)
    table.discard(throw)
    after = laid.engine()
    lamp_agrees(table, after, 0)
    sheet_agrees(table, after, 0)


def test_a_wait_without_a_licence(newcomer: Newcomer, stage: Stage) -> None:
    """An open hand of nothing in particular: the lamp is out, and says that only a self-draw wins."""
    laid = sit_at(
        stage,
        newcomer,
        ["5p", "46p123m888m23s66s1z"],
        draws="9s",
        seat=1,
        scripts={0: ["discard 5p"], 2: ["wait"]},
    )
    table = laid.table
    table.wait_for("claim", "chow")
    table.claim("chow")
    table.wait_for("turn")
    lamp_agrees(table, laid.engine(), 1)
    table.discard("1z")
    engine = laid.engine()
    assert [wait.licensed for wait in engine.waits(1)] == [False, False]
    lamp_agrees(table, engine, 1)
    sheet_agrees(table, engine, 1)
    assert table.visitor.text("lamp").startswith("无番")


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(6))
def test_hints_in_whole_hands(newcomer: Newcomer, stage: Stage, seed: int) -> None:
    """At every decision of random hands with a shuffle of their own."""
    for _ in range(seed):
        stage.skip_shuffle()
    visitor = newcomer(DESKTOP).be()
    code = visitor.quick(stage.settings(rules={"hands": 2}))
    table = TablePage(visitor)
    laid = Laid(stage, table, code, 0)
    for _ in range(2):
        table.wait_for("ready")
        table.ready()
        while (asked := table.asked(60_000)).kind not in ("ready", "final"):
            lamp_agrees(table, laid.engine(), 0)
            laid.agrees()
            table.do(plainly(asked), asked)
        laid.bill_agrees()
