"""For looking at hands and rules at leisure: a record played step by step with all hands open, and the rule
book clause by clause."""

import asyncio
import re
from collections.abc import Callable, Iterator
from functools import cache
from importlib.resources import files
from typing import Annotated, Any, Final, TypeVar

import numpy as np
from litestar import Router, get, post
from litestar.params import JSONBody, QueryParameter
from msgspec import Struct

from hainan import wire
from hainan.bots.review import Decision, review_of
from hainan.engine.record import TABLE, Phase
from hainan.faults import Fault
from hainan.records import HandRecord, RecordError, ReplayError, read_record, steps
from hainan.rules.options import OPTIONS
from hainan.rules.tiles import TEXT, text_of
from hainan.seatview import table_view
from hainan.server.problem import Problem
from hainan.server.web.rules import of_bad_input
from hainan.server.web.services import Call, Here, refusals
from hainan.server.wishes import advised_view
from hainan.server.wording import understandable
from hainan.table import Event, Table, hand_text
from hainan.wire import Refusal

T = TypeVar("T")
SeatNumber = Annotated[int | None, QueryParameter(ge=0, le=3, description="Only the decisions of this seat.")]


class Step(Struct, frozen=True):
    """The table after an action of a record, nothing hidden."""

    n: int
    """0 for the start, then the action's number."""
    seat: int | None
    """Who acted."""
    action: str | None
    """What he did."""
    table: wire.TableView
    """Concealed kongs are open."""
    hands: list[str]
    """Each seat's concealed tiles, flowers not yet laid out among them."""
    drawn: str | None
    """The tile drawn last by the seat whose turn it is; it is part of its hand."""
    events: list[dict[str, Any]]
    """What the action brought about, as in docs/formats.md, section 3."""
    wall: str
    """The tiles to come, in order: the next draw first, the next replacement last."""


class Replay(Struct, frozen=True):
    """A record played through."""

    steps: list[Step]


class Judgement(Struct, frozen=True):
    """A decision of a hand against the best there was."""

    n: int
    """The number of the action in the record, from 1: it was decided at step n - 1."""
    seat: int
    """Who decided."""
    did: wire.Advised
    """What he did."""
    best: wire.Advised
    """What the bot `strong` would have done."""
    lost: float
    """Expected points lost; 0 for a choice of ga."""


class Review(Struct, frozen=True):
    """A hand, decision by decision (复盘)."""

    decisions: list[Judgement]
    """Every decision with more than one legal action."""
    worst: list[int]
    """Up to three of them that cost most, by their place in `decisions`, the worst first."""
    lost: list[float]
    """Points lost by each seat over all its decisions."""


class Clause(Struct, frozen=True):
    """A clause of the rule book, or what stands at the head of a section."""

    id: str
    """`R3.7`; or `S3` for the head of section 3, and `intro` and `house` for what has no number."""
    section: str
    """The heading of its section; that of the book for `intro`."""
    heading: str
    """Its own heading, without the number; empty for heads of sections."""
    text: str
    """Markdown: paragraphs, lists, tables, `code`."""
    options: list[str]
    """The options of the sheet that it depends on; its own come first."""


class Book(Struct, frozen=True):
    """The rule book in both languages."""

    zh: list[Clause]
    en: list[Clause]


# ---------------------------------------------------------------- replays


def _step(table: Table, n: int, seat: int | None, did: str | None) -> Step:
    whole = np.frombuffer(table.snapshot(), TABLE)
    raw = whole[0]
    view, _ = table_view(table, whole)
    started = raw["phase"] != Phase.GA
    drawn = raw["phase"] == Phase.TURN and raw["drawn"] and raw["last_tile"] >= 0
    return Step(
        n=n,
        seat=seat,
        action=did,
        table=view,
        hands=[hand_text(table.raw, at) if started else "" for at in range(table.players)],
        drawn=TEXT[raw["last_tile"]] if drawn else None,
        events=_told(table.events()),
        wall=text_of(raw["wall"][raw["head"] : raw["tail"]].tolist()),
    )


def _told(events: list[Event]) -> list[dict[str, Any]]:
    """Without the payments: they are in the table's `end`."""
    return [event for event in events if event["type"] != "pay"]


