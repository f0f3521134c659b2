"""The socket of a room, by a real client: who comes in, what passes, what is refused, and how it ends."""

import contextlib
import gc
import random
import socket as sockets
import sys
import threading
import time
from collections.abc import Callable
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect

from hainan import wire
from hainan.server.config import Config, Rate
from hainan.server.exchange import Attach, Detach, Envelope
from hainan.server.metrics import Metrics
from hainan.server.web import socket as module
from hainan.server.web.security import COOKIE
from hainan.server.web.socket import BURST, FAULTS, OUTBOX, Connection
from hainan.wire import Refusal
from tests.server.web.conftest import Clock, Running, Socket, decoded

Start = Callable[..., Running]
HELLO = wire.Hello(protocol=wire.PROTOCOL)


@pytest.fixture(scope="module")
def code(server: Running) -> str:
    return server.room()


@pytest.fixture
def fresh(server: Running) -> Running:
    """The module's server with nothing posted, and with time for everybody to send again."""
    server.until(lambda: server.app.services.metrics.connections == 0)
    server.exchange.posted.clear()
    server.exchange.answer = lambda envelope: None
    server.clock.now += 60
    return server


def last(server: Running) -> Envelope:
    return server.exchange.posted[-1]


# ---------------------------------------------------------------- coming in


def test_hello_by_token(fresh: Running, code: str) -> None:
    guest = fresh.guest("阿海")
    with fresh.socket(code) as client:
        welcome = client.hello(guest["token"])
        assert (welcome.protocol, welcome.player, welcome.name) == (1, guest["player"], "阿海")
        assert welcome.server.startswith("hainan-mahjong ")
        fresh.until(lambda: fresh.exchange.posted)
        envelope = last(fresh)
        assert envelope.command == Attach()
        assert (envelope.room, envelope.connection) == (code, welcome.connection)
        assert (envelope.player, envelope.name) == (guest["player"], "阿海")
    fresh.until(lambda: last(fresh).command == Detach())
    fresh.until(lambda: welcome.connection in fresh.exchange.gone)


def test_hello_by_cookie_and_by_header(fresh: Running, code: str) -> None:
    token = fresh.guest()["token"]
    for headers in ({"Cookie": f"a=b; {COOKIE}={token}"}, {"Authorization": f"Bearer {token}"}):
        with fresh.socket(code, additional_headers=headers) as client:
            client.hello()


@pytest.mark.parametrize("origin", ["https://elsewhere.example", "null", "http://127.0.0.1:1"])
def test_pages_of_others_get_no_socket(fresh: Running, code: str, origin: str) -> None:
    with pytest.raises(InvalidStatus) as caught:
        fresh.socket(code, origin=origin)
    assert caught.value.response.status_code == 403
    assert decoded(caught.value.response.body)["code"] == "wrong_origin"
    assert caught.value.response.headers["x-content-type-options"] == "nosniff"


def test_our_own_pages_do(fresh: Running, code: str) -> None:
    with fresh.socket(code, origin=fresh.url) as client:
        client.hello(fresh.guest()["token"])


@pytest.mark.parametrize("path", ["/", "/api/rooms/123456", "/api/rooms/1/2/socket", "/api/rooms/socket"])
def test_there_are_no_sockets_elsewhere(fresh: Running, path: str) -> None:
    with pytest.raises(InvalidStatus) as caught:
        connect(f"ws://{fresh.host}{path}")
    assert caught.value.response.status_code == 404


def test_nothing_but_hello_comes_first(fresh: Running, code: str) -> None:
    with fresh.socket(code) as client:
        for command in (wire.Look(), wire.Ping(ref=1), wire.Act(offer=1, action="pass"), wire.Sit()):
            refused = client.ask(command)
            assert (refused.code, refused.ref) == (Refusal.NOT_SIGNED_IN, command.ref)
        client.hello(fresh.guest()["token"])
        assert [type(command) for command in fresh.exchange.commands()] in ([], [Attach])


