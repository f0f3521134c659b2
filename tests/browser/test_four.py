"""Four people with a browser each, at one table for several hands; one of them is out of luck."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import expect

from tests.browser.play import Laid
from tests.browser.stage import Stage
from tests.browser.table import TablePage
from tests.browser.visitor import DESKTOP, LANDSCAPE, PORTRAIT, Newcomer
from tests.browser.wire import Wire

RULES = {"require_fan": False, "hands": 3}
WON = "123m456m789m11s456p"


@pytest.fixture
def wire(stage: Stage) -> Iterator[Wire]:
    """It outlives the visitors."""
    with Wire(stage.port) as wire:
        yield wire


def all_agree(seats: list[Laid]) -> None:
    for laid in seats:
        laid.agrees()


def gather(newcomer: Newcomer, stage: Stage, wire: Wire) -> list[Laid]:
    """Four visitors on four seats; the third comes by the wire."""
    looks = [(DESKTOP, stage.url), (LANDSCAPE, stage.url), (PORTRAIT, wire.url), (PORTRAIT, stage.url)]
    visitors = [newcomer(look, url=url).listen() for look, url in looks]
    for visitor, name in zip(visitors, ("阿海", "阿南", "阿明", "阿珠"), strict=True):
        visitor.be(name)
    code = visitors[0].open_room(stage.settings(rules=RULES))
    for number, visitor in enumerate(visitors):
        if number:
            visitor.page.goto(f"/r/{code}")
        expect(visitors[0].page.get_by_test_id(f"seat-{number}")).not_to_contain_text("空位")
    tables = [TablePage(visitor) for visitor in visitors]
    tables[0].hands.press(tables[0].page.get_by_test_id("start"))
    return [Laid(stage, table, code, seat) for seat, table in enumerate(tables)]


def everybody_ready(seats: list[Laid]) -> None:
    for laid in seats:
        laid.table.wait_for("ready")
        laid.table.ready()


def test_four_at_a_table(wire: Wire, newcomer: Newcomer, stage: Stage) -> None:
    """The third loses the network while he is asked, decides all the same, and comes back; later he reloads
    the page while he is asked."""
    stage.lay(["5p1s1s", "", "55p77s123m456m1z2z9p", "1z"], draws="9s7s8s", **RULES)
    stage.lay([WON], **RULES)
    stage.lay([WON], **RULES)
    seats = gather(newcomer, stage, wire)
    everybody_ready(seats)
    first, second, third, fourth = (laid.table for laid in seats)
    first.wait_for("turn")
    first.discard("5p")
    unlucky(third, wire)
    third.wait_for("turn")
    all_agree(seats)
    third.discard("2z")
    fourth.wait_for("turn")
    fourth.discard("9s")
    first.wait_for("turn")
    first.discard("7s")
    third.wait_for("claim", "pong")
    third.page.reload()
    third.wait_for("claim", "pong")
    third.claim("pong")
    third.wait_for("turn")
    all_agree(seats)
    third.discard("9p")
    fourth.wait_for("turn")
    fourth.discard("1z")
    third.wait_for("claim", "win")
    third.claim("win")
    for _ in range(2):
        everybody_ready(seats)
        second.wait_for("turn", "win")
        all_agree(seats)
        second.claim("win")
    for laid in seats:
        laid.table.wait_for("final")
    finals = [laid.page.get_by_test_id("final").inner_text() for laid in seats]
    assert len(set(finals)) == 1
    assert "阿南" in finals[0].split("\n")[2]
    for laid in seats:
        laid.bill_agrees()


def unlucky(table: TablePage, wire: Wire) -> None:
    """Asked for a pong, cut off, and still deciding for it."""
    visitor, page = table.visitor, table.page
    table.wait_for("claim", "pong")
    with visitor.cut_off():
        visitor.context.set_offline(True)
        wire.cut()
        page.get_by_test_id("notice").wait_for()
        table.claim("pong")
        expect(page.get_by_test_id("notice")).to_be_visible()
        wire.mend()
        visitor.context.set_offline(False)
        page.get_by_test_id("notice").wait_for(state="hidden")
        table.visitor.until("() => document.querySelectorAll(\"[data-melds='2'] .meld\").length === 1")


def test_flight_mode(newcomer: Newcomer, stage: Stage) -> None:
    """A page that was opened before opens without a network, says so, and comes back by itself."""
    visitor = newcomer(PORTRAIT, workers=True).be()
    page = visitor.page
    page.goto("/")
    visitor.until("() => navigator.serviceWorker.ready.then((it) => it.active.state === 'activated')")
    page.reload()
    visitor.until("() => navigator.serviceWorker.controller !== null")
    with visitor.cut_off():
        visitor.context.set_offline(True)
        page.reload()
        expect(page.get_by_test_id("offline")).to_be_visible()
        expect(page.get_by_test_id("play-now")).to_be_visible()
        visitor.context.set_offline(False)
        expect(page.get_by_test_id("offline")).to_be_hidden()
