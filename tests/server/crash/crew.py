"""Four players at one table of a real server who decide by what they see alone, in the order of their seats.

So a match is the same however often its server is killed, as long as nothing is lost or done twice.
"""

import asyncio
import contextlib
import os
import signal
import socket
import subprocess
import sys
import zlib
from collections.abc import Awaitable, Callable
from itertools import count
from typing import Any

import httpx
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidMessage

from hainan import wire

LOST = (ConnectionClosed, OSError, InvalidHandshake, InvalidMessage, EOFError)
Before = Callable[[int], Awaitable[None]]


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


class Servers:
    """Servers of one database, one after another."""

    def __init__(self, database: str, seed: int, processes: int = 1) -> None:
        self.database, self.seed, self.port = database, seed, free_port()
        self.processes = processes
        self.pid = 0
        self.kills = 0
        self._zygote = subprocess.Popen(
            [sys.executable, "-m", "tests.server.crash.zygote"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def start(self) -> None:
        assert self._zygote.stdin
        assert self._zygote.stdout
        self._zygote.stdin.write(f"{self.port} {self.database} {self.seed} {self.processes}\n")
        self._zygote.stdin.flush()
        self.pid = int(self._zygote.stdout.readline())

    def kill(self) -> None:
        """As hard as it gets, and up again."""
        os.kill(self.pid, signal.SIGKILL)
        self.kills += 1
        self.start()

    def close(self) -> None:
        with contextlib.suppress(ProcessLookupError):
            os.kill(self.pid, signal.SIGKILL)
        assert self._zygote.stdin
        assert self._zygote.stdout
        self._zygote.stdin.close()
        self._zygote.stdout.close()
        self._zygote.wait(60)


class Player:
    """One of the crew: a socket, and what it showed last."""

    def __init__(self, url: str, name: str) -> None:
        self.url, self.name, self.token, self.code = url, name, "", ""
        self.socket: ClientConnection | None = None
        self.room: wire.Room | None = None
        self.table: wire.Table | None = None
        self.seqs: list[int] = []
        self.refused: list[wire.Refused] = []
        self._ref = 0

    async def sign_in(self) -> None:
        async with httpx.AsyncClient() as http:
            answer = await http.post(f"{self.url}/api/players", json={"name": self.name})
            self.token = answer.raise_for_status().json()["token"]

    async def connect(self) -> None:
        """Until the server is there."""
        await self.disconnect()
        where = self.url.replace("http", "ws") + f"/api/rooms/{self.code}/socket"
        for _ in range(600):
            try:
                self.socket = await connect(where, ping_interval=None)
                await self.send(wire.Hello(protocol=wire.PROTOCOL, token=self.token))
                await self.barrier()
            except LOST:
                await asyncio.sleep(0.02)
            else:
                return
        raise AssertionError("the server didn't come back")

    async def disconnect(self) -> None:
        if self.socket is not None:
            with contextlib.suppress(*LOST):
                await self.socket.close()

    async def send(self, command: Any) -> None:
        assert self.socket
        await self.socket.send(wire.encode(command).decode())

    async def receive(self) -> Any:
        assert self.socket
        message = wire.decode_message(await asyncio.wait_for(self.socket.recv(), 30))
        if isinstance(message, wire.Room):
            self.room = message
        if isinstance(message, wire.Table):
            self.table = message
        if isinstance(message, wire.Refused):
            self.refused.append(message)
        if isinstance(message, wire.Room | wire.Table):
            self.seqs.append(message.seq)
        return message

    async def barrier(self) -> None:
        """Everything that the room had sent has arrived."""
        self._ref += 1
        await self.send(wire.Look(ref=self._ref))
        while True:
            message = await self.receive()
            if isinstance(message, wire.Done) and message.ref == self._ref:
                return

    @property
    def mine(self) -> wire.Mine | None:
        """What is asked, in the match that is on."""
        if self.table is None or self.room is None or self.table.hand != self.room.hand:
            return None
        return self.table.mine

    def choice(self) -> str:
        """A decision that depends on nothing but what is seen."""
        assert self.table
        mine = self.mine
        assert mine
        seen = wire.encode([self.table.table, self.table.hand, mine.hand, mine.legal])
        return mine.legal[zlib.crc32(seen) % len(mine.legal)]


class Crew:
    """Four players in one room."""

    def __init__(self, servers: Servers, names: str = "abcd") -> None:
        self.servers = servers
        self.players = [Player(servers.url, f"crew {name}") for name in names]
        self.code = ""

    async def open(self, **rules: Any) -> None:
        """A room with everybody seated, in order, and the match begun."""
        for player in self.players:
            await player.sign_in()
        headers = {"Authorization": f"Bearer {self.players[0].token}"}
        sheet = {"rules": rules, "next_hand_seconds": 0, "turn_seconds": 600, "claim_seconds": 120}
        async with httpx.AsyncClient() as http:
            answer = await http.post(
                f"{self.servers.url}/api/rooms", json={"settings": sheet}, headers=headers, timeout=30
            )
            self.code = answer.raise_for_status().json()["code"]
        for seat, player in enumerate(self.players):
            player.code = self.code
            await player.connect()
            await player.send(wire.Sit(seat=seat))
            await player.barrier()
        await self.players[0].send(wire.Start())
        await self.players[0].barrier()
        assert not any(player.refused for player in self.players), self.players[0].refused

    async def play(self, before: Before | None = None) -> int:
        """To the end of the match; how many steps it took. ``before`` each the server may be killed."""
        for tried in count():
            try:
                if not await self.step(tried, before):
                    return tried
            except (*LOST, TimeoutError):
                for player in self.players:
                    await player.connect()
        raise AssertionError

    async def step(self, tried: int, before: Before | None) -> bool:
        """One command of the first player who is asked for one; False when the match is over."""
        for player in self.players:
            await player.barrier()
        command: Any = None
        for player in self.players:
            room = player.room
            assert room
            if room.stage == wire.Stage.OPEN:
                return False
            if room.stage == wire.Stage.BETWEEN and not room.chairs[room.you or 0].ready:
                command = wire.Ready(nonce=player.name)
            elif player.mine is not None and player.mine.offer is not None:
                command = wire.Act(offer=player.mine.offer, action=player.choice())
            if command is not None:
                break
        if command is None:  # a pause after a tile
            await self.players[0].receive()
            return True
        if before is not None:
            await before(tried)
        await player.send(command)
        await player.barrier()
        return True

    async def close(self) -> None:
        for player in self.players:
            await player.disconnect()
