"""Players, accounts and the server's own settings."""

import secrets
from typing import Any, Final

import msgspec
from sqlalchemy import ColumnElement, Connection, delete, insert, select, update

from hainan.rules.actions import ACTIONS
from hainan.server.store.errors import NameTakenError, StorageError
from hainan.server.store.history import match_rows
from hainan.server.store.rows import How, Match, Player, new_id, now_ms
from hainan.server.store.schema import actions, hands, match_seats, players, rooms, settings
from hainan.server.store.threads import Threads

_COLUMNS: Final = [players.c[name] for name in Player.__struct_fields__]


def account_key(name: str) -> str:
    """What makes two account names the same."""
    return name.strip().casefold()


class Players(Threads):
    """What the store knows about people."""

    async def secret(self) -> bytes:
        """The 32 bytes that sign tokens, made at the first start."""
        return await self._write(_secret)

    async def next_generation(self) -> int:
        """How many times the server was started, this one included."""
        return await self._write(_next_generation)

    async def create_player(self, name: str, *, is_bot: bool = False, at: int | None = None) -> Player:
        """A new guest."""
        return await self._write(_create, name, is_bot, now_ms() if at is None else at)

    async def player(self, player: str) -> Player | None:
        """A player by id; one whose data was deleted doesn't exist."""
        return await self._read(_player, players.c.id == player)

    async def player_by_account(self, name: str) -> Player | None:
        """The player with a password who is called so, however it is written."""
        return await self._read(_player, players.c.account_name == account_key(name))

    async def seen(self, player: str, at: int | None = None) -> None:
        """A player was here."""
        await self._write(_change, player, {"seen_at": now_ms() if at is None else at})

    async def rename(self, player: str, name: str) -> None:
        """Another name; raises NameTakenError where he has an account and another is called so."""
        if not await self._write(_rename, player, name):
            raise NameTakenError(name)

    async def set_password(self, player: str, password_hash: str) -> None:
        """Make a guest an account under his present name, or change the password; raises NameTakenError."""
        if (taken := await self._write(_set_password, player, password_hash)) is not None:
            raise NameTakenError(taken)

    async def revoke(self, player: str) -> int:
        """Make all tokens of a player invalid; the epoch of new ones."""
        return await self._write(_revoke, player)

    async def export(self, player: str) -> dict[str, Any] | None:
        """Everything stored about a player, as JSON; None where there is no such player."""
        return await self._read(_export, player)

    async def delete_player(self, player: str, at: int | None = None) -> None:
        """Delete name, account and password; the hands stay for those who also played them."""
        await self._write(_delete, player, now_ms() if at is None else at)


# ---------------------------------------------------------------- settings


def _setting(connection: Connection, key: str) -> str | None:
    return connection.scalar(select(settings.c.value).where(settings.c.key == key))


def _set_setting(connection: Connection, key: str, value: str) -> None:
    connection.execute(delete(settings).where(settings.c.key == key))
    connection.execute(insert(settings), {"key": key, "value": value})


def _secret(connection: Connection) -> bytes:
    stored = _setting(connection, "secret")
    if stored is None:
        stored = secrets.token_hex(32)
        _set_setting(connection, "secret", stored)
    return bytes.fromhex(stored)


def _next_generation(connection: Connection) -> int:
    generation = int(_setting(connection, "generation") or 0) + 1
    _set_setting(connection, "generation", str(generation))
    return generation


# ---------------------------------------------------------------- players


def _create(connection: Connection, name: str, is_bot: bool, at: int) -> Player:
    player = Player(new_id(), name, None, None, 0, is_bot, at, at)
    connection.execute(insert(players), msgspec.structs.asdict(player))
    return player


def _player(connection: Connection, which: ColumnElement[bool]) -> Player | None:
    row = connection.execute(select(*_COLUMNS).where(which, players.c.deleted_at.is_(None))).first()
    return None if row is None else Player(*row)


def _existing(connection: Connection, player: str) -> Player:
    found = _player(connection, players.c.id == player)
    if found is None:
        raise StorageError(f"there is no player {player}")
    return found


def _change(connection: Connection, player: str, values: dict[str, Any]) -> None:
    _existing(connection, player)
    connection.execute(update(players).where(players.c.id == player).values(values))


