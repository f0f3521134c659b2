"""Section 3: turns, claims, answers in any order, kongs; and wild tiles in play (R5.9)."""

from itertools import permutations

import pytest

from hainan.engine.record import Phase
from hainan.table import IllegalAction, Table, events_of
from tests.stack import (
    alone,
    asked,
    drop,
    drop_until,
    happened,
    melds,
    offers,
    outcome,
    pass_all,
    play,
    play_on,
    shorten,
    stacked_table,
    texts,
)

# Three concealed hands of thirteen tiles that wait on 5p alone and have no pair of it.
ONE = "123m456m789m11s46p"
TWO = "123s456s789s22m46p"
THREE = "111z222z333z44z46p"


def actions(table: Table) -> dict[int, list[str]]:
    """Everything that is legal, by seat."""
    return {seat: texts(table, seat) for seat in table.legal()}


# ---------------------------------------------------------------- R3.1 turns


def test_r3_1_a_turn_begins_with_a_draw_and_ends_with_a_discard() -> None:
    table = stacked_table(draws="1p2p")
    for seat, left in ((1, 90), (2, 89)):
        pass_all(drop(table))
        assert (table.raw.turn, table.remaining) == (seat, left)
        assert "pass" not in texts(table, seat)


@pytest.mark.parametrize(
    ("one", "claim", "drawn"), [("46p", "chow 46p", 0), ("55p", "pong", 0), ("555p", "kong", 1)]
)
def test_r3_1_a_claim_begins_a_turn_without_a_draw(one: str, claim: str, drawn: int) -> None:
    """Only the kong draws, and from the back."""
    table = stacked_table(["5p", one], back="9s")
    play_on(table, "0 discard 5p", f"1 {claim}")
    assert (table.raw.turn, table.remaining) == (1, 91 - drawn)
    assert ("1 draw 9s kong" in happened(table)) == bool(drawn)


def test_r3_1_the_players_between_are_skipped() -> None:
    """After seat 3's pong of seat 0's tile seats 1 and 2 don't catch up: seat 0 draws next."""
    table = stacked_table(["5p", "", "", "55p1z"])
    pass_all(play_on(table, "0 discard 5p", "3 pong", "3 discard 1z"))
    assert table.raw.turn == 0


def test_r3_1_the_turn_goes_on_after_a_kong() -> None:
    table = stacked_table(["3333m4444p"], back="9s8s")
    play(table, "0 kong 3m", "0 kong 4p")
    assert table.raw.turn == 0
    assert melds(table, 0) == ["concealed_kong 3m", "concealed_kong 4p"]


# ---------------------------------------------------------------- R3.2 what may be claimed


def test_r3_2_only_the_next_player_chows() -> None:
    table = stacked_table(["5p", "3467p", "3467p", "3467p"])
    play(table, "0 discard 5p")
    assert actions(table) == {1: ["chow 34p", "chow 46p", "chow 67p", "pass"]}


def test_r3_2_the_next_player_of_the_last_seat_is_seat_0() -> None:
    for players, dealer in ((4, 3), (3, 2)):
        table = stacked_table(["46p"] + [""] * (dealer - 1) + ["5p"], players=players, dealer=dealer)
        play(table, f"{dealer} discard 5p")
        assert texts(table, 0) == ["chow 46p", "pass"]


@pytest.mark.parametrize(("discard", "one"), [("9m", "12p8m"), ("1p", "89m3p"), ("6z", "57z"), ("3z", "12z")])
def test_r3_2_sequences_stay_within_a_suit(discard: str, one: str) -> None:
    """Kinds are numbered through, and honors too: 9m1p2p and 5z6z7z are no sequences."""
    table = stacked_table([discard, alone(one)])
    play(table, f"0 discard {discard}")
    assert asked(table, 1) == []


