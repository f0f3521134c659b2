"""The application: Litestar for HTTP, the rooms' sockets beside it, and what every answer has in common."""

import re
import secrets
import time
from collections.abc import Callable
from typing import Any, Final

import msgspec
from litestar import Litestar, Request, Response, Router
from litestar.di import Provide
from litestar.exceptions import HTTPException, NotFoundException
from litestar.handlers import HTTPRouteHandler
from litestar.openapi.config import OpenAPIConfig
from litestar.openapi.plugins import JsonRenderPlugin
from litestar.openapi.spec import Components, SecurityScheme

from hainan import __version__
from hainan.server.accounts import Passwords
from hainan.server.config import Config
from hainan.server.exchange import Exchange
from hainan.server.logs import bound, log
from hainan.server.metrics import Metrics
from hainan.server.problem import Problem
from hainan.server.store import Store
from hainan.server.web import health, history, pages, players, rooms, rules, study
from hainan.server.web.errors import answer, body_of, headers_of, problem_of, status_of
from hainan.server.web.security import COOKIE, Caller, security_headers
from hainan.server.web.services import Services, caller_of, me_of, visitor_of
from hainan.server.web.socket import HELLO_SECONDS, Sockets
from hainan.wire import Refusal

_DOCUMENT: Final = "/api/openapi.json"
MAX_BODY: Final = 64 * 1024
_SOCKET: Final = re.compile(r"/api/rooms/([0-9A-Za-z]{1,16})/socket/?")
_METHODS: Final = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
_DESCRIPTION: Final = """海南麻将与临高麻将的牌桌。 Tables for Hainan and Lingao mahjong.

Be a guest with `POST /api/players`; send the token as `Authorization: Bearer …`, or keep the cookie. Calls
that change something and bring the cookie also need the header `X-Hainan: 1`. Every refusal is
`{code, why, clause, about}`.

Play is at the WebSocket `/api/rooms/{code}/socket`: see `docs/protocol.md`."""


class HainanServer(Litestar):
    """Litestar, with the sockets beside it: a message of theirs passes through none of its layers."""

    services: Services
    sockets: Sockets

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """ASGI."""
        if scope["type"] == "http":
            await self._http(scope, receive, send)
        elif scope["type"] == "websocket":
            place = _SOCKET.fullmatch(scope["path"])
            await self.sockets(place[1] if place else None, scope, receive, send)
        else:
            await super().__call__(scope, receive, send)

    async def _http(self, scope: Any, receive: Any, send: Any) -> None:
        began = time.perf_counter()
        request = secrets.token_hex(8)
        caller = Caller(scope, self.services.config)
        scope.setdefault("state", {})["caller"] = caller
        call = _Call(send, request, caller.https)
        with bound(request=request):
            try:
                caller.check_change()
                await super().__call__(scope, receive, call.send)
            except Exception as error:
                await call.fail(error, self.services.metrics)
            finally:
                self._note(scope, call, time.perf_counter() - began)

    def _note(self, scope: Any, call: "_Call", seconds: float) -> None:
        """Count and log an answer, by the route's template: paths hold codes and tokens."""
        method = scope["method"] if scope["method"] in _METHODS else "OTHER"
        route = scope.get("path_template") or "/none"
        self.services.metrics.answered(method, route, call.status, seconds)
        log.info("answered", method=method, route=route, status=call.status, seconds=seconds)

    def begin_draining(self) -> None:
        """Begin nothing new: no rooms, no connections."""
        self.services.draining = self.sockets.draining = True


def _note(problem: Problem, error: Exception, metrics: Metrics) -> None:
    """Count a refusal; log what isn't the caller's doing."""
    metrics.refused(problem.code)
    if problem.code in (Refusal.INTERNAL, Refusal.STORAGE):
        log.error("a call failed", exc_info=error, code=problem.code.value)


