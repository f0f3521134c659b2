"""What a command is given: one JSON value or many lines, and the engine that suits it."""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import chain, islice

from hainan.cli.common import opened
from hainan.cli.lines import lines_of
from hainan.jsonl import Value, read_values


@contextmanager
def values_of(name: str, *, compiled: bool = False) -> Iterator[Iterator[Value]]:
    """The values of a file, or of standard input for ``-``.

    A single value is worked on in plain Python, which is done before compiled code would be loaded, let
    alone compiled. So this comes before the engine is imported. ``compiled`` is for work that takes compiled
    code even on a single value.
    """
    with opened(name) as source:
        values = read_values(lines_of(source))
        head = list(islice(values, 1))
        if not compiled and head[0].line is None and "hainan.engine.jit" not in sys.modules:
            os.environ["NUMBA_DISABLE_JIT"] = "1"
        yield chain(head, values)
