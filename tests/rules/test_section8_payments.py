"""Section 8: who pays whom, how much, and by which clause.

Seat 0 deals. In `hainan` as it stands B is then 2 between the dealer and anyone else and 1 between two
others; in `lingao` too, as long as the streak is 0. Payments are listed by seat.
"""

import pytest

from hainan.rules.presets import rules_of
from hainan.rules.tiles import CODE, TEXT
from hainan.table import Table
from tests.stack import pass_all, play, stacked_table, stacked_wall, texts

from .test_section5_winning_hands import CLASSIC, LINGAO, PLAIN, VARIANT, bill, seat

GA = [1, 0, 2, 5]
PLAIN_6P = "45p123m789s111s33z"
"""Waits on 3p and 6p; concealed is a licence for everybody."""
NOTHING = "99s45p"
"""With three open triplets: waits on 3p and 6p, no licence."""
EYE = "22s45p"
"""The same with a licence."""


def sums(answer, *reasons):
    """Payments by seat for some reasons only."""
    points = [0] * len(answer["payments"])
    for item in answer["items"]:
        if item["for"] in reasons:
            points[item["payer"]] -= item["points"]
            points[item["payee"]] += item["points"]
    return points


def rules_cited(answer, *reasons):
    """The clauses of the items, for some reasons or all."""
    return {item["rule"] for item in answer["items"] if not reasons or item["for"] in reasons}


def shares(answer, reason):
    """Items of a reason as (payer, of, points)."""
    return sorted(
        (item["payer"], item["of"], item["points"]) for item in answer["items"] if item["for"] == reason
    )


# ---------------------------------------------------------------- R8.1

PONGS_9M = seat("99m55s", "pong 111p 0", "pong 333s 1", "pong 777p 3")


def test_r8_1_every_player_pays_and_the_discarder_one_more():
    # V = 2. B(0,2) = 1+1+2+1 = 5, B(1,2) = 1+0+2 = 3, B(3,2) = 1+5+2 = 8: 10, 6 and 16, and a flat 1.
    answer = bill("discard 9m from 3 to 2", {2: PONGS_9M}, ga=GA)
    assert answer["payments"] == [-10, -6, 33, -17]
    assert shares(answer, "win") == [(0, 0, 10), (1, 1, 6), (3, 3, 16)]
    assert shares(answer, "discard") == [(3, 3, 1)]
    assert rules_cited(answer) == {"R8.1"}


def test_r8_1_self_draw_has_no_flat_1():
    # V = 4: 20, 12 and 32.
    answer = bill("self_draw 9m by 2", {2: PONGS_9M}, ga=GA)
    assert answer["payments"] == [-20, -12, 64, -32]
    assert shares(answer, "discard") == []


def test_r8_1_stake_mode():
    add = {"stake_mode": "add"}
    # V + B - 1: 2+5-1 = 6, 2+3-1 = 4, 2+8-1 = 9, and the flat 1.
    answer = bill("discard 9m from 3 to 2", {2: PONGS_9M}, add, ga=GA)
    assert answer["payments"] == [-6, -4, 20, -10]
    # Self-drawn V = 4: 8, 6 and 11.
    assert bill("self_draw 9m by 2", {2: PONGS_9M}, add, ga=GA)["payments"] == [-8, -6, 25, -11]
    # In Lingao's table the same: V = 3 gives 7, 5, 10 + 1.
    answer = bill("discard 9m from 3 to 2", {2: PONGS_9M}, LINGAO | add, ga=GA)
    assert answer["payments"] == [-7, -5, 23, -11]


def test_r8_1_stake_mode_is_about_wins_alone():
    # Seat 2's concealed kong stays 2 x B = 10, 6, 16 (not 2 + B - 1 = 6, 4, 9), its eight flowers too,
    # and so does seat 0's follow payment of B(0,i): 1+1+0+1 = 3, 5, 1+1+5+1 = 8.
    seats = {2: seat("99m55s", "pong 111p 0", "pong 333s 1", "concealed_kong 7777p", flowers="12345678f")}
    for mode in ("add", "multiply"):
        answer = bill("discard 9m from 3 to 2", seats, {"stake_mode": mode}, ga=GA, followed=[0])
        assert sums(answer, "kong") == [-10, -6, 32, -16]
        assert sums(answer, "flower") == [-10, -6, 32, -16]
        assert sums(answer, "follow") == [-16, 3, 5, 8]


def test_r8_1_stake_mode_in_a_liability():
    # All shares from seat 3, each V + B - 1: 6 + 4 + 9 + 1.
    rules = {"stake_mode": "add", "discarder_pays_all": True}
    answer = bill("discard 9m from 3 to 2", {2: PONGS_9M}, rules, ga=GA)
    assert answer["payments"] == [0, 0, 20, -20]


# ---------------------------------------------------------------- R8.2


@pytest.mark.parametrize(
    ("bonus", "streak", "dealer_wins", "dealer_pays"),
    [
        # n = 2, plain on seat 3's discard, V = 1. B with the dealer is 1 (+ 1) (+ 2), else 1.
        (False, False, [4, -1, -1, -2], [-1, 4, -1, -2]),
        (True, False, [7, -2, -2, -3], [-2, 5, -1, -2]),
        (False, True, [10, -3, -3, -4], [-3, 6, -1, -2]),
        (True, True, [13, -4, -4, -5], [-4, 7, -1, -2]),
    ],
)
def test_r8_2_bonus_and_streak(bonus, streak, dealer_wins, dealer_pays):
    rules = LINGAO | {"dealer_bonus": bonus, "dealer_streak": streak}
    for winner, payments in ((0, dealer_wins), (1, dealer_pays)):
        answer = bill(f"discard 3m from 3 to {winner}", {winner: seat(PLAIN)}, rules, streak=2)
        assert answer["payments"] == payments


def test_r8_2_hainan_with_the_streak_instead():
    rules = {"dealer_bonus": False, "dealer_streak": True}
    answer = bill("discard 3m from 3 to 0", {0: seat(PLAIN)}, rules, streak=2)
    assert answer["payments"] == [10, -3, -3, -4]
    # In the dealer's first hand the streak is nothing.
    assert bill("discard 3m from 3 to 0", {0: seat(PLAIN)}, rules)["payments"] == [4, -1, -1, -2]


def test_r8_2_kongs_and_flowers_too():
    # Seat 1's exposed kong and seven flowers: B(0,1) = 1 + 1 + 2.
    seats = {1: seat("", "exposed_kong 1111p 2", flowers="1234567f"), 2: seat(PLAIN)}
    rules = LINGAO | {"flower_hu": "count"}
    answer = bill("self_draw 3m by 2", seats, rules, streak=2)
    assert sums(answer, "kong") == sums(answer, "flower") == [-4, 6, -1, -1]


def test_r8_2_it_is_the_dealer_not_seat_0():
    answer = bill("discard 3m from 3 to 0", {0: seat(PLAIN)}, dealer=2)
    assert answer["payments"] == [5, -1, -2, -2]


# ---------------------------------------------------------------- R8.3


def test_r8_3_off_counts_as_0_whatever_is_asked():
    # V = 1: with the ga B(0,2) = 5, 3 and 8; without it 2, 1 and 1.
    on, off = ({"preset": "hainan", "ga": value} for value in (True, False))
    assert bill("discard 3m from 3 to 2", {2: seat(PLAIN)}, on, ga=GA)["payments"] == [-5, -3, 17, -9]
    assert bill("discard 3m from 3 to 2", {2: seat(PLAIN)}, off, ga=GA)["payments"] == [-2, -1, 5, -2]
    assert bill("discard 3m from 3 to 2", {2: seat(PLAIN)}, CLASSIC, ga=GA)["payments"] == [-1, -1, 4, -2]


def ga_table(**options):
    rules = rules_of("hainan", **options)
    return Table(rules, wall=stacked_wall(rules, 4, []), ga_floor=(2, 0, 5, 1))


