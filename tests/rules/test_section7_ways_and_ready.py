"""Section 7, what happens in play: ways of winning (R7.4, R7.5) and ready on the first discard (R7.6)."""

import pytest

from hainan.rules.tiles import TEXT
from hainan.table import Table
from tests.stack import (
    asked,
    drop,
    happened,
    offers,
    outcome,
    pass_all,
    play,
    play_on,
    shorten,
    stacked_table,
    texts,
    value,
)

WAITING = "123m456m789m11s46p"  # thirteen tiles, on 5p, T 1 in either table
MISSING_9M = "123m456m78m11s46p"  # twelve of them
BOTH = pytest.mark.parametrize("preset", ["hainan", "lingao"])


def scored(table: Table) -> tuple[str, str | None, int]:
    """By what, in which way, and V."""
    by, way, _ = outcome(table)
    return by, way, value(table)


def worth(preset: str, hainan: int, lingao: int) -> int:
    """V in the preset's table (R7.2, R7.3)."""
    return hainan if preset == "hainan" else lingao


# ---------------------------------------------------------------- R7.4 heavenly


@BOTH
def test_r7_4_heavenly(preset: str) -> None:
    table = play(stacked_table([WAITING + "5p"], preset=preset), "0 win")
    assert scored(table) == ("self_draw", "heavenly", worth(preset, 3, 10))


@pytest.mark.parametrize("mode", ["own_turn", "after_deal"])
@pytest.mark.parametrize("hand", [MISSING_9M + "1f5p", "123m456m789m11s46p1f"])
def test_r7_4_heavenly_with_flowers_of_the_deal(mode: str, hand: str) -> None:
    """The last tile drawn is a flower's replacement, but no flower bloom."""
    back = "9m" if hand.endswith("5p") else "5p"
    table = play(stacked_table([hand], back=back, initial_flowers=mode), "0 win")
    assert scored(table) == ("self_draw", "heavenly", 3)


def test_r7_4_a_kong_first_is_a_kong_bloom() -> None:
    """The dealer's first turn, before any discard, but after a kong."""
    table = stacked_table(["3333m456p789p11s46s"], back="5s", preset="lingao")
    assert "win" not in texts(table, 0)
    play(table, "0 kong 3m", "0 win")
    assert scored(table) == ("self_draw", "kong_bloom", 3)


def test_r7_4_not_heavenly_in_the_dealers_second_turn() -> None:
    """His first draw from the wall after the deal is earthly for the others only."""
    table = stacked_table([WAITING + "9s"], draws="1z2z3z5p", preset="lingao")
    pass_all(drop(table, 4))
    play(table, "0 win")
    assert scored(table) == ("self_draw", None, 2)


def test_r7_4_not_heavenly_for_seat_0_when_another_deals() -> None:
    table = stacked_table([WAITING], draws="5p", dealer=3)
    pass_all(drop(table))
    play(table, "0 win")
    assert outcome(table) == ("self_draw", "earthly", [0])


# ---------------------------------------------------------------- R7.4 earthly


@BOTH
@pytest.mark.parametrize("seat", [1, 2, 3])
def test_r7_4_earthly(preset: str, seat: int) -> None:
    """Every other player in his first turn, not only the dealer's next."""
    hands = ["", "", "", ""]
    hands[seat] = WAITING
    table = stacked_table(hands, draws="1z2z"[: 2 * (seat - 1)] + "5p", preset=preset)
    pass_all(drop(table, seat))
    play(table, f"{seat} win")
    assert scored(table) == ("self_draw", "earthly", worth(preset, 3, 10))


@BOTH
def test_r7_4_winning_the_dealers_first_discard_is_no_earthly_hand(preset: str) -> None:
    """As it is elsewhere."""
    table = stacked_table(["5p", WAITING], preset=preset)
    play(table, "0 discard 5p")
    play_on(table, "1 win")
    assert scored(table) == ("discard", None, 1)


def test_r7_4_earthly_after_others_claims() -> None:
    """Seat 1 is skipped twice by pongs: the dealer has his third turn before seat 1 first draws."""
    hands = ["6z5z", WAITING, "66z9s", "55z8s"]
    table = stacked_table(hands, draws="1z2z3z5p", preset="lingao")
    play_on(table, "0 discard 5z", "3 pong", "3 discard 8s", "0 discard 6z", "2 pong", "2 discard 9s")
    play_on(table, "3 discard 2z", "0 discard 3z", "1 win")
    assert scored(table) == ("self_draw", "earthly", 10)


