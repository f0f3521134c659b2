"""``hainan verify``: was this hand dealt from its committed seed?"""

from collections.abc import Iterable

from hainan.cli.common import DIFFERENCE, OK, BadInput, language
from hainan.cli.warmup import ready
from hainan.jsonl import Value, encode
from hainan.records import RecordError
from hainan.shuffle import Check, verify

_NAMES = {"commitment": "承诺", "dice": "骰子", "wall": "牌墙"}


def run(values: Iterable[Value], as_json: bool, lang: str | None) -> int:
    """Check every record; the exit status."""
    zh = language(lang) == "zh"
    ready(["table"], "zh" if zh else "en")
    holds = True
    for value in values:
        where = "" if value.line is None else f"line {value.line}: "
        if value.error is not None:
            raise BadInput(f"{where}{value.error}")
        try:
            checks = verify(value.value)
        except RecordError as error:
            raise BadInput(f"{where}{error}") from None
        holds = holds and all(check.holds for check in checks)
        if as_json:
            print(encode({check.what: check.holds for check in checks}))
        else:
            _show(checks, where, zh)
    return OK if holds else DIFFERENCE


def _show(checks: list[Check], where: str, zh: bool) -> None:
    for check in checks:
        name = _NAMES[check.what] if zh else check.what
        verdict = ("相符" if zh else "as committed") if check.holds else ("不符！" if zh else "DIFFERENT")
        print(f"{where}{name}: {verdict}  {check.found}")
