"""Section 9: what passing up a win costs."""

import pytest

from hainan.table import Table
from tests.stack import asked, drop, offers, outcome, pass_all, play, play_on, stacked_table

EDGES = "123m456m789m11p99s"  # waits on 1p and 9s, V 1 each
GAP = "123m456m789m11s46p"  # waits on 5p alone
MODES = pytest.mark.parametrize("mode", ["none", "locked", "higher_only"])


def wins(table: Table, seat: int) -> bool:
    """Whether a seat is offered the win on the tile on the table."""
    return "win" in asked(table, seat)


# ---------------------------------------------------------------- R9.1 locked


@MODES
def test_r9_1_a_win_passed_up_locks(mode: str) -> None:
    """Seat 3 passes 1p of seat 0, then seats 1 and 2 let tiles go that complete him too."""
    table = stacked_table(["1p", "", "", EDGES], draws="9s1p", missed_win=mode)
    drop(table)
    assert asked(table, 3) == ["pong", "win", "pass"]
    drop(table)
    assert asked(table, 3) == (["pong", "win", "pass"] if mode == "none" else ["pong", "pass"])
    drop(table)
    assert wins(table, 3) == (mode == "none")


def test_r9_1_pong_instead_of_the_win_locks() -> None:
    """Anything but the win is passing it up. (The lock is on seat 0 until seat 3 has discarded.)"""
    table = stacked_table(["1p", "", "", EDGES])
    play_on(table, "0 discard 1p", "3 pong")
    assert table.raw.turn == 3
    assert table.raw.let_off[3] == 0
    play(table, "3 discard 1m")
    assert table.raw.let_off[3] == -1


def test_r9_1_kong_instead_of_the_win_locks() -> None:
    table = stacked_table(["1p", "", "", "123m456m99s11123p"])
    play(table, "0 discard 1p")
    assert {"kong", "win"} <= set(asked(table, 3))
    play_on(table, "3 kong")
    assert table.raw.let_off[3] == 0


@MODES
def test_r9_1_a_chow_that_came_to_nothing_locks(mode: str) -> None:
    """Seat 1 answers chow instead of win, seat 2 pongs the tile and lets 2p go: another win, and
    neither seat 1 nor seat 0 has discarded since."""
    hands = ["5p", "123m456m789m11p34p", "55p2p"]
    table = stacked_table(hands, missed_win=mode)
    play(table, "0 discard 5p")
    assert asked(table, 1) == ["chow 34p", "win", "pass"]
    play_on(table, "1 chow 34p", "2 pong", "2 discard 2p")
    assert wins(table, 1) == (mode == "none")


@pytest.mark.parametrize(("mode", "offered"), [("locked", True), ("higher_only", False)])
def test_r9_1_the_next_discard_of_the_player_let_off_may_be_won(mode: str, offered: bool) -> None:
    """Seat 0 pongs seat 1's 2m and lets 9s go, before seat 3 has had a turn. Waiting for his own
    discard, or for a go-round, would be too long under R9.1; under R9.2 V 1 is still too low."""
    table = stacked_table(["22m9s1p", "", "", "123p456m789m11p99s"], draws="2m", missed_win=mode)
    play_on(table, "0 discard 1p", "3 pass", "1 discard 2m", "0 pong", "0 discard 9s")
    assert wins(table, 3) == offered


def test_r9_1_only_that_players_next_discard_releases() -> None:
    """Seat 1's discard is won neither itself, nor does it free seat 2's."""
    table = stacked_table(["1p", "", "", EDGES], draws="4z1p")
    drop(table, 3)
    assert not wins(table, 3)


def test_r9_1_ones_own_next_discard_releases() -> None:
    """Seat 3 lets seat 2 off, discards, and may win seat 0's tile: seat 2 hasn't discarded again."""
    table = stacked_table(["", "", "1p", EDGES], draws="4z9s", dealer=2)
    drop(table, 3)
    assert wins(table, 3)