def test_r8_3_never_lower_than_before():
    table = ga_table()
    assert texts(table, 0) == ["ga 2", "ga 3", "ga 5"]
    assert texts(table, 1) == ["ga 0", "ga 1", "ga 2", "ga 3", "ga 5"]
    assert texts(table, 2) == ["ga 5"]
    assert texts(table, 3) == ["ga 1", "ga 2", "ga 3", "ga 5"]
    free = ga_table(free_ga=True)
    assert all(texts(free, number) == ["ga 0", "ga 1", "ga 2", "ga 3", "ga 5"] for number in range(4))
    # Without ga nothing is chosen: the dealer discards.
    assert list(ga_table(ga=False).legal()) == [0]


def test_r8_3_at_the_same_time_and_announced_together():
    table = ga_table()
    assert list(table.legal()) == [0, 1, 2, 3]
    for number, value in ((2, 5), (0, 3), (3, 1)):
        table.act(number, f"ga {value}")
        assert table.events() == []
        assert texts(table, number) == []  # chosen once
        assert table.masked(1).ga.tolist()[number] == -1  # and nobody else knows
    table.act(1, "ga 0")
    told = [(event["seat"], event["value"]) for event in table.events() if event["type"] == "ga"]
    assert told == [(0, 3), (1, 0), (2, 5), (3, 1)]
    assert table.events()[4]["type"] == "deal"


def test_r8_3_counts_in_the_stakes():
    # Ga 1, 0, 2, 5. The dealer's heavenly hand, V = 3: B is 1+1+0+1 = 3, 5 and 1+1+5+1 = 8.
    table = stacked_table([f"{PLAIN}3m"], ga=GA)
    table.act(0, "win")
    assert table.end()["payments"] == [48, -9, -15, -24]


# ---------------------------------------------------------------- R8.4


def test_r8_4_each_share_with_its_own_stake():
    # R8.1's win with seat 3 liable: 10 + 6 + 16, and the flat 1 once.
    answer = bill("discard 9m from 3 to 2", {2: PONGS_9M}, {"discarder_pays_all": True}, ga=GA)
    assert answer["payments"] == [0, 0, 33, -33]
    assert shares(answer, "win") == [(3, 0, 10), (3, 1, 6), (3, 3, 16)]
    assert shares(answer, "discard") == [(3, 3, 1)]


def test_r8_4_no_flat_1_for_a_self_draw():
    # Four pongs from seat 1, drawn: V = 4, B(0,2) = 5, B(1,2) = 3, B(3,2) = 8.
    four = seat("5m", "pong 111p 1", "pong 222p 1", "pong 444p 1", "pong 777p 1")
    answer = bill("self_draw 5m by 2", {2: four}, ga=GA)
    assert answer["payments"] == [0, -64, 64, 0]
    assert shares(answer, "win") == [(1, 0, 20), (1, 1, 12), (1, 3, 32)]
    assert shares(answer, "discard") == []


# ---------------------------------------------------------------- R8.5

PAYS_ALL = {"discarder_pays_all": True}


def test_r8_5_wins():
    # V = 1: 2 + 1 + 1 + 1 from seat 3.
    answer = bill("discard 3m from 3 to 1", {1: seat(PLAIN)}, PAYS_ALL)
    assert answer["payments"] == [0, 5, 0, -5]
    assert rules_cited(answer) == {"R8.5"}
    assert bill("discard 3m from 3 to 1", {1: seat(PLAIN)})["payments"] == [-2, 5, -1, -2]
    # Robbing too, licence or not.
    seats = {1: seat(PLAIN), 3: seat("", "pong 333m 2")}
    answer = bill("rob 3m from 3 to 1", seats, PAYS_ALL)
    assert (answer["payments"], rules_cited(answer)) == ([0, 5, 0, -5], {"R8.5"})


def test_r8_5_self_draws_settle_normally():
    answer = bill("self_draw 3m by 1", {1: seat(PLAIN)}, PAYS_ALL)
    assert (answer["payments"], rules_cited(answer)) == ([-4, 8, -2, -2], {"R8.1"})


def test_r8_5_exposed_kongs():
    # B with seat 2: 5, 3, 8. Seat 3 fed it; seat 1 draws the win.
    seats = {1: seat(PLAIN), 2: seat("", "exposed_kong 9999p 3")}
    answer = bill("self_draw 3m by 1", seats, PAYS_ALL, ga=GA)
    assert sums(answer, "kong") == [0, 0, 16, -16]
    assert shares(answer, "kong") == [(3, 0, 5), (3, 1, 3), (3, 3, 8)]
    assert rules_cited(answer, "kong") == {"R8.5"}
    answer = bill("self_draw 3m by 1", seats, ga=GA)
    assert sums(answer, "kong") == [-5, -3, 16, -8]
    assert rules_cited(answer, "kong") == {"R8.12"}


def test_r8_5_only_exposed_kongs():
    for kong, points in (("added_kong 9999p 3", [-2, -1, 4, -1]), ("concealed_kong 9999p", [-4, -2, 8, -2])):
        answer = bill("self_draw 3m by 1", {1: seat(PLAIN), 2: seat("", kong)}, PAYS_ALL)
        assert sums(answer, "kong") == points
        assert rules_cited(answer, "kong") == {"R8.12"}


def test_r8_5_each_share_keeps_its_size_under_feeder_double():
    # R8.13: seat 0 owes 1 x 2, seat 1 owes 1, the feeder 2 x 1; the feeder pays all 5.
    seats = {1: seat(PLAIN), 2: seat("", "exposed_kong 9999p 3")}
    answer = bill("self_draw 3m by 1", seats, VARIANT | PAYS_ALL)
    assert shares(answer, "kong") == [(3, 0, 2), (3, 1, 1), (3, 3, 2)]
    assert rules_cited(answer, "kong") == {"R8.5"}


# ---------------------------------------------------------------- R8.6

KONGER = seat("", "pong 666p 2")
ROBBED_PLAIN = seat("45p789s33z", "pong 111m 0", "pong 444s 2")
"""Seat 3 (North), 3p or 6p: no licence."""
ROBBED_LICENSED = seat("45p789s55s", "pong 111m 0", "pong 444s 2")
"""The same with an eye."""


def test_r8_6_robbing_with_a_licence_is_a_discard():
    # V = 1: 2, 1 + 1 from the konger, 1
    answer = bill("rob 6p from 1 to 3", {1: KONGER, 3: ROBBED_LICENSED})
    assert (answer["payments"], rules_cited(answer)) == ([-2, -2, -1, 5], {"R8.1"})


def test_r8_6_robbing_without_one_makes_the_konger_liable():
    answer = bill("rob 6p from 1 to 3", {1: KONGER, 3: ROBBED_PLAIN})
    assert answer["winners"][0]["licences"] == []
    assert (answer["payments"], rules_cited(answer)) == ([0, -5, 0, 5], {"R8.6"})


def test_r8_6_not_without_require_fan():
    # 无番: nothing needs a licence, so nobody is liable for its lack.
    answer = bill("rob 6p from 1 to 3", {1: KONGER, 3: ROBBED_PLAIN}, {"require_fan": False})
    assert (answer["payments"], rules_cited(answer)) == ([-2, -2, -1, 5], {"R8.1"})


def test_r8_6_a_hand_that_is_not_plain_needs_no_licence():
    # 123p 456p 777p 999p 44z with the half flush's licence off: none is left. T = 2 in Lingao.
    robber = seat("45p123p999p44z", "pong 777p 0")
    rules = LINGAO | {"half_flush": False}
    answer = bill("rob 6p from 1 to 3", {1: KONGER, 3: robber}, rules)
    assert (answer["winners"][0]["patterns"], answer["winners"][0]["licences"]) == (["half_flush"], [])
    # 2 x 2, 2 + 1, 2
    assert (answer["payments"], rules_cited(answer)) == ([-4, -3, -2, 9], {"R8.1"})
    # In Hainan the same hand is plain and without a licence: V = 1, the konger pays.
    answer = bill("rob 6p from 1 to 3", {1: KONGER, 3: robber}, {"half_flush": False})
    assert (answer["payments"], rules_cited(answer)) == ([0, -5, 0, 5], {"R8.6"})


# ---------------------------------------------------------------- R8.7


FED = ("pong 111m 3", "pong 777m 3", "pong 999m 3")


