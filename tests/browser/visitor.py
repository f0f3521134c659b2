"""Somebody with a browser: a context with one page, which may log no error and no warning."""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any
from urllib.parse import urlsplit

from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, ViewportSize

PORTRAIT: ViewportSize = {"width": 390, "height": 844}
LANDSCAPE: ViewportSize = {"width": 844, "height": 390}
DESKTOP: ViewportSize = {"width": 1280, "height": 800}
NARROW: ViewportSize = {"width": 360, "height": 740}

_OURS = "Service Worker registration blocked by Playwright"
_CUT = re.compile(r"ERR_|WebSocket connection to")
_NOTE = """
for (const kind of ['log', 'warning']) void kind;
addEventListener('securitypolicyviolation', (event) => console.error(
  'against the policy: ' + event.violatedDirective + ' ' + event.blockedURI));
"""


class Visitor:
    """``page`` is at no address yet; ``be`` makes him a known player."""

    def __init__(
        self,
        browser: Browser,
        url: str,
        viewport: ViewportSize = PORTRAIT,
        *,
        lang: str = "zh-CN",
        theme: str = "dark",
        touch: bool = False,
        motion: bool = False,
        workers: bool = False,
        scale: float = 1,
    ) -> None:
        self.url, self.complaints = url, list[str]()
        self._cut, self._expected = False, set[str]()
        self.context: BrowserContext = browser.new_context(
            base_url=url,
            viewport=viewport,
            locale=lang,
            color_scheme="dark" if theme == "dark" else "light",
            has_touch=touch,
            is_mobile=touch,
            reduced_motion="no-preference" if motion else "reduce",
            service_workers="allow" if workers else "block",
            device_scale_factor=scale,
        )
        self.context.set_default_timeout(15_000)
        self.context.add_init_script(_NOTE)
        self.context.on("console", self._heard)
        self.context.on("weberror", lambda error: self.complaints.append(f"uncaught: {error.error}"))
        self.page: Page = self.context.new_page()

    def _heard(self, message: ConsoleMessage) -> None:
        if message.type not in ("error", "warning") or _OURS in message.text:
            return
        if self._cut and _CUT.search(message.text):
            return
        where = message.location.get("url", "")
        if message.text.startswith("Failed to load resource") and urlsplit(where).path in self._expected:
            return
        self.complaints.append(f"{message.type}: {message.text} ({where})")

    def expects(self, *paths: str) -> "Visitor":
        """These calls will be refused, which the browser itself logs; everything else is still a fault."""
        self._expected.update(paths)
        return self

    @contextmanager
    def cut_off(self) -> Iterator[None]:
        """While the network is away the browser itself says so; nothing else may be said."""
        self._cut = True
        try:
            yield
        finally:
            self._cut = False

    def close(self) -> None:
        self.context.close()

    # ------------------------------------------------------------ the server's own doors

    def post(self, path: str, data: Any = None) -> Any:
        """A call to the server as this player."""
        answer = self.context.request.post(self.url + path, data=data or {}, headers={"X-Hainan": "1"})
        assert answer.ok, f"{path}: {answer.status} {answer.text()}"
        return answer.json()

    def get(self, path: str) -> Any:
        answer = self.context.request.get(self.url + path)
        assert answer.ok, f"{path}: {answer.status} {answer.text()}"
        return answer.json()

    def be(self, name: str = "阿海") -> "Visitor":
        """A guest of this name."""
        self.post("/api/players", {"name": name})
        return self

    def open_room(self, settings: dict[str, Any]) -> str:
        """A room of one's own, and in it."""
        code: str = self.post("/api/rooms", {"settings": settings})["code"]
        self.page.goto(f"/r/{code}")
        return code

    def quick(self, settings: dict[str, Any]) -> str:
        """A table with bots, about to begin."""
        code: str = self.post("/api/quick", {"settings": settings})["code"]
        self.page.goto(f"/r/{code}")
        return code

    # ------------------------------------------------------------ looking

    def text(self, testid: str) -> str:
        return self.page.get_by_test_id(testid).inner_text()

    def heard(self) -> list[str]:
        """All that was ever said to a screen reader, since ``listen``."""
        lines: list[str] = self.page.evaluate("window.__heard ?? []")
        return lines

    def listen(self) -> "Visitor":
        """From the next page on remember what the live region says."""
        self.context.add_init_script(_LISTEN)
        return self

    def until(self, condition: str, argument: Any = None, timeout: float = 15_000) -> Any:
        """Wait until some script in the page gives something true; that."""
        return self.page.wait_for_function(condition, arg=argument, timeout=timeout).json_value()


_LISTEN = """
window.__heard = [];
new MutationObserver((changes) => {
  for (const { addedNodes } of changes)
    for (const node of addedNodes)
      for (const line of node.nodeType === 1 ? [node, ...node.querySelectorAll('*')] : [])
        if (line.matches('[data-testid=live] p')) window.__heard.push(line.textContent);
}).observe(document, { childList: true, subtree: true });
"""

Newcomer = Callable[..., Visitor]
