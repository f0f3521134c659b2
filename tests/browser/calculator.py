"""The calculator as somebody at a real table uses it: everything is tapped in."""

from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from playwright.sync_api import Locator, Page, expect

from hainan.rules.options import OPTIONS
from tests.browser.names import codes
from tests.browser.table import lines_of, points

WINDS = "东南西北"
BY = {"discard": "点炮", "self_draw": "自摸", "rob": "抢杠", "draw": "流局"}
PRESETS = {
    "hainan": "海南麻将",
    "hainan-classic": "海南麻将·老规矩",
    "lingao": "临高麻将",
    "lingao-variant": "临高麻将·另一算法",
}
WAYS = {
    "kong_bloom": "杠上开花",
    "heavenly": "天胡",
}


class CalculatorPage:
    """The page at /calculator."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.result = page.get_by_test_id("result")
        self.request: dict[str, Any] = {}

    # ------------------------------------------------------------ controls

    def pick(self, label: str, option: str, within: Locator | None = None, nth: int = 0) -> None:
        """One of a choice, whether it is drawn as a row of buttons or as a list."""
        scope = within or self.page.locator("main")
        group = scope.get_by_role("group", name=label, exact=True)
        if group.count() > nth:
            radio = group.nth(nth).get_by_role("radio", name=option, exact=True)
            if not radio.is_checked():
                radio.check()
        else:
            scope.get_by_label(label, exact=True).nth(nth - group.count()).select_option(label=option)

    def switch(self, group: str, name: str, on: bool = True) -> None:
        """A toggle of a group."""
        box = self.page.get_by_role("group", name=group, exact=True).get_by_label(name, exact=True)
        if box.is_checked() != on:
            box.press("Space")

    def seat(self, seat: int) -> str:
        """What a seat is called."""
        players, dealer = self.request["players"], self.request.get("dealer", 0)
        wind = WINDS[(seat - dealer) % players]
        return f"{wind}家·庄" if seat == dealer else f"{wind}家"

    # ------------------------------------------------------------ filling it in

    def fill(self, request: Mapping[str, Any]) -> None:
        """A whole request, from an empty page."""
        self.request = dict(request)
        self.page.goto("/calculator")
        self._rules(request["rules"])
        self._table()
        self._end(request["end"])
        for seat, held in enumerate(request["seats"]):
            winner = seat in request["end"]["winners"]
            if held["hand"] or held["melds"] or held["flowers"] or winner:
                self._tiles(seat, held, request["end"].get("tile") if winner else None)
        self._more()

    def _rules(self, rules: Mapping[str, Any]) -> None:
        name = self.page.locator("strong").get_by_text(PRESETS[rules["preset"]], exact=True)
        self.page.locator(".presets button", has=name).click()
        changes = {name: value for name, value in rules.items() if name != "preset"}
        if changes:
            self.page.locator(".sheet").get_by_role("radio", name="全部").check()
        for name, value in changes.items():
            option = OPTIONS[name]
            self.page.get_by_role("searchbox", name="找选项").fill(name)
            box = self.page.locator(".option", has=self.page.get_by_text(option.zh, exact=True))
            if isinstance(value, bool):
                toggle = box.get_by_role("switch")
                if toggle.is_checked() != value:
                    toggle.press("Space")
            else:
                assert option.choices is not None, name
                chosen = next(term for term in option.choices if term.id == value)
                self.pick(option.zh, chosen.zh, box)

    def _table(self) -> None:
        request = self.request
        self.pick("几个人打", str(request["players"]))
        self.pick("令", WINDS[["1z", "2z", "3z", "4z"].index(request.get("round_wind", "1z"))])
        for _ in range(request.get("streak", 0)):
            count = self.page.locator(".count", has_text="连庄数")
            count.get_by_role("button", name="多一个").click()
        for seat, ga in enumerate(request.get("ga", ())):
            if ga:
                self.pick(f"{self.seat(seat)}的嘎", str(ga))

    def _end(self, end: Mapping[str, Any]) -> None:
        self.pick("结果", BY[end["by"]])
        if end["by"] == "draw":
            return
        if self.page.get_by_role("group", name="谁胡（可以几家）", exact=True).count():
            for seat in range(self.request["players"]):
                self.switch("谁胡（可以几家）", self.seat(seat), seat in end["winners"])
        else:
            self.pick("谁胡", self.seat(end["winners"][0]))
        if end["by"] == "self_draw":
            if end.get("way"):
                self.pick("怎么摸到的", WAYS[end["way"]])
        else:
            self.pick("谁点炮" if end["by"] == "discard" else "被抢杠的是谁", self.seat(end["from"]))

    def _tiles(self, seat: int, held: Mapping[str, Any], tile: str | None) -> None:
        wins = " · 胡" if tile else ""
        self.pick("谁的牌", f"{self.seat(seat)}{wins}")
        for meld in held["melds"]:
            self._put(meld["kind"], codes(meld["tiles"])[0])
            if meld.get("from") is not None:
                made = self.page.get_by_test_id("held").locator("li").last
                self.pick("牌来自", self.seat(meld["from"]), made)
                if meld.get("back"):
                    made.get_by_label("第四张是从墙尾补来的").press("Space")
        self._put("hand", *codes(held["flowers"]), *codes(held["hand"]))
        if tile:
            self._put("tile", tile)

    def _put(self, target: str, *tiles: str) -> None:
        if tiles:
            self.page.get_by_test_id(f"put-{target}").click()
        for tile in tiles:
            self.page.get_by_test_id(f"pad-{tile}").click()

    def _more(self) -> None:
        request = self.request
        ready = [seat for seat, held in enumerate(request["seats"]) if held.get("ready")]
        if "remaining" not in request and not ready and not request.get("followed"):
            return
        self.page.get_by_text("更多：余牌、天听、跟牌").click()
        if "remaining" in request:
            count = self.page.get_by_role("textbox", name="余牌")
            count.fill(str(request["remaining"]))
            count.press("Tab")
        for seat in ready:
            self.switch("报了天听", self.seat(seat))
        for seat in request.get("followed", ()):
            self.switch("跟牌要付的人", self.seat(seat))

    # ------------------------------------------------------------ reading the answer

    def names(self) -> list[str]:
        return [self.seat(seat) for seat in range(self.request["players"])]

    def sums(self, wanted: list[int]) -> list[int]:
        """What each seat gets, once it is this: the answer to what was tapped last comes a moment later."""
        seat = max(range(len(wanted)), key=lambda seat: abs(wanted[seat]))
        most = self.result.get_by_test_id(f"bill-seat-{seat}").locator(".points")
        with suppress(AssertionError):
            expect(most).to_have_text(f"{wanted[seat]:+}".replace("-", "−"))
        self.result.get_by_test_id("bill").wait_for()
        return [
            points(self.result.get_by_test_id(f"bill-seat-{seat}").locator(".points").inner_text())
            for seat in range(self.request["players"])
        ]

    def lines(self) -> list[str]:
        """Every payment, unfolded."""
        folded = self.result.locator('.fold[aria-expanded="false"]')
        while folded.count():
            folded.first.click()
        return sorted(map(repr, lines_of(self.page)))
