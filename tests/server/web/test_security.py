"""Who may do what from where: tokens, tricked browsers, other pages, guessing; and headers everywhere."""

import re
import time
from collections.abc import Callable

import httpx
import pytest

from hainan.server.accounts import TOKEN_SECONDS, Tokens
from hainan.server.config import Config, Rate
from hainan.server.web.security import COOKIE, Caller
from tests.server.web.conftest import SECRET, Running

CHANGES = {"X-Hainan": "1"}
Start = Callable[..., Running]


def me(server: Running, token: str) -> httpx.Response:
    with server.http(headers={"Authorization": f"Bearer {token}"}) as client:
        return client.get("/api/players/me")


# ---------------------------------------------------------------- tokens


def test_forged_foreign_and_stale_tokens(server: Running) -> None:
    guest = server.guest()
    player, token = guest["player"], guest["token"]
    assert me(server, token).status_code == 200
    payload, _, signature = token.partition(".")
    for bad in (
        token[:-1],
        f"{payload}.{signature[::-1]}",
        Tokens(b"another server's secret").issue(player, 0),
        Tokens(SECRET).issue(player, 1),  # of an epoch that hasn't come
        Tokens(SECRET).issue("0" * 32, 0),  # of nobody
        Tokens(SECRET, lambda: time.time() - TOKEN_SECONDS - 10).issue(player, 0),
    ):
        answer = me(server, bad)
        assert (answer.status_code, answer.json()["code"]) == (401, "not_signed_in"), bad


def test_a_bad_token_never_falls_back_to_the_cookie(server: Running) -> None:
    with server.http() as client:
        client.post("/api/players", json={"name": "阿海"})
        assert client.get("/api/players/me").status_code == 200
        for header in ("Bearer x", "Basic x", "Bearer"):
            assert client.get("/api/players/me", headers={"Authorization": header}).status_code == 401


# ---------------------------------------------------------------- CSRF


def test_a_call_with_the_cookie_needs_our_header(server: Running) -> None:
    with server.http() as client:
        client.post("/api/players", json={"name": "阿海"})
        for method, path in (
            ("POST", "/api/rooms"),
            ("POST", "/api/quick"),
            ("PATCH", "/api/players/me"),
            ("DELETE", "/api/players/me"),
            ("DELETE", "/api/session"),
            ("PUT", "/api/players/me/password"),
            ("POST", "/api/players/me/sign-out-everywhere"),
            ("POST", "/api/anything"),
        ):
            answer = client.request(method, path)
            assert (answer.status_code, answer.json()["code"]) == (403, "wrong_origin")
        assert client.get("/api/players/me").status_code == 200  # still there, still signed in
        assert client.post("/api/rooms", headers=CHANGES).status_code == 201


def test_a_call_with_a_token_does_not(server: Running) -> None:
    with server.bearer() as client:
        assert client.post("/api/rooms").status_code == 201
        assert client.post("/api/rooms", headers={"Origin": "https://elsewhere.example"}).status_code == 201


@pytest.mark.parametrize(
    "origin", ["https://elsewhere.example", "null", "http://127.0.0.1:1", "http://[", "x"]
)
def test_pages_of_others_change_nothing(server: Running, origin: str) -> None:
    with server.http() as client:
        client.post("/api/players", json={"name": "阿海"})
        answer = client.post("/api/rooms", headers=CHANGES | {"Origin": origin})
        assert (answer.status_code, answer.json()["code"]) == (403, "wrong_origin")
    with server.http() as client:  # nor can they sign a visitor in as somebody
        answer = client.post("/api/players", json={"name": "x"}, headers={"Origin": origin})
        assert answer.json()["code"] == "wrong_origin"
        assert "set-cookie" not in answer.headers


def test_our_own_pages_may(start: Start) -> None:
    server = start(Config(public_url="https://mahjong.example/", origins=["http://localhost:5173"]))
    for origin in (server.url, "https://mahjong.example", "http://localhost:5173"):
        with server.http() as client:
            client.post("/api/players", json={"name": "阿海"}, headers={"Origin": origin})
            # The test's client has plain http and keeps no secure cookie: it is sent by hand.
            cookie = {"Cookie": f"{COOKIE}={server.guest()['token']}"}
            answer = client.post("/api/rooms", headers=CHANGES | cookie | {"Origin": origin})
            assert answer.status_code == 201, (origin, answer.text)


