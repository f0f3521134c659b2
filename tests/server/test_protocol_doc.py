"""docs/protocol.md against the truth: its examples are sent, its tables are the messages' own."""

import json
import re
from collections.abc import Iterator
from contextlib import ExitStack
from enum import StrEnum
from itertools import count
from pathlib import Path
from typing import Any, NamedTuple, get_args

import httpx
import msgspec
import pytest
from msgspec import Struct
from websockets.sync.client import connect

from hainan import docs, wire
from hainan.server.accounts import TOKEN_SECONDS
from hainan.server.config import Config
from hainan.server.serve import PING_SECONDS
from hainan.server.web import socket
from hainan.shuffle import Shuffle
from tests.client.live import LiveServer

PLACE = Path(__file__).parents[2] / "docs" / "protocol.md"
PAGE = PLACE.read_text(encoding="utf-8")
COMMANDS = {cls.__struct_config__.tag: cls for cls in get_args(wire.ClientMessage)}
MESSAGES = {cls.__struct_config__.tag: cls for cls in get_args(wire.ServerMessage)}
SAID, TOLD = PAGE.split("# What you are told\n")


class Example(NamedTuple):
    """An example on the page, and what it says about the answer."""

    kind: str
    text: str
    answers: list[str]


def examples(part: str) -> list[Example]:
    """In the order of the page."""
    found = []
    for section in re.split(r"^### ", part, flags=re.MULTILINE)[1:]:
        answer = re.search(r"^Answer: ([^(;\n]*)", section, re.MULTILINE)
        answers = re.findall(r"`(\w+)`", answer[1]) if answer else []
        for text in re.findall(r"```json\n(.*?)```", section, re.DOTALL):
            heading = re.match(r"`(\w+)`", section)
            assert heading, section[:40]
            found.append(Example(heading[1], text, answers))
    return found


def rows(head: str) -> list[list[str]]:
    """The cells of a generated table, without its head."""
    block = re.search(rf"<!-- {head} -->\n(.*?)<!-- end -->", PAGE, re.DOTALL)
    assert block, head
    lines = [line for line in block[1].splitlines() if line.startswith("|")][2:]
    return [[cell.strip() for cell in line.strip("|").split(" | ")] for line in lines]


# ---------------------------------------------------------------- the page by itself


def test_every_message_has_its_section_and_an_example_that_is_one() -> None:
    commands, messages = examples(SAID), examples(TOLD)
    assert {example.kind for example in commands} == set(COMMANDS)
    assert {example.kind for example in messages} == set(MESSAGES)
    for example in commands:
        command = wire.decode_command(example.text)
        assert type(command) is COMMANDS[example.kind]
        assert wire.decode_command(wire.encode(command)) == command
        assert example.answers, f"{example.kind}: what is the answer?"
        assert set(example.answers) <= set(MESSAGES)
    for example in messages:
        message = wire.decode_message(example.text)
        assert type(message) is MESSAGES[example.kind]
        # Nothing in the example is unknown, and nothing in it is what the server would leave out.
        assert json.loads(wire.encode(message)) == json.loads(example.text)


def test_every_json_block_is_an_example() -> None:
    assert PAGE.count("```json") == len(examples(SAID)) + len(examples(TOLD))


PARTS = [
    cls
    for cls in vars(wire).values()
    if isinstance(cls, type) and issubclass(cls, Struct) and cls.__module__ == wire.__name__
    if cls is not wire.Message
]


@pytest.mark.parametrize("cls", PARTS, ids=lambda cls: cls.__name__)
def test_tables_are_the_structs(cls: type[Struct]) -> None:
    """Names, whether it may be left out, its default and its meaning; `hainan.docs` makes them."""
    own = [field for field in msgspec.structs.fields(cls) if field.name in cls.__annotations__]
    shown = rows(f"fields {cls.__name__}")
    assert [row[0] for row in shown] == [f"`{field.encode_name}`" for field in own]
    for field, row in zip(own, shown, strict=True):
        assert (row[2] == "required") == field.required
        if field.default is not msgspec.NODEFAULT:
            assert json.loads(row[2].strip("`")) == msgspec.to_builtins(field.default)
        assert row[3].endswith("."), f"{cls.__name__}.{field.name}: say what it is, in wire.py"


