"""Everything that can be set about a server; no setting is needed.

Each field of ``Config`` is also read from the environment, as ``HAINAN_`` and its name in capitals: lists
with commas, rates as ``burst/per_minute``.
"""

from collections.abc import Mapping
from ipaddress import ip_address, ip_network
from typing import Annotated, Any, Final, Literal
from urllib.parse import urlsplit

import msgspec
from msgspec import Meta, Struct

from hainan.server.wording import understandable

PREFIX: Final = "HAINAN_"


class ConfigError(ValueError):
    """A setting that can't be used: which one, and what it should be."""


class Rate(Struct, frozen=True):
    """How often something may be done: so many at once, and so many a minute in the long run."""

    burst: Annotated[float, Meta(gt=0)]
    per_minute: Annotated[float, Meta(gt=0)]

    @classmethod
    def of(cls, text: str) -> "Rate":
        """A rate from ``burst/per_minute``; raises ValueError."""
        burst, _, per_minute = text.partition("/")
        return msgspec.convert({"burst": float(burst), "per_minute": float(per_minute)}, cls)


class Config(Struct, frozen=True, kw_only=True):
    """The settings of a server."""

    host: str = "0.0.0.0"
    port: Annotated[int, Meta(ge=0, le=65535)] = 8000
    database: str | None = None
    """An SQLAlchemy URL, or the path of an SQLite file; by default a file in the user's data folder."""
    processes: Annotated[int, Meta(ge=1, le=2)] = 1
    """2: the rooms in a process of their own, beside that of the sockets; for many hundreds of tables."""
    public_url: str | None = None
    """Where the server is reached from outside, if that isn't what clients ask for."""
    origins: list[str] = []
    """Further pages that may use the server from a browser: their origins."""
    trusted_proxies: list[str] = []
    """Addresses (or networks) of proxies whose ``X-Forwarded-For`` and ``-Proto`` are believed."""
    metrics_token: str | None = None
    """With this bearer token `/metrics` is readable from elsewhere than this machine."""
    logs: Literal["console", "json"] = "console"
    log_level: Literal["debug", "info", "warning", "error"] | None = None
    """By default warnings for people, and every call for programs."""
    sign_in_rate: Rate = Rate(10, 6)
    """Attempts to sign in, per address and per account."""
    guest_rate: Rate = Rate(60, 30)
    """New guests, per address."""
    room_rate: Rate = Rate(20, 6)
    """New rooms, per player."""
    guess_rate: Rate = Rate(100, 60)
    """Looking for rooms by code, per address: one that is there costs 1, one that isn't costs 10."""
    work_rate: Rate = Rate(60, 120)
    """Scoring and verifying, per address."""

    @property
    def least_logged(self) -> str:
        """The level from which on lines are logged."""
        return self.log_level or ("info" if self.logs == "json" else "warning")

    @property
    def base_url(self) -> str | None:
        """The public address without a slash at its end."""
        return self.public_url.rstrip("/") if self.public_url else None

    @property
    def https(self) -> bool:
        """Whether the public address is one of https."""
        return bool(self.public_url and self.public_url.startswith("https://"))

    def trusts(self, address: str) -> bool:
        """Whether what a proxy at this address says about its clients is believed."""
        try:
            here = ip_address(address)
        except ValueError:
            return False
        return any(here in ip_network(proxy, strict=False) for proxy in self.trusted_proxies)


def read_config(environment: Mapping[str, str], **given: Any) -> Config:
    """The settings from the environment and, over it, those that were given; raises ConfigError."""
    values: dict[str, Any] = {}
    if database := environment.get("DATABASE_URL"):
        values["database"] = database
    for field in msgspec.structs.fields(Config):
        if text := environment.get(PREFIX + field.name.upper()):
            values[field.name] = _value(PREFIX + field.name.upper(), field.type, text)
    values |= {name: value for name, value in given.items() if value is not None}
    try:
        config = msgspec.convert(values, Config, strict=False)
    except msgspec.ValidationError as error:
        raise ConfigError(understandable(error).replace("_", "-", 1)) from None
    _check(config)
    return config


def _value(name: str, wanted: Any, text: str) -> Any:
    if wanted == list[str]:
        return [part.strip() for part in text.split(",") if part.strip()]
    if wanted is Rate:
        try:
            return msgspec.to_builtins(Rate.of(text))
        except ValueError:
            raise ConfigError(f"{name}: {text!r} is no rate; 10/6 is: ten at once, six a minute") from None
    return text


def _check(config: Config) -> None:
    """Refuse what has the right type and still makes no sense."""
    for field, urls in (("public-url", [config.public_url]), ("origins", config.origins)):
        for url in urls:
            if url is not None and not _is_web_address(url):
                raise ConfigError(f"{field}: {url!r} should be like https://mahjong.example")
    for proxy in config.trusted_proxies:
        try:
            ip_network(proxy, strict=False)
        except ValueError:
            raise ConfigError(f"trusted-proxies: {proxy!r} is no address and no network") from None


def _is_web_address(url: str) -> bool:
    try:
        parts = urlsplit(url)
        return parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
    except ValueError:
        return False