@pytest.mark.parametrize("seat", [1, 2, 3])
def test_r3_2_anybody_pongs_and_kongs(seat: int) -> None:
    hands = ["5p", "", "", ""]
    hands[seat] = "555p"
    table = play(stacked_table(hands), "0 discard 5p")
    assert [text for text in texts(table, seat) if "chow" not in text] == ["pong", "kong", "pass"]


@pytest.mark.parametrize("claim", ["pong", "kong"])
def test_r3_2_pong_and_kong_go_before_a_chow(claim: str) -> None:
    """First come doesn't decide."""
    table = stacked_table(["5p", "46p", "555p"])
    play(table, "0 discard 5p", "1 chow 46p", f"2 {claim}")
    assert (table.raw.turn, melds(table, 1)) == (2, [])


@pytest.mark.parametrize("claim", ["pong", "kong", "chow 46p"])
def test_r3_2_a_win_goes_before_everything(claim: str) -> None:
    hands = ["5p", "46p", "" if "chow" in claim else "555p", TWO]
    claimer = 1 if "chow" in claim else 2
    table = play(stacked_table(hands), "0 discard 5p", f"{claimer} {claim}")
    play_on(table, "3 win")
    assert outcome(table) == ("discard", None, [3])


@pytest.mark.parametrize("no_chow", [False, True])
def test_r3_2_no_chow(no_chow: bool) -> None:
    """The option takes the chow alone."""
    table = stacked_table(["5p", alone("46p"), "55p"], no_chow=no_chow)
    play(table, "0 discard 5p")
    assert actions(table) == ({} if no_chow else {1: ["chow 46p", "pass"]}) | {2: ["pong", "pass"]}


# ---------------------------------------------------------------- R3.3 several winners


@pytest.mark.parametrize("first", [1, 3])
def test_r3_3_the_nearest_in_turn_order_wins(first: int) -> None:
    """Neither the lowest seat number nor the first answer: seat 3 follows seat 2, who discards."""
    table = stacked_table(["", ONE, "5p", THREE], dealer=2)
    play(table, "2 discard 5p", f"{first} win")
    if not table.over:
        play(table, f"{4 - first} win")
    assert outcome(table) == ("discard", None, [3])


def test_r3_3_if_the_nearest_declines_the_next_may() -> None:
    table = stacked_table(["", ONE, "5p", THREE], dealer=2)
    play(table, "2 discard 5p", "1 win", "3 pass")
    assert outcome(table) == ("discard", None, [1])


@pytest.mark.parametrize(("multiple", "winners"), [(False, [1]), (True, [1, 2, 3])])
def test_r3_3_multiple_wins(multiple: bool, winners: list[int]) -> None:
    table = stacked_table(["5p", ONE, TWO, THREE], multiple_wins=multiple)
    play(table, "0 discard 5p", "3 win", "2 win", "1 win")
    assert outcome(table) == ("discard", None, winners)


def test_r3_3_multiple_wins_takes_only_those_who_want_to() -> None:
    table = stacked_table(["5p", ONE, TWO, THREE], multiple_wins=True)
    play(table, "0 discard 5p", "2 pass", "3 win", "1 win")
    assert outcome(table) == ("discard", None, [1, 3])


# ---------------------------------------------------------------- R3.4 when the table acts


def test_r3_4_nearer_winner_still_silent() -> None:
    """Acting on the first win would let seat 3 take it from seat 1."""
    table = stacked_table(["5p", ONE, "", THREE])
    play(table, "0 discard 5p", "3 win")
    assert actions(table) == {1: ["chow 46p", "win", "pass"]}
    play(table, "1 win")
    assert outcome(table)[2] == [1]


def test_r3_4_nearest_win_acts_at_once() -> None:
    """Seats 2 and 3 aren't waited for, nor asked again, nor locked by R9.1."""
    table = stacked_table(["5p", ONE, TWO, THREE])
    play(table, "0 discard 5p", "1 win")
    assert outcome(table)[2] == [1]
    assert actions(table) == {}
    assert table.raw.let_off.tolist() == [-1] * 4