def test_hello_must_come_in_time(start: Start) -> None:
    server = start(hello_seconds=0.05)
    with server.socket(server.room()) as client:
        goodbye = client.receive()
        assert isinstance(goodbye, wire.Goodbye)
        assert (goodbye.code, client.closed()) == (Refusal.NOT_SIGNED_IN, 1008)
    assert server.exchange.posted == []


@pytest.mark.parametrize(
    ("hello", "reason"),
    [
        (wire.Hello(protocol=1), Refusal.NOT_SIGNED_IN),
        (wire.Hello(protocol=1, token="forged"), Refusal.NOT_SIGNED_IN),
        (wire.Hello(protocol=1, token=""), Refusal.NOT_SIGNED_IN),
        (wire.Hello(protocol=2), Refusal.PROTOCOL),
        (wire.Hello(protocol=0), Refusal.PROTOCOL),
    ],
)
def test_a_wrong_hello_ends_it(fresh: Running, code: str, hello: wire.Hello, reason: Refusal) -> None:
    with fresh.socket(code) as client:
        goodbye = client.ask(hello)
        assert isinstance(goodbye, wire.Goodbye)
        assert (goodbye.code, client.closed()) == (reason, 1008)
    assert fresh.exchange.posted == []


def test_a_token_in_hello_comes_before_the_cookie(fresh: Running, code: str) -> None:
    cookie = {"Cookie": f"{COOKIE}={fresh.guest()['token']}"}
    with fresh.socket(code, additional_headers=cookie) as client:
        assert client.ask(wire.Hello(protocol=1, token="forged")).code is Refusal.NOT_SIGNED_IN


def test_a_room_that_is_not_there(start: Start) -> None:
    server = start(Config(guess_rate=Rate(20, 60)))
    code = server.room()
    token = server.guest()["token"]
    missing = next(f"{n:06}" for n in range(2) if f"{n:06}" != code)
    for reason in (Refusal.NO_SUCH_ROOM, Refusal.NO_SUCH_ROOM, Refusal.TOO_FAST):
        with server.socket(missing) as client:
            assert client.ask(wire.Hello(protocol=1, token=token)).code is reason
    with server.bearer() as client:  # HTTP and sockets share the count
        assert client.get(f"/api/rooms/{missing}").status_code == 429
    server.clock.now += 10
    with server.socket(code) as client:
        client.hello(token)
    with server.socket("nonsense") as client:
        assert client.ask(wire.Hello(protocol=1, token=token)).code is Refusal.NO_SUCH_ROOM


# ---------------------------------------------------------------- what passes


@pytest.fixture
def client(fresh: Running, code: str) -> Any:
    with fresh.socket(code) as client:
        client.hello(fresh.guest()["token"])
        fresh.until(lambda: fresh.exchange.posted)
        yield client


def test_commands_are_posted_in_order(fresh: Running, client: Socket) -> None:
    sent = [wire.Act(offer=n, action="pass", ref=n) for n in range(30)]
    for command in sent:
        client.send(command)
    fresh.until(lambda: len(fresh.exchange.posted) == 31)
    assert fresh.exchange.commands()[1:] == sent
    assert all(envelope.received > 0 for envelope in fresh.exchange.posted[1:])


def test_binary_frames_of_json_pass(fresh: Running, client: Socket) -> None:
    client.send(wire.encode(wire.Look(ref=5)))
    fresh.until(lambda: fresh.exchange.commands()[-1:] == [wire.Look(ref=5)])


def test_ping_is_answered_at_once(client: Socket) -> None:
    assert client.ask(wire.Ping(ref=7)) == wire.Pong(ref=7)
    assert client.ask(wire.Ping()) == wire.Pong()


