"""Group commit: durable when it returns, all of a call or none, many calls in a transaction."""

import asyncio
import contextlib
import signal
import subprocess
import sys

import pytest
from sqlalchemy import text

from hainan.server.store import (
    Decision,
    How,
    StorageError,
    Store,
    Write,
    acted,
    hand_dealt,
    hand_over,
    hand_void,
    match_over,
    new_id,
    room_saved,
    seat_changed,
    totals_saved,
)
from hainan.server.store.address import address, engine_of
from hainan.server.store.rows import Seat
from tests.server.store.samples import START, a_match, a_table, begun, dealt, played

pytestmark = pytest.mark.anyio


def act(match: str, n: int, hand: int = 0) -> Write:
    return acted(match, hand, n, 1, 5, How.PLAYER, 0, 2000 + n)


async def actions_in(store: Store, match: str) -> list[int]:
    found = [table for table in await store.unfinished() if table.match.id == match]
    return [decision.n for decision in found[0].actions]


async def test_another_connection_sees_it_at_once(store: Store, database_url: str) -> None:
    match = await a_table(store)
    engine = engine_of(address(database_url), "reader")
    for n in range(20):
        await store.commit(act(match, n))
        with engine.connect() as connection:
            assert connection.scalar(text("SELECT count(*) FROM actions")) == n + 1
    engine.dispose()


CHILD = """
import asyncio, sys
from hainan.server.store import Store, acted

async def main():
    store = await Store.open(sys.argv[1])
    told = 0
    async def table(match):
        for n in range(10**6):
            await store.commit(acted(match, 0, n, 0, 5, 0, 0, 0))
            print(match, n, flush=True)
    await asyncio.gather(*(table(f"{m}") for m in range(8)))

asyncio.run(main())
"""


@pytest.mark.parametrize("lines", [1, 200])
def test_what_was_told_survives_a_kill(database_url: str, lines: int) -> None:
    with subprocess.Popen(
        [sys.executable, "-W", "error", "-c", CHILD, database_url], stdout=subprocess.PIPE, text=True
    ) as child:
        assert child.stdout is not None
        told = [child.stdout.readline() for _ in range(lines)]
        child.send_signal(signal.SIGKILL)
        told += [line for line in child.stdout.readlines() if line.endswith("\n")]
    engine = engine_of(address(database_url), "reader")
    with engine.connect() as connection:
        stored = {tuple(row) for row in connection.execute(text("SELECT match, n FROM actions"))}
    engine.dispose()
    pairs = {(match, int(n)) for match, n in (line.split() for line in told)}
    assert pairs <= stored
    assert len(pairs) >= lines
    # Nor is there a gap: of each table the first ones, in order.
    for match in {match for match, _ in stored}:
        of_table = sorted(n for found, n in stored if found == match)
        assert of_table == list(range(len(of_table)))


async def test_all_of_a_call_or_nothing(store: Store) -> None:
    match = await a_table(store)
    await store.commit(act(match, 0))
    for spoiled in (
        [act(match, 1), act(match, 0)],
        [act(match, 1), hand_over("no such match", 0, {}, 1)],
        [hand_over(match, 0, {}, 1), act(match, 0)],
        [totals_saved(match, [1, 2, 3, 4]), room_saved("no room", None, False, "", 1), act(match, 1)],
    ):
        with pytest.raises(StorageError):
            await store.commit(*spoiled)
    [table] = await store.unfinished()
    assert [decision.n for decision in table.actions] == [0]
    assert table.match.totals == [0, 0, 0, 0]
    await store.commit(act(match, 1), act(match, 2))
    assert await actions_in(store, match) == [0, 1, 2]


@pytest.mark.parametrize("mixed", [False, True], ids=["actions alone", "with other writes"])
async def test_only_the_guilty_fail(store: Store, mixed: bool) -> None:
    match = await a_table(store)
    await store.commit(act(match, 0))
    calls = [[act(match, n)] + ([totals_saved(match, [n, 0, 0, -n])] if mixed else []) for n in range(1, 50)]
    calls[20].append(act(match, 0))
    calls[30] = [act(match, 0)]
    results = await asyncio.gather(*(store.commit(*call) for call in calls), return_exceptions=True)
    failed = [n for n, result in enumerate(results) if result is not None]
    assert failed == [20, 30]
    assert all(isinstance(results[n], StorageError) for n in failed)
    assert await actions_in(store, match) == [n for n in range(50) if n not in (21, 31)]


async def test_many_calls_share_a_transaction(store: Store) -> None:
    match = await a_table(store)
    transactions: list[tuple[int, float]] = []
    store.on_commit(lambda calls, seconds: transactions.append((calls, seconds)))
    await asyncio.gather(*(store.commit(act(match, n)) for n in range(1000)))
    assert sum(calls for calls, _ in transactions) == 1000
    assert len(transactions) <= 20
    assert all(seconds > 0 for _, seconds in transactions)
    assert await actions_in(store, match) == list(range(1000))


