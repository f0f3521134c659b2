"""Section 6: licences to win on a discard, each apart from the others.

Seat 1 (South) wins on seat 3's discard in the East round unless a test says otherwise, so 1z is the
round wind, 2z the seat wind; 3z and 4z are nobody's business.
"""

import pytest

from .test_section5_winning_hands import (
    CLASSIC,
    LINGAO,
    NO_LICENCE,
    NOT_WINNING,
    PLAIN,
    VARIANT,
    ask,
    bill,
    seat,
    why,
    win,
)

PONG = "pong 777p 0"
"""Opens a hand without giving it anything."""


def licences(hand, tile, *melds, **more):
    """All licences of a plain hand; checks that it wins on a discard if and only if it has one, and that
    it may always be drawn."""
    drawn = win(hand, tile, *melds, how="self_draw", **more)
    assert drawn["patterns"] == ["plain"]
    if drawn["licences"]:
        assert win(hand, tile, *melds, **more)["licences"] == drawn["licences"]
    else:
        assert why(hand, tile, *melds, **more) == NO_LICENCE
    return drawn["licences"]


# ---------------------------------------------------------------- R6.1

BARE = ("12m345s999s99m", "3m", PONG)
"""123m 345s 999s 777p and the pair 99m: no licence at all."""


@pytest.mark.parametrize("preset", ["hainan", "hainan-classic", "lingao", "lingao-variant"])
def test_r6_1_a_plain_hand_needs_a_licence(preset):
    rules = {"preset": preset}
    assert why(*BARE, rules=rules) == NO_LICENCE
    # Drawing it needs none, in whatever way.
    for how in ("self_draw", "kong_bloom", "flower_bloom", "heavenly", "earthly"):
        assert win(*BARE, how=how, rules=rules)["licences"] == []
    # Without require_fan nothing is asked.
    assert win(*BARE, rules=rules | {"require_fan": False})["licences"] == []


def test_r6_1_any_other_pattern_needs_none():
    # A half flush that doesn't license (option off) is a pattern in Lingao, and plain in Hainan.
    hand = ("12m789m444z99m", "3m", "pong 333m 0")
    off = {"half_flush": False}
    won = win(*hand, rules=LINGAO | off)
    assert (won["patterns"], won["licences"]) == (["half_flush"], [])
    assert why(*hand, rules=off) == NO_LICENCE
    assert why(*hand, rules=CLASSIC | off) == NO_LICENCE


def test_r6_1_not_winning_comes_before_not_licensed():
    assert why("12m345s999s99m", "4m", PONG) == NOT_WINNING


def test_r6_1_the_first_winner_that_fails_is_named():
    # Two winners of 3m: seat 1 without a licence, seat 2 without a hand.
    seats = {1: seat(BARE[0], PONG), 2: seat("1479m2258p1124s1z")}
    rules = {"multiple_wins": True}
    answer = ask("discard 3m from 3 to 1 2", seats, rules)
    assert answer == {"legal": False, "why": NO_LICENCE}
    answer = ask("discard 3m from 3 to 2 1", seats, rules)
    assert answer == {"legal": False, "why": NOT_WINNING}


# ---------------------------------------------------------------- R6.2


def chows(pair, **more):
    """123m (chowed) 456p 789s 345s and a pair."""
    return licences(f"456p789s34s{pair}", "5s", "chow 123m 0", **more)


def test_r6_2_only_chows():
    assert chows("99m") == ["only_chows"]  # a pair that is no eye
    assert chows("33z") == ["only_chows"]  # West: neither the seat's nor the round's wind
    assert chows("22m") == ["only_chows", "eye"]


@pytest.mark.parametrize("pair", ["55z", "66z", "77z"])
def test_r6_2_no_dragon_pair(pair):
    assert chows(pair) == []
    assert chows(pair, rules=LINGAO) == []


def test_r6_2_no_seat_wind_pair():
    assert chows("22z") == []
    assert chows("22z", rules=LINGAO) == []
    # With seat 1 dealing, its wind is East, and South is free (the round is West).
    assert chows("22z", dealer=1, round_wind="3z") == ["only_chows"]
    assert chows("11z", dealer=1, round_wind="3z") == []
    # Neither option is about the seat wind: dealer in the East round.
    loose = {"round_wind": False, "chow_pair_excludes_round_wind": False}
    assert chows("11z", dealer=1, rules=loose) == []
    assert chows("22z", dealer=1, rules=loose) == ["only_chows"]


