"""Presets as differences from `hainan`; option sheets from and to JSON; digest and diff."""

import hashlib
import json
from collections.abc import Mapping
from typing import Any, Final

from hainan.rules.options import OPTIONS, SCORING_OF_PRESET, Rules, RulesError, check_consistent, check_types

DEFAULT_PRESET: Final = "hainan"
_LINGAO: Final[dict[str, Any]] = {
    "dealer_streak": True,
    "streak_counts_draws": True,
    "chow_pair_excludes_round_wind": False,
    "meld_liability": False,
    "four_melds": False,
    "last_tiles_liability": True,
    "flower_hu": "none",
    "flower_run": True,
    "flower_set": True,
    "follow": False,
    "ready": False,
    "missed_win": "higher_only",
}
DIFFERENCES: Final[dict[str, dict[str, Any]]] = {
    "hainan": {},
    "hainan-classic": {
        "dealer_bonus": False,
        "ga": False,
        "initial_flowers": "after_deal",
        "scattered_thirteen": True,
        "four_melds": False,
        "flower_hu": "none",
        "follow": False,
        "ready": False,
        "missed_win": "none",
    },
    "lingao": _LINGAO,
    "lingao-variant": {
        **_LINGAO,
        "flower_hu": "true_false",
        "flower_run": False,
        "flower_set": False,
        "kong_scoring": "feeder_double",
    },
}
"""What each preset changes of `hainan` (section 10)."""
PRESET_NAMES: Final = {
    "hainan": ("海南麻将", "Hainan"),
    "hainan-classic": ("海南麻将·老规矩", "Hainan, the old way"),
    "lingao": ("临高麻将", "Lingao"),
    "lingao-variant": ("临高麻将·另一算法", "Lingao, other scoring"),
}
"""What each preset is called, in Chinese and English."""
PRESET_TEXTS: Final = {
    "hainan": ("庄闲、上嘎、三道四道包", "Dealer bonus, ga, three and four melds pay for all"),
    "hainan-classic": ("老人家的打法，不上嘎", "Plain stakes, without ga"),
    "lingao": ("连庄、花胡、海底包", "Dealer streaks, flower wins, last tiles pay for all"),
    "lingao-variant": ("真假花，点杠加倍", "True and false flowers, who feeds a kong pays double"),
}
"""What sets each apart, in Chinese and English."""
PRESET_SOURCES: Final = {"hainan": "S0, S1", "hainan-classic": "S1", "lingao": "S3", "lingao-variant": "S0"}
"""The texts that each follows, as the rule book calls them."""


def rules_of(preset: str = DEFAULT_PRESET, players: int = 4, **changes: Any) -> Rules:
    """The sheet of a preset with changes, checked.

    A preset's own `follow` is dropped with three players and its own `four_melds` without
    `meld_liability`; asking for either is refused (section 10). Raises RulesError.
    """
    return _made(preset, players, changes)


def _made(preset: str, players: int, changes: dict[str, Any]) -> Rules:
    if preset not in SCORING_OF_PRESET:
        known = ", ".join(SCORING_OF_PRESET)
        raise RulesError("preset", "section 10", f"there is no preset {preset!r}; there are {known}")
    if players not in (3, 4):
        raise RulesError("players", "section 0", f"a table has 3 or 4 players, not {players!r}")
    check_types(changes)
    rules = Rules(preset, **(_preset_values(preset, players, changes) | changes))
    check_consistent(rules, players)
    return rules


def rules_from_json(sheet: Mapping[str, Any] | None, players: int = 4) -> Rules:
    """The sheet of a JSON object: a preset and any options by name. Raises RulesError."""
    if sheet is None:
        return rules_of(players=players)
    if not isinstance(sheet, Mapping):
        raise RulesError("rules", "section 10", f"an option sheet is an object, not {sheet!r}")
    changes = dict(sheet)
    preset = changes.pop("preset", DEFAULT_PRESET)
    if not isinstance(preset, str):
        raise RulesError("preset", "section 10", f"a preset is a name, not {preset!r}")
    return _made(preset, players, changes)


def rules_to_json(rules: Rules, players: int = 4) -> dict[str, Any]:
    """The sheet as JSON: its preset and what differs from it; ``rules_from_json`` reads it back."""
    base = usual_values(rules, players)
    changed = {name: value for name, value in rules.values().items() if value != base[name]}
    return {"preset": rules.preset} | changed


def usual_values(rules: Rules, players: int = 4) -> dict[str, Any]:
    """Every option as the sheet's preset has it at such a table: without what it drops there (section 10)."""
    return Rules(rules.preset, **_preset_values(rules.preset, players, rules.values())).values()


def digest(rules: Rules) -> str:
    """A short fingerprint of all values, the same wherever the same game is played."""
    text = json.dumps([rules.scoring.id, rules.values()], sort_keys=True)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def diff(one: Rules, other: Rules) -> dict[str, tuple[Any, Any]]:
    """Options in which two sheets differ: name to (value of one, value of the other)."""
    left, right = one.values(), other.values()
    return {name: (left[name], right[name]) for name in OPTIONS if left[name] != right[name]}


def _preset_values(preset: str, players: int, changes: Mapping[str, Any]) -> dict[str, Any]:
    values = dict(DIFFERENCES[preset])
    if players != 4:
        values["follow"] = False
    if changes.get("meld_liability") is False:
        values["four_melds"] = False
    return values
