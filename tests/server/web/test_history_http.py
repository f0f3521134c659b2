"""Matches, hands, records and proofs: who sees them, and what is told of a hand that isn't over."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import httpx
import pytest

from hainan.rules.presets import digest, rules_of, rules_to_json
from hainan.rules.tiles import text_of
from hainan.server.store import (
    How,
    Seat,
    Start,
    acted,
    hand_committed,
    hand_dealt,
    hand_over,
    match_begun,
    new_id,
)
from hainan.shuffle import Shuffle
from hainan.table import Table
from tests.server.web.conftest import Running

RULES = rules_of("hainan", 4, ga=False)
NONCES = ["a", "b", "", ""]


@dataclass
class Played:
    """A match with a hand that is over and one that isn't."""

    id: str
    share: str
    shuffles: list[Shuffle]
    room: str
    clients: list[httpx.Client]


def played_hand(shuffle: Shuffle) -> Table:
    deal = shuffle.deal(RULES)
    table = Table(RULES, wall=deal.wall, dice=deal.dice)
    while not table.over:
        seat, actions = next(iter(table.legal().items()))
        table.act(seat, next((a for a in actions if a.text == "pass"), actions[0]))
    return table


@pytest.fixture(scope="module", params=[True, False], ids=["private", "listed"])
def played(server: Running, request: pytest.FixtureRequest) -> Iterator[Played]:
    """In a private room, and in a listed one."""
    guests = [server.guest(f"玩家{n}") for n in range(2)]
    clients = [server.http(headers={"Authorization": f"Bearer {guest['token']}"}) for guest in guests]
    code = clients[0].post("/api/rooms", json={"settings": {"listed": not request.param}}).json()["code"]
    match = Played(new_id(), new_id(), [Shuffle.new().with_nonces(NONCES) for _ in range(2)], code, clients)
    server.run(store_it(server, match, guests, request.param))
    yield match
    for client in clients:
        client.close()


async def store_it(server: Running, match: Played, guests: list[dict[str, str]], private: bool) -> None:
    table = played_hand(match.shuffles[0])
    seats = [Seat(n, guest["player"], guest["name"]) for n, guest in enumerate(guests)]
    seats += [Seat(n, None, "", "greedy") for n in (2, 3)]
    begun = match_begun(
        match.id, match.room, rules_to_json(RULES), digest(RULES), seats, private, match.share, 1
    )
    await server.store.commit(*begun)
    for n, shuffle in enumerate(match.shuffles):
        deal = shuffle.deal(RULES)
        start = Start(
            players=4,
            dealer=0,
            streak=0,
            round_wind=0,
            ga_floor=[0] * 4,
            dice=deal.dice,
            first_dealer=0,
            hands_played=n,
            rounds_played=0,
        )
        await server.store.commit(hand_committed(match.id, n, shuffle.commitment, shuffle.seed.hex(), 2))
        await server.store.commit(hand_dealt(match.id, n, NONCES, start, text_of(deal.wall), 3))
    for n, (seat, action) in enumerate(table.actions):
        await server.store.commit(acted(match.id, 0, n, seat, int(action), How.PLAYER, 0, 4))
    bill = table.end()
    assert bill is not None
    await server.store.commit(hand_over(match.id, 0, bill, 5))


def test_my_matches(played: Played) -> None:
    page = played.clients[0].get("/api/matches").json()
    assert played.id in [match["id"] for match in page["matches"]]
    match = played.clients[1].get(f"/api/matches/{played.id}").json()
    assert [seat["name"] for seat in match["seats"]] == ["玩家0", "玩家1", "", ""]
    assert match["room"] == played.room
    assert "share" not in match


def test_pages_of_matches(server: Running) -> None:
    guest = server.guest("常客")
    with server.http(headers={"Authorization": f"Bearer {guest['token']}"}) as client:
        code = client.post("/api/rooms").json()["code"]
        ids = [new_id() for _ in range(3)]
        for at, match in enumerate(ids):
            seats = [Seat(0, guest["player"], "常客"), *(Seat(n, None, "", "greedy") for n in (1, 2, 3))]
            begun = match_begun(match, code, {"preset": "hainan"}, "x", seats, True, new_id(), at)
            server.run(server.store.commit(*begun))
        one = client.get("/api/matches?limit=2").json()
        other = client.get(f"/api/matches?limit=2&before={one['next']}").json()
    assert [match["id"] for match in one["matches"] + other["matches"]] == ids[::-1]
    assert other["next"] is None


PARTS = ("", "/hands", "/hands/0/record", "/hands/0/proof")


