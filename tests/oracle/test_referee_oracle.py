"""The referee against the record examples, against itself, and on a few stacked walls."""

from __future__ import annotations

import json
import random
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from .referee import (
    BIASES,
    FLOWERS,
    KINDS,
    Referee,
    in_order,
    is_complete,
    next_kind,
    random_play,
    random_record,
    random_rules,
    read_tiles,
    replay,
    suited_style,
    tiles_in_play,
)
from .scoring import PRESETS, is_win, parse_tiles, resolve

Json = dict[str, Any]

EXAMPLES = Path(__file__).parent.parent / "data" / "record_examples.jsonl"
EXAMPLE_LINES = EXAMPLES.read_text(encoding="utf-8").splitlines()


@pytest.mark.parametrize("number", range(len(EXAMPLE_LINES)))
def test_record_example(number: int) -> None:
    example = json.loads(EXAMPLE_LINES[number])
    lists, end = replay(example["record"])
    assert len(lists) == len(example["legal"])
    for step, (ours, theirs) in enumerate(zip(lists, example["legal"], strict=True)):
        assert ours == theirs, f"legal list {step}"
    if example["end"] is None:
        assert end is None
    else:
        assert end is not None
        assert {key: end[key] for key in ("by", "from", "tile", "way", "payments")} == {
            key: example["end"][key] for key in ("by", "from", "tile", "way", "payments")
        }
        assert end["winners"] == example["end"]["winners"]


@pytest.mark.parametrize("seed", range(60))
def test_random_hand(seed: int) -> None:
    """Zero sum, no tile lost or made, every seat that is listed has a choice, and replay agrees."""
    rng = random.Random(seed)
    bias = BIASES[seed % len(BIASES)]
    record = random_record(rng, bias)
    played = random_play(record, rng, suited_style(rng, bias))
    everything = in_order(read_tiles(record["wall"]))
    assert everything == tiles_in_play(resolve(record["rules"], record["players"]))
    referee = Referee(record)
    for seat, text in played["actions"]:
        legal = referee.legal()
        assert legal
        assert all(actions and len(set(actions)) == len(actions) for actions in legal.values())
        assert all(actions[-1] == "pass" for actions in legal.values()) == (referee.phase == "window")
        referee.act(seat, text)
        assert referee.census() == everything
        assert referee.phase == "ga" or referee.remaining >= 15
    assert referee.over
    assert referee.legal() == {}
    end = referee.end()
    assert sum(end["payments"]) == 0
    owed = [0] * record["players"]
    for item in end["items"]:
        owed[item["payer"]] -= item["points"]
        owed[item["payee"]] += item["points"]
    assert owed == end["payments"]
    assert replay(played)[1] == end


def test_random_rules_reach_every_option() -> None:
    rng = random.Random(1)
    seen: set[tuple[str, Any]] = set()
    for _ in range(1500):
        players = rng.choice([3, 4])
        rules = random_rules(rng, players)
        seen |= {(name, value) for name, value in rules.items() if name != "wild"}
        wild = rules.get("wild", "none")
        seen.add(("wild", wild if wild in ("none", "indicator", "next") else "fixed"))
        options = resolve(rules, players)
        assert not (options["follow"] and players == 3)
        assert not (options["four_melds"] and not options["meld_liability"])
        if options["preset"] == "hainan":
            assert options["dealer_bonus"] != options["dealer_streak"]
        assert options["wild"] in ("none", "indicator", "next") or options["wild"] in tiles_in_play(options)
    for name, value in PRESETS["hainan"].items():
        if isinstance(value, bool):
            assert (name, True) in seen
            assert name in ("no_honors", "no_winds") or (name, False) in seen
    for value in ("indicator", "next", "fixed", "none"):
        assert ("wild", value) in seen
    for value in ("none", "locked", "higher_only"):
        assert ("missed_win", value) in seen


