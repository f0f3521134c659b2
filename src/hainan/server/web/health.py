"""For those who run the server: is it alive, is it ready, and what has it counted."""

import asyncio
import hmac
from typing import Final

from litestar import Response, Router, get
from msgspec import Struct

from hainan.server.metrics import CONTENT_TYPE
from hainan.server.problem import Problem
from hainan.server.web.services import Call, Here, refusals
from hainan.wire import Refusal

STORAGE_SECONDS: Final = 2.0


class Health(Struct, frozen=True):
    """Whether all is well."""

    status: str


@get("/healthz", responses=refusals())
async def healthz() -> Health:
    """The process answers."""
    return Health("ok")


@get("/readyz", responses=refusals(503))
async def readyz(services: Here) -> Health:
    """Players may be sent here: the storage answers, and the server isn't being stopped."""
    services.refuse_while_draining()
    try:
        async with asyncio.timeout(STORAGE_SECONDS):
            await services.store.ping()
    except Exception:  # whatever it is, it isn't ready
        raise Problem(Refusal.STORAGE, "the storage doesn't answer", wait=5) from None
    return Health("ready")


@get("/metrics", media_type=CONTENT_TYPE, responses=refusals(401))
async def metrics(services: Here, caller: Call) -> Response[bytes]:
    """Counts for Prometheus; only for this machine, or with the configured token."""
    wanted = services.config.metrics_token
    given = caller.bearer
    shown = wanted is not None and given is not None and hmac.compare_digest(given.encode(), wanted.encode())
    if not caller.is_local and not shown:
        raise Problem(Refusal.NOT_SIGNED_IN, "the metrics are for this machine, or need their token")
    counted = await services.exchange.counts()
    return Response(services.metrics.render(counted), media_type=CONTENT_TYPE)


router: Final = Router("/", route_handlers=[healthz, readyz, metrics], tags=["operation"])
