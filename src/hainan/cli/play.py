"""``hainan play``: a match against bots in the terminal.

All that is shown comes from the player's own view of the table.
"""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Final

from rich import box
from rich.table import Table as Grid
from rich.text import Text

from hainan.bots.policies import Policy
from hainan.cli.bill import print_bill, sums
from hainan.cli.coach import Coach
from hainan.cli.common import OK, BadInput, language, rules_from
from hainan.cli.decision import ME, Decision
from hainan.cli.entrants import Player, bot_of, entrant_named
from hainan.cli.screen import head_line, opened_lines
from hainan.cli.show import Look, around, flow, look_for, signed, told
from hainan.cli.texts import TOPICS, named
from hainan.cli.typed import understood
from hainan.cli.warmup import ready
from hainan.matches import Match, seeded_deals
from hainan.picture.laid import seat_of
from hainan.rules.actions import Action
from hainan.rules.options import OPTIONS, Rules, RulesError
from hainan.rules.presets import PRESET_NAMES
from hainan.shuffle import Deal, Shuffle
from hainan.table import Event, IllegalAction, events_of

_UNTOLD: Final = {"deal", "draw", "win", "draw_hand", "pay"}
"""Events that the screen or the bill shows by itself."""
_OWN_TOLD: Final = {"ga", "indicator", "flower", "follow"}
_YES: Final = {"y", "yes", "是"}
_ENDLESS: Final = 1000
"""Lines of a screen that isn't one."""


def run(
    preset: str | None,
    rules_file: str | None,
    players: int,
    hands: int | None,
    seed: int | None,
    lang: str | None,
    plain: bool,
    bots: str = "normal",
    coached: bool = False,
) -> int:
    """Play a match; the exit status."""
    try:
        entrant = entrant_named(bots)
    except ValueError as error:
        raise BadInput(f"--bots: {error}") from None
    rules = _with_length(rules_from(preset, rules_file, players), hands)
    look = look_for(lang, plain)
    learnt = [] if isinstance(entrant, Policy) else ["learning"]
    ready(["shapes", "table", "hints", "bots", *(["advice"] if coached else []), *learnt], language(lang))
    game = _Game(look, rules, players, seed, bot_of(entrant))
    game.coached = coached
    with _politely_ended(look):
        game.play()
    game.show_final()
    return OK


def _with_length(rules: Rules, hands: int | None) -> Rules:
    if hands is None:
        return rules
    try:
        OPTIONS["hands"].check(hands)
    except RulesError as error:
        raise BadInput(f"--hands: {error}") from None
    return replace(rules, hands=hands, rounds=None)


@contextmanager
def _politely_ended(look: Look) -> Iterator[None]:
    try:
        yield
    except (KeyboardInterrupt, EOFError):
        look.print("", look.say("stopped"))
    else:
        look.print(look.say("finished"))


class _Shuffles:
    """A fresh committed shuffle for every hand; the last one is that of the present hand."""

    def __init__(self, rules: Rules, players: int) -> None:
        self._rules, self._players = rules, players

    def __call__(self, hand: int) -> Deal:
        self.last = Shuffle.new()
        return self.last.deal(self._rules, self._players)


