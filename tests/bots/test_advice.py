"""Advice: what strong plays, from what the seat sees alone, in sentences whose numbers are true."""

import random
import re
from collections.abc import Iterator
from string import Formatter

import msgspec
import numpy as np
import pytest

from hainan.bots.advice import Advice, NothingToDecide, advise, advised, scene_of
from hainan.bots.policies import Policy
from hainan.bots.reasons import HEADS, PLANS, REASONS, Facts, Scene, Words
from hainan.bots.seats import Bot
from hainan.engine import entries
from hainan.engine.distance import new_scratch
from hainan.engine.jit import COMPILED
from hainan.engine.record import Phase
from hainan.engine.tables import shape_tables
from hainan.matches import Match, seeded_deals
from hainan.rules.actions import ACTIONS, Act
from hainan.rules.presets import PRESET_NAMES, rules_of
from hainan.rules.terms import MeldKind, PayRule
from hainan.rules.tiles import NAME_EN, text_of
from hainan.table import Table
from tests.conftest import amount
from tests.engine.test_properties import permuted, random_states

pytestmark = pytest.mark.skipif(not COMPILED, reason="as plain Python a decision takes seconds")
PLACE = re.compile(r"[一-鿿]")


def decisions(hands: int, seed: int, **options: object) -> Iterator[tuple[Table, int, random.Random]]:
    """Decisions of hands that plain bots play, now and then at random, over presets and 3 or 4 players."""
    rng, bot = random.Random(seed), Bot(Policy.PLAIN)
    for hand in range(hands):
        players = 3 if hand % 3 == 2 else 4
        rules = rules_of(list(PRESET_NAMES)[hand % len(PRESET_NAMES)], players=players, **options)
        table = Match(rules, players, deals=seeded_deals(seed + hand, rules, players)).table
        while not table.over:
            seat = rng.choice(list(table.legal()))
            yield table, seat, rng
            chosen = rng.choice(table.legal()[seat]) if rng.random() < 0.1 else bot.choose(table, seat)
            table.act(seat, chosen)


def scenes(hands: int, seed: int, **options: object) -> Iterator[tuple[Table, int, Scene]]:
    for table, seat, rng in decisions(hands, seed, **options):
        if table.phase != Phase.GA and rng.random() < 0.5:
            yield table, seat, scene_of(table, seat)


# ---------------------------------------------------------------- the numbers are strong's


def test_the_best_action_is_what_strong_plays() -> None:
    strong = Bot(Policy.STRONG)
    for table, seat, rng in decisions(amount(12, 0, 200), 1):
        if rng.random() < 0.5:
            advice = advise(table, seat)
            assert [one.action for one in advice.actions] == [one.text for one in table.legal()[seat]]
            assert advice.best == strong.choose(table, seat).text
            points = [one.points for one in advice.actions if one.points is not None]
            assert not points or advice.of(advice.best).points == max(points)


def test_chances_are_chances() -> None:
    for table, seat, rng in decisions(amount(6, 0, 60), 2):
        if rng.random() < 0.3:
            for one in advise(table, seat).actions:
                assert (one.points is None) == one.action.startswith("ga ")
                assert one.win is None or 0 <= one.win <= 1
                assert one.deal_in is None or 0 <= one.deal_in <= 1


def test_advice_is_blind_to_hidden_tiles() -> None:
    """Byte for byte the same, whatever the others hold and the wall brings."""
    for table, rng in random_states(70, amount(12, 0, 200)):
        for seat in table.legal():
            if rng.random() < 0.4:
                told = msgspec.json.encode(advise(table, seat))
                assert msgspec.json.encode(advise(permuted(table, seat, rng), seat)) == told


def test_advice_changes_nothing() -> None:
    for table, seat, _ in decisions(1, 3):
        before = table.snapshot()
        advise(table, seat)
        assert table.snapshot() == before


def test_there_is_no_advice_where_nothing_is_asked() -> None:
    rules = rules_of(ga=False)
    table = Match(rules, deals=seeded_deals(0, rules)).table
    with pytest.raises(NothingToDecide, match="nothing is asked of seat 1"):
        advise(table, 1)
    with pytest.raises(KeyError):
        advise(table, 0).of("pass")


# ---------------------------------------------------------------- the facts are the engine's


def after_discard(table: Table, seat: int, kind: int) -> Table:
    twin = table.clone()
    twin.act(seat, f"discard {text_of([kind])}")
    return twin


def after(table: Table, seat: int, facts: Facts) -> Table | None:
    """The table after an action (and the discard advised after a call), where it is acted on at once."""
    twin = table.clone()
    if facts.action == Act.PASS:
        return twin
    twin.act(seat, facts.action)
    if facts.then < 0:
        return twin if facts.is_discard else None
    return after_discard(twin, seat, facts.then) if twin.phase == Phase.TURN and twin.turn == seat else None


def distance(table: Table, seat: int) -> int:
    out = np.zeros(3, np.int64)
    entries.look(table.masked_array(seat), 0, shape_tables(), seat, new_scratch(), out)
    return int(out[2])


def test_waits_licences_and_distance_are_those_of_the_hand_then() -> None:
    told = 0
    for table, seat, scene in scenes(amount(16, 0, 300), 10):
        if table.raw.held_flowers[seat]:
            continue
        for facts in scene.options:
            then = after(table, seat, facts)
            if then is None:
                continue
            assert facts.licences == then.licences(seat)
            assert max(1, distance(then, seat)) == facts.missing
            waits = then.waits(seat)
            assert list(facts.waits) == waits
            if facts.missing == 1:
                assert facts.tiles == sum(wait.unseen for wait in waits)
                told += 1
    assert told > 20