@pytest.mark.parametrize("part", PARTS)
def test_who_sees_it(server: Running, played: Played, part: str) -> None:
    path = f"/api/matches/{played.id}{part}"
    private = played.clients[0].get(f"/api/matches/{played.id}").json()["private"]
    assert all(client.get(path).status_code == 200 for client in played.clients)
    with server.http() as visitor, server.bearer("路人") as other:
        seen = [visitor.get(path), other.get(path)]
        expected = [401, 403] if private else [200, 200]
        assert [answer.status_code for answer in seen] == expected
        if private:
            assert [answer.json()["code"] for answer in seen] == ["not_signed_in", "not_yours"]
        for token in ("", "x", played.share[:-1], played.share.upper() + "é"):
            answer = visitor.get(path, params={"share": token})
            assert answer.status_code == (401 if private else 200), token
        shared = visitor.get(path, params={"share": played.share})
        assert shared.status_code == 200
        if private and part in ("", "/hands/0/record"):
            # The room's code would let the visitor in; his friends only showed him what they played.
            assert played.room not in shared.text


def test_share(server: Running, played: Played) -> None:
    link = played.clients[1].post(f"/api/matches/{played.id}/share").json()
    assert link["token"] == played.share
    assert link["link"] == f"{server.url}/m/{played.id}?share={played.share}"
    with server.bearer("路人") as other:
        assert other.post(f"/api/matches/{played.id}/share").json()["code"] == "not_yours"


def test_the_hand_that_is_over(server: Running, played: Played) -> None:
    client = played.clients[0]
    over, present = client.get(f"/api/matches/{played.id}/hands").json()["hands"]
    assert over["end"]["legal"] is True
    assert present["end"] is None
    record = client.get(f"/api/matches/{played.id}/hands/0/record").json()
    proof = client.get(f"/api/matches/{played.id}/hands/0/proof").json()
    shuffle = played.shuffles[0]
    assert proof == {
        "algorithm": "hainan-shuffle/1",
        "commitment": shuffle.commitment,
        "seed": shuffle.seed.hex(),
        "nonces": NONCES,
    }
    assert record["shuffle"] == proof
    verdict = client.post("/api/verify", json=record).json()
    assert verdict["holds"] is True
    assert [check["what"] for check in verdict["checks"]] == ["commitment", "dice", "wall"]
    record["dice"] = [7 - die for die in record["dice"]]
    assert client.post("/api/verify", json=record).json()["holds"] is False


def test_of_the_hand_that_is_on_nothing_is_told_but_its_commitment(server: Running, played: Played) -> None:
    shuffle = played.shuffles[1]
    wall = text_of(shuffle.deal(RULES).wall)
    client = played.clients[0]
    answers = [
        client.get(f"/api/matches/{played.id}{part}")
        for part in ("", "/hands", "/hands?after=0", "/hands/1/record", "/hands/1/proof")
    ]
    answers.append(client.get("/api/matches"))
    answers.append(client.get("/api/players/me/export"))
    assert answers[3].json()["code"] == "not_now"
    assert answers[4].json() == {
        "algorithm": "hainan-shuffle/1",
        "commitment": shuffle.commitment,
        "seed": None,
        "nonces": None,
    }
    for answer in answers:
        assert shuffle.seed.hex() not in answer.text
        assert wall not in answer.text
        assert wall[:20] not in answer.text


def test_hands_by_pages(played: Played) -> None:
    client = played.clients[0]
    one = client.get(f"/api/matches/{played.id}/hands?limit=1").json()
    assert ([hand["n"] for hand in one["hands"]], one["next"]) == ([0], 0)
    other = client.get(f"/api/matches/{played.id}/hands?limit=1&after={one['next']}").json()
    assert [hand["n"] for hand in other["hands"]] == [1]


@pytest.mark.parametrize("part", ["hands/2/record", "hands/2/proof", "hands/-1/record", "hands/-1/proof"])
def test_hands_that_are_not_there(played: Played, part: str) -> None:
    answer = played.clients[0].get(f"/api/matches/{played.id}/{part}")
    assert answer.status_code in (400, 404)
    assert answer.json()["code"] in ("not_found", "bad_message")


def test_nothing_of_it_is_logged(server: Running, played: Played) -> None:
    secrets: list[Any] = [shuffle.seed.hex() for shuffle in played.shuffles]
    secrets += [played.share, played.id, played.room]
    text = "\n".join(server.logged)
    assert "/api/matches/{match}/hands/{n}/record" in text
    assert not any(secret in text for secret in secrets)
