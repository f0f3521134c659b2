"""Sockets and rooms in two processes: nothing is lost, mixed up or spoilt on the way between them."""

import asyncio
import socket
from collections.abc import AsyncIterator
from random import Random
from typing import Any

import msgspec
import pytest

from hainan import wire
from hainan.server.exchange import Attach, Detach, Envelope, Gone
from hainan.server.metrics import Metrics
from hainan.server.relay import (
    Answer,
    Count,
    Counted,
    FarRooms,
    FarSockets,
    Letters,
    Order,
    Park,
    Parked,
    Pipe,
    Sendings,
    Sent,
    hand_out,
)
from hainan.wire import Refusal
from tests.conftest import amount

pytestmark = pytest.mark.anyio

COMMANDS: list[Any] = [
    Attach(),
    Detach(),
    Gone(),
    wire.Look(ref=2**53 - 1),
    wire.Act(offer=4_294_967_297, action="discard 5m"),
    wire.Say(phrase="大家好 🌺"),
    wire.Change(settings=wire.Settings(rules={"preset": "lingao", "hands": 8})),
    wire.Vote(on=wire.Ballot.END, yes=False),
]


class RoomsEnd:
    """The end with the rooms, as the process of the rooms has it."""

    def __init__(self) -> None:
        self.came: list[Envelope] = []
        self.gone = asyncio.Event()
        self.pipe = Pipe(Order, self._take, self.gone.set)
        self.out = FarSockets(self.pipe)
        self.metrics = Metrics()

    def _take(self, order: Any) -> None:
        if isinstance(order, Letters):
            hand_out(order, self.came.append)
        elif isinstance(order, Count):
            self.pipe.send(Counted(self.metrics.counts()))
        elif isinstance(order, Park):
            self.out.flush()
            self.pipe.send(Parked())


class Ends:
    """Both."""

    def __init__(self) -> None:
        self.lost = asyncio.Event()
        self.sockets, self.rooms = FarRooms(self.lost.set), RoomsEnd()

    async def joined(self) -> None:
        one, other = socket.socketpair()
        await self.rooms.pipe.lay(other)
        await self.sockets._pipe.lay(one)


@pytest.fixture
async def ends() -> AsyncIterator[Ends]:
    both = Ends()
    await both.joined()
    yield both
    both.sockets.let_go()
    both.rooms.pipe.close()


def envelope(command: Any, n: int = 0) -> Envelope:
    return Envelope("012345", f"connection {n}", "a player", "阿海", command, 12.5)


async def test_every_command_arrives_as_it_was_sent_and_in_order(ends: Ends) -> None:
    sent = [envelope(command, n) for n, command in enumerate(COMMANDS * 40)]
    for n, one in enumerate(sent):
        ends.sockets.post(one)
        if n % 7 == 0:
            await asyncio.sleep(0)
    await ends.sockets.park()
    assert ends.rooms.came == sent


async def test_messages_and_closings_keep_their_order(ends: Ends) -> None:
    heard: list[Any] = []
    ends.sockets.connect("a", heard.append, lambda code, why: heard.append((code, why)))
    for n in range(100):
        ends.rooms.out.deliver("a", b"%d" % n)
    ends.rooms.out.deliver("nobody", b"lost")
    ends.rooms.out.close("a", Refusal.TAKEN_OVER, "开在别处")
    ends.rooms.out.deliver("a", b"after the end")
    await ends.sockets.park()
    assert heard == [b"%d" % n for n in range(100)] + [(Refusal.TAKEN_OVER, "开在别处")]


async def test_what_the_rooms_say_before_they_are_parked_has_come(ends: Ends) -> None:
    heard: list[bytes] = []
    ends.sockets.connect("a", heard.append, lambda *_: None)
    ends.rooms.out.deliver("a", b"the last word")
    await ends.sockets.park()
    assert heard == [b"the last word"]


async def test_one_connections_trouble_is_not_the_others(ends: Ends) -> None:
    def broken(_: bytes) -> None:
        raise RuntimeError

    heard: list[bytes] = []
    ends.sockets.connect("a", broken, lambda *_: None)
    ends.sockets.connect("b", heard.append, lambda *_: None)
    for connection in "abab":
        ends.rooms.out.deliver(connection, b"x")
    await ends.sockets.park()
    assert heard == [b"x", b"x"]


async def test_a_letter_that_can_not_be_read_does_not_spoil_the_others() -> None:
    came: list[Envelope] = []
    good = msgspec.Raw(msgspec.msgpack.encode(envelope(wire.Look())))
    hand_out(Letters([good, msgspec.Raw(b"\xc1"), msgspec.Raw(b"\x90"), good]), came.append)
    assert came == [envelope(wire.Look())] * 2


async def test_counts_are_added_to_ones_own(ends: Ends) -> None:
    rooms = ends.rooms.metrics
    rooms.watch_tables(lambda: {"playing": 7})
    rooms.decided("player", 0.004)
    rooms.committed(3, 0.002)
    rooms.refused(Refusal.STALE)
    own = Metrics()
    own.refused(Refusal.STALE)
    own.committed(1, 0.001)
    page = own.render(await ends.sockets.counts()).decode()
    for line in (
        'hainan_tables{stage="playing"} 7.0',
        'hainan_decisions_total{how="player"} 1.0',
        "hainan_decision_seconds_count 1.0",
        "hainan_commit_calls_sum 4.0",
        'hainan_refusals_total{code="stale"} 2.0',
    ):
        assert line in page
    assert "hainan_tables{" not in own.render().decode()


async def test_who_waits_hears_that_the_other_process_has_ended() -> None:
    ends = Ends()
    await ends.joined()
    ends.rooms._take = lambda _: None  # type: ignore[method-assign]
    ends.rooms.pipe._take = lambda _: None
    waiting = asyncio.create_task(ends.sockets.counts())
    await asyncio.sleep(0.01)
    ends.rooms.pipe.close()
    with pytest.raises(ConnectionError):
        await waiting
    assert ends.lost.is_set()


async def test_letting_go_is_no_loss(ends: Ends) -> None:
    ends.sockets.let_go()
    await ends.rooms.gone.wait()
    assert not ends.lost.is_set()


def test_parcels_are_whole_however_they_are_cut() -> None:
    rng, parcels = (
        Random(3),
        [
            Sendings([Sent("c", bytes(size), None) for _ in range(size % 5)])
            for size in (0, 1, 9, 4096, 70_000)
        ],
    )
    for _ in range(amount(50, 5)):
        came: list[Any] = []
        pipe = Pipe(Answer, came.append, lambda: None)
        kept = Written()
        pipe.connection_made(kept)
        sent = rng.choices(parcels, k=6)
        for parcel in sent:
            pipe.send(parcel)
        data = bytes(kept.data)
        while data:
            size = rng.choice((1, 2, 3, 5, 1000, 50_000))
            pipe.data_received(data[:size])
            data = data[size:]
        assert came == sent


class Written(asyncio.Transport):
    """Keeps what is written."""

    def __init__(self) -> None:
        self.data = bytearray()

    def write(self, data: Any) -> None:
        self.data += data
