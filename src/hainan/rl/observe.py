"""What a seat sees, written as an observation (layout.py).

The kernels read a table and write only what ``engine.view.hide`` would leave of it for that seat: on the
seat's view they write the same (a test holds the two against each other), and no record is copied.
"""

from typing import Any, Final

import numpy as np

from hainan.engine.jit import entry, kernel, whole
from hainan.engine.legal import may_act
from hainan.engine.record import Ask, Phase, Record
from hainan.engine.wall import remaining, wall_size
from hainan.rl.layout import BY_NAME, N_ACTIONS, OPTION_NAMES, SHEET_AT, SIZE, Bytes
from hainan.rules.terms import MeldKind
from hainan.table import Table

_AT: Final = {name: part.at for name, part in BY_NAME.items()}
HAND, DRAWN, CLAIM, FRESH_PONG = _AT["hand"], _AT["drawn"], _AT["claim"], _AT["fresh_pong"]
LEAD, WILD, INDICATOR, UNSEEN = _AT["lead"], _AT["wild"], _AT["indicator"], _AT["unseen"]
CHOWS, PONGS, KONGS = _AT["chows"], _AT["pongs"], _AT["kongs"]
DISCARDS, TAKEN, OPEN_HANDS = _AT["discards"], _AT["taken"], _AT["open_hands"]
PHASE, PLAYERS, DEALER, FIRST_DEALER = _AT["phase"], _AT["players"], _AT["dealer"], _AT["first_dealer"]
TURN, ROUND_WIND, STREAK, HANDS_PLAYED = _AT["turn"], _AT["round_wind"], _AT["streak"], _AT["hands_played"]
ROUNDS_PLAYED, DICE, REMAINING = _AT["rounds_played"], _AT["dice"], _AT["remaining"]
FROM_BACK, GA, GA_FLOOR, FLOWERS = _AT["from_back"], _AT["ga"], _AT["ga_floor"], _AT["flowers"]
MELDS, DRAWN_FROM, READY, CLAIM_FROM = _AT["melds"], _AT["drawn_from"], _AT["ready"], _AT["claim_from"]
ASKED, ANSWERED, LET_OFF, PASSED = _AT["asked"], _AT["answered"], _AT["let_off"], _AT["passed"]
LEAD_SEAT, LEAD_NEXT, FOLLOWERS = _AT["lead_seat"], _AT["lead_next"], _AT["followers"]
OWES_FOLLOW, ENDED, WAY, WIN_TILE = _AT["owes_follow"], _AT["ended"], _AT["way"], _AT["win_tile"]
WIN_FROM, WON, SCORING, WILD_MODE = _AT["win_from"], _AT["won"], _AT["scoring"], _AT["wild_mode"]
MATCH_HANDS, MATCH_ROUNDS, OPTIONS = _AT["match_hands"], _AT["match_rounds"], _AT["options"]
N_OPTIONS: Final = len(OPTION_NAMES)


@kernel
def tell_wide(out: Any, at: int, value: int) -> None:
    """A number that may need two bytes."""
    kept = min(value, 65535)
    out[at] = kept // 256
    out[at + 1] = kept % 256


@kernel
def tell_seat(t: Record, seat: int, other: int, out: Any, at: int) -> None:
    """One of the seats, counted from the one that looks; nothing for -1."""
    if other >= 0:
        out[at + (other - seat) % t.sheet.players] = 1


@kernel
def tell_kind(out: Any, at: int, kind: int) -> None:
    """One of the kinds; nothing for -1."""
    if kind >= 0:
        out[at + kind] = 1


# ---------------------------------------------------------------- the match and its sheet


@kernel
def tell_sheet(t: Record, row: Any, out: Any) -> None:
    """The option sheet; ``row`` are the record's bytes."""
    out[PLAYERS] = t.sheet.players
    out[SCORING] = t.sheet.scoring
    out[WILD_MODE] = t.sheet.wild_mode
    tell_wide(out, MATCH_HANDS, whole(t.sheet.hands))
    tell_wide(out, MATCH_ROUNDS, whole(t.sheet.rounds))
    for option in range(N_OPTIONS):
        out[OPTIONS + option] = row[SHEET_AT + option]


@kernel
def tell_match(t: Record, seat: int, out: Any) -> None:
    """Where the hand stands in its match, the wall, and the stakes."""
    tell_seat(t, seat, whole(t.dealer), out, DEALER)
    tell_seat(t, seat, whole(t.first_dealer), out, FIRST_DEALER)
    out[ROUND_WIND + t.round_wind] = 1
    tell_wide(out, STREAK, whole(t.streak))
    tell_wide(out, HANDS_PLAYED, whole(t.hands_played))
    tell_wide(out, ROUNDS_PLAYED, whole(t.rounds_played))
    out[DICE] = t.dice[0]
    out[DICE + 1] = t.dice[1]
    out[REMAINING] = remaining(t)
    out[FROM_BACK] = wall_size(t) - t.tail
    players = whole(t.sheet.players)
    for place in range(players):
        other = (seat + place) % players
        if place == 0 or t.phase != Phase.GA:
            out[GA + place] = t.ga[other] + 1
        out[GA_FLOOR + place] = t.ga_floor[other]
    tell_kind(out, WILD, whole(t.wild))
    tell_kind(out, INDICATOR, whole(t.indicator))


