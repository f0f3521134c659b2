"""``hainan options``: the option sheet, a preset's values, and how two presets differ."""

from typing import Any

from rich.console import Console
from rich.table import Table as Grid

from hainan.cli.common import OK, BadInput, Lang, language
from hainan.jsonl import encode
from hainan.rules.options import OPTIONS, Option, Rules, RulesError
from hainan.rules.presets import DEFAULT_PRESET, diff, digest, rules_of


def run(preset: str | None, pair: tuple[str, str] | None, as_json: bool, lang: str | None) -> int:
    """Print; the exit status."""
    try:
        if pair is not None:
            one, other = (rules_of(name) for name in pair)
            _differences(pair, diff(one, other), as_json, language(lang))
        else:
            _sheet(rules_of(preset or DEFAULT_PRESET), as_json, language(lang))
    except RulesError as error:
        raise BadInput(str(error)) from None
    return OK


def value_text(value: Any) -> str:
    """A value as in JSON, without quotes."""
    return encode(value).strip('"')


def _described(option: Option, value: Any) -> dict[str, Any]:
    return {
        "name": option.name,
        "value": value,
        "default": option.default,
        "values": option.values,
        "zh": option.zh,
        "en": option.en,
        "clause": option.clause,
        "help_zh": option.help_zh,
        "help_en": option.help_en,
    }


def _sheet(rules: Rules, as_json: bool, lang: Lang) -> None:
    values = rules.values()
    if as_json:
        options = [_described(option, values[name]) for name, option in OPTIONS.items()]
        print(encode({"preset": rules.preset, "digest": digest(rules), "options": options}))
        return
    grid = Grid(title=f"{rules.preset}  ({digest(rules)})", title_justify="left", show_lines=False)
    for heading in (
        ("选项", "值", "说明", "条款") if lang == "zh" else ("option", "value", "meaning", "clause")
    ):
        grid.add_column(heading, overflow="fold")
    for name, option in OPTIONS.items():
        meaning = f"{option.zh}：{option.help_zh}" if lang == "zh" else f"{option.en}: {option.help_en}"
        grid.add_row(name, value_text(values[name]), meaning, option.clause)
    Console(highlight=False).print(grid)


def _differences(pair: tuple[str, str], found: dict[str, tuple[Any, Any]], as_json: bool, lang: Lang) -> None:
    if as_json:
        print(encode({"presets": pair, "differences": {name: list(both) for name, both in found.items()}}))
        return
    grid = Grid()
    for heading in ("选项", *pair, "名称" if lang == "zh" else "name", "条款" if lang == "zh" else "clause"):
        grid.add_column(heading if lang == "zh" or heading != "选项" else "option", overflow="fold")
    for name, (one, other) in found.items():
        option = OPTIONS[name]
        title = option.zh if lang == "zh" else option.en
        grid.add_row(name, value_text(one), value_text(other), title, option.clause)
    Console(highlight=False).print(grid)
