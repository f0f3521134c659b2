"""Section 5: what is a winning hand, and how it is read.

The helpers at the top describe requests in few words; the other files of this folder use them too.
Unless a test says otherwise: preset `hainan`, four players, seat 0 deals (East), East round, and the
hand is that of seat 1 (South), won on a discard of seat 3.
"""

import pytest

from hainan.score import ScoreError, score
from tests.stack import stacked_table, texts

NOT_WINNING = "not a winning hand (R5)"
NO_LICENCE = "no licence (R6.1)"
CLASSIC = {"preset": "hainan-classic"}
LINGAO = {"preset": "lingao"}
VARIANT = {"preset": "lingao-variant"}
WAYS = ("kong_bloom", "flower_bloom", "heavenly", "earthly")

PLAIN = "12m456p777s999s33z"
"""Waits on 3m. Seat 1 has one licence, concealed."""


def meld(text):
    """``pong 333p 0`` was claimed from seat 0; ``added_kong 5555p 3 back``; ``concealed_kong 1111z``."""
    kind, tiles, *source = text.split()
    made = {"kind": kind, "tiles": tiles}
    if source:
        made["from"] = int(source[0])
    if source[1:] == ["back"]:
        made["back"] = True
    return made


def seat(hand="", *melds, flowers="", ready=False):
    """A seat of a request."""
    return {"hand": hand, "melds": [meld(text) for text in melds], "flowers": flowers, "ready": ready}


def end(text):
    """``discard 9m from 3 to 0 1``, ``rob 9m from 3 to 1``, ``self_draw 9m by 2``, ``kong_bloom 9m by 2``,
    ``draw``."""
    how, *rest = text.split()
    if how == "draw":
        return {"by": "draw"}
    tile, preposition, *seats = rest
    if preposition == "by":
        way = how if how in WAYS else None
        return {"by": "self_draw", "tile": tile, "winners": [int(seats[0])], "way": way}
    return {"by": how, "tile": tile, "from": int(seats[0]), "winners": [int(number) for number in seats[2:]]}


def ask(how, seats, rules=None, players=4, **request):
    """The answer to a request; ``seats`` by number, those left out are empty."""
    everybody = [seats.get(number, seat()) for number in range(players)]
    return score({"rules": rules or {}, "players": players, "seats": everybody, "end": end(how)} | request)


def bill(how, seats, rules=None, players=4, **request):
    """The answer to a request whose winners all win; every point of it is in an item."""
    answer = ask(how, seats, rules, players, **request)
    assert answer["legal"], answer["why"]
    sums = [0] * players
    for item in answer["items"]:
        sums[item["payer"]] -= item["points"]
        sums[item["payee"]] += item["points"]
    assert answer["payments"] == sums
    return answer


def one(hand, tile, *melds, how="discard", at=1, flowers="", ready=False, rules=None, **request):
    """The answer for a single winner, by default seat 1 on seat 3's discard."""
    end_text = f"discard {tile} from 3 to {at}" if how == "discard" else f"{how} {tile} by {at}"
    return ask(end_text, {at: seat(hand, *melds, flowers=flowers, ready=ready)}, rules, **request)


def win(hand, tile, *melds, **more):
    """What a hand that wins is worth: ``patterns``, ``licences``, ``T``, ``V``."""
    answer = one(hand, tile, *melds, **more)
    assert answer["legal"], answer["why"]
    return answer["winners"][0]


def why(hand, tile, *melds, **more):
    """Why a hand doesn't win."""
    answer = one(hand, tile, *melds, **more)
    assert not answer["legal"], answer["winners"]
    assert set(answer) == {"legal", "why"}
    return answer["why"]


# ---------------------------------------------------------------- R5.1


def test_r5_1_four_sets_and_a_pair():
    # 234m 345p 567s 678s and the pair 22p
    assert win("234m22345p56767s", "8s")["patterns"] == ["plain"]


@pytest.mark.parametrize(
    ("hand", "tile"),
    [
        ("123456789m1122p", "3s"),  # three sets and two pairs
        ("89m123456p789s22p", "1m"),  # sequences don't go round
        ("89m123456p789s22s", "1p"),  # nor from one suit into the next
        ("12z123456p789s22p", "3z"),  # winds make no sequence
        ("56z123456p789s22p", "7z"),  # nor do dragons
        ("123456789m123p1s", "2s"),  # four sets and no pair
    ],
)
def test_r5_1_nothing_else(hand, tile):
    assert why(hand, tile) == NOT_WINNING
    assert why(hand, tile, how="self_draw") == NOT_WINNING


