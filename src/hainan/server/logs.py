"""The server's logs: structured, and unable to carry a tile, a seed, a token or a password.

Whatever is logged passes ``only_known``: keys that it doesn't know are dropped, a known key keeps its value
only in the form that such values have, the sentence itself may hold no digits (a wall and a seed always do)
and no long word (as tokens are), and of an exception only its kind and the places are told, since messages of
exceptions quote what they were given. Other libraries' lines lose their arguments for the same reason.
"""

import logging
import re
import sys
import traceback
from collections.abc import Callable, Mapping, MutableMapping
from types import TracebackType
from typing import Any, Final, get_args

import structlog

from hainan import wire

Line = MutableMapping[str, Any]
_ID: Final = re.compile(r"(?!([1-9]+[mpszf])+$)[0-9A-Za-z]{16,32}")
"""Random numbers that name players, matches, connections and requests: they open nothing by themselves, and
aren't tiles."""
_ROUTE: Final = re.compile(r"/[a-zA-Z_./{}:-]{0,80}")
_NAME: Final = re.compile(r"[A-Za-z_][A-Za-z_.]{0,79}")
_CODE: Final = re.compile(r"\d{6}")
WORDS: Final = {
    "code": frozenset(wire.Refusal),
    "stage": frozenset(wire.Stage),
    "command": frozenset(kind.__struct_config__.tag for kind in get_args(wire.ClientMessage)),
    "level": frozenset({"debug", "info", "warning", "error", "critical"}),
}
"""Keys with one of a few known words."""
_SENTENCE: Final = re.compile(r"(?=.{1,120}$)(?!.*[A-Za-z]{20})[A-Za-z ,.:;()'\"%/-]+")
TEXTS: Final[Mapping[str, re.Pattern[str]]] = {
    "request": _ID,
    "connection": _ID,
    "player": _ID,
    "match": _ID,
    "room": _CODE,
    "logger": _NAME,
    "method": re.compile(r"[A-Z]{1,10}"),
    "route": _ROUTE,
    "timestamp": re.compile(r"[0-9TZ:.+-]{1,40}"),
}
"""Keys with texts, and what such a text looks like."""
NUMBERS: Final = frozenset(
    {
        "status",
        "seconds",
        "count",
        "calls",
        "seat",
        "hand_number",
        "port",
        "rooms",
        "connections",
        "generation",
    }
)
"""Keys with numbers; a seat is 0 to 3 and a hand counts from 0: neither is a tile."""
_MOST: Final = 10**12
_PACKAGE_DEPTH: Final = 3


def only_known(_logger: Any, _method: str, line: Line) -> Line:
    """The processor that lets nothing secret through, whatever it was called with."""
    kept: Line = {"event": sentence(line.get("event"))}
    for key, value in line.items():
        if _fits(key, value):
            kept[key] = str(value)
        elif key in NUMBERS and isinstance(value, int | float) and abs(value) < _MOST:
            kept[key] = round(value, 6)
    if error := _exception(line.get("exc_info")):
        kept["error"], kept["where"] = type(error).__name__, places(error.__traceback__)
    return kept


def _fits(key: str, value: Any) -> bool:
    if not isinstance(value, str):
        return False
    pattern = TEXTS.get(key)
    return value in WORDS.get(key, ()) if pattern is None else pattern.fullmatch(value) is not None


def sentence(text: Any) -> str:
    """A sentence without digits and without long words; anything else is told as not fit to be told."""
    return text.strip() if isinstance(text, str) and _SENTENCE.fullmatch(text.strip()) else "(withheld)"


def places(trace: TracebackType | None) -> list[str]:
    """Where an exception passed through: file, line and function, without what stood there."""
    frames = traceback.extract_tb(trace)[-20:]
    return [f"{_short(frame.filename)}:{frame.lineno} {frame.name}" for frame in frames]


def _short(path: str) -> str:
    return "/".join(path.replace("\\", "/").split("/")[-_PACKAGE_DEPTH:])


def _exception(info: Any) -> BaseException | None:
    if info is True:
        info = sys.exc_info()
    if isinstance(info, tuple):
        info = info[1]
    return info if isinstance(info, BaseException) else None


def _render_for_people(_logger: Any, _method: str, line: Line) -> str:
    """One line: time, level, sentence, and what else is known."""
    head = f"{line.pop('timestamp', '')} {line.pop('level', '')!s:7} {line.pop('event')}"
    where = line.pop("where", [])
    rest = "".join(f" {key}={value}" for key, value in line.items())
    return head + rest + "".join(f"\n    {place}" for place in where)


# ---------------------------------------------------------------- other libraries


class _Foreign(logging.Handler):
    """Hands other libraries' lines on, without their arguments."""

    def emit(self, record: logging.LogRecord) -> None:
        """Their template as the sentence; the rest is withheld."""
        line = {"logger": record.name, "exc_info": record.exc_info}
        log.log(record.levelno, str(record.msg), **line)


def _collect_foreign() -> None:
    root = logging.getLogger()
    root.handlers = [_Foreign()]
    root.setLevel(logging.WARNING)
    for name in ("uvicorn", "uvicorn.error", "uvicorn.access", "uvicorn.asgi", "alembic", "sqlalchemy"):
        logger = logging.getLogger(name)
        logger.handlers, logger.propagate = [], True
        logger.setLevel(logging.WARNING)


# ---------------------------------------------------------------- setting up

LEVELS: Final = {"debug": 10, "info": 20, "warning": 30, "error": 40}


def configure(form: str = "console", level: str = "info", write: Callable[[str], Any] | None = None) -> None:
    """Log to stderr (or to ``write``), for people or as JSON."""
    render = structlog.processors.JSONRenderer() if form == "json" else _render_for_people
    structlog.configure(
        processors=[
            structlog.contextvars.merge_contextvars,
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            only_known,
            render,
        ],
        wrapper_class=structlog.make_filtering_bound_logger(LEVELS[level]),
        logger_factory=lambda *_: _Writer(write or _to_stderr),
        cache_logger_on_first_use=False,
    )
    _collect_foreign()


def _to_stderr(line: str) -> None:
    print(line, file=sys.stderr, flush=True)


class _Writer:
    """Where structlog's rendered lines go."""

    def __init__(self, write: Callable[[str], Any]) -> None:
        self._write = write

    def msg(self, line: str) -> None:
        self._write(line)

    debug = info = warning = error = critical = msg


log: Final = structlog.get_logger()
"""The server's logger: ``log.warning("the hand is void", room=code, match=match)``."""
bound: Final = structlog.contextvars.bound_contextvars
"""``with bound(request=..., room=...)``: what every line within carries."""
