"""Messages of msgspec, which speak of Python's types, as sentences for people."""

import re
from collections.abc import Callable
from typing import Final

_KINDS: Final = {
    "int": "a whole number",
    "float": "a number",
    "str": "text",
    "bool": "true or false",
    "object": "an object",
    "array": "a list",
    "null": "null",
}
_PLACE: Final = re.compile(r" - at `\$\.?(?P<place>[^`]*)`$")
_BOUND: Final = {"<=": "at most", ">=": "at least", ">": "more than", "<": "less than"}
Said = Callable[[re.Match[str]], str]
_PHRASES: Final[tuple[tuple[str, Said], ...]] = (
    (r"Expected `(.+?)`, got `(.+?)`", lambda m: f"should be {_kind(m[1])}, not {_kind(m[2])}"),
    (r"Expected `str` of length (<=|>=) (\d+)", lambda m: f"should have {_BOUND[m[1]]} {m[2]} characters"),
    (r"Expected `\w+` (<=|>=|<|>) (\S+)", lambda m: f"should be {_BOUND[m[1]]} {m[2]}"),
    (r"Expected `str` matching regex .*", lambda m: "has the wrong form"),
    (r"Expected `(.+?)`", lambda m: f"should be {_kind(m[1])}"),
    (r"Object missing required field `(.+?)`", lambda m: f"`{m[1]}` is missing"),
    (r"Object contains unknown field `(.+?)`", lambda m: f"there is no field `{m[1]}`"),
    (r"Invalid (?:enum )?value (.+)", lambda m: f"{m[1]} is none of the known ones"),
)


def _kind(name: str) -> str:
    return " or ".join(_KINDS.get(part, part) for part in name.split(" | "))


def understandable(error: Exception | str) -> str:
    """A sentence from msgspec's: where, and what would be right."""
    text, place = str(error), ""
    if found := _PLACE.search(text):
        text, place = text[: found.start()], found["place"]
    for pattern, said in _PHRASES:
        if match := re.fullmatch(pattern, text):
            text = said(match)
            break
    if place == "type" and "none of the known" in text:
        return f"there is no command {text.split(' is none')[0]}"
    return f"{place}: {text}" if place else text
