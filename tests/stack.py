"""Stacked walls: hands, draws and replacements as a test wants them, the rest shuffled by a seed."""

import random
from collections import Counter
from collections.abc import Sequence
from typing import Any

from hainan.engine.record import Phase
from hainan.rules.options import Rules
from hainan.rules.presets import rules_of
from hainan.rules.terms import MeldKind
from hainan.rules.tiles import TEXT, full_set, parse
from hainan.table import Table, flowers_text, hand_text


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


def alone(tiles: str) -> str:
    """A hand of thirteen with these tiles, the rest of them useless: honors and bamboo."""
    return tiles + "7z6z5z4z3z2z1z9s7s4s1s"[: 26 - 2 * len(parse(tiles))]


# ---------------------------------------------------------------- moves in bulk


def play_on(table: Table, *moves: str) -> Table:
    """Take moves like ``play``; who is asked about a tile and has no move here passes."""
    for move in moves:
        seat, _, text = move.partition(" ")
        while text not in texts(table, int(seat)) and _pass_once(table):
            pass
        table.act(int(seat), text)
    return table


def _pass_once(table: Table) -> bool:
    for seat, actions in table.legal().items():
        if "pass" in map(str, actions):
            table.act(seat, "pass")
            return True
    return False


def drop(table: Table, times: int = 1) -> Table:
    """So many players in turn discard the tile that they have just drawn. Who is asked about one
    passes; only the last discard is left as it lies."""
    for _ in range(times):
        pass_all(table)
        play(table, f"{table.raw.turn} discard {TEXT[table.raw.last_tile]}")
    return table


def drop_until(table: Table, left: int) -> Table:
    """``drop`` until so many tiles remain, just drawn the last before them; or until the hand ends."""
    while not pass_all(table).over and table.remaining > left:
        drop(table)
    return table


def shorten(table: Table, left: int) -> Table:
    """Take tiles out of the middle of the wall until ``left`` remain: what will be drawn next from the
    front, and from the back, stays as it was. Call it before the draw that matters."""
    t = table.raw
    head, tail, front = int(t.head), int(t.tail), left // 2
    t.wall[head + front : head + left] = t.wall[tail - (left - front) : tail].copy()
    t.tail = head + left
    return table


# ---------------------------------------------------------------- looking


def offers(table: Table, seat: int, what: str) -> list[str]:
    """What a seat may do of one kind: ``discard``, ``ready``, ``chow`` or ``kong`` (in one's own turn)."""
    return [text for text in texts(table, seat) if text.startswith(what + " ")]


def asked(table: Table, seat: int) -> list[str]:
    """What a seat may answer to the tile on the table; nothing if it isn't asked, or if it is its turn."""
    return texts(table, seat) if table.phase in (Phase.CLAIM, Phase.ROB) else []


def hand(table: Table, seat: int) -> str:
    """A seat's concealed tiles as text, flowers last."""
    return hand_text(table.raw, seat)


def flowers(table: Table, seat: int) -> str:
    """The flowers that a seat has laid out."""
    return flowers_text(int(table.raw.flowers[seat]))


def melds(table: Table, seat: int) -> list[str]:
    """A seat's melds as ``pong 5p``; a chow by its lowest tile."""
    t = table.raw
    return [
        f"{MeldKind(int(t.meld_kind[seat, meld])).id} {TEXT[t.meld_tile[seat, meld]]}"
        for meld in range(t.n_melds[seat])
    ]


def happened(table: Table) -> list[str]:
    """The last action's events in short, discards and payments left out: ``1 draw 5m front``,
    ``1 flower 2f``, ``draw_hand``."""
    parts = [
        [event.get("seat"), event["type"], event.get("tile"), event.get("source")]
        for event in table.events()
        if event["type"] not in ("discard", "pay")
    ]
    return [" ".join(str(part) for part in row if part is not None) for row in parts]


def outcome(table: Table) -> tuple[str, str | None, list[int]]:
    """How the hand ended: by what, in which way, who won."""
    end = table.end()
    assert end is not None, "the hand is still on"
    return end["by"], end["way"], [winner["seat"] for winner in end["winners"]]


def value(table: Table) -> int:
    """V of the one winner."""
    end = table.end()
    assert end is not None, "the hand is still on"
    (winner,) = end["winners"]
    return int(winner["V"])
