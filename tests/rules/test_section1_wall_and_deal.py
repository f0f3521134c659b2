"""Section 1: tiles, wall, deal, and what one hand leaves to the next."""

import random

import pytest

from hainan.engine.entries import advance
from hainan.rules.options import RulesError
from hainan.rules.presets import rules_of
from hainan.rules.tiles import full_set, parse, text_of
from hainan.table import Table, WallError
from tests.stack import drop, hand, happened, outcome, pass_all, play, play_on, shorten, stacked_table

WINNING = "123m456m789m123p55z"


def wall_of(seed: int = 1, **options: bool) -> list[int]:
    """A shuffled wall of the sheet's tiles."""
    sheet = {"no_honors": False, "no_winds": False} | options
    wall = full_set(**sheet)
    random.Random(seed).shuffle(wall)
    return wall


# ---------------------------------------------------------------- R1.1 tiles


@pytest.mark.parametrize("players", [3, 4])
@pytest.mark.parametrize(
    ("options", "size"),
    [
        ({}, 144),
        ({"no_winds": True}, 128),
        ({"no_honors": True}, 116),
        ({"no_winds": True, "no_honors": True}, 116),
    ],
)
def test_r1_1_tiles_of_the_sheet(players: int, options: dict, size: int) -> None:
    """Three players use all the tiles too; both options together are `no_honors`, not 116 less 16."""
    wall = wall_of(**options)
    assert len(wall) == size
    table = Table(rules_of(players=players, **options), players, wall=wall)
    assert table.remaining == size  # the whole wall while ga is being chosen
    for seat in range(players):
        table.act(seat, "ga 0")
    drawn = sum(event["type"] == "draw" for event in table.events())  # flowers of the dealer
    assert table.remaining == size - (13 * players + 1) - drawn


def test_r1_1_one_of_each_flower() -> None:
    """A wall with four of each of the flowers would be the riichi player's guess at 144 tiles."""
    tiles = text_of(full_set(no_honors=False, no_winds=False))
    assert tiles[-9:] == "12345678f"
    assert [parse(tiles).count(code) for code in range(42)] == [4] * 34 + [1] * 8


@pytest.mark.parametrize(
    ("options", "change", "message"),
    [
        ({}, lambda wall: wall[:-1], "has 143 tiles, this sheet's has 144"),
        ({}, lambda wall: [*wall[1:], 5], "it should have"),
        ({}, lambda wall: [41 if code == 34 else code for code in wall], "2 of 8f, it should have 1"),
        ({"no_winds": True}, lambda wall: wall_of(), "has 144 tiles, this sheet's has 128"),
        ({"no_honors": True}, lambda wall: wall_of(no_winds=True), "has 128 tiles, this sheet's has 116"),
    ],
)
def test_r1_1_other_walls_are_refused(options: dict, change, message: str) -> None:
    """A fifth copy, a flower twice, a tile too few, or tiles that this sheet leaves out."""
    with pytest.raises(WallError, match=message):
        Table(rules_of(**options), wall=change(sorted(wall_of(**options))))


@pytest.mark.parametrize(
    ("options", "wild", "fine"),
    [
        ({}, "1z", True),
        ({"no_winds": True}, "4z", False),
        ({"no_winds": True}, "5z", True),
        ({"no_honors": True}, "5z", False),
        ({"no_honors": True}, "9s", True),
        ({}, "1f", False),
    ],
)
def test_r1_1_a_wild_kind_must_be_in_play(options: dict, wild: str, fine: bool) -> None:
    if fine:
        assert rules_of(wild=wild, **options).wild == wild
    else:
        with pytest.raises(RulesError, match="wild"):
            rules_of(wild=wild, **options)


# ---------------------------------------------------------------- R1.2, R1.3 the wall


def test_r1_2_draws_from_the_front_replacements_from_the_back() -> None:
    """A kong that drew its tile from the front would get 7p; a flower too."""
    table = stacked_table(["", "3333m"], draws="2f7p", back="8s9s")
    drop(table)
    play_on(table, "1 kong 3m")
    assert table.wall[53:55] == tuple(parse("2f7p"))
    assert table.wall[:-3:-1] == tuple(parse("8s9s"))
    assert happened(table)[-1] == "1 draw 9s kong"  # 8s replaced the flower
    assert (int(table.raw.head), int(table.raw.tail)) == (54, 142)
    assert table.remaining == 142 - 54


def test_r1_3_dice_are_kept_and_change_nothing() -> None:
    """Breaking the wall by the dice would deal other tiles."""
    wall = wall_of()
    tables = [Table(rules_of(ga=False), wall=wall, dice=dice) for dice in ((1, 1), (6, 4))]
    hands = [[hand(table, seat) for seat in range(4)] for table in tables]
    assert hands[0] == hands[1]
    assert tables[1].record()["dice"] == [6, 4]
    assert tables[1].masked(2).dice.tolist() == [6, 4]  # a client draws the wall by them