def test_r8_7_feeder_discards_to_the_holder():
    # The dealer's V = 1: 2 + 2 + 2 + 1, all from seat 3.
    answer = bill("discard 6p from 3 to 0", {0: seat(EYE, *FED)})
    assert (answer["payments"], rules_cited(answer)) == ([7, 0, 0, -7], {"R8.7"})
    for rules in ({"meld_liability": False}, LINGAO):
        answer = bill("discard 6p from 3 to 0", {0: seat(EYE, *FED)}, rules)
        assert (answer["payments"], rules_cited(answer)) == ([7, -2, -2, -3], {"R8.1"})
    assert bill("discard 6p from 3 to 0", {0: seat(EYE, *FED)}, CLASSIC)["payments"] == [4, 0, 0, -4]


def test_r8_7_holder_discards_to_the_feeder():
    # Seat 3 wins with V = 1: 2 + 1 + 1 + 1, all from seat 0, who holds the melds.
    answer = bill("discard 3m from 0 to 3", {0: seat("", *FED), 3: seat(PLAIN)})
    assert (answer["payments"], rules_cited(answer)) == ([-5, 0, 0, 5], {"R8.7"})


def test_r8_7_a_third_player_settles_normally():
    for four_melds in (True, False):
        rules = {"four_melds": four_melds}
        answer = bill("discard 6p from 1 to 0", {0: seat(EYE, *FED)}, rules)
        assert (answer["payments"], rules_cited(answer)) == ([7, -3, -2, -2], {"R8.1"})
        # Neither does it matter when a third player wins from one of the two.
        answer = bill("discard 3m from 3 to 1", {0: seat("", *FED), 1: seat("12m456p777s222s33z")}, rules)
        assert (answer["payments"], rules_cited(answer)) == ([-2, 5, -1, -2], {"R8.1"})
        # Three melds say nothing about self-draws.
        answer = bill("self_draw 6p by 0", {0: seat(EYE, *FED)}, rules)
        assert (answer["payments"], rules_cited(answer)) == ([12, -4, -4, -4], {"R8.1"})


@pytest.mark.parametrize(
    ("melds", "liable"),
    [
        (("chow 123m 3", "chow 678s 3", "pong 999m 3"), True),
        (("pong 111m 3", "exposed_kong 7777m 3", "pong 999m 3"), True),
        (("pong 111m 3", "added_kong 7777m 3", "pong 999m 3"), True),  # the pong it grew from
        (("pong 111m 3", "added_kong 7777m 2", "pong 999m 3"), False),
        (("pong 111m 3", "concealed_kong 7777m", "pong 999m 3"), False),  # never counts
        (("pong 111m 3", "pong 777m 2", "pong 999m 3"), False),
        (("pong 111m 1", "pong 777m 2", "pong 999m 3"), False),
        (("pong 111m 2", "pong 777m 2", "pong 999m 2"), False),  # fed by somebody else
    ],
)
def test_r8_7_what_counts(melds, liable):
    answer = bill("discard 6p from 3 to 0", {0: seat(EYE, *melds)})
    expected = [7, 0, 0, -7] if liable else [7, -2, -2, -3]
    assert sums(answer, "win", "discard") == expected


def test_r8_7_other_melds_do_not_matter():
    # Three from seat 3 and one from seat 1; the pair is the wait. Plain: a chow among them.
    seats = {0: seat("5p", "chow 123m 3", "pong 777m 3", "pong 999m 3", "pong 111s 1")}
    answer = bill("discard 5p from 3 to 0", seats)
    assert (answer["payments"], rules_cited(answer)) == ([7, 0, 0, -7], {"R8.7"})


def test_r8_7_one_of_the_two_holds_them_all():
    # Two of seat 0 from seat 3 and one of seat 3 from seat 0 are not three.
    seats = {0: seat("22s45p678s", "pong 111m 3", "pong 999m 3"), 3: seat("", "pong 777m 0")}
    assert bill("discard 6p from 3 to 0", seats)["payments"] == [7, -2, -2, -3]


def test_r8_7_robbing():
    seats = {0: seat(EYE, *FED), 3: seat("", "pong 666p 2")}
    answer = bill("rob 6p from 3 to 0", seats)
    assert (answer["payments"], rules_cited(answer)) == ([7, 0, 0, -7], {"R8.7"})
    # Robbed by another, seat 3 pays its own share and 1.
    seats = {0: seat("", *FED), 1: seat(PLAIN_6P), 3: seat("", "pong 666p 2")}
    assert bill("rob 6p from 3 to 1", seats)["payments"] == [-2, 5, -1, -2]


# ---------------------------------------------------------------- R8.8

FOUR_P = ("pong 111p 1", "pong 222p 1", "pong 444p 1", "pong 777p 1")
HOLDER = seat("5m", *FOUR_P)
"""Seat 2 with four melds from seat 1; all pongs, T = 2."""
FREE = "12456777999m33z"
"""13 tiles waiting on 3m: plain, V = 1, in Hainan."""
ANY = {"four_melds_any": True}


def test_r8_8_holder_draws():
    # V = 4: 8 + 4 + 4 from seat 1.
    answer = bill("self_draw 5m by 2", {2: HOLDER})
    assert (answer["payments"], rules_cited(answer)) == ([0, -16, 16, 0], {"R8.8"})
    for rules in ({"four_melds": False}, {"meld_liability": False}, CLASSIC | {"dealer_bonus": True}):
        answer = bill("self_draw 5m by 2", {2: HOLDER}, rules)
        assert (answer["payments"], rules_cited(answer)) == ([-8, -4, 16, -4], {"R8.1"})


def test_r8_8_feeder_draws():
    # Seat 1, who holds nothing, draws V = 2: 4 + 2 + 2 from the holder, seat 2.
    seats = {1: seat(FREE), 2: seat("", *FOUR_P)}
    answer = bill("self_draw 3m by 1", seats)
    assert (answer["payments"], rules_cited(answer)) == ([0, 8, -8, 0], {"R8.8"})
    answer = bill("self_draw 3m by 1", seats, {"four_melds": False})
    assert answer["payments"] == [-4, 8, -2, -2]
    # Somebody else's self-draw is nobody's fault.
    assert bill("self_draw 3m by 3", {2: seat("", *FOUR_P), 3: seat(FREE)})["payments"] == [-4, -2, -2, 8]


def test_r8_8_discards_between_the_two_are_as_in_r8_7():
    # V = 2: 4 + 2 + 2 + 1 from seat 1; then V = 1: 2 + 1 + 1 + 1 from seat 2.
    answer = bill("discard 5m from 1 to 2", {2: HOLDER})
    assert (answer["payments"], rules_cited(answer)) == ([0, -9, 9, 0], {"R8.7"})
    answer = bill("discard 3m from 2 to 1", {1: seat(FREE), 2: seat("", *FOUR_P)})
    assert (answer["payments"], rules_cited(answer)) == ([0, 5, -5, 0], {"R8.7"})


def test_r8_8_three_are_not_four():
    melds = (*FOUR_P[:3], "pong 777p 0")
    assert bill("self_draw 5m by 2", {2: seat("5m", *melds)})["payments"] == [-8, -4, 16, -4]
    # Nor does a concealed kong make the fourth.
    melds = (*FOUR_P[:3], "concealed_kong 7777p")
    assert sums(bill("self_draw 5m by 2", {2: seat("5m", *melds)}), "win") == [-8, -4, 16, -4]
    melds = (*FOUR_P[:3], "added_kong 7777p 1")
    assert sums(bill("self_draw 5m by 2", {2: seat("5m", *melds)}), "win") == [0, -16, 16, 0]


def test_r8_8_four_melds_any():
    # Seat 3's discard, V = 2: 4, 2 and 2 + 1. Normally everybody his own; with the option all from seat 1.
    answer = bill("discard 5m from 3 to 2", {2: HOLDER})
    assert (answer["payments"], rules_cited(answer)) == ([-4, -2, 9, -3], {"R8.1"})
    answer = bill("discard 5m from 3 to 2", {2: HOLDER}, ANY)
    assert (answer["payments"], rules_cited(answer)) == ([0, -9, 9, 0], {"R8.8"})
    assert shares(answer, "discard") == [(1, 3, 1)]
    # Self-draws and the two's own discards are as before.
    assert bill("self_draw 5m by 2", {2: HOLDER}, ANY)["payments"] == [0, -16, 16, 0]
    assert bill("discard 5m from 1 to 2", {2: HOLDER}, ANY)["payments"] == [0, -9, 9, 0]


