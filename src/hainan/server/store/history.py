"""Matches, hands and records: what was played, without anything that is still hidden."""

from collections import defaultdict
from collections.abc import Sequence
from typing import Any, Final

import msgspec
from sqlalchemy import ColumnElement, Connection, select, tuple_

from hainan.rules.actions import ACTIONS
from hainan.rules.tiles import EAST, TEXT
from hainan.server.store.rows import Hand, How, Match, Seat, Start
from hainan.server.store.schema import actions, hands, match_seats, matches
from hainan.server.store.threads import Threads

_MATCH: Final = [matches.c[name] for name in Match.__struct_fields__ if name != "seats"]
_SEAT: Final = [match_seats.c[name] for name in Seat.__struct_fields__]
_HAND: Final = [hands.c[name] for name in Hand.__struct_fields__]
_MANY: Final = 500
"""Ids in one query; more could be too many parameters."""


class History(Threads):
    """What the store knows about play."""

    async def matches_of(self, player: str, before: str | None = None, limit: int = 50) -> list[Match]:
        """Matches that a player sat in, the newest first, after the one with the id ``before``."""
        return await self._read(_matches_of, player, before, limit)

    async def match(self, match: str) -> Match | None:
        """A match by id."""
        return await self._read(_match, match)

    async def hands(self, match: str, after: int = -1, limit: int = 50) -> list[Hand]:
        """Hands of a match in order, those after the number ``after``."""
        return await self._read(_hands, (hands.c.match == match) & (hands.c.n > after), limit)

    async def hand(self, match: str, n: int) -> Hand | None:
        """One hand: its commitment, and the proof when it is over."""
        found = await self._read(_hands, (hands.c.match == match) & (hands.c.n == n), 1)
        return found[0] if found else None

    async def record(self, match: str, n: int) -> dict[str, Any] | None:
        """The stored record of a hand (docs/formats.md, section 3), which `hainan verify` and `hainan replay`
        accept; None until the hand is over, and where there is none."""
        return await self._read(_record, match, n)


def _matches_of(connection: Connection, player: str, before: str | None, limit: int) -> list[Match]:
    query = select(matches.c.id).where(
        matches.c.id.in_(select(match_seats.c.match).where(match_seats.c.player == player))
    )
    if before is not None:
        last = select(matches.c.started_at, matches.c.id).where(matches.c.id == before)
        query = query.where(tuple_(matches.c.started_at, matches.c.id) < last.scalar_subquery())
    query = query.order_by(matches.c.started_at.desc(), matches.c.id.desc()).limit(limit)
    return match_rows(connection, connection.scalars(query).all())


def _match(connection: Connection, match: str) -> Match | None:
    found = match_rows(connection, [match])
    return found[0] if found else None


def match_rows(connection: Connection, ids: Sequence[str]) -> list[Match]:
    """Matches with their seats, in the order of the ids."""
    found: dict[str, Match] = {}
    for at in range(0, len(ids), _MANY):
        some = ids[at : at + _MANY]
        seats: dict[str, list[Seat]] = defaultdict(list)
        query = select(match_seats.c.match, *_SEAT).where(match_seats.c.match.in_(some))
        for match, *seat in connection.execute(query.order_by(match_seats.c.match, match_seats.c.seat)):
            seats[match].append(Seat(*seat))
        for row in connection.execute(select(*_MATCH).where(matches.c.id.in_(some))):
            found[row.id] = _read_match(seats[row.id], **row._mapping)
    return [found[match] for match in ids if match in found]


def _read_match(seats: list[Seat], *, rules: str, totals: str, **rest: Any) -> Match:
    return Match(
        rules=msgspec.json.decode(rules), totals=msgspec.json.decode(totals), seats=tuple(seats), **rest
    )


def _hands(connection: Connection, which: ColumnElement[bool], limit: int) -> list[Hand]:
    query = select(*_HAND).where(which).order_by(hands.c.n).limit(limit)
    return [_read_hand(**row._mapping) for row in connection.execute(query)]


def _read_hand(
    *,
    seed: str,
    nonces: str | None,
    start: str | None,
    wall: str | None,
    ended_at: int | None,
    end: str | None,
    **rest: Any,
) -> Hand:
    """A hand for others: a running one leaves its secrets behind here."""
    over = ended_at is not None
    return Hand(
        seed=seed if over else None,
        nonces=msgspec.json.decode(nonces, type=list[str]) if over and nonces is not None else None,
        start=None if start is None else msgspec.json.decode(start, type=Start),
        wall=wall if over else None,
        ended_at=ended_at,
        end=None if end is None else msgspec.json.decode(end),
        **rest,
    )


def _record(connection: Connection, match: str, n: int) -> dict[str, Any] | None:
    played = _match(connection, match)
    found = _hands(connection, (hands.c.match == match) & (hands.c.n == n), 1)
    if played is None or not found:
        return None
    hand = found[0]
    if hand.ended_at is None or hand.start is None:
        return None
    rows = connection.execute(
        select(actions.c.seat, actions.c.action, actions.c.how, actions.c.bank_ms, actions.c.at)
        .where(actions.c.match == match, actions.c.hand == n)
        .order_by(actions.c.n)
    ).all()
    return _replayable(played, hand, hand.start, [(seat, action) for seat, action, *_ in rows]) | {
        "room": played.room,
        "match": match,
        "hand": n,
        "names": [seat.name for seat in played.seats],
        "bots": [seat.bot for seat in played.seats],
        "void": hand.void,
        "committed_at": hand.committed_at,
        "dealt_at": hand.dealt_at,
        "ended_at": hand.ended_at,
        "end": hand.end,
        "decisions": [
            {"how": How(how).name.lower(), "bank_ms": bank_ms, "at": at} for _, _, how, bank_ms, at in rows
        ],
    }


def _replayable(match: Match, hand: Hand, start: Start, taken: Sequence[tuple[int, int]]) -> dict[str, Any]:
    """What replays and proves a hand."""
    # Here alone, so that a backup needn't compile anything.
    from hainan.shuffle import Shuffle
    from hainan.table import RECORD_FORMAT

    assert hand.seed is not None
    shuffle = Shuffle(bytes.fromhex(hand.seed), tuple(hand.nonces or ()))
    return {
        "format": RECORD_FORMAT,
        "rules": match.rules,
        "players": start.players,
        "dealer": start.dealer,
        "streak": start.streak,
        "round_wind": TEXT[EAST + start.round_wind],
        "ga_floor": start.ga_floor,
        "dice": list(start.dice),
        "wall": hand.wall,
        "actions": [[seat, ACTIONS[action].text] for seat, action in taken],
        # What was told before the deal, not what the seed would give.
        "shuffle": shuffle.to_json() | {"commitment": hand.commitment},
    }