def test_r3_4_seats_that_no_longer_matter_stay_listed() -> None:
    """After seat 2's win seat 3's answer can't matter; dropping it would tell that somebody nearer won."""
    table = stacked_table(["5p", ONE, TWO, THREE])
    play(table, "0 discard 5p", "2 win")
    assert actions(table) == {1: ["chow 46p", "win", "pass"], 3: ["win", "pass"]}
    play(table, "3 pass")
    assert actions(table) == {1: ["chow 46p", "win", "pass"]}
    play(table, "1 pass")
    assert outcome(table)[2] == [2]


def test_r3_4_missing_answers_are_never_asked_for_again() -> None:
    """The moot seat 3 of the last test, silent this time."""
    table = stacked_table(["5p", ONE, TWO, THREE])
    play(table, "0 discard 5p", "2 win", "1 pass")
    assert outcome(table)[2] == [2]
    with pytest.raises(IllegalAction):
        table.act(3, "pass")


def test_r3_4_multiple_wins_waits_for_all_who_could_win() -> None:
    """And for nobody else: seat 3's pong is moot once seats 1 and 2 have answered."""
    table = stacked_table(["5p", ONE, TWO, "55p"], multiple_wins=True)
    play(table, "0 discard 5p", "1 win")
    assert set(actions(table)) == {2, 3}
    play(table, "2 pass")
    assert outcome(table)[2] == [1]


def test_r3_4_multiple_wins_farther_winner_still_silent() -> None:
    """Without the option seat 1's win would act at once."""
    table = stacked_table(["5p", ONE, "", THREE], multiple_wins=True)
    play(table, "0 discard 5p", "1 win")
    assert actions(table) == {3: ["win", "pass"]}
    play(table, "3 win")
    assert outcome(table)[2] == [1, 3]


@pytest.mark.parametrize("claim", ["pong", "kong"])
def test_r3_4_pong_or_kong_waits_for_a_winner(claim: str) -> None:
    """However far he sits; the moot chow of seat 1 stays listed meanwhile, and is dropped then."""
    table = stacked_table(["5p", alone("46p"), "555p", "111222333s44m46p"])
    play(table, "0 discard 5p", f"2 {claim}")
    assert actions(table) == {1: ["chow 46p", "pass"], 3: ["win", "pass"]}
    play(table, "3 pass")
    assert table.raw.turn == 2
    assert set(actions(table)) == {2}


@pytest.mark.parametrize("claim", ["pong", "kong"])
def test_r3_4_pong_or_kong_does_not_wait_for_a_chow(claim: str) -> None:
    table = stacked_table(["5p", "46p", "555p"])
    play(table, "0 discard 5p", f"2 {claim}")
    assert table.raw.turn == 2
    assert set(actions(table)) == {2}


def test_r3_4_a_player_who_answered_pong_instead_of_win_is_not_missing() -> None:
    """He could win, but has answered: the pong acts at once."""
    table = stacked_table(["5p", "46p", "123m456m789m55p11s"])
    play(table, "0 discard 5p")
    assert texts(table, 2) == ["pong", "win", "pass"]
    play(table, "2 pong")
    assert table.raw.turn == 2


def test_r3_4_chow_waits_for_pong_kong_and_win() -> None:
    table = stacked_table(["5p", "46p", "555p", ""])
    play(table, "0 discard 5p", "1 chow 46p")
    assert actions(table) == {2: ["pong", "kong", "pass"]}
    play(table, "2 pass")
    assert melds(table, 1) == ["chow 4p"]
    table = stacked_table(["5p", alone("46p"), "", "111222333s44m46p"])
    play(table, "0 discard 5p", "1 chow 46p")
    assert actions(table) == {3: ["win", "pass"]}
    play(table, "3 pass")
    assert melds(table, 1) == ["chow 4p"]


