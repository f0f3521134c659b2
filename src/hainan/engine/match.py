"""From one hand to the next: who deals, streak, round wind, ga floors, and when a match is over."""

from hainan.engine.jit import kernel
from hainan.engine.record import Record
from hainan.rules.terms import By


@kernel
def dealer_stays(t: Record) -> bool:
    """R1.6: the dealer is among the winners, or the hand was drawn."""
    return t.by == By.DRAW or t.won[t.dealer] != 0


@kernel
def next_hand(t: Record) -> None:
    """Set the place of the next hand from the result of this one (R1.6, R1.7, R1.8, R8.3)."""
    t.hands_played += 1
    if dealer_stays(t):
        if t.by != By.DRAW or t.sheet.streak_counts_draws != 0:
            t.streak += 1
    else:
        t.dealer = (t.dealer + 1) % t.sheet.players
        t.streak = 0
        if t.dealer == t.first_dealer:
            t.round_wind = (t.round_wind + 1) % 4
            t.rounds_played += 1
    for seat in range(4):
        keeps = t.sheet.ga != 0 and t.sheet.free_ga == 0 and seat < t.sheet.players
        t.ga_floor[seat] = t.ga[seat] if keeps else 0


@kernel
def match_over(t: Record) -> bool:
    """R1.9: so many hands, or so many full round winds."""
    if t.sheet.rounds > 0:
        return t.rounds_played >= t.sheet.rounds
    return t.hands_played >= t.sheet.hands
