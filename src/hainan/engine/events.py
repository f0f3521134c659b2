"""What happened since the last action, written for clients; the engine itself never reads it."""

from typing import Final

from hainan.engine.jit import kernel
from hainan.engine.record import Record

ROBBED: Final = 8
"""Added to the kind of meld in a kong's detail once it is robbed."""


@kernel
def emit(t: Record, event: int, seat: int, tile: int, other: int, detail: int) -> None:
    """Write one event; -1 where a field doesn't apply."""
    row = t.n_events
    t.event[row, 0] = event
    t.event[row, 1] = seat
    t.event[row, 2] = tile
    t.event[row, 3] = other
    t.event[row, 4] = detail
    t.n_events = row + 1
