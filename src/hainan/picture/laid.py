"""What lies before each player, read from a table record or a view of it once, for whoever shows it."""

from dataclasses import dataclass

from hainan.engine.record import Phase, Record
from hainan.rules.terms import By, MeldKind
from hainan.rules.tiles import FLOWER


@dataclass(frozen=True)
class Meld:
    """A meld: its kind, its lowest tile, from whom (-1: nobody)."""

    kind: MeldKind
    low: int
    source: int


@dataclass(frozen=True)
class Discard:
    """A tile in a river: whether it was claimed, and whether it is the last one on the table."""

    code: int
    taken: bool
    last: bool


@dataclass(frozen=True)
class Seat:
    """What lies before one player, read from a table record or a view of it once."""

    seat: int
    position: int
    hand: tuple[int, ...]
    drawn: int | None
    held_flowers: tuple[int, ...]
    flowers: tuple[int, ...]
    melds: tuple[Meld, ...]
    river: tuple[Discard, ...]
    ready: bool
    ga: int | None

    @property
    def concealed(self) -> tuple[int, ...]:
        """The hand with the drawn tile and flowers not yet laid out last."""
        drawn = () if self.drawn is None else (self.drawn,)
        return (*self.hand, *drawn, *self.held_flowers)


def seat_of(t: Record, seat: int) -> Seat:
    """Read a seat."""
    hand = [kind for kind, copies in enumerate(t.hand[seat].tolist()) for _ in range(copies)]
    drawn = _drawn(t, seat)
    apart = drawn if drawn in hand else None
    if apart is not None:
        hand.remove(apart)
    ga = int(t.ga[seat])
    return Seat(
        seat,
        (seat - int(t.dealer)) % int(t.sheet.players),
        tuple(hand),
        apart,
        _flower_codes(int(t.held_flowers[seat])),
        _flower_codes(int(t.flowers[seat])),
        tuple(_melds(t, seat)),
        tuple(_river(t, seat)),
        bool(t.is_ready[seat]),
        ga if t.sheet.ga and ga >= 0 else None,
    )


def _drawn(t: Record, seat: int) -> int:
    """The tile that a player has just drawn, while it is his turn or has won him the hand."""
    if t.phase == Phase.OVER:
        return int(t.win_tile) if t.by == By.SELF_DRAW and t.won[seat] else -1
    return int(t.last_tile) if t.phase == Phase.TURN and t.turn == seat and t.drawn else -1


def _flower_codes(bits: int) -> tuple[int, ...]:
    return tuple(FLOWER + index for index in range(8) if bits >> index & 1)


def _melds(t: Record, seat: int) -> list[Meld]:
    n = int(t.n_melds[seat])
    rows = zip(*(field[seat, :n].tolist() for field in (t.meld_kind, t.meld_tile, t.meld_from)), strict=True)
    return [Meld(MeldKind(kind), low, source) for kind, low, source in rows]


def _river(t: Record, seat: int) -> list[Discard]:
    n = int(t.n_discards)
    fields = (t.discard_seat, t.discard_tile, t.discard_taken)
    rows = zip(range(n), *(field[:n].tolist() for field in fields), strict=True)
    return [Discard(code, taken >= 0, index == n - 1) for index, by, code, taken in rows if by == seat]
