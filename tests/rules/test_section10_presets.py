"""Section 10: presets, options, contradictions; sheets as JSON, their digest and their difference."""

import json

import pytest

from hainan.rules.options import OPTIONS, Rules, RulesError
from hainan.rules.presets import PRESET_NAMES, diff, digest, rules_from_json, rules_of, rules_to_json
from hainan.rules.terms import Scoring
from hainan.score import ScoreError, score

PRESETS = ("hainan", "hainan-classic", "lingao", "lingao-variant")

# The table of section 10, word for word.
TABLE = {
    "dealer_bonus": (True, False, True, True),
    "dealer_streak": (False, False, True, True),
    "streak_counts_draws": (False, False, True, True),
    "ga": (True, False, True, True),
    "initial_flowers": ("own_turn", "after_deal", "own_turn", "own_turn"),
    "scattered_thirteen": (False, True, False, False),
    "chow_pair_excludes_round_wind": (True, True, False, False),
    "meld_liability": (True, True, False, False),
    "four_melds": (True, False, False, False),
    "last_tiles_liability": (False, False, True, True),
    "flower_hu": ("count", "none", "none", "true_false"),
    "flower_run": (False, False, True, False),
    "flower_set": (False, False, True, False),
    "kong_scoring": ("plain", "plain", "plain", "feeder_double"),
    "follow": (True, False, False, False),
    "ready": (True, False, False, False),
    "missed_win": ("locked", "none", "higher_only", "higher_only"),
}
SAME = {
    **dict.fromkeys(("require_fan", "half_flush", "round_wind", "honors_in_terminal_pongs"), True),
    **dict.fromkeys(
        (
            "free_ga", "discarder_pays_all", "score_draws", "multiple_wins", "multiple_wins_own_share",
            "no_chow", "no_honors", "no_winds", "show_concealed_kongs", "concealed_kong_keeps_concealed",
            "bloom_floor", "four_melds_any", "last_tiles_by_count",
        ),
        False,
    ),
    "wild": "none", "stacking": "multiply", "stake_mode": "multiply", "first_dealer": "host",
    "hands": 8, "rounds": None,
}  # fmt: skip
ALL = {name: dict(zip(PRESETS, row, strict=True)) for name, row in TABLE.items()} | {
    name: dict.fromkeys(PRESETS, value) for name, value in SAME.items()
}


# ---------------------------------------------------------------- the table


@pytest.mark.parametrize("preset", PRESETS)
def test_section_10_table(preset):
    values = rules_of(preset).values()
    assert values == {name: row[preset] for name, row in ALL.items()}
    # JSON booleans, not 1 and 0
    assert all(type(value) is type(ALL[name][preset]) for name, value in values.items())


def test_section_10_every_option_is_in_the_table():
    assert set(OPTIONS) == set(ALL)
    assert tuple(PRESET_NAMES) == PRESETS


def test_section_10_default_preset():
    assert rules_of() == rules_of("hainan") == rules_from_json({}) == rules_from_json(None) == Rules()


def test_section_10_scoring_belongs_to_the_preset():
    tables = [rules_of(preset).scoring for preset in PRESETS]
    assert tables == [Scoring.HAINAN, Scoring.HAINAN, Scoring.LINGAO, Scoring.LINGAO]
    with pytest.raises(RulesError, match="scoring"):
        rules_from_json({"preset": "hainan", "scoring": "lingao"})


def another_value(name, value):
    """Some other value of an option."""
    if isinstance(value, bool):
        return not value
    if name in ("hands", "rounds"):
        return 4
    if name == "wild":
        return "3s"
    return next(text for text in OPTIONS[name].values.split(" | ") if text != value)


@pytest.mark.parametrize("preset", PRESETS)
@pytest.mark.parametrize("name", OPTIONS)
def test_section_10_every_option_can_be_set(preset, name):
    value = another_value(name, ALL[name][preset])
    changes = {name: value}
    if preset == "hainan" and name in ("dealer_bonus", "dealer_streak"):
        changes = {"dealer_bonus": False, "dealer_streak": True}
    if name == "four_melds" and value:
        changes["meld_liability"] = True
    rules = rules_of(preset, **changes)
    assert getattr(rules, name) == changes[name]
    dropped = {"four_melds": False} if name == "meld_liability" and not value else {}
    expected = {option: row[preset] for option, row in ALL.items()} | changes | dropped
    assert rules.values() == expected


# ---------------------------------------------------------------- contradictions


