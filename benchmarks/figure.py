"""Figures as lines of a table for people, and as ``benchmarks/results.json`` for programs."""

import json
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Final

from rich.console import Console
from rich.table import Table as Grid

WIDTH: Final = 110
RESULTS: Final = Path(__file__).parent / "results.json"


@dataclass
class Figure:
    """One line of the table."""

    what: str
    measured: float
    unit: str
    wanted: str = ""
    reached: bool = True
    beside: float | None = None
    """Cores that other programs took meanwhile, where that was looked at."""


@dataclass
class Sheet:
    """Figures in the order in which they are shown."""

    rows: list[Figure] = field(default_factory=list)
    beside: float | None = None
    """What the next rows say about other programs."""

    def at_least(self, what: str, measured: float, unit: str, wanted: float) -> None:
        """Add a figure that should be high."""
        reached = measured >= wanted
        self.rows.append(Figure(what, measured, unit, f">= {wanted:,g}", reached, self.beside))

    def at_most(self, what: str, measured: float, unit: str, wanted: float) -> None:
        """Add a figure that should be low."""
        reached = measured <= wanted
        self.rows.append(Figure(what, measured, unit, f"<= {wanted:,g}", reached, self.beside))

    def seen(self, what: str, measured: float, unit: str) -> None:
        """Add a figure of which nothing is wanted."""
        self.rows.append(Figure(what, measured, unit, beside=self.beside))

    def show(self, title: str) -> None:
        """Print the table."""
        grid = Grid(title=title, title_justify="left")
        watched = any(row.beside is not None for row in self.rows)
        for heading in ("what", "measured", "", "wanted", "", *(("others, cores",) if watched else ())):
            right = heading in ("measured", "others, cores")
            grid.add_column(heading, justify="right" if right else "left")
        for row in self.rows:
            verdict = ("yes" if row.reached else "NO") if row.wanted else ""
            beside = ("" if row.beside is None else f"{row.beside:.2f}",) if watched else ()
            grid.add_row(row.what, shown(row.measured), row.unit, row.wanted, verdict, *beside)
        Console(width=max(Console().width, WIDTH)).print(grid)

    def rows_for_json(self) -> list[dict[str, Any]]:
        """The rows, without what they don't say."""
        return [
            {name: value for name, value in asdict(row).items() if value not in (None, "")}
            for row in self.rows
        ]


def shown(number: float) -> str:
    """A number as people read it."""
    return f"{number:,.0f}" if number >= 1000 or number == int(number) else f"{number:.2f}"


def merge(parts: dict[str, Any]) -> None:
    """Write these parts of the results, and leave the others as they are."""
    results = json.loads(RESULTS.read_text()) if RESULTS.exists() else {}
    RESULTS.write_text(json.dumps(results | parts, indent=1) + "\n")


def merge_into(part: str, parts: dict[str, Any]) -> None:
    """The same within a part."""
    results = json.loads(RESULTS.read_text()) if RESULTS.exists() else {}
    merge({part: results.get(part, {}) | parts})
