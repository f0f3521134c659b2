"""``hainan review``: every decision of a stored hand against the best there was (复盘)."""

import sys
from collections.abc import Iterable

import msgspec
from rich.text import Text

from hainan.bots.review import Decision, Review, review_of
from hainan.cli.coach import broken, numbers, why
from hainan.cli.common import OK, language
from hainan.cli.lines import print_json
from hainan.cli.replay import decoded, wrong
from hainan.cli.screen import place_facts
from hainan.cli.show import Look, Names, action_text, flow, look_for, numbered
from hainan.cli.warmup import ready
from hainan.jsonl import JsonError, Value
from hainan.records import RecordError, ReplayError, read_record
from hainan.rules.actions import BY_TEXT


def run(values: Iterable[Value], seat: int | None, as_json: bool, lang: str | None, plain: bool) -> int:
    """Review the records; the exit status."""
    ready(["shapes", "table", "advice"], language(lang))
    look = None if as_json else look_for(lang, plain)
    status = OK
    for number, value in enumerate(values):
        try:
            record = read_record(decoded(value))
            review = review_of(record, seat)
        except (JsonError, RecordError, ReplayError) as error:
            sys.stdout.flush()
            status = wrong(number, value, error)
            continue
        which = None if value.line is None else number
        if look is None:
            print_json(({} if which is None else {"record": which}) | msgspec.to_builtins(review))
        else:
            names = numbered(look.lang, record.players, record.dealer)
            if which is not None:
                look.console.rule(look.say("record", n=which), align="left")
            look.print(*flow("", place_facts(look, names, record.table().raw), look.width, gap=2))
            _tell(look, names, review, range(record.players) if seat is None else [seat])
    sys.stdout.flush()
    return status


def _tell(look: Look, names: Names, review: Review, seats: Iterable[int]) -> None:
    for decision in review.decisions:
        look.print(_line(look, names, decision))
    look.print("", Text(look.say("review.worst"), "bold"))
    if not review.worst:
        look.print(look.say("review.none"))
    for index in review.worst:
        look.print(*_moment(look, names, review.decisions[index]))
    lost = [Text(f"{names.full[seat]} {review.lost[seat]:.2f}") for seat in seats]
    look.print("", *flow(Text(f"{look.say('review.totals')}  ", "bold"), lost, look.width, gap=2))


def _did(look: Look, names: Names, decision: Decision) -> Text:
    action = action_text(look, BY_TEXT[decision.did.action])
    return look.fill("review.did", n=f"{decision.n:3}", who=names.full[decision.seat], did=action)


def _lost(look: Look, decision: Decision) -> Text:
    best = action_text(look, BY_TEXT[decision.best.action])
    told = look.fill("review.lost", lost=f"{decision.lost:.2f}", best=best)
    return Text.assemble((told.plain, "yellow"))


def _line(look: Look, names: Names, decision: Decision) -> Text:
    line = _did(look, names, decision)
    if decision.did.action == decision.best.action:
        return line.append("  ").append(look.say("review.best"), "green")
    return line.append("  ").append_text(_lost(look, decision))


def _moment(look: Look, names: Names, decision: Decision) -> list[Text]:
    """A costly decision: what was done and what was best, with their numbers."""
    lines = [_line(look, names, decision)]
    for advised, style in ((decision.did, ""), (decision.best, "cyan")):
        lines += broken(look, why(look, advised), style, indent=5)
        lines.append(Text(f"     {numbers(look, advised)}", "dim"))
    return lines
