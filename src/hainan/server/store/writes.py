"""What the tables write: named writes, to be given to `Store.commit` in any number.

Each must change exactly what it names: a write that would change no row (a hand settled twice, a match that
doesn't exist) fails, and with it everything else in the same call.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

from sqlalchemy import Executable, bindparam, insert, update

from hainan.server.store import schema
from hainan.server.store.rows import Seat, Start, to_json


class Write(NamedTuple):
    """A statement and its values."""

    statement: Executable
    parameters: dict[str, Any]


_open_room = update(schema.rooms).where(
    schema.rooms.c.code == bindparam("of_code"), schema.rooms.c.closed_at.is_(None)
)
_room_saved = _open_room.values(
    {name: bindparam(name) for name in ("owner", "listed", "state", "updated_at")}
)
_room_used = _open_room.values(updated_at=bindparam("updated_at"))
_room_closed = _open_room.values({name: bindparam(name) for name in ("state", "updated_at", "closed_at")})
_match = insert(schema.matches)
_seat = insert(schema.match_seats)
_open_match = update(schema.matches).where(
    schema.matches.c.id == bindparam("of_match"), schema.matches.c.ended_at.is_(None)
)
_totals = _open_match.values(totals=bindparam("totals"))
_match_over = _open_match.values({name: bindparam(name) for name in ("how", "totals", "ended_at")})
_new_hand = insert(schema.hands)
_hand = update(schema.hands).where(
    schema.hands.c.match == bindparam("of_match"),
    schema.hands.c.n == bindparam("of_n"),
    schema.hands.c.ended_at.is_(None),
)
_deal = _hand.where(schema.hands.c.dealt_at.is_(None)).values(
    {name: bindparam(name) for name in ("nonces", "start", "wall", "dealt_at")}
)
_hand_over = _hand.where(schema.hands.c.dealt_at.is_not(None)).values(
    end=bindparam("end"), ended_at=bindparam("ended_at")
)
_void = _hand.values(void=True, ended_at=bindparam("ended_at"))
_replaced_seat = (
    update(schema.match_seats)
    .where(
        schema.match_seats.c.match == bindparam("of_match"), schema.match_seats.c.seat == bindparam("of_seat")
    )
    .values({name: bindparam(name) for name in ("player", "name", "bot")})
)
ACTED: Final = insert(schema.actions)
"""The writer gathers these."""


def room_saved(code: str, owner: str | None, listed: bool, state: str, at: int) -> Write:
    """An open room as it is now; `Store.create_room` made it."""
    return Write(
        _room_saved, {"of_code": code, "owner": owner, "listed": listed, "state": state, "updated_at": at}
    )


def room_used(code: str, at: int) -> Write:
    """Somebody was in an open room, though nothing about it has changed."""
    return Write(_room_used, {"of_code": code, "updated_at": at})


def room_closed(code: str, state: str, at: int) -> Write:
    """A room is no more; once. Its owner stays as stored: he may just have deleted his data."""
    return Write(_room_closed, {"of_code": code, "state": state, "updated_at": at, "closed_at": at})


def match_begun(
    match: str,
    room: str,
    rules: Mapping[str, Any],
    digest: str,
    seats: Sequence[Seat],
    private: bool,
    share: str,
    at: int,
) -> tuple[Write, ...]:
    """A new match and who sits where; ``rules`` as `rules_to_json` gives them."""
    players = len(seats)
    row = {
        "id": match,
        "room": room,
        "rules": to_json(rules),
        "digest": digest,
        "players": players,
        "private": private,
        "share": share,
        "started_at": at,
        "ended_at": None,
        "how": None,
        "totals": to_json([0] * players),
    }
    return Write(_match, row), *(
        Write(_seat, {"match": match, "seat": s.seat, "player": s.player, "name": s.name, "bot": s.bot})
        for s in seats
    )


def seat_changed(match: str, seat: Seat) -> Write:
    """Another player or bot on a seat of a match."""
    return Write(
        _replaced_seat,
        {"of_match": match, "of_seat": seat.seat, "player": seat.player, "name": seat.name, "bot": seat.bot},
    )


def hand_committed(match: str, n: int, commitment: str, seed: str, at: int) -> Write:
    """The secret seed of the hand to come (hexadecimal), before anyone is told its commitment."""
    return Write(
        _new_hand,
        {
            "match": match,
            "n": n,
            "commitment": commitment,
            "seed": seed,
            "nonces": None,
            "start": None,
            "wall": None,
            "committed_at": at,
            "dealt_at": None,
            "ended_at": None,
            "end": None,
            "void": False,
        },
    )


def hand_dealt(match: str, n: int, nonces: Sequence[str], start: Start, wall: str, at: int) -> Write:
    """The committed hand begins; ``wall`` as text."""
    return Write(
        _deal,
        {
            "of_match": match,
            "of_n": n,
            "nonces": to_json(list(nonces)),
            "start": to_json(start),
            "wall": wall,
            "dealt_at": at,
        },
    )


def acted(match: str, hand: int, n: int, seat: int, action: int, how: int, bank_ms: int, at: int) -> Write:
    """A decision: the n-th of its hand, from 0; ``bank_ms`` is what it took from the seat's bank."""
    # The order of the schema: the writer takes the values as they come.
    return Write(
        ACTED,
        {
            "match": match,
            "hand": hand,
            "n": n,
            "seat": seat,
            "action": int(action),
            "how": int(how),
            "bank_ms": bank_ms,
            "at": at,
        },
    )


def hand_over(match: str, n: int, end: Mapping[str, Any], at: int) -> Write:
    """A dealt hand ended with this bill; a hand ends once."""
    return Write(_hand_over, {"of_match": match, "of_n": n, "end": to_json(end), "ended_at": at})


def hand_void(match: str, n: int, at: int) -> Write:
    """A hand doesn't count; its number isn't used again."""
    return Write(_void, {"of_match": match, "of_n": n, "ended_at": at})


def totals_saved(match: str, totals: Sequence[int]) -> Write:
    """Points over all finished hands of a match that goes on."""
    return Write(_totals, {"of_match": match, "totals": to_json(list(totals))})


def match_over(match: str, how: str, totals: Sequence[int], at: int) -> Write:
    """A match ended by its `length`, by `vote` or because its room was `closed`; it ends once."""
    return Write(
        _match_over, {"of_match": match, "how": how, "totals": to_json(list(totals)), "ended_at": at}
    )