def test_what_the_room_delivers_arrives_in_order(fresh: Running, client: Socket) -> None:
    connection = last(fresh).connection
    said = [wire.Done(ref=n) for n in range(500)]
    fresh.call(lambda: [fresh.exchange.deliver(connection, wire.encode(one)) for one in said])
    assert [client.receive() for _ in said] == said


@pytest.mark.parametrize(
    ("code_", "number"),
    [(Refusal.KICKED, 1008), (Refusal.TAKEN_OVER, 1008), (Refusal.DRAINING, 1012), (Refusal.INTERNAL, 1011)],
)
def test_the_room_can_close(fresh: Running, client: Socket, code_: Refusal, number: int) -> None:
    connection = last(fresh).connection
    fresh.call(lambda: fresh.exchange.close(connection, code_, "because"))
    assert client.receive() == wire.Goodbye(code=code_, why="because")
    assert client.closed() == number
    fresh.until(lambda: connection in fresh.exchange.gone)


def test_signing_out_closes_the_sockets_and_renaming_reaches_them(fresh: Running, code: str) -> None:
    guest = fresh.guest("Old")
    with (
        fresh.http(headers={"Authorization": f"Bearer {guest['token']}"}) as http,
        fresh.socket(code) as one,
        fresh.socket(code) as other,
    ):
        one.hello(guest["token"])
        other.hello(guest["token"])
        http.patch("/api/players/me", json={"name": "New"})
        one.send(wire.Look())
        fresh.until(lambda: wire.Look() in fresh.exchange.commands())
        assert last(fresh).name == "New"
        http.post("/api/players/me/sign-out-everywhere")
        for client in (one, other):
            assert client.receive().code is Refusal.NOT_SIGNED_IN
            assert client.closed() == 1008


def test_a_post_that_fails_is_no_end(fresh: Running, client: Socket) -> None:
    def fails(envelope: Envelope) -> None:
        raise RuntimeError("the hand was 19m19p19s1234567z")

    fresh.exchange.answer = fails
    refused = client.ask(wire.Look(ref=3))
    assert (refused.code, refused.ref) == (Refusal.INTERNAL, 3)
    assert client.ask(wire.Ping()) == wire.Pong()
    assert not any("19m19p" in line for line in fresh.logged)


# ---------------------------------------------------------------- what is refused

WRONG = [
    ("", Refusal.BAD_JSON, "not JSON"),
    ("{", Refusal.BAD_JSON, "not JSON: Input data was truncated"),
    ("act", Refusal.BAD_JSON, "not JSON: invalid character (byte 0)"),
    ('{"type":"ping"} {"type":"ping"}', Refusal.BAD_JSON, "not JSON: trailing characters (byte 17)"),
    ('{"type":"say","phrase":"\\ud800"}', Refusal.BAD_JSON, "not JSON"),
    (b"\xff\xfe", Refusal.BAD_JSON, "not JSON"),
    (b'{"type":"say","phrase":"\xff"}', Refusal.BAD_JSON, "not JSON: it isn't UTF-8"),
    ("[]", Refusal.BAD_MESSAGE, "should be an object, not a list"),
    ("7", Refusal.BAD_MESSAGE, "should be an object, not a whole number"),
    ("{}", Refusal.BAD_MESSAGE, "`type` is missing"),
    ('{"type":"fly"}', Refusal.BAD_MESSAGE, "there is no command 'fly'"),
    ('{"type":"welcome"}', Refusal.BAD_MESSAGE, "there is no command 'welcome'"),
    ('{"type":"act","offer":"1","action":"pass"}', Refusal.BAD_MESSAGE, "offer: should be a whole number"),
    ('{"type":"act","offer":-1,"action":"pass"}', Refusal.BAD_MESSAGE, "offer: should be at least 0"),
    ('{"type":"act","action":"pass"}', Refusal.BAD_MESSAGE, "`offer` is missing"),
    ('{"type":"sit","seat":4}', Refusal.BAD_MESSAGE, "seat: should be at most 3"),
    ('{"type":"sit","chair":1}', Refusal.BAD_MESSAGE, "there is no field `chair`"),
    ('{"type":"say","phrase":"' + "x" * 33 + '"}', Refusal.BAD_MESSAGE, "should have at most 32 characters"),
    ('{"type":"hello","protocol":1}', Refusal.BAD_MESSAGE, "hello is said once"),
    ("[" * 16_000, Refusal.BAD_MESSAGE, "should be an object"),
    ('{"type":"change","settings":{"rules":{"a":' + "[" * 16_000, Refusal.BAD_JSON, "nested too deep"),
    (
        '{"type":"change","settings":{"rules":{"a":' + "[" * 900 + "]" * 900 + "}}}",
        Refusal.BAD_MESSAGE,
        "settings.rules.a: should be text, a number, true, false or null",
    ),
    ('{"type":"change","settings":{"rules":{"a":' + "9" * 4000 + "}}}", Refusal.BAD_MESSAGE, "too big"),
    ('{"type":"ping","x":"' + "x" * wire.MAX_FRAME + '"}', Refusal.TOO_LONG, "at most 16384 bytes"),
    ('{"type":"say","phrase":"' + "海" * 6000 + '"}', Refusal.TOO_LONG, "at most 16384 bytes"),
    ("x" * 500_000, Refusal.TOO_LONG, "at most 16384 bytes"),
]