def test_no_other_page_is_told_it_may_read_or_ask(server: Running) -> None:
    with server.http() as client:
        asked = {"Origin": "https://elsewhere.example", "Access-Control-Request-Method": "POST"}
        for answer in (client.options("/api/rooms", headers=asked), client.get("/api/rules", headers=asked)):
            assert not [name for name in answer.headers if name.startswith("access-control")]


# ---------------------------------------------------------------- headers


def every_kind_of_answer(client: httpx.Client) -> list[httpx.Response]:
    return [
        client.get("/"),
        client.get("/r/123456"),
        client.get("/api/docs"),
        client.get("/api/docs.js"),
        client.get("/api/openapi.json"),
        client.get("/healthz"),
        client.get("/api/players/me"),
        client.post("/api/players", json={"name": "阿海"}),
        client.post("/api/rooms"),
        client.get("/nothing"),
        client.put("/api/rooms", headers=CHANGES),
        client.options("/api/rooms"),
        client.post("/api/players", content=b"x" * 100_000, headers=CHANGES),
    ]


def test_headers_of_every_answer(server: Running) -> None:
    seen = set()
    with server.http() as client:
        for answer in every_kind_of_answer(client):
            policy = dict(
                part.strip().split(" ", 1) for part in answer.headers["content-security-policy"].split(";")
            )
            assert policy["default-src"] == "'self'"
            assert policy["img-src"] == "'self' blob:"
            assert policy["frame-ancestors"] == "'none'"
            assert "unsafe" not in answer.headers["content-security-policy"]
            assert answer.headers["x-content-type-options"] == "nosniff"
            assert answer.headers["referrer-policy"] == "same-origin"
            assert "camera=()" in answer.headers["permissions-policy"]
            assert "strict-transport-security" not in answer.headers  # it is plain http
            assert answer.headers["cache-control"]
            seen.add(answer.headers["x-request-id"])
    assert len(seen) == 13


def test_pages_have_no_script_in_themselves_and_nothing_from_elsewhere(server: Running) -> None:
    with server.http() as client:
        for path in ("/", "/api/docs", "/api/docs.js", "/api/docs.css"):
            text = client.get(path).text
            assert "//" not in text.replace("// ", "").replace("<!doctype", ""), path
            for inline in ("<style", "onclick", "onload", " style=", "javascript:", "innerHTML", "eval("):
                assert inline not in text
            for script in text.split("<script")[1:]:
                assert re.match(r'[^>]*\ssrc="/', script)


def test_https_makes_the_cookie_secure_and_lasting(start: Start) -> None:
    server = start(Config(public_url="https://mahjong.example"))
    with server.http() as client:
        answer = client.post("/api/players", json={"name": "阿海"})
        assert "; Secure" in answer.headers["set-cookie"]
        assert answer.headers["strict-transport-security"].startswith("max-age=")


# ---------------------------------------------------------------- limits


def test_guessing_passwords_is_slow_by_account_and_by_address(start: Start) -> None:
    server = start(Config(sign_in_rate=Rate(3, 6), trusted_proxies=["127.0.0.1"]))

    def attempt(name: str, address: str) -> httpx.Response:
        with server.http() as client:
            body = {"name": name, "password": "wrong horse"}
            return client.post("/api/session", json=body, headers={"X-Forwarded-For": address})

    assert [attempt("a", f"10.0.0.{n}").status_code for n in range(4)] == [401, 401, 401, 429]  # one account
    assert [attempt(f"b{n}", "10.0.1.1").status_code for n in range(4)] == [401, 401, 401, 429]  # one address
    slow = attempt("b9", "10.0.1.1")
    assert slow.json()["code"] == "too_fast"
    assert slow.headers["retry-after"] == "10"
    assert attempt("b9", "10.0.2.2").status_code == 401
    server.clock.now += 10
    assert attempt("b9", "10.0.1.1").status_code == 401
    assert attempt("b9", "10.0.1.1").status_code == 429


