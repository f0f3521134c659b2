"""What is seen of a table, written as the JSON of its messages (docs/protocol.md).

A server does this for every seat after every decision; by way of Python objects it would cost more than all
the rest of a decision. Only views are written, of which everything hidden has been wiped out (view.py).

Each field is put with a comma before it, and the first comma of an object or a list becomes its bracket
(``close``). What has its usual value is left out, as wire.py has it.
"""

from collections.abc import Iterable
from typing import Any, Final

import numpy as np

from hainan.engine.hints import HINT_COLUMNS
from hainan.engine.jit import kernel, whole
from hainan.engine.ledger import claimed_from, in_last_tiles
from hainan.engine.legal import MAX_LEGAL
from hainan.engine.record import Phase, Record
from hainan.engine.view import HIDDEN_TILE
from hainan.engine.wall import broken_before, remaining
from hainan.rules.actions import ACTIONS
from hainan.rules.terms import Licence, MeldKind, Pattern, PayRule, Source
from hainan.rules.tiles import EAST, FLOWER, KINDS, SUIT_LETTERS, TILE_CODES

# ---------------------------------------------------------------- words

_words: list[str] = []


def _word(text: str) -> int:
    """A text by which kernels can write it: a number."""
    _words.append(text)
    return len(_words) - 1


def _key(name: str) -> int:
    return _word(f',"{name}":')


def _in_a_row(texts: Iterable[str]) -> int:
    """Words with numbers in a row: the first."""
    first = len(_words)
    _words.extend(texts)
    return first


def _listed(names: Iterable[str]) -> int:
    return _in_a_row(f',"{name}"' for name in names)


_PHASE: Final = _in_a_row(f',"phase":"{phase.name.lower()}"' for phase in Phase)
_MELD: Final = _in_a_row(f',"kind":"{kind.id}"' for kind in MeldKind) - MeldKind.CHOW.value
_SOURCE: Final = _in_a_row(f',"drawn_from":"{source.id}"' for source in Source)
_ACTION: Final = _listed(action.text for action in ACTIONS)
_LICENCE: Final = _listed(licence.id for licence in Licence)
_PATTERN: Final = _listed(pattern.id for pattern in Pattern)
_TRUE, _FALSE = _word("true"), _word("false")
_DEALER, _FIRST_DEALER, _STREAK = _key("dealer"), _key("first_dealer"), _key("streak")
_ROUND_WIND, _HANDS_PLAYED, _ROUNDS_PLAYED = _key("round_wind"), _key("hands_played"), _key("rounds_played")
_DICE, _WALL_BREAK, _REMAINING, _SEATS = _key("dice"), _key("wall_break"), _key("remaining"), _key("seats")
_TURN, _CLAIM, _WILD, _INDICATOR = _key("turn"), _key("claim"), _key("wild"), _key("indicator")
_ORDER, _FRESH_PONG, _FOLLOW, _WARNINGS = _key("order"), _key("fresh_pong"), _key("follow"), _key("warnings")
_TILE, _FROM, _TO, _ROB = _key("tile"), _key("from"), _key("to"), _word(',"rob":true')
_LEAD, _FOLLOWERS, _NEXT_LEADS = _key("lead"), _key("followers"), _key("next_leads")
_TILES, _FLOWERS, _MELDS, _RIVER = _key("tiles"), _key("flowers"), _key("melds"), _key("river")
_CLAIMED, _GA, _FLOOR, _HAND = _key("claimed"), _key("ga"), _key("floor"), _key("hand")
_READY, _OWES_FOLLOW = _word(',"ready":true'), _word(',"owes_follow":true')
_BACK, _SEAT, _DRAWN, _KONGS = _word(',"back":true'), _key("seat"), _key("drawn"), _key("kongs")
_PASSED, _LET_OFF, _V, _ANSWERED = _key("passed"), _key("let_off"), _key("V"), _word(',"answered":true')
_OFFER, _LEGAL, _SECONDS, _BANK, _HINTS = map(_key, ("offer", "legal", "seconds", "bank", "hints"))
_UNSEEN, _LICENSED, _LICENCES, _PATTERNS = map(_key, ("unseen", "licensed", "licences", "patterns"))
_T, _V_SELF_DRAW, _WAITS, _DISCARDS = _key("T"), _key("V_self_draw"), _key("waits"), _key("discards")


