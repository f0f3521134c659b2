"""Pictures of every page and state, to be looked at: ``make screenshots`` writes build/screenshots/."""

import sys
import tempfile
from itertools import product
from pathlib import Path

from playwright.sync_api import Browser, ViewportSize, sync_playwright

from tests.browser.conftest import find_chromium
from tests.browser.stage import Stage
from tests.browser.tour import Tour
from tests.browser.visitor import DESKTOP, LANDSCAPE, PORTRAIT, Visitor

HERE = Path(__file__).parents[2] / "build/screenshots"
SIZES = {"portrait": PORTRAIT, "landscape": LANDSCAPE, "desktop": DESKTOP}
LOOKS = [*product(SIZES, ("dark", "light"), ("zh",)), ("portrait", "dark", "en"), ("desktop", "light", "en")]


def take(browser: Browser, size: str, theme: str, lang: str) -> int:
    """One look of everything; how many pictures."""
    folder = HERE / f"{size}-{theme}-{lang}"
    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.glob("*.png"):
        old.unlink()
    viewport: ViewportSize = SIZES[size]
    count = 0
    with tempfile.TemporaryDirectory() as place, Stage(Path(place)) as stage:
        language = "zh-CN" if lang == "zh" else "en-GB"
        visitor = Visitor(
            browser, stage.url, viewport, lang=language, theme=theme, touch=size != "desktop", scale=2
        )
        for count, name in enumerate(Tour(stage, visitor, lang).states(), 1):
            visitor.page.screenshot(path=folder / f"{count:02}-{name}.png")
        visitor.close()
    return count


def main(wanted: list[str]) -> int:
    """All looks, or those whose names begin with what is asked for."""
    path = find_chromium()
    if path is None:
        print("no Chromium here: .ci/services.sh installs it; HAINAN_CHROMIUM names another", file=sys.stderr)
        return 1
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        for look in LOOKS:
            name = "-".join(look)
            if not wanted or any(name.startswith(one) for one in wanted):
                print(f"{name}: {take(browser, *look)} pictures", flush=True)
        browser.close()
    print(f"In {HERE}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
