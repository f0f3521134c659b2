"""Rooms, and what is needed to go on after a stop."""

import secrets
from collections import defaultdict
from typing import Any, Final

import msgspec
from sqlalchemy import ColumnElement, Connection, FromClause, and_, case, exists, select, tuple_
from sqlalchemy.dialects import postgresql, sqlite

from hainan.server.store.errors import StorageError
from hainan.server.store.history import match_rows
from hainan.server.store.rows import Decision, Room, Secret, Start, Unfinished, now_ms
from hainan.server.store.schema import actions, hands, matches, rooms
from hainan.server.store.threads import Threads

CODES: Final = 1_000_000
_TRIES: Final = 1000
_COLUMNS: Final = [rooms.c[name] for name in Room.__struct_fields__]
_INSERT: Final[dict[str, Any]] = {"sqlite": sqlite.insert, "postgresql": postgresql.insert}


class Rooms(Threads):
    """What the store knows about rooms."""

    async def create_room(self, owner: str | None, listed: bool, state: str, at: int | None = None) -> str:
        """A new room; its code, that no other room ever had."""
        return await self._write(_create, owner, listed, state, now_ms() if at is None else at)

    async def room(self, code: str) -> Room | None:
        """A room by its code, also a closed one."""
        return await self._read(_room, code)

    async def listed_rooms(self, before: str | None = None, limit: int = 50) -> list[Room]:
        """Open rooms shown to everybody, the newest first, after the one with the code ``before``."""
        return await self._read(_listed, before, limit)

    async def unused_rooms(self, before: int, in_match_before: int) -> list[str]:
        """Codes of the open rooms of which nothing was stored since a time; another one for those with a
        match that goes on. The longest unused first."""
        return await self._read(_unused, before, in_match_before)

    async def rooms_with(self, player: str) -> list[str]:
        """Codes of the open rooms in which a player's id stands somewhere."""
        return await self._read(_rooms_with, player)

    async def unfinished(self, room: str | None = None) -> list[Unfinished]:
        """Every match that goes on in an open room (or in this one), with its present hand."""
        return await self._read(_unfinished, room)


def _create(connection: Connection, owner: str | None, listed: bool, state: str, at: int) -> str:
    insert = _INSERT[connection.dialect.name](rooms).on_conflict_do_nothing()
    row = {"owner": owner, "listed": listed, "state": state, "created_at": at, "updated_at": at}
    for _ in range(_TRIES):
        code = f"{secrets.randbelow(CODES):06}"
        if connection.execute(insert, row | {"code": code, "closed_at": None}).rowcount == 1:
            return code
    raise StorageError("there is hardly a free room code left")


def _room(connection: Connection, code: str) -> Room | None:
    row = connection.execute(select(*_COLUMNS).where(rooms.c.code == code)).first()
    return None if row is None else Room(*row)


def _listed(connection: Connection, before: str | None, limit: int) -> list[Room]:
    query = select(*_COLUMNS).where(rooms.c.closed_at.is_(None), rooms.c.listed)
    if before is not None:
        last = select(rooms.c.created_at, rooms.c.code).where(rooms.c.code == before)
        query = query.where(tuple_(rooms.c.created_at, rooms.c.code) < last.scalar_subquery())
    query = query.order_by(rooms.c.created_at.desc(), rooms.c.code.desc()).limit(limit)
    return [Room(*row) for row in connection.execute(query)]


def _unused(connection: Connection, before: int, in_match_before: int) -> list[str]:
    in_match = exists().where(matches.c.room == rooms.c.code, matches.c.ended_at.is_(None))
    limit = case((in_match, in_match_before), else_=before)
    query = select(rooms.c.code).where(rooms.c.closed_at.is_(None), rooms.c.updated_at < limit)
    return list(connection.scalars(query.order_by(rooms.c.updated_at, rooms.c.code)))


def _rooms_with(connection: Connection, player: str) -> list[str]:
    query = select(rooms.c.code).where(
        rooms.c.closed_at.is_(None), rooms.c.state.contains(player, autoescape=True)
    )
    return list(connection.scalars(query))


# ---------------------------------------------------------------- going on


def _going_on(room: str | None) -> tuple[FromClause, ColumnElement[bool]]:
    """Unfinished matches of open rooms, or of one."""
    where = and_(matches.c.ended_at.is_(None), rooms.c.closed_at.is_(None))
    return matches.join(rooms), where if room is None else where & (rooms.c.code == room)


def _unfinished(connection: Connection, room: str | None) -> list[Unfinished]:
    """In a handful of queries, however many there are."""
    source, where = _going_on(room)
    query = select(matches.c.id, *_COLUMNS).select_from(source).where(where).order_by(matches.c.started_at)
    found = {match: Room(*row) for match, *row in connection.execute(query)}
    present = _present_hands(connection, room)
    decisions = _decisions(connection, room)
    result = []
    for match in match_rows(connection, list(found)):
        hand = present.get(match.id)
        done = [] if hand is None else decisions.get((match.id, hand.n), [])
        result.append(Unfinished(found[match.id], match, hand, done))
    return result


def _present_hands(connection: Connection, room: str | None) -> dict[str, Secret]:
    source, where = _going_on(room)
    query = (
        select(*(hands.c[name] for name in Secret.__struct_fields__))
        .select_from(source.join(hands, hands.c.match == matches.c.id))
        .where(where, hands.c.ended_at.is_(None))
        .order_by(hands.c.n)
    )
    return {row.match: _secret(*row) for row in connection.execute(query)}


def _secret(
    match: str, n: int, commitment: str, seed: str, nonces: str | None, start: str | None, *rest: Any
) -> Secret:
    mixed = None if nonces is None else msgspec.json.decode(nonces, type=list[str])
    begun = None if start is None else msgspec.json.decode(start, type=Start)
    return Secret(match, n, commitment, seed, mixed, begun, *rest)


def _decisions(connection: Connection, room: str | None) -> dict[tuple[str, int], list[Decision]]:
    source, where = _going_on(room)
    source = source.join(hands, hands.c.match == matches.c.id).join(
        actions, and_(actions.c.match == hands.c.match, actions.c.hand == hands.c.n)
    )
    query = (
        select(actions.c.match, actions.c.hand, *(actions.c[name] for name in Decision.__struct_fields__))
        .select_from(source)
        .where(where, hands.c.ended_at.is_(None))
        .order_by(actions.c.match, actions.c.hand, actions.c.n)
    )
    found = defaultdict(list)
    for match, hand, *decision in connection.execute(query):
        found[match, hand].append(Decision(*decision))
    return found