def test_r5_1_melds_are_among_the_four():
    melds = ("chow 123p 0", "pong 777p 3", "exposed_kong 3333s 2")
    # 123p 777p 3333s, 345m and the pair 99s
    assert win("45m99s", "3m", *melds, how="self_draw")["patterns"] == ["plain"]
    assert win("45m99s", "3m", *melds[:2], "added_kong 3333s 2", how="self_draw")["T"] == 1
    assert win("45m99s", "3m", *melds[:2], "concealed_kong 3333s", how="self_draw")["T"] == 1
    assert why("45m99s", "4m", *melds, how="self_draw") == NOT_WINNING


def test_r5_1_four_pongs_and_a_lone_tile():
    pongs = ("pong 111p 0", "pong 777p 3", "pong 333s 2", "pong 444z 2")
    # The lone tile can only be paired.
    for tile in ("4m", "6m", "5p", "1p"):
        assert why("5m", tile, *pongs) == NOT_WINNING
    won = win("5m", "5m", *pongs)
    assert (won["patterns"], won["T"]) == (["all_pongs"], 2)
    assert won["licences"] == ["eye", "all_pongs"]


def test_r5_1_wait_on_a_tile_held_four_times():
    # 123m 456m 789m 111p and a lone 1p: the pair would need a fifth 1p.
    with pytest.raises(ScoreError, match="a fifth copy"):
        one("123456789m1p", "1p", "pong 111p 0")
    for tile in ("2p", "9m", "1s"):
        assert why("123456789m1p", tile, "pong 111p 0") == NOT_WINNING


# ---------------------------------------------------------------- R5.2


@pytest.mark.parametrize(
    ("hand", "tile", "pattern", "hainan", "lingao"),
    [
        ("1133m5577p99s112z", "2z", "seven_pairs", 2, 4),
        ("1111335577m99p2z", "2z", "luxury_seven_pairs", 3, 5),
        ("111335577m99p22z", "1m", "luxury_seven_pairs", 3, 5),  # the fourth is the winning tile
        ("11112222m3333p5s", "5s", "luxury_seven_pairs", 3, 5),  # more fours count no more
        ("111133m5577p889s", "9s", "luxury_seven_pairs", 3, 5),
    ],
)
def test_r5_2_seven_pairs(hand, tile, pattern, hainan, lingao):
    won = win(hand, tile)
    assert (won["patterns"], won["T"], won["licences"]) == ([pattern], hainan, ["concealed", "seven_pairs"])
    assert win(hand, tile, rules=LINGAO)["T"] == lingao


def test_r5_2_not_seven_pairs():
    # six pairs and two odd tiles; then a triplet, five pairs and an odd tile
    assert why("1133m5577p99s112z", "3z") == NOT_WINNING
    assert why("11133m557p99s112z", "2z") == NOT_WINNING
    # A kong isn't two pairs.
    for kong in ("concealed_kong 1111m", "exposed_kong 1111m 0"):
        assert why("3355m77p99s22z", "4z", kong) == NOT_WINNING


# ---------------------------------------------------------------- R5.3


@pytest.mark.parametrize("tile", ["1m", "9m", "1p", "9p", "1s", "9s", *(f"{n}z" for n in range(1, 8))])
def test_r5_3_thirteen_orphans(tile):
    won = win("19m19p19s1234567z", tile)
    assert (won["patterns"], won["T"]) == (["thirteen_orphans"], 13)
    assert won["licences"] == ["concealed", "thirteen_orphans"]


def test_r5_3_not_thirteen_orphans():
    assert why("19m19p19s1234567z", "2m") == NOT_WINNING
    assert why("119m19p119s12345z", "6z") == NOT_WINNING  # two pairs and no 7z
    assert why("19m19p19s1234z", "5z", "pong 777z 0") == NOT_WINNING  # no melds


# ---------------------------------------------------------------- R5.4


