"""What the HTTP handlers work with, made once, and the dependencies by which they get it."""

import time
from collections.abc import Callable
from typing import Any

from litestar import Request
from litestar.di import NamedDependency
from litestar.openapi.datastructures import ResponseSpec
from litestar.params import SkipValidation

from hainan.server.accounts import Accounts, Passwords
from hainan.server.config import Config
from hainan.server.exchange import Exchange
from hainan.server.metrics import Metrics
from hainan.server.problem import Problem
from hainan.server.store import Player, Store
from hainan.server.web.errors import Error
from hainan.server.web.limits import Limiter
from hainan.server.web.security import Caller
from hainan.wire import Refusal


class Services:
    """Everything that a handler may need."""

    def __init__(
        self,
        config: Config,
        store: Store,
        exchange: Exchange,
        secret: bytes,
        *,
        metrics: Metrics | None = None,
        passwords: Passwords | None = None,
        clock: Callable[[], float] = time.monotonic,
        wall_clock: Callable[[], float] = time.time,
    ) -> None:
        """``clock`` is what limits go by; ``wall_clock`` tells tokens their age."""
        self.config, self.store, self.exchange = config, store, exchange
        self.metrics = metrics or Metrics()
        self.accounts = Accounts(store, secret, passwords=passwords, clock=wall_clock)
        self.clock = clock
        self.draining = False
        self.sign_ins = Limiter(config.sign_in_rate, clock)
        self.guests = Limiter(config.guest_rate, clock)
        self.rooms = Limiter(config.room_rate, clock)
        self.guesses = Limiter(config.guess_rate, clock)
        self.work = Limiter(config.work_rate, clock)

    def refuse_while_draining(self) -> None:
        """Refuse to begin anything while the server is being stopped."""
        if self.draining:
            raise Problem(Refusal.DRAINING, "the server is being stopped: come back soon", wait=10)


Here = NamedDependency[SkipValidation[Services]]
Call = NamedDependency[SkipValidation[Caller]]
Me = NamedDependency[SkipValidation[Player]]
Visitor = NamedDependency[SkipValidation[Player | None]]


def caller_of(request: Request[Any, Any, Any]) -> Caller:
    """Dependency ``caller``: who sent this request, made once for it."""
    caller: Caller = request.scope["state"]["caller"]
    return caller


async def visitor_of(caller: Call, services: Here) -> Player | None:
    """Dependency ``visitor``: the player who is signed in, if one is.

    A bearer token that isn't good is refused rather than taken for none; so it never falls back to a cookie.
    """
    if (token := caller.bearer) is not None:
        if (player := await services.accounts.whose(token)) is None:
            raise Problem(Refusal.NOT_SIGNED_IN, "this token isn't good (any more): sign in again")
        return player
    return await services.accounts.whose(caller.cookie) if caller.cookie else None


async def me_of(visitor: Visitor) -> Player:
    """Dependency ``me``: the player who is signed in; raises Problem for nobody."""
    if visitor is None:
        raise Problem(Refusal.NOT_SIGNED_IN, "sign in first, or be a guest: POST /api/players")
    return visitor


_SAID = {
    400: "The request can't be used: `bad_json`, `bad_message`, `bad_settings`.",
    401: "Nobody is signed in (`not_signed_in`), or the password is wrong (`wrong_password`).",
    403: "`wrong_origin`, `not_yours`.",
    404: "`not_found`, `no_such_room`.",
    409: "`name_taken`.",
    413: "`too_long`.",
    429: "`too_fast`; the header Retry-After says when to come back.",
    503: "`draining`, `storage`.",
}


def refusals(*statuses: int) -> dict[int, ResponseSpec]:
    """For the OpenAPI document: the refusals that a call knows."""
    return {
        status: ResponseSpec(Error, description=_SAID[status], generate_examples=False)
        for status in sorted({400, *statuses})
    }