class _Game:
    """A match at the terminal: the player at seat 0, bots at the others."""

    def __init__(self, look: Look, rules: Rules, players: int, seed: int | None, bot: Player) -> None:
        self.look, self.rules = look, rules
        self.names = around(look.lang, players)
        self.shuffles = _Shuffles(rules, players) if seed is None else None
        deals = self.shuffles if seed is None else seeded_deals(seed, rules, players)
        self.match = Match(rules, players, deals=deals)
        self.bot = bot
        self.coached = False
        self.events: list[Event] = []
        self.notes: list[Text] = []

    # ------------------------------------------------------------ the match

    def play(self) -> None:
        """Hand after hand."""
        while True:
            self._play_hand()
            over = self.match.over
            self._show_end()
            if over:
                return
            if self._read("next hand").lower() == "q":
                raise EOFError
            self.match.next_hand()

    def _play_hand(self) -> None:
        table = self.match.table
        self.events, self.notes = [], []
        if self.shuffles is not None:
            self.notes = [self.look.fill("commitment", digits=self.shuffles.last.commitment[:16])]
        self._watch()
        while not table.over:
            # The others answer first: whoever is asked learns nothing from it, and is asked less.
            others = [seat for seat in table.legal() if seat != ME]
            if others:
                self._act(others[0], self.bot.choose(table, others[0]))
            else:
                self._decide()

    def _act(self, seat: int, action: Action | str) -> None:
        self.match.table.act(seat, action)
        if seat == ME:
            self.events, self.notes = [], []
        self._watch()

    def _watch(self) -> None:
        """Note what the player could see happen."""
        self.events += filter(_is_told, events_of(self.match.table.masked(ME), ()))

    def _log(self) -> list[Text]:
        """What happened since the last decision."""
        return told(self.look, self.names, self.events)

    # ------------------------------------------------------------ a decision

    def _decide(self) -> None:
        decision = Decision(self.look, self.names, self.match.table, self.match.totals)
        coach = Coach(self.look, self.match.table, ME)
        if self.coached:
            self.notes += coach.best()
        self._show(decision)
        while True:
            typed = self._read(decision.prompt)
            match typed.lower():
                case "?" | "？" | "h" | "help":
                    self._show_page(Text(self.look.say("help")))
                case "i":
                    self._show_page(*decision.hints_in_full())
                case "a" | "建议":
                    ready(["advice"], self.look.lang)
                    self._show_page(*coach.in_full())
                case "r":
                    self._show_page(*self._sheet())
                case "q":
                    self._leave()
                case "":
                    self._show(decision)
                case _ if self._taken(decision, typed):
                    if self.coached:
                        self.notes += coach.cost(self.match.table.actions[-1][1].text)
                    return

    def _taken(self, decision: Decision, typed: str) -> bool:
        try:
            self._act(ME, understood(typed, decision.legal))
        except IllegalAction as refusal:
            self._show(decision, self._explained(refusal, typed))
            return False
        return True

    def _leave(self) -> None:
        if self._read("really").lower() in _YES:
            raise EOFError

    def _explained(self, refusal: IllegalAction, typed: str) -> Text:
        return self.look.fill(
            "illegal",
            tried="".join(filter(str.isprintable, typed))[:20],
            why=refusal.why,
            topic=TOPICS.get(refusal.clause, refusal.why),
            clause=f"({refusal.clause})",
        )

    # ------------------------------------------------------------ screens

    def _show(self, decision: Decision, problem: Text | None = None) -> None:
        """The table; where there is no screen to draw again, a problem is told alone."""
        problems = flow("", [Text(problem.plain, "bold red")], self.look.width) if problem else []
        if problem is None or self.look.on_screen:
            height = self.look.console.height - 1 - len(problems) if self.look.on_screen else _ENDLESS
            self._fresh_page()
            self.look.print(*decision.lines(self._log(), height, self.notes))
        self.look.print(*problems)

    def _show_page(self, *lines: Text) -> None:
        self._fresh_page()
        self.look.print(*lines)

    def _fresh_page(self) -> None:
        if self.look.on_screen:
            self.look.console.clear()
        else:
            self.look.print("")

    def _read(self, key: str) -> str:
        """A line, without the blanks around it; raises EOFError where the input ends."""
        self.look.console.print(self.look.say(key), end="", soft_wrap=True)
        sys.stdout.flush()
        line = sys.stdin.readline()
        if not line:
            raise EOFError
        if not sys.stdin.isatty():
            self.look.console.print(line.strip())
        return line.strip()

    def _show_end(self) -> None:
        """All hands open, the bill, the totals, and the seed that was committed to."""
        table = self.match.table
        end, view = table.end(), table.masked(ME)
        assert end is not None
        self._fresh_page()
        self.look.print(*head_line(self.look, self.names, view, self.rules))
        for step in range(1, table.players + 1):
            self.look.print(*opened_lines(self.look, self.names, seat_of(view, step % table.players)))
        if log := self._log():
            self.look.print(*flow(Text(self.look.say("since"), "dim"), log, self.look.width, gap=2))
        if self.coached:
            self.look.print(*self.notes)
        print_bill(self.look, self.names, end)
        self.look.print(*sums(self.look, self.names, self.look.say("totals"), self.match.totals))
        if self.shuffles is not None:
            self.look.print(self.look.say("seed", seed=self.shuffles.last.seed.hex()))

    def show_final(self) -> None:
        """The table of the match, as far as it was played."""
        won = [
            sum(any(winner["seat"] == seat for winner in bill["winners"]) for bill in self.match.bills)
            for seat in range(self.match.players)
        ]
        grid = Grid(box=box.SIMPLE_HEAD, show_edge=False)
        for heading in ("rank", "player", "totals", "hands won"):
            grid.add_column(self.look.say(heading), justify="left" if heading == "player" else "right")
        totals = self.match.totals
        for seat in sorted(range(self.match.players), key=lambda seat: -totals[seat]):
            rank = 1 + sum(total > totals[seat] for total in totals)
            hands = f"{won[seat]}/{len(self.match.bills)}"
            grid.add_row(str(rank), self.names.full[seat], signed(totals[seat]), hands)
        self.look.console.print(grid)

    def _sheet(self) -> list[Text]:
        """The option sheet in short: what is on, what is off, and the rest with its value."""
        lang = self.look.lang
        on: list[Text] = []
        off: list[Text] = []
        others: list[Text] = []
        for name, option in OPTIONS.items():
            value, title = getattr(self.rules, name), option.zh if lang == "zh" else option.en
            if isinstance(value, bool):
                (on if value else off).append(Text(f"{title} {option.clause}"))
            elif value is not None:
                shown = named(option.choices[value.upper()], lang) if option.choices else value
                others.append(Text(f"{title} {option.clause}: {shown}"))
        preset = PRESET_NAMES[self.rules.preset][lang != "zh"]
        width = self.look.width
        return [
            Text(f"{preset} ({self.rules.preset})", "bold"),
            *flow(f"{self.look.say('options.on')}  ", on, width, gap=2),
            *flow(f"{self.look.say('options.off')}  ", off, width, gap=2),
            *flow("    ", others, width, gap=2),
        ]


def _is_told(event: Event) -> bool:
    """Whether an event goes into the log: not what the player himself has just done."""
    if event.get("seat") == ME:
        return event["type"] in _OWN_TOLD or bool(event.get("robbed"))
    return event["type"] not in _UNTOLD