# ---------------------------------------------------------------- what lies there, and one's hand


@kernel
def tell_hand(t: Record, seat: int, out: Any) -> None:
    """One's own hand, and what of each kind is left to see."""
    for kind in range(34):
        copies = whole(t.hand[seat, kind])
        out[UNSEEN + kind] = 4 - copies
        for copy in range(copies):
            out[HAND + 34 * copy + kind] = 1
    if t.indicator >= 0:
        out[UNSEEN + t.indicator] -= 1


@kernel
def tell_open_hand(t: Record, other: int, place: int, out: Any) -> None:
    """Another's hand, when all lie open."""
    for kind in range(34):
        out[OPEN_HANDS + 34 * (place - 1) + kind] = t.hand[other, kind]


@kernel
def tell_flowers(t: Record, other: int, place: int, open_to_me: bool, out: Any) -> None:
    """Flowers laid out, and those that one knows to be held (R2.2)."""
    laid = whole(t.flowers[other])
    held = whole(t.held_flowers[other]) if open_to_me else 0
    for flower in range(8):
        out[FLOWERS + 8 * place + flower] = (laid >> flower & 1) + 2 * (held >> flower & 1)


@kernel
def tell_meld(t: Record, seat: int, other: int, meld: int, at: int, known: bool, out: Any) -> None:
    """A meld in its place among its owner's."""
    out[at] = t.meld_kind[other, meld]
    if known:
        out[at + 1] = t.meld_tile[other, meld] + 1
    out[at + 2] = t.meld_claimed[other, meld] + 1
    feeder = whole(t.meld_from[other, meld])
    if feeder >= 0:
        out[at + 3] = (feeder - seat) % t.sheet.players + 1
    out[at + 4] = t.meld_back[other, meld]


@kernel
def see_meld(kind: int, low: int, place: int, out: Any) -> None:
    """A meld on the planes: its tiles are seen."""
    if kind == MeldKind.CHOW:
        out[CHOWS + 34 * place + low] += 1
        for tile in range(low, low + 3):
            out[UNSEEN + tile] -= 1
    elif kind == MeldKind.PONG:
        out[PONGS + 34 * place + low] = 1
        out[UNSEEN + low] -= 3
    else:
        out[KONGS + 34 * place + low] = kind - 2
        out[UNSEEN + low] -= 4


@kernel
def tell_melds(t: Record, seat: int, other: int, place: int, open_to_me: bool, out: Any) -> None:
    """All melds of a seat (R3.9: a concealed kong of another isn't known)."""
    for meld in range(whole(t.n_melds[other])):
        kind = whole(t.meld_kind[other, meld])
        known = open_to_me or kind != MeldKind.CONCEALED_KONG or t.sheet.show_concealed_kongs != 0
        tell_meld(t, seat, other, meld, MELDS + 20 * place + 5 * meld, known, out)
        if known:
            see_meld(kind, whole(t.meld_tile[other, meld]), place, out)


@kernel
def tell_seats(t: Record, seat: int, out: Any) -> None:
    """What lies before each player."""
    players = whole(t.sheet.players)
    over = t.phase == Phase.OVER
    for place in range(players):
        other = (seat + place) % players
        tell_flowers(t, other, place, place == 0 or over, out)
        tell_melds(t, seat, other, place, place == 0 or over, out)
        out[READY + place] = t.is_ready[other]
        out[OWES_FOLLOW + place] = t.followed[other]
        out[WON + place] = t.won[other]
        if over and place > 0:
            tell_open_hand(t, other, place, out)


@kernel
def tell_discards(t: Record, seat: int, out: Any) -> None:
    """All rivers: of each seat and kind the copies in order, when they were discarded and who took them."""
    players = whole(t.sheet.players)
    for index in range(whole(t.n_discards)):
        kind = whole(t.discard_tile[index])
        at = 136 * ((whole(t.discard_seat[index]) - seat) % players) + kind
        while out[DISCARDS + at] != 0:
            at += 34
        out[DISCARDS + at] = index + 1
        taker = whole(t.discard_taken[index])
        if taker >= 0:
            out[TAKEN + at] = (taker - seat) % players + 1
        else:
            out[UNSEEN + kind] -= 1


# ---------------------------------------------------------------- the decision


