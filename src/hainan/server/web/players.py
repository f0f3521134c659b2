"""Players over HTTP: be a guest, sign in and out, rename, export, delete."""

from typing import Annotated, Any, Final

from litestar import Response, Router, delete, get, patch, post, put
from litestar.params import JSONBody
from msgspec import Meta, Struct

from hainan.server.accounts import MAX_PASSWORD, MIN_PASSWORD, Signed
from hainan.server.exchange import NOBODY, Envelope, Gone
from hainan.server.store import Player
from hainan.server.web.security import session_cookie
from hainan.server.web.services import Call, Here, Me, Services, Visitor, refusals
from hainan.wire import MAX_NAME

NameText = Annotated[str, Meta(max_length=200, description=f"1 to {MAX_NAME} characters that can be seen.")]
NewPassword = Annotated[
    str, Meta(max_length=1000, description=f"{MIN_PASSWORD} to {MAX_PASSWORD} characters.")
]
Password = Annotated[str, Meta(max_length=1000)]


class Name(Struct, frozen=True, forbid_unknown_fields=True):
    """What a player wants to be called."""

    name: NameText


class Credentials(Struct, frozen=True, forbid_unknown_fields=True):
    """An account and its password."""

    name: NameText
    password: Password


class PasswordChange(Struct, frozen=True, forbid_unknown_fields=True):
    """A password to be, and the present one where there is one."""

    password: NewPassword
    current: Password | None = None


class SignedIn(Struct, frozen=True):
    """Who one is now; the token is for programs, browsers get it as a cookie too."""

    player: str
    name: str
    token: str


class Profile(Struct, frozen=True):
    """A player as he sees himself."""

    player: str
    name: str
    account: bool
    """Whether a password is set, with which he can sign in elsewhere."""
    created_at: int
    """UTC in milliseconds."""


class Session(Struct, frozen=True):
    """Who is signed in, if anybody is."""

    player: Profile | None


def _profile(player: Player) -> Profile:
    return Profile(player.id, player.name, player.password_hash is not None, player.created_at)


def _answer(signed: Signed, caller: Call, status: int) -> Response[SignedIn]:
    who = SignedIn(signed.player.id, signed.player.name, signed.token)
    cookie = session_cookie(signed.token, caller.https)
    return Response(who, status_code=status, headers={"Set-Cookie": cookie})


def _renewed(player: Player | None, services: Services, caller: Call) -> dict[str, str]:
    """In a browser a session begins anew with every look at it."""
    if player is None or caller.bearer is not None:
        return {}
    return {"Set-Cookie": session_cookie(services.accounts.signed(player).token, caller.https)}


def _forgotten(caller: Call) -> Response[None]:
    return Response(None, status_code=204, headers={"Set-Cookie": session_cookie("", caller.https)})


@post("/api/players", responses=refusals(403, 413, 429, 503))
async def be_guest(data: JSONBody[Name], services: Here, caller: Call) -> Response[SignedIn]:
    """Be a guest: choose a name, get a session."""
    services.guests.spend(caller.network)
    return _answer(await services.accounts.guest(data.name), caller, 201)


@post("/api/session", status_code=200, responses=refusals(401, 403, 413, 429, 503))
async def sign_in(data: JSONBody[Credentials], services: Here, caller: Call) -> Response[SignedIn]:
    """Sign in to an account by name and password."""
    keys = (f"address {caller.network}", f"account {data.name.strip().casefold()}")
    for key in keys:
        services.sign_ins.check(key)
    for key in keys:
        services.sign_ins.take(key)
    return _answer(await services.accounts.sign_in(data.name, data.password), caller, 200)


@delete("/api/session", status_code=204, responses=refusals(403))
async def sign_out(caller: Call) -> Response[None]:
    """Forget the session in this browser; a token that was written down stays good."""
    return _forgotten(caller)


@get("/api/session", responses=refusals(401, 503))
async def who_is_here(visitor: Visitor, services: Here, caller: Call) -> Response[Session]:
    """Who is signed in, for pages that don't know whether anybody is; the session lasts 90 days from then."""
    session = Session(None if visitor is None else _profile(visitor))
    return Response(session, headers=_renewed(visitor, services, caller))


@get("/api/players/me", responses=refusals(401, 503))
async def who_am_i(me: Me, services: Here, caller: Call) -> Response[Profile]:
    """The player who is signed in; in a browser the session lasts 90 days from the last of these calls."""
    return Response(_profile(me), headers=_renewed(me, services, caller))


@patch("/api/players/me", responses=refusals(401, 403, 409, 413, 503))
async def rename(data: JSONBody[Name], me: Me, services: Here) -> Profile:
    """Be called something else; an account's name must be unique."""
    return _profile(await services.accounts.rename(me, data.name))


@delete("/api/players/me", status_code=204, responses=refusals(401, 403, 503))
async def delete_me(me: Me, services: Here, caller: Call) -> Response[None]:
    """Delete oneself: name, password and sessions. Hands that were played stay, without the name."""
    await services.accounts.delete(me)
    for room in await services.store.rooms_with(me.id):
        services.exchange.post(Envelope(room, NOBODY, me.id, "", Gone()))
    return _forgotten(caller)


@put("/api/players/me/password", responses=refusals(401, 403, 409, 413, 429, 503))
async def set_password(
    data: JSONBody[PasswordChange], me: Me, services: Here, caller: Call
) -> Response[SignedIn]:
    """Set a password, to sign in elsewhere by name; or change it, which ends all other sessions."""
    services.sign_ins.spend(f"player {me.id}")
    return _answer(await services.accounts.set_password(me, data.password, data.current), caller, 200)


@post("/api/players/me/sign-out-everywhere", status_code=204, responses=refusals(401, 403, 503))
async def sign_out_everywhere(me: Me, services: Here, caller: Call) -> Response[None]:
    """End all sessions and make all tokens worthless."""
    await services.accounts.revoke(me)
    return _forgotten(caller)


@get("/api/players/me/export", responses=refusals(401, 429, 503))
async def export(me: Me, services: Here) -> Response[dict[str, Any]]:
    """Everything that is stored about oneself, as JSON."""
    services.work.spend(f"export {me.id}", 10)
    headers = {"Content-Disposition": 'attachment; filename="hainan-mahjong.json"'}
    return Response(await services.accounts.export(me), headers=headers)


router: Final = Router(
    "/",
    route_handlers=[
        be_guest,
        sign_in,
        sign_out,
        who_is_here,
        who_am_i,
        rename,
        delete_me,
        set_password,
        sign_out_everywhere,
        export,
    ],
    tags=["players"],
)
