"""What messages say of a table, read from its views field by field in plain Python.

The engine writes these messages byte by byte (hainan/engine/message.py); this is another way to the same, by
which that is checked.
"""

from collections import Counter, namedtuple
from typing import Any, Final

import numpy as np

from hainan import wire
from hainan.engine.record import MELDS, NO_DRAW_AT, SEATS, Phase, Record
from hainan.engine.view import HIDDEN_TILE
from hainan.rules.options import Rules
from hainan.rules.terms import EventType, MeldKind, PayRule, Source
from hainan.rules.tiles import EAST, TEXT, text_of, text_of_counts
from hainan.table import (
    AS_IT_IS,
    SPECTATOR,
    Event,
    Known,
    Table,
    Wait,
    broken_at,
    flowers_text,
    hand_text,
    result_of,
    told_events,
)

_SEEN: Final = (
    *("phase", "turn", "dealer", "first_dealer", "streak", "round_wind", "hands_played", "rounds_played"),
    *("dice", "head", "tail", "wild", "indicator", "drawn", "last_source", "fresh_pong"),
    *("hand", "held_flowers", "flowers", "ga", "ga_floor", "is_ready", "followed"),
    *("n_melds", "meld_kind", "meld_tile", "meld_claimed", "meld_from", "meld_back"),
    *("n_discards", "discard_seat", "discard_tile", "discard_taken", "claim_tile", "claim_from"),
    *("lead_tile", "lead_seat", "lead_next", "followers", "n_events", "event"),
)
"""The fields that a table is shown by."""
Row: Any = namedtuple("Row", _SEEN)
"""They as plain Python."""


_PHASE: Final = [phase.name.lower() for phase in Phase]
_SOURCE: Final = [source.id for source in Source]
_MELD: Final = {kind.value: kind.id for kind in MeldKind}
_TILES_OF_MELD: Final = {
    MeldKind.CHOW.value: (0, 1, 2),
    MeldKind.PONG.value: (0, 0, 0),
    MeldKind.EXPOSED_KONG.value: (0, 0, 0, 0),
    MeldKind.ADDED_KONG.value: (0, 0, 0, 0),
    MeldKind.CONCEALED_KONG.value: (0, 0, 0, 0),
}
"""The tiles of a meld above its lowest."""
_CLAIMED: Final = (Phase.CLAIM.value, Phase.ROB.value)
_GA, _TURN, _OVER = Phase.GA.value, Phase.TURN.value, Phase.OVER.value
_NOBODY: Final = 255
"""-1 as a byte."""
_ZERO: Final = np.int8(ord("0"))
_NO_MELDS: Final[list[list[wire.Meld]]] = [[]] * SEATS


# ---------------------------------------------------------------- record to messages


def table_view(table: Table) -> tuple[wire.TableView, list[Event]]:
    """What everybody sees of a table, and what of the last action's events."""
    open_to_all = table.masked_array(SPECTATOR)
    row = Row._make(open_to_all[list(_SEEN)].tolist()[0])
    end = result_of(open_to_all[0]) if row.phase == _OVER else None
    events = told_events(row.event[: row.n_events].tolist())
    if end is not None:
        events.append({"type": EventType.PAY.id, "items": end["items"]})
    return _table_view(row, table, end), events


def _table_view(row: Any, table: Table, end: dict[str, Any] | None) -> wire.TableView:
    in_turn = row.phase == _TURN
    makers = row.discard_seat[: row.n_discards]
    one, other = row.dice.tolist()
    return wire.TableView(
        phase=_PHASE[row.phase],
        dealer=row.dealer,
        first_dealer=row.first_dealer,
        streak=row.streak,
        round_wind=TEXT[EAST + row.round_wind],
        hands_played=row.hands_played,
        rounds_played=row.rounds_played,
        dice=(one, other),
        wall_break=broken_at(row.dealer, one + other, table.players),
        remaining=row.tail - row.head,
        seats=_seat_views(row, table.players),
        turn=row.turn if in_turn else None,
        claim=_claim(row) if row.phase in _CLAIMED else None,
        wild=_text(row.wild),
        indicator=_text(row.indicator),
        drawn_from=_SOURCE[row.last_source] if in_turn and row.drawn else None,
        order=(makers + _ZERO).tobytes().decode(),
        fresh_pong=_text(row.fresh_pong) if in_turn else None,
        follow=_follow(row) if table.rules.follow else None,
        warnings=_warnings(row, table.rules, table.players) if end is None else [],
        end=end,
    )


