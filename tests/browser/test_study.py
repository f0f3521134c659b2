"""Replay, calculator and proof: what the page shows of stored and described hands is the engine's."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from hainan.engine.record import Phase
from hainan.records import read_record, steps
from hainan.rules.presets import rules_of
from hainan.rules.tiles import TEXT
from hainan.score import score
from hainan.seatview import table_view
from hainan.shuffle import Shuffle
from hainan.table import Table, flowers_text, hand_text
from tests.browser.calculator import CalculatorPage
from tests.browser.names import codes
from tests.browser.play import lines
from tests.browser.table import lines_of
from tests.browser.visitor import DESKTOP, PORTRAIT, Newcomer, Visitor

DATA = Path(__file__).parents[1] / "data"
RECORDS = [json.loads(line) for line in (DATA / "record_examples.jsonl").read_text().splitlines()]
EXAMPLES = [json.loads(line) for line in (DATA / "score_examples.jsonl").read_text().splitlines()]
FAST = {"H2", "H7", "L18", "L21no", "L22", "H16"}


# ---------------------------------------------------------------- replay


def paste(visitor: Visitor, path: str, record: Any) -> Page:
    page = visitor.page
    page.goto(path)
    page.get_by_test_id("record-text").fill(json.dumps(record))
    page.get_by_test_id("record-use").click()
    return page


def boards(record: Any) -> Iterator[dict[str, Any]]:
    """What must lie on the table at every step, all hands open."""
    for table, _, _, _ in steps(read_record(record)):
        view, _ = table_view(table)
        drawn = view.turn if table.phase == Phase.TURN and table.raw.drawn else None
        hands = []
        for seat in range(len(view.seats)):
            hand = codes(hand_text(table.raw, seat))
            if seat == drawn:
                last = TEXT[table.raw.last_tile]
                hand.remove(last)
                hand.append(last)
            hands.append(hand)
        yield {
            "left": max(0, view.remaining - 15),
            "hands": hands,
            "rivers": [codes(seen.river) for seen in view.seats],
            "ghosts": [len(seen.claimed) for seen in view.seats],
            "flowers": [codes(flowers_text(int(bits))) for bits in table.raw.flowers[: len(view.seats)]],
            "melds": [len(seen.melds) for seen in view.seats],
        }


_BOARD = """() => {
  const codes = (selector) => [...document.querySelectorAll(selector)].map((it) => it.dataset.tile);
  const seats = [...document.querySelectorAll('.seat')].map((_, seat) => seat);
  const left = document.querySelector('[data-testid=wall-left] b');
  return {
    left: left ? Number(left.textContent) : null,
    hands: seats.map((seat) => codes(seat === 0 ? '.still .tile' : `[data-testid=seat-${seat}] .open .tile`)),
    rivers: seats.map((seat) => codes(`[data-testid=river-${seat}] .tile`)),
    ghosts: seats.map((seat) => codes(`[data-testid=river-${seat}] .ghost`).length),
    flowers: seats.map((seat) => codes(`[data-flowers='${seat}'] .tile`)),
    melds: seats.map((seat) => document.querySelectorAll(`[data-melds='${seat}'] .meld`).length),
  };
}"""


def replay_agrees(visitor: Visitor, record: Any) -> None:
    page = paste(visitor, "/m/local", record)
    slider = page.get_by_test_id("slider")
    slider.focus()
    expected = list(boards(record))
    for at, board in enumerate(expected):
        expect(page.get_by_test_id("count")).to_have_text(f"{at}/{len(expected) - 1}")
        shown = page.evaluate(_BOARD)
        assert shown == board | ({"left": None} if shown["left"] is None else {}), f"step {at}"
        page.keyboard.press("ArrowRight")
    *_, (table, _, _, _) = steps(read_record(record))
    if (end := table.end()) is None:
        return
    page.get_by_test_id("show-bill").click()
    folded = page.locator('.bill .fold[aria-expanded="false"]')
    while folded.count():
        folded.first.click()
    names = page.locator(".bill .name").all_inner_texts()
    seats = page.locator("[data-testid^=bill-seat-]").evaluate_all(
        "all => all.map((it) => it.dataset.testid)"
    )
    by_seat = [name for _, name in sorted(zip(seats, names, strict=True))]
    assert sorted(map(repr, lines_of(page))) == sorted(map(repr, lines(end, by_seat)))


@pytest.mark.parametrize("number", [2])
def test_replay_is_the_record_at_every_step(newcomer: Newcomer, number: int) -> None:
    replay_agrees(newcomer(DESKTOP), RECORDS[number]["record"])


@pytest.mark.soak
@pytest.mark.parametrize("number", range(len(RECORDS)))
def test_all_replays(newcomer: Newcomer, number: int) -> None:
    replay_agrees(newcomer(PORTRAIT), RECORDS[number]["record"])


# ---------------------------------------------------------------- calculator


@pytest.mark.parametrize(
    "example",
    [
        pytest.param(example, id=example["id"], marks=[] if example["id"] in FAST else pytest.mark.soak)
        for example in EXAMPLES
    ],
)
def test_calculator_gives_the_worked_examples(newcomer: Newcomer, example: Any) -> None:
    """Tapped in tile by tile."""
    # While it is tapped in it may contradict itself for a moment: the server is asked, and refuses.
    visitor = newcomer(PORTRAIT, touch=True).expects("/api/sheet", "/api/score")
    page = CalculatorPage(visitor.page)
    page.fill(example["request"])
    if example.get("legal") is False:
        expect(page.result).to_contain_text("胡不了")
        return
    answer = score(example["request"])
    assert answer["payments"] == example["payments"]
    assert page.sums(example["payments"]) == example["payments"]
    assert page.lines() == sorted(map(repr, lines(answer, page.names())))


# ---------------------------------------------------------------- proof


def played(seed: int) -> dict[str, Any]:
    """A stored record of a hand that was played at random on a real shuffle."""
    shuffle = Shuffle.from_number(seed).with_nonces(["海", "n", "", "x"])
    rules = rules_of("hainan")
    deal = shuffle.deal(rules)
    table = Table(rules, 4, wall=deal.wall, dice=deal.dice)
    random = Random(seed)
    while not table.over:
        seat, actions = random.choice(list(table.legal().items()))
        table.act(seat, random.choice(actions))
    return table.record() | {"shuffle": shuffle.to_json()}


def test_proof_accepts_a_true_record(newcomer: Newcomer) -> None:
    page = paste(newcomer(), "/proof", played(1))
    verdict = page.get_by_test_id("verdict")
    expect(verdict).to_have_class(among("good"))
    for what in ("commitment", "dice", "wall"):
        for whose in ("check", "server"):
            expect(page.get_by_test_id(f"{whose}-{what}")).not_to_have_class(among("bad"))


def test_proof_refuses_two_tiles_exchanged(newcomer: Newcomer) -> None:
    record = played(2)
    wall = codes(record["wall"])
    other = next(place for place in range(91, 144) if wall[place] != wall[90])
    wall[90], wall[other] = wall[other], wall[90]
    page = paste(newcomer(), "/proof", record | {"wall": "".join(wall)})
    expect(page.get_by_test_id("verdict")).to_have_class(among("bad"))
    for whose in ("check", "server"):
        expect(page.get_by_test_id(f"{whose}-wall")).to_have_class(among("bad"))
        expect(page.get_by_test_id(f"{whose}-commitment")).not_to_have_class(among("bad"))
    expect(page.get_by_test_id("check-wall")).to_contain_text("2")


def test_proof_refuses_one_tile_changed(newcomer: Newcomer) -> None:
    """Then there are five of a kind: no wall at all, which the server says too."""
    record = played(3)
    wall = codes(record["wall"])
    wall[100] = "5p" if wall[100] != "5p" else "6p"
    visitor = newcomer().expects("/api/verify")
    page = paste(visitor, "/proof", record | {"wall": "".join(wall)})
    expect(page.get_by_test_id("verdict")).to_have_class(among("bad"))
    expect(page.get_by_test_id("check-wall")).to_have_class(among("bad"))


def among(name: str) -> Any:
    """A class among others."""

    return re.compile(rf"(^|\s){name}(\s|$)")
