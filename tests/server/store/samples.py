"""A match as the tests store it, and a real hand to put into it."""

import random
from dataclasses import dataclass
from functools import cache
from typing import Any

from hainan.rules.presets import digest, rules_of, rules_to_json
from hainan.rules.tiles import text_of
from hainan.server.store import (
    How,
    Seat,
    Start,
    Store,
    Write,
    acted,
    hand_committed,
    hand_dealt,
    hand_over,
    match_begun,
    new_id,
)
from hainan.shuffle import Shuffle
from hainan.table import Table

RULES = rules_of("lingao")
NONCES = ("天", "b", "", "d")
START = Start(
    players=4,
    dealer=2,
    streak=1,
    round_wind=3,
    ga_floor=[0, 1, 0, 0],
    dice=(1, 2),
    first_dealer=0,
    hands_played=5,
    rounds_played=3,
)


@dataclass(frozen=True)
class Played:
    """A hand and how it went."""

    shuffle: Shuffle
    start: Start
    wall: str
    actions: list[tuple[int, int]]
    end: dict[str, Any]


@cache
def played() -> Played:
    """A whole hand, by seats that do anything."""
    shuffle = Shuffle.from_number(1).with_nonces(NONCES)
    deal = shuffle.deal(RULES)
    start = Start(
        **{name: getattr(START, name) for name in Start.__struct_fields__ if name != "dice"}, dice=deal.dice
    )
    table = Table(
        RULES,
        wall=deal.wall,
        dealer=start.dealer,
        streak=start.streak,
        round_wind=start.round_wind,
        ga_floor=start.ga_floor,
        dice=deal.dice,
        first_dealer=start.first_dealer,
        hands_played=start.hands_played,
        rounds_played=start.rounds_played,
    )
    choice = random.Random(1)
    while not table.over:
        seat = choice.choice(list(table.legal()))
        table.act(seat, choice.choice(table.legal()[seat]))
    end = table.end()
    assert end is not None
    actions = [(seat, int(action)) for seat, action in table.actions]
    return Played(shuffle, start, text_of(deal.wall), actions, end)


def begun(
    match: str, room: str, players: list[str | None] | None = None, at: int = 1000
) -> tuple[Write, ...]:
    """A match in a room."""
    seats = [Seat(n, player, f"name {n}") for n, player in enumerate(players or [None] * 4)]
    return match_begun(match, room, rules_to_json(RULES), digest(RULES), seats, True, f"share {match}", at)


def dealt(match: str, n: int = 0) -> list[Write]:
    """A hand without its actions."""
    hand = played()
    return [
        hand_committed(match, n, hand.shuffle.commitment, hand.shuffle.seed.hex(), 1100),
        hand_dealt(match, n, NONCES, hand.start, hand.wall, 1200),
    ]


def actions_of(match: str, n: int = 0) -> list[Write]:
    """Its actions."""
    return [
        acted(match, n, place, seat, action, How.PLAYER, place, 1300 + place)
        for place, (seat, action) in enumerate(played().actions)
    ]


async def a_match(store: Store, players: list[str | None] | None = None, at: int = 1000) -> str:
    """A match in a room of its own."""
    room = await store.create_room(None, False, '{"state":1}', at=at)
    match = new_id()
    await store.commit(*begun(match, room, players, at))
    return match


async def a_table(store: Store) -> str:
    """A match with a dealt hand."""
    match = await a_match(store)
    await store.commit(*dealt(match))
    return match


async def a_finished_hand(store: Store, players: list[str | None] | None = None) -> str:
    """A match with a hand that is over."""
    match = await a_match(store, players)
    await store.commit(*dealt(match), *actions_of(match), hand_over(match, 0, played().end, 9000))
    return match
