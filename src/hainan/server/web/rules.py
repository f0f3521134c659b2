"""What other programs and the page need of the rules: presets, options, terms and phrases in both languages;
and the calculator and the verifier as calls."""

import asyncio
import re
from functools import cache
from typing import Annotated, Any, Final

from litestar import Response, Router, get, post
from litestar.params import JSONBody
from msgspec import Meta, Struct

from hainan import wire
from hainan.bots.policies import LEVELS
from hainan.faults import FieldError
from hainan.records import RecordError
from hainan.rules.options import OPTIONS, Option, RulesError
from hainan.rules.presets import (
    DIFFERENCES,
    PRESET_NAMES,
    PRESET_TEXTS,
    digest,
    rules_from_json,
    rules_of,
    usual_values,
)
from hainan.rules.terms import By, Licence, MeldKind, Pattern, PayRule, Reason, Term, Way
from hainan.score import ScoreError, score
from hainan.server.problem import Problem
from hainan.server.web.errors import Error, body_of
from hainan.server.web.services import Call, Here, refusals
from hainan.server.wording import understandable
from hainan.shuffle import verify
from hainan.wire import Refusal

_CLAUSE: Final = re.compile(r"\((R\d+(?:\.\d+)?)\)$")


class Named(Struct, frozen=True):
    """Something of the rule book with its names and its clause."""

    id: str
    zh: str
    en: str
    clause: str


class OptionView(Struct, frozen=True):
    """An option of the sheet."""

    name: str
    default: bool | int | str | None
    values: str
    """The allowed values in words."""
    choices: list[Named] | None
    zh: str
    en: str
    clause: str
    help_zh: str
    help_en: str


class PresetView(Struct, frozen=True):
    """A preset: its names, what sets it apart, and what it changes of the defaults."""

    name: str
    zh: str
    en: str
    about_zh: str
    about_en: str
    differences: dict[str, Any]
    digest: str


class Phrase(Struct, frozen=True):
    """Something that can be said at a table."""

    name: str
    zh: str
    en: str


class RuleBook(Struct, frozen=True):
    """What a page needs to show option sheets, bills and phrases."""

    presets: list[PresetView]
    options: list[OptionView]
    patterns: list[Named]
    licences: list[Named]
    melds: list[Named]
    ends: list[Named]
    ways: list[Named]
    reasons: list[Named]
    pay_rules: list[Named]
    phrases: list[Phrase]
    policies: list[str]
    """The bots that can be put on a seat."""


class Sheet(Struct, frozen=True, forbid_unknown_fields=True):
    """An option sheet, and for how many players."""

    rules: dict[str, Any] | None = None
    """A preset and what differs from it; the default preset where there is none."""
    players: Annotated[int, Meta(ge=3, le=4)] = 4


class SheetView(Struct, frozen=True):
    """An option sheet as it counts at a table."""

    values: dict[str, Any]
    """Every option by name; none of a sheet that can't be played."""
    usual: dict[str, Any]
    """Every option as the preset has it at such a table."""
    digest: str | None
    """Its fingerprint (`hainan options`)."""
    problem: Error | None = None
    """Why it can't be played."""


class CheckView(Struct, frozen=True):
    """One thing verified."""

    what: str
    holds: bool
    found: str


class Verdict(Struct, frozen=True):
    """Whether a hand was dealt from its committed seed."""

    holds: bool
    checks: list[CheckView]


def _named(terms: type[Term]) -> list[Named]:
    return [Named(term.id, term.zh, term.en, term.clause) for term in terms]


def _option(option: Option) -> OptionView:
    return OptionView(
        name=option.name,
        default=option.default,
        values=option.values,
        choices=None if option.choices is None else _named(option.choices),
        zh=option.zh,
        en=option.en,
        clause=option.clause,
        help_zh=option.help_zh,
        help_en=option.help_en,
    )


@cache
def rule_book() -> RuleBook:
    """Everything, made once."""
    return RuleBook(
        presets=[
            PresetView(name, zh, en, *PRESET_TEXTS[name], DIFFERENCES[name], digest(rules_of(name)))
            for name, (zh, en) in PRESET_NAMES.items()
        ],
        options=[_option(option) for option in OPTIONS.values()],
        patterns=_named(Pattern),
        licences=_named(Licence),
        melds=_named(MeldKind),
        ends=_named(By),
        ways=_named(Way),
        reasons=_named(Reason),
        pay_rules=_named(PayRule),
        phrases=[Phrase(name, zh, en) for name, (zh, en) in wire.PHRASES.items()],
        policies=[policy.name.lower() for policy in LEVELS],
    )


@get("/api/rules", sync_to_thread=False, responses=refusals())
def rules() -> RuleBook:
    """Presets, options, the terms of bills, phrases and bots, in Chinese and English."""
    return rule_book()


@post("/api/sheet", status_code=200, responses=refusals(403, 413, 429))
async def sheet_that_counts(data: JSONBody[Sheet], services: Here, caller: Call) -> SheetView:
    """A sheet with every option as it counts, without what can't count at this table; or what is wrong."""
    services.work.spend(caller.network)
    try:
        sheet = rules_from_json(data.rules, data.players)
    except RulesError as error:
        return SheetView({}, {}, None, body_of(Problem.of_rules(error)))
    return SheetView(sheet.values(), usual_values(sheet, data.players), digest(sheet))


@post("/api/score", status_code=200, responses=refusals(403, 413, 429))
async def score_hand(
    data: JSONBody[dict[str, Any]], services: Here, caller: Call
) -> Response[dict[str, Any]]:
    """The calculator: who won what, who pays whom, by which clause (docs/formats.md, section 2)."""
    services.work.spend(caller.network)
    try:
        return Response(await asyncio.to_thread(score, data))
    except ScoreError as error:
        raise of_bad_input(error) from None


@post("/api/verify", status_code=200, responses=refusals(403, 413, 429))
async def verify_record(data: JSONBody[dict[str, Any]], services: Here, caller: Call) -> Verdict:
    """Check that a stored record's wall and dice came from its committed seed; nothing is looked up."""
    services.work.spend(caller.network, 2)
    try:
        checks = await asyncio.to_thread(verify, data)
    except RecordError as error:
        raise of_bad_input(error) from None
    views = [CheckView(check.what, check.holds, check.found) for check in checks]
    return Verdict(all(check.holds for check in checks), views)


def of_bad_input(error: FieldError) -> Problem:
    """Which field of a request or record can't be used, why, and by which clause."""
    clause = _CLAUSE.search(error.problem)
    why = f"{error.field}: {understandable(error.problem)}"
    about = wire.About(where=error.field, fault=error.fault, params=error.params)
    return Problem(Refusal.BAD_MESSAGE, why, clause[1] if clause else None, about=about)


router: Final = Router(
    "/", route_handlers=[rules, sheet_that_counts, score_hand, verify_record], tags=["rules"]
)
