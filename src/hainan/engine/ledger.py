"""Every payment of a hand, as items: who pays whom, whose share it is, how much, for what, by which
clause (section 8). Payments are the sum of the items and of nothing else.
"""

from hainan.engine.jit import kernel, whole
from hainan.engine.record import NO_DRAW_AT, Record
from hainan.engine.winning import Judged, is_licensed, win_value
from hainan.rules.terms import By, FlowerHu, KongScoring, MeldKind, PayRule, Reason, StakeMode

# ---------------------------------------------------------------- stakes and items


@kernel
def stake(t: Record, i: int, j: int) -> int:
    """B(i, j): what a score of one is worth between two players (section 8)."""
    value = 1
    if t.sheet.ga != 0:
        value += whole(t.ga[i]) + whole(t.ga[j])
    if i == t.dealer or j == t.dealer:
        if t.sheet.dealer_bonus != 0:
            value += 1
        if t.sheet.dealer_streak != 0:
            value += whole(t.streak)
    return value


@kernel
def pay(t: Record, payer: int, payee: int, of: int, points: int, reason: int, rule: int) -> None:
    """Write one item."""
    item = t.n_items
    t.item_payer[item] = payer
    t.item_payee[item] = payee
    t.item_of[item] = of
    t.item_points[item] = points
    t.item_reason[item] = reason
    t.item_rule[item] = rule
    t.n_items = item + 1
    t.payments[payer] -= points
    t.payments[payee] += points


@kernel
def collect(t: Record, owner: int, times: int, reason: int, rule: int) -> None:
    """From each other player the same number of stakes."""
    for other in range(whole(t.sheet.players)):
        if other != owner:
            pay(t, other, owner, other, times * stake(t, other, owner), reason, rule)


# ---------------------------------------------------------------- who is liable (R8.4 to R8.11)


@kernel
def claimed_from(t: Record, holder: int, feeder: int) -> int:
    """Chows, pongs and exposed kongs that a player claimed from another (R8.7)."""
    melds = 0
    for meld in range(whole(t.n_melds[holder])):
        if t.meld_from[holder, meld] == feeder and t.meld_kind[holder, meld] != MeldKind.CONCEALED_KONG:
            melds += 1
    return melds


@kernel
def joined_by(t: Record, i: int, j: int, melds: int) -> bool:
    """Whether one of two players holds that many melds claimed from the other (R8.7, R8.8)."""
    return claimed_from(t, i, j) >= melds or claimed_from(t, j, i) >= melds


@kernel
def robbed_without_licence(t: Record, judged: Judged) -> bool:
    """R8.6: an unlicensed plain hand that only robbing let win."""
    return t.by == By.ROB and not is_licensed(t, judged)


@kernel
def in_last_tiles(t: Record) -> bool:
    """R8.9: was the tile let go among the last ones?"""
    window = NO_DRAW_AT - 1 + t.sheet.players + whole(t.sheet.last_tiles_by_count != 0)
    return t.sheet.last_tiles_liability != 0 and t.tail - t.head <= window


@kernel
def discarder_rule(t: Record, winner: int, judged: Judged) -> int:
    """The clause that makes the discarder pay for everybody, or SHARE."""
    if t.sheet.discarder_pays_all != 0:
        return PayRule.PAYS_ALL
    if robbed_without_licence(t, judged):
        return PayRule.ROBBED_PLAIN
    if t.sheet.meld_liability != 0 and joined_by(t, winner, t.win_from, 3):
        return PayRule.THREE_MELDS
    if in_last_tiles(t):
        return PayRule.LAST_TILES
    return PayRule.SHARE


@kernel
def liable_feeder(t: Record, winner: int, both_ways: bool) -> int:
    """R8.8: who stands in four melds with the winner, or -1; who fed him comes first, then the nearest.

    ``both_ways``: melds that the winner fed count too, as they do for a self-draw.
    """
    if t.sheet.four_melds == 0:
        return -1
    for step in range(1, whole(t.sheet.players)):
        other = (winner + step) % t.sheet.players
        if claimed_from(t, winner, other) >= 4:
            return whole(other)
    if both_ways:
        for step in range(1, whole(t.sheet.players)):
            other = (winner + step) % t.sheet.players
            if claimed_from(t, other, winner) >= 4:
                return whole(other)
    return -1


