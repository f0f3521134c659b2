"""Section 2: flowers are replaced at once when drawn, and in one's own first turn when dealt."""

import pytest

from tests.stack import drop, flowers, hand, happened, outcome, pass_all, play, play_on, stacked_table, texts

WAITING = "123m456m789m55z46s"  # 13 tiles, concealed, waiting on 5s


# ---------------------------------------------------------------- R2.1 drawn flowers


def test_r2_1_drawn_flower_is_replaced_again_and_again() -> None:
    """The table does it by itself, from the back; a replacement from the front would be 1p."""
    table = stacked_table(draws="1f1p", back="2f3f9s8s")
    pass_all(drop(table))
    assert happened(table) == [
        "1 draw 1f front",
        "1 flower 1f",
        "1 draw 2f flower",
        "1 flower 2f",
        "1 draw 3f flower",
        "1 flower 3f",
        "1 draw 9s flower",
    ]
    assert flowers(table, 1) == "123f"
    assert table.remaining == 91 - 4
    assert table.raw.turn == 1


def test_r2_1_replacement_of_a_kong_is_replaced_too() -> None:
    table = stacked_table(["3333m5p"], back="1f9s")
    play(table, "0 kong 3m")
    assert happened(table)[1:] == ["0 draw 1f kong", "0 flower 1f", "0 draw 9s flower"]


def test_r2_1_flowers_are_no_discards() -> None:
    table = stacked_table(["1f2f"], draws="3f", back="9s8s7s")
    for seat in (0, 1):
        assert all("f" not in text.split()[1] for text in texts(table, seat) if text.startswith("discard"))
        pass_all(drop(table))


# ---------------------------------------------------------------- R2.2 dealt flowers


def test_r2_2_own_turn_keeps_them_until_the_first_turn() -> None:
    """The dealer's are replaced at once, the others' wait; all of them then, not one."""
    table = stacked_table(["1f", "", "2f6f"], draws="1p1p1p", back="9s8s7s")
    assert flowers(table, 0) == "1f"
    assert flowers(table, 2) == ""
    assert hand(table, 2).endswith("26f")
    drop(table, 2)
    assert flowers(table, 2) == ""
    pass_all(table)
    assert flowers(table, 2) == "26f"
    assert happened(table) == [
        "2 draw 1p front",
        "2 flower 2f",
        "2 draw 8s flower",
        "2 flower 6f",
        "2 draw 7s flower",
    ]


def test_r2_2_after_deal_replaces_them_from_the_dealer_on() -> None:
    """Seat 0 would come first if the order were that of the seats."""
    options = {"dealer": 2, "initial_flowers": "after_deal"}
    table = stacked_table(["1f", "2f3f", "4f", "5f"], back="1p2p3p4p5p", **options)
    assert happened(table)[1:] == [
        "2 flower 4f",
        "2 draw 1p flower",
        "3 flower 5f",
        "3 draw 2p flower",
        "0 flower 1f",
        "0 draw 3p flower",
        "1 flower 2f",
        "1 draw 4p flower",
        "1 flower 3f",
        "1 draw 5p flower",
    ]
    assert table.raw.turn == 2


@pytest.mark.parametrize(("claim", "dealt"), [("pong", "55p1f"), ("chow 46p", "46p1f")])
def test_r2_2_a_turn_begun_by_a_claim_replaces_them(claim: str, dealt: str) -> None:
    """Waiting for a turn that begins with a draw would leave the flower in the hand."""
    table = stacked_table(["5p", dealt], back="9s")
    play_on(table, "0 discard 5p", f"1 {claim}")
    assert happened(table)[1:] == ["1 flower 1f", "1 draw 9s flower"]
    assert table.remaining == 90


def test_r2_2_after_an_exposed_kong_its_replacement_comes_first() -> None:
    """The other order would draw 9s for the flower."""
    table = stacked_table(["5p", "", "555p1f2f"], back="9s8s7s")
    play_on(table, "0 discard 5p", "2 kong")
    assert happened(table)[1:] == [
        "2 draw 9s kong",
        "2 flower 1f",
        "2 draw 8s flower",
        "2 flower 2f",
        "2 draw 7s flower",
    ]