def test_r3_4_chow_acts_at_once_when_nobody_else_is_asked() -> None:
    table = stacked_table(["5p", "46p"])
    play(table, "0 discard 5p", "1 chow 46p")
    assert table.raw.turn == 1


def test_r3_4_otherwise_when_all_have_answered() -> None:
    """The chow of seat 1 could still come: the others' passes don't move the table on."""
    table = stacked_table(["5p", alone("46p"), "555p", "111222333s44m46p"])
    play(table, "0 discard 5p", "2 pass", "3 pass")
    assert actions(table) == {1: ["chow 46p", "pass"]}
    play(table, "1 pass")
    assert (table.raw.turn, melds(table, 1)) == (1, [])


@pytest.mark.parametrize("multiple", [False, True])
@pytest.mark.parametrize(
    "answers",
    [
        ("1 win", "2 win", "3 win"),
        ("1 pass", "2 win", "3 win"),
        ("1 chow 46p", "2 pong", "3 win"),
        ("1 chow 46p", "2 kong", "3 pass"),
        ("1 chow 46p", "2 pass", "3 pass"),
        ("1 win", "2 pong", "3 win"),
        ("1 pass", "2 pass", "3 pass"),
    ],
)
def test_r3_4_the_order_of_answers_does_not_matter(answers: tuple[str, ...], multiple: bool) -> None:
    """Every order leads to the same table; answers that come after it has acted are refused."""
    two = TWO if "2 win" in answers else "555p"
    results = set()
    for order in permutations(answers):
        table = stacked_table(["5p", ONE, two, THREE], multiple_wins=multiple)
        play(table, "0 discard 5p")
        for answer in order:
            if table.phase == Phase.CLAIM:
                play(table, answer)
        assert table.phase != Phase.CLAIM
        won = str(table.end()["winners"]) if table.over else ""
        results.add((int(table.raw.turn), str([melds(table, seat) for seat in range(4)]), won))
    assert len(results) == 1


# ---------------------------------------------------------------- R3.5 what a kong and a win need


@pytest.mark.parametrize(("left", "offered"), [(16, True), (15, False)])
def test_r3_5_exposed_kong_needs_a_tile_to_draw(left: int, offered: bool) -> None:
    """The pong doesn't."""
    table = shorten(stacked_table(["5p", "", "555p"]), left)
    play(table, "0 discard 5p")
    assert texts(table, 2) == ["pong", "kong", "pass"] if offered else ["pong", "pass"]


@pytest.mark.parametrize(("left", "offered"), [(16, True), (15, False)])
def test_r3_5_concealed_kong_needs_a_tile_to_draw(left: int, offered: bool) -> None:
    """``left``: after the draw of the fourth 3m."""
    table = stacked_table(["", "333m"], draws="3m", back="9p")
    pass_all(drop(shorten(table, left + 1)))
    assert table.remaining == left
    assert offers(table, 1, "kong") == (["kong 3m"] if offered else [])


@pytest.mark.parametrize(("left", "offered"), [(16, True), (15, False)])
def test_r3_5_added_kong_needs_a_tile_to_draw(left: int, offered: bool) -> None:
    table = stacked_table(["5p", "555p1z"], draws="1m2m3m4m")
    play_on(table, "0 discard 5p", "1 pong")
    shorten(table, left + 4)
    pass_all(drop(pass_all(play(table, "1 discard 1z")), 3))
    assert (table.raw.turn, table.remaining) == (1, left)
    assert offers(table, 1, "kong") == (["kong 5p"] if offered else [])


@pytest.mark.parametrize("left", [16, 15])
def test_r3_5_in_a_whole_hand_played_down(left: int) -> None:
    """No shortened wall: everybody discards what he draws, and the last two who draw hold four 3m."""
    hands = ["", "", "", ""]
    hands[3 if left == 16 else 0] = "3333m"
    table = drop_until(stacked_table(hands), left)
    assert (table.remaining, table.raw.turn) == (left, 3 if left == 16 else 0)
    assert offers(table, int(table.raw.turn), "kong") == (["kong 3m"] if left == 16 else [])


