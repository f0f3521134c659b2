"""Section 7: T by pattern, V by the way of winning (R7.1 to R7.3)."""

import pytest

from tests.stack import stacked_table

from .test_section5_winning_hands import CLASSIC, LINGAO, PLAIN, VARIANT, WAYS, bill, seat, win

# Fourteen tiles each, the last one won: shape and colour.
PLAIN_NONE = (PLAIN, "3m")
PLAIN_HALF = ("12456777999m33z", "3m")
PLAIN_PURE = ("1233456777999m", "3m")
PONGS_NONE = ("111m333p777s99s44z", "4z")
PONGS_HALF = ("11133377799m44z", "4z")
PONGS_PURE = ("1113335577799m", "9m")
PAIRS_NONE = ("1133m5577p99s112z", "2z")
PAIRS_HALF = ("1133557799m112z", "2z")
PAIRS_PURE = ("1122334455779m", "9m")
LUXURY_NONE = ("1111335577m99p2z", "2z")
LUXURY_HALF = ("111133557799m2z", "2z")
LUXURY_PURE = ("1111223355779m", "9m")
TERMINALS_NONE = ("111m999p111s99s44z", "4z")
TERMINALS_HALF = ("111999m111z44z55z", "4z")
ORPHANS = ("19m19p19s1234567z", "1z")


# ---------------------------------------------------------------- R7.1


@pytest.mark.parametrize(
    ("hand", "patterns", "multiply", "add", "highest"),
    [
        (PLAIN_NONE, ["plain"], 1, 1, 1),
        (PLAIN_HALF, ["plain"], 1, 1, 1),  # a half flush scores as plain
        (PLAIN_PURE, ["pure_suit"], 2, 2, 2),  # plain is never added to it
        (PONGS_NONE, ["all_pongs"], 2, 2, 2),
        (PONGS_HALF, ["all_pongs"], 2, 2, 2),
        (PONGS_PURE, ["all_pongs", "pure_suit"], 4, 4, 2),
        (PAIRS_NONE, ["seven_pairs"], 2, 2, 2),
        (PAIRS_HALF, ["seven_pairs"], 2, 2, 2),
        (PAIRS_PURE, ["pure_suit", "seven_pairs"], 4, 4, 2),
        (LUXURY_NONE, ["luxury_seven_pairs"], 3, 3, 3),  # in place of seven pairs, not beside it
        (LUXURY_HALF, ["luxury_seven_pairs"], 3, 3, 3),
        (LUXURY_PURE, ["pure_suit", "luxury_seven_pairs"], 6, 5, 3),
        (TERMINALS_NONE, ["all_pongs"], 2, 2, 2),
        (TERMINALS_HALF, ["all_pongs"], 2, 2, 2),
        (ORPHANS, ["thirteen_orphans"], 13, 13, 13),
    ],
)
def test_r7_1_hainan_table(hand, patterns, multiply, add, highest):
    assert win(*hand)["T"] == multiply  # the default
    for stacking, points in (("multiply", multiply), ("add", add), ("max", highest)):
        for rules in ({}, CLASSIC):
            won = win(*hand, rules=rules | {"stacking": stacking})
            assert (won["patterns"], won["T"], won["V"]) == (patterns, points, points)


# ---------------------------------------------------------------- R7.2


@pytest.mark.parametrize(
    ("hand", "by_discard", "self_draw", "special", "with_floor"),
    [
        (PLAIN_NONE, 1, 2, 3, 3),  # 1 + 2 is more than 2 x 1
        (PONGS_NONE, 2, 4, 4, 4),
        (LUXURY_NONE, 3, 6, 5, 6),
        (PONGS_PURE, 4, 8, 6, 8),
        (LUXURY_PURE, 6, 12, 8, 12),
        (ORPHANS, 13, 26, 15, 26),
    ],
)
def test_r7_2_hainan_ways(hand, by_discard, self_draw, special, with_floor):
    floor = {"bloom_floor": True}
    assert win(*hand)["V"] == win(*hand, rules=floor)["V"] == by_discard
    assert win(*hand, how="self_draw")["V"] == win(*hand, how="self_draw", rules=floor)["V"] == self_draw
    for way in WAYS:
        assert win(*hand, how=way)["V"] == special
        assert win(*hand, how=way, rules=floor)["V"] == with_floor
        assert win(*hand, how=way, rules=CLASSIC)["V"] == special


