"""``hainan bot``: a player by a built-in policy at a live server, in a process of his own."""

import asyncio

from hainan import wire
from hainan.cli.common import DIFFERENCE, OK, BadInput, Lang, language, warn
from hainan.cli.texts import TEXTS, say
from hainan.cli.warmup import ready
from hainan.client.client import Client, room_of_link
from hainan.client.errors import ClientError, NoSeat, Unreachable
from hainan.client.player import POLICIES, End, Played, play
from hainan.wire import Refusal

_LATER = frozenset({Refusal.KICKED, Refusal.TAKEN_OVER})
"""What is nobody's mistake at the command line."""


def run(
    url: str,
    room: str | None,
    policy: str,
    name: str | None,
    token: str | None,
    matches: int,
    lang: str | None,
) -> int:
    """Play; the exit status."""
    spoken = language(lang)
    code = room or room_of_link(url)
    if code is None:
        raise BadInput(say(spoken, "bot.which room"))
    if policy not in POLICIES:
        raise BadInput(f"--policy: there is no {policy!r}; there are {', '.join(POLICIES)}")
    told = _Told(code, spoken)
    try:
        client = Client(url, token)
        ready(["shapes", "table", "bots"], spoken)
        played = asyncio.run(_play(client, code, policy, name, matches, told))
    except ClientError as error:
        said = _said(error, url, code, spoken)
        if error.code not in _LATER and not told.seated:
            raise BadInput(said) from None
        warn(f"hainan: {said}")
        return DIFFERENCE
    if played.end == End.CLOSED:
        print(say(spoken, "bot.closed", room=code))
    return OK


async def _play(
    client: Client, code: str, policy: str, name: str | None, matches: int, told: "_Told"
) -> Played:
    if client.token is None:
        await client.guest(name or f"{policy} bot")
    return await play(client, code, POLICIES[policy], matches=matches, hear=told)


def _said(error: ClientError, url: str, room: str, lang: Lang) -> str:
    """An error in the language asked for; in English where only the server can say it."""
    key = f"bot.{error.code}"
    if isinstance(error, NoSeat):
        key = "bot.no seat"
    elif isinstance(error, Unreachable):
        key = "bot.unreachable"
    if key not in TEXTS:
        return error.why
    return say(lang, key, url=url, room=room, why=error.why)


class _Told:
    """Prints what happens, a line for what a person would want to know."""

    def __init__(self, code: str, lang: Lang) -> None:
        self._code, self._lang = code, lang
        self._name = ""
        self._seat: int | None = None
        self._hand: tuple[str, int] | None = None
        self.seated = False

    def __call__(self, message: wire.ServerMessage) -> None:
        """Print a message if it is worth a line."""
        match message:
            case wire.Welcome():
                if self._name:
                    self._say("bot.back")
                self._name = message.name
            case wire.Room() if message.you is not None and message.you != self._seat:
                self._seat, self.seated = message.you, True
                self._say("bot.seated", name=self._name, seat=message.you, room=self._code)
            case wire.Table() if message.table.end is not None:
                self._hand_over((message.match, message.hand), message.table.end["payments"])
            case wire.Told(notice=wire.Notice.MATCH_OVER | wire.Notice.ENDED_BY_VOTE, totals=totals):
                self._say("bot.match", points=_points(totals or []))

    def _hand_over(self, hand: tuple[str, int], payments: list[int]) -> None:
        if hand != self._hand:
            self._hand = hand
            self._say("bot.hand", hand=hand[1] + 1, points=_points(payments))

    def _say(self, key: str, **values: object) -> None:
        print(say(self._lang, key, **values), flush=True)


def _points(points: list[int]) -> str:
    return " ".join(f"{value:+d}" for value in points)
