"""How a player learnt: each of RUN/steps/*.onnx (ppo.py) against a built-in policy, over duplicate deals.

    .venv/bin/python examples/curve.py RUN --deals 500

writes RUN/curve.csv and RUN/curve.svg.
"""

import argparse
import csv
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from hainan.bots.policies import policy_named
from hainan.rl.model import load_model
from hainan.rules.presets import rules_of
from hainan.sim.tournament import Standing, Tournament, compete

WIDTH, HEIGHT, LEFT, TOP, FOOT = 640, 320, 56, 40, 44


class Point(NamedTuple):
    """A player on the way."""

    minutes: float
    points: float
    low: float
    high: float
    """Points a hand, with a 95 % interval."""


def measured(path: Path, asked: argparse.Namespace) -> Point:
    """One tournament."""
    model, other = load_model(str(path)), policy_named(asked.against)
    standing = Standing(
        Tournament(
            rules_of(asked.preset),
            (model, other),
            deals=asked.deals,
            seed=asked.seed,
            processes=asked.threads,
        )
    )
    compete(standing)
    row = standing.to_json()["policies"][model.name]
    return Point(float(path.stem), row["points_per_hand"], *row["ci95"])


def drawn(curve: Sequence[Point], title: str) -> str:
    """The curve as SVG, with its intervals as a band."""
    most = max(point.minutes for point in curve) or 1
    floor, top = min(-0.2, *(point.low for point in curve)), max(0.2, *(point.high for point in curve))

    def at(minutes: float, points: float) -> str:
        x = LEFT + (WIDTH - LEFT - 20) * minutes / most
        y = TOP + (HEIGHT - TOP - FOOT) * (top - points) / (top - floor)
        return f"{x:.1f},{y:.1f}"

    def text(place: str, words: str, anchor: str = "middle") -> str:
        x, y = place.split(",")
        return f'<text x="{x}" y="{y}" text-anchor="{anchor}">{words}</text>'

    band = [at(p.minutes, p.high) for p in curve] + [at(p.minutes, p.low) for p in reversed(curve)]
    step = next(size for size in (0.1, 0.2, 0.5, 1, 2, 5) if (top - floor) / size <= 8)
    heights = [
        step * n for n in range(round(floor / step), round(top / step) + 1) if floor <= step * n <= top
    ]
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif"'
        ' font-size="12" fill="#333">',
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#fff"/>',
        f'<text x="{LEFT}" y="22" font-size="14">{title}</text>',
    ]
    for height in heights:
        colour = "#333" if abs(height) < 1e-9 else "#ddd"
        parts.append(f'<polyline points="{at(0, height)} {at(most, height)}" stroke="{colour}"/>')
        x, y = at(0, height).split(",")
        parts.append(text(f"{float(x) - 6:.1f},{float(y) + 4:.1f}", f"{height:+.1f}", "end"))
    for point in curve:
        x = at(point.minutes, 0).split(",")[0]
        parts.append(text(f"{x},{HEIGHT - FOOT + 16}", f"{point.minutes:g}"))
    parts += [
        text(f"{(WIDTH + LEFT) / 2},{HEIGHT - 8}", "minutes of learning"),
        f'<polygon points="{" ".join(band)}" fill="#2a78d6" fill-opacity="0.2"/>',
        f'<polyline points="{" ".join(at(p.minutes, p.points) for p in curve)}" fill="none" stroke="#2a78d6"'
        ' stroke-width="2"/>',
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def main() -> None:
    """Play, then write."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--against", default="easy")
    parser.add_argument("--deals", type=int, default=500)
    parser.add_argument("--preset", default="hainan")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--threads", type=int, default=2)
    asked = parser.parse_args()
    curve = []
    for path in sorted((asked.folder / "steps").glob("*.onnx")):
        curve.append(measured(path, asked))
        print(*curve[-1], flush=True)
    with (asked.folder / "curve.csv").open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([Point._fields, *curve])
    title = f"Points a hand against {asked.against}, {asked.deals:,} duplicate deals each, 95 % interval"
    (asked.folder / "curve.svg").write_text(drawn(curve, title), encoding="utf-8")


if __name__ == "__main__":
    main()