# ---------------------------------------------------------------- R1.4 deal


def flowers_last(seed: int) -> list[int]:
    """A shuffled wall, but for the flowers at its end."""
    wall = full_set(no_honors=False, no_winds=False)
    front = wall[:136]
    random.Random(seed).shuffle(front)
    return front + wall[136:]


@pytest.mark.parametrize("dealer", range(4))
def test_r1_4_deal_of_four(dealer: int) -> None:
    """Four by four, then one by one, and the dealer's jump: places 48 and 52, not 48 and 49."""
    wall = flowers_last(dealer)
    table = Table(rules_of(ga=False), wall=wall, dealer=dealer)
    places = [
        [0, 1, 2, 3, 16, 17, 18, 19, 32, 33, 34, 35, 48, 52],
        [4, 5, 6, 7, 20, 21, 22, 23, 36, 37, 38, 39, 49],
        [8, 9, 10, 11, 24, 25, 26, 27, 40, 41, 42, 43, 50],
        [12, 13, 14, 15, 28, 29, 30, 31, 44, 45, 46, 47, 51],
    ]
    for step, mine in enumerate(places):
        seat = (dealer + step) % 4
        assert hand(table, seat) == text_of(sorted(wall[place] for place in mine))
    assert table.raw.last_tile == wall[52]
    assert table.raw.turn == dealer


def test_r1_4_deal_of_three() -> None:
    """With three the blocks are twelve tiles long and the jump is three."""
    wall = flowers_last(3)
    table = Table(rules_of(players=3, ga=False), 3, wall=wall, dealer=2)
    places = {
        2: [0, 1, 2, 3, 12, 13, 14, 15, 24, 25, 26, 27, 36, 39],
        0: [4, 5, 6, 7, 16, 17, 18, 19, 28, 29, 30, 31, 37],
        1: [8, 9, 10, 11, 20, 21, 22, 23, 32, 33, 34, 35, 38],
    }
    for seat, mine in places.items():
        assert hand(table, seat) == text_of(sorted(wall[place] for place in mine))
    assert table.raw.last_tile == wall[39]


def test_r1_4_hands_are_told_as_dealt() -> None:
    """The deal event shows flowers in the hands, although the dealer's are replaced at once."""
    table = stacked_table(["1f", "2f"], back="9s")
    deal = table.events()[0]
    assert [len(parse(tiles)) for tiles in deal["hands"]] == [14, 13, 13, 13]
    assert deal["hands"][0].endswith("1f")
    assert deal["hands"][1].endswith("2f")


# ---------------------------------------------------------------- R1.5 to R1.9 from hand to hand


@pytest.mark.parametrize("first", ["host", "dice", "random"])
def test_r1_5_first_dealer_is_one_of_three(first: str) -> None:
    assert rules_of(first_dealer=first).first_dealer == first
    assert rules_of().first_dealer == "host"
    with pytest.raises(RulesError, match="first_dealer"):
        rules_of(first_dealer="winner")


def test_r1_5_seat_0_deals_unless_told_otherwise() -> None:
    assert Table(rules_of(ga=False), wall=wall_of()).raw.turn == 0
    assert Table(rules_of(ga=False), wall=wall_of(), dealer=3).raw.turn == 3


def dealer_wins(**options) -> Table:
    dealer = options.get("dealer", 0)
    hands = [""] * 4
    hands[dealer] = WINNING
    return play(stacked_table(hands, **options), f"{dealer} win")


def seat_after_dealer_wins(step: int, **options) -> Table:
    """The player ``step`` places after the dealer draws his tile at once."""
    dealer, players = options.get("dealer", 0), options.get("players", 4)
    winner = (dealer + step) % players
    hands = [""] * players
    hands[winner] = WINNING[:-3] + "5z"
    table = stacked_table(hands, draws="9s9s9s9s"[: 2 * step - 2] + "5z", **options)
    return play_on(drop(table, step), f"{winner} win")


def drawn_hand(**options) -> Table:
    """With 15 tiles left the second player can't draw any more."""
    return pass_all(drop(shorten(stacked_table(**options), 15)))


ENDINGS = {"dealer": dealer_wins, "next": lambda **o: seat_after_dealer_wins(1, **o), "draw": drawn_hand}


def after(how: str, **place) -> tuple[int, int, int]:
    """Dealer, streak and round wind of the next hand."""
    table = ENDINGS[how](**place)
    advance(table._array, 0)
    t = table.raw
    return int(t.dealer), int(t.streak), int(t.round_wind)