def test_r6_2_round_wind_pair():
    excludes = "chow_pair_excludes_round_wind"
    # On in the Hainan presets, off in the Lingao ones.
    assert chows("11z") == []
    assert chows("11z", rules=CLASSIC) == []
    assert chows("11z", rules=LINGAO) == ["only_chows"]
    assert chows("11z", rules=VARIANT) == ["only_chows"]
    assert chows("11z", rules={excludes: False}) == ["only_chows"]
    assert chows("11z", rules=LINGAO | {excludes: True}) == []
    # It is this round's wind that is meant.
    assert chows("11z", round_wind="3z") == ["only_chows"]
    assert chows("33z", round_wind="3z") == []


def test_r6_2_round_wind_pair_without_round_wind():
    # Where the round wind means nothing (round_wind off), its pair is as good as any.
    assert chows("11z", rules={"round_wind": False}) == ["only_chows"]
    assert chows("33z", rules={"round_wind": False}, round_wind="3z") == ["only_chows"]


def test_r6_2_every_set_a_sequence():
    assert licences("456p789s34s99m", "5s", "pong 111m 0") == []
    assert licences("456p111s34s99m", "5s", "chow 123m 0") == []
    assert licences("456p789s34s99m", "5s", "concealed_kong 1111m") == []
    # All sequences in the hand itself: also concealed.
    assert licences("123m456p789s34s99m", "5s") == ["only_chows", "concealed"]


# ---------------------------------------------------------------- R6.3


def test_r6_3_concealed():
    assert licences(PLAIN, "3m") == ["concealed"]


@pytest.mark.parametrize(
    "open_set",
    ["chow 678p 0", "pong 777p 0", "exposed_kong 7777p 0", "added_kong 7777p 0", "concealed_kong 7777p"],
)
def test_r6_3_any_meld_breaks_it(open_set):
    assert licences("12m456p999s33z", "3m", open_set) == []


def test_r6_3_concealed_kong_keeps_concealed():
    rules = {"concealed_kong_keeps_concealed": True}
    kong = "concealed_kong 7777p"
    assert licences("12m456p999s33z", "3m", kong, rules=rules) == ["concealed"]
    assert licences("12m456p33z", "3m", kong, "concealed_kong 9999s", rules=rules) == ["concealed"]
    # It is about concealed kongs alone.
    for open_set in ("chow 678p 0", "pong 777p 0", "exposed_kong 7777p 0", "added_kong 7777p 0"):
        assert licences("12m456p999s33z", "3m", open_set, rules=rules) == []
    assert licences("12m456p33z", "3m", kong, "pong 999s 0", rules=rules) == []


# ---------------------------------------------------------------- R6.4


@pytest.mark.parametrize("number", range(1, 10))
@pytest.mark.parametrize(("suit", "one", "other"), ["mps", "psm", "smp"])
def test_r6_4_eye(suit, one, other, number):
    # 123 and 777 of one suit, 345 and 999 of the other, the pair in the third
    hand = f"12{one}345999{other}{number}{number}{suit}"
    expected = ["eye"] if number in (2, 5, 8) else []
    assert licences(hand, f"3{one}", f"pong 777{one} 0") == expected


@pytest.mark.parametrize("pair", ["22z", "55z"])
def test_r6_4_honors_are_no_eye(pair):
    assert licences(f"12m345s999s{pair}", "3m", PONG) == []


def test_r6_4_seven_pairs_have_no_eye():
    assert win("1133m5577p99s225z", "5z")["licences"] == ["concealed", "seven_pairs"]


# ---------------------------------------------------------------- R6.5, R6.6, R6.7