def test_r8_8_four_melds_any_is_about_wins_of_the_holder():
    seats = {1: seat(FREE), 2: seat("", *FOUR_P)}
    assert bill("discard 3m from 3 to 1", seats, ANY)["payments"] == [-2, 5, -1, -2]


def test_r8_8_four_melds_any_needs_four_melds():
    rules = ANY | {"four_melds": False}
    assert bill("discard 5m from 3 to 2", {2: HOLDER}, rules)["payments"] == [-4, -2, 9, -3]
    assert bill("self_draw 5m by 2", {2: HOLDER}, rules)["payments"] == [-8, -4, 16, -4]
    rules = ANY | {"meld_liability": False}
    assert bill("discard 5m from 3 to 2", {2: HOLDER}, rules)["payments"] == [-4, -2, 9, -3]


def test_r8_8_four_melds_any_robbing():
    # A lone wild 5z robs seat 3's kong of 5m: all pongs, V = 2.
    seats = {2: seat("5z", *FOUR_P), 3: seat("", "pong 555m 0")}
    answer = bill("rob 5m from 3 to 2", seats, ANY | {"wild": "5z"})
    assert (answer["payments"], rules_cited(answer)) == ([0, -9, 9, 0], {"R8.8"})
    answer = bill("rob 5m from 3 to 2", seats, {"wild": "5z"})
    assert (answer["payments"], rules_cited(answer)) == ([-4, -2, 9, -3], {"R8.1"})


def test_r8_8_two_liable_who_fed_the_winner():
    # Seat 2 holds four from seat 1; seat 3, nearer after seat 2, holds four from seat 2.
    seats = {2: HOLDER, 3: seat("", "pong 111s 2", "pong 222s 2", "pong 444s 2", "pong 777s 2")}
    assert bill("self_draw 5m by 2", seats)["payments"] == [0, -16, 16, 0]


def test_r8_8_two_liable_the_nearest_after_the_winner():
    # Seats 0 and 3 hold four melds each from seat 2, who draws with V = 2: 4 + 2 + 2.
    fed = ("pong 111{} 2", "pong 222{} 2", "pong 444{} 2", "pong 777{} 2")
    in_p, in_s = (tuple(text.format(suit) for text in fed) for suit in "ps")
    seats = {0: seat("", *in_p), 2: seat(FREE), 3: seat("", *in_s)}
    assert bill("self_draw 3m by 2", seats)["payments"] == [0, 0, 8, -8]
    # The same between seats 0 and 1: after seat 2 comes 3, then 0.
    seats = {0: seat("", *in_p), 2: seat(FREE), 1: seat("", *in_s)}
    assert bill("self_draw 3m by 2", seats)["payments"] == [-8, 0, 8, 0]


# ---------------------------------------------------------------- R8.9

LAST = {"last_tiles_liability": True}
BY_COUNT = LAST | {"last_tiles_by_count": True}


@pytest.mark.parametrize(
    ("players", "rules", "limit"), [(4, LAST, 18), (4, BY_COUNT, 19), (3, LAST, 17), (3, BY_COUNT, 18)]
)
def test_r8_9_window(players, rules, limit):
    # 14 + N tiles, or 15 + N by count. Seat 1 wins V = 1 from seat 2.
    normal = [-2, 5, -2, -1] if players == 4 else [-2, 4, -2]
    liable = [0, 5, -5, 0] if players == 4 else [0, 4, -4]
    for how in ("discard", "rob"):
        seats = {1: seat(PLAIN), 2: seat("", "pong 333m 0") if how == "rob" else seat()}
        for remaining in (limit, limit - 1, 15):
            answer = bill(f"{how} 3m from 2 to 1", seats, rules, players, remaining=remaining)
            assert (answer["payments"], rules_cited(answer)) == (liable, {"R8.9"})
        for remaining in (limit + 1, 60):
            answer = bill(f"{how} 3m from 2 to 1", seats, rules, players, remaining=remaining)
            assert (answer["payments"], rules_cited(answer)) == (normal, {"R8.1"})


def test_r8_9_self_draws_settle_normally():
    answer = bill("self_draw 3m by 1", {1: seat(PLAIN)}, LAST, remaining=15)
    assert (answer["payments"], rules_cited(answer)) == ([-4, 8, -2, -2], {"R8.1"})


def test_r8_9_options():
    def paid(rules):
        return bill("discard 3m from 2 to 1", {1: seat(PLAIN)}, rules, remaining=15)["payments"]

    assert paid({}) == paid(CLASSIC | {"dealer_bonus": True}) == [-2, 5, -2, -1]
    assert paid(LINGAO) == paid(VARIANT) == [0, 5, -5, 0]
    # By count alone does nothing.
    assert paid({"last_tiles_by_count": True}) == [-2, 5, -2, -1]


@pytest.mark.parametrize(
    ("by_count", "at", "liable"), [(False, 18, True), (False, 19, False), (True, 19, True)]
)
def test_r8_9_at_the_table(by_count, at, liable):
    """The tile whose drawing leaves ``at`` is discarded at once, to a hand that waits on it alone."""
    rules = rules_of("lingao", ga=False, last_tiles_by_count=by_count)
    waiting = "123m456p789s555m1z"
    wall = stacked_wall(rules, 4, ["", "", "", waiting], back="12345678f")
    swap = wall.index(CODE["1z"], 60)
    wall[144 - at - 1], wall[swap] = wall[swap], wall[144 - at - 1]
    table = Table(rules, wall=wall)
    while table.remaining > at:
        # Everybody discards what he draws (the dealer his last tile); nobody wants anything.
        number = next(iter(table.legal()))
        table.act(number, f"discard {last_drawn(table)}")
        pass_all(table)
    discarder = next(iter(table.legal()))
    table.act(discarder, "discard 1z")
    table.act(3, "win")
    assert table.end()["from"] == discarder
    assert rules_cited(table.end()) == {"R8.9" if liable else "R8.1"}
    # V = 1: 2 + 1 + 1 + 1, or 2 and 1 and 1 and the flat 1
    expected = [0, 0, 0, 5]
    if liable:
        expected[discarder] = -5
    else:
        expected = [-2, -1, -1, 5]
        expected[discarder] -= 1
    assert table.payments == expected


def last_drawn(table):
    """The last tile drawn, as text."""
    return TEXT[int(table.raw.last_tile)]


# ---------------------------------------------------------------- R8.10

SEVERAL = {"multiple_wins": True}
OWN = SEVERAL | {"multiple_wins_own_share": True}


def test_r8_10_the_discarder_pays_every_share_of_each():
    # lingao: seat 0 plain, V = 1: 2 + 2 + 2 + 1; seat 1 all pongs, V = 3: 6 + 3 + 3 + 1. Seat 2 pays nothing.
    seats = {0: seat(PLAIN), 1: seat("33m111p222p444s55s")}
    answer = bill("discard 3m from 3 to 0 1", seats, LINGAO | SEVERAL)
    assert (answer["payments"], rules_cited(answer)) == ([7, 13, 0, -20], {"R8.10"})
    assert shares(answer, "discard") == [(3, 3, 1), (3, 3, 1)]
    # Own share: 2 + 1 and 3 + 1.
    answer = bill("discard 3m from 3 to 0 1", seats, LINGAO | OWN)
    assert (answer["payments"], rules_cited(answer)) == ([3, 4, 0, -7], {"R8.10"})


def test_r8_10_three_winners():
    # V = 1 each. All shares: 2+2+2+1, 2+1+1+1, 2+1+1+1; own: 2+1, 1+1, 1+1.
    seats = {0: seat(PLAIN_6P), 1: seat("45p456s789m222s44z"), 2: seat("45p456m777m222p33s")}
    answer = bill("discard 6p from 3 to 0 1 2", seats, SEVERAL)
    assert answer["payments"] == [7, 5, 5, -17]
    answer = bill("discard 6p from 3 to 0 1 2", seats, OWN)
    assert answer["payments"] == [3, 2, 2, -7]