@pytest.mark.parametrize("cls", [wire.Refusal, wire.Stage, wire.Notice, wire.Ballot])
def test_every_value_has_its_meaning(cls: type[StrEnum]) -> None:
    shown = dict(rows(f"values {cls.__name__}"))
    assert list(shown) == [f"`{value}`" for value in cls]
    assert all(text.endswith(".") for text in shown.values())


def test_every_phrase_is_there() -> None:
    assert {name.strip("`"): (zh, en) for name, zh, en in rows("phrases")} == wire.PHRASES


def test_links_within_the_page_lead_somewhere() -> None:
    seen: dict[str, int] = {}
    anchors = set()
    for heading in re.findall(r"^#+ (.+)$", PAGE, re.MULTILINE):
        slug = re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")
        anchors.add(slug if slug not in seen else f"{slug}-{seen[slug]}")
        seen[slug] = seen.get(slug, 0) + 1
    assert set(re.findall(r"\]\(#([^)]+)\)", PAGE)) <= anchors
    for path in re.findall(r"\]\(([^#)]+)\)", PAGE):
        assert (PLACE.parent / path).exists(), path


def test_the_limits_are_the_servers() -> None:
    assert f"This is protocol **{wire.PROTOCOL}**" in PAGE
    assert f"| a message | {wire.MAX_FRAME // 1024} KiB |" in PAGE
    assert f"{socket.PER_SECOND:.0f} a second, {socket.BURST:.0f} at once" in PAGE
    assert f"| {socket.FAULTS} on one connection |" in PAGE
    assert f"| {socket.OUTBOX} | closed, `busy`" in PAGE
    assert f"| {socket.HELLO_SECONDS:.0f} seconds | closed" in PAGE
    assert f"for {TOKEN_SECONDS // 86400} days" in PAGE
    assert f"every {PING_SECONDS:.0f} seconds" in PAGE
    for code, number in socket._CLOSE_CODE.items():
        assert re.search(rf"^\| {number} \|.*`{code}`", PAGE, re.MULTILINE)
    guesses = Config().guess_rate.per_minute / socket.MISS_COST
    assert f"about {guesses:.0f} a minute" in PAGE
    assert f"about {Config().guest_rate.per_minute:.0f} a minute" in PAGE