def _taken(connection: Connection, player: str, name: str) -> bool:
    other = select(players.c.id).where(players.c.account_name == account_key(name), players.c.id != player)
    return connection.scalar(other) is not None


def _rename(connection: Connection, player: str, name: str) -> bool:
    """False where the name is another's. Finished matches keep the name that was played under."""
    account = _existing(connection, player).account_name is not None
    if account and _taken(connection, player, name):
        return False
    _change(connection, player, {"name": name} | ({"account_name": account_key(name)} if account else {}))
    return True


def _set_password(connection: Connection, player: str, password_hash: str) -> str | None:
    """The name where it is another's."""
    name = _existing(connection, player).name
    if _taken(connection, player, name):
        return name
    _change(connection, player, {"password_hash": password_hash, "account_name": account_key(name)})
    return None


def _revoke(connection: Connection, player: str) -> int:
    epoch = _existing(connection, player).epoch + 1
    _change(connection, player, {"epoch": epoch})
    return epoch


# ---------------------------------------------------------------- a player's data


def _delete(connection: Connection, player: str, at: int) -> None:
    gone = {
        "name": "",
        "password_hash": None,
        "account_name": None,
        "epoch": _existing(connection, player).epoch + 1,
        "deleted_at": at,
    }
    _change(connection, player, gone)
    connection.execute(update(match_seats).where(match_seats.c.player == player).values(name=""))
    connection.execute(update(rooms).where(rooms.c.owner == player).values(owner=None))
    # An open room is its actor's business; of a closed one nobody needs the state any more.
    closed = rooms.c.closed_at.is_not(None) & rooms.c.state.contains(player, autoescape=True)
    connection.execute(update(rooms).where(closed).values(state="{}"))


def _export(connection: Connection, player: str) -> dict[str, Any] | None:
    found = _player(connection, players.c.id == player)
    if found is None:
        return None
    profile = msgspec.structs.asdict(found)
    # The hash is no datum about him, and would help whoever gets hold of the file.
    profile["has_password"] = profile.pop("password_hash") is not None
    owned = select(rooms.c.code, rooms.c.created_at, rooms.c.closed_at).where(rooms.c.owner == player)
    return {
        "player": profile,
        "rooms": [dict(row._mapping) for row in connection.execute(owned.order_by(rooms.c.created_at))],
        "matches": [_exported(connection, player, match) for match in _played(connection, player)],
    }


def _played(connection: Connection, player: str) -> list[Match]:
    ids = connection.scalars(
        select(match_seats.c.match).where(match_seats.c.player == player).distinct()
    ).all()
    return sorted(match_rows(connection, ids), key=lambda match: match.started_at)


def _exported(connection: Connection, player: str, match: Match) -> dict[str, Any]:
    mine = [seat.seat for seat in match.seats if seat.player == player]
    decisions: dict[int, list[dict[str, Any]]] = {}
    rows = connection.execute(
        select(*(actions.c[name] for name in ("hand", "n", "seat", "action", "how", "bank_ms", "at")))
        .where(actions.c.match == match.id, actions.c.seat.in_(mine))
        .order_by(actions.c.hand, actions.c.n)
    )
    for hand, n, seat, action, how, bank_ms, at in rows:
        decisions.setdefault(hand, []).append(
            {
                "n": n,
                "seat": seat,
                "action": ACTIONS[action].text,
                "how": How(how).name.lower(),
                "bank_ms": bank_ms,
                "at": at,
            }
        )
    dealt = connection.execute(
        select(hands.c.n, hands.c.dealt_at, hands.c.ended_at, hands.c.end, hands.c.void)
        .where(hands.c.match == match.id, hands.c.dealt_at.is_not(None))
        .order_by(hands.c.n)
    )
    return msgspec.structs.asdict(match) | {
        "seats": [msgspec.structs.asdict(seat) for seat in match.seats],
        "hands": [
            {
                "n": n,
                "dealt_at": dealt_at,
                "ended_at": ended_at,
                "end": None if end is None else msgspec.json.decode(end),
                "void": void,
                "decisions": decisions.get(n, []),
            }
            for n, dealt_at, ended_at, end, void in dealt
        ],
    }