def _text(kind: int) -> str | None:
    return TEXT[kind] if kind >= 0 else None


def _seat(seat: int) -> int | None:
    return seat if seat >= 0 else None


def _claim(row: Any) -> wire.Claim:
    return wire.Claim(tile=TEXT[row.claim_tile], from_=row.claim_from, rob=row.phase == Phase.ROB.value)


def _follow(row: Any) -> wire.Follow:
    leads = row.lead_seat >= 0
    return wire.Follow(
        lead=_seat(row.lead_seat),
        tile=_text(row.lead_tile) if leads else None,
        followers=row.followers if leads else 0,
        next_leads=_seat(row.lead_next),
    )


def _rivers(seats: bytes, kinds: bytes, takers: bytes) -> list[tuple[str, list[int]]]:
    """Of each seat: its river as text, and which of its tiles were claimed."""
    tiles: list[list[int]] = [[] for _ in range(SEATS)]
    claimed: list[list[int]] = [[] for _ in range(SEATS)]
    for seat, kind, taker in zip(seats, kinds, takers, strict=True):
        if taker != _NOBODY:
            claimed[seat].append(len(tiles[seat]))
        tiles[seat].append(kind)
    return [(text_of(river), taken) for river, taken in zip(tiles, claimed, strict=True)]


def _melds(n: tuple[int, ...], fields: bytes) -> list[list[wire.Meld]]:
    """The melds of each seat; ``fields`` are kinds, tiles, claimed tiles, feeders and backs of all."""
    columns = np.frombuffer(fields, np.int8).reshape(5, SEATS, MELDS).tolist()
    return [
        [_meld(*(column[seat][meld] for column in columns)) for meld in range(n[seat])]
        for seat in range(SEATS)
    ]


def _bonds(n: tuple[int, ...], kinds: bytes, feeders: bytes, most: int) -> list[wire.Caution]:
    """Between whom two melds or more were claimed (R8.7, R8.8); ``most`` is what this sheet counts up to."""
    kind = np.frombuffer(kinds, np.int8).reshape(SEATS, MELDS).tolist()
    feeder = np.frombuffer(feeders, np.int8).reshape(SEATS, MELDS).tolist()
    claimed = Counter(
        (feeder[seat][meld], seat)
        for seat in range(SEATS)
        for meld in range(n[seat])
        if kind[seat][meld] != MeldKind.CONCEALED_KONG
    )
    return [
        wire.Caution(kind=name, clause=clause, from_=other, to=seat)
        for (other, seat), melds in sorted(claimed.items())
        if melds >= 2
        for name, clause in (_BONDS[min(melds, most)],)
    ]


def _warnings(row: Any, rules: Rules, players: int) -> list[wire.Caution]:
    """What may make a player pay for all, as far as everybody sees it coming (R8.5, R8.7 to R8.9)."""
    if row.phase == _GA:
        return []
    found: list[wire.Caution] = []
    n = tuple(row.n_melds.tolist())
    if rules.meld_liability and max(n) >= 2:
        most = 4 if rules.four_melds else 3
        found += _bonds(n, row.meld_kind.tobytes(), row.meld_from.tobytes(), most)
    last = NO_DRAW_AT - 1 + players + rules.last_tiles_by_count
    if rules.last_tiles_liability and row.tail - row.head <= last:
        found.append(_LAST_TILES)
    if rules.discarder_pays_all:
        found.append(_BLOCKING)
    return found


_BONDS: Final = {
    2: ("two_melds", PayRule.THREE_MELDS.clause),
    3: ("three_melds", PayRule.THREE_MELDS.clause),
    4: ("four_melds", PayRule.FOUR_MELDS.clause),
}
_LAST_TILES: Final = wire.Caution(kind="last_tiles", clause=PayRule.LAST_TILES.clause)
_BLOCKING: Final = wire.Caution(kind="blocking", clause=PayRule.PAYS_ALL.clause)


def _meld(kind: int, low: int, claimed: int, feeder: int, back: int) -> wire.Meld:
    return wire.Meld(
        kind=_MELD[kind],
        tiles="" if low == HIDDEN_TILE else text_of([low + step for step in _TILES_OF_MELD[kind]]),
        from_=_seat(feeder),
        claimed=_text(claimed),
        back=back != 0,
    )


def _hand(counts: bytes) -> str:
    return text_of_counts(counts)


