"""Stacked walls: hands, draws and replacements as a test wants them, the rest shuffled by a seed."""

import random
from collections import Counter
from collections.abc import Sequence
from typing import Any

from hainan.rules.options import Rules
from hainan.rules.presets import rules_of
from hainan.rules.tiles import full_set, parse
from hainan.table import Table


def stacked_wall(
    rules: Rules,
    players: int,
    hands: Sequence[str],
    draws: str = "",
    back: str = "",
    dealer: int = 0,
    seed: int = 0,
) -> list[int]:
    """A wall that deals ``hands`` (by seat; the dealer's 14 tiles, of which the last is his drawn one; the
    others' 13; shorter ones are filled up), then ``draws`` from the front and ``back`` from the back, in
    the order in which they are drawn."""
    rng = random.Random(seed)
    pool = Counter(full_set(no_honors=rules.no_honors, no_winds=rules.no_winds))
    wanted = [parse(hand) for hand in hands] + [[]] * (players - len(hands))
    front, last = parse(draws), parse(back)
    for tiles in (*wanted, front, last):
        pool.subtract(tiles)
    assert min(pool.values()) >= 0, f"too many of {[k for k, v in pool.items() if v < 0]}"
    # Fillers are never flowers, so that a test meets only the flowers that it asked for.
    flowers = [kind for kind, copies in pool.items() if kind >= 34 and copies]
    rest = [kind for kind, copies in pool.items() for _ in range(copies) if kind < 34]
    rng.shuffle(rest)
    dealt: list[list[int]] = []
    for seat in range(players):
        size = 14 if seat == dealer else 13
        hand = list(wanted[seat])
        fill = size - len(hand)
        dealt.append([rest.pop() for _ in range(fill)] + hand)
    wall: list[int] = []
    order = [(dealer + step) % players for step in range(players)]
    for block in range(3):
        for seat in order:
            wall += dealt[seat][4 * block : 4 * block + 4]
    wall += [dealt[seat][12] for seat in order]
    wall.append(dealt[dealer][13])
    # Flowers nobody asked for lie in the middle of the wall, as far from both ends as can be.
    middle = len(rest) // 2
    return wall + front + rest[:middle] + flowers + rest[middle:] + last[::-1]


def stacked_table(
    hands: Sequence[str] = (),
    draws: str = "",
    back: str = "",
    *,
    preset: str = "hainan",
    players: int = 4,
    dealer: int = 0,
    streak: int = 0,
    round_wind: int = 0,
    ga: Sequence[int] | None = None,
    seed: int = 0,
    **options: Any,
) -> Table:
    """A table on a stacked wall. The ga is off unless ``ga`` (one value a seat) is given, and then chosen."""
    rules = rules_of(preset, players, **({"ga": ga is not None} | options))
    wall = stacked_wall(rules, players, hands, draws, back, dealer, seed)
    table = Table(rules, players, wall=wall, dealer=dealer, streak=streak, round_wind=round_wind)
    for seat, value in enumerate(ga or ()):
        table.act(seat, f"ga {value}")
    return table


def play(table: Table, *moves: str) -> Table:
    """Take moves such as ``"0 discard 5m"``."""
    for move in moves:
        seat, _, text = move.partition(" ")
        table.act(int(seat), text)
    return table


def pass_all(table: Table) -> Table:
    """Everybody who is asked about a tile passes."""
    while table.legal() and all("pass" in map(str, actions) for actions in table.legal().values()):
        seat = next(iter(table.legal()))
        table.act(seat, "pass")
    return table


def texts(table: Table, seat: int) -> list[str]:
    """A seat's legal actions as text."""
    return [action.text for action in table.legal().get(seat, [])]
