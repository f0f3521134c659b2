"""The bill of a hand for people: who won with what, every payment with its clause, each player's sum."""

from collections.abc import Mapping
from typing import Any, Final

from rich import box
from rich.table import Table as Grid
from rich.text import Text

from hainan.cli.show import Look, Names, flow, signed, tile_of
from hainan.cli.texts import named
from hainan.rules.terms import Licence, Pattern, PayRule, Reason, Way

_RULES: Final = {rule.clause: rule for rule in PayRule}


def print_bill(look: Look, names: Names, end: Mapping[str, Any]) -> None:
    """Print an ``end`` (FORMATS.md, sections 2 and 3), or why the hand can't win."""
    if not end["legal"]:
        look.print(*flow(look.fill("not legal", why=look.say(end["why"])), [], look.width))
        return
    look.print(*headline(look, names, end))
    for winner in end["winners"]:
        look.print(*winner_lines(look, names, winner))
    if not end["items"]:
        look.print(look.say("nobody pays"))
        return
    look.console.print(_payments(look, names, end["items"]))
    look.print(*sums(look, names, look.say("sums"), end["payments"]))


def headline(look: Look, names: Names, end: Mapping[str, Any]) -> list[Text]:
    """How the hand ended."""
    way, giver = end.get("way"), end.get("from")
    ended = look.fill(
        f"ended.{end['by']}",
        tile=tile_of(look, end.get("tile")),
        giver="" if giver is None else names.full[giver],
        way=look.say("way", way=named(Way[way.upper()], look.lang)) if way else "",
    )
    return flow(ended, [], look.width)


def winner_lines(look: Look, names: Names, winner: Mapping[str, Any]) -> list[Text]:
    """A winner with patterns, T and V, licences."""
    patterns = [named(Pattern[name.upper()], look.lang) for name in winner["patterns"]]
    licences = [named(Licence[name.upper()], look.lang) for name in winner["licences"]]
    between = "、" if look.lang == "zh" else ", "
    facts = [
        Text(between.join(patterns)),
        Text(f"T {winner['T']}  V {winner['V']}", "bold"),
        look.fill("licences", names=between.join(licences) or look.say("none")),
    ]
    head = look.fill("wins", who=names.full[winner["seat"]]).append("  ")
    head.stylize("bold green")
    return flow(head, facts, look.width, gap=2)


def _payments(look: Look, names: Names, items: list[dict[str, Any]]) -> Grid:
    grid = Grid(box=box.SIMPLE_HEAD, padding=(0, 1), show_edge=False)
    for heading in ("payer", "payee", "points", "for", "of", "rule"):
        grid.add_column(look.say(heading), justify="right" if heading == "points" else "left")
    for item in items:
        rule = _RULES[item["rule"]]
        grid.add_row(
            names.full[item["payer"]],
            names.full[item["payee"]],
            str(item["points"]),
            named(Reason[item["for"].upper()], look.lang),
            names.full[item["of"]] if item["of"] != item["payer"] else "",
            f"{rule.clause} {named(rule, look.lang)}",
        )
    return grid


def sums(look: Look, names: Names, title: str, points: list[int]) -> list[Text]:
    """Each player's points, under a title."""
    each = [Text.assemble(f"{name} ", signed(won)) for name, won in zip(names.full, points, strict=True)]
    return flow(Text(f"{title}  ", "bold"), each, look.width, gap=3)
