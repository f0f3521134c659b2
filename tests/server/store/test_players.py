"""Players: guests, accounts, what is stored about one, and its deletion."""

import asyncio
import json

import pytest
from sqlalchemy import text

from hainan.server.store import NameTakenError, StorageError, Store, new_id, room_closed
from hainan.server.store.address import address, engine_of
from tests.server.store.samples import a_finished_hand, a_match, actions_of, dealt, played

pytestmark = pytest.mark.anyio


async def test_the_secret_stays_and_starts_are_counted(database_url: str) -> None:
    store = await Store.open(database_url)
    secrets = await asyncio.gather(*(store.secret() for _ in range(5)))
    assert len(set(secrets)) == 1
    assert len(secrets[0]) == 32
    assert await store.next_generation() == 1
    await store.close()
    store = await Store.open(database_url)
    assert await store.secret() == secrets[0]
    assert await store.next_generation() == 2
    await store.close()


async def test_a_guest(store: Store) -> None:
    guest = await store.create_player("安", at=5)
    assert await store.player(guest.id) == guest
    assert (guest.name, guest.epoch, guest.is_bot, guest.created_at, guest.seen_at) == ("安", 0, False, 5, 5)
    assert guest.password_hash is None
    await store.rename(guest.id, "Ann")
    await store.seen(guest.id, 9)
    assert await store.revoke(guest.id) == 1
    assert await store.revoke(guest.id) == 2
    changed = await store.player(guest.id)
    assert changed is not None
    assert (changed.name, changed.epoch, changed.seen_at) == ("Ann", 2, 9)
    assert await store.player_by_account("Ann") is None
    assert await store.player(new_id()) is None
    assert (await store.create_player("robot", is_bot=True)).is_bot


async def test_an_account(store: Store) -> None:
    ann, other = await store.create_player("Änn"), await store.create_player("änN")
    await store.set_password(ann.id, "hash")
    found = await store.player_by_account("  äNN ")
    assert found is not None
    assert (found.id, found.password_hash, found.account_name) == (ann.id, "hash", "änn")
    with pytest.raises(NameTakenError, match="another account is called 'änN'"):
        await store.set_password(other.id, "hash 2")
    await store.rename(other.id, "Bob")
    await store.set_password(other.id, "hash 2")
    with pytest.raises(NameTakenError):
        await store.rename(other.id, "ÄNN")
    await store.rename(ann.id, "ÄNN")  # one's own
    await store.set_password(ann.id, "hash 3")
    await store.rename(ann.id, "Cem")
    assert await store.player_by_account("änn") is None
    await store.rename(other.id, "Änn")


async def test_one_of_many_gets_the_name(store: Store) -> None:
    players = [await store.create_player("Same") for _ in range(10)]
    results = await asyncio.gather(
        *(store.set_password(player.id, "hash") for player in players), return_exceptions=True
    )
    assert sum(result is None for result in results) == 1
    assert sum(isinstance(result, NameTakenError) for result in results) == 9


async def test_nobody_is_changed_who_isnt_there(store: Store) -> None:
    for change in (store.rename("x", "y"), store.set_password("x", "y"), store.revoke("x"), store.seen("x")):
        with pytest.raises(StorageError, match="no player x"):
            await change
    with pytest.raises(StorageError):
        await store.delete_player("x")
    assert await store.export("x") is None


async def test_export_has_everything(store: Store) -> None:
    ann, bob = await store.create_player("Ann"), await store.create_player("Bob")
    await store.set_password(ann.id, "argon hash")
    code = await store.create_room(ann.id, True, "{}", at=7)
    finished = await a_finished_hand(store, [bob.id, ann.id, None, None])
    running = await a_match(store, [ann.id, None, None, None], at=2000)
    await store.commit(*dealt(running), *actions_of(running)[:30])
    await a_match(store, [bob.id, None, None, None])
    exported = await store.export(ann.id)
    assert exported is not None
    said = json.dumps(exported)
    assert "argon hash" not in said
    assert exported["player"]["name"] == "Ann"
    assert exported["player"]["has_password"] is True
    assert exported["rooms"] == [{"code": code, "created_at": 7, "closed_at": None}]
    assert [match["id"] for match in exported["matches"]] == [finished, running]
    over, going_on = (match["hands"][0] for match in exported["matches"])
    mine = [place for place, (seat, _) in enumerate(played().actions) if seat == 1]
    assert [decision["n"] for decision in over["decisions"]] == mine
    assert over["end"] == played().end
    assert {decision["how"] for decision in over["decisions"]} == {"player"}
    assert {decision["seat"] for decision in going_on["decisions"]} == {0}
    assert going_on["end"] is None
    assert played().shuffle.seed.hex() not in json.dumps(going_on)
    assert played().wall not in said


async def test_deletion_leaves_nothing_but_the_hands(store: Store, database_url: str) -> None:
    ann, bob = await store.create_player("Ann's name"), await store.create_player("Bob")
    await store.set_password(ann.id, "argon hash")
    match = await a_finished_hand(store, [bob.id, ann.id, None, None])
    code = await store.create_room(ann.id, False, "{}")
    state = json.dumps({"chairs": [{"player": ann.id, "name": "Ann's name"}]})
    await store.commit(room_closed(code, state, 5))
    # Names at the table are those of the players.
    engine = engine_of(address(database_url), "writer")
    with engine.begin() as connection:
        connection.execute(text("UPDATE match_seats SET name = 'Ann''s name' WHERE seat = 1"))
    await store.delete_player(ann.id, at=99)
    assert await store.player(ann.id) is None
    assert await store.player_by_account("Ann's name") is None
    assert await store.export(ann.id) is None
    with engine.begin() as connection:
        for table in ("players", "rooms", "matches", "match_seats", "hands", "settings"):
            for row in connection.execute(text(f"SELECT * FROM {table}")):
                assert "ann's name" not in str(row).casefold()
                assert "argon hash" not in str(row)
    engine.dispose()
    record = await store.record(match, 0)
    assert record is not None
    assert record["names"] == ["name 0", "", "name 2", "name 3"]
    assert [found.id for found in await store.matches_of(bob.id)] == [match]
    # The name is free again.
    await store.rename(bob.id, "Ann's name")
    await store.set_password(bob.id, "hash")
    with pytest.raises(StorageError):
        await store.delete_player(ann.id)
