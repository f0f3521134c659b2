"""The table as a player sees it, and how he plays at it."""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any, Literal

from playwright.sync_api import TimeoutError as NotYet

from tests.browser.hands import By, Hands
from tests.browser.visitor import Visitor

Kind = Literal["ready", "ga", "claim", "turn", "final"]

# What the page asks for now, read from what stands on it; null while it asks for nothing.
_ASKED = """() => {
  const all = (selector) => [...document.querySelectorAll(selector)];
  const verbs = all('[data-testid=claims] button:not(:disabled)').map((it) => it.dataset.testid.slice(6));
  const hand = all('[data-testid=hand] [data-code]').map((it) => it.dataset.code);
  const free = all('[data-testid=hand] [data-code]:not(.barred)').map((it) => it.dataset.code);
  const fresh = document.querySelector('[data-testid=claims].fresh') !== null && verbs.length > 0;
  const asked = (kind) => ({ kind, verbs, hand, free });
  if (document.querySelector('[data-testid=final]')) return asked('final');
  if (document.querySelector('[data-testid=ready] button:not(:disabled)')) return asked('ready');
  if (document.querySelector('[data-testid=bill]') || fresh) return null;
  if (verbs.some((verb) => verb.startsWith('ga-'))) return asked('ga');
  if (verbs.includes('pass')) return asked('claim');
  return document.querySelector('[data-testid=hand][data-asked]') ? asked('turn') : null;
}"""
_SIGNATURE = """() => ['[data-testid=claims] button', '[data-testid=hand] [data-code]', '[data-asked]',
  '.river li', '[data-testid=bill]', '[data-testid=final]', '.choices button', '.act.open']
  .map((selector) => [...document.querySelectorAll(selector)]
  .map((it) => it.dataset.testid + it.dataset.code + it.innerText).join()).join('|')"""
_HAND = "[...document.querySelectorAll('[data-testid=hand] [data-code]')].map((it) => it.dataset.code).join()"
_CHANGED = f"(before) => ({_SIGNATURE})() !== before"


@dataclass
class Asked:
    """What the page asks for."""

    kind: Kind
    verbs: list[str]
    hand: list[str]
    free: list[str]
    """Tiles that may be thrown."""