def test_r7_4_earthly_after_anothers_kong() -> None:
    table = stacked_table(["4444s5m", WAITING], draws="5p", preset="lingao")
    play(table, "0 kong 4s")
    pass_all(drop(table))
    play(table, "1 win")
    assert scored(table) == ("self_draw", "earthly", 10)


@pytest.mark.parametrize(("claim", "tiles"), [("pong", "55p1z"), ("chow 46p", "46p1z")])
def test_r7_4_not_earthly_after_a_meld_of_ones_own(claim: str, tiles: str) -> None:
    """Seat 1's first draw from the wall, but with a meld and a discard before it."""
    hands = ["5p", "123m456m11s46s" + tiles]
    table = stacked_table(hands, draws="1z2z3z5s", preset="lingao")
    play_on(table, "0 discard 5p", f"1 {claim}", "1 discard 1z")
    pass_all(drop(pass_all(table), 3))
    play(table, "1 win")
    assert scored(table) == ("self_draw", None, 2)


def test_r7_4_not_earthly_in_the_second_turn() -> None:
    table = stacked_table(["", WAITING], draws="1z2z3z4z5p", preset="lingao")
    pass_all(drop(table, 5))
    play(table, "1 win")
    assert scored(table) == ("self_draw", None, 2)


@pytest.mark.parametrize(
    ("hand", "draws", "back"),
    [
        (MISSING_9M + "1f", "5p", "9m"),  # dealt, replaced by 9m after the draw of 5p
        (MISSING_9M + "1f", "9m", "5p"),
        (WAITING, "1f", "5p"),  # drawn in that turn
        (MISSING_9M + "1f", "2f", "9m5p"),
    ],
)
def test_r7_4_flowers_replaced_in_that_turn_belong_to_it(hand: str, draws: str, back: str) -> None:
    """By the last tile drawn these would be flower blooms of V 3."""
    table = stacked_table(["", hand], draws=draws, back=back, preset="lingao")
    pass_all(drop(table))
    play(table, "1 win")
    assert scored(table) == ("self_draw", "earthly", 10)


def test_r7_4_earthly_with_flowers_replaced_after_the_deal() -> None:
    options = {"preset": "lingao", "initial_flowers": "after_deal"}
    table = stacked_table(["", MISSING_9M + "1f"], draws="5p", back="9m", **options)
    pass_all(drop(table))
    play(table, "1 win")
    assert scored(table) == ("self_draw", "earthly", 10)


def test_r7_4_earthly_after_a_kong_is_a_kong_bloom() -> None:
    table = stacked_table(["", "333m456p789p11s46s"], draws="3m", back="5s", preset="lingao")
    pass_all(drop(table))
    play(table, "1 kong 3m", "1 win")
    assert scored(table) == ("self_draw", "kong_bloom", 3)


# ---------------------------------------------------------------- R7.5 the last tile drawn


@pytest.mark.parametrize(
    ("rest", "last"),
    [(WAITING, "5p"), ("123m456m789m1s456p", "1s"), ("123m456m78m11s456p", "9m")],
)
def test_r7_5_the_dealers_last_tile_of_the_deal(rest: str, last: str) -> None:
    """The one after the jump: the same fourteen tiles are won with another tile each time."""
    table = play(stacked_table([rest + last]), "0 win")
    assert table.end()["tile"] == last


def second_turn(hand: str, draw: str, back: str, *moves: str, preset: str = "lingao") -> Table:
    """Seat 1's second turn, in which he draws ``draw``'s first tile; then his moves."""
    table = stacked_table(["", hand], draws="1z2z3z4z" + draw, back=back, preset=preset)
    pass_all(drop(table, 5))
    return play(table, *(f"1 {move}" for move in moves))


KONG = "333m456p789p11s46s"  # the fourth 3m comes, 5s completes the hand after the kong


