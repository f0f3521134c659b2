"""Whole hands as text, one a preset, played by greedy bots from a fixed seed.

``python -m tests.playthroughs`` writes them anew: review the difference before committing it.
"""

import json
from pathlib import Path

from hainan.bots.seats import Bot
from hainan.matches import Match, seeded_deals
from hainan.rules.presets import PRESET_NAMES, rules_of
from hainan.table import Table, flowers_text, hand_text

HERE = Path(__file__).parent
CASES = {preset: 3 if preset == "lingao-variant" else 4 for preset in PRESET_NAMES}
HANDS = 2
SEEDS = {preset: 2026 + number for number, preset in enumerate(CASES)}


def _hand(table: Table, bots: list[Bot]) -> list[str]:
    lines = [f"dealer {int(table.raw.dealer)}, streak {int(table.raw.streak)}"]
    while not table.over:
        seat = min(table.legal())
        action = bots[seat].choose(table, seat)
        lines.append(f"{seat} of {' '.join(a.text.replace(' ', '.') for a in table.legal()[seat])}")
        table.act(seat, action)
        lines.append(f"  {seat} {action.text}")
        lines += [f"    {json.dumps(event)}" for event in table.events()]
        lines += [
            f"    seat {s}: {hand_text(table.raw, s)}, flowers: {flowers_text(int(table.raw.flowers[s]))}"
            for s in range(table.players)
            if table.over
        ]
    lines.append(json.dumps(table.end()))
    return lines


def text_of(preset: str) -> str:
    players = CASES[preset]
    rules = rules_of(preset, players)
    match = Match(rules, players, deals=seeded_deals(SEEDS[preset], rules, players))
    bots = [Bot() for _ in range(players)]
    lines = _hand(match.table, bots)
    for _ in range(1, HANDS):
        lines += ["", *_hand(match.next_hand(), bots)]
    return "\n".join([*lines, f"totals {match.totals}"]) + "\n"


def path_of(preset: str) -> Path:
    return HERE / f"{preset}.txt"
