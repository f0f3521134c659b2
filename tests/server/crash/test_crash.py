"""Nothing is lost by `kill -9`: a match goes on at the same decision, whenever its server is killed."""

import asyncio
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest

from hainan.engine.jit import COMPILED
from hainan.records import final_table, read_record
from hainan.server.store import Store
from hainan.shuffle import verify
from tests.conftest import SOAK
from tests.server.crash.crew import Before, Crew, Servers

SEED = 77
RULES: dict[str, Any] = {"preset": "hainan", "hands": 2}
Plan = Callable[[Servers], Before | None]


def undisturbed(_: Servers) -> None:
    return None


async def played(database: str, plan: Plan, crews: int = 1, processes: int = 1) -> tuple[list[Any], int]:
    """Records and totals of matches, and how often the server was killed."""
    servers = Servers(database, SEED, processes)
    try:
        servers.start()
        tables = [Crew(servers, names) for names in ("abcd", "efgh", "ijkl")[:crews]]
        for crew in tables:
            await until_there(servers)
            await crew.open(**RULES)
        before = plan(servers)
        await asyncio.gather(*(crew.play(before) for crew in tables))
        for crew in tables:
            for player in crew.players:
                assert player.seqs == sorted(player.seqs), "numbers go up, over every restart"
            await crew.close()
    finally:
        servers.close()
    return await stored(database, [crew.code for crew in tables]), servers.kills


async def until_there(servers: Servers) -> None:
    for _ in range(500):
        try:
            _, writer = await asyncio.open_connection("127.0.0.1", servers.port)
        except OSError:
            await asyncio.sleep(0.02)
        else:
            writer.close()
            return
    raise AssertionError("the server didn't start")


async def stored(database: str, codes: list[str]) -> list[Any]:
    """What is left of each room's match: records, bills, totals."""
    store = await Store.open(database)
    try:
        return [await story(store, code) for code in codes]
    finally:
        await store.close()


async def story(store: Store, code: str) -> Any:
    from sqlalchemy import select

    from hainan.server.store import schema

    query = select(schema.matches.c.id).where(schema.matches.c.room == code)
    match_id = await store._read(lambda connection: connection.execute(query).scalar_one())
    match = await store.match(match_id)
    assert match is not None
    assert match.how == "length"
    records, bills = [], []
    for hand in await store.hands(match_id):
        record = await store.record(match_id, hand.n)
        assert record is not None
        assert all(check.holds for check in verify(record))
        table = final_table(read_record(record))
        assert table.end() == hand.end, "the bill is that of the actions"
        records.append([record["wall"], record["actions"], record["shuffle"]])
        bills.append(table.payments)
    assert match.totals == [sum(points) for points in zip(*bills, strict=True)], "settled once"
    return [records, match.totals]


def url(folder: Path, name: str) -> str:
    return f"sqlite:///{folder / name}.sqlite3"


@pytest.fixture(scope="module")
def truth(tmp_path_factory: pytest.TempPathFactory) -> list[Any]:
    """The match when nothing happens to its server."""
    return asyncio.run(played(url(tmp_path_factory.mktemp("truth"), "truth"), undisturbed))[0]


def kills_at(moments: Callable[[int], bool], delay: Callable[[], float]) -> Plan:
    """Kill the server right after these steps are taken, or a little later."""

    def plan(servers: Servers) -> Before:
        async def before(tried: int) -> None:
            if moments(tried):
                asyncio.get_running_loop().call_later(delay(), servers.kill)

        return before

    return plan


@pytest.mark.skipif(not COMPILED, reason="the same code as compiled, but too slow for real time")
@pytest.mark.parametrize("processes", [1, 2] if SOAK else [1])
@pytest.mark.parametrize("part", range(4) if SOAK else [0])
def test_killed_at_its_decisions(tmp_path: Path, truth: list[Any], part: int, processes: int) -> None:
    every = 4 if SOAK else 12
    rng = Random(part)
    plan = kills_at(lambda tried: tried % every == part, lambda: rng.choice([0.0, 0.0005, 0.002, 0.004]))
    records, kills = asyncio.run(played(url(tmp_path, "killed"), plan, processes=processes))
    assert records == truth
    assert kills > 3


@pytest.mark.skipif(not COMPILED, reason="the same code as compiled, but too slow for real time")
@pytest.mark.parametrize("processes", [1, 2] if SOAK else [2])
def test_killed_at_random_moments_under_load(tmp_path: Path, processes: int) -> None:
    """Several tables at once: each match is what its own record says, settled once, with no action twice."""
    rng = Random(5)
    plan = kills_at(lambda tried: rng.random() < (0.1 if SOAK else 0.02), lambda: rng.uniform(0, 0.01))
    stories, kills = asyncio.run(played(url(tmp_path, "load"), plan, 3, processes))
    assert len(stories) == 3
    assert kills > 1