class _Call:
    """One call's way out: adds what every answer has."""

    def __init__(self, send: Any, request: str, https: bool) -> None:
        self._send = send
        self._always = [*security_headers(https), (b"x-request-id", request.encode())]
        self.status = 0

    async def send(self, event: Any) -> None:
        if event["type"] == "http.response.start":
            self.status = event["status"]
            headers = [(name.lower(), value) for name, value in event["headers"]]
            if not any(name == b"cache-control" for name, _ in headers):
                headers.append((b"cache-control", b"no-store"))
            event["headers"] = headers + self._always
        await self._send(event)

    async def fail(self, error: Exception, metrics: Metrics) -> None:
        """Answer what Litestar didn't get to see, or what it let through."""
        problem = problem_of(error)
        _note(problem, error, metrics)
        if self.status:
            raise error  # the answer has begun: all that is left is to break it off
        headers = [(name.encode(), value.encode()) for name, value in headers_of(problem).items()]
        headers.append((b"content-type", b"application/json"))
        await self.send({"type": "http.response.start", "status": status_of(problem), "headers": headers})
        await self.send({"type": "http.response.body", "body": msgspec.json.encode(body_of(problem))})


def _teller(metrics: Metrics) -> Callable[[Request[Any, Any, Any], Exception], Response[Any]]:
    """How calls that fail are answered."""

    def tell(request: Request[Any, Any, Any], error: Exception) -> Response[Any]:
        problem = problem_of(error)
        _note(problem, error, metrics)
        if problem.code == Refusal.NOT_FOUND and pages.is_for_people(request):
            return pages.missing(request)
        return answer(error)

    return tell


def create_app(
    config: Config,
    store: Store,
    exchange: Exchange,
    secret: bytes,
    *,
    metrics: Metrics | None = None,
    passwords: Passwords | None = None,
    clock: Callable[[], float] = time.monotonic,
    wall_clock: Callable[[], float] = time.time,
    hello_seconds: float = HELLO_SECONDS,
) -> HainanServer:
    """The application; ``secret`` is the store's, the clocks are for tests."""
    services = Services(
        config,
        store,
        exchange,
        secret,
        metrics=metrics,
        passwords=passwords,
        clock=clock,
        wall_clock=wall_clock,
    )

    tell = _teller(services.metrics)
    app = HainanServer(
        route_handlers=[
            players.router,
            rooms.router,
            history.router,
            rules.router,
            study.router,
            health.router,
            pages.router,
        ],
        dependencies={
            "services": Provide(lambda: services, sync_to_thread=False),
            "caller": Provide(caller_of, sync_to_thread=False),
            "visitor": Provide(visitor_of),
            "me": Provide(me_of),
        },
        exception_handlers={Exception: tell, HTTPException: tell},
        openapi_config=_openapi(),
        request_max_body_size=MAX_BODY,
        logging_config=None,
    )
    app.services = services
    app.sockets = Sockets(
        config,
        store,
        exchange,
        services.accounts,
        services.metrics,
        services.guesses,
        clock=clock,
        hello_seconds=hello_seconds,
    )
    return app


def _openapi() -> OpenAPIConfig:
    schemes: dict[str, Any] = {
        "bearer": SecurityScheme(type="http", scheme="bearer", description="The token of POST /api/players."),
        "cookie": SecurityScheme(type="apiKey", security_scheme_in="cookie", name=COOKIE),
    }
    return OpenAPIConfig(
        title="hainan-mahjong",
        version=__version__,
        description=_DESCRIPTION,
        openapi_router=Router(
            _DOCUMENT, route_handlers=[], include_in_schema=False, before_request=_nothing_below
        ),
        render_plugins=[JsonRenderPlugin(path="/")],
        components=Components(security_schemes=schemes),
        security=[{"bearer": []}, {"cookie": []}],
        use_handler_docstrings=True,
        operation_id_creator=_operation_id,
    )


def _nothing_below(request: Request[Any, Any, Any]) -> None:
    """Litestar answers below its document with pages of its own."""
    if request.scope["path"].rstrip("/") != _DOCUMENT:
        raise NotFoundException


def _operation_id(handler: HTTPRouteHandler, _method: Any, _path: Any) -> str:
    return str(handler.handler_name)