@pytest.mark.parametrize(
    ("hand", "tile"),
    [
        ("147m258p369s1234z", "5z"),
        ("147m147p147s1234z", "5z"),  # the suits needn't differ
        ("159m26p48s123456z", "7z"),  # more than two numbers between are fine
        ("147m258p1s123456z", "7z"),
    ],
)
def test_r5_4_scattered_thirteen(hand, tile):
    # On by itself in hainan-classic alone; it can be set anywhere.
    assert why(hand, tile) == NOT_WINNING
    assert why(hand, tile, rules=LINGAO) == NOT_WINNING
    assert why(hand, tile, rules=CLASSIC | {"scattered_thirteen": False}) == NOT_WINNING
    for rules in (CLASSIC, {"scattered_thirteen": True}, LINGAO | {"scattered_thirteen": True}):
        won = win(hand, tile, rules=rules)
        assert (won["patterns"], won["T"], won["V"]) == (["thirteen_orphans"], 13, 13)
        assert won["licences"] == ["concealed", "thirteen_orphans"]


@pytest.mark.parametrize(
    ("hand", "tile"),
    [
        ("146m258p369s1234z", "5z"),  # 4 and 6 have one number between
        ("147m258p36s12345z", "7s"),  # 6 and 7 none
        ("147m258p369s1233z", "4z"),  # two alike
        ("147m258p36s12345z", "3s"),
    ],
)
def test_r5_4_not_scattered(hand, tile):
    assert why(hand, tile, rules=CLASSIC) == NOT_WINNING


def test_r5_4_takes_wild_tiles():
    rules = CLASSIC | {"wild": "9m"}
    # 9m is two away from 7m: as itself it spoils the hand, as a wild tile it is a 5z.
    assert why("147m258p369s1234z", "9m", rules=rules) == NOT_WINNING
    won = win("147m258p369s1234z", "9m", how="self_draw", rules=rules)
    assert (won["patterns"], won["V"]) == (["thirteen_orphans"], 26)
    # In the hand it may be the 6s that is missing, and the 5z is won from another.
    assert win("1479m258p39s1234z", "5z", rules=rules)["T"] == 13
    assert why("1479m258p39s1234z", "5z", rules=CLASSIC) == NOT_WINNING


def test_r5_4_thirteen_orphans_remain():
    assert win("19m19p19s1234567z", "1z", rules=CLASSIC)["T"] == 13


# ---------------------------------------------------------------- R5.5


def test_r5_5_all_pongs():
    won = win("1199s444z", "1s", "pong 777m 0", "pong 333p 2")
    assert (won["patterns"], won["T"], won["licences"]) == (["all_pongs"], 2, ["all_pongs"])
    assert win("1199s444z", "1s", "pong 777m 0", "pong 333p 2", rules=LINGAO)["T"] == 3


def test_r5_5_kongs_are_triplets():
    kongs = ("exposed_kong 1111m 0", "added_kong 2222p 2", "concealed_kong 3333s", "exposed_kong 4444z 3")
    assert win("9s", "9s", *kongs)["patterns"] == ["all_pongs"]


def test_r5_5_one_sequence_spoils_it():
    assert win("1199s444z", "1s", "pong 777m 0", "chow 345p 0", how="self_draw")["patterns"] == ["plain"]
    assert win("99s444z78p", "6p", "pong 777m 0", "pong 333p 2", how="self_draw")["patterns"] == ["plain"]


# ---------------------------------------------------------------- R5.6


def test_r5_6_pure_suit():
    assert win("1112345567899m", "9m")["patterns"] == ["pure_suit"]
    # Melds are tiles of the hand too.
    assert win("1112345567m", "8m", "pong 999m 0", how="self_draw")["patterns"] == ["pure_suit"]
    assert win("1112345567m", "8m", "pong 999p 0", how="self_draw")["patterns"] == ["plain"]


def test_r5_6_half_flush():
    hand, tile = "1112347899m555z", "9m"
    won = win(hand, tile)  # scores as plain in Hainan, and licenses
    assert (won["patterns"], won["T"]) == (["plain"], 1)
    assert "half_flush" in won["licences"]
    assert win(hand, tile, rules=LINGAO)["patterns"] == ["half_flush"]
    # One honor meld on a hand of one suit makes it half, a second suit makes it nothing.
    assert win("1112345567m", "8m", "pong 444z 0", rules=LINGAO)["patterns"] == ["half_flush"]
    assert win("111234m78999p55z", "5z", rules=LINGAO)["patterns"] == ["plain"]  # two suits


