"""Who calls, from where, and whether a browser was tricked into it.

Calls that change something and bring the cookie must also bring ``X-Hainan: 1``. A page of another origin
can't set that header: the browser would first ask by CORS, which this server never grants. Nothing has to be
stored or handed to the page for it, unlike with a double-submitted token. And where a browser says which page
the call comes from (``Origin``, which all send with such calls), it must be one of ours, cookie or not; that
also covers signing somebody in unawares. Calls with a bearer token need neither: no browser adds one by
itself.
"""

from collections.abc import Iterable, Mapping
from typing import Any, Final
from urllib.parse import urlsplit

from hainan.server.accounts import MAX_TOKEN, TOKEN_SECONDS
from hainan.server.config import Config
from hainan.server.problem import Problem
from hainan.server.web.limits import network_of
from hainan.wire import Refusal

COOKIE: Final = "hainan_session"
OWN_HEADER: Final = b"x-hainan"
SAFE_METHODS: Final = frozenset({"GET", "HEAD", "OPTIONS"})
# The page makes the pictures of the tiles itself (blob:).
_POLICY: Final = (
    "default-src 'self'; img-src 'self' blob:; base-uri 'none'; object-src 'none'; form-action 'self'; "
    "frame-ancestors 'none'"
)
_HEADERS: Final = (
    (b"content-security-policy", _POLICY.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"x-frame-options", b"DENY"),
    (b"referrer-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), microphone=(), geolocation=(), payment=(), usb=()"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
)
_HTTPS_ONLY: Final = (b"strict-transport-security", b"max-age=31536000")
_DEFAULT_PORTS: Final = {"http": 80, "https": 443, "ws": 80, "wss": 443}

Headers = Iterable[tuple[bytes, bytes]]


class Caller:
    """What a request's head tells about the one who sent it."""

    __slots__ = ("_config", "_headers", "_scope", "address", "https")

    def __init__(self, scope: Mapping[str, Any], config: Config) -> None:
        """From an ASGI scope; of a header that is there twice the last counts."""
        self._scope, self._config = scope, config
        self._headers: dict[bytes, bytes] = dict(scope["headers"])
        peer = scope.get("client")
        self.address: str = peer[0] if peer else ""
        self.https: bool = scope.get("scheme") in ("https", "wss") or config.https
        if config.trusted_proxies and config.trusts(self.address):
            self._believe_proxies()

    def _believe_proxies(self) -> None:
        """The nearest address that no proxy of ours has; what stands before it was written by strangers."""
        for address in reversed(self.header(b"x-forwarded-for").split(",")):
            if address := address.strip():
                self.address = address
                if not self._config.trusts(address):
                    break
        if self.header(b"x-forwarded-proto").rsplit(",", 1)[-1].strip() == "https":
            self.https = True

    def header(self, name: bytes) -> str:
        """A header's text; empty where there is none."""
        return self._headers.get(name, b"").decode("latin-1")

    @property
    def network(self) -> str:
        """What limits by address count together."""
        return network_of(self.address)

    @property
    def is_local(self) -> bool:
        """Whether it is a program on this machine, and no proxy that speaks for others."""
        forwarded = self.header(b"x-forwarded-for") or self.header(b"forwarded")
        return self.address in ("127.0.0.1", "::1", "::ffff:127.0.0.1") and not forwarded

    @property
    def bearer(self) -> str | None:
        """The bearer token, if one was sent; empty where the header holds something else."""
        text = self.header(b"authorization")
        if not text:
            return None
        kind, _, token = text.partition(" ")
        return token.strip() if kind.lower() == "bearer" else ""

    @property
    def cookie(self) -> str | None:
        """The session cookie."""
        for part in self.header(b"cookie").split(";"):
            name, _, value = part.strip().partition("=")
            if name == COOKIE and len(value) <= MAX_TOKEN:
                return value
        return None

    @property
    def base_url(self) -> str:
        """How the caller reaches this server."""
        scheme = "https" if self.https else "http"
        return self._config.base_url or f"{scheme}://{self.header(b'host') or 'localhost'}"

    def check_origin(self) -> None:
        """Refuse what a browser sends on behalf of a page that isn't ours."""
        origin = self.header(b"origin")
        if origin and not self._is_ours(origin):
            raise Problem(
                Refusal.WRONG_ORIGIN, "this page isn't one of this server's: its origin isn't allowed"
            )

    def _is_ours(self, origin: str) -> bool:
        allowed = [*self._config.origins, *filter(None, [self._config.base_url])]
        if origin.rstrip("/") in (url.rstrip("/") for url in allowed):
            return True
        host = self.header(b"host")
        return bool(host) and _place(origin) == _place(f"{_scheme(origin)}://{host}") is not None

    def check_change(self) -> None:
        """Refuse a call that changes something where a browser may have been tricked into it."""
        if self._scope["method"] in SAFE_METHODS or self.bearer is not None:
            return
        self.check_origin()
        if self.cookie is not None and self.header(OWN_HEADER) != "1":
            raise Problem(Refusal.WRONG_ORIGIN, "calls with the cookie need the header X-Hainan: 1")


def _scheme(url: str) -> str:
    return url.partition("://")[0].lower()


def _place(url: str) -> tuple[str, int | None] | None:
    """Host and port; None where it has none, as the origin ``null``."""
    try:
        parts = urlsplit(url)
        if not parts.hostname:
            return None
        return parts.hostname, parts.port or _DEFAULT_PORTS.get(parts.scheme)
    except ValueError:
        return None


def security_headers(https: bool) -> list[tuple[bytes, bytes]]:
    """Headers of every answer."""
    return [*_HEADERS, _HTTPS_ONLY] if https else list(_HEADERS)


def session_cookie(token: str, https: bool) -> str:
    """The header that keeps a session in a browser; an empty token ends it."""
    age = TOKEN_SECONDS if token else 0
    secure = "; Secure" if https else ""
    return f"{COOKIE}={token}; Path=/; Max-Age={age}; HttpOnly; SameSite=Lax{secure}"
