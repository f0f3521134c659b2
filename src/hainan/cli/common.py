"""What the commands share: language, errors for people, reading input, colours."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO, Final, Literal

Lang = Literal["zh", "en"]
OK: Final = 0
DIFFERENCE: Final = 1
BAD_INPUT: Final = 2


class BadInput(Exception):
    """Something the user gave can't be used; its text is one line for stderr, the exit status is 2."""


def language(asked: str | None = None) -> Lang:
    """The language asked for, else that of the locale."""
    if asked in ("zh", "en"):
        return "zh" if asked == "zh" else "en"
    for name in ("LC_ALL", "LC_MESSAGES", "LANG"):
        if value := os.environ.get(name):
            return "zh" if value.lower().startswith("zh") else "en"
    return "en"


@contextmanager
def opened(name: str) -> Iterator[BinaryIO]:
    """A file by name, or standard input for ``-``; raises BadInput."""
    if name == "-":
        yield sys.stdin.buffer
        return
    try:
        with Path(name).open("rb") as file:
            yield file
    except BrokenPipeError:  # of the output: nothing is wrong with this file
        raise
    except OSError as error:
        raise BadInput(f"{name}: {error.strerror or error}") from None


def rules_from(preset: str | None, file: str | None, players: int) -> Any:
    """The sheet of ``--preset`` or of the JSON file of ``--rules``; raises BadInput."""
    from hainan.jsonl import JsonError, decode
    from hainan.rules.options import RulesError
    from hainan.rules.presets import rules_from_json

    sheet: Any = {}
    if file is not None:
        with opened(file) as source:
            try:
                sheet = decode(source.read())
            except JsonError as error:
                raise BadInput(f"{file}: {error}") from None
        if not isinstance(sheet, dict):
            raise BadInput(f"{file}: an option sheet is a JSON object")
    if preset is not None:
        sheet = {"preset": preset} | {name: value for name, value in sheet.items() if name != "preset"}
    try:
        return rules_from_json(sheet, players)
    except RulesError as error:
        raise BadInput(str(error)) from None


def warn(line: str) -> None:
    """One line on stderr."""
    print(line, file=sys.stderr, flush=True)
