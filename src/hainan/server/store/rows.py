"""What is stored, as the rest of the server sees it."""

import secrets
import time
from enum import IntEnum
from typing import Any

import msgspec
from msgspec import Struct


def new_id() -> str:
    """A random id of 128 bits."""
    return secrets.token_hex(16)


def now_ms() -> int:
    """UTC in milliseconds: the times in the database."""
    return time.time_ns() // 1_000_000


def to_json(value: Any) -> str:
    """A value as it is stored."""
    return msgspec.json.encode(value).decode()


class How(IntEnum):
    """How a decision was come to."""

    PLAYER = 0
    TIME_OVER = 1
    AUTO = 2
    BOT = 3


class Player(Struct, frozen=True):
    """A player: a guest, or an account where a password is set."""

    id: str
    name: str
    password_hash: str | None
    account_name: str | None
    epoch: int
    is_bot: bool
    created_at: int
    seen_at: int


class Room(Struct, frozen=True):
    """A room; its state is the business of the room alone."""

    code: str
    owner: str | None
    listed: bool
    state: str
    created_at: int
    updated_at: int
    closed_at: int | None


class Seat(Struct, frozen=True):
    """Who sat where in a match; the name is empty where the player has deleted his data."""

    seat: int
    player: str | None
    name: str
    bot: str | None = None


class Match(Struct, frozen=True):
    """A match and its seats in order."""

    id: str
    room: str
    rules: dict[str, Any]
    digest: str
    players: int
    private: bool
    share: str
    """Whoever shows this sees a private match."""
    started_at: int
    ended_at: int | None
    how: str | None
    totals: list[int]
    seats: tuple[Seat, ...]


class Start(Struct, frozen=True, kw_only=True):
    """Where a hand stands in its match: what its table is set up with, beside wall and nonces."""

    players: int
    dealer: int
    streak: int
    round_wind: int
    """0 for East to 3 for North."""
    ga_floor: list[int]
    dice: tuple[int, int]
    first_dealer: int
    hands_played: int
    rounds_played: int


class Secret(Struct, frozen=True):
    """A hand with everything that is still hidden: for its own table, never for anybody else."""

    match: str
    n: int
    commitment: str
    seed: str
    nonces: list[str] | None
    start: Start | None
    wall: str | None
    committed_at: int
    dealt_at: int | None


class Hand(Struct, frozen=True):
    """A hand as others may see it: seed, nonces and wall are None until it is over."""

    match: str
    n: int
    commitment: str
    seed: str | None
    nonces: list[str] | None
    start: Start | None
    wall: str | None
    committed_at: int
    dealt_at: int | None
    ended_at: int | None
    end: dict[str, Any] | None
    void: bool


class Decision(Struct, frozen=True):
    """A stored action."""

    n: int
    seat: int
    action: int
    how: int
    bank_ms: int
    at: int


class Unfinished(Struct, frozen=True):
    """What an open room needs to go on with its match."""

    room: Room
    match: Match
    hand: Secret | None
    """The present hand: committed, perhaps dealt, not over."""
    actions: list[Decision]
