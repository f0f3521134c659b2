"""JSON values into a command and out of it, as they come."""

import sys
from collections.abc import Callable, Iterator
from typing import Any, BinaryIO, Final

from hainan.jsonl import encode

_CHUNK: Final = 1 << 16


def lines_of(source: BinaryIO) -> Iterator[bytes]:
    """Lines as they arrive.

    What has been printed is flushed whenever more input has to be read: one flush for many lines of a
    file, one for each line that comes by itself.
    """
    read: Callable[[int], bytes] = getattr(source, "read1", source.read)
    rest = b""
    while True:
        sys.stdout.flush()
        chunk = read(_CHUNK)
        if not chunk:
            break
        *whole, rest = (rest + chunk).split(b"\n")
        for line in whole:
            yield line + b"\n"
    if rest:
        yield rest


def print_json(value: Any) -> None:
    """One line of JSON, in UTF-8 whatever the locale; not flushed."""
    sys.stdout.buffer.write(encode(value).encode() + b"\n")
