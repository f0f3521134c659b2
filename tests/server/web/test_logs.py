"""Logs are structured and can't carry what must not leave the process."""

import ast
import logging
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from hainan import wire
from hainan.rules.presets import rules_of
from hainan.rules.tiles import text_of
from hainan.server import logs
from hainan.server.accounts import Tokens
from hainan.server.logs import NUMBERS, TEXTS, bound, log
from hainan.shuffle import Shuffle
from tests.server.web.conftest import decoded

SHUFFLE = Shuffle.new()
WALL = text_of(SHUFFLE.deal(rules_of()).wall)
SECRETS = {
    "wall": WALL,
    "half a wall": WALL[:100],
    "hand": "19m19p19s1234567z",
    "spaced hand": "1m 9m 1p 9p",
    "tile": "5m",
    "flowers": "1f",
    "long hand": "1m9m1p9p1s9s1z2z3z4z",
    "seed": SHUFFLE.seed.hex(),
    "bytes": SHUFFLE.seed,
    "token": Tokens(b"s").issue("0" * 32, 0),
    "password": "correct horse battery",
    "short password": "hunter2!",
    "list": ["1m", "9m"],
    "object": {"hand": "19m"},
    "codes": list(range(34)),
}


@pytest.fixture
def lines() -> Iterator[list[str]]:
    found: list[str] = []
    logs.configure("json", "debug", found.append)
    yield found
    logging.getLogger().handlers = []


@pytest.mark.parametrize("name", SECRETS)
def test_no_key_and_no_sentence_carries_a_secret(lines: list[str], name: str) -> None:
    secret = SECRETS[name]
    keys = [
        *TEXTS,
        *NUMBERS,
        "code",
        "stage",
        "command",
        "wall",
        "hand",
        "seed",
        "tiles",
        "anything",
        "error",
    ]
    if name != "password":  # one of plain words looks like a sentence: see the next test
        log.info(f"said {secret}")
    for key in keys:
        log.info("something", **{key: secret})
    with bound(request=secret, room=secret, wall=secret):
        log.info("something")
    text = "\n".join(lines)
    assert len(lines) == len(keys) + (2 if name != "password" else 1)
    assert str(secret) not in text
    for part in ("19m", "hunter", "horse", WALL[:12], SHUFFLE.seed.hex()[:8]):
        assert part not in text


def logging_calls() -> Iterator[tuple[str, ast.Call]]:
    for path in (Path(logs.__file__).parent).rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            match node:
                case ast.Call(func=ast.Attribute(value=ast.Name(id="log" | "_log"), attr=method)):
                    if (path.name, method) != ("logs.py", "log"):  # other libraries' lines
                        yield f"{path.name}:{node.lineno}", node


def test_every_sentence_is_written_in_the_source_and_every_key_is_known() -> None:
    """So nothing can get into a sentence when the server runs."""
    calls = list(logging_calls())
    assert calls
    for where, call in calls:
        assert len(call.args) == 1, where
        said = call.args[0]
        assert isinstance(said, ast.Constant), f"{where}: a sentence is a plain text, not put together"
        assert logs.sentence(said.value) == said.value, where
        for keyword in call.keywords:
            known = keyword.arg in {*TEXTS, *NUMBERS, *logs.WORDS, "exc_info"}
            assert known, f"{where}: {keyword.arg} would be dropped"


def test_what_is_known_is_told(lines: list[str]) -> None:
    with bound(request="0123456789abcdef", room="012345"):
        log.warning("the hand is void", hand_number=3, code=wire.Refusal.STORAGE.value, seconds=0.25)
    line = decoded(lines[0])
    assert line.pop("timestamp").endswith("Z")
    assert line == {
        "event": "the hand is void",
        "level": "warning",
        "request": "0123456789abcdef",
        "room": "012345",
        "hand_number": 3,
        "code": "storage",
        "seconds": 0.25,
    }


def test_an_exception_tells_its_kind_and_its_places_alone(lines: list[str]) -> None:
    try:
        raise ValueError(f"discard {WALL}")
    except ValueError:
        log.exception("a handler failed")
        log.error("a handler failed", exc_info=sys.exc_info())
    for line in map(decoded, lines):
        assert line["error"] == "ValueError"
        assert "test_an_exception_tells" in line["where"][-1]
    assert WALL[:20] not in "\n".join(lines)


def test_other_libraries_lose_their_arguments(lines: list[str]) -> None:
    logging.getLogger("uvicorn.error").error("Exception in %s application\n", WALL)
    logging.getLogger("sqlalchemy.engine").warning(f"INSERT {WALL}")
    logging.getLogger("uvicorn.error").info("not told at all")
    first, second = map(decoded, lines)
    assert (first["logger"], first["event"]) == ("uvicorn.error", "Exception in %s application")
    assert (second["logger"], second["event"], second["level"]) == (
        "sqlalchemy.engine",
        "(withheld)",
        "warning",
    )


def test_for_people() -> None:
    found: list[str] = []
    logs.configure("console", "warning", found.append)
    try:
        log.info("not told")
        log.warning("the hand is void", room="012345", wall=WALL)
        try:
            raise KeyError("5m")
        except KeyError:
            log.exception("failed")
    finally:
        logging.getLogger().handlers = []
    assert "warning the hand is void room=012345" in found[0]
    assert found[1].splitlines()[1].strip().startswith("server/web/test_logs.py:")
    assert "5m" not in "".join(found)