def test_r8_10_one_winner_settles_as_ever():
    for rules in (SEVERAL, OWN):
        answer = bill("discard 6p from 3 to 0", {0: seat(PLAIN_6P)}, rules)
        assert (answer["payments"], rules_cited(answer)) == ([7, -2, -2, -3], {"R8.1"})


TWO = {0: seat(EYE, *FED), 1: seat("45p456s789s111s33z")}
"""6p: the dealer, who has three melds from seat 3, and seat 1; V = 1 each."""


@pytest.mark.parametrize(
    "options", [{}, {"discarder_pays_all": True}, {"last_tiles_liability": True}, {"meld_liability": False}]
)
def test_r8_10_with_r8_5_r8_7_and_r8_9(options):
    # This clause alone decides: 2+2+2+1 and 2+1+1+1, or own shares 2+1 and 1+1, whatever else holds.
    answer = bill("discard 6p from 3 to 0 1", TWO, SEVERAL | options, remaining=16)
    assert (answer["payments"], rules_cited(answer)) == ([7, 5, 0, -12], {"R8.10"})
    answer = bill("discard 6p from 3 to 0 1", TWO, OWN | options, remaining=16)
    assert (answer["payments"], rules_cited(answer)) == ([3, 2, 0, -5], {"R8.10"})


def test_r8_10_with_r8_6():
    # Two robbers without a licence: own shares stay own shares.
    seats = {
        0: seat(NOTHING, "pong 111m 1", "pong 777m 1", "pong 888m 2"),
        1: seat("45p789s33z", "pong 222m 0", "pong 444s 2"),
        3: seat("", "pong 666p 2"),
    }
    answer = bill("rob 6p from 3 to 0 1", seats, OWN)
    assert [winner["licences"] for winner in answer["winners"]] == [[], []]
    assert (answer["payments"], rules_cited(answer)) == ([3, 2, 0, -5], {"R8.10"})
    answer = bill("rob 6p from 3 to 0 1", seats, SEVERAL)
    assert (answer["payments"], rules_cited(answer)) == ([7, 5, 0, -12], {"R8.10"})


def test_r8_10_with_r8_8():
    # Seat 2 with four melds from seat 1, the feeder; seat 3 discards and seat 0 wins too: V = 2 and V = 1.
    seats = {0: seat("46m123m789s222s33z"), 2: HOLDER}
    answer = bill("discard 5m from 3 to 0 2", seats, OWN | ANY)
    assert (answer["payments"], rules_cited(answer)) == ([3, 0, 3, -6], {"R8.10"})
    # All shares: 2+2+2+1, and 4+2+2+1.
    answer = bill("discard 5m from 3 to 0 2", seats, SEVERAL | ANY)
    assert answer["payments"] == [7, 0, 9, -16]


def test_r8_10_kongs_are_still_paid_by_all():
    seats = TWO | {2: seat("", "concealed_kong 9999p")}
    answer = bill("discard 6p from 3 to 0 1", seats, SEVERAL)
    assert sums(answer, "kong") == [-4, -2, 8, -2]
    # And under R8.5 the feeder of an exposed kong pays it, two winners or not.
    seats = TWO | {2: seat("", "exposed_kong 9999p 1")}
    answer = bill("discard 6p from 3 to 0 1", seats, SEVERAL | PAYS_ALL)
    assert sums(answer, "kong") == [0, -4, 4, 0]


def test_r8_10_at_the_table():
    # The dealer discards 6p; seats 1 and 3 win. V = 1 each: 2+1+1+1 for both, from seat 0.
    hands = ["6p", PLAIN_6P, "", "45p456s789m222s44z"]
    table = stacked_table(hands, multiple_wins=True)
    play(table, "0 discard 6p", "3 win", "1 win")
    assert table.end()["payments"] == [-10, 5, 0, 5]
    table = stacked_table(hands, multiple_wins=True, multiple_wins_own_share=True)
    play(table, "0 discard 6p", "3 win", "1 win")
    assert table.end()["payments"] == [-6, 3, 0, 3]


# ---------------------------------------------------------------- R8.11


def test_r8_11_paid_once_and_the_lowest_clause_is_named():
    licensed = {0: seat(EYE, *FED), 3: seat("", "pong 666p 2")}
    bare = {0: seat(NOTHING, *FED), 3: seat("", "pong 666p 2")}
    every = LAST | PAYS_ALL
    cases = [
        ("R8.5", "rob", bare, every),
        ("R8.5", "discard", {0: licensed[0]}, every),
        ("R8.6", "rob", bare, LAST),
        ("R8.7", "rob", licensed, LAST),
        ("R8.7", "discard", {0: licensed[0]}, LAST),
        ("R8.9", "discard", {0: licensed[0]}, LAST | {"meld_liability": False}),
    ]
    for clause, how, seats, rules in cases:
        # 2 + 2 + 2 and one flat 1, however many clauses say so
        answer = bill(f"{how} 6p from 3 to 0", seats, rules, remaining=16)
        assert (answer["payments"], rules_cited(answer)) == ([7, 0, 0, -7], {clause})
        assert len(shares(answer, "discard")) == 1
    answer = bill("discard 6p from 3 to 0 1", TWO, every | SEVERAL, remaining=16)
    assert rules_cited(answer) == {"R8.10"}


def test_r8_11_four_melds_any_only_where_no_discarder_is_liable():
    # Seat 2's feeder is seat 1; seat 3 discards. V = 2: 4 + 2 + 2 + 1.
    for rules, clause, remaining in ((LAST, "R8.9", 18), (PAYS_ALL, "R8.5", 60)):
        answer = bill("discard 5m from 3 to 2", {2: HOLDER}, ANY | rules, remaining=remaining)
        assert (answer["payments"], rules_cited(answer)) == ([0, 0, 9, -9], {clause})
    answer = bill("discard 5m from 3 to 2", {2: HOLDER}, ANY | LAST, remaining=19)
    assert (answer["payments"], rules_cited(answer)) == ([0, -9, 9, 0], {"R8.8"})


# ---------------------------------------------------------------- R8.12


@pytest.mark.parametrize(
    ("kong", "times"),
    [
        ("exposed_kong 9999p 3", 1),
        ("exposed_kong 9999p 0", 1),
        ("added_kong 9999p 3", 1),
        ("concealed_kong 9999p", 2),
    ],
)
def test_r8_12_kongs(kong, times):
    # Seat 1 wins V = 1 from seat 3: -2 5 -1 -2. Seat 2's kong beside it: B(0,2) = 2, else 1.
    answer = bill("discard 3m from 3 to 1", {1: seat(PLAIN), 2: seat("", kong)})
    points = [-2 * times, -times, 4 * times, -times]
    assert sums(answer, "win", "discard") == [-2, 5, -1, -2]
    assert sums(answer, "kong") == points
    assert rules_cited(answer, "kong") == {"R8.12"}


def test_r8_12_every_kong_of_every_player():
    # Seat 0: exposed 1 x 2 from each. Seat 1, the winner: concealed 4, 2, 2, and added 2, 1, 1.
    seats = {
        0: seat("", "exposed_kong 9999p 3"),
        1: seat("12m33z456p", "concealed_kong 8888s", "added_kong 1111s 0"),
    }
    answer = bill("self_draw 3m by 1", seats)
    assert sums(answer, "kong") == [6 - 6, -2 + 12, -2 - 3, -2 - 3]
    # However much the hand is worth, and drawn or not.
    assert sums(answer, "win") == [-4, 8, -2, -2]


def test_r8_12_drawn_hands():
    seats = {0: seat("", "exposed_kong 9999p 3"), 2: seat("", "concealed_kong 8888s")}
    answer = bill("draw", seats)
    assert (answer["payments"], answer["items"], answer["winners"]) == ([0, 0, 0, 0], [], [])
    # score_draws: 2 from each to seat 0; 4, 2, 2 to seat 2.
    answer = bill("draw", seats, {"score_draws": True})
    assert answer["payments"] == [6 - 4, -2 - 2, 8 - 2, -2 - 2]
    assert rules_cited(answer) == {"R8.12"}


def test_r8_12_a_robbed_kong_is_none():
    seats = {1: seat("", "pong 666p 2"), 3: ROBBED_LICENSED}
    assert sums(bill("rob 6p from 1 to 3", seats), "kong") == [0, 0, 0, 0]