def _played(play: Callable[[], T]) -> T:
    """What a record gives; raises Problem for an action that isn't legal."""
    try:
        return play()
    except ReplayError as error:
        where, refusal = f"actions[{error.n - 1}]", error.refusal
        why = f"{where}: {understandable(str(refusal))}"
        params = {"n": error.n, "seat": refusal.seat, "action": refusal.tried}
        params |= {"reason": refusal.reason, "given": refusal.given}
        about = wire.About(where=where, fault=Fault.ILLEGAL, params=params)
        raise Problem(Refusal.BAD_MESSAGE, why, refusal.clause, about=about) from None


def replayed(record: HandRecord) -> list[Step]:
    """Every step of a record; raises Problem for an action that isn't legal."""
    return _played(lambda: [_step(*step) for step in steps(record)])


def _read_and_replayed(data: Any) -> list[Step]:
    return replayed(read_record(data))


@post("/api/replay", status_code=200, responses=refusals(403, 413, 429))
async def replay_record(data: JSONBody[dict[str, Any]], services: Here, caller: Call) -> Replay:
    """Play a record (docs/formats.md, section 3) and show every step with all hands open; nothing is kept."""
    services.work.spend(caller.network, 4)
    try:
        return Replay(await asyncio.to_thread(_read_and_replayed, data))
    except RecordError as error:
        raise of_bad_input(error) from None


def _judgement(decision: Decision) -> Judgement:
    return Judgement(
        decision.n,
        decision.seat,
        advised_view(decision.did),
        advised_view(decision.best),
        decision.lost,
    )


def _read_and_reviewed(data: Any, seat: int | None) -> Review:
    review = _played(lambda: review_of(read_record(data), seat))
    return Review([_judgement(one) for one in review.decisions], review.worst, review.lost)


@post("/api/review", status_code=200, responses=refusals(403, 413, 429))
async def review_record(
    data: JSONBody[dict[str, Any]], caller: Call, services: Here, seat: SeatNumber = None
) -> Review:
    """Hold every decision of a record (docs/formats.md, section 3) against the best; nothing is
    kept."""
    services.work.spend(caller.network, 8)
    try:
        return await asyncio.to_thread(_read_and_reviewed, data, seat)
    except RecordError as error:
        raise of_bad_input(error) from None


# ---------------------------------------------------------------- the rule book

_HEADING: Final = re.compile(r"^(#{1,3}) (?:(\d+)\. |(R\d+\.\d+) )?(.+)$", re.MULTILINE)
_NAMED: Final = re.compile(r"`(\w+)`")


def clauses_of(text: str) -> list[Clause]:
    """The rule book's text, taken apart at its headings."""
    return list(_clauses(text))


def _clauses(text: str) -> Iterator[Clause]:
    found = list(_HEADING.finditer(text))
    section = ""
    for heading, after in zip(found, [*found[1:], None], strict=True):
        body = text[heading.end() : after.start() if after else len(text)].strip()
        level, number, clause, title = heading.groups()
        if level == "###":
            yield Clause(clause, section, title, body, _options_of(clause, body))
        else:
            section = f"{number}. {title}" if number else title
            name = f"S{number}" if number else "intro" if level == "#" else "house"
            yield Clause(name, section, "", body, [])


def _options_of(clause: str, body: str) -> list[str]:
    own = [name for name, option in OPTIONS.items() if option.clause == clause]
    named = [name for name in _NAMED.findall(body) if name in OPTIONS]
    return list(dict.fromkeys(own + named))


@cache
def book_of_rules() -> Book:
    """The whole book, read once."""
    folder = files("hainan.server.web") / "book"
    zh, en = [clauses_of((folder / f"{name}.md").read_text(encoding="utf-8")) for name in ("zh", "en")]
    return Book(zh, en)


@get("/api/book", sync_to_thread=False, responses=refusals())
def book() -> Book:
    """The rule book, clause by clause, in Chinese and English."""
    return book_of_rules()


router: Final = Router("/", route_handlers=[replay_record, review_record, book], tags=["rules"])