@BOTH
@pytest.mark.parametrize(
    ("hand", "draw", "back", "moves", "way", "tile"),
    [
        (WAITING, "5p", "", ("win",), None, "5p"),
        (WAITING, "1f", "5p", ("win",), "flower_bloom", "5p"),
        (KONG, "3m", "5s", ("kong 3m", "win"), "kong_bloom", "5s"),
        (KONG, "3m", "1f5s", ("kong 3m", "win"), "flower_bloom", "5s"),  # kong, flower, win
        (KONG, "3m", "1f2f5s", ("kong 3m", "win"), "flower_bloom", "5s"),
        (KONG, "1f", "3m5s", ("kong 3m", "win"), "kong_bloom", "5s"),  # flower, kong, win
        ("333m444m456p11s46s", "3m", "4m5s", ("kong 3m", "kong 4m", "win"), "kong_bloom", "5s"),
    ],
)
def test_r7_5_the_last_tile_drawn_decides(
    *, preset: str, hand: str, draw: str, back: str, moves: tuple[str, ...], way: str | None, tile: str
) -> None:
    """Not the first replacement of the turn, nor what the turn began with."""
    table = second_turn(hand, draw, back, *moves, preset=preset)
    assert scored(table) == ("self_draw", way, worth(preset, 3, 3) if way else 2)
    assert table.end()["tile"] == tile


def test_r7_5_the_turn_after_a_kong_is_plain_again() -> None:
    table = second_turn(KONG, "3m5z6z7z5s", "9s", "kong 3m")
    pass_all(drop(table, 4))
    play(table, "1 win")
    assert scored(table) == ("self_draw", None, 2)


def test_r7_5_an_added_kong_blooms() -> None:
    table = stacked_table(["5p", "55p1z123m456m11s46s"], draws="1z2z3z5p", back="5s", preset="lingao")
    play_on(table, "0 discard 5p", "1 pong", "1 discard 1z")
    pass_all(drop(pass_all(table), 3))
    play(table, "1 kong 5p")
    play_on(table, "1 win")
    assert scored(table) == ("self_draw", "kong_bloom", 3)


@pytest.mark.parametrize(
    ("tiles", "claim", "back", "way"),
    [
        ("55p", "pong", "9m", "flower_bloom"),
        ("46p", "chow 46p", "9m", "flower_bloom"),
        ("55p", "pong", "2f9m", "flower_bloom"),
    ],
)
def test_r7_5_initial_flowers_in_a_turn_begun_by_a_claim(tiles: str, claim: str, back: str, way: str) -> None:
    """His first turn, but no draw from the front: a flower bloom, neither earthly nor plain."""
    table = stacked_table(["5p", "123m456m78m11s1f" + tiles], back=back, preset="lingao")
    play_on(table, "0 discard 5p", f"1 {claim}", "1 win")
    assert scored(table) == ("self_draw", way, 3)


@pytest.mark.parametrize(("flower", "way"), [("", "kong_bloom"), ("1f", "flower_bloom")])
def test_r7_5_an_exposed_kong_and_initial_flowers(flower: str, way: str) -> None:
    """The kong's replacement comes first, so with a flower the last tile is the flower's."""
    hand = "123m456m7m" + ("8m" if not flower else "") + "11s555p" + flower
    table = stacked_table(["5p", hand], back="9m" if not flower else "9m8m", preset="lingao")
    play_on(table, "0 discard 5p", "1 kong", "1 win")
    assert scored(table) == ("self_draw", way, 3)


# ---------------------------------------------------------------- R7.6 who may declare


def test_r7_6_with_the_first_discard_of_a_hand_that_then_waits() -> None:
    """It is a choice: the plain discard stays."""
    table = stacked_table([WAITING + "9s"])
    assert offers(table, 0, "ready") == ["ready 9s"]
    assert "discard 9s" in texts(table, 0)
    play(table, "0 ready 9s")
    assert [event["type"] for event in table.events()][:2] == ["ready", "discard"]


@pytest.mark.parametrize(("preset", "ready"), [("hainan", False), ("lingao", False), ("lingao", True)])
def test_r7_6_option(preset: str, ready: bool) -> None:
    table = stacked_table([WAITING + "9s"], preset=preset, ready=ready)
    assert offers(table, 0, "ready") == (["ready 9s"] if ready else [])