# ---------------------------------------------------------------- R8.13


@pytest.mark.parametrize(
    ("kong", "doubled", "plain"),
    [
        # Owner seat 1, B(0,1) = 2, else 1.
        ("exposed_kong 9999p 3", [-2, 5, -1, -2], [-2, 4, -1, -1]),
        ("exposed_kong 9999p 0", [-4, 6, -1, -1], [-2, 4, -1, -1]),
        ("added_kong 9999p 3", [-4, 8, -2, -2], [-2, 4, -1, -1]),
        ("added_kong 9999p 3 back", [-6, 12, -3, -3], [-2, 4, -1, -1]),
        ("concealed_kong 9999p", [-4, 8, -2, -2], [-4, 8, -2, -2]),
    ],
)
def test_r8_13_feeder_double(kong, doubled, plain):
    seats = {1: seat("", kong), 2: seat(PLAIN)}
    for rules in (VARIANT, {"kong_scoring": "feeder_double"}):
        answer = bill("self_draw 3m by 2", seats, rules)
        assert (sums(answer, "kong"), rules_cited(answer, "kong")) == (doubled, {"R8.13"})
    for rules in (LINGAO, {}, VARIANT | {"kong_scoring": "plain"}):
        answer = bill("self_draw 3m by 2", seats, rules)
        assert (sums(answer, "kong"), rules_cited(answer, "kong")) == (plain, {"R8.12"})
    # In a drawn hand as in R8.12.
    assert bill("draw", seats, VARIANT)["payments"] == [0, 0, 0, 0]
    assert bill("draw", seats, VARIANT | {"score_draws": True})["payments"] == doubled


def added_kong(hand, draws, back, *moves, **options):
    """Times B that seat 0's added kong of 5p brought from each: it pongs seat 1's 5p, then makes the moves
    and wins by kong bloom. Its B is 2 with everybody."""
    table = stacked_table([hand, "5p"], draws, back, preset="lingao-variant", **options)
    play(table, "0 discard 9m")
    pass_all(table)
    play(table, "1 discard 5p", "0 pong")
    for move in ("discard 9p", *moves):
        if move == "round":  # the three others discard what they draw
            for number in (1, 2, 3):
                table.act(number, f"discard {last_drawn(table)}")
                pass_all(table)
        else:
            table.act(0, move)
            pass_all(table)
    table.act(0, "win")
    answer = table.end()
    assert answer["way"] == "kong_bloom"
    per_payer = [item["points"] for item in answer["items"] if item["for"] == "kong" and item["payer"] == 2]
    # Concealed kongs made on the way bring 2 x 2 each.
    concealed = sum(move.startswith("kong") and move != "kong 5p" for move in moves)
    return sum(per_payer) // 2 - 2 * concealed


# Draws from the front: seat 1 draws 1s (and discards its 5p), then after the pong seats 1, 2, 3 draw.
OTHERS = "2s3s4s"


def test_r8_13_drawn_from_the_front_and_added_at_once():
    hand = "55p12m456s777s33z9p9m"
    assert added_kong(hand, f"1s{OTHERS}5p", "3m", "round", "kong 5p") == 2
    assert added_kong(hand, f"1s{OTHERS}5p", "3m", "round", "kong 5p", kong_scoring="plain") == 1


def test_r8_13_replacement_of_a_kong_added_at_once():
    # 1111z konged, its replacement is the 5p.
    moves = ("round", "kong 1z", "kong 5p")
    hand = "55p1111z12m456s3z9p9m"
    assert added_kong(hand, f"1s{OTHERS}3z", "5p3m", *moves) == 3
    assert added_kong(hand, f"1s{OTHERS}3z", "5p3m", *moves, kong_scoring="plain") == 1


def test_r8_13_replacement_of_a_flower_added_at_once():
    # A flower's replacement comes from the back of the wall as well.
    assert added_kong("55p12m456s777s33z9p9m", f"1s{OTHERS}8f", "5p3m", "round", "kong 5p") == 3


def test_r8_13_held_back_a_turn():
    # The 5p came from the back, but a turn later it isn't the last tile drawn.
    moves = ("round", "kong 1z", "discard 9s", "round", "kong 5p")
    draws = f"1s{OTHERS}9s{OTHERS}3z"
    assert added_kong("55p1111z12m456s3z9p9m", draws, "5p3m", *moves) == 2


def test_r8_13_another_kong_in_between():
    # 1111z brings the 5p, 2222z then 3z: when the 5p is added, the last tile drawn is the 3z.
    moves = ("round", "kong 1z", "kong 2z", "kong 5p")
    assert added_kong("55p1111z2222z12m9p9m", f"1s{OTHERS}3z", "5p3z3m", *moves) == 2


def test_r8_13_the_last_tile_from_the_back_is_another():
    # The fourth 5p was in the hand all along; the replacement of 1111z is a 3z.
    moves = ("round", "kong 1z", "kong 5p")
    assert added_kong("555p1111z12m456s9p9m", f"1s{OTHERS}3z", "3z3m", *moves) == 2


# ---------------------------------------------------------------- R8.14 to R8.17


def flowers(text, rules, **request):
    """Times B that flowers bring, and the clause; seat 3 owns them, and seat 1 draws the win."""
    seats = {1: seat(PLAIN), 3: seat(flowers=text)}
    answer = bill("self_draw 3m by 1", seats, rules, **request)
    points = sums(answer, "flower")
    times = -points[1]  # B(1,3) = 1; B(0,3) = 2
    assert points == [-2 * times, -times, -times, 4 * times]
    return times, *rules_cited(answer, "flower")


NO_FLOWER_RULES = {"flower_hu": "none", "flower_run": False, "flower_set": False}


@pytest.mark.parametrize(
    ("text", "times"),
    [
        ("", 0), ("1f", 0), ("1234f", 0), ("123456f", 0), ("235678f", 0),
        ("1234567f", 1), ("2345678f", 1), ("1235678f", 1), ("12345678f", 2),
    ],
)  # fmt: skip
def test_r8_14_count(text, times):
    assert flowers(text, {"flower_hu": "count"}) == ((times, "R8.14") if times else (0,))
    assert flowers(text, {}) == flowers(text, {"flower_hu": "count"})  # hainan's own
    assert flowers(text, {"flower_hu": "none"}) == (0,)
    assert flowers(text, CLASSIC | {"dealer_bonus": True}) == (0,)


@pytest.mark.parametrize(
    ("text", "times"),
    [
        ("1234f", 1), ("5678f", 1), ("12345f", 1), ("245678f", 1), ("1234567f", 1), ("1235678f", 1),
        ("12345678f", 2),
        ("1278f", 0), ("123567f", 0), ("123f", 0), ("", 0),
    ],
)  # fmt: skip
def test_r8_14_four_set(text, times):
    assert flowers(text, {"flower_hu": "four_set"}) == ((times, "R8.14") if times else (0,))


@pytest.mark.parametrize(
    ("text", "run", "full_set", "both"),
    [
        ("123f", 0, 0, 0),
        ("1256f", 0, 0, 0),  # 1 2 1 2
        ("123567f", 0, 0, 0),  # six flowers and no 4
        ("1278f", 1, 0, 1),
        ("2358f", 1, 0, 1),  # 2 3 1 4
        ("12578f", 1, 0, 1),
        ("123678f", 1, 0, 1),
        ("1234f", 1, 2, 2),  # a full set is a run too; the higher alone is paid
        ("5678f", 1, 2, 2),
        ("12345f", 1, 3, 3),
        ("123458f", 1, 4, 4),
        ("1245678f", 1, 5, 5),
        ("1234567f", 1, 5, 5),
        ("12345678f", 2, 6, 6),
    ],
)
def test_r8_15_run_and_r8_16_set(text, run, full_set, both):
    def expected(times, clause):
        return (times, clause) if times else (0,)

    off = NO_FLOWER_RULES
    assert flowers(text, off) == (0,)
    assert flowers(text, off | {"flower_run": True}) == expected(run, "R8.15")
    assert flowers(text, off | {"flower_set": True}) == expected(full_set, "R8.16")
    which = "R8.16" if full_set else "R8.15"
    assert flowers(text, off | {"flower_run": True, "flower_set": True}) == expected(both, which)
    assert flowers(text, LINGAO) == expected(both, which)


