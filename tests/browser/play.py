"""A laid hand among scripted players, and whether the page shows what the engine knows."""

from collections.abc import Mapping, Sequence
from typing import Any

from playwright.sync_api import TimeoutError as NotYet

from hainan.rules.tiles import TEXT, parse
from hainan.seatview import mine_view, table_view
from hainan.table import Table
from tests.browser.stage import Stage
from tests.browser.table import TablePage, lines_of
from tests.browser.visitor import Newcomer

WHAT = {"win": "胡牌", "discard": "点炮 1 分", "kong": "杠", "flower": "花", "follow": "跟牌"}
ME = "阿海"


class Laid:
    """The visitor's table, its room, and what the engine says of it."""

    def __init__(self, stage: Stage, table: TablePage, code: str, seat: int) -> None:
        self.stage, self.table, self.code, self.seat = stage, table, code, seat
        self.visitor, self.page = table.visitor, table.page

    def engine(self) -> Table:
        return self.stage.real_table(self.code)

    def names(self) -> list[str]:
        chairs = self.visitor.get(f"/api/rooms/{self.code}")["chairs"]
        return [chair["name"] for chair in chairs]

    def agrees(self) -> None:
        """Wait until the page shows rivers, melds, flowers, hand and wall as the engine has them."""
        for _ in range(8):  # others may play on meanwhile
            wanted = seen_from(self.engine(), self.seat)
            try:
                self.visitor.until(_SHOWN, wanted, timeout=1500)
            except NotYet:
                continue
            return
        assert self.page.evaluate(_SHOWN.replace("return same", "return shown"), wanted) == wanted

    def bill_agrees(self) -> None:
        """The lines of the open bill are the engine's payments, each of them on both sides."""
        end = self.engine().end()
        assert end is not None
        assert self.table.sums() == end["payments"]
        folded = self.page.locator('.bill .fold[aria-expanded="false"]')
        while folded.count():
            folded.first.click()
        assert sorted(map(repr, lines_of(self.page))) == sorted(map(repr, lines(end, self.names())))


def lines(end: Mapping[str, Any], names: Sequence[str]) -> list[dict[str, Any]]:
    """A bill's payments as both of their sides read them."""
    found = []
    for item in end["items"]:
        payer, payee = item["payer"], item["payee"]
        for seat, other, points in ((payer, payee, -item["points"]), (payee, payer, item["points"])):
            found.append(
                {
                    "seat": seat,
                    "other": names[other],
                    "what": WHAT[item["for"]],
                    "instead": item["of"] != payer,
                    "clause": item["rule"],
                    "points": points,
                }
            )
    return found


def seen_from(table: Table, seat: int) -> dict[str, Any]:
    """What a page at this seat must show."""
    view, _ = table_view(table)
    mine = mine_view(table, seat, None)
    drawn = mine.drawn
    hand = [TEXT[kind] for kind in parse(mine.hand)]
    if drawn is not None:
        hand.remove(drawn)
        hand.append(drawn)
    return {
        "hand": hand,
        "left": max(0, view.remaining - 15),
        "rivers": [[TEXT[kind] for kind in parse(seen.river)] for seen in view.seats],
        "flowers": [[TEXT[kind] for kind in parse(seen.flowers)] for seen in view.seats],
        "melds": [len(seen.melds) for seen in view.seats],
    }


_SHOWN = """(wanted) => {
  const codes = (selector) => [...document.querySelectorAll(selector)].map((it) => it.dataset.tile);
  const hand = [...document.querySelectorAll('[data-testid=hand] [data-code]')]
    .sort((a, b) => a.dataset.place - b.dataset.place).map((it) => it.dataset.code);
  const seats = wanted.rivers.map((_, seat) => seat);
  const shown = {
    hand,
    left: Number(document.querySelector('[data-testid=wall-left] b')?.textContent),
    rivers: seats.map((seat) => codes(`[data-testid=river-${seat}] .tile`)),
    flowers: seats.map((seat) => codes(`[data-flowers='${seat}'] .tile`)),
    melds: seats.map((seat) => document.querySelectorAll(`[data-melds='${seat}'] .meld`).length),
  };
  const text = ({ hand, left, rivers, flowers, melds }) =>
    JSON.stringify([hand, left, rivers, flowers, melds]);
  const same = text(shown) === text(wanted);
  return same;
}"""


def sit_at(
    stage: Stage,
    newcomer: Newcomer,
    hands: Sequence[str],
    draws: str = "",
    back: str = "",
    *,
    seat: int = 0,
    scripts: Mapping[int, Sequence[str]] | None = None,
    players: int = 4,
    rules: Mapping[str, Any] | None = None,
    settings: Mapping[str, Any] | None = None,
    **look: Any,
) -> Laid:
    """A match of one laid hand, dealt already; the visitor has this seat, the others follow scripts."""
    stage.lay(hands, draws, back, players=players, **(rules or {}))
    visitor = newcomer(**look).listen().be(ME)
    sheet = stage.settings(rules=dict(rules or {}), players=players, **(settings or {}))
    code = visitor.post("/api/rooms", {"settings": sheet})["code"]
    for other in range(players):
        if other != seat:
            stage.sit_down(code, other, (scripts or {}).get(other, ()))
    visitor.page.goto(f"/r/{code}")
    table = TablePage(visitor)
    table.hands.press(visitor.page.get_by_test_id("start"))
    table.wait_for("ready")
    table.ready()
    return Laid(stage, table, code, seat)
