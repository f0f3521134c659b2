"""``hainan replay``: a stored hand told line by line, stepped through, or as JSON (FORMATS.md, section 3)."""

import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

from rich.text import Text

from hainan.cli.bill import print_bill
from hainan.cli.common import BAD_INPUT, OK, language, opened, warn
from hainan.cli.keys import single_keys
from hainan.cli.screen import Room, opened_lines, place_facts, player_lines, seat_of
from hainan.cli.show import Look, Names, flow, look_for, numbered, tile, tiles, told
from hainan.cli.warmup import ready
from hainan.jsonl import JsonError, Value, encode, read_values
from hainan.records import HandRecord, RecordError, ReplayError, read_record, replay, steps
from hainan.rules.tiles import parse
from hainan.table import Event, Table

_NEXT: Final = (" ", "\n", "n", "l", "right")
_BACK: Final = ("b", "p", "h", "left", "\x7f")
_START: Final = ("g", "home")
_END: Final = ("G", "end")
_SHOWN_APART: Final = {"deal", "pay"}


def run(file: str, jsonl: bool, lang: str | None, plain: bool) -> int:
    """Tell the records of a file; the exit status."""
    with opened(file) as source:
        if jsonl:
            ready(["table"], language(lang))
            status = _each(read_values(source), _tell_programs)
        else:
            ready(["table", "hints"], language(lang))
            look = look_for(lang, plain)
            told_by = _step_through if sys.stdin.isatty() and look.console.is_terminal else _tell_people
            status = _tell_all(look, list(read_values(source)), told_by)
        sys.stdout.flush()
    return status