@pytest.mark.parametrize(
    ("sheet", "players", "option", "clause"),
    [
        ({"dealer_streak": True}, 4, "dealer_bonus", "R8.2"),  # both
        ({"dealer_bonus": False}, 4, "dealer_bonus", "R8.2"),  # neither
        ({"preset": "hainan", "dealer_bonus": True, "dealer_streak": True}, 3, "dealer_bonus", "R8.2"),
        ({"follow": True}, 3, "follow", "R8.19"),
        ({"preset": "lingao", "follow": True}, 3, "follow", "R8.19"),
        ({"wild": "1f"}, 4, "wild", "R5.9"),
        ({"wild": "8f"}, 4, "wild", "R5.9"),
        ({"wild": "1z", "no_winds": True}, 4, "wild", "R1.1"),
        ({"wild": "5z", "no_honors": True}, 4, "wild", "R1.1"),
        ({"wild": "4z", "no_honors": True, "no_winds": True}, 4, "wild", "R1.1"),
        ({"meld_liability": False, "four_melds": True}, 4, "four_melds", "R8.8"),
        ({"preset": "lingao", "four_melds": True}, 4, "four_melds", "R8.8"),
    ],
)
def test_section_10_contradictions(sheet, players, option, clause):
    with pytest.raises(RulesError) as refused:
        rules_from_json(sheet, players)
    assert (refused.value.option, refused.value.clause) == (option, clause)
    # The message names both.
    assert option in str(refused.value)
    assert clause in str(refused.value)


@pytest.mark.parametrize(
    ("sheet", "players"),
    [
        ({"dealer_bonus": False, "dealer_streak": True}, 4),
        ({"preset": "hainan-classic", "dealer_bonus": True, "dealer_streak": True}, 4),
        ({"preset": "lingao", "dealer_bonus": False, "dealer_streak": False}, 4),
        ({"wild": "5z", "no_winds": True}, 4),
        ({"wild": "9s", "no_honors": True}, 4),
        ({"wild": "next", "no_honors": True, "no_winds": True}, 4),
        ({"preset": "lingao", "four_melds": True, "meld_liability": True}, 4),
        ({"preset": "lingao", "follow": True}, 4),
        ({"follow": False}, 3),
        # Without effect, and no error
        ({"preset": "lingao", "bloom_floor": True, "stacking": "add"}, 4),
        ({"multiple_wins_own_share": True}, 4),
        ({"four_melds": False, "four_melds_any": True}, 4),
        ({"last_tiles_by_count": True}, 4),
        ({"ga": False, "free_ga": True}, 4),
    ],
)
def test_section_10_no_contradictions(sheet, players):
    rules = rules_from_json(sheet, players)
    for name, value in sheet.items():
        assert getattr(rules, name) == value


def test_section_10_silent_drops():
    # A preset's own follow with three players
    assert rules_of("hainan", 4).follow is True
    assert rules_of("hainan", 3).follow is False
    # Its own four_melds without meld_liability
    assert rules_of("hainan").four_melds is True
    rules = rules_of("hainan", meld_liability=False)
    assert (rules.meld_liability, rules.four_melds) == (False, False)
    assert rules_of("hainan", 3, meld_liability=False).four_melds is False
    # Setting meld_liability as it is drops nothing.
    assert rules_of("hainan", meld_liability=True).four_melds is True


# ---------------------------------------------------------------- unknown options, wrong types


@pytest.mark.parametrize(
    "name", ["dealer_bonsu", "Follow", "", "scoring", "name", "_", "values", "players", "preset_"]
)
def test_section_10_unknown_options(name):
    with pytest.raises(RulesError) as refused:
        rules_from_json({name: True})
    assert refused.value.option == name
    assert "section 10" in str(refused.value)
    assert name in str(refused.value)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        *((name, value) for name in ("ga", "follow", "no_chow") for value in (1, 0, None, "on", "true", [])),
        *(("hands", value) for value in (0, -1, 1001, 8.0, "8", True, None)),
        *(("rounds", value) for value in (0, -4, 1001, 1.5, "4", False)),
        *(("wild", value) for value in (None, True, "", "wild", "0m", "55z", "8z", 5, "Indicator")),
        *(("flower_hu", value) for value in (True, "7", None, "COUNT", 1)),
        *(("kong_scoring", value) for value in ("double", False)),
        *(("missed_win", value) for value in ("lock", False)),
        *(("stacking", value) for value in ("mul", 2)),
        *(("stake_mode", value) for value in ("max", 0)),
        *(("initial_flowers", value) for value in ("deal", False)),
        *(("first_dealer", value) for value in ("seat0", 0)),
    ],
)
def test_section_10_wrong_values(name, value):
    with pytest.raises(RulesError) as refused:
        rules_from_json({"preset": "lingao", name: value})
    assert (refused.value.option, refused.value.clause) == (name, OPTIONS[name].clause)
    message = str(refused.value)
    assert message.startswith(f"{name}: {value!r} ")
    assert OPTIONS[name].clause in message


@pytest.mark.parametrize("preset", ["Hainan", "", "riichi", 5, None, True, ["hainan"], {"preset": "lingao"}])
def test_section_10_unknown_presets(preset):
    with pytest.raises(RulesError, match=r"preset: .*section 10") as refused:
        rules_from_json({"preset": preset})
    assert refused.value.option == "preset"


@pytest.mark.parametrize("sheet", ["hainan", ["hainan"], 5, True])
def test_section_10_a_sheet_is_an_object(sheet):
    with pytest.raises(RulesError, match="section 10"):
        rules_from_json(sheet)


