"""From the first page to a table: a room is opened, its rules are set, bots sit down."""

from tests.browser.hands import Hands


class LobbyPage:
    """A room before its match."""

    def __init__(self, hands: Hands) -> None:
        self.hands, self.page = hands, hands.page

    def open(self, name: str) -> None:
        """A room of one's own, from the first page."""
        self.page.goto("/")
        self.hands.press(self.page.get_by_test_id("open-room"))
        dialog = self.page.get_by_test_id("sign-in")
        self.hands.write(dialog.locator("input").first, name)
        self.hands.press(dialog.locator("button[type=submit]"))
        self.page.get_by_test_id("start").wait_for()

    def set_number(self, option: str, value: int) -> None:
        """A number of the option sheet, found by what it is called."""
        self.hands.press(self.page.get_by_role("button", name="改规则"))
        sheet = self.page.get_by_test_id("sheet")
        self.hands.choose(sheet.get_by_role("radio", name="全部"))
        self.hands.write(sheet.get_by_role("searchbox", name="找选项"), option)
        self.hands.write(sheet.get_by_role("textbox", name=option, exact=True), str(value))
        self.hands.press(sheet.get_by_role("button", name="就这样"))
        sheet.wait_for(state="hidden")

    def fill_with_bots(self) -> None:
        """On every free seat."""
        for seat in (1, 2, 3):
            button = self.page.get_by_test_id(f"add-bot-{seat}")
            self.hands.press(button)
            button.wait_for(state="hidden")

    def start(self) -> None:
        self.hands.press(self.page.get_by_test_id("start"))
