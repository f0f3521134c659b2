"""The bill of a hand for people: who won with what, every payment with its clause, each player's sum."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from rich import box
from rich.table import Table as Grid
from rich.text import Text

from hainan.cli.show import Look, Names, flow, signed, tile_of
from hainan.cli.texts import named
from hainan.rules.terms import Licence, Pattern, PayRule, Reason, Way

_RULES: Final = {rule.clause: rule for rule in PayRule}


def print_bill(look: Look, names: Names, end: Mapping[str, Any]) -> None:
    """Print an ``end`` (docs/formats.md, sections 2 and 3), or why the hand can't win."""
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


def _payments(look: Look, names: Names, items: Sequence[Mapping[str, Any]]) -> Grid:
    """Every payment on a line; whose share it is only where somebody pays for another."""
    liable = any(item["of"] != item["payer"] for item in items)
    grid = Grid(box=box.SIMPLE_HEAD, show_edge=False)
    for heading in ("payer", "payee", "points", "for", *(["of"] if liable else []), "rule"):
        grid.add_column(look.say(heading), justify="right" if heading == "points" else "left")
    for item in items:
        payer, payee, of = (names.full[item[key]] for key in ("payer", "payee", "of"))
        reason, rule = Reason[item["for"].upper()], _RULES[item["rule"]]
        share = [of if of != payer else ""] if liable else []
        grid.add_row(
            payer, payee, str(item["points"]), named(reason, look.lang), *share, _clause(look, reason, rule)
        )
    return grid


def _clause(look: Look, reason: Reason, rule: PayRule) -> str:
    """The clause, and its name where that says more than the reason does."""
    name = named(rule, look.lang)
    plain = rule == PayRule.SHARE or name == named(reason, look.lang)
    return rule.clause if plain else f"{rule.clause} {name}"


def sums(look: Look, names: Names, title: str, points: Sequence[int]) -> list[Text]:
    """Each player's points, under a title."""
    each = [Text.assemble(f"{name} ", signed(won)) for name, won in zip(names.full, points, strict=True)]
    return flow(Text(f"{title}  ", "bold"), each, look.width, gap=3)