def test_guessing_the_present_password_is_slow(start: Start) -> None:
    server = start(Config(sign_in_rate=Rate(3, 6)))
    with server.bearer() as client:
        change = {"password": "correct horse", "current": "wrong horse"}
        assert client.put("/api/players/me/password", json={"password": "right horse"}).status_code == 200
        statuses = [client.put("/api/players/me/password", json=change).status_code for _ in range(3)]
        assert statuses == [401, 401, 429]


def test_guessing_rooms_is_slow_and_misses_count_ten_times(start: Start) -> None:
    server = start(Config(guess_rate=Rate(30, 60)))
    code = server.room()
    missing = next(f"{n:06}" for n in range(2) if f"{n:06}" != code)
    with server.bearer() as client:
        assert [client.get(f"/api/rooms/{code}").status_code for _ in range(5)] == [200] * 5
        assert [client.get(f"/api/rooms/{missing}").status_code for _ in range(3)] == [404, 404, 429]
        assert client.get(f"/api/rooms/{code}").status_code == 429  # not even the right one is told then
        with server.bearer("另一个") as other:  # another name doesn't help
            assert other.get(f"/api/rooms/{missing}").status_code == 429
        server.clock.now += 10
        assert client.get(f"/api/rooms/{code}").status_code == 200


def test_guests_rooms_and_work_are_limited(start: Start) -> None:
    once = Rate(1, 1)
    server = start(Config(guest_rate=Rate(2, 1), room_rate=once, work_rate=once))
    with server.bearer() as client:
        assert [client.post("/api/rooms").status_code for _ in range(2)] == [201, 429]
        assert [client.post("/api/score", json={}).status_code for _ in range(2)] == [400, 429]
        assert client.post("/api/quick").status_code == 429
    for status in (201, 429):
        with server.http() as client:
            assert client.post("/api/players", json={"name": "x"}).status_code == status


# ---------------------------------------------------------------- proxies


def caller(config: Config, peer: str, **headers: str) -> Caller:
    raw = [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()]
    return Caller({"headers": raw, "client": (peer, 1), "scheme": "http", "method": "GET"}, config)


def test_a_forwarded_address_is_believed_only_of_our_proxies() -> None:
    ours = Config(trusted_proxies=["10.0.0.0/8"])
    chain = "6.6.6.6, 203.0.113.7, 10.0.0.9"
    assert caller(ours, "10.0.0.1", x_forwarded_for=chain).address == "203.0.113.7"
    assert caller(ours, "192.0.2.1", x_forwarded_for=chain).address == "192.0.2.1"
    assert caller(Config(), "10.0.0.1", x_forwarded_for=chain).address == "10.0.0.1"
    assert caller(ours, "10.0.0.1", x_forwarded_proto="https").https
    assert not caller(Config(), "10.0.0.1", x_forwarded_proto="https").https


def test_an_ipv6_network_counts_as_one() -> None:
    one, other = caller(Config(), "2001:db8:1:2:3::1"), caller(Config(), "2001:db8:1:2:ffff::2")
    assert one.network == other.network
    assert caller(Config(), "2001:db8:1:3::1").network != one.network
    assert caller(Config(), "nonsense").network == "nonsense"


def test_who_is_local() -> None:
    assert caller(Config(), "127.0.0.1").is_local
    assert caller(Config(), "::1").is_local
    assert not caller(Config(), "127.0.0.1", x_forwarded_for="203.0.113.7").is_local
    assert not caller(Config(), "203.0.113.7").is_local
    assert not caller(
        Config(trusted_proxies=["127.0.0.1"]), "127.0.0.1", x_forwarded_for="127.0.0.1"
    ).is_local


def test_metrics_are_for_this_machine_or_need_their_token(start: Start) -> None:
    server = start(Config(metrics_token="a long token", trusted_proxies=["127.0.0.1"]))
    outside = {"X-Forwarded-For": "203.0.113.7"}
    with server.http() as client:
        assert client.get("/metrics").status_code == 200
        assert client.get("/metrics", headers=outside).json()["code"] == "not_signed_in"
        wrong = outside | {"Authorization": "Bearer another"}
        assert client.get("/metrics", headers=wrong).status_code == 401
        right = outside | {"Authorization": "Bearer a long token"}
        assert client.get("/metrics", headers=right).status_code == 200