def test_complete_hands_agree_with_the_scorer() -> None:
    """Two ways to ask whether a hand wins (section 5), with up to two wild tiles."""
    rng = random.Random(7)
    found = Counter[bool]()
    for _ in range(400):
        wild = rng.choice([None, *KINDS])
        suits = rng.choice(["m", "mz", "mps", "z", "mpsz"])
        pool = [kind for kind in KINDS if kind[1] in suits and kind != wild]
        melds = rng.randint(0, 4) if rng.random() < 0.5 else 0
        size = 14 - 3 * melds
        hand: list[str] = []
        while len(hand) < size:
            kind = rng.choice(pool)
            group = [[kind] * 2, [kind] * 3, [kind]][rng.randrange(3)]
            if kind[1] != "z" and kind[0] < "8" and rng.random() < 0.5:
                group = [kind, f"{int(kind[0]) + 1}{kind[1]}", f"{int(kind[0]) + 2}{kind[1]}"]
            hand += group
        rng.shuffle(hand)
        hand = hand[:size]
        tile = None
        if wild is not None:
            for place in range(rng.randint(0, 2)):
                hand[place] = wild
        natural = rng.random() < 0.4
        if natural:
            tile = hand.pop()
        options = {**resolve({}, 4), "scattered_thirteen": rng.random() < 0.5}
        ours = is_complete(hand, melds, tile, wild, options)
        concealed = [parse_tiles(one)[0] for one in hand + ([tile] if tile else [])]
        fake = [{"kind": "pong", "tiles": "111z", "from": 1}] * melds
        theirs = is_win(
            concealed,
            fake,
            parse_tiles(wild)[0] if wild else None,
            parse_tiles(tile)[0] if tile and tile == wild else None,
            options,
        )
        assert ours == theirs, (hand, melds, tile, wild)
        found[ours] += 1
    assert found[True] > 40
    assert found[False] > 40


def test_next_kind() -> None:
    """R5.9: 9 goes to 1, North to East, 中 to 发 to 白 to 中."""
    assert [next_kind(kind) for kind in ("9m", "4p", "4z", "1z")] == ["1m", "5p", "1z", "2z"]
    assert [next_kind(kind) for kind in ("7z", "6z", "5z")] == ["6z", "5z", "7z"]


# -- stacked walls ----------------------------------------------------------------------------------


def stacked(rules: Json, hands: list[str], front: str = "", back: str = "") -> Json:
    """A record, seat 0 dealing, in which the seats are dealt these hands and `front` is drawn first.

    `back` ends the wall. Flowers not named lie together in the middle of the rest.
    """
    players = len(hands)
    dealt = [read_tiles(hand) for hand in hands]
    assert [len(hand) for hand in dealt] == [14] + [13] * (players - 1)
    pool = Counter(tiles_in_play(resolve(rules, players)))
    first, last = read_tiles(front), read_tiles(back)
    for tiles in [*dealt, first, last]:
        pool.subtract(tiles)
    assert min(pool.values()) >= 0
    rest = list(pool.elements())
    random.Random(5).shuffle(rest)
    rest = [tile for tile in rest if tile not in FLOWERS]
    flowers = [tile for tile in FLOWERS if pool[tile]]
    half = len(rest) // 2
    rest = rest[:half] + flowers + rest[half:]
    wall: list[str] = []
    for turn in range(3):
        for hand in dealt:
            wall += hand[4 * turn : 4 * turn + 4]
    wall += [hand[12] for hand in dealt] + [dealt[0][13]]
    return {
        "format": "hainan-record/1",
        "rules": rules,
        "players": players,
        "dealer": 0,
        "streak": 0,
        "round_wind": "1z",
        "ga_floor": [0] * players,
        "dice": [1, 1],
        "wall": "".join(wall + first + rest + last),
        "actions": [],
    }


def play(referee: Referee, *actions: tuple[int, str]) -> None:
    for seat, text in actions:
        referee.act(seat, text)


JUNK = ["147m258p369s1234z", "258m369p147s1234z", "369m147p258s1234z"]


def test_follow_is_paid() -> None:
    """R8.19: four East in a row; the lead's owner pays although the hand is drawn."""
    rules = {"preset": "hainan", "ga": False}
    referee = Referee(stacked(rules, ["1z147m258p369s2345z", *JUNK], "5z6z6z"))
    play(referee, *[(seat, "discard 1z") for seat in range(4)])
    assert referee.followed == [0]
    assert referee.turn == 0


