"""Who hears a room: one channel a player, with its own numbers, on one connection at a time."""

from collections import deque
from dataclasses import dataclass, field
from typing import Final

from msgspec import Struct

from hainan.server.exchange import Outbound
from hainan.wire import Refusal, encode

GENERATION: Final = 2**32
"""Numbers of channels begin at a multiple of this, higher with every start of the server."""
_SAYINGS, _PER_SECONDS = 3, 6.0


@dataclass(slots=True)
class Channel:
    """A player's ear. Its numbers go on over reconnects; they count what this player is sent and nothing
    else, so that they tell nothing about others."""

    player: str
    name: str
    seq: int
    connection: str | None = None
    watching: bool = False
    muted: set[int] = field(default_factory=set)
    said: deque[float] = field(default_factory=lambda: deque(maxlen=_SAYINGS))

    def number(self) -> int:
        """The number of the next message."""
        self.seq += 1
        return self.seq

    def may_say(self, now: float) -> bool:
        """Whether another phrase isn't too many; it counts if not."""
        if len(self.said) == _SAYINGS and now - self.said[0] < _PER_SECONDS:
            return False
        self.said.append(now)
        return True


class Audience:
    """All channels of a room."""

    def __init__(self, out: Outbound, generation: int) -> None:
        """Nobody listens yet."""
        self._out = out
        self._first = generation * GENERATION
        self._channels: dict[str, Channel] = {}
        self._numbers: dict[str, int] = {}
        """Where those who have gone stopped: a number of another's would tell what he was sent."""

    @property
    def highest(self) -> int:
        """The highest number that anybody was sent."""
        sent = [channel.seq for channel in self._channels.values()]
        return max([self._first, *sent, *self._numbers.values()])

    def begin_above(self, number: int) -> None:
        """Before anybody listens: let no number be lower than one that was sent before."""
        self._first = max(self._first, number)

    def attach(self, player: str, name: str, connection: str) -> Channel:
        """A player's connection came; an earlier one of his is closed."""
        channel = self.channel(player, name)
        if channel.connection not in (None, connection):
            self._out.close(channel.connection or "", Refusal.TAKEN_OVER, "this table was opened elsewhere")
        channel.connection, channel.name = connection, name
        return channel

    def detach(self, player: str, connection: str) -> bool:
        """A connection has gone; whether it was the player's present one."""
        channel = self._channels.get(player)
        if channel is None or channel.connection != connection:
            return False
        channel.connection = None
        return True

    def channel(self, player: str, name: str = "") -> Channel:
        """A player's channel, made if it isn't there."""
        channel = self._channels.get(player)
        if channel is None:
            first = self._numbers.pop(player, self._first)
            channel = self._channels[player] = Channel(player, name, first)
        return channel

    def get(self, player: str | None) -> Channel | None:
        """A player's channel if there is one."""
        return None if player is None else self._channels.get(player)

    def forget(self, player: str) -> None:
        """A player who is neither seated nor connected; should he come back, his numbers go on."""
        channel = self._channels.pop(player, None)
        if channel is not None and channel.seq > self._first:
            self._numbers[player] = channel.seq

    def online(self, player: str | None) -> bool:
        """Whether a player is connected."""
        channel = self.get(player)
        return channel is not None and channel.connection is not None

    @property
    def connected(self) -> list[Channel]:
        """Channels that somebody hears."""
        return [channel for channel in self._channels.values() if channel.connection is not None]

    @property
    def watchers(self) -> list[Channel]:
        """Spectators that are connected."""
        return [channel for channel in self.connected if channel.watching]

    def send(self, channel: Channel, message: Struct) -> None:
        """To one player, if he is connected."""
        if channel.connection is not None:
            self._out.deliver(channel.connection, encode(message))

    def reply(self, connection: str, message: Struct) -> None:
        """To a connection."""
        if connection:
            self._out.deliver(connection, encode(message))

    def close(self, player: str, code: Refusal, why: str) -> None:
        """Say good-bye to a player."""
        channel = self._channels.get(player)
        self.forget(player)
        if channel is not None and channel.connection is not None:
            self._out.close(channel.connection, code, why)

    def close_all(self, code: Refusal, why: str) -> None:
        """Say good-bye to everybody."""
        for player in list(self._channels):
            self.close(player, code, why)
