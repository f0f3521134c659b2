"""A whole match against bots, from the first page to the final table, in every way that a page is used."""

import pytest
from playwright.sync_api import ViewportSize, expect

from tests.browser.hands import By
from tests.browser.lobby import LobbyPage
from tests.browser.stage import Stage
from tests.browser.table import TablePage, points
from tests.browser.visitor import DESKTOP, LANDSCAPE, PORTRAIT, Newcomer
from tests.stack import alone

WAYS: list[tuple[By, ViewportSize, int]] = [
    ("mouse", DESKTOP, 2),
    ("keys", DESKTOP, 1),
    ("touch", PORTRAIT, 1),
    ("touch", LANDSCAPE, 1),
]


SHORT = ["123456789m11p46s7z", alone("19m"), alone("28m"), alone("37m")]
"""The first seat throws its dragon and waits; it draws 5s in its second turn after that."""


def play(newcomer: Newcomer, by: By, viewport: ViewportSize, hands: int, motion: bool) -> None:
    visitor = newcomer(viewport, touch=by == "touch", motion=motion)
    visitor.listen()
    table = TablePage(visitor, by)
    lobby = LobbyPage(table.hands)
    lobby.open("阿海")
    lobby.set_number("局数", hands)
    lobby.fill_with_bots()
    lobby.start()
    sums = [0, 0, 0, 0]
    for _ in range(hands):
        table.wait_for("ready")
        table.ready()
        assert table.play_hand() > 0
        sums = [total + more for total, more in zip(sums, table.sums(), strict=True)]
    final = visitor.page.get_by_test_id("final").locator("li")
    expect(final).to_have_count(4)
    shown = [points(text) for text in final.locator("b").all_inner_texts()]
    assert shown == sorted(sums, reverse=True)
    assert sum(shown) == 0


@pytest.mark.parametrize(("by", "viewport", "hands"), WAYS)
def test_whole_match(newcomer: Newcomer, stage: Stage, by: By, viewport: ViewportSize, hands: int) -> None:
    """Of short hands, and one of them with everything in motion."""
    for _ in range(hands):
        stage.lay(SHORT, draws="2p5p8p3z2p5p8p5s")
    play(newcomer, by, viewport, hands, motion=by == "mouse")


@pytest.mark.soak
@pytest.mark.parametrize(("by", "viewport", "hands"), WAYS)
def test_whole_long_match(
    newcomer: Newcomer, stage: Stage, by: By, viewport: ViewportSize, hands: int
) -> None:
    play(newcomer, by, viewport, 6, motion=True)
