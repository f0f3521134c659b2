"""A player by a policy: he sits down, is ready before every hand, and answers what he is asked.

Everything is decided by what the server shows. An offer is thought about once and its answer sent once; only
when a new connection shows the same offer still open, which proves that the answer never arrived, the same
answer is sent again. The server takes one answer to an offer, so none can count twice.
"""

import asyncio
import secrets
from collections.abc import Callable
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, Final

import numpy as np

from hainan import wire
from hainan.bots.minds import minds_of_thread
from hainan.bots.policies import Policy
from hainan.bots.seats import choose_action
from hainan.client.client import Client, Table
from hainan.client.errors import ClientError, NoSeat
from hainan.engine.distance import new_scratch
from hainan.engine.tables import shape_tables
from hainan.rules.actions import ACTIONS, BY_TEXT
from hainan.rules.options import Rules
from hainan.rules.presets import rules_from_json
from hainan.seatview import legal_actions, record_of
from hainan.wire import Refusal, Stage

POLICIES: Final = {policy.name.lower(): policy for policy in Policy}
"""Built-in policies by the names that people give."""
Decide = Callable[[wire.TableView, wire.Mine, Rules], str]
"""What chooses one of ``mine.legal``, from what its seat sees."""
TRY_AGAIN: Final = 1.0
"""Seconds after which something is said again that the server couldn't do just now."""
_NOT_JUST_NOW: Final = frozenset({Refusal.STORAGE, Refusal.INTERNAL, Refusal.TOO_FAST, Refusal.BUSY})


class Mind:
    """A built-in policy, as it decides from messages alone."""

    def __init__(self, policy: Policy, seed: int | None = None) -> None:
        """``seed`` is for policies that draw lots; a random one by default."""
        self._policy = policy
        self._rng = np.uint64(secrets.randbits(64) if seed is None else seed)
        self._shapes, self._work = shape_tables(), new_scratch()

    def __call__(self, view: wire.TableView, mine: wire.Mine, rules: Rules) -> str:
        """One of ``mine.legal``."""
        views = record_of(view, mine, rules)
        views["rng"][0] = self._rng
        actions = np.array(legal_actions(mine, BY_TEXT), np.int16)
        with np.errstate(over="ignore"):  # uncompiled, the generator's numbers wrap as they should
            number = choose_action(
                views, 0, self._shapes, mine.seat, int(self._policy), actions, self._work, minds_of_thread()
            )
        self._rng = views["rng"][0]
        return ACTIONS[number].text


class End(StrEnum):
    """Why a player stopped."""

    MATCHES = "matches"
    """All the matches that were wanted are over."""
    HANDS = "hands"
    """So are the hands."""
    CLOSED = "closed"
    """The room is closed."""


@dataclass(slots=True)
class Played:
    """What a player has played."""

    end: End = End.CLOSED
    seat: int | None = None
    matches: int = 0
    hands: int = 0
    totals: list[list[int]] = field(default_factory=list)
    """Points of all seats, for each match that was over."""


async def play(
    client: Client,
    code: str,
    policy: Policy | Decide,
    hands: int | None = None,
    *,
    matches: int | None = 1,
    hear: Callable[[wire.ServerMessage], None] | None = None,
) -> Played:
    """Sit down in a room and play until so many matches (None: any number) or hands are over.

    ``hear`` is told every message. Raises ClientError where there is no server, room or seat, where the
    player isn't wanted, and where the server is gone for good.
    """
    decide = Mind(policy) if isinstance(policy, Policy) else policy
    async with client.table(code) as table:
        player = Player(table, decide, matches, hands)
        async for message in table:
            if hear is not None:
                hear(message)
            await player.on(message)
            if player.done:
                await _leave(table)
                break
        return player.played


async def _leave(table: Table) -> None:
    """Give the seat up; when that can't be said any more nobody is kept waiting by it."""
    try:
        async with asyncio.timeout(5):
            await table.ask(wire.Leave())
    except (ClientError, TimeoutError):
        return


