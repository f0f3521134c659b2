"""Scenes for the gallery of the table: real messages of real hands, found by playing until one fits.

python web/tools/gallery/record.py
"""

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec

from hainan import wire
from hainan.bots.policies import Policy
from hainan.bots.seats import Bot
from hainan.matches import Match, seeded_deals
from hainan.rules.presets import digest, rules_of
from hainan.seatview import hints_view, mine_view, table_view
from hainan.server.web.rules import rule_book
from hainan.table import Table

NAMES = ["阿海", "林姨", "符伯", "小琼"]
MATCH = "6ca8180d5472b955de061e1216972073"


def plain(message: Any) -> Any:
    return json.loads(msgspec.json.encode(message))


def scene(table: Table, seat: int | None, rules: dict[str, Any], totals: list[int], **room: Any) -> Any:
    view, events = table_view(table)
    asked = seat is not None and seat in table.legal()
    message = wire.Table(
        seq=1000,
        match=MATCH,
        hand=view.hands_played,
        table=view,
        events=events,
        mine=None
        if seat is None
        else mine_view(table, seat, 4294967318 if asked else None, 16.0 if asked else None, 60.0, hints=True),
        turn_seconds=16.0 if view.phase == "turn" else None,
        turn_bank=60.0 if view.phase == "turn" else None,
    )
    players = table.players
    chairs = [
        {"player": f"p{i}", "name": NAMES[i], "online": True}
        if i == seat or i % 2 == 0
        else {"name": NAMES[i], "bot": "normal", "ready": True}
        for i in range(players)
    ]
    settings = plain(wire.Settings(rules=rules, players=players))
    return {
        "room": {
            "type": "room",
            "seq": 1,
            "code": "246810",
            "owner": "p0",
            "settings": settings,
            "digest": digest(table.rules),
            "stage": "between" if view.end else "playing",
            "chairs": chairs,
            "you": seat,
            "match": MATCH,
            "hand": view.hands_played,
            "totals": totals[:players],
            **room,
        },
        "table": plain(message),
    }


class Hunt:
    """Plays matches and keeps the first table that fits each wish."""

    def __init__(self) -> None:
        self.found: dict[str, Any] = {}
        self.best: dict[str, int] = {}

    def keep(self, name: str, worth: int, make: Callable[[], Any]) -> None:
        if worth > self.best.get(name, 0):
            self.best[name] = worth
            self.found[name] = make()

    def play(self, options: dict[str, Any], players: int, seed: int, look: Callable[..., None]) -> None:
        rules = rules_of(
            options.get("preset", "hainan"),
            players=players,
            **{k: v for k, v in options.items() if k != "preset"},
        )
        match = Match(rules, players, deals=seeded_deals(seed, rules, players))
        seats = [Bot(Policy.GREEDY, seed + i) for i in range(players)]
        while True:
            totals = list(match.totals)
            table = match.table
            look(self, table, options, totals)
            while not table.over:
                for seat in list(table.legal()):
                    if seat in table.legal():
                        action = seats[seat].choose(table, seat)
                        if table.phase.name == "GA":
                            action = (
                                f"ga {[1, 0, 2, 5][seat]}"
                                if f"ga {[1, 0, 2, 5][seat]}" in [a.text for a in table.legal()[seat]]
                                else action
                            )
                        table.act(seat, action)
                        look(self, table, options, totals)
            if match.over:
                return
            match.next_hand()