def test_the_generator_changes_nothing_by_hand(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What stands between the markers is made anew, and nothing else."""
    monkeypatch.setattr(docs, "PAGES", tmp_path)
    stale = (
        "By hand.\n\n<!-- fields Done -->\nold\n<!-- end -->\n\n<!-- phrases -->\n<!-- end -->\nBy hand.\n"
    )
    (tmp_path / "protocol.md").write_text(stale, encoding="utf-8")
    made = docs.protocol_page()
    assert made.startswith("By hand.\n\n<!-- fields Done -->\n| field | type |")
    assert "old" not in made
    assert made.endswith("| `clap` | 👏 | 👏 |\n<!-- end -->\nBy hand.\n")


# ---------------------------------------------------------------- a session


class Person:
    """A player with a socket, who hears everything in order."""

    def __init__(self, url: str, name: str) -> None:
        self.url = url
        with httpx.Client(base_url=url) as http:
            self.token = http.post("/api/players", json={"name": name}).json()["token"]
        self.heard: list[wire.ServerMessage] = []
        self.room: Any = None
        self.table: Any = None

    def open_room(self) -> str:
        with httpx.Client(base_url=self.url) as http:
            headers = {"Authorization": f"Bearer {self.token}"}
            return str(http.post("/api/rooms", json={}, headers=headers).json()["code"])

    def connect(self, code: str) -> None:
        self.end = ExitStack()
        self.socket = self.end.enter_context(
            connect(f"ws{self.url[4:]}/api/rooms/{code}/socket", compression=None)
        )

    def hear(self) -> Any:
        """The next message."""
        message = wire.decode_message(self.socket.recv(timeout=20))
        self.heard.append(message)
        if isinstance(message, wire.Room):
            self.room = message
        elif isinstance(message, wire.Table):
            self.table = message
        return message

    def until(self, true: Any) -> Any:
        """Hear until a message is of a kind."""
        while not true(message := self.hear()):
            pass
        return message

    def say(self, command: wire.ClientMessage) -> None:
        self.socket.send(wire.encode(command).decode())

    def send(self, text: str, answers: list[str]) -> list[Any]:
        """Send a text as it is and hear until everything that the page promises has come."""
        start = len(self.heard)
        self.socket.send(text)
        missing = set(answers)
        while missing:
            missing.discard(_tag(self.hear()))
        return self.heard[start:]


def _tag(message: Any) -> str:
    return str(type(message).__struct_config__.tag)


class Evening:
    """What the page tells of: Hai's examples in their order, and what the others do between them."""

    def __init__(self, url: str) -> None:
        self.hai, self.nan = Person(url, "Hai"), Person(url, "Nan")
        self.code = self.hai.open_room()
        for person in (self.hai, self.nan):
            person.connect(self.code)
        self.nan.say(wire.Hello(protocol=1, token=self.nan.token))

    def before(self, example: Example) -> str:
        """The example with what only this evening can know."""
        fields = json.loads(example.text)
        match example.kind:
            case "hello":
                fields["token"] = self.hai.token
            case "kick":
                self.nan.say(wire.Sit(seat=1))
                self.hai.until(lambda heard: isinstance(heard, wire.Room) and heard.chairs[1].player)
            case "start":
                for seat in (2, 3):
                    self.hai.say(wire.AddBot(seat=seat))
            case "act":
                self.nan.say(wire.Ready(nonce="Nan's"))
                table = self.hai.until(lambda heard: isinstance(heard, wire.Table) and heard.mine.offer)
                fields |= {"offer": table.mine.offer, "action": table.mine.legal[0]}
            case "advise":
                ga = self.nan.until(lambda heard: isinstance(heard, wire.Table) and heard.mine.offer).mine
                self.nan.say(wire.Act(offer=ga.offer, action=ga.legal[0]))
                self.hai.until(lambda heard: isinstance(heard, wire.Table) and heard.table.phase == "turn")
            case "resume":
                self.nan.say(wire.Vote(on=wire.Ballot.PAUSE))
                self.hai.until(lambda heard: isinstance(heard, wire.Room) and heard.stage == "paused")
        return json.dumps(fields, ensure_ascii=False)


@pytest.fixture(scope="module")
def evening(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Evening]:
    folder = tmp_path_factory.mktemp("evening")
    numbers = count()

    def shuffles() -> Shuffle:
        return Shuffle.from_number(next(numbers))

    with LiveServer(f"sqlite:///{folder / 'tables.sqlite3'}", shuffles=shuffles) as server:
        evening = Evening(server.url)
        yield evening
        for person in (evening.hai, evening.nan):
            person.end.close()


def test_every_command_does_what_the_page_says(evening: Evening) -> None:
    hai, nan = evening.hai, evening.nan
    sent = []
    for example in examples(SAID):
        text = evening.before(example)
        command = wire.decode_command(text)
        heard = hai.send(text, example.answers)
        assert not any(isinstance(message, wire.Refused | wire.Goodbye) for message in heard), (text, heard)
        answers = wire.Done | wire.Pong | wire.AdviceAnswer
        refs = [message.ref for message in heard if isinstance(message, answers)]
        assert command.ref is None or refs[-1] == command.ref
        sent.append(example.kind)
    assert set(sent) == set(COMMANDS)
    _the_end(hai, nan, evening.code)
    told = {_tag(message) for message in hai.heard + nan.heard}
    assert told == set(MESSAGES)


def _the_end(hai: Person, nan: Person, code: str) -> None:
    """What no example asks for: a refusal, the end of the match, and a goodbye."""
    nan.say(wire.Start(ref=1))
    nan.until(lambda heard: isinstance(heard, wire.Refused) and heard.ref == 1)
    nan.say(wire.Vote(on=wire.Ballot.END))
    told = nan.until(lambda heard: isinstance(heard, wire.Told))
    assert told.notice == wire.Notice.ENDED_BY_VOTE
    again = Person(nan.url, "Nan elsewhere")
    again.token = nan.token
    again.connect(code)
    again.say(wire.Hello(protocol=1, token=nan.token))
    assert nan.until(lambda heard: isinstance(heard, wire.Goodbye)).code == "taken_over"
    again.end.close()
