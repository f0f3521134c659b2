"""Perft counts as text, one file a preset and number of players.

``python -m tests.perft`` writes them anew: review the difference before committing it.
"""

from pathlib import Path

from hainan.rules.presets import PRESET_NAMES, rules_of
from hainan.shuffle import Shuffle
from hainan.sim.perft import divide, perft
from hainan.table import Table

HERE = Path(__file__).parent
CASES = [(preset, players) for preset in PRESET_NAMES for players in (4, 3)]
DEPTH = 4
# A little way into the hand, where melds, claims and waits are about.
OPENING = 24


def table_of(preset: str, players: int) -> Table:
    """A table some actions into a hand: each seat in turn takes the last legal action but a pass."""
    rules = rules_of(preset, players)
    deal = Shuffle.from_number(7).deal(rules, players)
    table = Table(rules, players, wall=deal.wall, dice=deal.dice)
    for step in range(OPENING):
        seat = min(table.legal())
        actions = table.legal()[seat]
        calls = [action for action in actions if action.text.startswith(("chow", "pong", "kong"))]
        table.act(seat, calls[0] if calls else actions[step % len(actions)])
    return table


def text_of(preset: str, players: int) -> str:
    table = table_of(preset, players)
    lines = [f"preset {preset}, {players} players, after {OPENING} actions"]
    lines += [f"depth {depth}: {perft(table, depth)}" for depth in range(1, DEPTH + 1)]
    lines.append(f"by first action, depth {DEPTH}:")
    lines += [f"  {action}: {count}" for action, count in divide(table, DEPTH).items()]
    return "\n".join(lines) + "\n"


def path_of(preset: str, players: int) -> Path:
    return HERE / f"{preset}-{players}.txt"
