"""A table as one pair of eyes sees it, as messages; and such messages as a record again, for bots.

What is hidden was wiped out before (``Table.masked_array``): only what is left is written, by the engine
(engine/message.py).
"""

from collections.abc import Sequence
from typing import Final, NamedTuple

import msgspec
import numpy as np

from hainan import wire
from hainan.engine import entries
from hainan.engine.message import HINT_BYTES, MINE_BYTES, TABLE_BYTES
from hainan.engine.record import Ask, Phase, Record, new_tables, sheet_of
from hainan.engine.view import HIDDEN_TILE
from hainan.rules.actions import Action
from hainan.rules.options import Rules
from hainan.rules.terms import EventType, MeldKind, Source
from hainan.rules.tiles import CODE, EAST, FLOWER, KINDS, parse
from hainan.table import NO_HINTS, SPECTATOR, Event, HintRows, Table, items_of, result_of, told_events

# ---------------------------------------------------------------- record to messages


def table_json(table: Table, views: Record = None) -> bytes:
    """What everybody sees of a table, as the `table` of messages; ``views`` is ``table.views()``, where that
    is known already."""
    seen = table.masked_array(SPECTATOR) if views is None else views
    out = np.empty(TABLE_BYTES, np.uint8)
    told = out[: entries.write_table(seen, len(seen) - 1, out)].tobytes()
    if table.phase == Phase.OVER:
        told = told[:-1] + b',"end":' + wire.encode(result_of(seen[-1])) + b"}"
    return told


def events_of_all(table: Table, views: Record = None) -> list[Event]:
    """What everybody sees of the last action's events."""
    seen = table.masked_array(SPECTATOR) if views is None else views[-1:]
    events = told_events(seen["event"][0, : seen["n_events"].item()].tolist())
    if table.phase == Phase.OVER:
        events.append({"type": EventType.PAY.id, "items": items_of(seen[0])})
    return events


class Asked(NamedTuple):
    """What is asked of a seat; -1 is none."""

    offer: int = -1
    tenths: int = -1
    """Of a second, left for it."""
    bank_tenths: int = 0
    answered: bool = False
    """To tell that it has answered, even if the table doesn't know that."""

    @classmethod
    def of(cls, offer: int | None, seconds: float | None, bank: float, answered: bool = False) -> "Asked":
        """By the number of an offer, if there is one, and in seconds."""
        return cls(
            -1 if offer is None else offer,
            -1 if seconds is None else round(seconds * 10),
            round(bank * 10),
            answered,
        )


def mine_json(
    table: Table, asked: Sequence[Asked], views: Record = None, hints: HintRows | None = None
) -> list[bytes]:
    """What only the owner of each seat sees, as the `mine` of messages; with hints where they are given
    (``table.hint_rows()``)."""
    seen = table.views() if views is None else views
    rows, held = NO_HINTS if hints is None else hints
    n_hints = int(held[-1, 1]) if len(held) else 0
    out = np.empty(len(asked) * MINE_BYTES + n_hints * HINT_BYTES, np.uint8)
    ends = np.empty(len(asked), np.int32)
    entries.write_mine(seen, np.array(asked, np.int64), *table.legal_lists, rows, held, out, ends)
    told, begin = [], 0
    for end in ends.tolist():
        told.append(out[begin:end].tobytes())
        begin = end
    return told


def table_view(table: Table, views: Record = None) -> tuple[wire.TableView, list[Event]]:
    """The same as a message, and the events (``events_of_all``)."""
    return _decode_table(table_json(table, views)), events_of_all(table, views)


def mine_view(
    table: Table,
    seat: int,
    offer: int | None,
    seconds: float | None = None,
    bank: float = 0.0,
    *,
    hints: bool = False,
) -> wire.Mine:
    """What only a seat's owner sees, as a message."""
    asked = [Asked()] * table.players
    asked[seat] = Asked.of(offer, seconds, bank)
    return _decode_mine(mine_json(table, asked, hints=table.hint_rows() if hints else None)[seat])


_decode_table: Final = msgspec.json.Decoder(wire.TableView).decode
_decode_mine: Final = msgspec.json.Decoder(wire.Mine).decode


# ---------------------------------------------------------------- messages to record


def record_of(view: wire.TableView, mine: wire.Mine | None, rules: Rules) -> Record:
    """The record that such messages describe, as an array of one: what a bot in another process plays on."""
    players = len(view.seats)
    tables = new_tables(1)
    tables["sheet"][0] = sheet_of(rules, players)
    t = tables[0]
    _write_place(t, view)
    _write_rivers(t, view)
    for seat, seen in enumerate(view.seats):
        _write_seat(t, seat, seen)
    if mine is not None:
        _write_mine(t, view, mine)
        entries.count_hand(tables, 0, mine.seat)
    if view.end is not None:
        for seat in range(players):
            entries.count_hand(tables, 0, seat)
    return tables


def _code(text: str | None) -> int:
    return -1 if text is None else CODE[text]


def _or_none(seat: int | None) -> int:
    return -1 if seat is None else seat