_CAUTIONS: Final = (
    ("two_melds", PayRule.THREE_MELDS),
    ("three_melds", PayRule.THREE_MELDS),
    ("four_melds", PayRule.FOUR_MELDS),
    ("last_tiles", PayRule.LAST_TILES),
    ("blocking", PayRule.PAYS_ALL),
)
_CAUTION: Final = _in_a_row(f',"kind":"{kind}","clause":"{rule.clause}"' for kind, rule in _CAUTIONS)
_BOND: Final = _CAUTION - 2
"""By the number of melds."""
_LAST_TILES, _BLOCKING = _CAUTION + 3, _CAUTION + 4

_LETTERS: Final = np.frombuffer("".join(_words).encode(), np.uint8)
_STARTS: Final = np.cumsum([0, *map(len, _words)])
_SUIT: Final = np.frombuffer(SUIT_LETTERS.encode(), np.uint8)

_COMMA, _QUOTE, _MINUS, _POINT, _COLON, _ZERO = (ord(letter) for letter in ',"-.:0')
OPEN, SHUT, _FROM_LIST, _TO_LIST = (ord(letter) for letter in "{}[]")
_N_LICENCES: Final = len(Licence)
_N_PATTERNS: Final = len(Pattern)

TABLE_BYTES: Final = 8192
"""What the public part has room in: 102 discards are told twice, 16 melds take 90 bytes each."""
MINE_BYTES: Final = 1024 + MAX_LEGAL * (max(len(action.text) for action in ACTIONS) + 3)
"""What a seat's part has room in, without hints; nothing checks it while it is written."""
HINT_BYTES: Final = 160 + sum(len(term.id) + 3 for terms in (Licence, Pattern) for term in terms)
"""What a hint has room in."""


# ---------------------------------------------------------------- pieces


@kernel
def put(out: Any, n: int, word: int) -> int:
    """Write a word at ``n``; like all that follows it returns the place after it."""
    for index in range(_STARTS[word], _STARTS[word + 1]):
        out[n] = _LETTERS[index]
        n += 1
    return n


@kernel
def close(out: Any, begin: int, n: int, left: int, right: int) -> int:
    """Bracket what was put from ``begin`` on, in place of its first comma."""
    if n == begin:
        n += 1
    out[begin] = left
    out[n] = right
    return n + 1


@kernel
def put_number(out: Any, n: int, value: int) -> int:
    """A whole number."""
    if value < 0:
        out[n] = _MINUS
        n += 1
        value = -value
    unit = 1
    while value // unit >= 10:
        unit *= 10
    while unit > 0:
        out[n] = _ZERO + value // unit % 10
        n += 1
        unit //= 10
    return n


@kernel
def put_count(out: Any, n: int, key: int, value: int) -> int:
    """A number with its key."""
    return put_number(out, put(out, n, key), value)


@kernel
def put_if(out: Any, n: int, key: int, value: int, least: int) -> int:
    """The same, where it is at least so much."""
    return put_count(out, n, key, value) if value >= least else n


@kernel
def put_pair(out: Any, n: int, key: int, one: int, other: int) -> int:
    """Two numbers."""
    n = put(out, n, key)
    out[n] = _FROM_LIST
    n = put_number(out, n + 1, one)
    out[n] = _COMMA
    n = put_number(out, n + 1, other)
    out[n] = _TO_LIST
    return n + 1