# ---------------------------------------------------------------- wins


@kernel
def win_share(t: Record, payer: int, winner: int) -> int:
    """What a payer owes for a win, the flat 1 aside (R8.1)."""
    if t.sheet.stake_mode == StakeMode.ADD:
        return whole(t.score_v[winner]) + stake(t, payer, winner) - 1
    return whole(t.score_v[winner]) * stake(t, payer, winner)


@kernel
def settle_for_all(t: Record, liable: int, winner: int, rule: int) -> None:
    """R8.4: one pays every share, each with the stake of the one he pays for."""
    for other in range(whole(t.sheet.players)):
        if other != winner:
            pay(t, liable, winner, other, win_share(t, other, winner), Reason.WIN, rule)
    if t.by != By.SELF_DRAW:
        pay(t, liable, winner, t.win_from, 1, Reason.DISCARD, rule)


@kernel
def settle_shares(t: Record, winner: int) -> None:
    """R8.1: everybody pays his own share, the discarder 1 more."""
    for other in range(whole(t.sheet.players)):
        if other != winner:
            pay(t, other, winner, other, win_share(t, other, winner), Reason.WIN, PayRule.SHARE)
    if t.by != By.SELF_DRAW:
        pay(t, t.win_from, winner, t.win_from, 1, Reason.DISCARD, PayRule.SHARE)


@kernel
def settle_single(t: Record, winner: int, judged: Judged) -> None:
    """The only winner of a hand."""
    if t.by == By.SELF_DRAW:
        liable = liable_feeder(t, winner, True)
        if liable >= 0:
            settle_for_all(t, liable, winner, PayRule.FOUR_MELDS)
        else:
            settle_shares(t, winner)
        return
    rule = discarder_rule(t, winner, judged)
    if rule != PayRule.SHARE:
        settle_for_all(t, t.win_from, winner, rule)
        return
    liable = liable_feeder(t, winner, False) if t.sheet.four_melds_any != 0 else -1
    if liable >= 0:
        settle_for_all(t, liable, winner, PayRule.FOUR_MELDS)
    else:
        settle_shares(t, winner)


@kernel
def settle_one_of_many(t: Record, winner: int) -> None:
    """R8.10: the discarder pays, and this clause alone decides."""
    payer = whole(t.win_from)
    for other in range(whole(t.sheet.players)):
        own = other == payer or t.sheet.multiple_wins_own_share == 0
        if other != winner and own:
            pay(t, payer, winner, other, win_share(t, other, winner), Reason.WIN, PayRule.MULTIPLE_WINS)
    pay(t, payer, winner, payer, 1, Reason.DISCARD, PayRule.MULTIPLE_WINS)


# ---------------------------------------------------------------- kongs, flowers, follow


@kernel
def kong_times(t: Record, owner: int, meld: int, payer: int) -> int:
    """Stakes that a player owes for a kong (R8.12, R8.13)."""
    kind = t.meld_kind[owner, meld]
    if kind == MeldKind.CONCEALED_KONG:
        return 2
    if t.sheet.kong_scoring == KongScoring.PLAIN:
        return 1
    if kind == MeldKind.ADDED_KONG:
        return 3 if t.meld_back[owner, meld] != 0 else 2
    return 2 if payer == t.meld_from[owner, meld] else 1


@kernel
def settle_kong(t: Record, owner: int, meld: int) -> None:
    """R8.12, R8.13; under R8.5 the feeder of an exposed kong pays every share."""
    doubled = t.sheet.kong_scoring == KongScoring.FEEDER_DOUBLE
    rule = PayRule.KONG_DOUBLE if doubled else PayRule.KONG
    by_feeder = t.sheet.discarder_pays_all != 0 and t.meld_kind[owner, meld] == MeldKind.EXPOSED_KONG
    for other in range(whole(t.sheet.players)):
        if other != owner:
            points = kong_times(t, owner, meld, other) * stake(t, other, owner)
            if by_feeder:
                pay(t, whole(t.meld_from[owner, meld]), owner, other, points, Reason.KONG, PayRule.PAYS_ALL)
            else:
                pay(t, other, owner, other, points, Reason.KONG, rule)