def _write_place(t: Record, view: wire.TableView) -> None:
    """The hand's place in the match, the wall's length, and whose turn it is."""
    t.wall[:] = HIDDEN_TILE
    t.dealer, t.first_dealer, t.streak = view.dealer, view.first_dealer, view.streak
    t.round_wind = CODE[view.round_wind] - EAST
    t.hands_played, t.rounds_played = view.hands_played, view.rounds_played
    t.dice[:] = view.dice
    t.tail = view.remaining  # where head and tail stand isn't told; only their difference counts
    t.indicator, t.wild = _code(view.indicator), _code(view.wild)
    t.phase = Phase[view.phase.upper()]
    t.turn = view.dealer if view.turn is None else view.turn
    t.fresh_pong = _code(view.fresh_pong)
    t.last_tile = -1
    t.claim_tile = t.claim_from = -1
    if view.claim is not None:
        t.claim_tile, t.claim_from = CODE[view.claim.tile], view.claim.from_
        t.turn = view.claim.from_
    if view.drawn_from is not None:
        t.drawn, t.last_source = 1, Source[view.drawn_from.upper()]
    t.lead_tile = t.lead_seat = t.lead_next = -1
    if view.follow is not None:
        t.lead_tile, t.lead_seat = _code(view.follow.tile), _or_none(view.follow.lead)
        t.followers, t.lead_next = view.follow.followers, _or_none(view.follow.next_leads)
    t.by = -1
    t.win_from = t.win_tile = -1


def _write_rivers(t: Record, view: wire.TableView) -> None:
    rivers = [iter(parse(seen.river)) for seen in view.seats]
    made = [0] * len(view.seats)
    t.discard_taken[:] = -1
    takers = _takers(view)
    for index, digit in enumerate(view.order):
        seat = int(digit)
        t.discard_seat[index], t.discard_tile[index] = seat, next(rivers[seat])
        if made[seat] in view.seats[seat].claimed:
            t.discard_taken[index] = takers[seat].pop(0)
        made[seat] += 1
    t.n_discards = len(view.order)
    for seat, count in enumerate(made):
        t.n_made[seat] = count


def _takers(view: wire.TableView) -> list[list[int]]:
    """Of each seat's river: who took its claimed tiles, in order, as far as melds tell.

    Melds of different claimers from one river carry no common order: it doesn't matter to anybody who holds
    which, only that they are gone.
    """
    takers: list[list[int]] = [[] for _ in view.seats]
    for seat, seen in enumerate(view.seats):
        for meld in seen.melds:
            if meld.from_ is not None:
                takers[meld.from_].append(seat)
    return takers


def _write_seat(t: Record, seat: int, seen: wire.SeatView) -> None:
    t.ga[seat] = -1 if seen.ga is None else seen.ga
    t.ga_floor[seat] = seen.floor
    t.is_ready[seat] = seen.ready
    t.followed[seat] = seen.owes_follow
    t.flowers[seat] = _flower_bits(seen.flowers)
    t.answer[seat] = t.let_off[seat] = -1
    for index, meld in enumerate(seen.melds):
        _write_meld(t, seat, index, meld)
    t.n_melds[seat] = len(seen.melds)
    if seen.hand is not None:
        _write_hand(t, seat, seen.hand)


def _flower_bits(text: str) -> int:
    return sum(1 << (code - FLOWER) for code in parse(text))


def _write_hand(t: Record, seat: int, text: str) -> None:
    for code in parse(text):
        if code < KINDS:
            t.hand[seat, code] += 1
        else:
            t.held_flowers[seat] |= 1 << (code - FLOWER)


def _write_meld(t: Record, seat: int, index: int, meld: wire.Meld) -> None:
    t.meld_kind[seat, index] = MeldKind[meld.kind.upper()]
    t.meld_tile[seat, index] = parse(meld.tiles)[0] if meld.tiles else HIDDEN_TILE
    t.meld_claimed[seat, index] = _code(meld.claimed)
    t.meld_from[seat, index] = _or_none(meld.from_)
    t.meld_back[seat, index] = meld.back


def _write_mine(t: Record, view: wire.TableView, mine: wire.Mine) -> None:
    seat = mine.seat
    if view.end is None:
        _write_hand(t, seat, mine.hand)
        t.held_flowers[seat] = _flower_bits(mine.flowers)
    if mine.ga is not None:
        t.ga[seat] = mine.ga
    if mine.passed is not None:
        t.let_off[seat], t.passed_v[seat] = _or_none(mine.passed.let_off), mine.passed.V
    t.last_tile = _code(mine.drawn)
    hidden = [meld for meld in range(t.n_melds[seat]) if t.meld_kind[seat, meld] == MeldKind.CONCEALED_KONG]
    for meld, tiles in zip(hidden, mine.kongs, strict=True):
        t.meld_tile[seat, meld] = parse(tiles)[0]
    if view.claim is not None and mine.offer is not None:
        t.ask[seat] = _asked(mine.legal)


def _asked(legal: list[str]) -> int:
    """What a seat was asked, as bits."""
    words = {text.split()[0] for text in legal}
    bits = 0
    for word, ask in (("win", Ask.WIN), ("pong", Ask.PONG), ("kong", Ask.KONG), ("chow", Ask.CHOW)):
        if word in words:
            bits |= ask
    return bits


def legal_actions(mine: wire.Mine, by_text: dict[str, Action]) -> list[Action]:
    """The offered actions of a message as actions."""
    return [by_text[text] for text in mine.legal]