@pytest.mark.parametrize(("frame", "reason", "why"), WRONG, ids=[str(row[0])[:30] for row in WRONG])
def test_frames_that_are_wrong(
    fresh: Running, client: Socket, frame: str | bytes, reason: Refusal, why: str
) -> None:
    """Each is refused with a reason; the fifth ends the connection."""
    before = fresh.app.services.metrics.refusals[reason.value]
    for _ in range(FAULTS):
        refused = client.ask(frame)
        assert isinstance(refused, wire.Refused)
        assert refused.code is reason
        assert why in refused.why
    goodbye = client.receive()
    assert isinstance(goodbye, wire.Goodbye)
    assert goodbye.code is reason
    assert client.closed() == 1008
    assert fresh.app.services.metrics.refusals[reason.value] == before + FAULTS
    assert fresh.exchange.commands()[:1] == [Attach()]
    assert set(map(type, fresh.exchange.commands())) <= {Attach, Detach}


def test_a_refusal_carries_the_reference(client: Socket) -> None:
    assert client.ask('{"type":"sit","seat":9,"ref":41}').ref == 41
    assert client.ask('{"type":"fly","ref":42}').ref == 42
    assert client.ask('{"type":"sit","seat":9,"ref":-1}').ref is None


def test_faults_do_not_stop_what_is_right(fresh: Running, client: Socket) -> None:
    for _ in range(FAULTS - 1):
        client.ask("{")
    assert client.ask(wire.Ping()) == wire.Pong()
    client.send(wire.Look())
    fresh.until(lambda: fresh.exchange.commands()[-1:] == [wire.Look()])


def test_frames_just_under_the_limit_are_read(client: Socket) -> None:
    padded = '{"type":"ping"' + " " * (wire.MAX_FRAME - 15) + "}"
    assert len(padded) == wire.MAX_FRAME
    assert client.ask(padded) == wire.Pong()
    assert client.ask(padded + " ").code is Refusal.TOO_LONG


def test_frames_beyond_what_the_server_takes_end_it(client: Socket) -> None:
    with contextlib.suppress(ConnectionClosed):  # it may close before it has heard everything
        client.send("x" * 2_000_000)
    assert client.closed() in (1009, 1006)


def test_text_that_is_not_utf8_ends_it(client: Socket) -> None:
    """The protocol itself forbids it: the server closes with 1007."""
    client.raw.send(b"\xff\xfe", text=True)
    assert client.closed() == 1007