class TablePage:
    """One player's eyes and fingers."""

    def __init__(self, visitor: Visitor, by: By = "mouse") -> None:
        self.visitor, self.page = visitor, visitor.page
        self.hands = Hands(visitor, by)

    # ------------------------------------------------------------ what is asked

    def asked(self, timeout: float = 20_000) -> Asked:
        """Wait until the page asks for something."""
        return Asked(**self.visitor.until(_ASKED, timeout=timeout))

    def wait_for(self, kind: Kind, verb: str | None = None) -> Asked:
        """Wait until it asks for this."""
        asked = self.asked()
        assert asked.kind == kind, asked
        assert verb is None or verb in asked.verbs, asked
        return asked

    def signature(self) -> str:
        text: str = self.page.evaluate(_SIGNATURE)
        return text

    def changed(self, before: str, timeout: float) -> bool:
        """Whether the table changes within so many milliseconds."""
        try:
            self.page.wait_for_function(_CHANGED, arg=before, timeout=timeout)
        except NotYet:
            return False
        return True

    # ------------------------------------------------------------ doing

    def ready(self) -> None:
        """For the next hand; who is ready isn't asked again."""
        button = self.page.get_by_test_id("ready").get_by_role("button")
        self.hands.press(button)
        button.wait_for(state="hidden")

    def claim(self, verb: str) -> None:
        """Press a claim's button: for keys by its letter, which is none of a button's."""
        before = self.signature()
        key = {"win": "w", "pong": "p", "chow": "c", "kong": "k", "pass": "Escape", "ready": "r"}.get(verb)
        if self.hands.by == "keys" and key:
            self.page.keyboard.press(key)
        else:
            self.hands.press(self.page.get_by_test_id(f"claim-{verb}"))
        assert self.changed(before, 10_000)

    def choose(self, place: int) -> None:
        """One of the choices of a chow or kong."""
        choice = self.page.get_by_test_id(f"choice-{place}")
        choice.wait_for()
        self._until_taken(lambda: self._press_choice(place))

    def _press_choice(self, place: int) -> None:
        if self.hands.by == "keys":
            self.page.keyboard.press(str(place + 1))
        else:
            self.hands.press(self.page.get_by_test_id(f"choice-{place}"), 2000)

    def discard(self, code: str) -> None:
        """Raise a tile and throw it: what comes too early for this turn isn't taken, so it is tried again.
        Comes back when it has left the hand."""
        before = self.page.evaluate(_HAND)
        self._throw(code)
        self.visitor.until(f"(before) => ({_HAND}) !== before", before)

    def _throw(self, code: str) -> None:
        place = [it for it in self.hand() if it is not None].index(code)
        if self.hands.by == "keys":
            self._walk_to(place)
            self._until_taken(lambda: self.page.keyboard.press("Enter"))
            return
        tile = self.page.get_by_test_id(f"hand-tile-{place}")
        if tile.get_attribute("aria-pressed") != "true":
            self.hands.press(tile)
        self._until_taken(lambda: self.hands.press(tile, 2000))

    def _walk_to(self, place: int) -> None:
        """With the arrow keys, one tile a key."""
        self.page.keyboard.press("ArrowRight")
        at = self.page.evaluate("Number(document.activeElement.dataset.place)")
        for _ in range(abs(place - at)):
            self.page.keyboard.press("ArrowRight" if place > at else "ArrowLeft")
        assert self.page.evaluate("Number(document.activeElement.dataset.place)") == place

    def _until_taken(self, press: Callable[[], None]) -> None:
        before = self.signature()
        for _ in range(20):
            with suppress(NotYet):  # it was taken the last time, and is gone
                press()
            if self.changed(before, 300):
                return
        raise AssertionError("the page takes no notice")

    # ------------------------------------------------------------ seeing

    def hand(self) -> list[str]:
        """The own tiles in the order of their places; the drawn one last."""
        codes: list[str] = self.page.evaluate(
            "[...document.querySelectorAll('[data-testid=hand] [data-code]')]"
            ".sort((a, b) => a.dataset.place - b.dataset.place).map((it) => it.dataset.code)"
        )
        return codes

    def tiles(self, selector: str) -> list[str | None]:
        """The faces of all tiles within something."""
        found: list[str | None] = self.page.evaluate(
            "(selector) => [...document.querySelectorAll(selector + ' .tile')]"
            ".map((it) => it.dataset.tile ?? null)",
            selector,
        )
        return found

    def river(self, seat: int) -> list[str | None]:
        return self.tiles(f"[data-testid=river-{seat}]")

    def melds(self, seat: int) -> list[list[str | None]]:
        """A seat's melds, each as its tiles."""
        found: list[list[str | None]] = self.page.evaluate(
            "(seat) => [...document.querySelectorAll(`[data-melds='${seat}'] .meld`)]"
            ".map((it) => [...it.querySelectorAll('.tile')].map((tile) => tile.dataset.tile ?? null))",
            seat,
        )
        return found

    def flowers(self, seat: int) -> list[str | None]:
        return self.tiles(f"[data-flowers='{seat}']")

    def sums(self) -> list[int]:
        """What the bill says that each seat gets."""
        self.page.get_by_test_id("bill").wait_for()
        texts: list[str] = self.page.evaluate(
            "[...document.querySelectorAll('[data-testid^=bill-seat-]')]"
            ".sort((a, b) => a.dataset.testid.localeCompare(b.dataset.testid))"
            ".map((it) => it.querySelector('.points').textContent)"
        )
        return [points(text) for text in texts]

    # ------------------------------------------------------------ playing

    def play_hand(self, choose: Callable[[Asked], str] | None = None) -> int:
        """Until the hand is over and the bill lies open; how many decisions that took."""
        decisions = 0
        while (asked := self.asked(60_000)).kind not in ("ready", "final"):
            self.do((choose or plainly)(asked), asked)
            decisions += 1
        return decisions

    def do(self, what: str, asked: Asked) -> None:
        """``discard 5m``, ``ga 0``, or a claim; of several chows or kongs the first."""
        verb, _, tile = what.partition(" ")
        if verb == "discard":
            self.discard(tile)
        elif verb == "ga":
            self.claim(f"ga-{tile}")
        else:
            self.claim(verb)
            if self.page.locator(".choices").count():
                self.choose(0)


def plainly(asked: Asked) -> str:
    """How somebody plays who takes every win and pong."""
    if asked.kind == "ga":
        return f"ga {asked.verbs[0].removeprefix('ga-')}"
    for verb in ("win", "pong", "pass"):
        if verb in asked.verbs:
            return verb
    free = [tile for tile in asked.hand if tile in asked.free]
    return f"discard {free[-1]}"


def points(text: str) -> int:
    """Points as they are printed: +12, −9, 0."""
    return int(text.replace("−", "-").replace("+", ""))


def lines_of(page: Any) -> list[dict[str, Any]]:
    """All payments that an open bill prints, as the seats see them."""
    found: list[dict[str, Any]] = page.evaluate(
        """[...document.querySelectorAll('[data-testid^=bill-seat-]')].flatMap((seat) =>
           [...seat.querySelectorAll('.lines > li')].map((row) => ({
            seat: Number(seat.dataset.testid.slice(10)),
            other: row.querySelector('.other').textContent.replace(/[→←]/, '').trim(),
            what: row.querySelector('.what').childNodes[0].textContent.trim(),
            instead: row.querySelector(".what em") !== null,
            clause: row.querySelector('a').textContent.trim(),
            points: Number(row.querySelector('.amount').textContent.replace('−', '-')),
          })))"""
    )
    return found
