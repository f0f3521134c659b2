"""Rooms over HTTP, and quick play."""

from hainan import wire
from hainan.server.exchange import NOBODY
from hainan.server.state import RoomState
from hainan.wire import Stage
from tests.server.web.conftest import Running


def test_open_a_room_and_send_its_link(server: Running) -> None:
    settings = {"rules": {"preset": "lingao", "hands": 8}, "players": 3, "turn_seconds": 30}
    with server.bearer("房主") as client:
        answer = client.post("/api/rooms", json={"settings": settings})
        assert answer.status_code == 201
        room = answer.json()
        assert room["link"] == f"{server.url}/r/{room['code']}"
        assert len(room["code"]) == 6
        assert room["code"].isdigit()
        card = client.get(f"/api/rooms/{room['code']}").json()
    assert card["settings"]["rules"] == settings["rules"]
    assert (card["settings"]["turn_seconds"], card["stage"], len(card["chairs"])) == (30, "open", 3)
    stored = server.run(server.store.room(room["code"]))
    assert stored is not None
    state = RoomState.from_json(stored.state)
    assert (state.stage, len(state.seats), state.owner) == (Stage.OPEN, 3, stored.owner)


def test_only_listed_rooms_are_listed_and_by_pages(start: object) -> None:
    server: Running = start()  # type: ignore[operator]
    hidden = server.room()
    listed = [server.room(listed=True) for _ in range(5)]
    with server.bearer() as client:
        found: list[str] = []
        before = ""
        while True:
            page = client.get(f"/api/rooms?limit=2{before}").json()
            found += [room["code"] for room in page["rooms"]]
            if page["next"] is None:
                break
            before = f"&before={page['next']}"
    assert sorted(found) == sorted(listed)
    assert len(set(found)) == 5
    assert hidden not in found


def test_quick_play(server: Running) -> None:
    guest = server.guest("急性子")
    server.exchange.posted.clear()
    with server.http(headers={"Authorization": f"Bearer {guest['token']}"}) as client:
        answer = client.post("/api/quick", json={"settings": {"players": 3}})
        assert answer.status_code == 201, answer.text
        assert client.post("/api/quick").status_code == 201  # no body is needed
    code = answer.json()["code"]
    envelope = server.exchange.posted[0]
    assert (envelope.room, envelope.command, envelope.player) == (code, wire.Start(), guest["player"])
    assert (envelope.connection, envelope.name) == (NOBODY, "急性子")
    stored = server.run(server.store.room(code))
    assert stored is not None
    seats = RoomState.from_json(stored.state).seats
    assert [(seat.player, seat.bot) for seat in seats] == [
        (guest["player"], None),
        (None, "normal"),
        (None, "normal"),
    ]


def test_a_card_names_the_owner_and_shows_no_ids(server: Running) -> None:
    guest = server.guest("急性子")
    with server.http(headers={"Authorization": f"Bearer {guest['token']}"}) as client:
        code = client.post("/api/quick").json()["code"]
        card = client.get(f"/api/rooms/{code}")
    assert card.json()["owner"] == "急性子"
    assert card.json()["chairs"][:2] == [{"name": "急性子"}, {"bot": "normal"}]
    assert guest["player"] not in card.text


def test_the_link_is_as_the_caller_reaches_us(start: object) -> None:
    from hainan.server.config import Config

    server: Running = start(Config(public_url="https://mahjong.example/"))  # type: ignore[operator]
    with server.bearer() as client:
        assert client.post("/api/rooms").json()["link"].startswith("https://mahjong.example/r/")
