"""The stored form of a hand: read, check, replay (docs/formats.md, section 3)."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from hainan.faults import Fault, FieldError
from hainan.rules.actions import GA_VALUES
from hainan.rules.options import Rules, RulesError
from hainan.rules.presets import rules_from_json
from hainan.rules.tiles import CODE, EAST, TileError, parse
from hainan.table import RECORD_FORMAT, IllegalAction, Table, WallError


class RecordError(FieldError):
    """A record that can't be replayed: the field and what is wrong with it."""


@dataclass(frozen=True)
class HandRecord:
    """A checked record; its actions are checked when they are replayed."""

    rules: Rules
    players: int
    dealer: int
    streak: int
    round_wind: int
    ga_floor: tuple[int, ...]
    dice: tuple[int, int]
    wall: tuple[int, ...]
    actions: tuple[tuple[int, str], ...]

    def table(self) -> Table:
        """A table at the start of this hand."""
        return Table(
            self.rules,
            self.players,
            wall=self.wall,
            dealer=self.dealer,
            streak=self.streak,
            round_wind=self.round_wind,
            ga_floor=self.ga_floor,
            dice=self.dice,
        )


class ReplayError(ValueError):
    """An action of a record that wasn't legal: its number, counted from 1, and the refusal."""

    def __init__(self, n: int, refusal: IllegalAction) -> None:
        """Keep number and refusal apart."""
        self.n, self.refusal = n, refusal
        super().__init__(f"action {n}: {refusal}")


def _whole(data: Mapping[str, Any], field: str, default: int, low: int, high: int) -> int:
    value = data.get(field, default)
    if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
        problem = f"{value!r} is no whole number from {low} to {high}"
        raise RecordError(field, problem, Fault.RANGE, low=low, high=high)
    return value


def _wholes(
    data: Mapping[str, Any], field: str, default: list[int], allowed: tuple[int, ...]
) -> tuple[int, ...]:
    values = data.get(field, default)
    right = isinstance(values, list) and len(values) == len(default)
    if not right or any(isinstance(v, bool) or v not in allowed for v in values):
        wanted = ", ".join(map(str, allowed))
        problem = f"{values!r} should be a list of {len(default)} numbers of {wanted}"
        raise RecordError(field, problem, Fault.LIST, n=len(default), allowed=wanted)
    return tuple(values)


def _wind(data: Mapping[str, Any]) -> int:
    text = data.get("round_wind", "1z")
    kind = CODE.get(text, -1) if isinstance(text, str) else -1
    if not EAST <= kind < EAST + 4:
        winds = "1z, 2z, 3z, 4z"
        raise RecordError("round_wind", f"{text!r} is none of {winds}", Fault.ONE_OF, allowed=winds)
    return kind - EAST


def _wall(data: Mapping[str, Any]) -> tuple[int, ...]:
    text = data.get("wall")
    if not isinstance(text, str):
        raise RecordError("wall", "a record needs its wall, as text", Fault.MISSING)
    try:
        return tuple(parse(text))
    except TileError as error:
        raise RecordError("wall", str(error), Fault.TILES) from None


def _actions(data: Mapping[str, Any]) -> tuple[tuple[int, str], ...]:
    actions = data.get("actions", [])
    if not isinstance(actions, list):
        raise RecordError("actions", "should be a list of [seat, action]", Fault.ACTION)
    for n, action in enumerate(actions, 1):
        match action:
            case [int(), str()] if not isinstance(action[0], bool):
                continue
        raise RecordError(f"actions[{n - 1}]", f"{action!r} should be [seat, action]", Fault.ACTION)
    return tuple((seat, text) for seat, text in actions)


def read_record(data: Any) -> HandRecord:
    """Check a record; raises RecordError, which names the field. Further keys are left alone."""
    if not isinstance(data, Mapping):
        problem = f"should be an object, not {type(data).__name__}"
        raise RecordError("record", problem, Fault.NOT_OBJECT)
    if data.get("format") != RECORD_FORMAT:
        problem = f"{data.get('format')!r} is not {RECORD_FORMAT!r}, which this version reads"
        raise RecordError("format", problem, Fault.FORMAT, wanted=RECORD_FORMAT)
    players = _whole(data, "players", 4, 3, 4)
    try:
        rules = rules_from_json(data.get("rules"), players)
    except RulesError as error:
        raise RecordError("rules", str(error), Fault.RULES, option=error.option) from None
    dice = _wholes(data, "dice", [1, 1], (1, 2, 3, 4, 5, 6))
    record = HandRecord(
        rules,
        players,
        _whole(data, "dealer", 0, 0, players - 1),
        _whole(data, "streak", 0, 0, 1000),
        _wind(data),
        _wholes(data, "ga_floor", [0] * players, GA_VALUES),
        (dice[0], dice[1]),
        _wall(data),
        _actions(data),
    )
    try:
        record.table()
    except WallError as error:
        raise RecordError("wall", str(error), Fault.WALL) from None
    return record


def line_of(table: Table, n: int, seat: int | None, did: str | None) -> dict[str, Any]:
    """One line of a replay (docs/formats.md, section 3)."""
    return {
        "n": n,
        "seat": seat,
        "did": did,
        "events": table.events(),
        "remaining": table.remaining,
        "legal": {str(at): [action.text for action in actions] for at, actions in table.legal().items()},
        "end": table.end(),
    }


def steps(record: HandRecord) -> Iterator[tuple[Table, int, int | None, str | None]]:
    """The table at the start and after each action, with the action's number, seat and text.

    It is one table, moved on: look before asking for the next. Raises ReplayError.
    """
    table = record.table()
    yield table, 0, None, None
    for n, (seat, text) in enumerate(record.actions, 1):
        try:
            table.act(seat, text)
        except IllegalAction as refusal:
            raise ReplayError(n, refusal) from None
        yield table, n, seat, text


def replay(record: HandRecord) -> Iterator[dict[str, Any]]:
    """The lines of ``hainan replay --jsonl``. Raises ReplayError after the lines before it."""
    for table, n, seat, did in steps(record):
        yield line_of(table, n, seat, did)


def final_table(record: HandRecord) -> Table:
    """The table after all actions of a record. Raises ReplayError."""
    table = record.table()
    for table, _, _, _ in steps(record):  # noqa: B007
        pass
    return table