@pytest.mark.parametrize(
    ("claim", "one"), [("pong", "123m456m789m11s55p"), ("chow 46p", "123m456m789m11s46p")]
)
def test_r3_5_no_self_drawn_win_in_a_turn_begun_by_a_claim(claim: str, one: str) -> None:
    """The hand is complete, but nothing was drawn."""
    table = stacked_table(["5p", one])
    play_on(table, "0 discard 5p", f"1 {claim}")
    assert all(text.startswith("discard") for text in texts(table, 1))


@pytest.mark.parametrize(("claim", "tiles"), [("pong", "55p"), ("chow 46p", "46p")])
def test_r3_5_a_replaced_flower_makes_the_win_possible(claim: str, tiles: str) -> None:
    """The flower of the deal is replaced by 9m in the turn that the claim began."""
    table = stacked_table(["5p", "123m456m78m11s1f" + tiles], back="9m")
    play_on(table, "0 discard 5p", f"1 {claim}")
    assert "win" in texts(table, 1)
    play(table, "1 win")
    assert outcome(table) == ("self_draw", "flower_bloom", [1])


@pytest.mark.parametrize(("claim", "tiles"), [("pong", "55p"), ("chow 46p", "46p")])
@pytest.mark.parametrize("flower", ["", "1f"])
def test_r3_5_a_kong_in_a_turn_begun_by_a_claim(claim: str, tiles: str, flower: str) -> None:
    """Four 3m in hand all the time: without a flower no kong in this turn, with one there is."""
    table = stacked_table(["5p", "3333m1z" + flower + tiles], draws="1p1p1p1p", back="9s")
    play_on(table, "0 discard 5p", f"1 {claim}")
    assert offers(table, 1, "kong") == (["kong 3m"] if flower else [])
    if not flower:
        pass_all(drop(pass_all(play(table, "1 discard 1z")), 3))
        assert offers(table, 1, "kong") == ["kong 3m"]


def test_r3_5_an_exposed_kong_draws_so_kong_and_win_are_possible() -> None:
    table = stacked_table(["5p", "555p3333m"], back="9s")
    play_on(table, "0 discard 5p", "1 kong")
    assert offers(table, 1, "kong") == ["kong 3m"]
    table = stacked_table(["5p", "555p123m456m78m11s"], back="9m")
    play_on(table, "0 discard 5p", "1 kong", "1 win")
    assert outcome(table) == ("self_draw", "kong_bloom", [1])


# ---------------------------------------------------------------- R3.6 added kongs


@pytest.mark.parametrize("flower", ["", "1f"])
def test_r3_6_not_in_the_turn_of_the_pong(flower: str) -> None:
    """Not even after a flower was replaced in it, which does make the concealed kong possible (R3.5)."""
    table = stacked_table(["5p", "555p3333m1z" + flower], draws="1p1p1p1p", back="9s")
    play_on(table, "0 discard 5p", "1 pong")
    assert offers(table, 1, "kong") == (["kong 3m"] if flower else [])
    pass_all(drop(pass_all(play(table, "1 discard 1z")), 3))
    assert offers(table, 1, "kong") == ["kong 3m", "kong 5p"]


def test_r3_6_not_after_another_kong_in_the_turn_of_the_pong() -> None:
    """A kong's replacement begins no new turn."""
    table = stacked_table(["5p", "555p3333m1f"], back="9s8s")
    play_on(table, "0 discard 5p", "1 pong", "1 kong 3m")
    assert offers(table, 1, "kong") == []