def test_r8_16_flower_hu_alone_applies():
    # A full set and six flowers: 4 x B by R8.16; nothing by count; 1 by four_set; 2 + 2 by true_false.
    for mode, result in (
        ("none", (4, "R8.16")),
        ("count", (0,)),
        ("four_set", (1, "R8.14")),
        ("true_false", (4, "R8.17")),
    ):
        assert flowers("123458f", LINGAO | {"flower_hu": mode}) == result


def test_r8_16_only_flowers_laid_out():
    # The seventh (or the fourth of a set) is still in the hand.
    for rules, laid, held in (({}, "123456f", "7f"), (LINGAO, "123f", "4f"), (VARIANT, "567f", "8f")):
        seats = {1: seat(PLAIN), 3: seat(held, flowers=laid)}
        assert sums(bill("self_draw 3m by 1", seats, rules), "flower") == [0, 0, 0, 0]
        seats = {1: seat(PLAIN), 3: seat(flowers=laid + held)}
        assert sums(bill("self_draw 3m by 1", seats, rules), "flower") != [0, 0, 0, 0]


@pytest.mark.parametrize(
    ("text", "times"),
    [
        # True: a full set 2, and 1 for each further flower.
        ("1234f", 2), ("5678f", 2), ("12345f", 3), ("15678f", 3), ("123458f", 4), ("1234567f", 5),
        ("2345678f", 5), ("12345678f", 6),
        # False: numbers 1 to 4 with 竹 (8f) 3 and 菊 (7f) 4, and 1 for each further flower.
        ("1278f", 1),  # 1 2 4 3
        ("1248f", 1),  # 1 2 4 3; by R8.15's numbers 1 2 4 4
        ("1237f", 1),  # 1 2 3 4; by R8.15's numbers 1 2 3 3
        ("3456f", 1),  # 3 4 1 2
        ("14568f", 2), ("12378f", 2), ("123567f", 3), ("124568f", 3), ("123678f", 3),
        # Neither: 1 2 3 3, 1 2 4 4, and six flowers without a 3 or a 4.
        ("1238f", 0), ("1247f", 0), ("123568f", 0), ("124567f", 0), ("123f", 0), ("", 0),
    ],
)  # fmt: skip
def test_r8_17_true_and_false_flowers(text, times):
    for rules in (VARIANT, {"flower_hu": "true_false"}):
        assert flowers(text, rules) == ((times, "R8.17") if times else (0,))


def test_r8_15_numbers_are_not_those_of_r8_17():
    # 菊 (7f) is 3 and 竹 (8f) is 4 here.
    run = NO_FLOWER_RULES | {"flower_run": True}
    assert flowers("1248f", run) == flowers("1237f", run) == (0,)
    assert flowers("1238f", run) == flowers("1247f", run) == (1, "R8.15")


# ---------------------------------------------------------------- R8.18


def test_r8_18_in_a_drawn_hand_only_under_score_draws():
    seats = {3: seat(flowers="1234567f")}
    for rules in ({}, LINGAO, VARIANT):
        assert bill("draw", seats, rules)["payments"] == [0, 0, 0, 0]
    # count 1 x B; a set of seven 5 x B; true, 2 + 3.
    for rules, times in (({}, 1), (LINGAO, 5), (VARIANT, 5)):
        answer = bill("draw", seats, rules | {"score_draws": True})
        assert answer["payments"] == [-2 * times, -times, -times, 4 * times]


def test_r8_18_the_winner_need_not_be_the_owner():
    # The owner pays for the win and is paid for his flowers, the winner pays for them too.
    answer = bill("discard 3m from 3 to 1", {1: seat(PLAIN), 3: seat(flowers="1234567f")})
    assert sums(answer, "win", "discard") == [-2, 5, -1, -2]
    assert sums(answer, "flower") == [-2, -1, -1, 4]


def test_r8_18_liability_never_covers_kongs_or_flowers():
    # Seat 3 is liable for the dealer's all pongs, 3 x 4 + 1; the dealer's kong and flowers all pay.
    holder = seat("5p", *FED, "concealed_kong 1111s", flowers="1234567f")
    answer = bill("discard 5p from 3 to 0", {0: holder})
    assert sums(answer, "win", "discard") == [13, 0, 0, -13]
    assert sums(answer, "kong") == [12, -4, -4, -4]
    assert sums(answer, "flower") == [6, -2, -2, -2]
    # Also under R8.5, whose kong rule is about exposed kongs alone.
    answer = bill("discard 5p from 3 to 0", {0: holder}, PAYS_ALL)
    assert sums(answer, "kong") == [12, -4, -4, -4]
    assert sums(answer, "flower") == [6, -2, -2, -2]


def play_out(table):
    """Everybody discards the first tile he may and passes everything, to the drawn hand."""
    while not table.over:
        pass_all(table)
        for number, actions in table.legal().items():
            table.act(number, next(action for action in actions if action.text.startswith("discard")))
            break
    return table


def test_r8_18_the_hand_goes_on():
    # The dealer lays out eight flowers and goes on discarding, to the drawn hand.
    for score_draws, payments in ((False, [0, 0, 0, 0]), (True, [12, -4, -4, -4])):
        table = stacked_table(["12345678f"], score_draws=score_draws)
        assert not table.over
        assert texts(table, 0)[0].startswith("discard")
        play_out(table)
        assert (table.end()["by"], table.payments) == ("draw", payments)


# ---------------------------------------------------------------- R8.19


def drop(table, *discards):
    """Discards such as ``0 9m``, which nobody claims; the seats whose lead was followed on the way."""
    followed = []
    for text in discards:
        number, tile = text.split()
        table.act(int(number), f"discard {tile}")
        followed += followed_now(table)
        while any("pass" in map(str, actions) for actions in table.legal().values()):
            table.act(next(iter(table.legal())), "pass")
            followed += followed_now(table)
    return followed


def followed_now(table):
    return [event["seat"] for event in table.events() if event["type"] == "follow"]


def claim(table, discarded, number, action):
    """A discard, which one seat claims and all others leave; the seats whose lead was followed."""
    seat_from, tile = discarded.split()
    table.act(int(seat_from), f"discard {tile}")
    followed = followed_now(table)
    for other in [other for other in table.legal() if other != number]:
        table.act(other, "pass")
    table.act(number, action)
    return followed + followed_now(table)


DEALER = f"{PLAIN}9m"
"""The dealer leads 9m and then waits on 3m. Self-drawn V = 2: 4 from each."""


def test_r8_19_follow():
    hands = [DEALER, "9m", "9m", "9m"]
    table = stacked_table(hands, "2z2z2z3m")
    assert drop(table, "0 9m", "1 9m", "2 9m") == []
    assert drop(table, "3 9m") == [0]
    table.act(0, "win")
    # The lead pays 2 to each, the win brings 4 from each.
    answer = table.end()
    assert answer["payments"] == [12 - 6, 2 - 4, 2 - 4, 2 - 4]
    assert sums(answer, "follow") == [-6, 2, 2, 2]
    assert rules_cited(answer, "follow") == {"R8.19"}


@pytest.mark.parametrize("preset", ["hainan", "hainan-classic", "lingao", "lingao-variant"])
def test_r8_19_option(preset):
    hands = [DEALER, "9m", "9m", "9m"]
    for follow in (True, False):
        table = stacked_table(hands, "2z2z2z3m", preset=preset, follow=follow)
        assert drop(table, "0 9m", "1 9m", "2 9m", "3 9m") == ([0] if follow else [])
        table.act(0, "win")
        assert (sums(table.end(), "follow") != [0, 0, 0, 0]) is follow
    own = stacked_table(hands, "2z2z2z3m", preset=preset)
    assert drop(own, "0 9m", "1 9m", "2 9m", "3 9m") == ([0] if preset == "hainan" else [])


def test_r8_19_not_with_three_players():
    table = stacked_table([DEALER, "9m", "9m"], "2z2z9m", players=3)
    assert drop(table, "0 9m", "1 9m", "2 9m", "0 9m") == []


