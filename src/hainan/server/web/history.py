"""What was played, over HTTP: matches, hands, records and the proof of each shuffle.

A match of a private room is seen by its players and by whoever shows its share token; one of a listed room by
everybody. Nothing of a hand that isn't over is told but its commitment.
"""

import hmac
from typing import Annotated, Any, Final

from litestar import Response, Router, get, post
from litestar.params import PathParameter, QueryParameter
from msgspec import Struct

from hainan.server.problem import Problem
from hainan.server.store import Hand, Match, Player
from hainan.server.web.services import Call, Here, Me, Services, Visitor, refusals
from hainan.shuffle import ALGORITHM
from hainan.wire import Refusal

MatchId = Annotated[str, PathParameter(max_length=64)]
HandNumber = Annotated[int, PathParameter(ge=0, le=100_000, description="Counted from 0.")]
Before = Annotated[str | None, QueryParameter(max_length=64, description="`next` of the page before.")]
Limit = Annotated[int, QueryParameter(ge=1, le=100)]
After = Annotated[int, QueryParameter(ge=-1, le=10_000, description="The number of the last hand seen.")]
Share = Annotated[str | None, QueryParameter(max_length=128, description="The token of a share link.")]
_KNOWN: Final = refusals(401, 403, 404, 503)


class Place(Struct, frozen=True):
    """Who sat where; the name is empty where the player has deleted his data."""

    seat: int
    name: str
    player: str | None
    bot: str | None


class MatchView(Struct, frozen=True):
    """A match."""

    id: str
    room: str | None
    """The room's code, for those who played there."""
    rules: dict[str, Any]
    digest: str
    players: int
    private: bool
    started_at: int
    ended_at: int | None
    how: str | None
    """`length`, `vote` or `closed`, when it is over."""
    totals: list[int]
    seats: list[Place]


class MatchPage(Struct, frozen=True):
    """Some matches, and what to ask the next ones by: `?before=`."""

    matches: list[MatchView]
    next: str | None


class HandView(Struct, frozen=True):
    """A hand of a match; `end` is its bill (docs/formats.md, section 3)."""

    n: int
    commitment: str
    dealt_at: int | None
    ended_at: int | None
    void: bool
    end: dict[str, Any] | None


class HandPage(Struct, frozen=True):
    """Some hands, and what to ask the next ones by: `?after=`."""

    hands: list[HandView]
    next: int | None


class Proof(Struct, frozen=True):
    """What proves a shuffle: the commitment always, the rest when the hand is over."""

    algorithm: str
    commitment: str
    seed: str | None
    nonces: list[str] | None


class ShareLink(Struct, frozen=True):
    """Whoever has the link sees the match."""

    token: str
    link: str


# ---------------------------------------------------------------- who may see what


def _played(match: Match, player: Player | None) -> bool:
    return player is not None and any(seat.player == player.id for seat in match.seats)


async def _seen(services: Services, match: str, visitor: Player | None, share: str | None) -> Match:
    """A match, where the visitor may see it; raises Problem."""
    found = await services.store.match(match)
    if found is None:
        raise Problem(Refusal.NOT_FOUND, "there is no such match")
    shown = share is not None and hmac.compare_digest(share.encode(), found.share.encode())
    if found.private and not shown and not _played(found, visitor):
        if visitor is None:
            raise Problem(Refusal.NOT_SIGNED_IN, "sign in, or use the link that a player shared")
        raise Problem(Refusal.NOT_YOURS, "only its players see this match, and whoever has its share link")
    return found


def _view(match: Match, visitor: Player | None) -> MatchView:
    return MatchView(
        id=match.id,
        room=match.room if not match.private or _played(match, visitor) else None,
        rules=match.rules,
        digest=match.digest,
        players=match.players,
        private=match.private,
        started_at=match.started_at,
        ended_at=match.ended_at,
        how=match.how,
        totals=match.totals,
        seats=[Place(seat.seat, seat.name, seat.player, seat.bot) for seat in match.seats],
    )


async def _hand(services: Services, match: str, n: int) -> Hand:
    found = await services.store.hand(match, n)
    if found is None:
        raise Problem(Refusal.NOT_FOUND, f"this match has no hand {n}")
    return found


# ---------------------------------------------------------------- calls


@get("/api/matches", responses=refusals(401, 503))
async def my_matches(me: Me, services: Here, before: Before = None, limit: Limit = 50) -> MatchPage:
    """One's own matches, the newest first."""
    matches = await services.store.matches_of(me.id, before, limit)
    more = matches[-1].id if len(matches) == limit else None
    return MatchPage([_view(match, me) for match in matches], more)


@get("/api/matches/{match:str}", responses=_KNOWN)
async def one_match(match: MatchId, visitor: Visitor, services: Here, share: Share = None) -> MatchView:
    """A match."""
    return _view(await _seen(services, match, visitor, share), visitor)


@get("/api/matches/{match:str}/hands", responses=_KNOWN)
async def hands_of_match(
    match: MatchId,
    visitor: Visitor,
    services: Here,
    share: Share = None,
    after: After = -1,
    limit: Limit = 50,
) -> HandPage:
    """The hands of a match in order, with their bills."""
    found = await _seen(services, match, visitor, share)
    hands = await services.store.hands(found.id, after, limit)
    views = [
        HandView(hand.n, hand.commitment, hand.dealt_at, hand.ended_at, hand.void, hand.end) for hand in hands
    ]
    return HandPage(views, hands[-1].n if len(hands) == limit else None)


@get("/api/matches/{match:str}/hands/{n:int}/record", responses=_KNOWN)
async def record_of_hand(
    match: MatchId, n: HandNumber, visitor: Visitor, services: Here, share: Share = None
) -> Response[dict[str, Any]]:
    """The stored record of a hand that is over; `hainan replay` and `hainan verify` accept it."""
    found = await _seen(services, match, visitor, share)
    record = await services.store.record(found.id, n)
    if record is None:
        await _hand(services, found.id, n)
        raise Problem(Refusal.NOT_NOW, "this hand isn't over")
    if found.private and not _played(found, visitor):
        del record["room"]  # its code would let anyone in
    return Response(record)


@get("/api/matches/{match:str}/hands/{n:int}/proof", responses=_KNOWN)
async def proof_of_hand(
    match: MatchId, n: HandNumber, visitor: Visitor, services: Here, share: Share = None
) -> Proof:
    """The commitment of a hand's shuffle, and its seed and nonces when the hand is over."""
    found = await _seen(services, match, visitor, share)
    hand = await _hand(services, found.id, n)
    over = hand.ended_at is not None
    return Proof(ALGORITHM, hand.commitment, hand.seed if over else None, hand.nonces if over else None)


@post("/api/matches/{match:str}/share", status_code=200, responses=_KNOWN)
async def share_match(match: MatchId, me: Me, services: Here, caller: Call) -> ShareLink:
    """The link by which anyone can see a match; only its players can ask for it."""
    found = await _seen(services, match, me, None)
    if not _played(found, me):
        raise Problem(Refusal.NOT_YOURS, "only its players can share a match")
    return ShareLink(found.share, f"{caller.base_url}/m/{found.id}?share={found.share}")


router: Final = Router(
    "/",
    route_handlers=[my_matches, one_match, hands_of_match, record_of_hand, proof_of_hand, share_match],
    tags=["history"],
)