def sets_of(kind):
    """One set of an honor in every form: in the hand, won, ponged, and the three kongs."""
    triplet, four = f"{kind}{kind}{kind}z", f"{kind}{kind}{kind}{kind}z"
    return [
        (f"12m345s99m{triplet}", "3m", PONG),
        (f"123m345s99m{triplet[1:]}", f"{kind}z", PONG),
        ("12m345s99m", "3m", PONG, f"pong {triplet} 0"),
        ("12m345s99m", "3m", PONG, f"exposed_kong {four} 2"),
        ("12m345s99m", "3m", PONG, f"added_kong {four} 3"),
        ("12m345s99m", "3m", PONG, f"concealed_kong {four}"),
    ]


@pytest.mark.parametrize("kind", [5, 6, 7])
def test_r6_5_dragon_set(kind):
    for hand in sets_of(kind):
        assert licences(*hand) == ["dragon_set"]
    assert licences(f"12m345s999s{kind}{kind}z", "3m", PONG) == []  # a pair is no set


def test_r6_5_winds_are_no_dragons():
    for hand in sets_of(3) + sets_of(4):
        assert licences(*hand) == []


@pytest.mark.parametrize("dealer", range(4))
def test_r6_6_seat_wind_set(dealer):
    # Seat 1 is South when seat 0 deals, East when it deals itself, North when seat 2 does, West for 3.
    own = {0: 2, 1: 1, 2: 4, 3: 3}[dealer]
    for kind in range(1, 5):
        expected = ["seat_wind_set"] if kind == own else []
        for hand in sets_of(kind):
            assert licences(*hand, dealer=dealer, rules={"round_wind": False}) == expected
    assert licences(f"12m345s999s{own}{own}z", "3m", PONG, dealer=dealer) == []


def test_r6_6_three_players():
    # Dealer 2 of three: seat 1 is two after it, West.
    def with_set(kind):
        seats = {1: seat(f"12m345s99m{kind}{kind}{kind}z", "pong 777p 0")}
        return bill("self_draw 3m by 1", seats, {"round_wind": False}, players=3, dealer=2)["winners"][0]

    assert with_set(3)["licences"] == ["seat_wind_set"]
    assert with_set(4)["licences"] == []
    assert with_set(2)["licences"] == []


@pytest.mark.parametrize("kind", [1, 3, 4])
def test_r6_7_round_wind_set(kind):
    for hand in sets_of(kind):
        assert licences(*hand, round_wind=f"{kind}z") == ["round_wind_set"]
        assert licences(*hand, round_wind=f"{kind}z", rules={"round_wind": False}) == []
        assert licences(*hand, round_wind="2z") == []  # another round
    assert licences(f"12m345s999s{kind}{kind}z", "3m", PONG, round_wind=f"{kind}z") == []


def test_r6_7_seat_and_round_wind_at_once():
    hand = sets_of(2)[0]
    assert licences(*hand, round_wind="2z") == ["seat_wind_set", "round_wind_set"]
    assert licences(*hand, round_wind="2z", rules={"round_wind": False}) == ["seat_wind_set"]


# ---------------------------------------------------------------- R6.8

HALF = ("12m789m444z99m", "3m", "pong 333m 0")


def test_r6_8_half_flush():
    assert licences(*HALF) == ["half_flush"]
    assert licences(*HALF, rules={"half_flush": False}) == []
    # A second suit, and no licence is left.
    assert licences("12m789p444z99m", "3m", "pong 333m 0") == []


def test_r6_8_the_option_is_about_the_licence_alone():
    # Lingao pays for the colour either way, T = 1 x 2.
    on, off = win(*HALF, rules=LINGAO), win(*HALF, rules=LINGAO | {"half_flush": False})
    assert (on["licences"], off["licences"]) == (["half_flush"], [])
    assert on["patterns"] == off["patterns"] == ["half_flush"]
    assert on["T"] == off["T"] == 2


# ---------------------------------------------------------------- R6.9


@pytest.mark.parametrize("dealer", range(4))
@pytest.mark.parametrize("flower", range(1, 9))
def test_r6_9_position_flower(dealer, flower):
    # Positions 0 to 3 own 1f 5f, 2f 6f, 3f 7f, 4f 8f.
    position = (1 - dealer) % 4
    expected = ["position_flower"] if flower in (position + 1, position + 5) else []
    assert licences(*BARE, flowers=f"{flower}f", dealer=dealer) == expected