@MODES
def test_r9_1_a_robbed_kong_passed_up_locks(mode: str) -> None:
    """Seat 1 adds 2p and 5p to his pongs in one turn. Seat 3 waits on both and passes up the first."""
    hands = ["2p", "222p555p1z2z", "", "34p123m456m789m11s"]
    table = stacked_table(hands, draws="5p3z4z5z6z", missed_win=mode)
    play_on(table, "0 discard 2p", "1 pong", "1 discard 1z", "2 discard 5p", "1 pong", "1 discard 2z")
    pass_all(drop(pass_all(table), 3))
    assert offers(table, 1, "kong") == ["kong 2p", "kong 5p"]
    play(table, "1 kong 2p")
    assert asked(table, 3) == ["win", "pass"]
    play(table, "3 pass", "1 kong 5p")
    assert asked(table, 3) == (["win", "pass"] if mode == "none" else [])


@MODES
def test_r9_1_self_draws_stay_free(mode: str) -> None:
    table = stacked_table(["1p", "", "", EDGES], draws="4z3z9s", missed_win=mode)
    pass_all(drop(table, 3))
    play(table, "3 win")
    assert outcome(table)[0] == "self_draw"


def test_r9_1_a_lock_leaves_the_other_claims() -> None:
    table = stacked_table(["1p", "", "", EDGES], draws="9s")
    drop(table, 2)
    assert asked(table, 3) == ["pong", "pass"]


def test_r9_1_a_silent_seat_is_not_locked() -> None:
    """Seat 2 is the nearest who could win, so his win acts at once; seat 3 has passed nothing up."""
    table = stacked_table(["5p", "", "123s456s789s22m46p", GAP])
    play_on(table, "0 discard 5p", "2 win")
    assert table.over
    assert table.raw.let_off.tolist() == [-1] * 4


# ---------------------------------------------------------------- R9.2 higher only

# Thirteen tiles with a wild 7z that pairs anything (Lingao): 5p and 6p make all pongs (3), 1z a half
# flush of them (6), 5m a pure suit of them (15).
LADDER = "111222333444m7z"


def ladder(*tiles: str, mode: str = "higher_only") -> Table:
    """Seats 0, 1 and 2 let these tiles go; seat 3 passes all but the last, which is on the table."""
    options = {"preset": "lingao", "wild": "7z", "missed_win": mode}
    table = stacked_table([tiles[0], "", "", LADDER], draws="".join(tiles[1:]), **options)
    return drop(table, len(tiles))


@pytest.mark.parametrize(
    ("tiles", "offered"),
    [
        (("5p",), True),
        (("5p", "6p"), False),  # an equal V
        (("1z", "5p"), False),  # a lower one
        (("5p", "1z"), True),  # a higher one
        (("5p", "5m"), True),
        (("5p", "5m", "1z"), False),  # higher than the first, but the highest passed counts
        (("5p", "1z", "5m"), True),
        (("1z", "5p", "5m"), True),  # what wasn't offered in between changes nothing
    ],
)
def test_r9_2_only_a_higher_win_is_offered(tiles: tuple[str, ...], offered: bool) -> None:
    assert wins(ladder(*tiles), 3) == offered
    assert wins(ladder(*tiles, mode="none"), 3)
    assert wins(ladder(*tiles, mode="locked"), 3) == (len(tiles) == 1)


def test_r9_2_a_higher_win_may_be_taken() -> None:
    table = play_on(ladder("5p", "5m"), "3 win")
    assert table.end()["winners"][0]["V"] == 15


RELEASE = {"preset": "lingao", "require_fan": False}


def test_r9_2_released_by_a_draw() -> None:
    table = stacked_table(["1p", "", "", EDGES], draws="4z3z2z9s", **RELEASE)
    drop(table, 5)
    assert asked(table, 3) == ["pong", "win", "pass"]


