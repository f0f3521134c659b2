"""The messages between a table and those around it: what is sent, both ways, as JSON (docs/protocol.md).

Every message is an object with a ``type``. A client sends commands; the server answers with messages. These
types are the only description of the protocol: the server decodes by them, ``hainan bot`` and the tests
encode by them, and the page's types are generated from them.
"""

from enum import StrEnum
from typing import Annotated, Any, Final

import msgspec
from msgspec import Meta, Struct, field

PROTOCOL: Final = 1
"""The number that both sides name first; another meaning of anything gets another number."""
MAX_FRAME: Final = 16 * 1024
"""Longer frames are refused."""
MAX_NAME: Final = 24
MAX_NONCE: Final = 64

Name = Annotated[str, Meta(min_length=1, max_length=MAX_NAME, pattern=r"^\S(.*\S)?$")]
"""What a player is called: 1 to 24 characters, no blanks at its ends."""
Seat = Annotated[int, Meta(ge=0, le=3)]
Reference = Annotated[int, Meta(ge=0, le=2**53 - 1)]
"""A number that a client chooses; the answer to its command carries it."""


# ---------------------------------------------------------------- what may be wrong


class Refusal(StrEnum):
    """Why something was refused; the code in `refused` messages and in HTTP errors."""

    BAD_JSON = "bad_json"
    """The frame isn't JSON, isn't UTF-8, or is nested too deep."""
    BAD_MESSAGE = "bad_message"
    """JSON, but no message of this protocol: an unknown type or field, or a value that can't be."""
    TOO_LONG = "too_long"
    """Longer than a message (or the body of a call) may be."""
    TOO_FAST = "too_fast"
    """Too often; what was said wasn't done, and may be said again later."""
    PROTOCOL = "protocol"
    """The server speaks another protocol than `hello` named; `why` says which."""
    NOT_SIGNED_IN = "not_signed_in"
    """No token or cookie, or one that is forged, expired or was signed out; or anything before `hello`."""
    WRONG_ORIGIN = "wrong_origin"
    """From a browser, on behalf of a page that isn't the server's own."""
    WRONG_PASSWORD = "wrong_password"
    """HTTP: no account has this name and this password."""
    NAME_TAKEN = "name_taken"
    """HTTP: another account has this name."""
    NO_SUCH_ROOM = "no_such_room"
    """There is no room of this code, or it is closed."""
    NO_SUCH_PLAYER = "no_such_player"
    """Nobody of that kind sits on the seat that was named."""
    NOT_FOUND = "not_found"
    """There is nothing at this address."""
    NOT_YOURS = "not_yours"
    """HTTP: it belongs to others, as a private match without its share link."""
    NOT_SEATED = "not_seated"
    """Only who sits at the table may do that."""
    NOT_OWNER = "not_owner"
    """Only the room's owner may do that."""
    NO_SPECTATORS = "no_spectators"
    """The owner of this room allows nobody to watch."""
    KICKED = "kicked"
    """The owner doesn't want this player in the room."""
    SEAT_TAKEN = "seat_taken"
    """The seat isn't free, or none is; or one sits already."""
    BAD_SETTINGS = "bad_settings"
    """An option sheet that contradicts itself or can't be; `clause` says by which rule, where one does."""
    LOCKED = "locked"
    """Not while a match is on: seats and sheet are settled at its start."""
    NOT_NOW = "not_now"
    """Not at this point, for instance `ready` in the middle of a hand; `why` says what is in the way."""
    ILLEGAL = "illegal"
    """The rules don't allow this action now; `clause` says why, `legal` what they do allow."""
    STALE = "stale"
    """The offer has been decided meanwhile; the table that follows is what counts."""
    PAUSED = "paused"
    """The table is paused: clocks stand still, and nothing is decided until `resume`."""
    TAKEN_OVER = "taken_over"
    """The same player opened this room on another connection, which has taken over."""
    DRAINING = "draining"
    """The server is being stopped or restarted: come back soon, nothing is lost."""
    BUSY = "busy"
    """Too much at once: too many people in this room, or a client that doesn't read fast enough."""
    STORAGE = "storage"
    """It could not be stored, so nothing has changed; it may be tried again."""
    INTERNAL = "internal"
    """Something broke in the server, and nothing has changed; it may be tried again."""