def _meld_bytes(row: Any) -> bytes:
    fields = (row.meld_kind, row.meld_tile, row.meld_claimed, row.meld_from, row.meld_back)
    return b"".join(field.tobytes() for field in fields)


def _seat_views(row: Any, players: int) -> list[wire.SeatView]:
    n = row.n_discards
    discards = (row.discard_seat, row.discard_tile, row.discard_taken)
    rivers = _rivers(*(field[:n].tobytes() for field in discards))
    n_melds, flowers = row.n_melds.tolist(), row.flowers.tolist()
    melds = _melds(tuple(n_melds), _meld_bytes(row)) if any(n_melds) else _NO_MELDS
    gas, floors = row.ga.tolist(), row.ga_floor.tolist()
    ready, followed = row.is_ready.tolist(), row.followed.tolist()
    over = row.phase == _OVER
    return [
        wire.SeatView(
            tiles=int(row.hand[seat].sum()) if over else _concealed(row, seat, n_melds[seat]),
            flowers=flowers_text(flowers[seat]) if flowers[seat] else "",
            melds=melds[seat],
            river=rivers[seat][0],
            claimed=rivers[seat][1],
            ga=gas[seat] if gas[seat] >= 0 else None,
            floor=floors[seat],
            ready=ready[seat] != 0,
            owes_follow=followed[seat] != 0,
            hand=hand_text(row, seat) if over else None,
        )
        for seat in range(players)
    ]


def _concealed(row: Any, seat: int, melds: int) -> int:
    """How many tiles a seat holds while the hand is on: everybody can count that."""
    if row.phase == _GA:
        return 0
    return 13 - 3 * melds + int(row.phase == _TURN and row.turn == seat)


def mine_view(
    table: Table,
    seat: int,
    offer: int | None,
    seconds: float | None = None,
    bank: float = 0.0,
    known: Known | None = None,
) -> wire.Mine:
    """What only a seat's owner sees; with the number of its offer where something is asked of it, and with
    hints where ``known`` (of ``table.hints()``) is given."""
    view = table.masked_array(seat)
    phase, turn, drawn, last = [view[name].item() for name in _TURN_FIELDS]
    held_flowers, n_melds, ga, let_off, passed, ask, answer = [view[name].item(seat) for name in _OWN]
    return wire.Mine(
        seat=seat,
        hand=_hand(view["hand"][0, seat].tobytes()),
        drawn=_text(last) if phase == _TURN and turn == seat and drawn else None,
        flowers=flowers_text(held_flowers) if held_flowers else "",
        kongs=_own_kongs(view, seat, n_melds) if n_melds else [],
        ga=ga if phase == _GA and ga >= 0 else None,
        passed=wire.Passed(let_off=_seat(let_off), V=passed) if let_off >= 0 or passed else None,
        answered=phase in _CLAIMED and ask != 0 and answer >= 0,
        offer=offer,
        legal=[action.text for action in table.legal()[seat]] if offer is not None else [],
        seconds=seconds,
        bank=bank,
        hints=None if known is None else hints_view(known),
    )


_TURN_FIELDS: Final = ("phase", "turn", "drawn", "last_tile")
_OWN: Final = ("held_flowers", "n_melds", "ga", "let_off", "passed_v", "ask", "answer")
"""What ``mine_view`` reads of its seat, beside the hand."""


def _own_kongs(view: Record, seat: int, n: int) -> list[str]:
    kinds = view["meld_kind"][0, seat, :n].tolist()
    if MeldKind.CONCEALED_KONG.value not in kinds:
        return []
    tiles = view["meld_tile"][0, seat, :n].tolist()
    return [
        text_of([tile] * 4)
        for kind, tile in zip(kinds, tiles, strict=True)
        if kind == MeldKind.CONCEALED_KONG.value
    ]


def hint(wait: Wait) -> wire.Hint:
    """A wait as a message."""
    return wire.Hint(
        tile=TEXT[wait.kind],
        unseen=wait.unseen,
        licensed=wait.licensed,
        licences=list(wait.licences),
        patterns=list(wait.patterns),
        T=wait.T,
        V=wait.V,
        V_self_draw=wait.V_self_draw,
    )


def hints_view(known: Known) -> wire.Hints:
    """What a seat may know about its hand, as a message."""
    waits = {kind: [hint(wait) for wait in found] for kind, found in known.waits.items()}
    return wire.Hints(
        licences=list(known.licences),
        waits=waits.pop(AS_IT_IS, []),
        discards={TEXT[kind]: found for kind, found in waits.items()},
    )
