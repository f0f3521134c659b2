"""The tables of the database, for SQLite and PostgreSQL alike.

Ids are random texts, times are UTC milliseconds, JSON is text. A change here needs a step in
`migrations/versions`: a test compares what the steps make with what stands here.
"""

from typing import Final

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    ForeignKeyConstraint,
    Index,
    Integer,
    MetaData,
    PrimaryKeyConstraint,
    Table,
    Text,
    UniqueConstraint,
)

NAMES: Final = {
    "pk": "pk_%(table_name)s",
    "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    "fk": "fk_%(table_name)s_%(column_0_N_name)s",
    "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    "ck": "ck_%(table_name)s_%(constraint_name)s",
}
"""How constraints are called, so that a migration can name what it changes."""

metadata: Final = MetaData(naming_convention=NAMES)

settings: Final = Table(
    "settings",
    metadata,
    Column("key", Text, nullable=False),
    Column("value", Text, nullable=False),
    PrimaryKeyConstraint("key"),
)

players: Final = Table(
    "players",
    metadata,
    Column("id", Text, nullable=False),
    Column("name", Text, nullable=False),
    Column("password_hash", Text),
    Column("account_name", Text),
    Column("epoch", Integer, nullable=False),
    Column("is_bot", Boolean, nullable=False),
    Column("created_at", BigInteger, nullable=False),
    Column("seen_at", BigInteger, nullable=False),
    Column("deleted_at", BigInteger),
    PrimaryKeyConstraint("id"),
    UniqueConstraint("account_name"),
)

rooms: Final = Table(
    "rooms",
    metadata,
    Column("code", Text, nullable=False),
    Column("owner", Text),
    Column("listed", Boolean, nullable=False),
    Column("state", Text, nullable=False),
    Column("created_at", BigInteger, nullable=False),
    Column("updated_at", BigInteger, nullable=False),
    Column("closed_at", BigInteger),
    PrimaryKeyConstraint("code"),
)
# A server of many years has few open rooms among its closed ones: these indexes hold only the open ones.
_open = rooms.c.closed_at.is_(None)
Index("ix_rooms_open", rooms.c.created_at, rooms.c.code, sqlite_where=_open, postgresql_where=_open)

matches: Final = Table(
    "matches",
    metadata,
    Column("id", Text, nullable=False),
    Column("room", Text, nullable=False),
    Column("rules", Text, nullable=False),
    Column("digest", Text, nullable=False),
    Column("players", Integer, nullable=False),
    Column("private", Boolean, nullable=False),
    Column("share", Text, nullable=False),
    Column("started_at", BigInteger, nullable=False),
    Column("ended_at", BigInteger),
    Column("how", Text),
    Column("totals", Text, nullable=False),
    PrimaryKeyConstraint("id"),
    ForeignKeyConstraint(["room"], ["rooms.code"]),
    Index(None, "room"),
)
_unfinished = matches.c.ended_at.is_(None)
Index("ix_matches_unfinished", matches.c.id, sqlite_where=_unfinished, postgresql_where=_unfinished)

match_seats: Final = Table(
    "match_seats",
    metadata,
    Column("match", Text, nullable=False),
    Column("seat", Integer, nullable=False),
    Column("player", Text),
    Column("name", Text, nullable=False),
    Column("bot", Text),
    PrimaryKeyConstraint("match", "seat"),
    ForeignKeyConstraint(["match"], ["matches.id"]),
    Index(None, "player"),
)

hands: Final = Table(
    "hands",
    metadata,
    Column("match", Text, nullable=False),
    Column("n", Integer, nullable=False),
    Column("commitment", Text, nullable=False),
    Column("seed", Text, nullable=False),
    Column("nonces", Text),
    Column("start", Text),
    Column("wall", Text),
    Column("committed_at", BigInteger, nullable=False),
    Column("dealt_at", BigInteger),
    Column("ended_at", BigInteger),
    Column("end", Text),
    Column("void", Boolean, nullable=False),
    PrimaryKeyConstraint("match", "n"),
    ForeignKeyConstraint(["match"], ["matches.id"]),
)
_present = hands.c.ended_at.is_(None)
Index("ix_hands_present", hands.c.match, hands.c.n, sqlite_where=_present, postgresql_where=_present)

# By far the most rows, one a decision. No foreign key: PostgreSQL would lock and write the hand's row for
# each of them. The rows of a hand lie together, since the key is the table (SQLite).
actions: Final = Table(
    "actions",
    metadata,
    Column("match", Text, nullable=False),
    Column("hand", Integer, nullable=False),
    Column("n", Integer, nullable=False),
    Column("seat", Integer, nullable=False),
    Column("action", Integer, nullable=False),
    Column("how", Integer, nullable=False),
    Column("bank_ms", Integer, nullable=False),
    Column("at", BigInteger, nullable=False),
    PrimaryKeyConstraint("match", "hand", "n"),
    sqlite_with_rowid=False,
)