def look(hunt: Hunt, table: Table, options: dict[str, Any], totals: list[int]) -> None:
    view, _ = table_view(table)
    points = [t + d for t, d in zip(totals, view.end["payments"] if view.end else [0] * 4, strict=False)]

    def now(seat: int | None, **room: Any) -> Any:
        return scene(table, seat, options, points, **room)

    three = table.players == 3
    discards = len(view.order)
    if three:
        if view.phase == "turn" and view.turn is not None:
            hunt.keep("three", discards, lambda: now(view.turn))
        if view.end:
            hunt.keep("three_end", 1 + len(view.end["items"]), lambda: now(0))
        return
    if view.phase == "ga":
        for seat in table.legal():
            hunt.keep("ga", 1 + view.hands_played, lambda: now(seat))
    if view.phase == "turn" and discards == 0 and view.turn is not None:
        hunt.keep("dealt", 1, lambda: now(view.turn))
        hunt.keep("dealt_watch", 1, lambda: now((view.turn + 1) % 4))
    for seat in table.legal():
        legal = [a.text for a in table.legal()[seat]]
        chows = sum(t.startswith("chow") for t in legal)
        if view.phase == "claim":
            hunt.keep("claim", chows * 100 + ("pong" in legal) * 50 + discards, lambda: now(seat))
            hunt.keep("claim_win", ("win" in legal) * 1000 + len(legal) * 50 + discards, lambda: now(seat))
            hunt.keep("claim_kong", ("kong" in legal) * 1000 + chows * 10 + discards, lambda: now(seat))
        if view.phase == "turn":
            hints = hints_view(table, seat)
            worth = sum(len(w) for w in hints.discards.values())
            hunt.keep("turn", worth * 10 + discards, lambda: now(seat))
            hunt.keep(
                "turn_kong", any(t.startswith("kong") for t in legal) * 1000 + discards, lambda: now(seat)
            )
            hunt.keep("turn_win", ("win" in legal) * 1000 + discards, lambda: now(seat))
            melds = len(view.seats[seat].melds)
            hunt.keep("melds", melds * 100 + len(view.seats[seat].flowers) * 20 + discards, lambda: now(seat))
            if discards > 20 and melds == 0:
                hunt.keep("long", discards, lambda: now(seat))
    if view.phase == "turn" and view.turn is not None:
        for seat in range(4):
            if seat != view.turn:
                waits = hints_view(table, seat).waits
                hunt.keep("waiting", len(waits) * 100 + discards, lambda: now(seat))
                if waits and not all(w.licensed for w in waits):
                    hunt.keep("unlicensed", len(waits) * 100 + discards, lambda: now(seat))
        bonds = [w for w in view.warnings if w.kind in ("three_melds", "four_melds", "two_melds")]
        if bonds:
            level = {"two_melds": 1, "three_melds": 2, "four_melds": 3}
            for bond in bonds:
                hunt.keep("liability", level[bond.kind] * 1000 + discards, lambda: now(bond.to))
                hunt.keep("liability_feeder", level[bond.kind] * 1000 + discards, lambda: now(bond.from_))
                hunt.keep(
                    "liability_other",
                    level[bond.kind] * 1000 + discards,
                    lambda: now((bond.to + 2) % 4 if (bond.to + 2) % 4 != bond.from_ else (bond.to + 1) % 4),
                )
    if any(w.kind == "last_tiles" for w in view.warnings) and view.phase == "turn":
        hunt.keep("last_tiles", discards, lambda: now(view.turn))
    if view.end:
        items = len(view.end["items"])
        wins = len(view.end["winners"])
        if view.end["by"] == "draw":
            hunt.keep("end_draw", 1 + items, lambda: now(0, next_in=24.0))
        elif view.end["by"] == "discard":
            hunt.keep("end", items * 10 + wins, lambda: now(0, next_in=24.0))
        elif view.end["by"] == "self_draw":
            hunt.keep("end_self", items * 10, lambda: now(view.end["winners"][0]["seat"], next_in=24.0))


def main() -> None:
    hunt = Hunt()
    for seed in range(12):
        hunt.play({"preset": "hainan"}, 4, seed, look)
    for seed in range(4):
        hunt.play({"preset": "lingao", "discarder_pays_all": True}, 4, 100 + seed, look)
    for seed in range(3):
        hunt.play({"preset": "hainan"}, 3, seed, look)
    print(*sorted(hunt.found), file=sys.stderr)
    here = Path(__file__).parent
    (here / "scenes.json").write_text(json.dumps(hunt.found, ensure_ascii=False), "utf-8")
    (here / "book.json").write_bytes(msgspec.json.encode(rule_book()))


main()
