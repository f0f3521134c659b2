"""``hainan verify``: was this hand dealt from its committed seed?"""

from hainan.cli.common import DIFFERENCE, OK, BadInput, language, opened
from hainan.jsonl import encode, read_values
from hainan.records import RecordError
from hainan.shuffle import Check, verify

_NAMES = {"commitment": "承诺", "dice": "骰子", "wall": "牌墙"}


def run(file: str, as_json: bool, lang: str | None) -> int:
    """Check every record of a file; the exit status."""
    zh = language(lang) == "zh"
    holds = True
    with opened(file) as source:
        for value in read_values(source):
            where = "" if value.line is None else f"line {value.line}: "
            if value.error is not None:
                raise BadInput(f"{file}: {where}{value.error}")
            try:
                checks = verify(value.value)
            except RecordError as error:
                raise BadInput(f"{file}: {where}{error}") from None
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
