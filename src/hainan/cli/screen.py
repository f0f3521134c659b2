"""The table on a screen: a head line and some lines for each player, in one's own view or all open."""

from collections.abc import Callable, Sequence
from enum import IntEnum

from rich.text import Text

from hainan.cli.show import Look, Names, flow, flowers, meld, padded, tile, tiles
from hainan.cli.texts import wind
from hainan.engine.record import NO_DRAW_AT, Phase, Record
from hainan.picture.laid import Discard, Seat
from hainan.rules.options import Rules
from hainan.rules.presets import PRESET_NAMES
from hainan.table import Wait


class Room(IntEnum):
    """How closely a screen is set, for as long as it doesn't fit."""

    WIDE = 0
    BARE_RIVERS = 1  # no glyphs in rivers
    SHORT_RIVERS = 2  # only the last discards, on one line
    NO_RIVERS = 3


# ---------------------------------------------------------------- lines


def head_line(look: Look, names: Names, t: Record, rules: Rules) -> list[Text]:
    """Which match, which hand, round wind, dealer, streak, tiles left, wild kind."""
    number = int(t.hands_played) + 1
    if rules.rounds:
        hand = look.say("hand.rounds", hand=number, rounds=rules.rounds)
    else:
        hand = look.say("hand.of", hand=number, hands=rules.hands)
    preset = PRESET_NAMES[rules.preset][0] if look.lang == "zh" else rules.preset
    return flow(Text(f"{preset}  ", "bold"), [Text(hand), *place_facts(look, names, t)], look.width, gap=2)


def place_facts(look: Look, names: Names, t: Record) -> list[Text]:
    """Round wind, dealer, streak, tiles left until the draw, wild kind."""
    facts = [
        look.fill("round", wind=wind(int(t.round_wind), look.lang)),
        look.fill("dealer.is", who=names.full[int(t.dealer)]),
    ]
    if t.streak:
        facts.append(look.fill("streak", n=int(t.streak)))
    if t.phase != Phase.GA:
        facts.append(look.fill("left", n=int(t.tail - t.head) - NO_DRAW_AT))
        if t.wild >= 0:
            facts.append(look.fill("wild", tile=tile(look, int(t.wild))))
    return facts


def player_lines(look: Look, names: Names, seen: Seat, room: Room, facts: Sequence[Text]) -> list[Text]:
    """A player: who, ``facts``, stake, flowers and melds; then the river."""
    head = padded(Text(names.full[seen.seat]), max(Text(name).cell_len for name in names.full) + 1)
    if not names.tell_winds:
        head.append(f"{wind(seen.position, look.lang)} ")
    head.stylize("bold" if seen.position else "bold yellow")
    items = list(facts)
    if seen.ga is not None:
        items.append(look.fill("ga", value=seen.ga))
    if seen.ready:
        items.append(Text(look.say("ready"), "bold reverse"))
    if seen.flowers:
        items.append(look.fill("flowers", tiles=flowers(look, seen.flowers, seen.position)))
    items += [meld(look, names, one.kind, one.low, one.source) for one in seen.melds]
    lines = flow(head, items, look.width, gap=2)
    return lines + _river_lines(look, seen.river, room)


def opened_lines(
    look: Look, names: Names, seen: Seat, room: Room = Room.NO_RIVERS, facts: Sequence[Text] = ()
) -> list[Text]:
    """A player with his hand open."""
    hand = [look.fill("in hand", tiles=tiles(look, seen.concealed))] if seen.concealed else []
    return player_lines(look, names, seen, room, [*hand, *facts])


def _river_lines(look: Look, river: Sequence[Discard], room: Room) -> list[Text]:
    if not river or room == Room.NO_RIVERS:
        return []
    shown = [_discard(look, discard, bare=room > Room.WIDE) for discard in river]
    head = Text(f"  {look.say('river')} ", "dim")
    indent = head.cell_len
    if room == Room.SHORT_RIVERS:
        shown = _last_that_fit(shown, look.width - indent - 4)
    return flow(head, shown, look.width, indent=indent)


def _discard(look: Look, discard: Discard, *, bare: bool) -> Text:
    shown = tile(look, discard.code, bare=bare)
    if discard.taken:
        return Text(f"({shown.plain})", "dim")
    if discard.last:
        shown.stylize("reverse")
    return shown


def _last_that_fit(items: list[Text], width: int) -> list[Text]:
    room, first = width, len(items)
    while first and room >= items[first - 1].cell_len:
        first -= 1
        room -= items[first].cell_len + 1
    return [Text("..."), *items[first:]] if first else items


# ---------------------------------------------------------------- one's own hand


def hand_lines(look: Look, seen: Seat, number_of: Callable[[int], str]) -> list[Text]:
    """The hand in columns, the drawn tile and flowers apart: numbers to type, glyphs, names."""
    wide = look.glyphs and look.lang == "zh"
    column = 5 if wide else 4
    groups = [seen.hand, () if seen.drawn is None else (seen.drawn,), seen.held_flowers]
    numbers, pictures, labels = Text(), Text(), Text()
    for group in filter(None, groups):
        for row in (numbers, pictures, labels):
            row.append("  " if row.cell_len else " ")
        for code in group:
            numbers.append_text(padded(Text(number_of(code).rjust(2), "yellow"), column))
            named = tile(look, code, bare=True)
            labels.append_text(padded(named, column))
            pictures.append_text(padded(tile(look, code)[:1], column) if look.glyphs else Text())
    for row in (numbers, pictures, labels):
        row.rstrip()
    return [row for row in (numbers, pictures, labels) if row.plain]


# ---------------------------------------------------------------- waits


def wait_text(look: Look, wait: Wait) -> Text:
    """A waited tile: copies unseen, whether it may be won on a discard, T and V."""
    key = "hint.licensed" if wait.licensed else "hint.bare"
    return look.fill(
        key,
        tile=tile(look, wait.kind),
        left=wait.unseen,
        T=wait.T,
        V=wait.V,
        self=wait.V_self_draw,
    )
