"""What a first visit loads, as it comes over the wire."""

from typing import Any

from tests.browser.stage import Stage
from tests.browser.visitor import Newcomer, Visitor

MOST = 300_000


def weighed(visitor: Visitor) -> dict[str, float]:
    """Bytes by address, filled as they come."""
    session = visitor.context.new_cdp_session(visitor.page)
    session.send("Network.enable")
    urls: dict[str, str] = {}
    sizes: dict[str, float] = {}

    def asked(event: Any) -> None:
        urls[event["requestId"]] = event["request"]["url"]

    def came(event: Any) -> None:
        sizes[urls.get(event["requestId"], "?")] = event["encodedDataLength"]

    session.on("Network.requestWillBeSent", asked)
    session.on("Network.loadingFinished", came)
    return sizes


def test_first_page_with_the_table_is_light(newcomer: Newcomer, stage: Stage) -> None:
    """The first page fetches the table too, for that's what most come for."""
    visitor = newcomer().be()
    sizes = weighed(visitor)
    with visitor.page.expect_response(lambda answer: "/assets/Room-" in answer.url):
        visitor.page.goto("/")
    visitor.page.wait_for_load_state("networkidle")
    assert any("/assets/Room-" in url for url in sizes)
    assert 50_000 < sum(sizes.values()) <= MOST, sizes


def test_a_table_from_a_link_is_light(newcomer: Newcomer, stage: Stage) -> None:
    """Who follows a link to a room, and plays."""
    visitor = newcomer().be()
    sizes = weighed(visitor)
    visitor.quick(stage.settings())
    visitor.page.get_by_test_id("ready").wait_for()
    visitor.page.wait_for_load_state("networkidle")
    assert 50_000 < sum(sizes.values()) <= MOST, sizes
