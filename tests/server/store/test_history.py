"""Matches, hands and records, by pages, without anything that is still hidden."""

import json

import msgspec
import pytest

from hainan.records import final_table, read_record
from hainan.rules.presets import digest, rules_to_json
from hainan.server.store import Store, hand_committed, hand_over, hand_void, new_id
from hainan.shuffle import verify
from tests.server.store.samples import (
    NONCES,
    RULES,
    a_finished_hand,
    a_match,
    a_table,
    actions_of,
    dealt,
    played,
)

pytestmark = pytest.mark.anyio


async def test_a_record_replays_and_proves(store: Store) -> None:
    match = await a_finished_hand(store)
    record = await store.record(match, 0)
    assert record is not None
    assert all(check.holds for check in verify(record))
    assert verify(json.loads(json.dumps(record))) == verify(record)
    table = final_table(read_record(record))
    assert table.over
    assert table.end() == played().end == record["end"]
    stored = await store.match(match)
    assert stored is not None
    assert (record["match"], record["hand"], record["room"]) == (match, 0, stored.room)
    assert record["names"] == ["name 0", "name 1", "name 2", "name 3"]
    assert (record["committed_at"], record["dealt_at"], record["ended_at"]) == (1100, 1200, 9000)
    assert record["shuffle"] == played().shuffle.to_json()
    assert [decision["at"] for decision in record["decisions"]] == [
        1300 + place for place in range(len(played().actions))
    ]


async def test_a_record_tells_the_commitment_that_was_told(store: Store) -> None:
    """One that doesn't fit the seed must not be repaired on the way out."""
    match = await a_match(store)
    committed, deal = dealt(match)
    told = committed._replace(parameters=committed.parameters | {"commitment": "00"})
    await store.commit(told, deal, hand_over(match, 0, {}, 5))
    assert [check.holds for check in verify(await store.record(match, 0))] == [False, True, True]


async def test_a_running_hand_keeps_its_secrets(store: Store) -> None:
    match = await a_table(store)
    await store.commit(*actions_of(match)[:40])
    assert await store.record(match, 0) is None
    hand, [listed] = await store.hand(match, 0), await store.hands(match)
    assert hand == listed
    assert hand is not None
    assert (hand.seed, hand.nonces, hand.wall, hand.end, hand.ended_at) == (None,) * 5
    assert (hand.commitment, hand.start, hand.dealt_at) == (
        played().shuffle.commitment,
        played().start,
        1200,
    )
    said = msgspec.json.encode([hand, listed, await store.match(match), await store.listed_rooms()]).decode()
    for secret in (played().shuffle.seed.hex(), played().wall, played().wall[:20], NONCES[0]):
        assert secret not in said
    await store.commit(*actions_of(match)[40:], hand_over(match, 0, played().end, 5))
    hand = await store.hand(match, 0)
    assert hand is not None
    assert (hand.seed, hand.nonces, hand.wall) == (
        played().shuffle.seed.hex(),
        list(NONCES),
        played().wall,
    )


async def test_where_there_is_no_record(store: Store) -> None:
    match = await a_match(store)
    await store.commit(hand_committed(match, 0, "commitment", "5eed", 1))
    assert await store.record(match, 0) is None
    await store.commit(hand_void(match, 0, 2))
    assert await store.record(match, 0) is None, "it was never dealt"
    assert await store.record(match, 1) is None
    assert await store.record("none", 0) is None
    assert await store.hand(match, 1) is None
    assert await store.match("none") is None
    await store.commit(*dealt(match, 1), *actions_of(match, 1)[:10], hand_void(match, 1, 9))
    void = await store.record(match, 1)
    assert void is not None
    assert (void["void"], len(void["actions"]), void["end"]) == (True, 10, None)
    assert all(check.holds for check in verify(void))


async def test_a_match(store: Store) -> None:
    match = await a_match(store, ["a", None, "c", "d"])
    stored = await store.match(match)
    assert stored is not None
    assert (stored.rules, stored.digest, stored.players) == (rules_to_json(RULES), digest(RULES), 4)
    assert (stored.private, stored.share, stored.started_at) == (True, f"share {match}", 1000)
    assert (stored.ended_at, stored.how, stored.totals) == (None, None, [0, 0, 0, 0])
    assert [(seat.seat, seat.player, seat.name) for seat in stored.seats] == [
        (0, "a", "name 0"),
        (1, None, "name 1"),
        (2, "c", "name 2"),
        (3, "d", "name 3"),
    ]


async def test_pages_of_matches_stay(store: Store) -> None:
    me = new_id()
    mine = [await a_match(store, [None, me, None, None], at=100 + n // 3) for n in range(10)]
    await a_match(store, [me, me, None, None], at=50)
    await a_match(store, ["another", None, None, None], at=101)
    whole = [match.id for match in await store.matches_of(me, limit=100)]
    assert len(whole) == 11
    assert set(mine) < set(whole)
    seen = [match.id for match in await store.matches_of(me, limit=4)]
    await a_match(store, [me, None, None, None], at=500)
    while page := await store.matches_of(me, before=seen[-1], limit=4):
        seen += [match.id for match in page]
    assert seen == whole
    assert await store.matches_of(me, before="none") == []
    assert await store.matches_of("nobody") == []


async def test_pages_of_hands(store: Store) -> None:
    match = await a_match(store)
    for n in range(7):
        await store.commit(*dealt(match, n), hand_over(match, n, {"n": n}, n))
    first = await store.hands(match, limit=3)
    assert [hand.n for hand in first] == [0, 1, 2]
    rest = await store.hands(match, after=2, limit=10)
    assert [hand.n for hand in rest] == [3, 4, 5, 6]
    assert rest[0].end == {"n": 3}
    assert await store.hands(match, after=6) == []
    assert await store.hands("none") == []
