"""A walk through every page and state of the page, for those who look at all of them."""

from collections.abc import Iterator

from hainan import wire
from tests.browser.stage import Stage
from tests.browser.table import TablePage
from tests.browser.visitor import Visitor

WORDS = {
    "zh": {
        "rules": "改规则",
        "all": "全部",
        "waits": "看全部听牌",
        "menu": "菜单",
        "phrases": "快捷短语",
        "qr": "二维码",
        "yes": "同意",
        "go on": "继续",
        "more": "更多",
        "to table": "看牌桌",
        "to bill": "看结算",
    },
    "en": {
        "rules": "Change",
        "all": "All",
        "waits": "All waits",
        "menu": "Menu",
        "phrases": "Phrases",
        "qr": "QR code",
        "yes": "Yes",
        "go on": "Go on",
        "more": "More",
        "to table": "See the table",
        "to bill": "Back to the bill",
    },
}
HANDS = ["3467p46m46s111z2s1f5f", "888m2s", "", "5p5m5s"]
SCRIPTS = {
    1: ["discard 8m", "discard 8m", "discard 8m", "discard 2s"],
    2: [],
    3: ["discard 5p", "discard 5m", "discard 5s"],
}
RULES = {"ga": True, "hands": 2}


class Tour:
    """``states`` goes from one to the next and tells what each is called."""

    def __init__(self, stage: Stage, visitor: Visitor, lang: str = "zh") -> None:
        self.stage, self.visitor, self.page = stage, visitor, visitor.page
        self.words = WORDS[lang]
        self.name = "阿海" if lang == "zh" else "Hai"
        stage.call_players("玩家" if lang == "zh" else "Player")
        self.table = TablePage(visitor)
        self.code = ""

    def states(self) -> Iterator[str]:
        """All of them; the page stays as it is until the next is asked for."""
        yield from self.outside()
        yield from self.lobby()
        yield from self.hand()
        yield from self.after()
        yield from self.study()

    # ------------------------------------------------------------ the ways in

    def outside(self) -> Iterator[str]:
        """The first page and who one is."""
        page = self.page
        page.goto("/")
        page.get_by_test_id("play-now").wait_for()
        yield "first"
        page.get_by_test_id("open-room").click()
        dialog = page.get_by_test_id("sign-in")
        dialog.locator("input").first.wait_for()
        yield "sign-in"
        dialog.locator("input").first.fill(self.name)
        dialog.locator("button[type=submit]").click()
        page.get_by_test_id("start").wait_for()

    def lobby(self) -> Iterator[str]:
        """A room that is being gathered, and its sheet."""
        page = self.page
        yield "lobby"
        self._press("qr")
        page.locator("svg[role=img]").first.wait_for()
        yield "lobby-qr"
        self._press("rules")
        sheet = page.get_by_test_id("sheet")
        sheet.locator(".option, .dim").first.wait_for()
        yield "sheet"
        sheet.get_by_role("radio", name=self.words["all"]).check()
        sheet.locator(".option").nth(20).wait_for()
        yield "sheet-all"
        self._escape()

    # ------------------------------------------------------------ a hand

    def hand(self) -> Iterator[str]:
        """A match of two laid hands in another room, from the deal to the final table."""
        page, table = self.page, self.table
        self.stage.lay(HANDS, draws="9s9s9s9m", back="9s8p", **RULES)
        self.stage.lay(["123m456m789m11s456p"], **RULES)
        sheet = self.stage.settings(rules=RULES, spectators=True)
        self.code = self.visitor.post("/api/rooms", {"settings": sheet})["code"]
        players = [self.stage.sit_down(self.code, seat, script) for seat, script in SCRIPTS.items()]
        page.goto(f"/r/{self.code}")
        page.get_by_test_id("start").click()
        table.wait_for("ready")
        yield "start"
        table.ready()
        table.wait_for("ga")
        yield "ga"
        table.claim("ga-2")
        table.wait_for("turn")
        yield "turn"
        yield from self._dialogs()
        yield from self._advice("advised")
        table.discard(self._own("9s"))
        yield from self._claims()
        players[1].say(wire.Vote(on=wire.Ballot.PAUSE))
        page.get_by_test_id("vote").wait_for()
        yield "vote"
        page.get_by_test_id("vote").get_by_role("button", name=self.words["yes"], exact=True).click()
        players[2].say(wire.Vote(on=wire.Ballot.PAUSE))
        go_on = page.get_by_role("button", name=self.words["go on"], exact=True)
        go_on.wait_for()
        yield "paused"
        go_on.click()
        go_on.wait_for(state="hidden")
        table.wait_for("claim", "win")
        yield "win-offered"
        table.claim("win")
        table.wait_for("ready")
        yield "bill"
        self._press("to table")
        page.get_by_test_id("bill").wait_for(state="hidden")
        yield "open-hands"
        self._press("to bill")
        table.ready()
        table.wait_for("ga")
        table.claim("ga-2")
        table.wait_for("turn", "win")
        yield "self-draw-offered"
        table.claim("win")
        table.wait_for("final")
        yield "final"

    def _dialogs(self) -> Iterator[str]:
        page = self.page
        self._press("menu")
        page.locator("dialog[open]").wait_for()
        yield "menu"
        self._escape()
        self._press("phrases")
        page.locator("dialog[open]").wait_for()
        yield "phrases"
        self._escape()

    def _advice(self, name: str) -> Iterator[str]:
        """What a bot would do: on the button once it was asked, and in full."""
        page = self.page
        page.get_by_test_id("advice").click()
        page.get_by_test_id("advice-list").wait_for()
        yield f"{name}-dialog"
        self._escape()
        yield name

    def _claims(self) -> Iterator[str]:
        """Three chows from one player, the first chosen among three; then a wait."""
        page, table = self.page, self.table
        for number, thrown in enumerate(("8p", "3p", "7p")):
            table.wait_for("claim", "chow")
            if number == 0:
                yield "claim"
                yield from self._advice("claim-advised")
            table.claim("chow")
            if number == 0:
                page.get_by_test_id("choice-1").wait_for()
                yield "choices"
                table.choose(1)
            table.wait_for("turn")
            if number == 2:
                yield "marked-discards"
                self._press("waits")
                page.locator("dialog[open]").wait_for()
                yield "waits"
                self._escape()
                page.get_by_test_id("note-three_melds").click()
                page.locator("dialog[open]").wait_for()
                yield "liability"
                self._escape()
            table.discard(thrown)

    def _own(self, code: str) -> str:
        hand = self.table.hand()
        return code if code in hand else hand[-1]

    # ------------------------------------------------------------ afterwards

    def after(self) -> Iterator[str]:
        """History, match and replay of what was played."""
        page = self.page
        page.goto("/history")
        page.locator("a[href^='/m/']").first.wait_for()
        yield "history"
        page.locator("a[href^='/m/']").first.click()
        page.get_by_test_id("hand-0").get_by_role("button").first.click()
        page.get_by_test_id("hand-0").get_by_test_id("bill").wait_for()
        yield "match"
        page.get_by_test_id("hand-0").locator("a[href^='/m/']").first.click()
        page.get_by_test_id("slider").wait_for()
        page.get_by_test_id("slider").focus()
        for _ in range(12):
            page.keyboard.press("ArrowRight")
        yield "replay"
        page.get_by_test_id("show-wall").click()
        page.get_by_test_id("wall").locator(".tile").first.wait_for()
        yield "replay-wall"
        self._escape()
        page.get_by_test_id("show-bill").click()
        page.get_by_test_id("bill").wait_for()
        yield "replay-bill"
        self._escape()
        self._press("more")
        page.locator("dialog[open] a[href^='/proof']").wait_for()
        yield "replay-more"
        page.locator("dialog[open] a[href^='/proof']").click()
        page.get_by_test_id("verdict").wait_for()
        yield "proof-laid"

    def study(self) -> Iterator[str]:
        """What needs no table."""
        page = self.page
        for path, there in (
            ("/proof", "[data-testid=record-text]"),
            ("/m/local", "[data-testid=record-text]"),
            ("/calculator", "[data-testid=pad-1m]"),
        ):
            page.goto(path)
            page.locator(there).wait_for()
            yield path[1:].replace("/", "-")
        page.get_by_test_id("example").click()
        page.get_by_test_id("bill").wait_for()
        yield "calculator-example"
        page.goto("/rules")
        page.locator("article").nth(5).wait_for()
        yield "rules"
        page.goto("/settings")
        page.locator("form").first.wait_for()
        yield "settings"
        page.evaluate("history.pushState({}, '', '/nowhere'); dispatchEvent(new PopStateEvent('popstate'))")
        page.locator("form").first.wait_for(state="hidden")
        yield "missing"

    # ------------------------------------------------------------ fingers

    def _press(self, word: str) -> None:
        name = self.words[word]
        self.page.get_by_role("button", name=name, exact=word != "waits").first.click()

    def _escape(self) -> None:
        self.page.keyboard.press("Escape")
        self.page.locator("dialog[open]").wait_for(state="hidden")