def test_r3_6_not_making_a_kong_forfeits_nothing() -> None:
    """The fourth tile drawn and kept: added in a later turn, though another tile was drawn last."""
    table = stacked_table(["5p", "55p1z2z"], draws="1m2m3m5p4m6m7m8m")
    play_on(table, "0 discard 5p", "1 pong", "1 discard 1z")
    pass_all(drop(pass_all(table), 3))
    assert offers(table, 1, "kong") == ["kong 5p"]
    pass_all(drop(pass_all(play(table, "1 discard 2z")), 3))
    assert offers(table, 1, "kong") == ["kong 5p"]
    play_on(table, "1 kong 5p")
    pass_all(table)
    assert melds(table, 1) == ["added_kong 5p"]


def test_r3_6_a_concealed_kong_not_made_forfeits_nothing_either() -> None:
    """Four from the deal, offered in every turn of one's own."""
    table = stacked_table(["5p", "3333m"], draws="1m7s2m1p2p3p4p6p")
    for _ in range(3):
        pass_all(drop(table))
        assert offers(table, 1, "kong") == ["kong 3m"]
        drop(table, 3)


def test_r3_6_a_chow_cannot_be_added_to() -> None:
    """4p5p6p in a chow and three 5p in hand are no kong of 5p; nor 4p of 4p."""
    table = stacked_table(["5p", "446p55p1z"], draws="1m2m3m4p")
    play_on(table, "0 discard 5p", "1 chow 46p", "1 discard 1z")
    pass_all(drop(pass_all(table), 3))
    assert offers(table, 1, "kong") == []


# ---------------------------------------------------------------- R3.7 robbing


def robbery(one: str = ONE, three: str = THREE, **options) -> Table:
    """Seat 2 has ponged seat 0's 5p and now adds the fourth, which completes ``one`` and ``three``."""
    table = stacked_table(["5p", one, "55p9s", three], draws="5z6z7z5p", back="9p", **options)
    play_on(table, "0 discard 5p", "2 pong", "2 discard 9s")
    pass_all(drop(pass_all(table), 3))
    return play(table, "2 kong 5p")


def test_r3_7_an_added_kong_may_be_robbed() -> None:
    """By a win or not at all: neither chowed nor ponged."""
    assert actions(robbery(three="")) == {1: ["win", "pass"]}


@pytest.mark.parametrize("first", [1, 3])
def test_r3_7_nearest_first(first: int) -> None:
    """Seat 3 follows the konger, seat 1 is the farthest."""
    table = play(robbery(), f"{first} win")
    assert table.over == (first == 3)
    play_on(table, *([] if table.over else ["3 win"]))
    assert outcome(table) == ("rob", None, [3])
    assert outcome(play(robbery(), "1 win", "3 pass")) == ("rob", None, [1])


def test_r3_7_all_under_multiple_wins() -> None:
    table = play(robbery(multiple_wins=True), "3 win")
    assert actions(table) == {1: ["win", "pass"]}
    assert outcome(play(table, "1 win")) == ("rob", None, [3, 1])


def test_r3_7_a_robbed_kong_is_void() -> None:
    """The meld stays a pong, no kong is paid, and nothing is drawn for it."""
    table = play(robbery(), "3 win")
    assert melds(table, 2) == ["pong 5p"]
    assert table.end()["from"] == 2
    assert {item["for"] for item in table.end()["items"]} == {"win", "discard"}


def test_r3_7_a_robbed_kong_is_told() -> None:
    """docs/formats.md, section 3: a `kong` event when it is declared, `robbed` if it is."""
    table = robbery()
    assert [event["type"] for event in table.events()] == ["kong"]
    play(table, "3 win")
    assert any(event["type"] == "kong" and event.get("robbed") for event in table.events())


def test_r3_7_let_be_it_becomes_a_kong_and_is_paid() -> None:
    table = pass_all(robbery())
    assert melds(table, 2) == ["added_kong 5p"]
    assert happened(table) == ["2 draw 9p kong"]