def test_twenty_a_second_and_forty_at_once(fresh: Running, client: Socket) -> None:
    for _ in range(int(BURST) - 1):  # hello was one
        assert client.ask(wire.Ping()) == wire.Pong()
    refused = client.ask(wire.Ping())
    assert (refused.code, refused.why) == (Refusal.TOO_FAST, "more than 20 messages a second")
    fresh.clock.now += 1
    for _ in range(20):
        assert client.ask(wire.Ping()) == wire.Pong()
    for _ in range(FAULTS - 1):
        assert client.ask(wire.Ping()).code is Refusal.TOO_FAST
    assert client.receive().code is Refusal.TOO_FAST
    assert client.closed() == 1008


def test_a_flood_is_cut_off(fresh: Running, client: Socket) -> None:
    try:
        for _ in range(100_000):
            client.send('{"type":"look"}')
    except ConnectionClosed:
        pass
    else:
        raise AssertionError("nobody stopped it")
    fresh.until(lambda: type(last(fresh).command) is Detach)
    assert len(fresh.exchange.posted) <= BURST + 1


# ---------------------------------------------------------------- clients that don't read


def deaf(server: Running, code: str) -> tuple[Socket, str]:
    """A client that says hello and then reads no more, and its connection's id."""
    token = server.guest()["token"]
    raw = sockets.socket()
    raw.setsockopt(sockets.SOL_SOCKET, sockets.SO_RCVBUF, 4096)
    raw.connect(("127.0.0.1", server.port))
    # A small window, and no library's reader behind it.
    where = f"ws://{server.host}/api/rooms/{code}/socket"
    client = Socket(connect(where, sock=raw, compression=None, max_queue=1, close_timeout=0.1))
    client.hello(token)
    server.until(lambda: server.exchange.posted)
    return client, last(server).connection


def flood(server: Running, connection: str) -> None:
    """Deliver until the server gives the client up."""
    message = wire.encode(wire.Refused(code=Refusal.NOT_NOW, why="x" * 50_000))
    slow = server.app.services.metrics.slow_clients
    for _ in range(400):
        server.call(lambda: server.exchange.deliver(connection, message))
        if server.app.services.metrics.slow_clients > slow:
            return
    raise AssertionError("it was never given up")


def test_a_client_that_reads_late_learns_why_it_was_closed(fresh: Running, code: str) -> None:
    client, connection = deaf(fresh, code)
    flood(fresh, connection)
    messages = []
    while not messages or not isinstance(messages[-1], wire.Goodbye):
        messages.append(client.receive())
    assert messages[-1].code is Refusal.BUSY
    assert {type(message) for message in messages[:-1]} == {wire.Refused}
    assert client.closed() == 1013


def test_a_client_that_never_reads_is_cut_off(
    fresh: Running, code: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "CLOSE_SECONDS", 0.05)
    client, connection = deaf(fresh, code)
    open_ = fresh.app.services.metrics.connections
    flood(fresh, connection)
    fresh.until(lambda: fresh.app.services.metrics.connections < open_)
    assert connection in fresh.exchange.gone
    client.raw.close()


def test_the_outbox_is_bounded_and_keeps_order() -> None:
    """Without a server: a send that waits, then goes on."""
    import asyncio

    async def main() -> None:
        sent: list[str] = []
        readable = asyncio.Event()

        async def send(event: dict[str, Any]) -> None:
            await readable.wait()
            sent.append(event.get("text") or event["type"])

        connection = Connection(send, Metrics(), time.monotonic)
        for n in range(OUTBOX + 1):  # one is on its way, the others wait
            connection.deliver(b"%d" % n)
        assert not connection.closing
        readable.set()
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        assert sent == [str(n) for n in range(OUTBOX + 1)]
        readable.clear()
        for n in range(OUTBOX + 2):
            connection.deliver(b"%d" % n)
        assert connection.closing
        readable.set()
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        assert [decoded(text)["code"] for text in sent[OUTBOX + 2 : -1]] == ["busy"]
        assert sent[-1] == "websocket.close"

    asyncio.run(main())