class Player:
    """What a player does about each message; ``done`` when he has played enough."""

    def __init__(self, table: Table, decide: Decide, matches: int | None, hands: int | None) -> None:
        """At a table that is connected."""
        self.played = Played()
        self.done = False
        self._table, self._decide = table, decide
        self._wanted = (matches, hands)
        self._rules: Rules | None = None
        self._rules_of: wire.Settings | None = None
        self._here = False
        self._last_match: str | None = None
        self._last_hand: tuple[str, int] | None = None
        self._offer: int | None = None
        self._answer = ""
        self._nonce: tuple[Any, str] = (None, "")
        self._said: dict[str, int] = {}
        """What was said on this connection and isn't answered yet, with the numbers of the answers."""
        self._answered: int | None = None
        """The offer that was answered on this connection."""

    async def on(self, message: wire.ServerMessage) -> None:
        """Do what a message calls for."""
        match message:
            case wire.Welcome():
                self._said.clear()
                self._answered = None
            case wire.Room():
                await self._on_room(message)
            case wire.Table():
                await self._on_table(message)
            case wire.Done():
                self._forget(message.ref)
            case wire.Refused():
                await self._on_refused(message)

    # ------------------------------------------------------------ the room

    async def _on_room(self, room: wire.Room) -> None:
        if room.settings != self._rules_of:
            self._rules_of = room.settings
            self._rules = rules_from_json(room.settings.rules, room.settings.players)
        self._count_match(room)
        if self.done or room.stage == Stage.CLOSED:
            return
        chair = None if room.you is None else room.chairs[room.you]
        if chair is None or chair.bot is not None:
            await self._say("sit", wire.Sit())
            return
        self.played.seat = room.you
        if chair.auto:
            await self._say("auto", wire.Auto(on=False))
        if room.stage == Stage.BETWEEN and not chair.ready:
            await self._say("ready", wire.Ready(nonce=self._nonce_for((room.match, room.hand))))

    def _count_match(self, room: wire.Room) -> None:
        """Count a match that is over: the room is open again after another match than the last one."""
        if room.stage != Stage.OPEN:
            self._here = True
        elif not self._here:  # what was played before isn't ours
            self._here, self._last_match = True, room.match
        elif room.match != self._last_match:
            self._last_match = room.match
            self.played.matches += 1
            self.played.totals.append(list(room.totals or ()))
            if self._wanted[0] is not None and self.played.matches >= self._wanted[0]:
                self.done, self.played.end = True, End.MATCHES

    def _nonce_for(self, hand: tuple[str | None, int | None]) -> str:
        """What is added to a hand's shuffle: random, and the same however often it is said."""
        if self._nonce[0] != hand:
            self._nonce = hand, secrets.token_hex(16)
        return self._nonce[1]

    async def _say(self, what: str, command: wire.ClientMessage) -> None:
        """Say something unless the answer to the same thing is still to come."""
        if what not in self._said:
            self._said[what] = 0  # it counts as said while it waits for its turn
            self._said[what] = await self._table.send(command)

    def _forget(self, ref: int | None) -> str | None:
        what = next((what for what, said in self._said.items() if said == ref), None)
        if what is not None:
            del self._said[what]
        return what

    # ------------------------------------------------------------ the table

    async def _on_table(self, message: wire.Table) -> None:
        mine, view = message.mine, message.table
        if view.phase == "over":
            self._count_hand((message.match, message.hand))
        room = self._table.room
        if mine is None or mine.offer is None or room is None or room.stage != Stage.PLAYING:
            return
        if mine.offer == self._answered:
            return
        if mine.offer != self._offer:
            assert self._rules is not None
            self._offer, self._answer = mine.offer, self._decide(view, mine, self._rules)
        self._answered = mine.offer
        self._said["act"] = await self._table.act(mine.offer, self._answer)

    def _count_hand(self, hand: tuple[str, int]) -> None:
        if hand == self._last_hand:
            return
        self._last_hand = hand
        self.played.hands += 1
        if self._wanted[1] is not None and self.played.hands >= self._wanted[1]:
            self.done, self.played.end = True, End.HANDS

    # ------------------------------------------------------------ refusals

    async def _on_refused(self, refused: wire.Refused) -> None:
        what = self._forget(refused.ref)
        if what == "sit" and refused.code in (Refusal.SEAT_TAKEN, Refusal.LOCKED):
            raise NoSeat(f"no seat in room {self._table.code}: {refused.why}", refused.code)
        if what == "act" and refused.code in (*_NOT_JUST_NOW, Refusal.PAUSED):
            self._answered = None  # the next `table` that shows the offer is answered again
        if what is not None and refused.code in _NOT_JUST_NOW:
            await asyncio.sleep(TRY_AGAIN)
            await self._table.send(wire.Look())
        elif what == "act" and refused.code == Refusal.ILLEGAL and refused.offer == self._offer:
            raise ClientError(f"the policy chose what isn't legal: {refused.why}", refused.code)