async def test_a_hand_is_settled_once(store: Store) -> None:
    match = await a_match(store)
    committed, deal = dealt(match)
    with pytest.raises(StorageError):
        await store.commit(deal)
    await store.commit(committed)
    with pytest.raises(StorageError):
        await store.commit(committed)
    with pytest.raises(StorageError):
        await store.commit(hand_over(match, 0, {}, 1))  # not dealt
    await store.commit(deal)
    with pytest.raises(StorageError):
        await store.commit(hand_dealt(match, 0, [], START, "", 1))
    await store.commit(hand_over(match, 0, {"payments": [3, -1, -1, -1]}, 1))
    for again in (hand_over(match, 0, {"payments": [0, 0, 0, 0]}, 2), hand_void(match, 0, 2), deal):
        with pytest.raises(StorageError):
            await store.commit(again)
    hand = await store.hand(match, 0)
    assert hand is not None
    assert (hand.end, hand.ended_at, hand.void) == ({"payments": [3, -1, -1, -1]}, 1, False)
    await store.commit(match_over(match, "length", [3, -1, -1, -1], 5))
    for late in (match_over(match, "vote", [0] * 4, 6), totals_saved(match, [0] * 4)):
        with pytest.raises(StorageError):
            await store.commit(late)
    stored = await store.match(match)
    assert stored is not None
    assert (stored.how, stored.totals, stored.ended_at) == ("length", [3, -1, -1, -1], 5)


async def test_every_other_write(store: Store) -> None:
    match = await a_table(store)
    [table] = await store.unfinished()
    await store.commit(
        totals_saved(match, [1, 2, 3, -6]),
        seat_changed(match, Seat(2, "somebody", "New", "greedy")),
        hand_void(match, 0, 77),
        room_saved(table.room.code, "owner", True, "{}", 78),
    )
    [table] = await store.unfinished()
    assert table.hand is None
    assert table.match.totals == [1, 2, 3, -6]
    assert table.match.seats[2] == Seat(2, "somebody", "New", "greedy")
    assert (table.room.owner, table.room.listed, table.room.state, table.room.updated_at) == (
        "owner",
        True,
        "{}",
        78,
    )
    hand = await store.hand(match, 0)
    assert hand is not None
    assert (hand.void, hand.ended_at) == (True, 77)
    await store.commit()


async def test_a_match_needs_its_room(store: Store) -> None:
    with pytest.raises(StorageError):
        await store.commit(*begun(new_id(), "000000"))


async def test_a_refusal_tells_no_secret(store: Store) -> None:
    match = await a_match(store)
    committed, deal = dealt(match)
    await store.commit(committed)
    await store.commit(deal)
    stray = committed._replace(parameters=committed.parameters | {"match": "none"})
    null = committed._replace(parameters=committed.parameters | {"committed_at": None, "n": 1})
    for write in (committed, deal, stray, null):
        with pytest.raises(StorageError) as refused:
            await store.commit(write)
        told: list[str] = []
        error: BaseException | None = refused.value
        while error is not None:
            told.append(f"{error} {error!r}")
            error = error.__cause__ or error.__context__
        assert played().shuffle.seed.hex() not in " ".join(told)
        assert played().wall not in " ".join(told)


async def test_a_cancelled_call_disturbs_nobody(store: Store) -> None:
    match = await a_table(store)
    tasks = [asyncio.ensure_future(store.commit(act(match, n))) for n in range(20)]
    await asyncio.sleep(0)
    tasks[3].cancel()
    results = await asyncio.gather(*tasks, return_exceptions=True)
    assert [n for n, result in enumerate(results) if result is not None] == [3]
    await store.commit(act(match, 20))


async def test_closing_carries_out_what_is_queued(database_url: str) -> None:
    store = await Store.open(database_url)
    match = await a_table(store)
    tasks = [asyncio.ensure_future(store.commit(act(match, n))) for n in range(100)]
    await asyncio.sleep(0)
    await store.close()
    assert await asyncio.gather(*tasks) == [None] * 100
    with pytest.raises(StorageError, match="closed"):
        await store.commit(act(match, 100))
    await store.close()
    again = await Store.open(database_url)
    assert await actions_in(again, match) == list(range(100))
    await again.close()


async def test_a_lost_connection_is_found_again(postgres_url: str, anyio_backend: str) -> None:
    store = await Store.open(postgres_url)
    match = await a_table(store)
    engine = engine_of(address(postgres_url), "writer")
    with engine.connect() as connection:
        connection.execute(
            text(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity "
                "WHERE datname = current_database() AND pid <> pg_backend_pid()"
            )
        )
    engine.dispose()
    with contextlib.suppress(StorageError):  # a call alone in its transaction is told; nothing is stored
        await store.commit(act(match, 0))
    await asyncio.gather(*(store.commit(act(match, n)) for n in range(1, 30)))
    assert (await actions_in(store, match))[-1] == 29
    await store.ping()
    await store.close()


async def test_an_unreachable_database_refuses_everybody(postgres_url: str, anyio_backend: str) -> None:
    store = await Store.open(postgres_url)
    match = await a_table(store)
    store._writer._disconnect()
    store._writer._engine = engine_of(address("postgresql://nobody@127.0.0.1:1/none"), "writer")
    tries = (store.commit(act(match, n)) for n in range(50))
    results = await asyncio.gather(*tries, return_exceptions=True)
    assert all(isinstance(result, StorageError) for result in results)
    assert await actions_in(store, match) == []
    await store.close()


async def test_actions_are_stored_as_they_were(store: Store) -> None:
    match = await a_table(store)
    written = [
        Decision(0, 0, 0, How.PLAYER, 0, 0),
        Decision(1, 3, 155, How.BOT, 2**31 - 1, 2**53),
        Decision(2, 1, 39, How.TIME_OVER, 17, 1),
        Decision(3, 2, 118, How.AUTO, 1, 1_796_001_787_482),
    ]
    await store.commit(
        *(acted(match, 0, d.n, d.seat, d.action, d.how, d.bank_ms, d.at) for d in reversed(written))
    )
    [table] = await store.unfinished()
    assert table.actions == written