# ---------------------------------------------------------------- a room's sheet


class Settings(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How a room plays: the option sheet of the rules, and what the house adds to it."""

    rules: dict[str, Any] = field(default_factory=lambda: {"preset": "hainan"})
    """A preset and any options of the rule book by name."""
    players: Annotated[int, Meta(ge=3, le=4)] = 4
    """Seats of the room."""
    listed: bool = False
    """Whether the room is shown to everybody; else one needs its code or link."""
    spectators: bool = False
    """Whether others may watch, one full hand behind."""
    hints: bool = True
    """Whether waits, licences and marked discards are offered."""
    turn_seconds: Annotated[int, Meta(ge=3, le=600)] = 20
    """Time for a decision in one's own turn, and for ga."""
    claim_seconds: Annotated[int, Meta(ge=3, le=120)] = 10
    """Time for an answer to another's tile."""
    bank_seconds: Annotated[int, Meta(ge=0, le=3600)] = 60
    """What a player may use beyond that in his own turns, over the whole match."""
    next_hand_seconds: Annotated[int, Meta(ge=0, le=600)] = 30
    """After so long the next hand begins without those who didn't press ready; 0: never."""


# ---------------------------------------------------------------- commands: client to server


class Command(Struct, frozen=True, kw_only=True, tag_field="type", forbid_unknown_fields=True):
    """What every command may carry."""

    ref: Reference | None = None
    """A number of the client's choice: the answer carries it, so that it can be told apart."""


class Hello(Command, frozen=True, kw_only=True, tag="hello"):
    """The first message: the protocol spoken, and a bearer token where there is no cookie."""

    protocol: int
    """The number of this page: 1."""
    token: Annotated[str, Meta(max_length=512)] | None = None
    """From signing in. Browsers leave it out: their cookie is enough."""


class Ping(Command, frozen=True, kw_only=True, tag="ping"):
    """Answered by `pong`."""


class Look(Command, frozen=True, kw_only=True, tag="look"):
    """Ask for the present room and table once more."""


class Sit(Command, frozen=True, kw_only=True, tag="sit"):
    """Take a seat: this one, or any that is free."""

    seat: Seat | None = None
    """Which one; null for any."""


class Leave(Command, frozen=True, kw_only=True, tag="leave"):
    """Give up one's seat; during a match a bot plays on."""


class Watch(Command, frozen=True, kw_only=True, tag="watch"):
    """Watch the table, one full hand behind."""


class AddBot(Command, frozen=True, kw_only=True, tag="add_bot"):
    """Owner: put a bot on a free seat."""

    seat: Seat | None = None
    """Which one; null for any."""
    policy: Annotated[str, Meta(max_length=32)] = "normal"
    """`easy`, `normal` or `strong`; tools may also want `plain`, `greedy` or `random`."""


class Kick(Command, frozen=True, kw_only=True, tag="kick"):
    """Owner: take a bot or a player off his seat; a player can't come back."""

    seat: Seat
    """Whose seat."""


class HandOver(Command, frozen=True, kw_only=True, tag="hand_over"):
    """Owner: make the player of this seat the owner."""

    seat: Seat
    """The new owner's."""


class Change(Command, frozen=True, kw_only=True, tag="change"):
    """Owner: other settings, before a match."""

    settings: Settings
    """All of them: what is left out gets its default."""


class Start(Command, frozen=True, kw_only=True, tag="start"):
    """Owner: begin a match, or the next one with the same players (rematch)."""


class Ready(Command, frozen=True, kw_only=True, tag="ready"):
    """Ready for the next hand; the nonce is mixed into its shuffle."""

    nonce: Annotated[str, Meta(max_length=MAX_NONCE)] = ""
    """Any text. One that nobody can foresee makes sure that nobody could choose the deal."""


class Act(Command, frozen=True, kw_only=True, tag="act"):
    """A decision, for the offer of this number."""

    offer: Reference
    """The number that the answer is for: `mine.offer`."""
    action: Annotated[str, Meta(max_length=16)]
    """One of `mine.legal`, letter by letter."""


class Auto(Command, frozen=True, kw_only=True, tag="auto"):
    """托管: let the table play one's seat, or take it back."""

    on: bool
    """Whether the table plays."""


class Ballot(StrEnum):
    """What may be voted on."""

    PAUSE = "pause"
    """Stop all clocks; more than half of the players must agree."""
    MORE_TIME = "more_time"
    """A minute more in every bank; more than half."""
    END = "end"
    """End the match: the hand that is on doesn't count, and the totals stand. All must agree."""


class Vote(Command, frozen=True, kw_only=True, tag="vote"):
    """Ask for a pause, more time or the end of the match, or answer another's wish."""

    on: Ballot
    """The wish."""
    yes: bool = True
    """For or against it."""


class Resume(Command, frozen=True, kw_only=True, tag="resume"):
    """End a pause."""


class Say(Command, frozen=True, kw_only=True, tag="say"):
    """A quick phrase or an emoji, by its name (`PHRASES`)."""

    phrase: Annotated[str, Meta(max_length=32)]
    """One of the names below."""


class Mute(Command, frozen=True, kw_only=True, tag="mute"):
    """Hear no phrases from a seat, or hear them again."""

    seat: Seat
    """Whose phrases."""
    on: bool = True
    """False to hear them again."""


class Advise(Command, frozen=True, kw_only=True, tag="advise"):
    """Ask what each action that is offered is worth, and why."""


ClientMessage = (
    Hello
    | Ping
    | Look
    | Sit
    | Leave
    | Watch
    | AddBot
    | Kick
    | HandOver
    | Change
    | Start
    | Ready
    | Act
    | Auto
    | Vote
    | Resume
    | Say
    | Mute
    | Advise
)

PHRASES: Final = {
    "hello": ("大家好", "Hello!"),
    "hurry": ("快点啦", "Your turn!"),
    "wait": ("等我一下", "One moment"),
    "nice": ("打得好", "Well played"),
    "thanks": ("谢谢", "Thank you"),
    "sorry": ("不好意思", "Sorry"),
    "lucky": ("手气真好", "What luck"),
    "unlucky": ("差一点", "So close"),
    "again": ("再来一场", "One more?"),
    "bye": ("先走了", "Good-bye"),
    "smile": ("😄", "😄"),
    "cry": ("😭", "😭"),
    "think": ("🤔", "🤔"),
    "fire": ("🔥", "🔥"),
    "flower": ("🌺", "🌺"),
    "clap": ("👏", "👏"),
}
"""What can be said at a table, in Chinese and English."""


# ---------------------------------------------------------------- messages: server to client


class Message(Struct, frozen=True, kw_only=True, tag_field="type", omit_defaults=True):
    """What every message is."""


class Welcome(Message, frozen=True, kw_only=True, tag="welcome"):
    """The answer to `hello`: who one is here."""

    protocol: int
    """The protocol spoken."""
    server: str
    """The program and its version, for people."""
    player: str
    """One's own id."""
    name: str
    """What one is called here."""
    connection: str
    """The id of this connection, for questions to whoever runs the server."""


class Done(Message, frozen=True, kw_only=True, tag="done"):
    """A command with a `ref` was carried out."""

    ref: int
    """That of the command."""


class About(Struct, frozen=True, kw_only=True):
    """What is wrong with something that was sent, in parts: to be said in any language."""

    where: str
    """The field: `actions[11]`, `seats[0].hand`, `rules.follow`."""
    fault: str
    """What, by its name: one of those of the HTTP interface (`wrong` where only the sentence tells)."""
    params: dict[str, Any] = field(default_factory=dict)
    """What belongs to it: numbers, tiles, names of options."""


class Refused(Message, frozen=True, kw_only=True, tag="refused"):
    """A command was refused and changed nothing."""

    code: Refusal
    """Why, for programs."""
    why: str
    """Why, for people: a sentence in English."""
    ref: int | None = None
    """That of the command, if it had one that could be read."""
    clause: str | None = None
    """The clause of the rule book that forbids it."""
    legal: list[str] | None = None
    """For a decision: what is legal now."""
    offer: int | None = None
    """The number of the offer that is open now."""
    about: About | None = None
    """For settings that can't be: which option. For a decision: the reason."""


class Pong(Message, frozen=True, kw_only=True, tag="pong"):
    """The answer to `ping`."""

    ref: int | None = None
    """That of the `ping`."""


class Chair(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A seat of a room and who sits on it."""

    player: str | None = None
    """The id of the player whose seat it is; none for a bot's or a free one."""
    name: str | None = None
    """What he is called."""
    bot: str | None = None
    """The policy that plays it: a bot, or a player's stand-in."""
    online: bool = False
    """Whether he is connected."""
    ready: bool = False
    """Whether the next hand need not wait for this seat."""
    auto: bool = False
    """Whether it is on auto-play (托管)."""


class Open(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A wish that is being voted on."""

    on: Ballot
    """The wish."""
    yes: list[int]
    """The seats for it."""
    no: list[int]
    """The seats against it."""
    needed: int
    """How many must be for it."""


class Stage(StrEnum):
    """Where a room stands."""

    OPEN = "open"
    """No match: seats and settings can change."""
    BETWEEN = "between"
    """Before a hand: waiting until all are ready."""
    PLAYING = "playing"
    """A hand is being played."""
    PAUSED = "paused"
    """Clocks stand still until somebody says `resume`, at most a quarter of an hour."""
    CLOSED = "closed"
    """The room is no more."""


class Room(Message, frozen=True, kw_only=True, tag="room"):
    """The room as it is now: sent at first and after every change."""

    seq: int
    """Number of this message."""
    code: str
    """The room's six digits."""
    owner: str | None
    """The id of the player who owns it."""
    settings: Settings
    """How it plays."""
    digest: str
    """The fingerprint of the sheet (`hainan options`)."""
    stage: Stage
    """Where it stands."""
    chairs: list[Chair]
    """Its seats, in playing order."""
    you: int | None
    """One's own seat."""
    watching: bool = False
    """Whether one is a spectator."""
    match: str | None = None
    """The id of the match that is on, or of the last one."""
    hand: int | None = None
    """The number of the hand within the match, from 0."""
    commitment: str | None = None
    """Of the shuffle of the present or the coming hand."""
    next_in: float | None = None
    """Seconds until the next hand begins by itself."""
    votes: list[Open] = field(default_factory=list)
    """What is being voted on."""
    totals: list[int] | None = None
    """Points over all finished hands of the match."""
    muted: list[int] = field(default_factory=list)
    """Seats whose phrases one doesn't hear."""


class Meld(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A meld as all see it; of another's concealed kong the tiles may be hidden."""

    kind: str
    """`chow`, `pong`, `exposed_kong`, `added_kong` or `concealed_kong`."""
    tiles: str = ""
    """Its tiles; none while they are hidden."""
    from_: int | None = field(default=None, name="from")
    """Whose tile was claimed."""
    claimed: str | None = None
    """The tile that was claimed."""
    back: bool = False
    """An added kong whose fourth tile had just come from the back of the wall (R8.13)."""


class SeatView(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What everybody sees of a seat."""

    tiles: int
    """How many concealed tiles it holds."""
    flowers: str = ""
    """Flowers that lie on the table."""
    melds: list[Meld] = field(default_factory=list)
    """In the order in which they were made."""
    river: str = ""
    """Its discards in order, claimed ones included."""
    claimed: list[int] = field(default_factory=list)
    """Which of them, by place from 0, were claimed."""
    ga: int | None = None
    """The ga it has chosen (R8.3), once all have."""
    floor: int = 0
    """Below which its ga can't go."""
    ready: bool = False
    """Whether it has declared ready (R7.6)."""
    owes_follow: bool = False
    """Whether it owes a follow payment (R8.19)."""
    hand: str | None = None
    """When the hand is over: the concealed tiles."""


class Follow(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """跟牌 under way (R8.19)."""

    lead: int | None = None
    """Whose discard is to be followed."""
    tile: str | None = None
    """That discard."""
    followers: int = 0
    """How many have followed so far."""
    next_leads: int | None = None
    """Whose next discard will be the lead."""


class Claim(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The tile that is lying there and may be claimed."""

    tile: str
    """What lies there."""
    from_: int = field(name="from")
    """Who put it there."""
    rob: bool = False
    """It is the tile of an added kong (R3.7)."""


class Caution(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Something that may make one player pay for all (包)."""

    kind: str
    """`two_melds`, `three_melds` (三道), `four_melds` (四道), `last_tiles` (海底) or `blocking` (防勾脚)."""
    clause: str
    """The clause that makes liable."""
    from_: int | None = field(default=None, name="from")
    """For melds: whose tiles were claimed."""
    to: int | None = None
    """For melds: who claimed them."""


class TableView(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """The table as everybody sees it."""

    phase: str
    """`ga`, `turn`, `claim`, `rob` or `over`."""
    dealer: int
    """The dealer's seat."""
    first_dealer: int
    """Who dealt first in this match."""
    streak: int
    """How often the dealer has stayed (R1.7)."""
    round_wind: str
    """`1z` to `4z`."""
    hands_played: int
    """Hands of the match before this one."""
    rounds_played: int
    """Full round winds before this hand."""
    dice: tuple[int, int]
    """The two dice."""
    wall_break: tuple[int, int]
    """Before whom, and after how many stacks from his left end (R1.3)."""
    remaining: int
    """Tiles left to draw; the whole wall while ga is chosen."""
    seats: list[SeatView]
    """The seats in playing order."""
    turn: int | None = None
    """Whose turn it is, in the phase `turn`."""
    claim: Claim | None = None
    """What may be claimed, in the phases `claim` and `rob`."""
    wild: str | None = None
    """The wild kind (癞子), under a sheet with one."""
    indicator: str | None = None
    """The tile that was turned over for it."""
    drawn_from: str | None = None
    """Where the tile drawn in this turn came from: `front`, `kong` or `flower`."""
    order: str = ""
    """The seats of all discards in order, a digit each."""
    fresh_pong: str | None = None
    """In a turn after a pong: its kind, which can't be made a kong at once (R3.6)."""
    follow: Follow | None = None
    """Under a sheet with it."""
    warnings: list[Caution] = field(default_factory=list)
    """While the hand is on: who may have to pay for all, and why."""
    end: dict[str, Any] | None = None
    """The bill, when the hand is over (docs/formats.md, section 3)."""


class Passed(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Wins that were passed up (R9.1, R9.2)."""

    let_off: int | None = None
    """Who was let off: no win on others' tiles until he, or one oneself, next discards (R9.1)."""
    V: int = 0
    """Until one's own next turn a win on another's tile must be worth more than this (R9.2)."""


class Hint(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A tile that would complete the hand, and what it would bring."""

    tile: str
    """The tile."""
    unseen: int
    """How many of it one doesn't see."""
    licensed: bool
    """Whether it can be won by discard; else only self-drawn."""
    licences: list[str]
    """Those that the hand would hold with it."""
    patterns: list[str]
    """Those that it would make."""
    T: int
    """The hand's score."""
    V: int
    """The value by discard."""
    V_self_draw: int
    """The value by self-draw."""


class Hints(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What one's hand holds and waits on, made from one's own view alone."""

    licences: list[str] = field(default_factory=list)
    """Those that the hand holds now."""
    waits: list[Hint] = field(default_factory=list)
    """What it waits on as it is."""
    discards: dict[str, list[Hint]] = field(default_factory=dict)
    """In one's own turn: the waits after each discard that leaves the hand waiting."""


class Mine(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """What only the seat's owner sees."""

    seat: int
    """One's own seat."""
    hand: str
    """The concealed tiles."""
    drawn: str | None = None
    """The tile drawn last, in one's own turn; it is part of `hand`."""
    flowers: str = ""
    """Flowers dealt and not yet laid out (R2.2)."""
    kongs: list[str] = field(default_factory=list)
    """One's own concealed kongs, where they are hidden from others."""
    ga: int | None = None
    """One's own ga while the others choose theirs."""
    passed: Passed | None = None
    """Wins one has passed up."""
    answered: bool = False
    """Whether one has answered the tile that lies there."""
    offer: int | None = None
    """The number to quote in `act`; none while nothing is asked of this seat."""
    legal: list[str] = field(default_factory=list)
    """What may be answered, in the order of docs/formats.md, section 3."""
    seconds: float | None = None
    """Time left for this decision."""
    bank: float = 0.0
    """Time beyond it, for one's own turns."""
    hints: Hints | None = None
    """While the hand is played, where the room allows them."""


class Table(Message, frozen=True, kw_only=True, tag="table"):
    """The truth about the table, for one seat (or for spectators), with what has just happened.

    Draw `table` and `mine`; use `events` for movement and sound only.
    """

    seq: int
    """Number of this message."""
    match: str
    """The match's id."""
    hand: int
    """The number of the hand within the match, from 0; hands that were void count too."""
    table: TableView
    """What everybody sees."""
    events: list[dict[str, Any]] = field(default_factory=list)
    """What has happened since the last `table`, as in docs/formats.md, section 3; none after connecting."""
    mine: Mine | None = None
    """What only the owner of a seat sees; none for spectators."""
    turn_seconds: float | None = None
    """Time left to the seat whose turn it is, and his bank: public, since a turn is."""
    turn_bank: float | None = None
    """What he may use beyond them."""


class Advised(Struct, frozen=True, kw_only=True):
    """A legal action, what it is worth, and why."""

    action: str
    """The action, one of `mine.legal`."""
    points: float | None
    """Expected points of the hand from here on, what others' wins cost included; none for ga."""
    win: float | None
    """Chance to win the hand, 0 to 1; none for ga."""
    deal_in: float | None
    """Chance that this very tile is won by somebody; none for ga."""
    reasons: list[str]
    """What the sentence says, by ids."""
    zh: str
    """Why, in Chinese: one sentence with the numbers that it rests on."""
    en: str
    """The same in English."""


class AdviceAnswer(Message, frozen=True, kw_only=True, tag="advice"):
    """The answer to `advise`, made from one's own view alone."""

    offer: int
    """The offer that it is about."""
    best: str
    """The action that the bot `strong` would take."""
    actions: list[Advised]
    """Every action of `mine.legal`, in its order."""
    ref: int | None = None
    """That of the `advise`."""


class Said(Message, frozen=True, kw_only=True, tag="said"):
    """Somebody said something."""

    seq: int
    """Number of this message."""
    seat: int
    """Who."""
    phrase: str
    """Its name (`PHRASES`)."""


class Notice(StrEnum):
    """What everybody at a table is told about its course."""

    VOID = "void"
    """Something broke: the hand doesn't count and is dealt anew."""
    MATCH_OVER = "match_over"
    """The match has had all its hands."""
    ENDED_BY_VOTE = "ended_by_vote"
    """The players agreed to end the match."""
    DRAINING = "draining"
    """The server is being stopped: come back soon, nothing is lost."""
    CLOSED = "closed"
    """The room is closed."""


class Told(Message, frozen=True, kw_only=True, tag="told"):
    """Something that concerns the whole table."""

    seq: int
    """Number of this message."""
    notice: Notice
    """What."""
    match: str | None = None
    """The match it is about."""
    totals: list[int] | None = None
    """Points of all seats; not for spectators."""


class Goodbye(Message, frozen=True, kw_only=True, tag="goodbye"):
    """The last message before the server closes a connection."""

    code: Refusal
    """Why, for programs."""
    why: str
    """Why, for people."""


ServerMessage = Welcome | Done | Refused | Pong | Room | Table | AdviceAnswer | Said | Told | Goodbye

decode_command: Final = msgspec.json.Decoder(ClientMessage).decode
decode_message: Final = msgspec.json.Decoder(ServerMessage).decode
encode: Final = msgspec.json.Encoder().encode