def test_follow_moves_to_the_claimer() -> None:
    """R8.19: the lead is ponged, so the claimer's next discard leads, and is followed."""
    rules = {"preset": "hainan", "ga": False}
    hands = ["5z147m258p369s2341z", "55z147m258p369s12z", "147m258p369s1267z", "369m147p258s5621z"]
    referee = Referee(stacked(rules, hands, "7z6z"))
    play(referee, (0, "discard 5z"), (1, "pong"), (1, "discard 1z"))
    play(referee, (2, "discard 1z"), (3, "discard 1z"))
    assert referee.followed == []
    referee.act(0, "discard 1z")
    assert referee.followed == [1]


@pytest.mark.parametrize("kind", ["none", "locked", "higher_only"])
def test_passed_win(kind: str) -> None:
    """R9.1, R9.2: a passed win bars others' tiles (of no higher V); his own turn and discard lift it."""
    rules = {"preset": "hainan", "ga": False, "ready": False, "missed_win": kind}
    waiting = "123m456p789s1155z"  # waits on East and white
    hands = ["1z147m258p369s2346z", "5z258m369p147s234z", waiting, "369m147p258s2345z"]
    referee = Referee(stacked(rules, hands, "6z7z6z7z9m"))
    referee.act(0, "discard 1z")
    assert referee.legal() == {2: ["pong", "win", "pass"]}
    referee.act(2, "pass")
    referee.act(1, "discard 5z")
    assert referee.legal() == {2: ["pong", "win", "pass"] if kind == "none" else ["pong", "pass"]}
    referee.act(2, "pass")
    play(referee, (2, "discard 7z"), (3, "discard 5z"))
    assert referee.legal() == {2: ["pong", "win", "pass"]}


@pytest.mark.parametrize(("kind", "free"), [("locked", True), ("higher_only", False)])
def test_discard_of_the_player_let_off(kind: str, free: bool) -> None:
    """R9.1: that discard may be won, though he himself has not discarded since; under R9.2 it may not."""
    rules = {"preset": "hainan", "ga": False, "ready": False, "missed_win": kind}
    hands = ["15z2247m58p369s344z", "2m58m369p147s2367z", "369m147p258s2346z", "123m456p789s1155z"]
    referee = Referee(stacked(rules, hands, "6z"))
    play(referee, (0, "discard 1z"), (3, "pass"), (1, "discard 2m"), (0, "pong"), (0, "discard 5z"))
    assert referee.legal() == {3: ["pong", "win", "pass"] if free else ["pong", "pass"]}


def test_robbing_voids_the_kong() -> None:
    """R3.7: the fourth tile is robbed; the meld stays a pong."""
    rules = {"preset": "hainan", "ga": False, "ready": False}
    hands = ["5p147m28p36s234556z", "55p147m28p36s1447z", "46p789m111s555s22z", "258m369p147s2367z"]
    referee = Referee(stacked(rules, hands, "6z7z6z5p"))
    referee.act(0, "discard 5p")
    assert referee.legal()[2] == ["win", "pass"]
    play(referee, (1, "pong"), (2, "pass"), (1, "discard 1m"))
    play(referee, (2, "discard 6z"), (3, "discard 7z"), (0, "discard 6z"))
    referee.act(1, "kong 5p")
    assert referee.legal() == {2: ["win", "pass"]}
    referee.act(2, "win")
    end = referee.end()
    assert (end["by"], end["from"], end["tile"]) == ("rob", 1, "5p")
    assert [meld.kind for meld in referee.seats[1].melds] == ["pong"]


def test_wild_tiles_are_not_claimed() -> None:
    """R5.9: a discarded wild tile is asked of those alone whom it completes as its own kind."""
    rules = {"preset": "hainan-classic", "wild": "5m"}
    hands = ["5m147m258p369s2345z", "46m55m258p369s123z", "46m123456p789s99p", "369m147p258s2345z"]
    referee = Referee(stacked(rules, hands))
    referee.act(0, "discard 5m")
    assert referee.legal() == {2: ["win", "pass"]}