def codes_said(words: str) -> list[int]:
    """5, 8 Dots, East: their codes."""
    codes, numbers = [], []
    for word in words.split(", "):
        if word.isdigit():
            numbers.append(word)  # the suit is still to come
        else:
            suit = word.partition(" ")[2]
            codes += [NAME_EN.index(f"{number} {suit}") for number in numbers] + [NAME_EN.index(word)]
            numbers = []
    return codes


def test_the_sentence_tells_these_numbers() -> None:
    told = 0
    for _, _, scene in scenes(amount(10, 0, 200), 20):
        for facts in scene.options:
            one = advised(scene, facts)
            if facts.missing == 1 and facts.tiles:
                codes = [wait.kind for wait in facts.waits]
                assert f"，共 {facts.tiles} 张" in one.zh
                said = re.search(rf" on (.+?), {facts.tiles} left", one.en)
                assert said is not None
                assert codes_said(said[1]) == codes
                told += 1
                if scene.rules.require_fan and not any(wait.licensed for wait in facts.waits):
                    assert "只能自摸" in one.zh
                    assert "by self-draw alone" in one.en
            elif facts.missing > 1:
                assert f"差 {facts.missing - 1} 张听，{facts.kinds} 种 {facts.tiles} 张可进" in one.zh
    assert told > 20


def test_a_win_brings_what_it_says() -> None:
    won = 0
    for table, seat, scene in scenes(amount(40, 0, 400), 30):
        if scene.win is None:
            continue
        twin = table.clone()
        twin.act(seat, "win")
        end = twin.end()
        winners = [winner for winner in end["winners"] if winner["seat"] == seat] if end else []
        if end is None or not winners:
            continue
        paid = sum(
            item["points"]
            for item in end["items"]
            if item["payee"] == seat and item["for"] in ("win", "discard")
        )
        assert round(scene.win.points) == paid
        assert scene.win.value == winners[0]["V"]
        assert f"V{winners[0]['V']}，各家共付 {paid} 分" in advised(scene, scene.win).zh
        won += 1
    assert won > 5


def three_melds(table: Table, one: int, other: int) -> bool:
    """R8.7: whether one of two players holds three melds claimed from the other."""
    t = table.raw
    return any(
        sum(
            int(t.meld_from[holder, meld]) == feeder and t.meld_kind[holder, meld] != MeldKind.CONCEALED_KONG
            for meld in range(int(t.n_melds[holder]))
        )
        >= 3
        for holder, feeder in ((one, other), (other, one))
    )


@pytest.mark.parametrize("options", [{}, {"discarder_pays_all": True}, {"last_tiles_liability": True}])
def test_who_is_said_to_pay_for_all_does(options: dict[str, object]) -> None:
    judged = 0
    for table, seat, scene in scenes(amount(24, 0, 300), 40, **options):
        for facts in scene.options:
            if not facts.is_discard or facts.action >= Act.READY:
                continue
            twin = table.clone()
            twin.act(seat, facts.action)
            winners = [other for other, legal in twin.legal().items() if ACTIONS[Act.WIN] in legal]
            if twin.phase != Phase.CLAIM or len(winners) != 1:
                continue
            twin.act(winners[0], "win")
            if not twin.over:
                continue
            end = twin.end()
            assert end is not None
            rules = {item["rule"] for item in end["items"] if item["for"] == "win"}
            liable = facts.liable_rule != PayRule.SHARE and facts.liable_seat in (-1, winners[0])
            rule = PayRule(facts.liable_rule) if liable else PayRule.SHARE
            # Liable to all by R8.9, and to this winner by R8.7 as well, which is cited first.
            if rule == PayRule.LAST_TILES and three_melds(table, seat, winners[0]):
                rule = PayRule.THREE_MELDS
            assert rules == {rule.clause}
            lost = sum(item["points"] for item in end["items"] if item["payer"] == seat and item["of"] != -1)
            assert not liable or lost >= facts.liable_points
            judged += 1
    assert judged > 3


# ---------------------------------------------------------------- words


@pytest.mark.parametrize("reason", REASONS, ids=lambda reason: reason.id)
def test_every_reason_is_said_in_both_languages(reason: object) -> None:
    zh, en = reason.zh, reason.en  # type: ignore[attr-defined]
    assert PLACE.search(zh)
    assert not PLACE.search(en)
    places = set(Words.__dict__)
    for text in (zh, en):
        assert {f"_{name}" for _, name, _, _ in Formatter().parse(text) if name} <= places


def test_reasons_are_told_apart() -> None:
    ids = [reason.id for reason in REASONS]
    assert len(set(ids)) == len(ids)
    assert all(PLACE.search(zh) and not PLACE.search(en) for _, zh, en in HEADS if zh != "嘎 {ga}")
    assert all(PLACE.search(zh) and not PLACE.search(en) for zh, en in PLANS.values())


def whole(advice: Advice) -> None:
    for one in advice.actions:
        assert one.reasons
        assert re.fullmatch(r"[^{}]+：[^{}]+。", one.zh)
        assert re.fullmatch(r"[A-Z][^{}]*: [^{}]+\.", one.en)
        assert not PLACE.search(one.en)
        assert "None" not in one.zh + one.en
        assert "-1" not in one.zh + one.en


def test_every_sentence_is_whole() -> None:
    said = set()
    for table, rng in random_states(80, amount(30, 0, 300)):
        for seat in table.legal():
            if rng.random() < 0.3:
                advice = advise(table, seat)
                whole(advice)
                said |= {reason for one in advice.actions for reason in one.reasons}
    usual = {"win", "ga.raises", "waits", "far", "plan", "licence.all", "licence.none", "licence.missing"}
    assert usual | {"feeds.third", "liable.melds", "safe", "danger", "kong", "slower", "fewer"} <= said
