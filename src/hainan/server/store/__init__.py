"""Storage: rooms, matches and every action, in SQLite or PostgreSQL, durable before anyone is told."""

from hainan.server.store.address import default_url, url_of
from hainan.server.store.backup import backup, restore
from hainan.server.store.errors import NameTakenError, StorageError, StoreError
from hainan.server.store.migrate import migrate
from hainan.server.store.rows import (
    Decision,
    Hand,
    How,
    Match,
    Player,
    Room,
    Seat,
    Secret,
    Start,
    Unfinished,
    new_id,
    now_ms,
)
from hainan.server.store.sole import sole_use
from hainan.server.store.store import Store
from hainan.server.store.writes import (
    Write,
    acted,
    hand_committed,
    hand_dealt,
    hand_over,
    hand_void,
    match_begun,
    match_over,
    room_closed,
    room_saved,
    room_used,
    seat_changed,
    totals_saved,
)

__all__ = [
    "Decision",
    "Hand",
    "How",
    "Match",
    "NameTakenError",
    "Player",
    "Room",
    "Seat",
    "Secret",
    "Start",
    "StorageError",
    "Store",
    "StoreError",
    "Unfinished",
    "Write",
    "acted",
    "backup",
    "default_url",
    "hand_committed",
    "hand_dealt",
    "hand_over",
    "hand_void",
    "match_begun",
    "match_over",
    "migrate",
    "new_id",
    "now_ms",
    "restore",
    "room_closed",
    "room_saved",
    "room_used",
    "seat_changed",
    "sole_use",
    "totals_saved",
    "url_of",
]