@pytest.mark.parametrize("dealer", [0, 3])
def test_r1_6_dealer_stays_on_a_win_or_a_drawn_hand(dealer: int) -> None:
    """A drawn hand doesn't pass the deal on."""
    assert after("dealer", dealer=dealer)[0] == dealer
    assert after("draw", dealer=dealer)[0] == dealer
    assert after("next", dealer=dealer)[0] == (dealer + 1) % 4


@pytest.mark.parametrize("step", [1, 2, 3])
def test_r1_6_next_player_deals_whoever_won(step: int) -> None:
    """The winner doesn't become the dealer."""
    table = seat_after_dealer_wins(step, dealer=2)
    assert outcome(table)[2] == [(2 + step) % 4]
    advance(table._array, 0)
    assert table.raw.dealer == 3


def test_r1_6_three_players() -> None:
    table = seat_after_dealer_wins(1, dealer=2, players=3)
    advance(table._array, 0)
    assert table.raw.dealer == 0


@pytest.mark.parametrize(("dealer", "next_dealer"), [(0, 0), (2, 3)])
def test_r1_6_dealer_stays_when_he_is_among_the_winners(dealer: int, next_dealer: int) -> None:
    """Seats 0 and 3 win seat 1's tile; the nearest winner, or the first of the list, doesn't decide."""
    hands = ["123m456m789m55z46s", "", "", "123p456p789p66z46s"]
    hands[dealer] += "1z"
    table = stacked_table(hands, draws="5s" if dealer == 0 else "1z2z5s", dealer=dealer, multiple_wins=True)
    drop(table, 2 if dealer == 0 else 4)
    play_on(table, "0 win", "3 win")
    assert sorted(outcome(table)[2]) == [0, 3]
    advance(table._array, 0)
    assert table.raw.dealer == next_dealer


@pytest.mark.parametrize(
    ("how", "counts_draws", "streak"),
    [("dealer", False, 3), ("draw", False, 2), ("draw", True, 3), ("next", True, 0)],
)
def test_r1_7_streak(how: str, counts_draws: bool, streak: int) -> None:
    """A drawn hand that doesn't count leaves n as it was; it doesn't end the streak."""
    assert after(how, streak=2, streak_counts_draws=counts_draws)[1] == streak


@pytest.mark.parametrize(
    ("how", "dealer", "wind"),
    [("next", 3, 1), ("next", 2, 0), ("dealer", 0, 0), ("draw", 0, 0), ("dealer", 3, 0)],
)
def test_r1_8_round_wind_moves_when_the_deal_comes_back(how: str, dealer: int, wind: int) -> None:
    """Staying, even of the first dealer, moves nothing."""
    table = ENDINGS[how](dealer=dealer)
    table.raw.first_dealer = 0
    advance(table._array, 0)
    assert table.raw.round_wind == wind


def test_r1_8_comes_back_to_the_first_dealer_not_to_seat_0() -> None:
    table = seat_after_dealer_wins(1, dealer=3)
    table.raw.first_dealer = 2
    advance(table._array, 0)
    assert (table.raw.dealer, table.raw.round_wind) == (0, 0)
    table = seat_after_dealer_wins(1, dealer=1)
    table.raw.first_dealer = 2
    advance(table._array, 0)
    assert (table.raw.dealer, table.raw.round_wind) == (2, 1)


def test_r1_8_east_follows_north() -> None:
    table = seat_after_dealer_wins(1, dealer=3, round_wind=3)
    table.raw.first_dealer = 0
    advance(table._array, 0)
    assert table.raw.round_wind == 0


def test_r1_8_three_players_turn_the_wind_after_three_deals() -> None:
    table = seat_after_dealer_wins(1, dealer=2, players=3)
    table.raw.first_dealer = 0
    advance(table._array, 0)
    assert (table.raw.dealer, table.raw.round_wind) == (0, 1)


@pytest.mark.parametrize("how", ["dealer", "next", "draw"])
def test_r1_9_a_match_of_two_hands(how: str) -> None:
    """Every hand counts, also those of a dealer who stays."""
    table = ENDINGS[how]()
    table.raw.sheet.hands = 2
    assert not advance(table._array, 0)
    assert advance(table._array, 0)


def test_r1_9_default_is_eight_hands() -> None:
    assert (rules_of().hands, rules_of().rounds) == (8, None)


def test_r1_9_rounds_replace_hands() -> None:
    """One full round wind: the match goes on through any number of hands until the deal is back."""
    table = dealer_wins(dealer=3, rounds=1)
    table.raw.first_dealer = 0
    table.raw.hands_played = 100
    assert not advance(table._array, 0)
    table = seat_after_dealer_wins(1, dealer=3, rounds=1)
    table.raw.first_dealer = 0
    assert advance(table._array, 0)
    table = seat_after_dealer_wins(1, dealer=3, rounds=2)
    table.raw.first_dealer = 0
    assert not advance(table._array, 0)
