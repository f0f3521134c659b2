"""The slow checker against the worked examples, and against itself on random requests."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

import pytest

from .requests import random_request
from .scoring import (
    PRESETS,
    completing_kinds,
    evaluate,
    flower_factor,
    parse_tiles,
    resolve,
    score,
    tiles_text,
    wild_kind,
)

EXAMPLES = Path(__file__).parent.parent / "data" / "score_examples.jsonl"


def load_examples() -> list[dict[str, Any]]:
    return [json.loads(line) for line in EXAMPLES.read_text(encoding="utf-8").splitlines()]


def check_sums(answer: dict[str, Any]) -> None:
    """F2: every point of the payments is in the items, and the payments sum to zero."""
    assert sum(answer["payments"]) == 0
    sums = [0] * len(answer["payments"])
    for entry in answer["items"]:
        assert entry["points"] > 0
        assert entry["payer"] != entry["payee"]
        sums[entry["payer"]] -= entry["points"]
        sums[entry["payee"]] += entry["points"]
    assert sums == answer["payments"]


@pytest.mark.parametrize("example", load_examples(), ids=lambda example: str(example["id"]))
def test_example(example: dict[str, Any]) -> None:
    answer = score(example["request"])
    assert answer["legal"] is example.get("legal", True)
    if answer["legal"]:
        assert answer["payments"] == example["payments"]
        check_sums(answer)
    else:
        assert answer == {"legal": False, "why": "no licence (R6.1)"}


def check_valid(request: dict[str, Any]) -> None:
    """What F2 and section 10 call bad input, as far as a generator could slip."""
    players = request.get("players", 4)
    rules = request["rules"]
    options = resolve(rules, players)
    if options["preset"] == "hainan":
        assert options["dealer_bonus"] != options["dealer_streak"]
    assert not (options["follow"] and players == 3)
    assert not (options["four_melds"] and not options["meld_liability"])
    assert not ("hands" in rules and "rounds" in rules)
    if options["wild"] == "none" or (options["wild"] in ("indicator", "next")):
        assert (request.get("wild") is None) == (options["wild"] == "none")
    wild = wild_kind(request.get("wild"), options)
    seats = request["seats"]
    end = request["end"]
    assert len(seats) == players
    assert 0 <= request.get("dealer", 0) < players
    assert len(request.get("ga", [0] * players)) == players
    used: Counter[int] = Counter()
    for number, seat in enumerate(seats):
        hand = parse_tiles(seat.get("hand", ""))
        melds = seat.get("melds", [])
        limit = 13 - 3 * len(melds)
        assert len(hand) <= limit
        assert len(hand) == limit or number not in end["winners"]
        used.update(hand)
        used.update(parse_tiles(seat.get("flowers", "")))
        assert all(flower >= 34 for flower in parse_tiles(seat.get("flowers", "")))
        for meld in melds:
            tiles = parse_tiles(meld["tiles"])
            used.update(tiles)
            assert wild not in tiles
            if meld["kind"] == "chow":
                assert tiles[0] in [*range(7), *range(9, 16), *range(18, 25)]
                assert tiles == [tiles[0], tiles[0] + 1, tiles[0] + 2]
                assert meld["from"] == (number - 1) % players
            else:
                assert tiles == [tiles[0]] * (3 if meld["kind"] == "pong" else 4)
                assert ("from" in meld) == (meld["kind"] != "concealed_kong")
                assert meld.get("from") != number
            assert "back" not in meld or meld["kind"] == "added_kong"
    if end["by"] == "draw":
        assert end["winners"] == []
    else:
        used.update(parse_tiles(end["tile"]))
        assert len(set(end["winners"])) == len(end["winners"]) > 0
        assert end.get("from") not in end["winners"]
        assert len(end["winners"]) == 1 or (options["multiple_wins"] and end["by"] != "self_draw")
    if end["by"] == "rob":
        pong = tiles_text(parse_tiles(end["tile"]) * 3)
        assert any(m["kind"] == "pong" and m["tiles"] == pong for m in seats[end["from"]]["melds"])
    for kind, count in used.items():
        assert count <= (1 if kind >= 34 else 3 if kind == wild and options["wild"] == "indicator" else 4)
        assert not (options["no_honors"] and 27 <= kind < 34)
        assert not (options["no_winds"] and 27 <= kind < 31)


def test_random_requests() -> None:
    rng = Random(20240607)
    seen: Counter[str] = Counter()
    for _ in range(500):
        request = random_request(rng)
        check_valid(request)
        json.dumps(request)
        answer = score(request)
        if not answer["legal"]:
            seen[answer["why"]] += 1
            continue
        check_sums(answer)
        for winner in answer["winners"]:
            seen.update(winner["patterns"])
            seen.update(winner["licences"])
        seen.update(entry["rule"] for entry in answer["items"])
    for name in ("no licence (R6.1)", "not a winning hand (R5)", "plain", "all_pongs", "seven_pairs", "R8.7"):
        assert seen[name] > 0


def test_generator_is_valid() -> None:
    rng = Random(7)
    for _ in range(3000):
        check_valid(random_request(rng))


def hand(
    text: str, preset: str = "hainan", wild: str | None = None, natural: str | None = None, **rules: Any
) -> tuple[list[str], list[str], int]:
    """Patterns, licences and T of a concealed hand of West, in the East round, with no flowers."""
    options = resolve({"preset": preset, **rules}, 4)
    found = evaluate(
        parse_tiles(text),
        [],
        parse_tiles(wild)[0] if wild else None,
        parse_tiles(natural)[0] if natural else None,
        options,
        position=2,
        round_wind=27,
        flowers=[],
    )
    return list(found.patterns), list(found.licences), found.T


def test_readings() -> None:
    """R5.8: several readings; licences of all of them."""
    assert hand("111222333m456p77s") == (["plain"], ["only_chows", "concealed"], 1)
    assert hand("111222333444m55p") == (["all_pongs"], ["concealed", "eye", "all_pongs"], 2)
    assert hand("111222333m44455p")[1] == ["concealed", "eye", "all_pongs"]
    assert hand("111222333m45622p")[1] == ["only_chows", "concealed", "eye"]
    assert hand("333345p666s888m55z")[0] == ["plain"]
    assert hand("22223333444455m", "lingao")[::2] == (["pure_suit", "luxury_seven_pairs"], 25)
    assert hand("22223333444455m", stacking="add")[::2] == (["pure_suit", "luxury_seven_pairs"], 5)
    assert hand("111z222z333z444z55z", "lingao")[::2] == (["terminal_pongs"], 8)
    assert hand("111m999m111z222z33z", "lingao")[::2] == (["half_flush", "terminal_pongs"], 16)
    assert hand("111m999m111z222z33z", "lingao", honors_in_terminal_pongs=False)[::2] == (
        ["all_pongs", "half_flush"], 6
    )  # fmt: skip
    assert hand("147m258p369s12345z", "hainan-classic")[::2] == (["thirteen_orphans"], 13)
    assert hand("147m258p369s12345z")[0] == []
    assert hand("19m19p19s12345677z")[::2] == (["thirteen_orphans"], 13)
    assert hand("123m456m789m12p99s") == ([], [], 0)


def test_wild_tiles() -> None:
    """R5.9: wild tiles stand for anything, a won discarded one for itself."""
    assert hand("123m456m789m12p99s3p")[0] == ["plain"]
    assert hand("123m456m789m12p99s5z", wild="5z")[0] == ["plain"]
    assert hand("123m456m789m12p99s5z", wild="5z", natural="5z")[0] == []
    assert hand("1133557799m1122p5z"[:-2] + "5z", wild="5z")[0] == []  # 15 tiles
    assert hand("1133557799m112p5z", wild="5z")[0] == ["seven_pairs"]
    assert hand("1111m33557799m5z5z", "lingao", wild="5z")[0] == ["pure_suit", "luxury_seven_pairs"]
    options = resolve({"wild": "5z"}, 4)
    assert completing_kinds(parse_tiles("123m456m789m99s12p"), [], 31, options) == parse_tiles("3p")
    assert completing_kinds(parse_tiles("123m456m789m99s1p5z"), [], 31, options) == parse_tiles("123p9s")


def test_presets_name_the_same_options() -> None:
    names = {frozenset(preset) for preset in PRESETS.values()}
    assert len(names) == 1


def request_of(end: dict[str, Any], seats: dict[int, dict[str, Any]], **rest: Any) -> dict[str, Any]:
    return {"seats": [seats.get(seat, {}) for seat in range(4)], "end": end, **rest}


def paid(request: dict[str, Any]) -> list[tuple[int, int, int, str, int, str]]:
    answer = score(request)
    check_sums(answer)
    return [
        (entry["payer"], entry["payee"], entry["points"], entry["for"], entry["of"], entry["rule"])
        for entry in answer["items"]
    ]


def fed(seat: int) -> list[dict[str, Any]]:
    return [{"kind": "pong", "tiles": tiles, "from": seat} for tiles in ("111m", "444p", "777s", "222z")]


def test_four_melds() -> None:
    """R8.8: who fed the winner, before who was fed by him; and four_melds_any."""
    other = [{"kind": "pong", "tiles": tiles, "from": 2} for tiles in ("333m", "666p", "999s", "333z")]
    end: dict[str, Any] = {"by": "self_draw", "tile": "5s", "winners": [2]}
    seats: dict[int, dict[str, Any]] = {2: {"hand": "5s", "melds": fed(1)}, 3: {"melds": other}}
    assert paid(request_of(end, seats)) == [
        (1, 2, 4, "win", 3, "R8.8"),
        (1, 2, 8, "win", 0, "R8.8"),
        (1, 2, 4, "win", 1, "R8.8"),
    ]
    seats[2]["melds"] = [*fed(1)[:3], {"kind": "concealed_kong", "tiles": "2222z"}]
    assert {entry[0] for entry in paid(request_of(end, seats)) if entry[3] == "win"} == {3}
    end = {"by": "discard", "from": 0, "tile": "5s", "winners": [2]}
    seats[2]["melds"] = fed(1)
    assert paid(request_of(end, seats))[-1] == (0, 2, 1, "discard", 0, "R8.1")
    assert paid(request_of(end, seats, rules={"four_melds_any": True})) == [
        (1, 2, 2, "win", 3, "R8.8"),
        (1, 2, 4, "win", 0, "R8.8"),
        (1, 2, 2, "win", 1, "R8.8"),
        (1, 2, 1, "discard", 0, "R8.8"),
    ]


def test_kongs() -> None:
    """R8.5, R8.12, R8.13."""
    end: dict[str, Any] = {"by": "draw", "winners": []}
    seats: dict[int, dict[str, Any]] = {
        1: {"melds": [{"kind": "exposed_kong", "tiles": "1111m", "from": 3}]},
        2: {"melds": [{"kind": "added_kong", "tiles": "2222m", "from": 3, "back": True}]},
    }
    rules = {"preset": "lingao-variant", "score_draws": True, "discarder_pays_all": True}
    assert paid(request_of(end, seats, rules=rules)) == [
        (3, 1, 1, "kong", 2, "R8.5"),
        (3, 1, 2, "kong", 3, "R8.5"),
        (3, 1, 2, "kong", 0, "R8.5"),
        (3, 2, 3, "kong", 3, "R8.13"),
        (0, 2, 6, "kong", 0, "R8.13"),
        (1, 2, 3, "kong", 1, "R8.13"),
    ]
    assert paid(request_of(end, seats, rules={"preset": "lingao-variant"})) == []


@pytest.mark.parametrize(
    ("rules", "flowers", "expected"),
    [
        ({}, "123456f", (0, "R8.14")),
        ({}, "1234567f", (1, "R8.14")),
        ({}, "12345678f", (2, "R8.14")),
        ({"flower_hu": "four_set"}, "156782f", (1, "R8.14")),
        ({"flower_hu": "four_set"}, "1235f", (0, "R8.14")),
        ({"preset": "lingao"}, "1278f", (1, "R8.15")),
        ({"preset": "lingao", "flower_set": False}, "12345678f", (2, "R8.15")),
        ({"preset": "lingao"}, "1234f", (2, "R8.16")),
        ({"preset": "lingao"}, "12345678f", (6, "R8.16")),
        ({"preset": "lingao", "flower_run": False}, "1278f", (0, "none")),
        ({"preset": "lingao-variant"}, "56781f", (3, "R8.17")),
        ({"preset": "lingao-variant"}, "1278f", (1, "R8.17")),
        ({"preset": "lingao-variant"}, "1284f", (1, "R8.17")),
        ({"preset": "lingao-variant"}, "1274f", (0, "R8.17")),
        ({"preset": "lingao-variant"}, "12785f", (2, "R8.17")),
    ],
)
def test_flowers(rules: dict[str, Any], flowers: str, expected: tuple[int, str]) -> None:
    assert flower_factor(parse_tiles(flowers), resolve(rules, 4)) == expected