def test_r7_2_ready_is_added_after_the_floor():
    # T = 3: 3 + 2 + 1, or max(5, 6) + 1; not max(3 + 2 + 1, 6). For T = 1: max(3, 2) + 1.
    assert win(*LUXURY_NONE, how="kong_bloom", ready=True)["V"] == 6
    assert win(*LUXURY_NONE, how="kong_bloom", ready=True, rules={"bloom_floor": True})["V"] == 7
    assert win(*PLAIN_NONE, how="kong_bloom", ready=True, rules={"bloom_floor": True})["V"] == 4
    # It isn't doubled by drawing.
    assert win(*LUXURY_NONE, how="self_draw", ready=True)["V"] == 7


@pytest.mark.parametrize(
    ("stacking", "score", "bloom", "floor"), [("multiply", 6, 8, 12), ("add", 5, 7, 10), ("max", 3, 5, 6)]
)
def test_r7_2_stacking_changes_only_the_score(stacking, score, bloom, floor):
    # Pure suit and luxury: T is 2 x 3, 2 + 3 or 3; the ways remain 2T and T + 2.
    rules = {"stacking": stacking}
    assert win(*LUXURY_PURE, rules=rules)["V"] == score
    assert win(*LUXURY_PURE, how="self_draw", rules=rules)["V"] == 2 * score
    assert win(*LUXURY_PURE, how="earthly", rules=rules)["V"] == bloom
    assert win(*LUXURY_PURE, how="earthly", rules=rules | {"bloom_floor": True})["V"] == floor


def test_r7_2_robbed_kong_scores_the_hand_itself():
    # 111m 333m 888m 99m and 45m, which the robbed 6m completes: pure suit, neither 2T nor T + 2 nor plain
    seats = {0: seat("", "pong 666m 2"), 1: seat("1113334588899m")}
    for rules in ({}, {"bloom_floor": True}):
        won = bill("rob 6m from 0 to 1", seats, rules)["winners"][0]
        assert (won["patterns"], won["T"], won["V"]) == (["pure_suit"], 2, 2)


def test_r7_2_ways_exclude_one_another():
    # The dealer's flower is replaced by the tile that completes the hand: heavenly (T + 2 = 3), and
    # neither a flower bloom beside it nor doubled as a self-draw.
    table = stacked_table([f"1f{PLAIN}"], back="3m")
    table.act(0, "win")
    end = table.end()
    assert (end["way"], end["winners"][0]["V"]) == ("heavenly", 3)
    assert end["payments"] == [18, -6, -6, -6]


# ---------------------------------------------------------------- R7.3


@pytest.mark.parametrize(
    ("hand", "patterns", "points"),
    [
        (PLAIN_NONE, ["plain"], 1),
        (PLAIN_HALF, ["half_flush"], 2),
        (PLAIN_PURE, ["pure_suit"], 5),
        (PONGS_NONE, ["all_pongs"], 3),
        (PONGS_HALF, ["all_pongs", "half_flush"], 6),
        (PONGS_PURE, ["all_pongs", "pure_suit"], 15),
        (PAIRS_NONE, ["seven_pairs"], 4),
        (PAIRS_HALF, ["half_flush", "seven_pairs"], 8),
        (PAIRS_PURE, ["pure_suit", "seven_pairs"], 20),
        (LUXURY_NONE, ["luxury_seven_pairs"], 5),
        (LUXURY_HALF, ["half_flush", "luxury_seven_pairs"], 10),
        (LUXURY_PURE, ["pure_suit", "luxury_seven_pairs"], 25),
        (TERMINALS_NONE, ["terminal_pongs"], 8),
        (TERMINALS_HALF, ["half_flush", "terminal_pongs"], 16),
        (ORPHANS, ["thirteen_orphans"], 13),  # never a colour
    ],
)
def test_r7_3_lingao_table(hand, patterns, points):
    times = {"self_draw": 2, "kong_bloom": 3, "flower_bloom": 3, "heavenly": 10, "earthly": 10}
    for preset in (LINGAO, VARIANT):
        won = win(*hand, rules=preset)
        assert (won["patterns"], won["T"], won["V"]) == (patterns, points, points)
        for way, factor in times.items():
            won = win(*hand, how=way, rules=preset)
            assert (won["T"], won["V"]) == (points, factor * points)
            assert win(*hand, how=way, ready=True, rules=preset)["V"] == factor * points + 1


def test_r7_3_hainan_options_have_no_effect():
    # stacking and bloom_floor belong to Hainan's table: 5 x 5 stays 25, a bloom three times T.
    for rules in ({"stacking": "add"}, {"stacking": "max"}, {"bloom_floor": True}):
        assert win(*LUXURY_PURE, rules=LINGAO | rules)["T"] == 25
        assert win(*LUXURY_PURE, how="kong_bloom", rules=LINGAO | rules)["V"] == 75
    # And the table can't be chosen apart from the preset.
    assert win(*LUXURY_PURE)["T"] == 6
