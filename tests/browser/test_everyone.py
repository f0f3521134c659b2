"""Every page and state: nothing serious for axe in either theme, every text in the language that was chosen,
nothing wider than the narrowest phone, also with text twice as large."""

import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, ViewportSize

from tests.browser.stage import Stage
from tests.browser.tour import Tour
from tests.browser.visitor import DESKTOP, LANDSCAPE, NARROW, PORTRAIT, Newcomer, Visitor

AXE = Path(__file__).parents[2] / "web/node_modules/axe-core/axe.min.js"
TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
KEY = re.compile(
    r"\b(bill|calc|core|first|history|proof|record|replay|room|rules|settings|sheet|table|ui)\.\w+"
)
CHINESE = re.compile(r"[\u4e00-\u9fff]")


def axe(page: Page, only: list[str] | None = None) -> list[str]:
    """What axe finds serious or critical: rule, and where."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(AXE.read_text(encoding="utf-8"))
    run: dict[str, Any] = {"type": "rule", "values": only} if only else {"type": "tag", "values": TAGS}
    found: list[Any] = page.evaluate(
        """async (runOnly) => (await axe.run(document, { runOnly, resultTypes: ['violations'] })).violations
        .filter((it) => ['serious', 'critical'].includes(it.impact))
        .map((it) => [it.id, it.nodes.map((node) => node.target.join(' ') + ' ' + node.failureSummary)])""",
        run,
    )
    return [f"{rule}: {where}" for rule, places in found for where in places]


def texts(page: Page) -> list[str]:
    """All that can be read or heard, but for what is marked as being in another language."""
    found: list[str] = page.evaluate(
        """() => {
          const here = document.documentElement.lang;
          const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
          const texts = [];
          for (let node = walker.nextNode(); node; node = walker.nextNode())
            if (!node.parentElement.closest('noscript') && node.parentElement.closest('[lang]').lang === here)
              texts.push(node.textContent.trim());
          for (const name of ['aria-label', 'title', 'placeholder', 'aria-valuetext'])
            for (const it of document.querySelectorAll(`[${name}]`)) texts.push(it.getAttribute(name));
          return texts.filter((text) => text !== '');
        }"""
    )
    return found


def too_wide(page: Page) -> list[str]:
    """What reaches over the right edge of the page, outside of what scrolls by itself."""
    found: list[str] = page.evaluate(
        """() => {
          const width = document.documentElement.clientWidth;
          const scrolls = (it) => it && it !== document.body && (
            ['auto', 'scroll', 'hidden', 'clip'].includes(getComputedStyle(it).overflowX)
            || scrolls(it.parentElement));
          const all = document.documentElement.scrollWidth > width + 1
            ? ['the page: ' + document.documentElement.scrollWidth] : [];
          for (const it of document.querySelectorAll('button, a, input, select, h1, h2, p, li, label')) {
            const box = it.getBoundingClientRect();
            if (box.width > 0 && box.right > width + 1 && !it.closest('.hidden') && !scrolls(it))
              all.push(it.tagName + ' ' + it.className + ' ' + it.textContent.trim().slice(0, 30));
          }
          return all;
        }"""
    )
    return found


def faults(visitor: Visitor, lang: str, with_axe: bool) -> list[str]:
    """All that is wrong with the page as it is now."""
    page = visitor.page
    found = axe(page) if with_axe else []
    found += [f"too wide: {what}" for what in too_wide(page)]
    read = [re.sub(r"\([^)]*\)", "", text) for text in texts(page)]  # terms may stand beside their names
    found += [f"untranslated: {text}" for text in read if KEY.search(text)]
    if lang == "en" and not page.url.endswith("/rules"):  # which quotes the Chinese game throughout
        found += [f"Chinese: {text}" for text in read if CHINESE.search(text) and text != "简体中文"]
    return found


def look_everywhere(visitor: Visitor, stage: Stage, lang: str, scale: int, share: int, of: int) -> None:
    """``share`` of ``of``: which of the states axe looks at."""
    if scale != 1:
        visitor.context.add_init_script(
            "addEventListener('DOMContentLoaded',"
            f" () => document.documentElement.style.fontSize = '{scale}00%')"
        )
    states = enumerate(Tour(stage, visitor, lang).states())
    found = {name: faults(visitor, lang, number % of == share) for number, name in states}
    assert len(found) > 30
    assert {name: what for name, what in found.items() if what} == {}


@pytest.mark.parametrize(
    ("viewport", "theme", "lang", "scale", "share"),
    [(NARROW, "dark", "zh", 1, 0), (DESKTOP, "light", "en", 2, 1)],
)
def test_every_page_and_state(
    newcomer: Newcomer, stage: Stage, viewport: ViewportSize, theme: str, lang: str, scale: int, share: int
) -> None:
    """The two together show every state to axe."""
    language = "zh-CN" if lang == "zh" else "en-GB"
    visitor = newcomer(viewport, lang=language, theme=theme, touch=viewport != DESKTOP)
    look_everywhere(visitor, stage, lang, scale, share, 2)


@pytest.mark.soak
@pytest.mark.parametrize("scale", [1, 2])
@pytest.mark.parametrize("lang", ["zh", "en"])
@pytest.mark.parametrize("theme", ["dark", "light"])
@pytest.mark.parametrize("viewport", [NARROW, PORTRAIT, LANDSCAPE, DESKTOP])
def test_everything_everywhere(
    newcomer: Newcomer, stage: Stage, viewport: ViewportSize, theme: str, lang: str, scale: int
) -> None:
    language = "zh-CN" if lang == "zh" else "en-GB"
    visitor = newcomer(viewport, lang=language, theme=theme, touch=viewport != DESKTOP)
    look_everywhere(visitor, stage, lang, scale, 0, 1)