@pytest.mark.parametrize(
    ("mode", "offered"),
    [("own_turn", ["pong", "pass"]), ("after_deal", ["pong", "win", "pass"])],
)
def test_r2_2_flowers_in_hand_may_claim_but_not_win(mode: str, offered: list[str]) -> None:
    """The same deal: with the flower replaced by 9m the hand waits on the tile, before that it doesn't."""
    table = stacked_table(["5z", "", "123m456m78m55z66z1f"], back="9m", initial_flowers=mode)
    play(table, "0 discard 5z")
    assert texts(table, 2) == offered


def test_r2_2_three_flowers_and_ten_tiles_are_no_winning_hand() -> None:
    """Three sets and a pair, but thirteen tiles: the flowers count among them."""
    table = stacked_table(["5s", "", "", "123m456m55z46s123f"])
    play(table, "0 discard 5s")
    assert texts(table, 3) == []


def test_r2_2_flowers_in_hand_cannot_rob() -> None:
    """Three sets and a pair of ten tiles again, in a hand that hasn't come to discard: nobody is asked
    about the kong of 5s, and its replacement is drawn."""
    table = stacked_table(["77z1z5s", "555s2z", "", "123m456m55z46s123f"], draws="7z3z", back="9p")
    play_on(table, "0 discard 5s", "1 pong", "1 discard 2z", "2 discard 7z", "0 pong", "0 discard 1z")
    play_on(table, "1 kong 5s")
    assert happened(table) == ["1 kong 5s", "1 draw 9p kong"]


def test_r2_2_no_win_was_passed_up_with_a_flower_in_hand() -> None:
    """What wasn't offered locks nothing (R9.3): after his turn the same tile wins."""
    hands = ["5s", "", "", "123m456m78m55z46s1f"]
    table = stacked_table(hands, draws="1z2z1p5s", back="9m")
    drop(table)
    assert texts(table, 3) == []
    play_on(drop(table, 2), "3 discard 1p")  # he has replaced the flower by 9m
    drop(table)
    assert texts(table, 3) == ["win", "pass"]


@pytest.mark.parametrize("mode", ["own_turn", "after_deal"])
def test_r2_2_both_options_win_after_the_replacement(mode: str) -> None:
    table = stacked_table(["", "123m456m78m55z46s1f"], draws="5s", back="9m", initial_flowers=mode)
    drop(table)
    play_on(table, "1 win")
    assert outcome(table) == ("self_draw", "earthly", [1])


# ---------------------------------------------------------------- R2.3 position flowers


@pytest.mark.parametrize(("position", "own"), [(0, "15f"), (1, "26f"), (2, "37f"), (3, "48f")])
@pytest.mark.parametrize("dealer", [0, 1])
def test_r2_3_position_flowers(position: int, own: str, dealer: int) -> None:
    """Spring and plum are the dealer's, and so on from him, not from seat 0."""
    seat = (dealer + position) % 4
    licensing = ""
    for number in "12345678":
        hands = ["", "", "", ""]
        hands[seat] = f"{number}f123m456m789m55z1s" if position else f"{number}f123m456m789m55z1s2s"
        draws = "1p2p3p"[: 2 * (position - 1)] + "2s" if position else ""
        table = stacked_table(hands, draws=draws, back="3s", dealer=dealer)
        drop(table, position)
        play_on(table, f"{seat} win")
        if "position_flower" in table.end()["winners"][0]["licences"]:
            licensing += number
    assert licensing + "f" == own


def test_r2_3_with_three_players_nobody_owns_winter() -> None:
    for flower, owner in (("3f", True), ("7f", True), ("4f", False), ("8f", False)):
        hands = ["", "", f"{flower}123m456m789m55z1s"]
        table = stacked_table(hands, draws="1p2s", back="3s", players=3)
        drop(table, 2)
        play_on(table, "2 win")
        assert ("position_flower" in table.end()["winners"][0]["licences"]) == owner