def test_a_send_that_fails_ends_quietly() -> None:
    async def send(event: dict[str, Any]) -> None:
        raise ConnectionError

    connection = Connection(send, Metrics(), time.monotonic)
    connection.deliver(b"{}")
    assert connection.closing
    connection.deliver(b"{}")
    connection.close(Refusal.KICKED, "")


# ---------------------------------------------------------------- fuzz


def mutated(lots: random.Random, frame: bytes) -> bytes:
    """A proper frame, damaged somewhere."""
    data = bytearray(frame)
    for _ in range(lots.randint(1, 6)):
        at = lots.randrange(len(data) + 1)
        match lots.randrange(4):
            case 0:
                del data[at : at + lots.randint(1, 4)]
            case 1:
                data[at:at] = lots.randbytes(lots.randint(1, 4))
            case 2:
                data[at:at] = lots.choice([b"{", b"[", b'"', b"null", b"1e99", b"\\u0000", b"9" * 400])
            case 3:
                data[at : at + 1] = bytes([lots.randrange(256)])
    return bytes(data)


PROPER = [
    wire.encode(command)
    for command in (
        wire.Hello(protocol=1, token="x" * 80),
        wire.Ping(ref=1),
        wire.Sit(seat=2),
        wire.Act(offer=12, action="discard 5m", ref=3),
        wire.Change(settings=wire.Settings(rules={"preset": "lingao", "ga": False, "hands": 8})),
        wire.Say(phrase="hello"),
        wire.Vote(on=wire.Ballot.PAUSE),
        wire.Ready(nonce="abc"),
    )
]


def test_a_hundred_thousand_frames_leave_memory_flat() -> None:
    async def nowhere(event: dict[str, Any]) -> None:
        assert event["type"] in ("websocket.send", "websocket.close")

    lots, clock, metrics = random.Random(3), Clock(), Metrics()

    def some(count: int) -> None:
        connection = Connection(nowhere, metrics, clock)
        for n in range(count):
            clock.now += 0.06
            frame: str | bytes = mutated(lots, lots.choice(PROPER))
            if n % 2:
                frame = frame.decode("utf-8", "replace")
            command = connection.read(frame)
            assert command is None or isinstance(command, wire.Command)
            if connection.closing:
                connection = Connection(nowhere, metrics, clock)

    some(5_000)
    some(45_000)
    gc.collect()
    before = sys.getallocatedblocks()
    some(50_000)
    gc.collect()
    assert sys.getallocatedblocks() - before < 500  # one block in a hundred frames would be a leak
    assert metrics.frames_in == 100_000


def test_noise_over_real_sockets_leaves_the_server_well(fresh: Running, code: str) -> None:
    token = fresh.guest()["token"]
    lots = random.Random(5)

    def one() -> None:
        with fresh.socket(code) as client:
            client.hello(token)
            try:
                for _ in range(30):
                    client.send(mutated(lots, lots.choice(PROPER)))
            except ConnectionClosed:
                pass

    threads = [threading.Thread(target=one) for _ in range(12)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    with fresh.socket(code) as client:
        client.hello(token)
        assert client.ask(wire.Ping()) == wire.Pong()
    assert not any("Exception in ASGI" in line for line in fresh.logged)


def test_draining_tells_everybody_to_come_back(start: Start) -> None:
    server = start()
    code = server.room()
    token = server.guest()["token"]
    with server.socket(code) as client, server.socket(code) as silent:
        client.hello(token)
        server.call(server.app.begin_draining)
        with server.socket(code) as late:
            assert late.ask(wire.Hello(protocol=1, token=token)).code is Refusal.DRAINING
        server.call(server.app.sockets.drain)
        for one in (client, silent):
            assert one.receive().code is Refusal.DRAINING
            assert one.closed() == 1012
