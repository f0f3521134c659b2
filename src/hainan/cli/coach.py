"""Advice on a decision in the terminal: the best action, all of them, and what a choice cost."""

import re
from functools import cached_property
from typing import Final

from rich.text import Text

from hainan.bots.advice import Advice, Advised, advise
from hainan.cli.show import Look, flow
from hainan.table import Table

SPOKEN_OF: Final = 0.05
"""Points that are worth a word."""

_PIECE: Final = re.compile(r"[\x21-\x7e]+[，。、：；）]*|.[，。、：；）]*")
"""Where Chinese may be broken: not before a stop, nor within a number."""


def why(look: Look, advised: Advised) -> str:
    """The sentence in the language of the terminal."""
    return advised.zh if look.lang == "zh" else advised.en


def numbers(look: Look, advised: Advised) -> str:
    """Points and chances; empty for a choice of ga."""
    if advised.points is None:
        return ""
    return look.say(
        "advice.numbers",
        points=f"{advised.points:+.2f}",
        win=f"{advised.win:.0%}",
        deal_in=f"{advised.deal_in:.0%}",
    )


def broken(look: Look, text: str, style: str = "", *, indent: int = 0) -> list[Text]:
    """A long sentence in lines, in Chinese broken anywhere, else between words."""
    if look.lang == "zh":
        pieces = [Text(piece, style) for piece in _PIECE.findall(text)]
        return flow(" " * indent, pieces, look.width, gap=0, indent=indent)
    words = [Text(word, style) for word in text.split(" ")]
    return flow(" " * indent, words, look.width, indent=indent)


class Coach:
    """Advises one seat on its present decision, from its view; the table is looked at when first asked."""

    def __init__(self, look: Look, table: Table, seat: int) -> None:
        """Remember the table as it is now."""
        self._look, self._table, self._seat = look, table.clone(), seat

    @cached_property
    def advice(self) -> Advice:
        """The advice itself."""
        return advise(self._table, self._seat)

    def best(self) -> list[Text]:
        """The best action, and why."""
        best = self.advice.of(self.advice.best)
        return broken(self._look, self._look.say("advice.best", why=why(self._look, best)), "cyan")

    def in_full(self) -> list[Text]:
        """Every action, the best first."""
        best = self.advice.of(self.advice.best)
        others = sorted(self.advice.actions, key=lambda one: (one is not best, -(one.points or 0.0)))
        lines = []
        for advised in others:
            lines += broken(self._look, why(self._look, advised), "cyan" if advised is best else "")
            if told := numbers(self._look, advised):
                lines.append(Text(f"    {told}", "dim"))
        return lines

    def cost(self, action: str) -> list[Text]:
        """What an action cost against the best."""
        best, did = self.advice.of(self.advice.best), self.advice.of(action)
        if best.points is None or did.points is None or len(self.advice.actions) == 1:
            return []
        lost = best.points - did.points
        if lost < SPOKEN_OF:
            return [Text(self._look.say("advice.was best"), "green")]
        told = self._look.say("advice.cost", lost=f"{lost:.2f}", why=why(self._look, best))
        return broken(self._look, told, "yellow")