def test_indicator_comes_out_before_the_flowers() -> None:
    """R5.9: the last non-flower is shown, and the flower behind it is drawn as a replacement."""
    rules = {"preset": "hainan-classic", "wild": "next"}
    hands = ["1f147m258p369s2345z", *JUNK]
    referee = Referee(stacked(rules, hands, "", "9p7z2f"))
    assert (referee.indicator, referee.wild) == ("7z", "6z")
    assert referee.seats[0].flowers == ["1f", "2f"]
    assert "9p" in referee.seats[0].hand
    assert referee.remaining == 144 - 53 - 1 - 2


READY_OTHERS = ("1z17m15p369s234567z", "17m15p147s23456z", "17m15p258s234567z")


def ready_table(pair: str, second: str, front: str, **options: Any) -> Referee:
    """Seat 1 has declared ready, waiting on 1m and 4m; `second` is one more tile for seat 2."""
    rules = {"preset": "hainan-classic", "scattered_thirteen": False, "ready": True, **options}
    one = "23444m999p678s" + pair
    hands = [READY_OTHERS[0], one, second + READY_OTHERS[1], READY_OTHERS[2]]
    referee = Referee(stacked(rules, hands, "5s" + front))
    referee.act(0, "discard 1z")
    assert "ready 5s" in referee.legal()[1]
    assert "ready 9p" not in referee.legal()[1]
    referee.act(1, "ready 5s")
    return referee


@pytest.mark.parametrize(
    ("pair", "options", "offered"),
    [("33p", {}, False), ("33p", {"require_fan": False}, True), ("22p", {}, True)],
)
def test_ready_exposed_kong(pair: str, options: Json, offered: bool) -> None:
    """R7.6: same waits; and a licence, which only 22p gives once the kong has opened the hand."""
    referee = ready_table(pair, "9p", "1z", **options)
    referee.act(2, "discard 9p")
    assert referee.legal().get(1) == (["kong", "pass"] if offered else None)


@pytest.mark.parametrize(
    ("drawn", "legal"),
    [("9p", ["discard 9p", "kong 9p"]), ("4m", ["discard 4m", "win"]), ("8p", ["discard 8p"])],
)
def test_ready_turn(drawn: str, legal: list[str]) -> None:
    """R7.6: the last tile drawn, a win, or a kong that keeps the waits (4444m would lose 4m)."""
    referee = ready_table("33p", "2s", "1z1z7z" + drawn)
    play(referee, (2, "discard 1z"), (3, "discard 1z"), (0, "discard 7z"))
    assert referee.legal() == {1: legal}


def test_flower_at_the_end_of_the_wall() -> None:
    """R4.2: with fifteen left a drawn flower is laid out, counts, and ends the hand."""
    rules = {"preset": "hainan-classic"}
    record = stacked(rules, ["147m258p369s12345z", *JUNK])
    wall = read_tiles(record["wall"])
    head, flowers = wall[:53], [tile for tile in wall if tile in FLOWERS]
    rest = [tile for tile in wall[53:] if tile not in FLOWERS]
    # 91 left: 75 plain draws, then a flower as the sixteenth from the end.
    record["wall"] = "".join(head + rest[:75] + flowers[:1] + rest[75:] + flowers[1:])
    referee = Referee(record)
    rng = random.Random(0)
    while not referee.over:
        seat = rng.choice(sorted(referee.legal()))
        actions = referee.legal()[seat]
        discards = [text for text in actions if text.startswith("discard")]
        referee.act(seat, rng.choice(discards or ["pass"]))
    assert referee.end()["by"] == "draw"
    assert referee.remaining == 15
    assert sum(len(seat.flowers) for seat in referee.seats) == 1


def test_early_resolution() -> None:
    """R3.4: a pong acts at once when nobody could win, though a chow is unanswered; a chow waits."""
    rules = {"preset": "hainan-classic"}
    hands = ["5p147m28p369s23456z", "46p147m28p369s123z", "55p258m3p69s12347z", "258m369p147s2367z"]
    referee = Referee(stacked(rules, hands))
    referee.act(0, "discard 5p")
    assert referee.legal() == {1: ["chow 46p", "pass"], 2: ["pong", "pass"]}
    referee.act(1, "chow 46p")
    assert referee.legal() == {2: ["pong", "pass"]}
    referee.act(2, "pong")
    assert referee.turn == 2
    assert referee.phase == "turn"
    with pytest.raises(ValueError, match="not legal"):
        referee.act(1, "pass")
