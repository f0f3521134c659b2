"""A match over its hands: dealer, streak, round wind, ga floors, totals, length (R1.5 to R1.9, R8.3)."""

from typing import Any

import pytest

from hainan.matches import Match, seeded_deals
from hainan.rules.presets import rules_of
from hainan.shuffle import Deal
from tests.stack import stacked_wall

# The dealer's hand is complete as dealt; or seat 1 draws what completes his; or nobody gets anywhere.
DEALER_WINS = ["123456789m123p55z"]
OTHER_WINS = ["47m258p369s12346z1m", "123456789m123p5z"]


def deals_of(results: str, players: int = 4, first: int = 0, **options: Any) -> Any:
    """Deals in which the dealer (D) or his next player (N) wins at once, for ``finish`` to play."""
    rules = rules_of(players=players, ga=False, **options)
    dealer = first

    def deal(hand: int) -> Deal:
        nonlocal dealer
        hands = [""] * players
        if results[hand] == "D":
            hands[dealer] = DEALER_WINS[0]
            draws = ""
        else:
            hands[dealer], hands[(dealer + 1) % players] = OTHER_WINS
            draws = "5z"
        wall = stacked_wall(rules, players, hands, draws, dealer=dealer, seed=hand)
        if results[hand] != "D":
            dealer = (dealer + 1) % players
        return Deal(tuple(wall), (1, 1), (2, 3), first)

    return rules, deal


def finish(match: Match) -> None:
    """Win as soon as that is offered, discard the last kind otherwise."""
    table = match.table
    while not table.over:
        seat = min(table.legal())
        actions = [action.text for action in table.legal()[seat]]
        wanted = "win" if "win" in actions else "pass" if "pass" in actions else "discard 1m"
        table.act(seat, wanted if wanted in actions else actions[0])


def played(results: str, players: int = 4, **options: Any) -> Match:
    rules, deal = deals_of(results, players, hands=len(results), **options)
    match = Match(rules, players, deals=deal)
    for hand in range(len(results)):
        finish(match)
        if hand < len(results) - 1:
            match.next_hand()
    return match


def places(results: str, players: int = 4, **options: Any) -> list[tuple[int, int, int]]:
    """Dealer, streak and round wind of each hand."""
    rules, deal = deals_of(results, players, hands=len(results), **options)
    match = Match(rules, players, deals=deal)
    seen = []
    while True:
        t = match.table.raw
        seen.append((int(t.dealer), int(t.streak), int(t.round_wind)))
        finish(match)
        if match.over:
            return seen
        match.next_hand()


def test_r1_6_dealer_keeps_the_deal_or_passes_it_to_his_next() -> None:
    assert [dealer for dealer, _, _ in places("DNND")] == [0, 0, 1, 2]


def test_r1_7_streak_counts_the_hands_dealt_in_a_row() -> None:
    assert [streak for _, streak, _ in places("DDNDN")] == [0, 1, 2, 0, 1]


def test_r1_8_round_wind_moves_when_the_deal_comes_back_to_the_first_dealer() -> None:
    assert [wind for _, _, wind in places("NNNNDN")] == [0, 0, 0, 0, 1, 1]
    assert [wind for _, _, wind in places("NNNN", 3)] == [0, 0, 0, 1]


def test_r1_8_after_north_comes_east() -> None:
    assert places("N" * 17)[16] == (0, 0, 0)
    assert places("N" * 17)[15] == (3, 0, 3)


def test_r1_9_length_in_hands_and_in_rounds() -> None:
    assert len(places("NDN")) == 3
    rules, deal = deals_of("NDNNNN", hands=2, rounds=1)
    match = Match(rules, deals=deal)
    hands = 1
    finish(match)
    while not match.over:
        match.next_hand()
        finish(match)
        hands += 1
    assert hands == 5  # the deal came back to seat 0 after its fourth passing


def test_r1_5_first_dealer_by_host_dice_and_lot() -> None:
    deal = Deal((), (1, 1), (2, 4), 3)
    assert deal.first_dealer(rules_of(first_dealer="host"), 4) == 0
    assert deal.first_dealer(rules_of(first_dealer="dice"), 4) == 1  # 6 counted from seat 0 as 1
    assert deal.first_dealer(rules_of("lingao", 3, first_dealer="dice"), 3) == 2
    assert deal.first_dealer(rules_of(first_dealer="random"), 4) == 3


def test_r1_8_first_dealer_other_than_seat_0() -> None:
    rules, deal = deals_of("NNNNN", first=2, hands=5, first_dealer="random")
    match = Match(rules, deals=deal)
    winds = []
    while True:
        winds.append((int(match.table.raw.dealer), int(match.table.raw.round_wind)))
        finish(match)
        if match.over:
            break
        match.next_hand()
    assert winds == [(2, 0), (3, 0), (0, 0), (1, 0), (2, 1)]


def drawn_out(match: Match) -> None:
    """Play the present hand without ever claiming or winning."""
    table = match.table
    while not table.over:
        seat = min(table.legal())
        actions = [action.text for action in table.legal()[seat]]
        table.act(
            seat, "pass" if "pass" in actions else next(a for a in actions if a.startswith(("ga", "discard")))
        )


@pytest.mark.parametrize(("counts", "streak"), [(True, 1), (False, 0)])
def test_r1_7_drawn_hands_count_for_the_streak_by_option(counts: bool, streak: int) -> None:
    rules = rules_of(ga=False, streak_counts_draws=counts)
    match = Match(rules, deals=seeded_deals(1, rules))
    drawn_out(match)
    assert len(match.bills) == 1
    assert not match.over
    table = match.next_hand()
    assert (int(table.raw.dealer), int(table.raw.streak)) == (0, streak)


@pytest.mark.parametrize(("free", "offered"), [(False, ["ga 3", "ga 5"]), (True, 5)])
def test_r8_3_ga_never_falls_unless_it_is_free(free: bool, offered: Any) -> None:
    rules = rules_of(free_ga=free)
    match = Match(rules, deals=seeded_deals(1, rules))
    for seat, value in enumerate((0, 3, 1, 5)):
        match.table.act(seat, f"ga {value}")
    drawn_out(match)
    table = match.next_hand()
    actions = [action.text for action in table.legal()[1]]
    assert (actions if not free else len(actions)) == offered
    assert len(table.legal()[0]) == 5


def test_totals_are_the_sum_of_the_bills() -> None:
    match = played("DNN")
    assert len(match.bills) == 3
    assert match.totals == [sum(bill["payments"][seat] for bill in match.bills) for seat in range(4)]
    assert sum(match.totals) == 0
    assert match.over


def test_next_hand_needs_an_end_and_a_match_that_goes_on() -> None:
    match = played("D")
    with pytest.raises(RuntimeError, match=r"R1\.9"):
        match.next_hand()
    rules = rules_of()
    with pytest.raises(RuntimeError, match="over"):
        Match(rules, deals=seeded_deals(1, rules)).next_hand()


def test_a_match_deals_by_fresh_secrets_where_nothing_else_is_given() -> None:
    one, other = Match(rules_of()), Match(rules_of())
    assert one.table.wall != other.table.wall
