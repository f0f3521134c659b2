"""Everything that can happen in a hand, on laid walls: seen on the page, said to screen readers, and as the
engine has it."""

import pytest
from playwright.sync_api import expect

from tests.browser.play import Laid, sit_at
from tests.browser.stage import Stage
from tests.browser.visitor import DESKTOP, LANDSCAPE, PORTRAIT, Newcomer

ONE = "123m456m789m11s46p"
TWO = "123s456s789s22m46p"
THREE = "111z222z333z44z46p"


def said(laid: Laid, *sentences: str) -> None:
    """Each was said to screen readers at some time."""
    for sentence in sentences:
        laid.visitor.until(
            "(sentence) => (window.__heard ?? []).some((line) => line.includes(sentence))", sentence
        )


def test_chow_in_every_way_and_three_melds(newcomer: Newcomer, stage: Stage) -> None:
    """The low, the middle and the high tile of a sequence, one of them chosen among three; in the end all
    three are of one player, and the table says what that means."""
    laid = sit_at(
        stage,
        newcomer,
        ["5p5m5s", "3467p46m67s1z2z3z4z5z"],
        draws="9s9s8s8s9s9s",
        seat=1,
        scripts={0: ["discard 5p", "discard 5m", "discard 5s"]},
        viewport=PORTRAIT,
    )
    table = laid.table
    feeder = laid.names()[0]
    for tile, thrown in (("5p", "1z"), ("5m", "2z"), ("5s", "3z")):
        asked = table.wait_for("claim", "chow")
        expect(table.page.get_by_role("img", name=f"{feeder}打出")).to_be_visible()
        table.claim("chow")
        if tile == "5p":
            assert asked.verbs == ["chow", "pass"]
            expect(table.page.locator(".choices button")).to_have_count(4)
            table.choose(1)
        table.wait_for("turn")
        laid.agrees()
        table.discard(thrown)
    assert [sorted(map(str, meld)) for meld in table.melds(1)] == [
        ["4p", "5p", "6p"],
        ["4m", "5m", "6m"],
        ["5s", "6s", "7s"],
    ]
    expect(table.page.get_by_test_id("note-three_melds")).to_contain_text("三道")
    said(laid, "你可以：吃 过", f"{feeder}打五筒", "阿海吃五筒", "阿海打东风")


def test_pong_every_kong_and_a_chain_of_flowers(newcomer: Newcomer, stage: Stage) -> None:
    laid = sit_at(
        stage,
        newcomer,
        ["5p7s", "", "55p777s1111z2z3z4z6z"],
        draws="9s8s",
        back="1f2f9m5p3m",
        seat=2,
        scripts={0: ["discard 5p", "discard 7s"]},
        viewport=LANDSCAPE,
    )
    table = laid.table
    table.wait_for("claim", "pong")
    table.claim("pong")
    table.wait_for("turn")
    laid.agrees()
    table.discard("2z")
    table.wait_for("claim", "kong")
    table.claim("kong")
    table.wait_for("turn", "kong")
    laid.agrees()
    assert table.flowers(2) == ["1f", "2f"]
    table.claim("kong")
    table.wait_for("turn", "kong")
    laid.agrees()
    table.claim("kong")
    table.wait_for("turn")
    laid.agrees()
    assert [len(meld) for meld in table.melds(2)] == [4, 4, 4]
    assert sorted(map(str, table.melds(2)[0])) == ["5p"] * 4
    said(
        laid,
        "阿海碰五筒",
        "阿海杠七条",
        "阿海补花春",
        "阿海补花夏",
        "摸到九万",
        "阿海暗杠",
        "阿海杠五筒",
        "轮到你出牌",
    )


def test_several_winners_of_one_discard(newcomer: Newcomer, stage: Stage) -> None:
    laid = sit_at(
        stage,
        newcomer,
        ["5p", ONE, TWO, THREE],
        seat=1,
        scripts={0: ["discard 5p"], 2: ["win"], 3: ["win"]},
        rules={"multiple_wins": True},
        viewport=DESKTOP,
        motion=True,
    )
    laid.table.wait_for("claim", "win")
    laid.table.claim("win")
    laid.table.wait_for("final")
    expect(laid.page.locator(".bill .winner")).to_have_count(3)
    laid.bill_agrees()
    said(laid, "阿海胡了", *(f"{name}胡了" for name in laid.names()[2:]))