@kernel
def tell_turn(t: Record, seat: int, out: Any) -> None:
    """Whose turn it is, and the tile drawn in it: its kind only to its owner."""
    tell_seat(t, seat, whole(t.turn), out, TURN)
    tell_kind(out, FRESH_PONG, whole(t.fresh_pong))
    if t.drawn != 0:
        out[DRAWN_FROM + t.last_source] = 1
        if t.turn == seat:
            out[DRAWN + t.last_tile] = 1


@kernel
def tell_claim(t: Record, seat: int, out: Any) -> None:
    """The tile that lies there, and what one may do with it or has answered."""
    tell_kind(out, CLAIM, whole(t.claim_tile))
    tell_seat(t, seat, whole(t.claim_from), out, CLAIM_FROM)
    asked = whole(t.ask[seat])
    for bit in range(4):
        out[ASKED + bit] = asked >> bit & 1
    out[ANSWERED] = t.answer[seat] + 1
    if t.phase == Phase.ROB and t.claim_from != seat:
        out[UNSEEN + t.claim_tile] -= 1


@kernel
def tell_follow(t: Record, seat: int, out: Any) -> None:
    """R8.19."""
    if t.lead_seat >= 0:
        tell_seat(t, seat, whole(t.lead_seat), out, LEAD_SEAT)
        tell_kind(out, LEAD, whole(t.lead_tile))
        out[FOLLOWERS] = t.followers
    tell_seat(t, seat, whole(t.lead_next), out, LEAD_NEXT)


@kernel
def tell_end(t: Record, seat: int, out: Any) -> None:
    """How the hand ended; what it paid is the reward."""
    out[ENDED + t.by] = 1
    out[WAY] = t.way
    out[WIN_TILE] = t.win_tile + 1
    tell_seat(t, seat, whole(t.win_from), out, WIN_FROM)


@kernel
def observe(t: Record, row: Any, seat: int, out: Any) -> None:
    """Write a seat's observation; ``row`` are the record's bytes."""
    out[:] = 0
    out[PHASE + t.phase] = 1
    tell_sheet(t, row, out)
    tell_match(t, seat, out)
    tell_hand(t, seat, out)
    tell_seats(t, seat, out)
    tell_discards(t, seat, out)
    tell_follow(t, seat, out)
    tell_seat(t, seat, whole(t.let_off[seat]), out, LET_OFF)
    tell_wide(out, PASSED, whole(t.passed_v[seat]))
    if t.phase == Phase.TURN:
        tell_turn(t, seat, out)
    elif t.phase == Phase.CLAIM or t.phase == Phase.ROB:
        tell_claim(t, seat, out)
    elif t.phase == Phase.OVER:
        tell_end(t, seat, out)


# ---------------------------------------------------------------- who is asked


@kernel
def first_asked(t: Record, bits: int) -> int:
    """The nearest after the discarder who can do one of these things and hasn't answered; -1 nobody."""
    players = whole(t.sheet.players)
    for step in range(1, players):
        seat = whole((t.claim_from + step) % players)
        if whole(t.ask[seat]) & bits != 0 and t.answer[seat] < 0:
            return seat
    return -1


@kernel
def next_seat(t: Record) -> int:
    """The seat to be asked next, -1 when the hand is over.

    Answers to a tile may come in any order (R3.4). Asked one by one they come in the order in which they
    matter, who can win first: so nobody is asked what can't matter any more.
    """
    if t.phase == Phase.TURN:
        return whole(t.turn)
    if t.phase == Phase.OVER:
        return -1
    if t.phase == Phase.GA:
        seat = whole(t.dealer)
        while not may_act(t, seat):
            seat = (seat + 1) % t.sheet.players
        return whole(seat)
    seat = first_asked(t, Ask.WIN.value)
    if seat < 0:
        seat = first_asked(t, Ask.PONG.value | Ask.KONG.value)
    return seat if seat >= 0 else first_asked(t, Ask.CHOW.value)


# ---------------------------------------------------------------- from Python


@entry
def observe_seat(tables: Record, rows: Any, index: int, seat: int, out: Any) -> None:
    """One seat's observation of one table or of its view."""
    observe(tables[index], rows[index], seat, out)


@entry
def asked_next(tables: Record, index: int) -> int:
    """``next_seat`` of one table."""
    return next_seat(tables[index])


def bytes_of(tables: Record) -> Bytes:
    """The records' bytes [n, bytes of one]: the same memory."""
    raw: Bytes = tables.view(np.uint8).reshape(len(tables), -1)
    return raw


def observation(table: Table, seat: int) -> Bytes:
    """What a seat of a table sees [SIZE]; made from its view (``Table.masked_array``)."""
    out = np.zeros(SIZE, np.uint8)
    views = table.masked_array(seat)
    observe_seat(views, bytes_of(views), 0, seat, out)
    return out


def mask(table: Table, seat: int) -> Bytes:
    """A seat's legal actions as zeros and ones [N_ACTIONS]; all zeros where nothing is asked of it."""
    out = np.zeros(N_ACTIONS, np.uint8)
    out[table.legal_numbers(seat)] = 1
    return out