@kernel
def put_tenths(out: Any, n: int, key: int, tenths: int) -> int:
    """Tenths of seconds as seconds."""
    n = put_count(out, n, key, tenths // 10)
    out[n] = _POINT
    out[n + 1] = _ZERO + tenths % 10
    return n + 2


@kernel
def put_code(out: Any, n: int, code: int) -> int:
    """A tile in a text of tiles: neighbours of one suit share the letter."""
    suit, first = code // 9, code // 9 * 9
    if code >= FLOWER:
        suit, first = 4, FLOWER
    if out[n - 1] == _SUIT[suit]:
        n -= 1
    out[n] = _ZERO + code - first + 1
    out[n + 1] = _SUIT[suit]
    return n + 2


@kernel
def open_text(out: Any, n: int, key: int) -> int:
    """A key, and the quote before its text."""
    n = put(out, n, key)
    out[n] = _QUOTE
    return n + 1


@kernel
def shut_text(out: Any, n: int) -> int:
    """The quote after a text."""
    out[n] = _QUOTE
    return n + 1


@kernel
def put_tile(out: Any, n: int, key: int, code: int) -> int:
    """A tile with its key, where there is one."""
    if code < 0:
        return n
    return shut_text(out, put_code(out, open_text(out, n, key), code))


@kernel
def put_flowers(out: Any, n: int, bits: int) -> int:
    """Flowers within a text of tiles."""
    for index in range(TILE_CODES - FLOWER):
        if bits >> index & 1:
            n = put_code(out, n, FLOWER + index)
    return n


@kernel
def put_hand(out: Any, n: int, view: Record, seat: int) -> int:
    """A hand's kinds within a text of tiles."""
    for kind in range(KINDS):
        for _ in range(whole(view.hand[seat, kind])):
            n = put_code(out, n, kind)
    return n


@kernel
def put_members(out: Any, n: int, first: int, count: int, bits: int) -> int:
    """Names of terms whose bits are set, as a list."""
    begin = n
    for index in range(count):
        if bits >> index & 1:
            n = put(out, n, first + index)
    return close(out, begin, n, _FROM_LIST, _TO_LIST)


# ---------------------------------------------------------------- what everybody sees


@kernel
def put_meld(out: Any, n: int, view: Record, seat: int, meld: int) -> int:
    """A meld of a list."""
    out[n] = _COMMA
    begin = n + 1
    kind, low = whole(view.meld_kind[seat, meld]), whole(view.meld_tile[seat, meld])
    n = put(out, begin, _MELD + kind)
    if low != HIDDEN_TILE:
        n = open_text(out, n, _TILES)
        for place in range(3 if kind <= MeldKind.PONG else 4):
            n = put_code(out, n, low + place if kind == MeldKind.CHOW else low)
        n = shut_text(out, n)
    n = put_if(out, n, _FROM, whole(view.meld_from[seat, meld]), 0)
    n = put_tile(out, n, _CLAIMED, whole(view.meld_claimed[seat, meld]))
    if view.meld_back[seat, meld] != 0:
        n = put(out, n, _BACK)
    return close(out, begin, n, OPEN, SHUT)


@kernel
def put_melds(out: Any, n: int, view: Record, seat: int) -> int:
    """A seat's melds."""
    if view.n_melds[seat] == 0:
        return n
    n = put(out, n, _MELDS)
    begin = n
    for meld in range(whole(view.n_melds[seat])):
        n = put_meld(out, n, view, seat, meld)
    return close(out, begin, n, _FROM_LIST, _TO_LIST)


@kernel
def put_river(out: Any, n: int, view: Record, seat: int) -> int:
    """A seat's discards, and which of them were claimed."""
    before = n
    first = n = open_text(out, n, _RIVER)
    for index in range(whole(view.n_discards)):
        if view.discard_seat[index] == seat:
            n = put_code(out, n, whole(view.discard_tile[index]))
    if n == first:
        return before
    before = n = shut_text(out, n)
    begin = n = put(out, n, _CLAIMED)
    place = 0
    for index in range(whole(view.n_discards)):
        if view.discard_seat[index] == seat:
            if view.discard_taken[index] >= 0:
                out[n] = _COMMA
                n = put_number(out, n + 1, place)
            place += 1
    return before if n == begin else close(out, begin, n, _FROM_LIST, _TO_LIST)


@kernel
def tiles_held(view: Record, seat: int) -> int:
    """How many concealed tiles a seat holds; while the hand is on everybody can count that."""
    if view.phase == Phase.GA:
        return 0
    if view.phase == Phase.OVER:
        return whole(view.hand[seat].sum())
    return 13 - 3 * whole(view.n_melds[seat]) + whole(view.phase == Phase.TURN and view.turn == seat)


@kernel
def put_seat(out: Any, n: int, view: Record, seat: int) -> int:
    """A seat of the list."""
    out[n] = _COMMA
    begin = n + 1
    n = put_count(out, begin, _TILES, tiles_held(view, seat))
    if view.flowers[seat] != 0:
        n = shut_text(out, put_flowers(out, open_text(out, n, _FLOWERS), whole(view.flowers[seat])))
    n = put_river(out, put_melds(out, n, view, seat), view, seat)
    n = put_if(out, n, _GA, whole(view.ga[seat]), 0)
    n = put_if(out, n, _FLOOR, whole(view.ga_floor[seat]), 1)
    if view.is_ready[seat] != 0:
        n = put(out, n, _READY)
    if view.followed[seat] != 0:
        n = put(out, n, _OWES_FOLLOW)
    if view.phase == Phase.OVER:
        n = put_hand(out, open_text(out, n, _HAND), view, seat)
        n = shut_text(out, put_flowers(out, n, whole(view.held_flowers[seat])))
    return close(out, begin, n, OPEN, SHUT)


@kernel
def put_claim(out: Any, n: int, view: Record) -> int:
    """The tile that lies there."""
    begin = put(out, n, _CLAIM)
    n = put_tile(out, begin, _TILE, whole(view.claim_tile))
    n = put_count(out, n, _FROM, whole(view.claim_from))
    if view.phase == Phase.ROB:
        n = put(out, n, _ROB)
    return close(out, begin, n, OPEN, SHUT)


@kernel
def put_follow(out: Any, n: int, view: Record) -> int:
    """跟牌 under way (R8.19)."""
    begin = n = put(out, n, _FOLLOW)
    if view.lead_seat >= 0:
        n = put_count(out, n, _LEAD, whole(view.lead_seat))
        n = put_tile(out, n, _TILE, whole(view.lead_tile))
        n = put_if(out, n, _FOLLOWERS, whole(view.followers), 1)
    n = put_if(out, n, _NEXT_LEADS, whole(view.lead_next), 0)
    return close(out, begin, n, OPEN, SHUT)


@kernel
def put_caution(out: Any, n: int, word: int, feeder: int, seat: int) -> int:
    """A warning of the list."""
    out[n] = _COMMA
    begin = n + 1
    n = put(out, begin, word)
    n = put_if(out, n, _FROM, feeder, 0)
    n = put_if(out, n, _TO, seat, 0)
    return close(out, begin, n, OPEN, SHUT)


@kernel
def put_warnings(out: Any, n: int, view: Record) -> int:
    """What may make a player pay for all, as far as everybody sees it coming (R8.5, R8.7 to R8.9)."""
    if view.phase == Phase.GA or view.phase == Phase.OVER:
        return n
    sheet, before = view.sheet, n
    begin = n = put(out, n, _WARNINGS)
    if sheet.meld_liability:
        most = 4 if sheet.four_melds else 3
        for feeder in range(whole(sheet.players)):
            for seat in range(whole(sheet.players)):
                melds = min(claimed_from(view, seat, feeder), most)
                if melds >= 2:
                    n = put_caution(out, n, _BOND + melds, feeder, seat)
    if in_last_tiles(view):
        n = put_caution(out, n, _LAST_TILES, -1, -1)
    if sheet.discarder_pays_all:
        n = put_caution(out, n, _BLOCKING, -1, -1)
    return before if n == begin else close(out, begin, n, _FROM_LIST, _TO_LIST)


@kernel
def put_place(out: Any, n: int, view: Record) -> int:
    """The hand's place in the match, and its wall."""
    one, other = whole(view.dice[0]), whole(view.dice[1])
    n = put_count(out, n, _DEALER, whole(view.dealer))
    n = put_count(out, n, _FIRST_DEALER, whole(view.first_dealer))
    n = put_count(out, n, _STREAK, whole(view.streak))
    n = put_tile(out, n, _ROUND_WIND, EAST + whole(view.round_wind))
    n = put_count(out, n, _HANDS_PLAYED, whole(view.hands_played))
    n = put_count(out, n, _ROUNDS_PLAYED, whole(view.rounds_played))
    n = put_pair(out, n, _DICE, one, other)
    before_whom = broken_before(whole(view.sheet.players), whole(view.dealer), one + other)
    n = put_pair(out, n, _WALL_BREAK, before_whom, one + other)
    return put_count(out, n, _REMAINING, remaining(view))


@kernel
def put_turn(out: Any, n: int, view: Record) -> int:
    """What belongs to the present turn, and what was turned over."""
    if view.phase == Phase.TURN:
        n = put_count(out, n, _TURN, whole(view.turn))
    elif view.phase == Phase.CLAIM or view.phase == Phase.ROB:
        n = put_claim(out, n, view)
    n = put_tile(out, n, _WILD, whole(view.wild))
    n = put_tile(out, n, _INDICATOR, whole(view.indicator))
    if view.phase == Phase.TURN and view.drawn:
        n = put(out, n, _SOURCE + whole(view.last_source))
    if view.n_discards > 0:
        n = open_text(out, n, _ORDER)
        for index in range(whole(view.n_discards)):
            out[n] = _ZERO + view.discard_seat[index]
            n += 1
        n = shut_text(out, n)
    if view.phase == Phase.TURN:
        n = put_tile(out, n, _FRESH_PONG, whole(view.fresh_pong))
    return n


@kernel
def put_table(out: Any, view: Record) -> int:
    """The table as everybody sees it, but for the bill."""
    n = put(out, 0, _PHASE + whole(view.phase))
    n = put_place(out, n, view)
    begin = n = put(out, n, _SEATS)
    for seat in range(whole(view.sheet.players)):
        n = put_seat(out, n, view, seat)
    n = put_turn(out, close(out, begin, n, _FROM_LIST, _TO_LIST), view)
    if view.sheet.follow:
        n = put_follow(out, n, view)
    return close(out, 0, put_warnings(out, n, view), OPEN, SHUT)


# ---------------------------------------------------------------- what only a seat's owner sees


@kernel
def put_kongs(out: Any, n: int, view: Record, seat: int) -> int:
    """A seat's own concealed kongs."""
    before = n
    begin = n = put(out, n, _KONGS)
    for meld in range(whole(view.n_melds[seat])):
        if view.meld_kind[seat, meld] == MeldKind.CONCEALED_KONG:
            out[n], out[n + 1] = _COMMA, _QUOTE
            n += 2
            for _ in range(4):
                n = put_code(out, n, whole(view.meld_tile[seat, meld]))
            n = shut_text(out, n)
    return before if n == begin else close(out, begin, n, _FROM_LIST, _TO_LIST)


@kernel
def put_passed(out: Any, n: int, view: Record, seat: int) -> int:
    """Wins that were passed up (R9.1, R9.2)."""
    if view.let_off[seat] < 0 and view.passed_v[seat] == 0:
        return n
    begin = n = put(out, n, _PASSED)
    n = put_if(out, n, _LET_OFF, whole(view.let_off[seat]), 0)
    n = put_if(out, n, _V, whole(view.passed_v[seat]), 1)
    return close(out, begin, n, OPEN, SHUT)


@kernel
def put_asked(out: Any, n: int, asked: Any, legal: Any, count: int) -> int:
    """What is asked of a seat, and the time it has."""
    if asked[0] >= 0:
        n = put_count(out, n, _OFFER, whole(asked[0]))
        begin = n = put(out, n, _LEGAL)
        for index in range(count):
            n = put(out, n, _ACTION + whole(legal[index]))
        n = close(out, begin, n, _FROM_LIST, _TO_LIST)
    if asked[1] >= 0:
        n = put_tenths(out, n, _SECONDS, whole(asked[1]))
    return put_tenths(out, n, _BANK, whole(asked[2]))


@kernel
def put_hint(out: Any, n: int, row: Any) -> int:
    """A hint of a list."""
    out[n] = _COMMA
    begin = n + 1
    n = put_tile(out, begin, _TILE, whole(row[0]))
    n = put_count(out, n, _UNSEEN, whole(row[1]))
    n = put(out, put(out, n, _LICENSED), _TRUE if row[2] else _FALSE)
    n = put_members(out, put(out, n, _LICENCES), _LICENCE, _N_LICENCES, whole(row[3]))
    n = put_members(out, put(out, n, _PATTERNS), _PATTERN, _N_PATTERNS, whole(row[4]))
    n = put_count(out, n, _T, whole(row[5]))
    n = put_count(out, n, _V, whole(row[6]))
    n = put_count(out, n, _V_SELF_DRAW, whole(row[7]))
    return close(out, begin, n, OPEN, SHUT)


@kernel
def put_discards(out: Any, n: int, rows: Any, first: int, last: int) -> int:
    """Hints by the discard after which they hold."""
    opening = begin = n = put(out, n, _DISCARDS)
    for index in range(first, last):
        if index == first or rows[index, HINT_COLUMNS - 1] != rows[index - 1, HINT_COLUMNS - 1]:
            if index > first:
                n = close(out, begin, n, _FROM_LIST, _TO_LIST)
            out[n], out[n + 1] = _COMMA, _QUOTE
            n = shut_text(out, put_code(out, n + 2, whole(rows[index, HINT_COLUMNS - 1])))
            out[n] = _COLON
            begin = n = n + 1
        n = put_hint(out, n, rows[index])
    return close(out, opening, close(out, begin, n, _FROM_LIST, _TO_LIST), OPEN, SHUT)


@kernel
def put_hints(out: Any, n: int, licences: int, rows: Any, first: int, last: int) -> int:
    """What a seat's hand holds and waits on; rows from ``first`` on are its own (hints.py)."""
    opening = n = put(out, n, _HINTS)
    if licences != 0:
        n = put_members(out, put(out, n, _LICENCES), _LICENCE, _N_LICENCES, licences)
    if first < last:
        if rows[first, HINT_COLUMNS - 1] < 0:
            begin = n = put(out, n, _WAITS)
            for index in range(first, last):
                n = put_hint(out, n, rows[index])
            n = close(out, begin, n, _FROM_LIST, _TO_LIST)
        else:
            n = put_discards(out, n, rows, first, last)
    return close(out, opening, n, OPEN, SHUT)


@kernel
def put_mine(out: Any, n: int, view: Record, seat: int, asked: Any, legal: Any, count: int) -> int:
    """What only the seat's owner sees, all fields after a comma. ``asked``: the number of the offer (-1:
    none), tenths of a second left for it (-1: not told) and of the bank, and whether it has answered."""
    n = put_count(out, n, _SEAT, seat)
    n = shut_text(out, put_hand(out, open_text(out, n, _HAND), view, seat))
    if view.phase == Phase.TURN and view.turn == seat and view.drawn:
        n = put_tile(out, n, _DRAWN, whole(view.last_tile))
    if view.held_flowers[seat] != 0:
        n = shut_text(out, put_flowers(out, open_text(out, n, _FLOWERS), whole(view.held_flowers[seat])))
    n = put_kongs(out, n, view, seat)
    if view.phase == Phase.GA:
        n = put_if(out, n, _GA, whole(view.ga[seat]), 0)
    n = put_passed(out, n, view, seat)
    claimed = view.phase == Phase.CLAIM or view.phase == Phase.ROB
    if asked[3] or (claimed and view.ask[seat] != 0 and view.answer[seat] >= 0):
        n = put(out, n, _ANSWERED)
    return put_asked(out, n, asked, legal, count)