@MODES
def test_r9_2_released_by_a_pong(mode: str) -> None:
    """Seat 3 passes 1p, pongs 9s and lets 9m go; then 6m completes him. No draw of his in between."""
    table = stacked_table(["1p", "", "", EDGES], draws="9s6m", missed_win=mode, **RELEASE)
    play_on(table, "0 discard 1p", "3 pass", "1 discard 9s", "3 pong", "3 discard 9m", "0 discard 6m")
    assert wins(table, 3)


def test_r9_2_answering_pong_instead_of_the_win_releases_too() -> None:
    """The V passed up with that very answer is forgotten when the pong begins his turn."""
    table = stacked_table(["1p", "", "", EDGES], draws="6m", **RELEASE)
    play_on(table, "0 discard 1p", "3 pong", "3 discard 9m", "0 discard 6m")
    assert wins(table, 3)


def test_r9_2_released_by_an_exposed_kong() -> None:
    """Its replacement goes; then 5p completes him again."""
    table = stacked_table(["5p", "", "", "123m456m11s46p999s"], draws="9s5p", back="4z", **RELEASE)
    play_on(table, "0 discard 5p", "3 pass", "1 discard 9s", "3 kong", "3 discard 4z", "0 discard 5p")
    assert wins(table, 3)


def test_r9_2_released_by_a_chow() -> None:
    """Seat 3 passes 5p, chows 6s and waits on 5p again. (S3 names draw, pong and kong; the chow is a
    choice.)"""
    table = stacked_table(["5p", "", "", "123m456m789s11s46p"], draws="4z6s5p", **RELEASE)
    play_on(table, "0 discard 5p", "3 pass", "1 discard 4z", "2 discard 6s", "3 chow 78s", "3 discard 9s")
    play_on(table, "0 discard 5p")
    assert wins(table, 3)


@pytest.mark.parametrize(("mode", "offered"), [("higher_only", False), ("none", True)])
def test_r9_2_others_turns_release_nothing(mode: str, offered: bool) -> None:
    table = stacked_table(["1p", "", "", EDGES], draws="4z9s", preset="lingao", missed_win=mode)
    drop(table, 3)
    assert wins(table, 3) == offered


# ---------------------------------------------------------------- R9.3 what isn't passing

# With 9p ponged the hand waits on 2p and 3s: 3s leaves the eye 22p as its licence, 2p has none.
HALF_LICENSED = "456m678m22p33s99p1z"


@pytest.mark.parametrize("mode", ["locked", "higher_only"])
@pytest.mark.parametrize("require_fan", [True, False])
def test_r9_3_not_having_a_licence_is_not_passing(mode: str, require_fan: bool) -> None:
    """Seat 0's 2p couldn't be won for want of a licence, so seat 1's 3s may; without `require_fan`
    the same pass is one."""
    hands = ["9p", "", "", HALF_LICENSED]
    table = stacked_table(hands, draws="2p3s", missed_win=mode, require_fan=require_fan)
    play_on(table, "0 discard 9p", "3 pong", "3 discard 1z", "0 discard 2p")
    assert asked(table, 3) == (["pong", "pass"] if require_fan else ["pong", "win", "pass"])
    play_on(table, "3 pass", "1 discard 3s")
    assert wins(table, 3) == require_fan


@pytest.mark.parametrize("mode", ["locked", "higher_only"])
def test_r9_3_a_win_lost_to_a_nearer_player_is_not_passed_up(mode: str) -> None:
    table = stacked_table(["5p", GAP, "", "123s456s789s22m46p"], missed_win=mode)
    play_on(table, "0 discard 5p", "1 win")
    assert (table.raw.let_off[3], table.raw.passed_v[3]) == (-1, 0)


@pytest.mark.parametrize("mode", ["locked", "higher_only"])
def test_r9_3_a_win_not_offered_while_barred_is_not_passed_up_again(mode: str) -> None:
    """The lock stays on the player whom he let off first."""
    table = stacked_table(["1p", "", "", EDGES], draws="9s", missed_win=mode)
    drop(table, 2)
    pass_all(table)
    assert (table.raw.let_off[3], table.raw.passed_v[3]) == ((0, 0) if mode == "locked" else (-1, 1))
