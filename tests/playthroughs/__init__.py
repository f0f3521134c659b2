"""Whole hands as text, one a preset, played by greedy bots from a fixed seed.

``python -m tests.playthroughs`` writes them anew: review the difference before committing it.
"""

import json
from collections.abc import Callable
from pathlib import Path

from hainan.bots.policies import Policy
from hainan.bots.seats import Bot
from hainan.matches import Match, seeded_deals
from hainan.rules.presets import PRESET_NAMES, rules_of
from hainan.table import Table, flowers_text, hand_text

HERE = Path(__file__).parent
CASES = {preset: 3 if preset == "lingao-variant" else 4 for preset in PRESET_NAMES}
HANDS = 2
SEEDS = {preset: 2026 + number for number, preset in enumerate(CASES)}


Choice = Callable[[Table, int], str]
"""What a seat does."""


def _hand(table: Table, choice: Choice) -> list[str]:
    lines = [f"dealer {int(table.raw.dealer)}, streak {int(table.raw.streak)}"]
    while not table.over:
        seat = min(table.legal())
        action = choice(table, seat)
        lines.append(f"{seat} of {' '.join(a.text.replace(' ', '.') for a in table.legal()[seat])}")
        table.act(seat, action)
        lines.append(f"  {seat} {action}")
        lines += [f"    {json.dumps(event)}" for event in table.events()]
        lines += [
            f"    seat {s}: {hand_text(table.raw, s)}, flowers: {flowers_text(int(table.raw.flowers[s]))}"
            for s in range(table.players)
            if table.over
        ]
    lines.append(json.dumps(table.end()))
    return lines


def by_bots(players: int) -> Choice:
    """Greedy bots."""
    bots = [Bot(Policy.GREEDY) for _ in range(players)]
    return lambda table, seat: bots[seat].choose(table, seat).text


def as_stored(preset: str) -> Choice:
    """What was done in the stored text: bots are slow as plain Python."""
    lines = path_of(preset).read_text().splitlines()
    done = iter(line.split(maxsplit=1)[1] for line in lines if line[:2] == "  " and line[2] in "0123")
    return lambda table, seat: next(done)


def text_of(preset: str, choice: Choice | None = None) -> str:
    players = CASES[preset]
    rules = rules_of(preset, players)
    match = Match(rules, players, deals=seeded_deals(SEEDS[preset], rules, players))
    choice = choice or by_bots(players)
    lines = _hand(match.table, choice)
    for _ in range(1, HANDS):
        lines += ["", *_hand(match.next_hand(), choice)]
    return "\n".join([*lines, f"totals {match.totals}"]) + "\n"


def path_of(preset: str) -> Path:
    return HERE / f"{preset}.txt"