def test_r5_6_honors_alone_are_neither():
    # 111z 222z 333z 555z and the pair 44z
    won = win("1112223344z", "3z", "pong 555z 0")
    assert (won["patterns"], won["T"]) == (["all_pongs"], 2)
    assert won["licences"] == ["dragon_set", "seat_wind_set", "round_wind_set", "all_pongs"]
    no_honors = LINGAO | {"honors_in_terminal_pongs": False}
    lingao = win("1112223344z", "3z", "pong 555z 0", rules=no_honors)
    assert (lingao["patterns"], lingao["T"]) == (["all_pongs"], 3)
    pairs = win("1122334455667z", "7z", rules=LINGAO)
    assert (pairs["patterns"], pairs["T"]) == (["seven_pairs"], 4)
    assert pairs["licences"] == ["concealed", "seven_pairs"]


# ---------------------------------------------------------------- R5.7


def test_r5_7_terminals_and_honors():
    hand, tile, melds = "111m99m44z", "4z", ("pong 111p 0", "pong 999s 2")
    strict = LINGAO | {"honors_in_terminal_pongs": False}
    won = win(hand, tile, *melds, rules=LINGAO)
    assert (won["patterns"], won["T"]) == (["terminal_pongs"], 8)  # in place of all pongs
    assert won["licences"] == ["all_pongs"]
    won = win(hand, tile, *melds, rules=strict)
    assert (won["patterns"], won["T"]) == (["all_pongs"], 3)
    # An honor pair spoils it under the strict option just as well.
    assert win("11999m11z", "1m", *melds, rules=LINGAO)["T"] == 8
    assert win("11999m11z", "1m", *melds, rules=strict)["T"] == 3
    # Terminals alone are enough under both.
    for rules in (LINGAO, strict):
        assert win("11199m99p", "9p", *melds, rules=rules)["T"] == 8


def test_r5_7_every_tile_and_only_lingao():
    melds = ("pong 111p 0", "pong 999s 2")
    assert win("111m55m44z", "4z", *melds, rules=LINGAO)["patterns"] == ["all_pongs"]  # the pair is 55m
    assert win("111m99m88p", "8p", *melds, rules=LINGAO)["patterns"] == ["all_pongs"]
    assert win("111m99m44z", "4z", *melds)["patterns"] == ["all_pongs"]  # Hainan has no such pattern


# ---------------------------------------------------------------- R5.8


def test_r5_8_highest_reading_licences_of_all():
    # 234m four times and 55m: pure suit, 2. Or seven pairs with three fours, pure: 3 x 2 = 6.
    won = win("2222333344445m", "5m")
    assert (won["patterns"], won["T"]) == (["pure_suit", "luxury_seven_pairs"], 6)
    assert won["licences"] == ["only_chows", "concealed", "eye", "pure_suit", "seven_pairs"]


def test_r5_8_seven_pairs_or_sequences():
    # 123m 123m 456p 456p 77s, or seven pairs
    won = win("112233m445566p7s", "7s")
    assert (won["patterns"], won["T"]) == (["seven_pairs"], 2)
    assert won["licences"] == ["only_chows", "concealed", "seven_pairs"]
    assert win("112233m445566p7s", "7s", rules=LINGAO)["T"] == 4
    # The standard reading's pair may be an eye; seven pairs alone have none.
    assert "eye" in win("112233m445566p8s", "8s")["licences"]


def test_r5_8_triplets_or_sequences():
    # 111m 222m 333m 777p and 99m, all pongs; or 123m three times, plain
    won = win("1112223399m777p", "3m")
    assert (won["patterns"], won["T"]) == (["all_pongs"], 2)
    assert won["licences"] == ["concealed", "all_pongs"]
    assert win("1112223399m", "3m", "pong 777p 0")["licences"] == ["all_pongs"]
    assert win("1112223399m", "3m", "pong 777p 0", rules=LINGAO)["T"] == 3
    # With 789p both readings are plain; the one with sequences alone gives the licence.
    won = win("1112223399m", "3m", "chow 789p 0")
    assert (won["patterns"], won["licences"]) == (["plain"], ["only_chows"])


def test_r5_8_at_equal_scores_most_patterns():
    # 111m 222m 333m 777m 55m, or 123m three times: under `max` both are 2, two patterns go first.
    hand, tile = "1112223335577m", "7m"
    for stacking, points in (("multiply", 4), ("add", 4), ("max", 2)):
        won = win(hand, tile, rules={"stacking": stacking})
        assert (won["patterns"], won["T"]) == (["all_pongs", "pure_suit"], points)


