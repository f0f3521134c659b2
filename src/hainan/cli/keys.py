"""Single keys from a terminal."""

import os
import select
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

_ARROWS: Final = {"[C": "right", "OC": "right", "[D": "left", "OD": "left", "[H": "home", "[F": "end"}
_ESCAPE: Final = "\x1b"
_REST_COMES_WITHIN: Final = 0.05
"""Seconds: an escape by itself is followed by nothing."""


@contextmanager
def single_keys() -> Iterator[Callable[[], str]]:
    """A function that waits for one key and names it: a character, or right, left, home, end.

    It raises EOFError where the input ends. Without termios a key is the first character of a line,
    and an empty line the end of the line.
    """
    try:
        import termios
        import tty
    except ImportError:
        yield _first_of_line
        return
    terminal = sys.stdin.fileno()
    before = termios.tcgetattr(terminal)
    try:
        tty.setcbreak(terminal)
        yield lambda: _key(terminal)
    finally:
        termios.tcsetattr(terminal, termios.TCSADRAIN, before)


def _first_of_line() -> str:
    line = sys.stdin.readline()
    if not line:
        raise EOFError
    return line[0]


def _key(terminal: int) -> str:
    char = _char(terminal)
    if char != _ESCAPE:
        return char
    rest = ""
    while len(rest) < 2 and select.select([terminal], [], [], _REST_COMES_WITHIN)[0]:
        rest += _char(terminal)
    return _ARROWS.get(rest, _ESCAPE)


def _char(terminal: int) -> str:
    byte = os.read(terminal, 1)
    if not byte or byte == b"\x04":
        raise EOFError
    return byte.decode("latin-1")