def test_a_kong_is_robbed_after_a_win_was_passed_up(newcomer: Newcomer, stage: Stage) -> None:
    laid = sit_at(
        stage,
        newcomer,
        ["5p", "", "55p9s", THREE],
        draws="5z6z7z5p",
        back="9p",
        seat=3,
        scripts={0: ["discard 5p"], 2: ["pong", "discard 9s", "kong 5p"]},
    )
    table = laid.table
    table.wait_for("claim", "win")
    table.claim("pass")
    asked = table.wait_for("turn")
    expect(table.page.get_by_test_id("note-let_off")).to_contain_text(laid.names()[0])
    table.discard(asked.hand[-1])
    assert table.wait_for("claim", "win").verbs == ["win", "pass"]
    laid.agrees()
    table.claim("win")
    table.wait_for("final")
    expect(laid.page.locator(".bill .how")).to_have_text(f"抢{laid.names()[2]}的杠")
    laid.bill_agrees()
    said(laid, f"{laid.names()[2]}杠五筒", "你可以：胡 过", "阿海胡了")


def test_ga_and_ready(newcomer: Newcomer, stage: Stage) -> None:
    """Ga for the hand, ready with the first discard, and a win on the tile waited for."""
    laid = sit_at(
        stage,
        newcomer,
        ["123m456m789m11s46p9s", "5p"],
        draws="5p",
        scripts={1: ["ga 1", "discard 5p"]},
        rules={"ga": True},
    )
    table = laid.table
    table.wait_for("ga")
    table.claim("ga-2")
    table.wait_for("turn", "ready")
    laid.agrees()
    table.claim("ready")
    table.discard("9s")
    expect(table.page.get_by_test_id("seat-0").get_by_title("已报天听")).to_be_visible()
    expect(table.page.get_by_test_id("seat-0")).to_contain_text("嘎2")
    table.wait_for("claim", "win")
    table.claim("win")
    table.wait_for("final")
    laid.bill_agrees()
    said(laid, "阿海报天听", "阿海上嘎 2", f"{laid.names()[1]}上嘎 1", f"{laid.names()[1]}打五筒")


@pytest.mark.parametrize("wild", ["indicator", "7z"])
def test_wild_tiles(newcomer: Newcomer, stage: Stage, wild: str) -> None:
    """The wild kind lies in the middle, is marked in the hand, and completes it."""
    laid = sit_at(
        stage,
        newcomer,
        ["123m456m789m11s46p7z"],
        back="7z" if wild == "indicator" else "",
        rules={"wild": wild},
    )
    table = laid.table
    table.wait_for("turn", "win")
    laid.agrees()
    assert table.tiles(".wild") == ["7z"]
    assert table.tiles("[data-testid=hand] :has(> .lit)") == ["7z"]
    table.claim("win")
    table.wait_for("final")
    laid.bill_agrees()
    said(laid, "发牌", "阿海自摸")


def test_follow(newcomer: Newcomer, stage: Stage) -> None:
    """All throw what the dealer led."""
    laid = sit_at(
        stage,
        newcomer,
        ["1z", "1z", "1z", "1z"],
        draws="9s8s7s",
        seat=3,
        scripts={other: ["discard 1z"] for other in range(3)},
    )
    laid.table.wait_for("turn")
    expect(laid.page.get_by_test_id("note-follow")).to_contain_text("2")
    laid.table.discard("1z")
    said(laid, "跟牌")
    laid.agrees()


def test_a_drawn_hand_of_three(newcomer: Newcomer, stage: Stage) -> None:
    """Three play without honors, the visitor on auto-play, until the wall is down to its last tiles."""
    laid = sit_at(
        stage,
        newcomer,
        [alone_without_honors("147m"), alone_without_honors("258m"), alone_without_honors("369m")],
        players=3,
        rules={"no_honors": True, "no_chow": True},
        settings={"turn_seconds": 3},
    )
    laid.table.wait_for("turn")
    laid.agrees()
    laid.page.get_by_role("button", name="托管").click()
    laid.page.get_by_test_id("bill").wait_for(timeout=60_000)
    expect(laid.page.locator(".bill header h2")).to_have_text("流局")
    expect(laid.page.get_by_test_id("bill-seat-2")).to_be_visible()
    laid.bill_agrees()
    said(laid, "流局")


def alone_without_honors(tiles: str) -> str:
    return tiles + "147p147s"
