"""The pages that this server brings along: the table in the browser, and its API to read. None loads anything
from elsewhere or has a script in itself.

The table is built from web/ into ``page/``; a checkout in which it isn't says how to build it.
"""

import mimetypes
import re
from functools import cache
from hashlib import sha256
from importlib.resources import files
from typing import Annotated, Any, Final

from litestar import Request, Response, Router, get
from litestar.exceptions import NotFoundException
from litestar.params import PathParameter

_HERE: Final = files("hainan.server.web")
_KINDS: Final = {
    ".js": "text/javascript",
    ".css": "text/css",
    ".html": "text/html",
    ".svg": "image/svg+xml",
    ".webmanifest": "application/manifest+json",
}
_ENCODINGS: Final = (("br", ".br"), ("gzip", ".gz"))
"""What the build has made already, the smaller first."""
PLACES: Final = [
    *("/", "/r/{code:str}", "/m/{match:str}", "/m/{match:str}/{hand:int}"),
    *("/history", "/calculator", "/rules", "/proof", "/settings"),
]
"""The addresses that the page knows."""
_FOR_PROGRAMS: Final = ("/api/", "/assets/")
Name = Annotated[str, PathParameter(max_length=128)]
_FOR_EVER: Final = "public, max-age=31536000, immutable"
_NAME: Final = re.compile(r"[A-Za-z0-9_-]+(\.[A-Za-z0-9_-]+)+")


@cache
def _read(folder: str, name: str) -> tuple[bytes, str] | None:
    """A file and its ETag; None where there is none."""
    place = _HERE.joinpath(folder, name)
    if not place.is_file():
        return None
    data = place.read_bytes()
    return data, f'"{sha256(data).hexdigest()[:24]}"'


def _answer(request: Request[Any, Any, Any], folder: str, name: str, keep: str) -> Response[bytes]:
    """A file, compressed where the client takes it so; raises NotFoundException."""
    if not _NAME.fullmatch(name):
        raise NotFoundException
    accepted = request.headers.get("accept-encoding", "")
    for encoding, suffix in (*_ENCODINGS, ("", "")):
        found = _read(folder, name + suffix) if encoding in accepted else None
        if found is not None:
            return _of(request, name, found, encoding, keep)
    raise NotFoundException


def _of(
    request: Request[Any, Any, Any], name: str, found: tuple[bytes, str], encoding: str, keep: str
) -> Response[bytes]:
    data, tag = found
    headers = {"Cache-Control": keep, "ETag": tag, "Vary": "Accept-Encoding"}
    if request.headers.get("if-none-match") == tag:
        return Response(b"", status_code=304, headers=headers)
    if encoding:
        headers["Content-Encoding"] = encoding
    suffix = f".{name.rpartition('.')[2]}"
    kind = _KINDS.get(suffix) or mimetypes.guess_type(name)[0] or "application/octet-stream"
    return Response(data, media_type=kind, headers=headers)


def _page(request: Request[Any, Any, Any], keep: str) -> Response[bytes]:
    built = _read("page", "index.html") is not None
    return _answer(request, "page" if built else "static", "index.html" if built else "home.html", keep)


@get(PLACES, sync_to_thread=False, include_in_schema=False)
def home(request: Request[Any, Any, Any]) -> Response[bytes]:
    """The table in the browser, at every address that it knows."""
    return _page(request, "no-cache")


def is_for_people(request: Request[Any, Any, Any]) -> bool:
    """Whether a browser asks for a page, at an address that no program is meant to ask."""
    accepted = request.headers.get("accept", "")
    return "text/html" in accepted and not request.scope["path"].startswith(_FOR_PROGRAMS)


def missing(request: Request[Any, Any, Any]) -> Response[bytes]:
    """The page at an address that it doesn't know, which it says itself."""
    answer = _page(request, "no-store")
    answer.status_code = 404
    return answer


@get("/assets/{name:str}", sync_to_thread=False, include_in_schema=False)
def asset(request: Request[Any, Any, Any], name: Name) -> Response[bytes]:
    """A part of it whose name changes with its content."""
    return _answer(request, "page/assets", name, _FOR_EVER)


@get("/{name:str}", sync_to_thread=False, include_in_schema=False)
def beside(request: Request[Any, Any, Any], name: Name) -> Response[bytes]:
    """Its service worker, manifest and icons; and itself by its name, as the service worker asks for it."""
    return _answer(request, "page", name, "no-cache")


@get("/api/docs", sync_to_thread=False, include_in_schema=False)
def docs(request: Request[Any, Any, Any]) -> Response[bytes]:
    """The API to read."""
    return _answer(request, "static", "docs.html", "no-cache")


@get("/api/docs.js", sync_to_thread=False, include_in_schema=False)
def docs_script(request: Request[Any, Any, Any]) -> Response[bytes]:
    """What makes it from the OpenAPI document."""
    return _answer(request, "static", "docs.js", "no-cache")


@get("/api/docs.css", sync_to_thread=False, include_in_schema=False)
def docs_style(request: Request[Any, Any, Any]) -> Response[bytes]:
    """How it looks."""
    return _answer(request, "static", "docs.css", "no-cache")


router: Final = Router("/", route_handlers=[home, asset, beside, docs, docs_script, docs_style])