def test_r7_6_any_seat_after_others_claims() -> None:
    """Only his own melds and discards matter."""
    table = stacked_table(["5z", "", "55z9s", WAITING], draws="9s")
    play_on(table, "0 discard 5z", "2 pong", "2 discard 9s")
    pass_all(table)
    assert offers(table, 3, "ready") == ["ready 9s"]


@pytest.mark.parametrize(("first", "second"), [(WAITING, "1z"), ("123m456m789m11s4p8s", "6p")])
def test_r7_6_not_with_the_second_discard(first: str, second: str) -> None:
    """Whether he waited already with the first one, or comes to wait with the second."""
    table = stacked_table([first + "9s"], draws="1z2z3z" + second)
    pass_all(drop(table, 4))
    assert offers(table, 0, "ready") == []


def test_r7_6_not_with_melds() -> None:
    """A claim or a concealed kong before the first discard, though the hand waits after it."""
    table = stacked_table(["5p", "123m456m11s46s55p1z"])
    play_on(table, "0 discard 5p", "1 pong")
    assert offers(table, 1, "ready") == []
    table = stacked_table(["3333m456p789p11s46s"], back="9s")
    assert offers(table, 0, "ready") == ["ready 3m"]
    play(table, "0 kong 3m")
    assert offers(table, 0, "ready") == []


def test_r7_6_all_four_in_hand_is_no_wait() -> None:
    """Without 5s the hand could only be completed by a fifth 9p."""
    table = stacked_table(["123456789m9999p5s"])
    assert offers(table, 0, "ready") == ["ready 9p"]


def test_r7_6_all_four_in_hand_among_other_waits() -> None:
    """11112233m with 55s as the pair: a fifth 1m would complete it, but is no wait; 4m is."""
    table = play(stacked_table(["11112233m456p55s9s"]), "0 ready 9s")
    assert [TEXT[wait.kind] for wait in table.waits(0)] == ["4m", "5s"]


def test_r7_6_copies_in_others_hands_and_discards_do_not_matter() -> None:
    """Three 5p lie in the river and seat 0 holds the fourth: a wait all the same."""
    table = stacked_table(["5p5p", "", "", WAITING], draws="5p5p9s")
    pass_all(drop(table, 3))
    assert offers(table, 3, "ready") == ["ready 9s"]


# ---------------------------------------------------------------- R7.6 and wild tiles


def test_r7_6_a_wait_on_the_wild_kind_is_on_the_tile_itself() -> None:
    """If a wild 7z counted as what it can stand for, 9999p would wait on it, and so would any hand
    that waits at all."""
    table = stacked_table(["123456789m9999p5s"], wild="7z")
    assert offers(table, 0, "ready") == ["ready 9p"]
    table = stacked_table([WAITING + "9s"], wild="7z")
    play(table, "0 ready 9s")
    assert [TEXT[wait.kind] for wait in table.waits(0)] == ["5p"]


def test_r7_6_the_wild_kind_can_be_waited_on() -> None:
    table = stacked_table([WAITING + "9s"], wild="5p")
    assert offers(table, 0, "ready") == ["ready 9s"]


@pytest.mark.parametrize(("wilds", "waits_on_it"), [(3, True), (4, False)])
def test_r7_6_literally_four_of_the_wild_kind(wilds: int, waits_on_it: bool) -> None:
    """A hand with a wild tile to pair anything waits on every kind; but with all four 5p on no 5p.
    Counting them as what they stand for would leave 5p among the waits."""
    hand = "123456789m" + "5" * wilds + "p" + "1s" * (4 - wilds)
    table = stacked_table([hand + "9s"], wild="5p")
    play(table, "0 ready 9s")
    kinds = {TEXT[wait.kind] for wait in table.waits(0)}
    assert ("5p" in kinds) == waits_on_it
    assert {"1s", "7z"} <= kinds


# ---------------------------------------------------------------- R7.6 the hand is locked


@pytest.mark.parametrize("first", ["ready", "discard"])
@pytest.mark.parametrize(
    ("discard", "claims"),
    [("3m", ["chow 12m", "chow 24m", "chow 45m"]), ("1s", ["pong"])],
)
def test_r7_6_neither_chow_nor_pong(first: str, discard: str, claims: list[str]) -> None:
    table = stacked_table([WAITING + "9s"], draws="1z2z" + discard)
    play(table, f"0 {first} 9s")
    drop(pass_all(table), 3)
    assert asked(table, 0) == ([*claims, "pass"] if first == "discard" else [])


