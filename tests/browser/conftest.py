"""One browser and one server for each worker's run of these tests, fresh visitors and rooms for each test."""

import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, sync_playwright

from tests.browser.stage import Stage
from tests.browser.visitor import Newcomer, Visitor

BUILT = Path(__file__).parents[2] / "src/hainan/server/web/page/index.html"
NAMES = ("chromium", "chromium-browser", "google-chrome", "chrome")


def find_chromium() -> str | None:
    """The browser named by HAINAN_CHROMIUM, else the system's."""
    named = os.environ.get("HAINAN_CHROMIUM")
    return named or next((found for name in NAMES if (found := shutil.which(name))), None)


def _missing(what: str) -> None:
    """Without what is needed there is nothing to see here; in CI that's an error."""
    if os.environ.get("CI"):
        pytest.fail(what)
    pytest.skip(what)


@pytest.fixture(scope="package")
def chromium() -> Iterator[Browser]:
    """Debian's Chromium, without a window."""
    if not BUILT.exists():
        _missing("the page isn't built: make page")
    path = find_chromium()
    if path is None:
        _missing("no Chromium here: .ci/services.sh installs it; HAINAN_CHROMIUM names another")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=path, args=["--no-sandbox", "--mute-audio", "--disable-dev-shm-usage"]
        )
        yield browser
        browser.close()


@pytest.fixture(scope="package")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stage]:
    """The server."""
    with Stage(tmp_path_factory.mktemp("house")) as running:
        yield running


@pytest.fixture
def stage(house: Stage) -> Iterator[Stage]:
    """The server, with nothing in it from other tests that could go on."""
    yield house
    house.clear()


@pytest.fixture
def newcomer(chromium: Browser, stage: Stage) -> Iterator[Newcomer]:
    """Makes visitors; in the end none of their pages may have logged an error or a warning."""
    visitors: list[Visitor] = []

    def come(*arguments: Any, url: str | None = None, **choices: Any) -> Visitor:
        visitors.append(Visitor(chromium, url or stage.url, *arguments, **choices))
        return visitors[-1]

    yield come
    for visitor in visitors:
        visitor.close()
    complaints = [complaint for visitor in visitors for complaint in visitor.complaints]
    assert complaints == [], "logged by the page"


Come = Callable[..., Visitor]
