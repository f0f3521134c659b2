"""Three ways to use a page: with a mouse, with a finger, with nothing but a keyboard."""

from typing import Literal

from playwright.sync_api import Locator

from tests.browser.visitor import Visitor

By = Literal["mouse", "touch", "keys"]
MOST_TABS = 120


class Hands:
    """Press, write and choose by one of them."""

    def __init__(self, visitor: Visitor, by: By = "mouse") -> None:
        self.visitor, self.page, self.by = visitor, visitor.page, by

    def press(self, it: Locator, timeout: float | None = None) -> None:
        """A button or a link; ``timeout`` in milliseconds, where it may have gone."""
        if self.by == "mouse":
            it.click(timeout=timeout)
        elif self.by == "touch":
            it.tap(timeout=timeout)
        else:
            self.reach(it)
            self.page.keyboard.press("Enter")

    def reach(self, it: Locator) -> None:
        """By the Tab key alone, as far as it takes."""
        it.wait_for()
        for _ in range(MOST_TABS):
            if it.evaluate("element => element === document.activeElement"):
                return
            self.page.keyboard.press("Tab")
        raise AssertionError(f"no way by Tab to {it}")

    def write(self, it: Locator, text: str) -> None:
        """Into a field, in place of what is there."""
        if self.by == "keys":
            self.reach(it)
        else:
            self.press(it)
        self.page.keyboard.press("Control+A")
        self.page.keyboard.type(text)

    def choose(self, it: Locator) -> None:
        """One of a few choices: a radio button."""
        if self.by != "keys":
            it.check()
            return
        name = it.get_attribute("name")
        self.reach(self.page.locator(f'input[name="{name}"]:checked'))
        for _ in range(12):
            if it.is_checked():
                return
            self.page.keyboard.press("ArrowRight")
        raise AssertionError(f"no way by arrows to {it}")