def test_r7_6_only_the_last_tile_drawn_is_discarded() -> None:
    """Of a replaced flower the replacement."""
    table = stacked_table([WAITING + "9s"], draws="1z2z3z4z5z6z7z1f", back="8s")
    play(table, "0 ready 9s")
    pass_all(drop(pass_all(table), 3))
    assert texts(table, 0) == ["discard 4z"]
    pass_all(drop(table, 4))
    assert texts(table, 0) == ["discard 8s"]


def test_r7_6_a_kind_drawn_again_is_discarded_as_drawn() -> None:
    table = stacked_table([WAITING + "9s"], draws="1z2z3z9m")
    play(table, "0 ready 9s")
    pass_all(drop(pass_all(table), 3))
    assert texts(table, 0) == ["discard 9m"]


def test_r7_6_winning_stays_optional() -> None:
    table = stacked_table([WAITING + "9s"], draws="1z2z3z5p")
    play(table, "0 ready 9s")
    pass_all(drop(pass_all(table), 3))
    assert texts(table, 0) == ["discard 5p", "win"]


# ---------------------------------------------------------------- R7.6 one more point


FIRST = pytest.mark.parametrize(("first", "more"), [("discard", 0), ("ready", 1)])


@BOTH
@FIRST
@pytest.mark.parametrize(
    ("draws", "drops", "points"),
    [("5p", 1, 1), ("1z2z3z5p", 3, 2), ("1z2z3z1f", 3, 3)],  # discard, self-draw, flower bloom
)
def test_r7_6_a_win_scores_one_more(
    *, preset: str, first: str, more: int, draws: str, drops: int, points: int
) -> None:
    """Added after everything else: not 1 more to T, which a self-draw would double."""
    table = stacked_table([WAITING + "9s"], draws=draws, back="5p", preset=preset, ready=True)
    play(table, f"0 {first} 9s")
    drop(pass_all(table), drops)
    play_on(table, "0 win")
    assert value(table) == points + more


@BOTH
@FIRST
def test_r7_6_a_robbed_kong_scores_one_more(preset: str, first: str, more: int) -> None:
    """Seat 2 pongs seat 1's 5p, which the ready hand lets go, and adds the fourth in his next turn."""
    hands = [WAITING + "9s", "", "55p6z"]
    table = stacked_table(hands, draws="5p2z3z1z5p", preset=preset, ready=True)
    play(table, f"0 {first} 9s")
    play_on(drop(pass_all(table)), "2 pong", "2 discard 6z")
    pass_all(drop(pass_all(table), 3))
    play(table, "2 kong 5p", "0 win")
    assert outcome(table)[0] == "rob"
    assert value(table) == 1 + more


# ---------------------------------------------------------------- R7.6 kongs of a ready hand


def ready_turn(hand: str, drawn: str, first: str = "ready", **options) -> Table:
    """The dealer has declared ready with his first discard, 8s, and now draws ``drawn``."""
    table = stacked_table([hand + "8s"], draws="1z2z3z" + drawn, back="7z", **options)
    play(table, f"0 {first} 8s")
    return pass_all(drop(pass_all(table), 3))


@pytest.mark.parametrize(("first", "offered"), [("ready", []), ("discard", ["kong 5m"])])
def test_r7_6_a_concealed_kong_that_changes_the_waits(first: str, offered: list[str]) -> None:
    """4555m waits on 3m, 4m and 6m; after the kong of 5m on 4m alone."""
    table = ready_turn("123p456p789p4555m", "5m", first)
    assert offers(table, 0, "kong") == offered


def test_r7_6_a_concealed_kong_that_keeps_the_waits() -> None:
    """Afterwards the replacement is what has to go."""
    table = ready_turn("999s123m456m11p46p", "9s")
    assert texts(table, 0) == ["discard 9s", "kong 9s"]
    play(table, "0 kong 9s")
    assert texts(table, 0) == ["discard 7z"]