def test_r5_8_triplet_and_sequence_share_a_kind():
    # 333p 345p 666s 888m 55z, with two of the sets open or none
    open_sets = ("pong 666s 0", "pong 888m 2")
    assert why("33345p55z", "3p", *open_sets) == NO_LICENCE  # 333p 345p 55z
    assert why("33345p55z", "6p", *open_sets) == NO_LICENCE  # 333p 456p 55z
    won = win("33345p55z", "5z", *open_sets)  # 555z 345p 33p
    assert (won["patterns"], won["licences"]) == (["plain"], ["dragon_set"])
    for tile in ("2p", "4p", "5p", "7p"):
        assert why("33345p55z", tile, *open_sets) == NOT_WINNING
    won = win("33345p666s888m55z", "3p")
    assert (won["patterns"], won["licences"], won["T"]) == (["plain"], ["concealed"], 1)


@pytest.mark.parametrize(
    ("hand", "tile", "patterns", "licences"),
    [
        ("2333m444666p777s", "1m", ["plain"], ["concealed"]),  # 123m 33m
        ("2333m444666p777s", "2m", ["all_pongs"], ["concealed", "eye", "all_pongs"]),  # 22m 333m
        ("2333m444666p777s", "4m", ["plain"], ["concealed"]),  # 234m 33m
        ("1333m444666p777s", "1m", ["all_pongs"], ["concealed", "all_pongs"]),  # 11m 333m
        ("1333m444666p777s", "2m", ["plain"], ["concealed"]),  # 123m 33m
        ("1233m444666p777s", "3m", ["plain"], ["concealed"]),  # 123m 33m
    ],
)
def test_r5_8_the_winning_tile_decides_the_reading(hand, tile, patterns, licences):
    won = win(hand, tile)
    assert (won["patterns"], won["licences"]) == (patterns, licences)
    assert won["T"] == (2 if patterns == ["all_pongs"] else 1)


@pytest.mark.parametrize(
    ("hand", "tile"), [("2333m444666p777s", "3m"), ("1333m444666p777s", "3m"), ("1233m444666p777s", "1m")]
)
def test_r5_8_no_reading_no_win(hand, tile):
    assert why(hand, tile) == NOT_WINNING


# ---------------------------------------------------------------- R5.9: which kind


@pytest.mark.parametrize("shown", ["9s", "1m", "7z"])
def test_r5_9_indicator(shown):
    # The last tile of the wall is a flower, so the one before it is shown; 91 tiles become 90.
    table = stacked_table(back=f"1f{shown}", wild="indicator")
    event = next(event for event in table.events() if event["type"] == "indicator")
    assert (event["tile"], event["wild"]) == (shown, shown)
    assert table.remaining == 90
    assert stacked_table(back=f"1f{shown}").remaining == 91


@pytest.mark.parametrize(
    ("shown", "wild"),
    [
        ("1m", "2m"), ("9m", "1m"), ("9p", "1p"), ("9s", "1s"),
        ("1z", "2z"), ("3z", "4z"), ("4z", "1z"),
        ("7z", "6z"), ("6z", "5z"), ("5z", "7z"),
    ],
)  # fmt: skip
def test_r5_9_next_in_its_own_cycle(shown, wild):
    table = stacked_table(back=shown, wild="next")
    event = next(event for event in table.events() if event["type"] == "indicator")
    assert (event["tile"], event["wild"]) == (shown, wild)
    assert table.remaining == 90


def test_r5_9_indicator_goes_before_the_flowers():
    # The dealer's flower is replaced by the tile after the indicator: 91 - 1 - 1.
    table = stacked_table(["1f"], back="9s5p", wild="indicator")
    kinds = [event["type"] for event in table.events()]
    assert kinds[:4] == ["deal", "indicator", "flower", "draw"]
    assert [event["tile"] for event in table.events()[1:4]] == ["9s", "1f", "5p"]
    assert table.remaining == 89


def test_r5_9_fixed_kind_takes_no_tile_out():
    table = stacked_table(back="9s", wild="5z")
    assert table.remaining == 91
    assert all(event["type"] != "indicator" for event in table.events())


# ---------------------------------------------------------------- R5.9: claims and kongs


def offered(table, number):
    """What a seat may do with the tile just discarded."""
    return texts(table, number) if "pass" in texts(table, number) else []


