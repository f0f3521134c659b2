"""Rooms over HTTP: open one, look for one, or play against bots at once."""

from typing import Annotated, Final

from litestar import Router, get, post
from litestar.params import JSONBody, PathParameter, QueryParameter
from msgspec import Meta, Struct, field

from hainan import wire
from hainan.bots.policies import policy_named
from hainan.server.exchange import NOBODY, Envelope
from hainan.server.problem import Problem
from hainan.server.state import STAND_IN, RoomState, Seat, opening_state
from hainan.server.store import Player, Room
from hainan.server.web.services import Call, Here, Me, Services, refusals
from hainan.server.web.socket import MISS_COST, not_flat
from hainan.wire import Refusal

Code = Annotated[str, PathParameter(max_length=64, description="Six digits.")]
Before = Annotated[str | None, QueryParameter(max_length=64, description="`next` of the page before.")]
Limit = Annotated[int, QueryParameter(ge=1, le=100)]


class Opening(Struct, frozen=True, forbid_unknown_fields=True):
    """How a new room shall play."""

    settings: wire.Settings = field(default_factory=wire.Settings)


class Quick(Struct, frozen=True, forbid_unknown_fields=True):
    """Playing at once."""

    settings: wire.Settings = field(default_factory=wire.Settings)
    policy: Annotated[str, Meta(max_length=32)] = STAND_IN
    """How well the bots play, as in `add_bot`."""


class RoomCard(Struct, frozen=True, kw_only=True):
    """What a room looks like from outside."""

    code: str
    owner: str | None
    """The owner's name, if he has a seat."""
    settings: wire.Settings
    stage: wire.Stage
    chairs: list[wire.Chair]


class RoomLink(Struct, frozen=True):
    """A room's code, and the link to send to friends."""

    code: str
    link: str


class RoomPage(Struct, frozen=True):
    """Some rooms, and what to ask the next ones by: `?before=`."""

    rooms: list[RoomCard]
    next: str | None


def _card(room: Room) -> RoomCard:
    state = RoomState.from_json(room.state)
    names = [seat.name for seat in state.seats if seat.player is not None and seat.player == room.owner]
    chairs = [wire.Chair(name=seat.name or None, bot=seat.bot) for seat in state.seats]
    return RoomCard(
        code=room.code,
        owner=names[0] if names else None,
        settings=state.settings,
        stage=state.stage,
        chairs=chairs,
    )


async def _opened(
    services: Services, caller: Call, me: Player, settings: wire.Settings, seats: list[Seat]
) -> RoomLink:
    services.refuse_while_draining()
    if why := not_flat(settings):
        raise Problem(Refusal.BAD_SETTINGS, why)
    state = opening_state(settings, me.id, seats)
    services.rooms.spend(me.id)
    code = await services.store.create_room(me.id, settings.listed, state.to_json())
    return RoomLink(code, f"{caller.base_url}/r/{code}")


@post("/api/rooms", responses=refusals(401, 403, 413, 429, 503))
async def open_room(me: Me, services: Here, caller: Call, data: JSONBody[Opening | None] = None) -> RoomLink:
    """Open a room; whoever has the code or the link can come in."""
    settings = (data or Opening()).settings
    return await _opened(services, caller, me, settings, [])


@post("/api/quick", responses=refusals(401, 403, 413, 429, 503))
async def play_at_once(me: Me, services: Here, caller: Call, data: JSONBody[Quick | None] = None) -> RoomLink:
    """Quick play: a room with oneself and bots, already started."""
    asked = data or Quick()
    settings = asked.settings
    try:
        policy_named(asked.policy)
    except ValueError as error:
        raise Problem(Refusal.BAD_MESSAGE, f"policy: {error}") from None
    bots = [Seat(bot=asked.policy) for _ in range(settings.players - 1)]
    link = await _opened(services, caller, me, settings, [Seat(player=me.id, name=me.name), *bots])
    services.exchange.post(Envelope(link.code, NOBODY, me.id, me.name, wire.Start()))
    return link


@get("/api/rooms", responses=refusals(401, 503))
async def listed_rooms(me: Me, services: Here, before: Before = None, limit: Limit = 50) -> RoomPage:
    """Rooms shown to everybody, the newest first."""
    rooms = await services.store.listed_rooms(before, limit)
    more = rooms[-1].code if len(rooms) == limit else None
    return RoomPage([_card(room) for room in rooms], more)


@get("/api/rooms/{code:str}", responses=refusals(401, 404, 429, 503))
async def one_room(code: Code, me: Me, services: Here, caller: Call) -> RoomCard:
    """A room by its code. Guessing codes is slow: a wrong one counts ten times."""
    services.guesses.check(caller.network, MISS_COST)
    room = await services.store.room(code)
    if room is None or room.closed_at is not None:
        services.guesses.take(caller.network, MISS_COST)
        raise Problem(Refusal.NO_SUCH_ROOM, "there is no such room")
    services.guesses.take(caller.network)
    return _card(room)


router: Final = Router("/", route_handlers=[open_room, play_at_once, listed_rooms, one_room], tags=["rooms"])
