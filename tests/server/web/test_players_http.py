"""Players over HTTP."""

from http.cookies import SimpleCookie

import pytest

from hainan.server.web.security import COOKIE
from tests.server.web.conftest import Running

CHANGES = {"X-Hainan": "1"}


def test_a_guest_gets_a_cookie_and_a_token(server: Running) -> None:
    with server.http() as client:
        answer = client.post("/api/players", json={"name": " 阿海 "})
        assert answer.status_code == 201
        assert answer.json()["name"] == "阿海"
        by_cookie = client.get("/api/players/me")
    with server.http(headers={"Authorization": f"Bearer {answer.json()['token']}"}) as program:
        by_token = program.get("/api/players/me")
    assert by_cookie.json() == by_token.json()
    assert by_cookie.json()["player"] == answer.json()["player"]
    assert by_cookie.json()["account"] is False


def test_the_cookie_is_kept_from_scripts_and_other_sites(server: Running) -> None:
    with server.http() as client:
        cookie = SimpleCookie(client.post("/api/players", json={"name": "阿海"}).headers["set-cookie"])[
            COOKIE
        ]
    assert cookie["httponly"]
    assert cookie["samesite"] == "Lax"
    assert cookie["path"] == "/"
    assert not cookie["secure"]  # nor could a phone on the local network use it, without https


def test_a_session_in_use_does_not_end(start: object) -> None:
    server: Running = start()  # type: ignore[operator]
    with server.http() as client:
        client.post("/api/players", json={"name": "阿海"})
        for _ in range(5):
            server.wall.now += 60 * 24 * 3600
            assert client.get("/api/players/me").status_code == 200
        server.wall.now += 91 * 24 * 3600
        assert client.get("/api/players/me").status_code == 401


def test_whoever_looks_in_is_told_whether_he_is_somebody(server: Running) -> None:
    with server.http() as client:
        nobody = client.get("/api/session")
        assert (nobody.status_code, nobody.json()) == (200, {"player": None})
        assert "set-cookie" not in nobody.headers
        client.post("/api/players", json={"name": "阿海"})
        for _ in range(3):  # each look lets the session begin anew
            server.wall.now += 60 * 24 * 3600
            somebody = client.get("/api/session")
            assert somebody.json() == {"player": client.get("/api/players/me").json()}
        server.wall.now += 91 * 24 * 3600
        assert client.get("/api/session").json() == {"player": None}
    with server.http(headers={"Authorization": "Bearer nonsense"}) as program:
        assert program.get("/api/session").status_code == 401


def test_sign_in_on_another_device(server: Running) -> None:
    with server.bearer("阿水") as phone:
        assert phone.put("/api/players/me/password", json={"password": "correct horse"}).status_code == 200
        assert phone.get("/api/players/me").json()["account"] is True
    with server.http() as laptop:
        wrong = laptop.post("/api/session", json={"name": "阿水", "password": "wrong horse"})
        nobody = laptop.post("/api/session", json={"name": "nobody", "password": "wrong horse"})
        assert wrong.status_code == nobody.status_code == 401
        assert wrong.json() == nobody.json()  # which of both was wrong isn't told
        assert wrong.json()["code"] == "wrong_password"
        right = laptop.post("/api/session", json={"name": "阿水 ", "password": "correct horse"})
        assert right.status_code == 200, right.text
        assert laptop.get("/api/players/me").json()["name"] == "阿水"
        assert laptop.delete("/api/session", headers=CHANGES).status_code == 204
        assert laptop.get("/api/players/me").status_code == 401


def test_rename(server: Running) -> None:
    with server.bearer("Old") as client:
        assert client.patch("/api/players/me", json={"name": " New "}).json()["name"] == "New"
        assert client.get("/api/players/me").json()["name"] == "New"
        bad = client.patch("/api/players/me", json={"name": "\u202enwod edispu"})
        assert (bad.status_code, bad.json()["code"]) == (400, "bad_message")


def test_a_name_that_an_account_has_is_taken(server: Running) -> None:
    with server.bearer("Owner") as one, server.bearer("owner") as other:
        one.put("/api/players/me/password", json={"password": "correct horse"})
        taken = other.put("/api/players/me/password", json={"password": "correct horse"})
        assert (taken.status_code, taken.json()["code"]) == (409, "name_taken")


def test_export_and_delete(server: Running) -> None:
    with server.bearer("Gone") as client:
        exported = client.get("/api/players/me/export")
        assert exported.json()["player"]["name"] == "Gone"
        assert "attachment" in exported.headers["content-disposition"]
        assert client.delete("/api/players/me").status_code == 204
        assert client.get("/api/players/me").json()["code"] == "not_signed_in"


def test_sign_out_everywhere(server: Running) -> None:
    with server.bearer("Many") as one:
        assert one.get("/api/players/me").status_code == 200
        assert one.post("/api/players/me/sign-out-everywhere").status_code == 204
        gone = one.get("/api/players/me")
        assert (gone.status_code, gone.json()["code"]) == (401, "not_signed_in")


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("GET", "/api/players/me"),
        ("PATCH", "/api/players/me"),
        ("DELETE", "/api/players/me"),
        ("PUT", "/api/players/me/password"),
        ("POST", "/api/players/me/sign-out-everywhere"),
        ("GET", "/api/players/me/export"),
        ("GET", "/api/rooms"),
        ("POST", "/api/rooms"),
        ("POST", "/api/quick"),
        ("GET", "/api/rooms/000000"),
        ("GET", "/api/matches"),
        ("POST", "/api/matches/x/share"),
    ],
)
def test_nothing_before_signing_in(server: Running, method: str, path: str) -> None:
    body = {"name": "x", "password": "correct horse"} if method in ("PATCH", "PUT") else None
    with server.http() as client:
        answer = client.request(method, path, json=body)
        if method == "PUT":  # unknown fields are refused first
            answer = client.request(method, path, json={"password": "correct horse"})
        assert (answer.status_code, answer.json()["code"]) == (401, "not_signed_in"), answer.text
        assert answer.headers["www-authenticate"] == "Bearer"
