"""The first form: players, rooms, matches, hands, actions."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Make all tables."""
    _people()
    _rooms()
    _matches()
    _hands()


def _people() -> None:
    op.create_table(
        "settings",
        sa.Column("key", sa.Text, nullable=False),
        sa.Column("value", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("key", name="pk_settings"),
    )
    op.create_table(
        "players",
        sa.Column("id", sa.Text, nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("password_hash", sa.Text),
        sa.Column("account_name", sa.Text),
        sa.Column("epoch", sa.Integer, nullable=False),
        sa.Column("is_bot", sa.Boolean, nullable=False),
        sa.Column("created_at", sa.BigInteger, nullable=False),
        sa.Column("seen_at", sa.BigInteger, nullable=False),
        sa.Column("deleted_at", sa.BigInteger),
        sa.PrimaryKeyConstraint("id", name="pk_players"),
        sa.UniqueConstraint("account_name", name="uq_players_account_name"),
    )


def _rooms() -> None:
    op.create_table(
        "rooms",
        sa.Column("code", sa.Text, nullable=False),
        sa.Column("owner", sa.Text),
        sa.Column("listed", sa.Boolean, nullable=False),
        sa.Column("state", sa.Text, nullable=False),
        sa.Column("created_at", sa.BigInteger, nullable=False),
        sa.Column("updated_at", sa.BigInteger, nullable=False),
        sa.Column("closed_at", sa.BigInteger),
        sa.PrimaryKeyConstraint("code", name="pk_rooms"),
    )
    _partial_index("ix_rooms_open", "rooms", ["created_at", "code"], "closed_at IS NULL")


def _matches() -> None:
    op.create_table(
        "matches",
        sa.Column("id", sa.Text, nullable=False),
        sa.Column("room", sa.Text, nullable=False),
        sa.Column("rules", sa.Text, nullable=False),
        sa.Column("digest", sa.Text, nullable=False),
        sa.Column("players", sa.Integer, nullable=False),
        sa.Column("private", sa.Boolean, nullable=False),
        sa.Column("share", sa.Text, nullable=False),
        sa.Column("started_at", sa.BigInteger, nullable=False),
        sa.Column("ended_at", sa.BigInteger),
        sa.Column("how", sa.Text),
        sa.Column("totals", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_matches"),
        sa.ForeignKeyConstraint(["room"], ["rooms.code"], name="fk_matches_room"),
    )
    op.create_index("ix_matches_room", "matches", ["room"])
    _partial_index("ix_matches_unfinished", "matches", ["id"], "ended_at IS NULL")
    op.create_table(
        "match_seats",
        sa.Column("match", sa.Text, nullable=False),
        sa.Column("seat", sa.Integer, nullable=False),
        sa.Column("player", sa.Text),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("bot", sa.Text),
        sa.PrimaryKeyConstraint("match", "seat", name="pk_match_seats"),
        sa.ForeignKeyConstraint(["match"], ["matches.id"], name="fk_match_seats_match"),
    )
    op.create_index("ix_match_seats_player", "match_seats", ["player"])


def _hands() -> None:
    op.create_table(
        "hands",
        sa.Column("match", sa.Text, nullable=False),
        sa.Column("n", sa.Integer, nullable=False),
        sa.Column("commitment", sa.Text, nullable=False),
        sa.Column("seed", sa.Text, nullable=False),
        sa.Column("nonces", sa.Text),
        sa.Column("start", sa.Text),
        sa.Column("wall", sa.Text),
        sa.Column("committed_at", sa.BigInteger, nullable=False),
        sa.Column("dealt_at", sa.BigInteger),
        sa.Column("ended_at", sa.BigInteger),
        sa.Column("end", sa.Text),
        sa.Column("void", sa.Boolean, nullable=False),
        sa.PrimaryKeyConstraint("match", "n", name="pk_hands"),
        sa.ForeignKeyConstraint(["match"], ["matches.id"], name="fk_hands_match"),
    )
    _partial_index("ix_hands_present", "hands", ["match", "n"], "ended_at IS NULL")
    op.create_table(
        "actions",
        sa.Column("match", sa.Text, nullable=False),
        sa.Column("hand", sa.Integer, nullable=False),
        sa.Column("n", sa.Integer, nullable=False),
        sa.Column("seat", sa.Integer, nullable=False),
        sa.Column("action", sa.Integer, nullable=False),
        sa.Column("how", sa.Integer, nullable=False),
        sa.Column("bank_ms", sa.Integer, nullable=False),
        sa.Column("at", sa.BigInteger, nullable=False),
        sa.PrimaryKeyConstraint("match", "hand", "n", name="pk_actions"),
        sqlite_with_rowid=False,
    )


def _partial_index(name: str, table: str, columns: list[str], where: str) -> None:
    op.create_index(name, table, columns, sqlite_where=sa.text(where), postgresql_where=sa.text(where))
