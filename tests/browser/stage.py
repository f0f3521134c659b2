"""A real server for the browser, whose deals may be laid by hand, and players who follow a script.

Deals are laid through what tests may give to any server (``Surroundings.shuffles``): no product has it.
"""

import asyncio
import secrets
import threading
from collections import deque
from collections.abc import Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any

from hainan import wire
from hainan.client.client import Client
from hainan.client.client import Table as Line
from hainan.rules.options import Rules
from hainan.rules.presets import rules_from_json
from hainan.shuffle import Deal, Shuffle
from hainan.table import Table
from tests.client.live import Hasty, LiveServer
from tests.stack import stacked_wall

QUIET_RULES = {"preset": "hainan", "ga": False, "first_dealer": "host", "hands": 1}


@dataclass(frozen=True)
class Laid(Shuffle):
    """A deal that was laid; its commitment is a real one, but nothing follows from it."""

    wall: tuple[int, ...] = ()

    def with_nonces(self, nonces: Sequence[str]) -> "Laid":
        return Laid(self.seed, tuple(nonces), self.wall)

    def deal(self, rules: Rules, players: int = 4) -> Deal:
        return Deal(self.wall, (1, 2), (1, 1), 0)


class Stage(LiveServer):
    """The server; ``lay`` says how the next hands are dealt, others follow from ``seed``."""

    def __init__(self, folder: Path, seed: int = 1, times: float = 100) -> None:
        self._seed = seed
        self._laid: deque[Laid] = deque()
        self.company: list[Player] = []
        self._begin_anew()
        super().__init__(f"sqlite:///{folder / 'hainan.sqlite3'}", Hasty(seed, times), self._next)

    def _begin_anew(self) -> None:
        self._laid.clear()
        self._numbers = count(self._seed * 1000)
        self._names, self._called = count(1), "玩家"

    def _next(self) -> Shuffle:
        return self._laid.popleft() if self._laid else Shuffle.from_number(next(self._numbers))

    def lay(self, dealt: Sequence[str], draws: str = "", back: str = "", **rules: Any) -> Table:
        """The next deal, and the same hand as a table of one's own."""
        players = int(rules.pop("players", 4))
        sheet = rules_from_json(QUIET_RULES | rules, players)
        wall = stacked_wall(sheet, players, dealt, draws, back)
        self._laid.append(Laid(secrets.token_bytes(32), (), tuple(wall)))
        return Table(sheet, players, wall=wall, dice=(1, 2))

    def call_players(self, name: str) -> None:
        """What those who sit down from now on are called, with their number."""
        self._called = name

    def skip_shuffle(self) -> None:
        """Other hands than those that would come."""
        next(self._numbers)

    def settings(self, **change: Any) -> dict[str, Any]:
        """Room settings for tests: the quiet rules, nobody hurried."""
        rules = QUIET_RULES | change.pop("rules", {})
        return {
            "rules": rules,
            "turn_seconds": 600,
            "claim_seconds": 120,
            "next_hand_seconds": 0,
        } | change

    def sit_down(self, code: str, seat: int, script: Sequence[str] = ()) -> "Player":
        """Seat a player who follows a script."""
        player = Player(self.url, code, f"{self._called}{next(self._names)}", seat, script)
        self.company.append(player)
        player.start()
        return player

    def real_table(self, code: str) -> Table:
        """The engine's own table of a room: look, don't touch."""

        async def look() -> Table:
            hand = self.host.rooms[code].hand
            assert hand is not None
            return hand.table.clone()

        table: Table = self.run(look())
        return table

    def clear(self) -> None:
        """For the next test: everybody goes, all rooms stop, and deals come as in the beginning."""
        self._dismiss()

        async def stop() -> None:
            rooms = list(self.host.rooms.values())
            await asyncio.gather(*(room.stop() for room in rooms))
            self.host.rooms.clear()

        self.run(stop())
        self._begin_anew()

    def stop(self) -> None:
        self._dismiss()
        super().stop()

    def _dismiss(self) -> None:
        for player in self.company:
            player.stop()
        self.company = []


class Player:
    """Another player at the table: does what his script says as soon as he can, else passes or throws away
    what he has drawn."""

    def __init__(self, url: str, code: str, name: str, seat: int, script: Sequence[str]) -> None:
        self.name, self.code, self.seat = name, code, seat
        self.client = Client(url)
        self.script = deque(script)
        self.line: Line | None = None
        self._seated: Future[None] = Future()

    def start(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._run)
        self._thread.start()
        self._seated.result(20)

    def stop(self) -> None:
        if not self._loop.is_closed():
            self._loop.call_soon_threadsafe(self._task.cancel)
        self._thread.join(10)
        assert not self._thread.is_alive()

    def say(self, command: Any) -> None:
        """A command of his, now."""
        assert self.line is not None
        asyncio.run_coroutine_threadsafe(self.line.send(command), self._loop).result(10)

    def _run(self) -> None:
        asyncio.set_event_loop(self._loop)
        self._task = self._loop.create_task(self._play())
        try:
            self._loop.run_until_complete(self._task)
        except asyncio.CancelledError:
            pass
        except BaseException as error:
            if not self._seated.done():
                self._seated.set_exception(error)
            raise
        finally:
            self._loop.close()

    async def _play(self) -> None:
        await self.client.guest(self.name)
        async with self.client.table(self.code) as line:
            self.line = line
            await line.send(wire.Sit(seat=self.seat))
            async for message in line:
                await self._hear(line, message)

    async def _hear(self, line: Line, message: Any) -> None:
        if isinstance(message, wire.Room):
            if message.you is not None and not self._seated.done():
                self._seated.set_result(None)
            chair = message.chairs[self.seat]
            if message.stage == wire.Stage.BETWEEN and not chair.ready:
                await line.send(wire.Ready(nonce=self.name))
        elif isinstance(message, wire.Table) and message.mine and message.mine.offer is not None:
            if (action := self._choice(message.mine)) is not None:
                await line.send(wire.Act(offer=message.mine.offer, action=action))

    def _choice(self, mine: wire.Mine) -> str | None:
        if self.script and self.script[0] == "wait":
            return None
        if self.script and self.script[0] in mine.legal:
            return self.script.popleft()
        for usual in ("pass", "ga 0", f"discard {mine.drawn}"):
            if usual in mine.legal:
                return usual
        return next(action for action in mine.legal if action.startswith("discard"))
