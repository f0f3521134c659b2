"""The wall, the deal, drawing and flowers (sections 1, 2 and 4)."""

from hainan.engine.events import emit
from hainan.engine.jit import kernel, whole
from hainan.engine.record import NO_DRAW_AT, Phase, Record, Wild
from hainan.engine.shapes import add_tile, rebuild_keys
from hainan.rules.terms import By, EventType, InitialFlowers, Source


@kernel
def wall_size(t: Record) -> int:
    """Tiles of the sheet: 144, 128 or 116 (R1.1)."""
    if t.sheet.no_honors != 0:
        return 116
    return 128 if t.sheet.no_winds != 0 else 144


@kernel
def remaining(t: Record) -> int:
    """Tiles between head and tail (R1.2)."""
    return whole(t.tail - t.head)


# ---------------------------------------------------------------- drawing and flowers


@kernel
def end_in_draw(t: Record) -> None:
    """流局 (R4.1)."""
    t.phase = Phase.OVER
    t.by = By.DRAW
    emit(t, EventType.DRAW_HAND, -1, -1, -1, 0)


@kernel
def lay_flower(t: Record, seat: int, flower: int) -> None:
    """Lay out a flower, out of the hand if it was there."""
    bit = 1 << (flower - 34)
    t.flowers[seat] |= bit
    t.held_flowers[seat] &= ~bit
    emit(t, EventType.FLOWER, seat, flower, -1, 0)


@kernel
def next_held_flower(t: Record, seat: int) -> int:
    """The first flower still in a hand, or -1."""
    for flower in range(34, 42):
        if t.held_flowers[seat] & (1 << (flower - 34)) != 0:
            return flower
    return -1


@kernel
def draw(t: Record, seat: int, source: int) -> bool:
    """Draw a tile that isn't a flower; False where the hand ends instead (R2.1, R4.1, R4.2)."""
    while remaining(t) > NO_DRAW_AT:
        if source == Source.FRONT:
            tile = whole(t.wall[t.head])
            t.head += 1
        else:
            t.tail -= 1
            tile = whole(t.wall[t.tail])
        emit(t, EventType.DRAW, seat, tile, -1, source)
        t.drawn = 1
        if tile < 34:
            add_tile(t, seat, tile, 1)
            t.last_tile = tile
            t.last_source = source
            return True
        lay_flower(t, seat, tile)
        source = Source.FLOWER.value
    if source == Source.FLOWER:
        while t.held_flowers[seat] != 0:
            lay_flower(t, seat, next_held_flower(t, seat))
    end_in_draw(t)
    return False


@kernel
def replace_held_flowers(t: Record, seat: int) -> bool:
    """Lay out and replace all flowers dealt to a seat (R2.2); False where the hand ends instead."""
    while t.held_flowers[seat] != 0:
        lay_flower(t, seat, next_held_flower(t, seat))
        if not draw(t, seat, Source.FLOWER.value):
            return False
    return True


# ---------------------------------------------------------------- turns


@kernel
def enter_turn(t: Record, seat: int) -> None:
    """A turn begins, however: a passed-up win stops mattering (R9.2)."""
    t.phase = Phase.TURN
    t.turn = seat
    t.drawn = 0
    t.fresh_pong = -1
    t.passed_v[seat] = 0


@kernel
def turn_by_draw(t: Record, seat: int) -> None:
    """A turn that begins by drawing from the front (R3.1)."""
    enter_turn(t, seat)
    if draw(t, seat, Source.FRONT.value):
        replace_held_flowers(t, seat)


# ---------------------------------------------------------------- the deal


@kernel
def take(t: Record, seat: int, index: int) -> None:
    """Deal one tile; flowers stay in the hand for now."""
    tile = whole(t.wall[index])
    if tile < 34:
        t.hand[seat, tile] += 1
    else:
        t.held_flowers[seat] |= 1 << (tile - 34)


@kernel
def broken_before(players: int, dealer: int, pips: int) -> int:
    """Before whom a throw breaks the wall (R1.3)."""
    return (dealer + pips - 1) % players


@kernel
def dealt_to(players: int, dealer: int, index: int) -> int:
    """Who is dealt the tile at a place of the wall: three times four each, then one each, and the
    dealer's jump (R1.4)."""
    turn = index // 4 if index < 12 * players else index - 12 * players
    return (dealer + turn) % players


