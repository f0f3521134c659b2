"""The screen on which a player decides: the table in his own view, his hand, hints and choices."""

from collections.abc import Sequence
from functools import cached_property

from rich.text import Text

from hainan.cli.screen import Room, hand_lines, head_line, player_lines, wait_text
from hainan.cli.show import Look, Names, action_text, flow, score_text, tile
from hainan.cli.texts import named
from hainan.engine.record import Phase
from hainan.picture.laid import Seat, seat_of
from hainan.rules.actions import Act
from hainan.rules.terms import Licence, Pattern
from hainan.table import Table, Wait

ME = 0
"""The player's seat."""
Hints = list[tuple[Text, list[Wait]]]


class Decision:
    """What a player sees when he is asked; made from his view alone."""

    def __init__(self, look: Look, names: Names, table: Table, totals: Sequence[int]) -> None:
        """Take the view."""
        self.look, self.names, self.totals = look, names, totals
        self.legal = table.legal()[ME]
        self._table = table
        self._view = table.masked(ME)
        self._phase = Phase(int(self._view.phase))
        order = [(ME + step) % table.players for step in range(1, table.players + 1)]
        self._seats = [seat_of(self._view, seat) for seat in order]

    @property
    def prompt(self) -> str:
        """The key of the prompt."""
        return "ga.prompt" if self._phase == Phase.GA else "prompt"

    def lines(self, log: Sequence[Text], height: int, notes: Sequence[Text] = ()) -> list[Text]:
        """The screen, in at most ``height`` lines where that can be done: rivers, hints and log give way."""
        hints, below = self._hint_lines(), [*notes, *self._below()]
        for room in (Room.WIDE, Room.BARE_RIVERS, Room.SHORT_RIVERS):
            above = self._above(room)
            spare = height - len(above) - len(below)
            if spare >= min(len(hints), 3) + min(len(log), 2):
                break
        shown = self._as_many(hints, spare - min(len(log), 2))
        news = self._news(log, spare - len(shown))
        blank = [Text()] if spare > len(shown) + len(news) else []
        return [*above, *news, *shown, *blank, *below]

    def _as_many(self, hints: list[Text], most: int) -> list[Text]:
        if len(hints) <= most:
            return hints
        if most < 1 or not hints:
            return []
        return [*hints[: most - 1], Text(self.look.say("hints.more"), "dim")]

    def _news(self, log: Sequence[Text], most: int) -> list[Text]:
        """What happened since the last decision, the oldest left out where there is no room."""
        for first in range(len(log)):
            kept = [Text("..."), *log[first:]] if first else log
            lines = flow(Text(self.look.say("since"), "dim"), kept, self.look.width, gap=2)
            if len(lines) <= most:
                return lines
        return []

    # ------------------------------------------------------------ the table

    def _above(self, room: Room) -> list[Text]:
        lines = head_line(self.look, self.names, self._view, self._table.rules)
        for seen in self._seats:
            lines += player_lines(
                self.look, self.names, seen, room, [score_text(self.look, self.totals[seen.seat])]
            )
        return lines

    # ------------------------------------------------------------ hand, question, choices

    @property
    def _mine(self) -> Seat:
        return self._seats[-1]

    def _below(self) -> list[Text]:
        if self._phase == Phase.GA:
            return flow(self._question(), self._choices(), self.look.width, gap=2)
        held = self._names_of("held", Licence, self._table.licences(ME))
        return [
            held,
            *hand_lines(self.look, self._mine, self._number),
            *self._passed_up(),
            *flow(self._question(), self._choices(), self.look.width, gap=2),
        ]

    def _number(self, code: int) -> str:
        """The choice that discards a tile."""
        for index, action in enumerate(self.legal, 1):
            if action == Act.DISCARD + code:
                return str(index)
        return ""

    def _question(self) -> Text:
        if self._phase == Phase.GA:
            question = Text(self.look.say("question.ga"))
        elif self._phase == Phase.TURN:
            question = Text(self.look.say("question.turn"))
        else:
            key = "question.rob" if self._phase == Phase.ROB else "question.claim"
            asked = tile(self.look, int(self._view.claim_tile))
            question = self.look.fill(key, who=self.names.full[int(self._view.claim_from)], tile=asked)
        question.stylize("bold")
        return question.append("  ")

    def _choices(self) -> list[Text]:
        """All but the discards, whose numbers stand above the hand; a ga is chosen by its value."""
        if self._phase == Phase.GA:
            return [Text(action.text.split()[1], "yellow") for action in self.legal]
        return [
            Text.assemble((f"{index} ", "yellow"), action_text(self.look, action))
            for index, action in enumerate(self.legal, 1)
            if not Act.DISCARD <= action < Act.READY
        ]

    def _passed_up(self) -> list[Text]:
        """A win that was passed up, as long as that matters (R9.1, R9.2)."""
        let_off, passed = int(self._view.let_off[ME]), int(self._view.passed_v[ME])
        if let_off >= 0:
            return [self.look.fill("locked", who=self.names.full[let_off])]
        return [self.look.fill("higher", V=passed)] if passed > 0 else []

    # ------------------------------------------------------------ hints

    @cached_property
    def hints(self) -> Hints:
        """What the hand waits on, as it is or after each discard that leaves it waiting, the most copies
        unseen first."""
        if self._phase == Phase.GA:
            return []
        if self._phase != Phase.TURN:
            found = [(Text(self.look.say("now waiting")), self._table.waits(ME))]
        else:
            codes = [int(action) - Act.DISCARD for action in self.legal if action < Act.READY]
            found = [
                (self.look.fill("if discarded", tile=tile(self.look, code)), self._table.waits(ME, code))
                for code in codes
            ]
        best_first = sorted(found, key=lambda hint: -sum(wait.unseen for wait in hint[1]))
        return [(head, waits) for head, waits in best_first if waits]

    def _hint_lines(self) -> list[Text]:
        return [
            line
            for head, waits in self.hints
            for line in flow(head, [wait_text(self.look, wait) for wait in waits], self.look.width, gap=2)
        ]

    def hints_in_full(self) -> list[Text]:
        """The hints with patterns and licences, a line or more for each waited tile."""
        lines: list[Text] = []
        for head, waits in self.hints:
            lines.append(head)
            for wait in waits:
                facts = [self._names_of("hints.patterns", Pattern, wait.patterns)]
                facts.append(self._names_of("licences", Licence, wait.licences))
                lines += flow("  ", [wait_text(self.look, wait), *facts], self.look.width, gap=2)
        return lines or [Text(self.look.say("hints.none"))]

    def _names_of(self, key: str, kind: type[Pattern | Licence], ids: Sequence[str]) -> Text:
        between = "、" if self.look.lang == "zh" else ", "
        names = between.join(named(kind[name.upper()], self.look.lang) for name in ids)
        return self.look.fill(key, names=names or self.look.say("none"))