@kernel
def count_bits(mask: int) -> int:
    """How many flowers."""
    count = 0
    while mask != 0:
        mask &= mask - 1
        count += 1
    return count


@kernel
def has_full_set(flowers: int) -> bool:
    """春夏秋冬 or 梅兰菊竹 complete."""
    return flowers & 15 == 15 or flowers >> 4 == 15


@kernel
def has_run(flowers: int) -> bool:
    """A flower of each number 1 to 4, in any colours (R8.15)."""
    return (flowers | (flowers >> 4)) & 15 == 15


@kernel
def swap_last_two(flowers: int) -> int:
    """R8.17 numbers 竹 3 and 菊 4."""
    return (flowers & 0b00111111) | ((flowers & 0b01000000) << 1) | ((flowers & 0b10000000) >> 1)


@kernel
def flower_times(t: Record, flowers: int) -> tuple[int, int]:
    """Stakes that flowers collect from each other player, and the clause (R8.14 to R8.17)."""
    count = count_bits(flowers)
    mode = t.sheet.flower_hu
    if mode == FlowerHu.COUNT:
        return max(0, count - 6), PayRule.FLOWER_COUNT.value
    if mode == FlowerHu.FOUR_SET:
        return (2 if count == 8 else whole(has_full_set(flowers))), PayRule.FLOWER_COUNT.value
    if mode == FlowerHu.TRUE_FALSE:
        if has_full_set(flowers):
            return count - 2, PayRule.FLOWER_TRUE_FALSE.value
        return (count - 3 if has_run(swap_last_two(flowers)) else 0), PayRule.FLOWER_TRUE_FALSE.value
    if t.sheet.flower_set != 0 and has_full_set(flowers):
        return count - 2, PayRule.FLOWER_SET.value
    if t.sheet.flower_run != 0 and has_run(flowers):
        return (2 if count == 8 else 1), PayRule.FLOWER_RUN.value
    return 0, PayRule.FLOWER_RUN.value


@kernel
def settle_sides(t: Record) -> None:
    """Kongs and flowers of every player (R8.12, R8.18)."""
    for owner in range(whole(t.sheet.players)):
        for meld in range(whole(t.n_melds[owner])):
            if t.meld_kind[owner, meld] >= MeldKind.EXPOSED_KONG:
                settle_kong(t, owner, meld)
        times, rule = flower_times(t, whole(t.flowers[owner]))
        if times > 0:
            collect(t, owner, times, Reason.FLOWER, rule)


@kernel
def settle_follow(t: Record) -> None:
    """R8.19: paid whatever the hand's result."""
    for owner in range(whole(t.sheet.players)):
        if t.followed[owner] != 0:
            for other in range(whole(t.sheet.players)):
                if other != owner:
                    pay(t, owner, other, owner, stake(t, owner, other), Reason.FOLLOW, PayRule.FOLLOW)


# ---------------------------------------------------------------- the whole bill


@kernel
def write_winner(t: Record, seat: int, judged: Judged) -> None:
    """Keep what a winner's hand is worth."""
    t.won[seat] = 1
    t.patterns[seat] = judged.patterns
    t.licences[seat] = judged.licences
    t.score_t[seat] = judged.rank // 4096
    t.score_v[seat] = win_value(t, seat, whole(t.score_t[seat]), whole(t.by), whole(t.way))


@kernel
def judged_winner(t: Record, seat: int) -> Judged:
    """What ``write_winner`` kept."""
    return Judged(4096 * whole(t.score_t[seat]), whole(t.patterns[seat]), whole(t.licences[seat]))


@kernel
def settle(t: Record) -> None:
    """Write all items of a hand that is over: its end and its winners are in the record."""
    t.n_items = 0
    winners = 0
    for seat in range(whole(t.sheet.players)):
        t.payments[seat] = 0
        winners += t.won[seat]
    for seat in range(whole(t.sheet.players)):
        if t.won[seat] != 0:
            if winners == 1:
                settle_single(t, seat, judged_winner(t, seat))
            else:
                settle_one_of_many(t, seat)
    if winners > 0 or t.sheet.score_draws != 0:
        settle_sides(t)
    settle_follow(t)