@kernel
def deal_tiles(t: Record) -> None:
    """Thirteen tiles each and one more for the dealer, his last one (R1.4, R7.5)."""
    players = whole(t.sheet.players)
    t.head = 13 * players + 1
    for index in range(whole(t.head)):
        take(t, dealt_to(players, whole(t.dealer), index), index)
    t.last_tile = t.wall[t.head - 1]
    t.last_source = Source.FRONT.value
    emit(t, EventType.DEAL, whole(t.dealer), -1, -1, 0)


@kernel
def following_kind(kind: int) -> int:
    """The next kind in its own cycle: 1..9, 东南西北, 中发白 (R5.9)."""
    if kind < 27:
        return kind // 9 * 9 + (kind % 9 + 1) % 9
    if kind < 31:
        return 27 + (kind - 26) % 4
    return 31 + (kind - 32) % 3


@kernel
def turn_indicator(t: Record) -> None:
    """Take the first tile from the back that is no flower out of the wall and show it (R5.9)."""
    place = whole(t.tail - 1)
    while t.wall[place] >= 34:
        place -= 1
    kind = whole(t.wall[place])
    for index in range(place, t.tail - 1):
        t.wall[index] = t.wall[index + 1]
    t.tail -= 1
    t.indicator = kind
    t.wild = kind if t.sheet.wild_mode == Wild.INDICATOR else following_kind(kind)
    emit(t, EventType.INDICATOR, -1, kind, -1, whole(t.wild))


@kernel
def replace_all_flowers(t: Record) -> None:
    """R2.2 `after_deal`: each seat from the dealer on; the dealer's last tile stays his."""
    last_tile = t.last_tile
    last_source = t.last_source
    for step in range(whole(t.sheet.players)):
        replace_held_flowers(t, whole((t.dealer + step) % t.sheet.players))
        if step == 0:
            last_tile = t.last_tile
            last_source = t.last_source
    t.last_tile = last_tile
    t.last_source = last_source


@kernel
def deal(t: Record) -> None:
    """From the wall to the dealer's first turn."""
    deal_tiles(t)
    if t.sheet.wild_mode == Wild.INDICATOR or t.sheet.wild_mode == Wild.NEXT:
        turn_indicator(t)
    for seat in range(whole(t.sheet.players)):
        rebuild_keys(t, seat)
    enter_turn(t, whole(t.dealer))
    if t.sheet.initial_flowers == InitialFlowers.AFTER_DEAL:
        replace_all_flowers(t)
    else:
        replace_held_flowers(t, whole(t.dealer))
    t.drawn = 1


@kernel
def start_hand(t: Record) -> None:
    """A new hand from what is set: sheet, place in the match, dice and wall. Waits for ga, or deals."""
    t.head = 0
    t.tail = wall_size(t)
    t.indicator = -1
    t.wild = t.sheet.wild_fixed
    t.hand[:] = 0
    t.key[:] = 0
    t.discard_taken[:] = -1
    t.event[:] = 0
    for seat in range(4):
        t.ga[seat] = -1 if t.sheet.ga != 0 else 0
        t.n_wild[seat] = 0
        t.held_flowers[seat] = 0
        t.flowers[seat] = 0
        t.n_melds[seat] = 0
        t.n_made[seat] = 0
        t.is_ready[seat] = 0
        t.ask[seat] = 0
        t.answer[seat] = -1
        t.let_off[seat] = -1
        t.passed_v[seat] = 0
        t.followed[seat] = 0
        t.won[seat] = 0
        t.patterns[seat] = 0
        t.licences[seat] = 0
        t.score_t[seat] = 0
        t.score_v[seat] = 0
        t.payments[seat] = 0
    t.n_discards = 0
    t.n_events = 0
    t.n_items = 0
    t.n_actions = 0
    t.last_tile = -1
    t.last_source = 0
    t.fresh_pong = -1
    t.claim_tile = -1
    t.claim_from = -1
    t.lead_tile = -1
    t.lead_seat = -1
    t.lead_next = t.dealer if t.sheet.follow != 0 else -1
    t.followers = 0
    t.by = -1
    t.way = 0
    t.win_from = -1
    t.win_tile = -1
    t.turn = t.dealer
    t.drawn = 0
    t.phase = Phase.GA
    if t.sheet.ga == 0:
        deal(t)