@pytest.mark.parametrize(("drawn", "offered"), [("4m", ["kong 1m"]), ("9p", [])])
def test_r7_6_a_concealed_kong_of_tiles_held_before(drawn: str, offered: list[str]) -> None:
    """1111m23m with 4m: the kong leaves 234m and the waits of before the draw, 4s and 5s. Asking for
    the drawn tile among the four would refuse it; with 9p the hand would wait no more."""
    table = ready_turn("1111m23m456p44s55s", drawn)
    assert texts(table, 0) == [f"discard {drawn}", *offered]


def test_r7_6_a_kong_of_a_kind_waited_on_is_not_offered() -> None:
    """The wild tile pairs anything, so 9s is one of the waits, and after its kong no more."""
    table = ready_turn("999s123m456m789m7z", "9s", wild="7z")
    assert texts(table, 0) == ["discard 9s", "win"]
    table = ready_turn("999s123m456m789m7z", "9s", "discard", wild="7z")
    assert offers(table, 0, "kong") == ["kong 9s"]


def ready_claim(hand: str, discard: str, first: str = "ready", **options) -> list[str]:
    """What the dealer, who has declared ready with 8s, may answer to seat 1's discard."""
    table = stacked_table([hand + "8s"], draws=discard, **options)
    play(table, f"0 {first} 8s")
    return asked(drop(pass_all(table)), 0)


@pytest.mark.parametrize(("first", "offered"), [("ready", []), ("discard", ["pong", "kong", "pass"])])
def test_r7_6_an_exposed_kong_that_changes_the_waits(first: str, offered: list[str]) -> None:
    """As the concealed one; without `require_fan`, so that only the waits can forbid it."""
    assert ready_claim("123p456p789p4555m", "5m", first, require_fan=False) == offered


@pytest.mark.parametrize(
    ("hand", "options", "offered"),
    [
        ("999s123m456m33p46p", {}, False),  # only 门清, which the kong takes
        ("999s123m456m33p46p", {"require_fan": False}, True),
        ("999s123m456m22p46p", {}, True),  # an eye
        ("999s456m678m11p33s", {}, False),  # two waits, neither licensed
        ("999s456m678m22p33s", {}, True),  # only 3s is: then 22p is the eye
        ("999s456m678m22p33s", {"require_fan": False}, True),
    ],
)
def test_r7_6_an_exposed_kong_needs_a_licence_on_some_wait(hand: str, options: dict, offered: bool) -> None:
    """On one wait, not on every; after the kong, not before it."""
    assert ready_claim(hand, "9s", **options) == (["kong", "pass"] if offered else [])


def test_r7_6_a_position_flower_is_such_a_licence() -> None:
    """The unlicensed hand of before, with spring laid out by the dealer; summer isn't his."""
    for flower, offered in (("1f", ["kong", "pass"]), ("2f", [])):
        table = stacked_table([flower + "999s123m456m33p46p"], draws="9s", back="8s")
        play(table, "0 ready 8s")
        assert asked(drop(pass_all(table)), 0) == offered


def test_r7_6_a_concealed_kong_needs_no_licence() -> None:
    """It takes 门清 from the same hand, but only the exposed kong has this condition."""
    assert "kong 9s" in texts(ready_turn("999s123m456m33p46p", "9s"), 0)


def test_r7_6_an_exposed_kong_turns_into_his_locked_turn() -> None:
    """The replacement is the last tile drawn: it wins, or it has to go."""
    for back, legal in (("7z", ["discard 7z"]), ("5p", ["discard 5p", "win"])):
        table = stacked_table(["999s123m456m22p46p8s"], draws="9s", back=back)
        play(table, "0 ready 8s")
        play_on(drop(pass_all(table)), "0 kong")
        assert happened(table)[-1] == f"0 draw {back} kong"
        assert texts(table, 0) == legal


@pytest.mark.parametrize(("left", "offered"), [(16, ["kong", "pass"]), (15, [])])
def test_r7_6_kongs_of_a_ready_hand_need_a_tile_too(left: int, offered: list[str]) -> None:
    table = shorten(stacked_table(["999s123m456m22p46p8s"], draws="9s"), left + 1)
    play(table, "0 ready 8s")
    assert asked(drop(pass_all(table)), 0) == offered