def test_r5_9_discarded_wild_is_not_chowed_ponged_or_konged():
    hands = ["5p", "46555p19m147s123z"]
    plain = stacked_table(hands)
    plain.act(0, "discard 5p")
    assert offered(plain, 1) == ["chow 46p", "pong", "kong", "pass"]
    table = stacked_table(hands, wild="5p")
    assert "discard 5p" in texts(table, 0)  # it may be discarded
    table.act(0, "discard 5p")
    assert offered(table, 1) == []


@pytest.mark.parametrize(
    ("hand", "without"),
    [
        ("455p19m147s1234z6z", ["chow 45p", "pass"]),
        ("3555p19m147s1234z", []),
        ("3355p19m147s1234z", ["pong", "pass"]),
    ],
)
def test_r5_9_wild_tile_of_the_hand_is_in_no_chow_pong_or_kong(hand, without):
    plain = stacked_table(["3p", hand])
    plain.act(0, "discard 3p")
    assert offered(plain, 1) == without
    # Wild 5p: no chow with it, no pong of one 3p and a wild tile, no kong of two and a wild tile.
    table = stacked_table(["3p", hand], wild="5p")
    table.act(0, "discard 3p")
    assert offered(table, 1) == (["pong", "pass"] if hand.startswith("33") else [])


def test_r5_9_no_concealed_kong_of_wild_tiles():
    assert "kong 5p" in texts(stacked_table(["5555p"]), 0)
    assert "kong 5p" not in texts(stacked_table(["5555p"], wild="5p"), 0)
    # Nor do three of a kind and a wild tile make one.
    assert "kong 3p" not in texts(stacked_table(["3335p19m147s1234z6z"], wild="5p"), 0)


def test_r5_9_discarded_wild_is_won_as_its_own_kind():
    rules = {"wild": "5m"}
    # 46m waits on 5m itself; 34s waits on 2s and 5s, which a drawn 5m may be but a discarded one not.
    assert win("46m123456p789s22z", "5m", rules=rules)["patterns"] == ["plain"]
    assert why("34s123456p789m22z", "5m", rules=rules) == NOT_WINNING
    assert win("34s123456p789m22z", "5m", how="self_draw", rules=rules)["patterns"] == ["plain"]
    # 46m and a wild 5m in the hand: the discarded 5m fills 456m, the wild one pairs the 1z.
    assert win("456m123456p789s1z", "5m", rules=rules)["patterns"] == ["plain"]
    # Two gaps, 34s and 12p, and one wild 5m in the hand: a second one must be drawn to be wild.
    assert why("34s12456p5789m11z", "5m", rules=rules) == NOT_WINNING
    assert win("34s12456p5789m11z", "5m", how="self_draw", rules=rules)["patterns"] == ["plain"]


def test_r5_9_offered_at_the_table_as_its_own_kind():
    # Both wait with two tiles around a gap: seat 1 on 5m, seat 2 on 5s.
    hands = ["5m", "46m123p456p789s22z", "46s123p456p789m33z"]
    table = stacked_table(hands, wild="5m")
    table.act(0, "discard 5m")
    assert offered(table, 1) == ["win", "pass"]
    assert offered(table, 2) == []


# ---------------------------------------------------------------- R5.9: what it stands for

WILD_5Z = {"wild": "5z"}


def test_r5_9_fifth_copy():
    # 123456789m 111p 1p: the wild tile is the fifth 1p.
    won = win("123456789m1p", "5z", "pong 111p 0", how="self_draw", rules=WILD_5Z)
    assert won["patterns"] == ["plain"]
    assert why("123456789m1p", "5z", "pong 111p 0", rules=WILD_5Z) == NOT_WINNING
    # With 3333p konged, 12p takes the wild tile as the fifth 3p.
    won = win("12p11456789s", "5z", "exposed_kong 3333p 0", how="self_draw", rules=WILD_5Z)
    assert won["patterns"] == ["plain"]


def test_r5_9_own_kind_too():
    # 13s waits on 2s alone, and 2s is wild.
    assert win("13s123456p789m22z", "2s", how="self_draw", rules={"wild": "2s"})["patterns"] == ["plain"]


def test_r5_9_kinds_taken_out_of_play():
    rules = {"wild": "5m", "no_honors": True}
    # 123p 456p 789s 11p and three wild tiles, as any set whatever: also of honors that aren't in the wall
    won = win("11123456p789s55m", "5m", how="self_draw", rules=rules)
    expected = ["only_chows", "concealed", "eye", "dragon_set", "seat_wind_set", "round_wind_set"]
    assert (won["patterns"], won["licences"]) == (["plain"], expected)