def test_r3_7_no_licence_is_needed() -> None:
    """Seat 3's open hand isn't offered seat 0's 5p (R6.1), but the kong of 5p it may rob (R6.11)."""
    table = stacked_table(["9p", "", "55p9s", "99p123m456m33m46p1z"], draws="5p5z6z7z5p")
    play_on(table, "0 discard 9p", "3 pong", "3 discard 1z", "0 discard 5p")
    assert texts(table, 3) == []
    play_on(table, "2 pong", "2 discard 9s")
    pass_all(drop(pass_all(table), 3))
    play(table, "2 kong 5p")
    assert actions(table) == {3: ["win", "pass"]}


@pytest.mark.parametrize("three", [THREE, "19m19p19s2345677z"])
def test_r3_7_concealed_kongs_cannot_be_robbed(three: str) -> None:
    """Not even by thirteen orphans, as elsewhere."""
    kind = "5p" if three == THREE else "1z"
    table = stacked_table(["", "", kind[0] * 4 + kind[1], three], draws="2s2m", back="9m")
    pass_all(drop(table, 2))
    play(table, f"2 kong {kind}")
    assert set(actions(table)) == {2}
    assert melds(table, 2) == [f"concealed_kong {kind}"]


def test_r3_7_exposed_kongs_cannot_be_robbed() -> None:
    """Who passes the discard has no second chance when it is konged."""
    table = stacked_table(["5p", "", "555p", THREE])
    play(table, "0 discard 5p", "2 kong", "3 pass")
    assert set(actions(table)) == {2}


# ---------------------------------------------------------------- R3.8 winning is optional


@pytest.mark.parametrize("missed_win", ["none", "locked", "higher_only"])
def test_r3_8_declining_a_self_draw_costs_nothing(missed_win: str) -> None:
    """He discards the 5p that completes him, and is offered the next one from seat 0."""
    table = stacked_table(["", "", "", THREE], draws="5z6z5p5p", missed_win=missed_win)
    pass_all(drop(table, 3))
    assert {"win", "discard 5p"} <= set(texts(table, 3))
    drop(table, 2)
    assert texts(table, 3) == ["win", "pass"]


def test_r3_8_a_claimed_win_may_be_declined() -> None:
    table = stacked_table(["5p", "", "", THREE])
    pass_all(play(table, "0 discard 5p"))
    assert table.raw.turn == 1


def test_r3_8_heavenly_may_be_declined() -> None:
    table = stacked_table(["123m456m789m11s55z5z"])
    assert "discard 5z" in texts(table, 0)
    assert "win" in texts(table, 0)


# ---------------------------------------------------------------- R3.9 concealed kongs


@pytest.mark.parametrize("shown", [False, True])
def test_r3_9_a_concealed_kong_is_face_down(shown: bool) -> None:
    """Its owner sees it, the others under the option; that there is one is seen by all."""
    table = stacked_table(["3333m"], show_concealed_kongs=shown)
    play(table, "0 kong 3m")
    for viewer in (0, 1, -1):
        view = table.masked(viewer)
        sees = shown or viewer == 0
        assert view.n_melds[0] == 1
        assert (view.meld_tile[0, 0] == 2) == sees
        kong = events_of(view, ())[0]
        assert (kong["type"], kong["kind"]) == ("kong", "concealed_kong")
        assert (kong.get("tile") == "3m") == sees


def test_r3_9_other_kongs_lie_open() -> None:
    table = stacked_table(["5p", "555p"])
    play_on(table, "0 discard 5p", "1 kong")
    assert table.masked(3).meld_tile[1, 0] == 13


# ---------------------------------------------------------------- R5.9 wild tiles in play

WILD = pytest.mark.parametrize("wild", ["none", "5m"])


@WILD
@pytest.mark.parametrize(
    ("seat", "tiles", "claim"),
    [(1, "46m", ["chow 46m"]), (2, "55m", ["pong"]), (2, "555m", ["pong", "kong"])],
)
def test_r5_9_a_discarded_wild_tile_is_not_claimed(
    wild: str, seat: int, tiles: str, claim: list[str]
) -> None:
    """Not even as its own kind; but it may be discarded."""
    hands = ["5m", "", "", ""]
    hands[seat] = alone(tiles)
    table = stacked_table(hands, wild=wild)
    play(table, "0 discard 5m")
    assert asked(table, seat) == ([*claim, "pass"] if wild == "none" else [])


