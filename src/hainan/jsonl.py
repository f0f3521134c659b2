"""Reading one JSON value or JSON Lines, without knowing beforehand which it is.

A text that is one JSON value, on however many lines, is single; else every line that isn't blank is
a value of its own, answered as it arrives.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain, islice
from typing import Any

import msgspec


class JsonError(ValueError):
    """Text that is not JSON: where it breaks."""


@dataclass(frozen=True)
class Value:
    """A decoded value, or why it couldn't be; ``line`` counts from 1, and is None for a single value."""

    line: int | None
    value: Any = None
    error: JsonError | None = None


def decode(text: str | bytes) -> Any:
    """A JSON value; raises JsonError."""
    try:
        return msgspec.json.decode(text)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise JsonError(f"not JSON: {error}") from None


def encode(value: Any) -> str:
    """Compact JSON text, Chinese as it is."""
    return msgspec.json.encode(value).decode()


def _attempt(text: str | bytes, line: int | None) -> Value:
    try:
        return Value(line, decode(text))
    except JsonError as error:
        return Value(line, error=error)


def read_values(lines: Iterable[bytes]) -> Iterator[Value]:
    """Values of a text given as lines; one Value with line None if it is a single JSON value."""
    numbered = ((number, line) for number, line in enumerate(lines, 1) if line.strip())
    head = list(islice(numbered, 2))
    if len(head) < 2:
        yield _attempt(head[0][1] if head else b"", None)
        return
    if _attempt(head[0][1], None).error is None:
        yield from (_attempt(line, number) for number, line in chain(head, numbered))
        return
    # The first line alone is no value: a value laid out over lines, or JSON Lines begun badly.
    everything = [*head, *numbered]
    whole = _attempt(b"".join(line for _, line in everything), None)
    each = [_attempt(line, number) for number, line in everything]
    if whole.error is None or all(value.error is not None for value in each):
        yield whole
    else:
        yield from each