def test_r5_9_seven_pairs_and_luxury():
    # One wild tile pairs the odd 2z; a second pair of wild tiles joins another pair: luxury.
    assert win("1133m5577p99s11z5z", "2z", rules=WILD_5Z)["patterns"] == ["seven_pairs"]
    won = win("1133m5577p99s2z55z", "2z", rules=WILD_5Z)
    assert (won["patterns"], won["T"]) == (["luxury_seven_pairs"], 3)
    # Three alike and a wild tile are a four.
    assert win("1113m5577p99s11z5z", "3m", rules=WILD_5Z)["patterns"] == ["luxury_seven_pairs"]
    # Six alike: four 1m and two wild tiles are three pairs, and luxury once.
    assert win("111133m5577p9s55z", "9s", rules=WILD_5Z)["T"] == 3


def test_r5_9_thirteen_orphans():
    # 5z is missing and wild 2s stands for it.
    assert win("19m19p129s123467z", "1m", rules={"wild": "2s"})["T"] == 13
    assert why("19m19p129s123467z", "1m") == NOT_WINNING


def test_r5_9_colours():
    # 123456789m 11m 99m and a wild tile: 111m or 999m, all of one suit
    won = win("1112345678999m", "5z", how="self_draw", rules=WILD_5Z)
    assert won["patterns"] == ["pure_suit"]
    # A pair of wild tiles may be honors or not: the higher is scored, both license.
    won = win("111123456789m5z", "5z", how="self_draw", rules=LINGAO | WILD_5Z)
    assert (won["patterns"], won["T"]) == (["pure_suit"], 5)
    assert {"half_flush", "pure_suit"} <= set(won["licences"])


def test_r5_9_every_substitution():
    # The wild tile joins the 44z or the 66z: all pongs either way, with the dragon set one way only.
    won = win("111m222p333s44z56z", "6z", rules=WILD_5Z)
    assert (won["patterns"], won["licences"]) == (["all_pongs"], ["concealed", "dragon_set", "all_pongs"])


def test_r5_9_suited_eye_licenses():
    melds = ("pong 777p 0", "pong 333s 2")
    # 123m 456m and 2s with a wild tile: the pair 22s. With 1s it licenses nothing.
    assert win("12345m2s5z", "6m", *melds, rules=WILD_5Z)["licences"] == ["eye"]
    assert why("12345m1s5z", "6m", *melds, rules=WILD_5Z) == NO_LICENCE


def test_r5_9_dragon_set_licenses_and_the_fan_rule_stays():
    melds = ("pong 777p 0", "pong 333s 2")
    # 456m, 666z with the wild tile and 99s; with 44z in their place nothing licenses seat 1.
    assert win("45m99s66z5z", "6m", *melds, rules=WILD_5Z)["licences"] == ["dragon_set"]
    assert why("45m99s44z5z", "6m", *melds, rules=WILD_5Z) == NO_LICENCE
    assert win("45m99s44z5z", "6m", *melds, how="self_draw", rules=WILD_5Z)["licences"] == []


def test_r5_9_none_means_none():
    assert why("34s123456p789m22z", "5z", how="self_draw") == NOT_WINNING
    assert win("34s123456p789m22z", "5z", how="self_draw", rules=WILD_5Z)["T"] == 1


def test_r5_9_kind_of_a_request():
    for mode in ("indicator", "next"):
        assert win("34s123456p789m22z", "5m", how="self_draw", rules={"wild": mode}, wild="5m")["T"] == 1
        with pytest.raises(ScoreError, match=r"wild: .*R5\.9"):
            one("34s123456p789m22z", "5m", how="self_draw", rules={"wild": mode})
    with pytest.raises(ScoreError, match=r"wild tile is never in a meld \(R5\.9\)"):
        one("34s123456p22z", "5s", "chow 567m 0", rules={"wild": "5m"})
    # Under `indicator` one of the four lies beside the wall.
    four = {1: seat("55m34s123456p789m"), 2: seat("55m")}
    with pytest.raises(ScoreError, match=r"a fourth 5m: .*R5\.9"):
        ask("self_draw 2s by 1", four, {"wild": "indicator"}, wild="5m")
    assert ask("self_draw 2s by 1", four, {"wild": "next"}, wild="5m")["legal"]