@WILD
def test_r5_9_a_discarded_wild_tile_is_won_as_its_own_kind(wild: str) -> None:
    """46m is completed by 5m; 46p by 5m only if it were wild in another's hand."""
    table = stacked_table(["5m", "", "46m123s456s789s22p", "46p111z222z333z44z"], wild=wild)
    play(table, "0 discard 5m")
    assert texts(table, 2) == ["win", "pass"]
    assert texts(table, 3) == []


@WILD
@pytest.mark.parametrize(
    ("discard", "tiles", "plain", "changed"),
    [
        ("6m", "457m", ["chow 45m", "chow 57m"], []),  # not as itself
        ("6m", "45778m", ["chow 45m", "chow 57m", "chow 78m"], ["chow 78m"]),
        ("6p", "7p5m", [], []),  # not as 5p or 8p
        ("6p", "6p5m", [], []),  # not as 6p in a pong
        ("6p", "66p5m", ["pong"], ["pong"]),  # nor in a kong
    ],
)
def test_r5_9_no_wild_tile_in_a_chow_pong_or_kong(
    wild: str, discard: str, tiles: str, plain: list[str], changed: list[str]
) -> None:
    table = stacked_table([discard, alone(tiles)], wild=wild)
    play(table, f"0 discard {discard}")
    claims = plain if wild == "none" else changed
    assert asked(table, 1) == ([*claims, "pass"] if claims else [])


@WILD
def test_r5_9_no_concealed_kong_of_wild_tiles(wild: str) -> None:
    """Nor of three alike and a wild tile: 777p5m makes none either way."""
    table = stacked_table(["5555m777p"], wild=wild)
    assert offers(table, 0, "kong") == (["kong 5m"] if wild == "none" else [])


@WILD
def test_r5_9_no_wild_tile_added_to_a_pong(wild: str) -> None:
    table = stacked_table(["6p", "66p5m1z"], draws="1m2m3m5m", wild=wild)
    play_on(table, "0 discard 6p", "1 pong", "1 discard 1z")
    pass_all(drop(pass_all(table), 3))
    assert offers(table, 1, "kong") == []


@WILD
def test_r5_9_a_wild_tile_may_be_discarded(wild: str) -> None:
    assert "discard 5m" in texts(stacked_table(["5m"], wild=wild), 0)


@pytest.mark.parametrize(
    ("mode", "back", "wild"),
    [
        ("indicator", "7m", "7m"),
        ("next", "7m", "8m"),
        ("next", "9s", "1s"),
        ("next", "4z", "1z"),
        ("next", "7z", "6z"),
        ("next", "6z", "5z"),
        ("next", "5z", "7z"),
    ],
)
def test_r5_9_indicator(mode: str, back: str, wild: str) -> None:
    """Shown from the back, out of the wall; flowers on its way stay where they are."""
    table = stacked_table(back="1f" + back + "3p", wild=mode)
    (event,) = [event for event in table.events() if event["type"] == "indicator"]
    assert (event["tile"], event["wild"]) == (back, wild)
    assert table.remaining == 90
    assert table.raw.wall[table.raw.tail - 1] == 34
    assert table.raw.wall[table.raw.tail - 2] == 11


def test_r5_9_the_indicator_comes_before_any_flower_is_replaced() -> None:
    """Replacing the dealer's flower first would show 9p, not 7m."""
    table = stacked_table(["1f"], back="7m9p", wild="indicator")
    assert [event["type"] for event in table.events()] == ["deal", "indicator", "flower", "draw"]
    assert (table.events()[1]["tile"], table.events()[-1]["tile"]) == ("7m", "9p")
