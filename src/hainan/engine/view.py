"""What a seat knows: the table with everything else wiped out. The only place that hides anything.

A view is a table record too, so that kernels which only read what a seat may know (its legal actions,
its waits, the tiles it hasn't seen) work on it as on the table.
"""

from hainan.engine.jit import kernel, whole
from hainan.engine.record import MAX_EVENTS, Phase, Record
from hainan.engine.shapes import held_copies, meld_copies
from hainan.rules.terms import EventType, MeldKind

HIDDEN_TILE = 63
"""What stands where a tile is hidden."""


@kernel
def hide_wall(view: Record) -> None:
    """Nobody knows the wall, played part included: it would tell what others drew."""
    for index in range(144):
        view.wall[index] = HIDDEN_TILE
    view.rng = 0
    view.n_actions = 0  # would tell how many answered


@kernel
def hide_hand(view: Record, seat: int) -> None:
    """A hand, its flowers not yet laid out, and the concealed kongs of its owner (R2.2, R3.9)."""
    view.hand[seat, :] = 0
    view.key[seat, :] = 0
    view.n_wild[seat] = 0
    view.held_flowers[seat] = 0
    if view.sheet.show_concealed_kongs == 0:
        for meld in range(whole(view.n_melds[seat])):
            if view.meld_kind[seat, meld] == MeldKind.CONCEALED_KONG:
                view.meld_tile[seat, meld] = HIDDEN_TILE
    if view.turn == seat:
        view.last_tile = -1


@kernel
def hide_tried_melds(view: Record, seat: int) -> None:
    """Melds beyond those made: what asking about a ready hand's kongs has left there (claims.py)."""
    for meld in range(whole(view.n_melds[seat]), 4):
        view.meld_kind[seat, meld] = 0
        view.meld_tile[seat, meld] = 0
        view.meld_claimed[seat, meld] = 0
        view.meld_from[seat, meld] = 0
        view.meld_back[seat, meld] = 0


@kernel
def hide_choices(view: Record, seat: int) -> None:
    """What was asked and answered, what is locked, and ga until all have chosen (R3.4, R8.3)."""
    view.ask[seat] = 0
    view.answer[seat] = -1
    view.let_off[seat] = -1
    view.passed_v[seat] = 0
    if view.phase == Phase.GA:
        view.ga[seat] = -1


@kernel
def hide_event(view: Record, row: int) -> None:
    """The tile of another's draw (a flower is laid out anyway) and of his concealed kong."""
    event = view.event[row, 0]
    tile = view.event[row, 2]
    if event == EventType.DRAW and tile < 34:
        view.event[row, 2] = HIDDEN_TILE
    hidden_kong = event == EventType.KONG and view.event[row, 4] == MeldKind.CONCEALED_KONG
    if hidden_kong and view.sheet.show_concealed_kongs == 0:
        view.event[row, 2] = HIDDEN_TILE


@kernel
def hide(view: Record, seat: int) -> None:
    """Wipe out of a copied table what a seat can't see; seat -1 sees what all can see.

    When the hand is over all hands lie open; the wall never does.
    """
    hide_wall(view)
    for other in range(4):
        hide_tried_melds(view, other)
        if other != seat:
            hide_choices(view, other)
            if view.phase != Phase.OVER:
                hide_hand(view, other)
    for row in range(MAX_EVENTS):
        if row >= view.n_events:
            view.event[row, :] = 0
        elif view.event[row, 1] != seat and view.phase != Phase.OVER:
            hide_event(view, row)


@kernel
def unseen(view: Record, seat: int, kind: int) -> int:
    """Copies of a kind that a seat hasn't seen: not in its hand, nor open on the table."""
    seen = held_copies(view, seat, kind) + whole(view.indicator == kind)
    for index in range(whole(view.n_discards)):
        if view.discard_tile[index] == kind and view.discard_taken[index] < 0:
            seen += 1
    for other in range(whole(view.sheet.players)):
        if other != seat:
            seen += meld_copies(view, other, kind)
    if view.phase == Phase.ROB and view.claim_tile == kind and view.claim_from != seat:
        seen += 1
    return 4 - seen
