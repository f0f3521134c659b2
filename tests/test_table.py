"""What the face tells beside legality: licences held, waits, events, ends."""

import pytest

from hainan.rules.presets import rules_of
from hainan.rules.tiles import TEXT, full_set
from hainan.table import SPECTATOR, Table, WallError, events_of
from tests.stack import pass_all, play, stacked_table


@pytest.mark.parametrize(
    ("hand", "options", "held"),
    [
        ("147m258p369s13z", {}, ("concealed",)),
        ("147m258p36s555z1z", {}, ("concealed", "dragon_set")),
        ("147m258p36s222z1z", {}, ("concealed", "seat_wind_set")),
        ("147m258p36s111z2z", {}, ("concealed", "round_wind_set")),
        ("147m258p36s555z1z", {"wild": "5z"}, ("concealed",)),
        ("147m258p369s1z2f6f", {"initial_flowers": "after_deal"}, ("concealed", "position_flower")),
    ],
)
def test_licences_held_by_seat_1(hand: str, options: dict, held: tuple[str, ...]) -> None:
    assert stacked_table(["", hand], **options).licences(1) == held


def test_a_claim_gives_up_the_concealed_licence() -> None:
    table = play(stacked_table(["5z", "55z147m258p36s11z"]), "0 discard 5z", "1 pong")
    assert table.licences(1) == ("dragon_set",)
    assert table.licences(0) == ("concealed",)


def test_waits_tell_what_each_tile_would_bring() -> None:
    table = stacked_table(["9s", "123456789m45p22s"])
    waits = {TEXT[wait.kind]: wait for wait in table.waits(1)}
    assert set(waits) == {"3p", "6p"}
    assert waits["3p"].licensed
    assert waits["3p"].licences[:3] == ("only_chows", "concealed", "eye")
    assert (waits["6p"].T, waits["6p"].V, waits["6p"].V_self_draw) == (1, 1, 2)
    seen = sum(int(table.raw.hand[1, kind]) for kind in (11, 14))
    assert waits["3p"].unseen + waits["6p"].unseen == 8 - seen


def test_waits_after_a_discard_of_ones_own() -> None:
    table = stacked_table(["123456789m45p22s9s"])
    assert table.waits(0, 26) != []
    assert table.waits(0, 0) == []


@pytest.mark.parametrize(
    ("dice", "dealer", "players", "broken"),
    [((1, 1), 0, 4, (1, 2)), ((2, 3), 2, 4, (2, 5)), ((6, 6), 1, 4, (0, 12)), ((3, 4), 1, 3, (1, 7))],
)
def test_r1_3_the_dice_tell_where_the_wall_breaks(dice, dealer, players, broken) -> None:
    """The dealer counts himself as 1, counter-clockwise."""
    wall = full_set(no_honors=False, no_winds=False)
    table = Table(rules_of(players=players), players, wall=wall, dealer=dealer, dice=dice)
    assert table.wall_break == broken


def test_walls_are_checked() -> None:
    good = full_set(no_honors=False, no_winds=False)
    with pytest.raises(WallError, match="143 tiles"):
        Table(rules_of(), wall=good[1:])
    with pytest.raises(WallError, match="5 of 1m"):
        Table(rules_of(), wall=[0, *good[:-1]])


def test_spectators_see_no_hand_until_the_end() -> None:
    table = stacked_table(["123456789m123p55z"])
    assert table.masked(SPECTATOR).hand.sum() == 0
    assert events_of(table.masked(SPECTATOR), ())[0] == {"type": "deal", "seat": 0}
    play(table, "0 win")
    assert table.masked(SPECTATOR).hand.sum() == 53


def test_the_end_tells_the_way_and_the_last_tile() -> None:
    table = play(stacked_table(["123456789m123p55z"]), "0 win")
    end = table.end()
    assert end is not None
    assert (end["by"], end["from"], end["way"], end["tile"]) == ("self_draw", None, "heavenly", "5z")
    assert [event["type"] for event in table.events()] == ["win", "pay"]
    assert table.payments == end["payments"]
    pass_all(table)
    assert table.clone().end() == end