def test_r8_19_another_tile_ends_it():
    for third, fourth in (("1z", "9m"), ("9m", "1z")):
        table = stacked_table([DEALER, "9m", "9m1z", "9m1z"], "2z2z2z3m")
        assert drop(table, "0 9m", "1 9m", f"2 {third}", f"3 {fourth}") == []
        table.act(0, "win")
        assert table.end()["payments"] == [12, -4, -4, -4]


def test_r8_19_another_tile_ends_it_for_good():
    # Seat 1 doesn't follow. That seats 2, 3 and 0 then discard the lead's tile in a row changes nothing.
    table = stacked_table(["99m", "1z", "9m", "9m"])
    assert drop(table, "0 9m", "1 1z", "2 9m", "3 9m", "0 9m") == []
    assert sums(play_out(table).end(), "follow") == [0, 0, 0, 0]


def test_r8_19_only_the_first_discard_leads():
    # Seat 1 doesn't follow; its own tile then followed by 2, 3 and 0 is no lead.
    table = stacked_table(["9m1z", "1z", "1z", "1z"])
    assert drop(table, "0 9m", "1 1z", "2 1z", "3 1z", "0 1z") == []


def test_r8_19_stakes():
    # Ga 2, 0, 1, 0: B(0,1) = 1+2+0+1 = 4, B(0,2) = 5, B(0,3) = 4; seat 2 dealing: B(2,0) = 5, else 3 and 3.
    ga = (2, 0, 1, 0)
    table = stacked_table(["9m", "9m", "9m", "9m"], ga=ga)
    assert drop(table, "0 9m", "1 9m", "2 9m", "3 9m") == [0]
    assert sums(play_out(table).end(), "follow") == [-13, 4, 5, 4]
    table = stacked_table(["9m", "9m", "9m", "9m"], ga=ga, dealer=2)
    assert drop(table, "2 9m", "3 9m", "0 9m", "1 9m") == [2]
    assert sums(play_out(table).end(), "follow") == [5, 3, -11, 3]


def test_r8_19_paid_in_a_drawn_hand():
    table = stacked_table(["9m", "9m", "9m", "9m"])
    drop(table, "0 9m", "1 9m", "2 9m", "3 9m")
    play_out(table)
    assert (table.end()["by"], table.payments) == ("draw", [-6, 2, 2, 2])


def test_r8_19_paid_with_a_later_win_of_another():
    # Seat 1 draws its win two turns later: V = 2, 4 from the dealer and 2 from the others.
    table = stacked_table(["9m1z", "12m456p777s999s3z9m", "9m", "9m"], "3z2z2z1s3m")
    assert drop(table, "0 9m", "1 9m", "2 9m", "3 9m", "0 1z") == [0]
    table.act(1, "win")
    assert table.payments == [-6 - 4, 2 + 8, 2 - 2, 2 - 2]


def test_r8_19_not_paid_twice():
    # After the payment all four discard 1z in turn: no second lead, and one payment in the end.
    table = stacked_table([DEALER, "9m1z", "9m1z", "9m1z"], "2z2z2z1z4z4z4z3m")
    assert drop(table, "0 9m", "1 9m", "2 9m", "3 9m") == [0]
    assert drop(table, "0 1z", "1 1z", "2 1z", "3 1z") == []
    table.act(0, "win")
    assert sums(table.end(), "follow") == [-6, 2, 2, 2]


WAITING = "12m456p777s33z"
"""Ten tiles that wait on 3m beside a meld."""


@pytest.mark.parametrize(
    ("number", "hand", "action", "back"),
    [
        (2, f"{WAITING}99m1z", "pong", ""),
        (1, f"{WAITING}78m1z", "chow 78m", ""),
        (2, f"{WAITING}999m", "kong", "1z"),  # the replacement is the 1z
    ],
)
def test_r8_19_a_claimed_lead_makes_the_claimers_discard_the_lead(number, hand, action, back):
    hands = ["9m1z", "1z", "1z", "1z"]
    hands[number] = hand
    table = stacked_table(hands, "4z4z4z3m", back)
    assert claim(table, "0 9m", number, action) == []
    after = [(number + step) % 4 for step in range(1, 4)]
    assert drop(table, *(f"{other} 1z" for other in (number, *after))) == [number]
    table.act(number, "win")
    # The claimer owes 2 to the dealer and 1 to each of the others; the old lead owes nothing.
    expected = [2, 1, 1, 1]
    expected[number] = -4
    assert sums(table.end(), "follow") == expected


def test_r8_19_claimed_again_and_again():
    # Seat 2 pongs the lead and leads 1z, the dealer pongs that and leads 5z: followed by 1, 2 and 3.
    hands = ["9m11z5z", "5z", "99m1z5z", "5z"]
    table = stacked_table(hands)
    assert claim(table, "0 9m", 2, "pong") == []
    assert claim(table, "2 1z", 0, "pong") == []
    assert drop(table, "0 5z", "1 5z", "2 5z", "3 5z") == [0]
    assert sums(play_out(table).end(), "follow") == [-6, 2, 2, 2]


def test_r8_19_a_claim_on_a_follower_ends_it():
    # Seat 3 lets the lead go by and pongs seat 1's 9m; its own discard is no lead.
    table = stacked_table(["9m1z", "9m1z", "1z", "99m1z"])
    assert drop(table, "0 9m") == []
    assert claim(table, "1 9m", 3, "pong") == []
    assert drop(table, "3 1z", "0 1z", "1 1z", "2 1z") == []
    assert sums(play_out(table).end(), "follow") == [0, 0, 0, 0]


def test_r8_19_a_chowed_follower_ends_it():
    # Seat 2 chows seat 1's 9m with 78m, though it could discard a 9m as well.
    table = stacked_table(["9m1z", "9m1z", "78m9m1z", "9m1z"])
    assert drop(table, "0 9m") == []
    assert claim(table, "1 9m", 2, "chow 78m") == []
    assert drop(table, "2 9m", "3 9m") == []
    assert sums(play_out(table).end(), "follow") == [0, 0, 0, 0]


def test_r8_19_the_third_followers_tile_is_claimed():
    table = stacked_table(["9m78m", "9m", "9m", "9m"])
    assert drop(table, "0 9m", "1 9m", "2 9m") == []
    assert claim(table, "3 9m", 0, "chow 78m") == []
    assert sums(play_out(table).end(), "follow") == [0, 0, 0, 0]


def test_r8_19_the_third_followers_tile_is_won():
    # The dealer waits on 6m and 9m with 78m, lets two 9m go by and wins the third: V = 1.
    hands = ["78m456p777s222s33z9m", "9m", "9m", "9m"]
    table = stacked_table(hands, missed_win="none")
    assert drop(table, "0 9m", "1 9m", "2 9m") == []
    table.act(3, "discard 9m")
    table.act(0, "win")
    answer = table.end()
    assert (answer["payments"], sums(answer, "follow")) == ([7, -2, -2, -3], [0, 0, 0, 0])
    # Had he let that go too, he would owe the follow.
    table = stacked_table(hands, missed_win="none")
    assert drop(table, "0 9m", "1 9m", "2 9m", "3 9m") == [0]


def test_r8_19_an_earlier_followers_tile_is_won():
    hands = ["78m456p777s222s33z9m", "9m", "9m", "9m"]
    table = stacked_table(hands, missed_win="none")
    assert drop(table, "0 9m", "1 9m") == []
    table.act(2, "discard 9m")
    table.act(0, "win")
    assert table.payments == [7, -2, -3, -2]


def test_r8_19_as_asked_of_the_calculator():
    # Whoever is named owes it, for a win, several, or a drawn hand, and without the option too.
    for rules in ({}, {"follow": False}):
        assert bill("draw", {}, rules, followed=[0])["payments"] == [-6, 2, 2, 2]
    answer = bill("draw", {}, LINGAO, followed=[1], streak=3)
    assert answer["payments"] == [5, -7, 1, 1]
    assert rules_cited(answer) == {"R8.19"}
    answer = bill("discard 3m from 3 to 1", {1: seat(PLAIN)}, followed=[2])
    assert answer["payments"] == [-2 + 2, 5 + 1, -1 - 4, -2 + 1]