def test_r6_9_one_of_several_is_enough():
    assert licences(*BARE, flowers="134578f") == []
    assert licences(*BARE, flowers="1345678f") == ["position_flower"]


def test_r6_9_of_ones_own():
    # 2f and 6f before another player do nothing for seat 1.
    seats = {1: seat(BARE[0], PONG), 2: seat(flowers="26f")}
    assert ask("discard 3m from 3 to 1", seats) == {"legal": False, "why": NO_LICENCE}


def test_r6_9_three_players():
    # Positions 0 to 2 alone: 4f and 8f are nobody's.
    def with_flowers(number, flowers):
        seats = {number: seat(BARE[0], f"pong 777p {(number + 1) % 3}", flowers=flowers)}
        return bill(f"self_draw 3m by {number}", seats, players=3)["winners"][0]["licences"]

    for number in range(3):
        assert with_flowers(number, "48f") == []
        assert with_flowers(number, f"{number + 1}f") == ["position_flower"]


# ---------------------------------------------------------------- R6.10


@pytest.mark.parametrize(
    ("hand", "pattern", "expected"),
    [
        (("1199s444z", "1s", "pong 777m 0", "pong 333p 2"), "all_pongs", ["all_pongs"]),
        (("1245678999m", "3m", "pong 111m 0"), "pure_suit", ["pure_suit"]),
        (("1133m5577p99s112z", "2z"), "seven_pairs", ["concealed", "seven_pairs"]),
        (("1111335577m99p2z", "2z"), "luxury_seven_pairs", ["concealed", "seven_pairs"]),
        (("19m19p19s1234567z", "1z"), "thirteen_orphans", ["concealed", "thirteen_orphans"]),
    ],
)
def test_r6_10_always_licensed(hand, pattern, expected):
    for rules in ({}, CLASSIC, {"half_flush": False, "round_wind": False}):
        won = win(*hand, rules=rules)
        assert (won["patterns"], won["licences"]) == ([pattern], expected)


def test_r6_10_terminal_pongs_count_as_all_pongs():
    won = win("111m99m44z", "4z", "pong 111p 0", "pong 999s 2", rules=LINGAO)
    assert (won["patterns"], won["licences"]) == (["terminal_pongs"], ["all_pongs"])


# ---------------------------------------------------------------- R6.11


def test_r6_11_robbing_needs_no_licence():
    seats = {0: seat("", "pong 333m 2"), 1: seat(BARE[0], PONG)}
    answer = bill("rob 3m from 0 to 1", seats)
    assert answer["winners"][0]["licences"] == []
    # The same tile discarded can't be won.
    assert ask("discard 3m from 0 to 1", seats) == {"legal": False, "why": NO_LICENCE}


def test_r6_11_robbing_is_no_licence_by_itself():
    # Whether it was 有番 is decided by the others: here the eye, and R8.1 instead of R8.6.
    bare = {0: seat("", "pong 333m 2"), 1: seat(BARE[0], PONG)}
    with_eye = {0: seat("", "pong 333m 2"), 1: seat("12m345s999s55m", PONG)}
    assert {item["rule"] for item in bill("rob 3m from 0 to 1", bare)["items"]} == {"R8.6"}
    answer = bill("rob 3m from 0 to 1", with_eye)
    assert answer["winners"][0]["licences"] == ["eye"]
    assert {item["rule"] for item in answer["items"]} == {"R8.1"}


# ---------------------------------------------------------------- R6.12


@pytest.mark.parametrize("kong", ["exposed_kong 7777p 0", "added_kong 7777p 0", "concealed_kong 7777p"])
@pytest.mark.parametrize("preset", ["hainan", "lingao"])
def test_r6_12_a_kong_is_no_licence(kong, preset):
    assert licences("12m345s999s99m", "3m", kong, rules={"preset": preset}) == []


def test_r6_12_unless_it_is_of_a_kind_that_licenses():
    for kong in ("exposed_kong 5555z 0", "added_kong 2222z 0", "concealed_kong 1111z"):
        assert len(licences("12m345s999s99m", "3m", kong)) == 1
    assert licences("12m345s999s99m", "3m", "concealed_kong 4444z") == []
