"""``hainan score``: described hands in, whole bills out (docs/formats.md, section 2)."""

import sys
from collections.abc import Callable, Iterable
from typing import Any

from hainan.cli.bill import print_bill
from hainan.cli.common import BAD_INPUT, OK, BadInput, language, warn
from hainan.cli.lines import print_json
from hainan.cli.show import look_for, numbered
from hainan.cli.warmup import ready
from hainan.jsonl import JsonError, Value
from hainan.score import Calculator, ScoreError

Answer = dict[str, Any]


def run(values: Iterable[Value], as_json: bool, lang: str | None) -> int:
    """Answer every request; the exit status."""
    ready(["score"], language(lang))
    tell = _tell_programs if as_json else _people_teller(lang)
    calculator = Calculator()
    status = OK
    for value in values:
        try:
            answer = _answer(calculator, value)
        except (JsonError, ScoreError) as error:
            if value.line is None:
                raise BadInput(str(error)) from None
            warn(f"hainan: line {value.line}: {error}")
            answer, status = {"error": str(error)}, BAD_INPUT
        tell(value, answer)
    sys.stdout.flush()
    return status


def _answer(calculator: Calculator, value: Value) -> Answer:
    if value.error is not None:
        raise value.error
    return calculator.score(value.value)


def _tell_programs(value: Value, answer: Answer) -> None:
    print_json(answer)


def _people_teller(lang: str | None) -> Callable[[Value, Answer], None]:
    look = look_for(lang)

    def tell(value: Value, answer: Answer) -> None:
        if value.line is not None:
            look.console.rule(look.say("line", n=value.line), align="left")
        if "error" in answer:
            look.print(answer["error"])
            return
        request = value.value
        names = numbered(look.lang, request.get("players", 4), request.get("dealer", 0))
        print_bill(look, names, request["end"] | answer)

    return tell
