"""Rooms, and what a server finds when it starts again."""

import asyncio

import pytest

from hainan.server.store import (
    How,
    Secret,
    StorageError,
    Store,
    acted,
    hand_committed,
    hand_over,
    hand_void,
    match_over,
    room_closed,
    room_saved,
    room_used,
)
from tests.server.store import samples
from tests.server.store.samples import NONCES, a_match, a_table, actions_of, dealt, played

pytestmark = pytest.mark.anyio


async def test_codes_are_each_rooms_own(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = iter([7, 7, 7, 8, 123456])
    monkeypatch.setattr("hainan.server.store.rooms.secrets.randbelow", lambda below: next(drawn))
    codes = await asyncio.gather(*(store.create_room(None, False, "{}") for _ in range(3)))
    assert codes == ["000007", "000008", "123456"]
    await store.commit(room_closed("000007", "{}", 5))
    drawn = iter([7, 9])
    assert await store.create_room(None, False, "{}") == "000009"


async def test_a_room(store: Store) -> None:
    code = await store.create_room("owner", True, '{"名": 1}', at=3)
    room = await store.room(code)
    assert room is not None
    assert (room.code, room.owner, room.listed, room.state) == (code, "owner", True, '{"名": 1}')
    assert (room.created_at, room.updated_at, room.closed_at) == (3, 3, None)
    assert await store.room("999 99") is None
    await store.commit(room_saved(code, None, False, "{1}", 5))
    await store.commit(room_used(code, 6))
    saved = await store.room(code)
    assert saved is not None
    assert (saved.owner, saved.listed, saved.state, saved.updated_at) == (None, False, "{1}", 6)


async def test_a_room_is_closed_once_and_for_all(store: Store) -> None:
    code = await store.create_room("owner", True, "{}", at=3)
    assert [room.code for room in await store.listed_rooms()] == [code]
    await store.commit(room_closed(code, "{2}", 8))
    closed = await store.room(code)
    assert closed is not None
    assert (closed.owner, closed.state, closed.updated_at, closed.closed_at) == ("owner", "{2}", 8, 8)
    assert await store.listed_rooms() == []
    for late in (room_closed(code, "{}", 9), room_used(code, 9), room_saved(code, None, True, "{}", 9)):
        with pytest.raises(StorageError, match="changed 0 rows"):
            await store.commit(late)
    assert await store.room(code) == closed


async def test_unused_rooms_are_open_ones_of_long_ago(store: Store) -> None:
    old = [await store.create_room(None, False, "{}", at=at) for at in (30, 10, 20)]
    await store.create_room(None, False, "{}", at=100)
    closed = await store.create_room(None, False, "{}", at=1)
    await store.commit(room_closed(closed, "{}", 2))
    used = await store.create_room(None, False, "{}", at=1)
    await store.commit(room_used(used, 100))
    ended = await a_match(store, at=15)
    await store.commit(match_over(ended, "vote", [0] * 4, 16))
    playing = [await a_match(store, at=at) for at in (5, 60, 15)]
    rooms = {match: (await store.match(match)).room for match in (ended, *playing)}
    found = await store.unused_rooms(50, 15)
    assert found == [rooms[playing[0]], old[1], rooms[ended], old[2], old[0]], "the longest unused first"
    assert set(await store.unused_rooms(0, 100)) == {rooms[match] for match in playing}
    assert await store.unused_rooms(1, 1) == []


async def test_pages_of_listed_rooms_stay(store: Store) -> None:
    codes = [await store.create_room(None, True, "{}", at=100 + n // 3) for n in range(10)]
    await store.create_room(None, False, "{}", at=100)  # hidden
    whole = await store.listed_rooms(limit=100)
    assert {room.code for room in whole} == set(codes)
    assert [room.created_at for room in whole] == sorted((room.created_at for room in whole), reverse=True)
    seen = await store.listed_rooms(limit=4)
    # Rooms are opened, and the last one seen is closed, while somebody turns the page.
    await store.create_room(None, True, "{}", at=500)
    await store.commit(room_closed(seen[-1].code, "{}", 600))
    while page := await store.listed_rooms(before=seen[-1].code, limit=4):
        seen += page
    assert [room.code for room in seen] == [room.code for room in whole]
    assert await store.listed_rooms(before="no room") == []


async def test_unfinished_is_what_was_written(store: Store) -> None:
    begun = await a_match(store, at=1)
    committed = await a_match(store, at=2)
    await store.commit(hand_committed(committed, 0, "commitment", "5eed", 1100))
    dealt_only = await a_table(store)
    playing = await a_table(store)
    await store.commit(*actions_of(playing)[:50])
    second = await a_table(store)
    await store.commit(*actions_of(second), hand_over(second, 0, played().end, 1))
    await store.commit(*dealt(second, 1), acted(second, 1, 0, 2, 3, How.AUTO, 250, 77))
    voided = await a_table(store)
    await store.commit(*actions_of(voided)[:9], hand_void(voided, 0, 1))
    ended = await a_table(store)
    await store.commit(match_over(ended, "vote", [0] * 4, 1))
    closed = await a_table(store)
    [in_closed] = [table.room for table in await store.unfinished() if table.match.id == closed]
    await store.commit(room_closed(in_closed.code, "{}", 1))

    found = {table.match.id: table for table in await store.unfinished()}
    assert set(found) == {begun, committed, dealt_only, playing, second, voided}
    assert next(iter(found)) == begun, "the oldest first"
    for match, table in found.items():
        assert table.match == await store.match(match)
        assert table.room == await store.room(table.match.room)
    assert (found[begun].hand, found[begun].actions) == (None, [])
    assert found[committed].hand == Secret(committed, 0, "commitment", "5eed", None, None, None, 1100, None)
    hand = played()
    secret = (
        hand.shuffle.commitment,
        hand.shuffle.seed.hex(),
        list(NONCES),
        hand.start,
        hand.wall,
        1100,
        1200,
    )
    assert found[dealt_only].hand == Secret(dealt_only, 0, *secret)
    assert found[dealt_only].actions == []
    assert found[playing].hand == Secret(playing, 0, *secret)
    assert [(d.seat, d.action) for d in found[playing].actions] == hand.actions[:50]
    assert [d.n for d in found[playing].actions] == list(range(50))
    assert found[second].hand == Secret(second, 1, *secret)
    [only] = found[second].actions
    assert (only.n, only.seat, only.action, only.how, only.bank_ms, only.at) == (0, 2, 3, How.AUTO, 250, 77)
    assert (found[voided].hand, found[voided].actions) == (None, [])


async def test_unfinished_of_one_room(store: Store) -> None:
    match = await a_table(store)
    other = await a_table(store)
    await store.commit(*actions_of(match)[:5], *actions_of(other)[:7])
    tables = {table.match.id: table for table in await store.unfinished()}
    assert await store.unfinished(tables[match].room.code) == [tables[match]]
    assert await store.unfinished("none") == []


async def test_more_tables_than_fit_a_query(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("hainan.server.store.history._MANY", 3)
    matches = [await a_match(store, at=n) for n in range(8)]
    assert [table.match.id for table in await store.unfinished()] == matches
    assert all(len(table.match.seats) == 4 for table in await store.unfinished())
    assert samples.played().actions, "a hand was played"