@pytest.mark.parametrize("players", [0, 1, 2, 5, -4])
def test_section_10_players(players):
    with pytest.raises(RulesError, match="players"):
        rules_of("hainan", players)


@pytest.mark.parametrize(
    ("sheet", "field", "clause"),
    [
        ({"dealer_streak": True}, "rules.dealer_bonus", "R8.2"),
        ({"four_melds": True, "meld_liability": False}, "rules.four_melds", "R8.8"),
        ({"wild": "1f"}, "rules.wild", "R5.9"),
        ({"no_such": True}, "rules.no_such", "section 10"),
        ({"players": 4}, "rules.players", "section 10"),
        ({"preset": "none"}, "rules.preset", "section 10"),
        ({"stacking": "mul"}, "rules.stacking", "R7.1"),
    ],
)
def test_section_10_as_the_calculator_says_it(sheet, field, clause):
    request = {"rules": sheet, "seats": [{}, {}, {}, {}], "end": {"by": "draw"}}
    with pytest.raises(ScoreError) as refused:
        score(request)
    assert refused.value.field == field
    assert clause in str(refused.value)


# ---------------------------------------------------------------- JSON, digest, diff


def sheets():
    """Sheets of every preset with every single change, and some with several; with their players."""
    for preset in PRESETS:
        for players in (4, 3):
            yield rules_of(preset, players), players
            yield rules_of(preset, players, meld_liability=False), players
            for name in OPTIONS:
                value = another_value(name, ALL[name][preset])
                refused = (
                    (preset == "hainan" and name in ("dealer_bonus", "dealer_streak"))
                    or (name == "four_melds" and value)
                    or (name == "follow" and players == 3)
                )
                if not refused:
                    yield rules_of(preset, players, **{name: value}), players
    yield rules_of("hainan", dealer_bonus=False, dealer_streak=True, rounds=4, wild="next", ga=False), 4
    yield rules_of("lingao", meld_liability=True, four_melds=True, follow=True, hands=1000), 4


def test_section_10_json_round_trip():
    for rules, players in sheets():
        sheet = rules_to_json(rules, players)
        assert rules_from_json(json.loads(json.dumps(sheet)), players) == rules
        # Only what differs from the preset is written.
        own = rules_of(rules.preset, players).values()
        for name, value in sheet.items():
            if name != "preset":
                assert own[name] != value


@pytest.mark.parametrize(
    ("rules", "players", "sheet"),
    [
        (rules_of(), 4, {"preset": "hainan"}),
        (rules_of("hainan", 3), 3, {"preset": "hainan"}),  # a dropped follow is no change
        (rules_of(meld_liability=False), 4, {"preset": "hainan", "meld_liability": False}),
        (rules_of("lingao", wild="5z", rounds=1), 4, {"preset": "lingao", "wild": "5z", "rounds": 1}),
    ],
)
def test_section_10_json_is_short(rules, players, sheet):
    assert rules_to_json(rules, players) == sheet


def test_section_10_digest():
    # Equal sheets have equal digests, however they were asked for.
    assert digest(rules_of()) == digest(rules_from_json({"preset": "hainan", "ga": True, "wild": "none"}))
    assert digest(rules_of("lingao")) == digest(rules_of("lingao", hands=8))
    # Every difference in a sheet shows.
    found = {}
    for rules, _ in sheets():
        key = json.dumps([rules.scoring.id, rules.values()], sort_keys=True)
        assert found.setdefault(digest(rules), key) == key
    assert len(found) == len(set(found.values()))
    # So does the scoring table where all options agree.
    like_hainan = {name: row["hainan"] for name, row in ALL.items()}
    twin = rules_of("lingao", **like_hainan)
    assert twin.values() == rules_of().values()
    assert digest(twin) != digest(rules_of())
    # It is the game that counts, not the preset's name.
    like_lingao = {name: row["lingao"] for name, row in ALL.items()}
    assert digest(rules_of("lingao-variant", **like_lingao)) == digest(rules_of("lingao"))


def test_section_10_diff():
    hainan = rules_of()
    assert diff(hainan, hainan) == {}
    changed = rules_of(wild="5z", follow=False)
    assert diff(hainan, changed) == {"wild": ("none", "5z"), "follow": (True, False)}
    assert diff(changed, hainan) == {"wild": ("5z", "none"), "follow": (False, True)}
    for one, left in enumerate(PRESETS):
        for other, right in enumerate(PRESETS):
            expected = {name: (row[one], row[other]) for name, row in TABLE.items() if row[one] != row[other]}
            assert diff(rules_of(left), rules_of(right)) == expected


def test_section_10_sheets_are_values():
    rules = rules_of("lingao", wild="5z")
    assert rules == rules_of("lingao", wild="5z")
    assert hash(rules) == hash(rules_of("lingao", wild="5z"))
    assert rules != rules_of("lingao")
    with pytest.raises(AttributeError):
        rules.wild = "none"
