"""The few pages that this server brings along: what it is, and its API to read. No page loads anything from
elsewhere or has a script in itself."""

from functools import cache
from importlib.resources import files
from typing import Final

from litestar import Response, Router, get

_KINDS: Final = {"html": "text/html", "js": "text/javascript", "css": "text/css"}


@cache
def _page(name: str) -> Response[bytes]:
    data = files("hainan.server.web").joinpath("static", name).read_bytes()
    # Litestar adds the charset.
    return Response(data, media_type=_KINDS[name.rpartition(".")[2]], headers={"Cache-Control": "no-cache"})


@get(["/", "/r/{code:str}", "/m/{match:str}"], sync_to_thread=False, include_in_schema=False)
def home() -> Response[bytes]:
    """What this server is; also at the links of rooms and matches."""
    return _page("home.html")


@get("/api/docs", sync_to_thread=False, include_in_schema=False)
def docs() -> Response[bytes]:
    """The API to read."""
    return _page("docs.html")


@get("/api/docs.js", sync_to_thread=False, include_in_schema=False)
def docs_script() -> Response[bytes]:
    """What makes it from the OpenAPI document."""
    return _page("docs.js")


@get("/api/docs.css", sync_to_thread=False, include_in_schema=False)
def docs_style() -> Response[bytes]:
    """How it looks."""
    return _page("docs.css")


router: Final = Router("/", route_handlers=[home, docs, docs_script, docs_style])
