"""The tile faces: ``python make.py`` writes web/src/tiles/faces/*.ts, public/favicon.svg, and the same faces for
pictures in notebooks, src/hainan/picture/faces.svg.

``--check`` tells which are stale, ``--sheet FILE`` writes a page to look at them all, ``--icon FILE`` the
maskable mark. Every face is a symbol of 60 by 80 drawn here; characters are outlines from glyphs.json
(README.md). Needs nothing but Python's standard library. Presentation attributes only: the page's policy
allows no style attributes.
"""

import json
import math
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from urllib.parse import quote

HERE = Path(__file__).parent
TARGET = HERE.parents[1] / "src/tiles/faces"
PUBLIC = HERE.parents[1] / "public"
NOTEBOOKS = HERE.parents[2] / "src/hainan/picture/faces.svg"
GLYPHS: dict[str, str] = json.loads((HERE / "glyphs.json").read_text(encoding="utf-8"))
INK, RED, GREEN, BLUE, IVORY = "#1c2326", "#b3202a", "#14713f", "#1d4793", "#fffaf0"
NUMBERS = "一二三四五六七八九"
HONORS = ("東", "南", "西", "北", "", "發", "中")
HONOR_INKS = (INK, INK, INK, INK, BLUE, GREEN, RED)
FLOWERS = "春夏秋冬梅蘭菊竹"


def number(value: float) -> str:
    """As short as it can be written."""
    return f"{value:.1f}".rstrip("0").rstrip(".").replace("-0.", "-.").removeprefix("0") or "0"


def placed(d: str, at: Callable[[float, float], tuple[float, float]]) -> str:
    """A path of M, L, H, V, C, Q and Z with every point put elsewhere.

    Nothing in a set has a transform: for each a browser would lay out and layer every tile anew.
    """
    drawn, x, y = "", 0.0, 0.0
    for command, rest in re.findall(r"([A-Z])([^A-Z]*)", d):
        numbers = [float(found) for found in re.findall(r"-?\d*\.?\d+", rest)]
        if command in "HV":
            numbers = [numbers[0], y] if command == "H" else [x, numbers[0]]
        points = list(zip(numbers[::2], numbers[1::2], strict=True))
        x, y = points[-1] if points else (x, y)
        drawn += command.replace("H", "L").replace("V", "L")
        drawn += " ".join(number(value) for point in points for value in at(*point))
    return drawn


def glyph(char: str, x: float, y: float, size: float, ink: str) -> str:
    """A character with its middle at a point."""
    scale = size / 200
    return shape(placed(GLYPHS[char], lambda px, py: (x + (px - 100) * scale, y + (py - 100) * scale)), ink)


def circle(x: float, y: float, r: float, ink: str) -> str:
    return f'<circle cx="{number(x)}" cy="{number(y)}" r="{number(r)}" fill="{ink}"/>'


def line(d: str, ink: str, width: float) -> str:
    drawn = f'stroke="{ink}" stroke-width="{number(width)}" stroke-linecap="round" stroke-linejoin="round"'
    return f'<path d="{d}" fill="none" {drawn}/>'


def shape(d: str, ink: str) -> str:
    return f'<path d="{d}" fill="{ink}"/>'


def petals(x: float, y: float, count: int, reach: float, width: float, ink: str, turn: float = 0) -> str:
    """Leaves of an ellipse round a middle."""
    d = ""
    for n in range(count):
        degrees = turn + 360 * n / count
        tip = x + reach * math.sin(math.radians(degrees)), y - reach * math.cos(math.radians(degrees))
        arc = f"A{number(width / 2)} {number(reach / 2)} {number(degrees)} 0 1 "
        d += f"M{number(x)} {number(y)}{arc}{number(tip[0])} {number(tip[1])}{arc}{number(x)} {number(y)}"
    return shape(d, ink)


# ---------------------------------------------------------------- dots and bamboos


def disc(x: float, y: float, r: float) -> str:
    """A circle as a path."""
    arc = f"a{number(r)} {number(r)} 0 1 0"
    return f"M{number(x - r)} {number(y)}{arc} {number(2 * r)} 0{arc} {number(-2 * r)} 0"


def by_ink(parts: Iterable[tuple[str, str]]) -> str:
    """Paths, those of one ink in one."""
    inks: dict[str, str] = {}
    for d, ink in parts:
        inks[ink] = inks.get(ink, "") + d
    return "".join(shape(d, ink) for ink, d in inks.items())


def dots(coins: Iterable[tuple[float, float, float, str]]) -> str:
    """Coins that don't overlap, by their middle, radius and ink: rim, ring and heart."""
    coins = list(coins)
    return "".join(
        by_ink((disc(x, y, r * share), IVORY if ivory else ink) for x, y, r, ink in coins)
        for share, ivory in ((1, False), (0.72, True), (0.5, False), (0.17, True))
    )


def sticks(*bamboos: tuple[float, float, int, str], lean: int = 0, stout: bool = False) -> str:
    """Bamboos that don't overlap, by their middle, height and ink: swollen at their knots, with a light down
    each joint."""
    turn = math.radians(lean)
    wide = 1.25 if stout else 1

    def local(x: float, y: float, d: str) -> str:
        return placed(
            d,
            lambda px, py: (
                x + px * wide * math.cos(turn) - py * math.sin(turn),
                y + px * wide * math.sin(turn) + py * math.cos(turn),
            ),
        )

    bodies = by_ink((local(x, y, culm(height)), ink) for x, y, height, ink in bamboos)
    lights = "".join(
        local(x, y, f"M0 {4.2 - height / 2}V-4.2M0 4.2V{height / 2 - 4.2}") for x, y, height, _ in bamboos
    )
    knots = "".join(local(x, y, "M-5 0H5") for x, y, _, _ in bamboos)
    return bodies + "".join(
        f'<path d="{d}" fill="none" stroke="{IVORY}" stroke-width="{width}"/>'
        for d, width in ((lights, 1.1 * wide), (knots, 1.7))
    )


def culm(height: int) -> str:
    """A bamboo's outline round its middle."""
    h = height / 2
    half = f"C-4.2 {4 - h} -4.2 -3.4 -5.2 -1.6V1.6C-4.2 3.4 -4.2 {h - 4} -5 {h - 1.6}"
    other = f"C4.2 {h - 4} 4.2 3.4 5.2 1.6V-1.6C4.2 -3.4 4.2 {4 - h} 5 {1.6 - h}"
    body = f"M-5 {1.6 - h}{half}Q-5 {h} -3.4 {h}H3.4Q5 {h} 5 {h - 1.6}{other}"
    return body + f"Q5 {-h} 3.4 {-h}H-3.4Q-5 {-h} -5 {1.6 - h}Z"


def great_dot() -> str:
    parts = circle(30, 40, 23, RED) + circle(30, 40, 19.5, IVORY) + petals(30, 40, 12, 17, 5.4, GREEN)
    return parts + circle(30, 40, 9.5, IVORY) + circle(30, 40, 7.8, RED) + circle(30, 40, 3.4, IVORY)


_G, _R, _B = GREEN, RED, BLUE
DOTS: dict[int, list[tuple[float, float, float, str]]] = {
    2: [(30, 21, 13, _G), (30, 59, 13, _B)],
    3: [(14.5, 17, 10.5, _B), (30, 40, 10.5, _R), (45.5, 63, 10.5, _G)],
    4: [(16.5, 21, 11, _B), (43.5, 21, 11, _G), (16.5, 59, 11, _G), (43.5, 59, 11, _B)],
    5: [(15, 17, 10, _B), (45, 17, 10, _G), (30, 40, 10, _R), (15, 63, 10, _G), (45, 63, 10, _B)],
    6: [(17, 16, 9.8, _G), (43, 16, 9.8, _G), *((x, y, 9.8, _R) for y in (43, 65.5) for x in (17, 43))],
    7: [
        (12, 11, 7.6, _G),
        (30, 18.5, 7.6, _G),
        (48, 26, 7.6, _G),
        *((x, y, 8.2, _R) for y in (48, 67.5) for x in (18.5, 41.5)),
    ],
    8: [(x, y, 8, _B) for y in (12.5, 31, 49.5, 68) for x in (18, 42)],
    9: [(x, y, 7.9, ink) for y, ink in ((15, _G), (40, _R), (65, _B)) for x in (11.5, 30, 48.5)],
}
STICKS: dict[int, list[tuple[float, float, str]]] = {
    2: [(30, 22, _G), (30, 58, _B)],
    3: [(30, 22, _B), (17, 58, _G), (43, 58, _G)],
    4: [(17, 22, _B), (43, 22, _G), (17, 58, _G), (43, 58, _B)],
    5: [(13, 22, _G), (47, 22, _B), (30, 40, _R), (13, 58, _B), (47, 58, _G)],
    6: [*((x, 22, _G) for x in (12, 30, 48)), *((x, 58, _B) for x in (12, 30, 48))],
    7: [
        (30, 14, _R),
        *((x, 40, ink) for x, ink in ((12, _G), (30, _B), (48, _G))),
        *((x, 66, ink) for x, ink in ((12, _G), (30, _B), (48, _G))),
    ],
    9: [(x, y, ink) for y in (14, 40, 66) for x, ink in ((12, _R), (30, _B), (48, _G))],
}


def bamboo(n: int) -> str:
    if n == 1:
        return bird()
    if n == 8:
        return eight()
    height = 22 if n in (7, 9) else 30
    return sticks(*((x, y, height, ink) for x, y, ink in STICKS[n]), stout=n < 6)


def eight() -> str:
    """An M over a W."""
    parts = ""
    for y, lean, ink in ((22, -25, GREEN), (58, 25, BLUE)):
        parts += sticks((8, y, 30, ink), (52, y, 30, ink))
        parts += sticks((22, y, 30, ink), lean=lean) + sticks((38, y, 30, ink), lean=-lean)
    return parts


def bird() -> str:
    """A peacock on a branch, looking left."""
    tail = "".join(
        line(f"M33 44Q{x} 60 {x2} 72", ink, 5) + circle(x2, 71, 3.3, RED) + circle(x2, 71, 1.4, IVORY)
        for x, x2, ink in ((48, 53, BLUE), (42, 43, GREEN), (34, 32, BLUE))
    )
    body = shape(
        "M14 22C18 12 31 13 32 23C33 30 42 33 43 43C43 52 32 56 24 51C15 45 21 36 19 29Q18 25 14 22Z", GREEN
    )
    wing = shape("M25 35C34 33 44 39 40 49C32 51 25 46 25 35Z", BLUE) + line(
        "M28 39Q33 43 37 46M31 37Q36 40 39 43", IVORY, 1.3
    )
    head = circle(23, 19, 2.6, IVORY) + circle(23, 19, 1.3, INK) + shape("M16 19L5 23L16 25Z", RED)
    crest = (
        line("M26 14Q27 9 30 7M28 15Q31 11 34 10", RED, 1.8)
        + circle(30, 6.5, 1.9, RED)
        + circle(35, 9.5, 1.9, RED)
    )
    feet = line("M24 52L21 62M29 53L28 62M16 63H34", RED, 2)
    return tail + body + wing + head + crest + feet


# ---------------------------------------------------------------- flowers


def blossom(x: float, y: float, r: float, ink: str, heart: str, count: int = 5) -> str:
    ring = "".join(
        circle(
            x + r * 0.62 * math.sin(2 * math.pi * n / count),
            y - r * 0.62 * math.cos(2 * math.pi * n / count),
            r * 0.46,
            ink,
        )
        for n in range(count)
    )
    return ring + circle(x, y, r * 0.3, heart)


def spring() -> str:
    """A swallow with a forked tail, and willow leaves."""
    wing = "M35 53C29 43 17 38 4 39C13 44 17 52 25 59C21 64 15 69 7 74L21 70L19 78C27 74 34 68 38 62"
    bird = shape(wing + "C44 60 50 57 56 58C53 52 48 51 44 52C47 47 48 42 46 37C41 42 37 47 35 53Z", BLUE)
    throat = shape("M39 61C44 60 50 57 54 57.6C51 53.5 48 55 45 56Q41 57 39 61Z", RED)
    leaves = shape("M52 64Q47 71 50 79Q55 72 52 64ZM43 68Q38 73 40 79Q45 75 43 68Z", GREEN)
    return leaves + bird + throat + circle(46.5, 54, 1.1, IVORY)


def summer() -> str:
    """A lotus over its leaf."""
    leaf = shape("M5 70Q30 60 55 70Q30 84 5 70Z", GREEN)
    flower = "".join(petals(30, 70, 1, reach, 11, "#e58aa0", turn) for reach, turn in ((24, 58), (24, -58)))
    flower += "".join(petals(30, 71, 1, 29, 12, "#d4506f", turn) for turn in (28, -28))
    return leaf + flower + petals(30, 72, 1, 34, 12.5, RED)


def autumn() -> str:
    """A maple leaf."""
    leaf = (
        "M30 38L34 48L42 43L41 53L53 52L46 60L51 66L38 66L31"
        " 70V79H29V70L22 66L9 66L14 60L7 52L19 53L18 43L26 48Z"
    )
    return shape(leaf, "#c85a12") + line("M30 45V70M30 64L43 56M30 64L17 56", IVORY, 1.3)


def winter() -> str:
    """A crystal of snow."""
    arm = "M30 58V39M30 45L25 41M30 45L35 41M30 51L25.5 47.5M30 51L34.5 47.5"
    return "".join(f'<g transform="rotate({60 * n} 30 58)">{line(arm, BLUE, 2.2)}</g>' for n in range(6))


def plum() -> str:
    """Blossoms on a bare branch."""
    branch = line("M6 76Q24 70 30 58Q38 46 54 42", "#5a3b22", 3) + line("M25 66Q36 68 46 76", "#5a3b22", 2.4)
    return (
        branch
        + blossom(32, 56, 11.5, RED, "#f0b429")
        + blossom(46, 72, 7, RED, "#f0b429")
        + circle(50, 45, 4, RED)
    )


def orchid() -> str:
    """Long leaves and one flower."""
    leaves = line("M30 78Q26 56 8 46M30 78Q30 58 20 42M30 78Q36 60 54 58M30 78Q38 70 52 74", GREEN, 3)
    flower = petals(40, 48, 5, 12.5, 5.5, "#7d3c98", 12) + circle(40, 48, 2.6, "#f0b429")
    return leaves + line("M31 76Q34 60 39 50", GREEN, 2) + flower


def chrysanthemum() -> str:
    """Many narrow petals."""
    leaves = shape("M8 74Q18 62 28 74Q18 80 8 74ZM52 74Q42 62 32 74Q42 80 52 74Z", GREEN)
    return (
        leaves
        + petals(30, 56, 16, 19, 4.4, "#e0a010")
        + petals(30, 56, 11, 12.5, 3.6, "#b97800", 10)
        + circle(30, 56, 3.6, RED)
    )


def culms() -> str:
    """Two culms with leaves."""
    parts = "".join(line(f"M{x} 76.5V{top}", GREEN, 6) for x, top in ((23, 39), (37, 45)))
    parts += line("M18.5 50h9M18.5 63h9M32.5 56h9M32.5 69h9", IVORY, 1.6)
    leaf = (
        "M39 51Q47 42 58 43Q51 54 39 51ZM39 64Q48 57 57 61Q48 69 39 64"
        "ZM21 56Q12 48 2 51Q10 61 21 56ZM21 70Q13 64 4 69Q13 76 21 70Z"
    )
    return parts + shape(leaf, GREEN)


MOTIFS: tuple[Callable[[], str], ...] = (spring, summer, autumn, winter, plum, orchid, chrysanthemum, culms)


def flower(index: int, size: float) -> str:
    ink = RED if index < 4 else GREEN
    x = 21 if size < 34 else 22
    char = glyph(FLOWERS[index], x, 19 + (size - 30) / 8, size, ink)
    count = glyph(str(index % 4 + 1), 48, 15, 20, BLUE)
    return char + count + MOTIFS[index]()


# ---------------------------------------------------------------- faces


def white() -> str:
    outer = f'<rect x="9" y="11" width="42" height="58" rx="4" fill="none" stroke="{BLUE}" stroke-width="5"/>'
    return (
        outer
        + '<rect x="16.5" y="18.5" width="27" height="43" rx="1.5"'
        + f' fill="none" stroke="{BLUE}" stroke-width="1.8"/>'
    )


def honor(index: int, size: float) -> str:
    return white() if not HONORS[index] else glyph(HONORS[index], 30, 40, size, HONOR_INKS[index])


def classic() -> Iterator[tuple[str, str]]:
    """The traditional faces."""
    for n in range(1, 10):
        yield f"{n}m", glyph(NUMBERS[n - 1], 30, 19.5, 33, INK) + glyph("萬", 30, 57.5, 37, RED)
    for n in range(1, 10):
        yield f"{n}p", great_dot() if n == 1 else dots(DOTS[n])
    for n in range(1, 10):
        yield f"{n}s", bamboo(n)
    for index in range(7):
        yield f"{index + 1}z", honor(index, 51)
    for index in range(8):
        yield f"{index + 1}f", flower(index, 30)


def large() -> Iterator[tuple[str, str]]:
    """Large print: a numeral that fills the tile, and the suit below it."""
    suits = {
        "m": glyph("萬", 30, 63, 30, RED),
        "p": dots([(30, 63, 13, BLUE)]),
        "s": sticks(*((x, 63.5, 22, GREEN) for x in (15, 30, 45))),
    }
    inks = {"m": INK, "p": BLUE, "s": GREEN}
    for suit, sign in suits.items():
        for n in range(1, 10):
            yield f"{n}{suit}", glyph(str(n), 30, 24, 56, inks[suit]) + sign
    for index in range(7):
        yield f"{index + 1}z", honor(index, 56)
    for index in range(8):
        yield f"{index + 1}f", flower(index, 34)


def shapes_of_several(drawn: str) -> list[str]:
    """Long outlines that stand there more than once."""
    return [d for d, often in Counter(re.findall(r'd="(M[^"]{300,})"', drawn)).items() if often > 1]


def symbols(faces: Iterator[tuple[str, str]]) -> str:
    """All symbols of a set; what stands in several of them comes first, and is pointed at."""
    drawn = "".join(
        f'<symbol id="face-{code}" viewBox="0 0 60 80" overflow="visible">{face}</symbol>'
        for code, face in faces
    )
    paths = ""
    for n, d in enumerate(shapes_of_several(drawn)):
        drawn = drawn.replace(f'<path d="{d}"', f'<use href="#shape-{n}"')
        paths += f'<path id="shape-{n}" d="{d}"/>'
    return f"<defs>{paths}</defs>{drawn}"


ORIGIN = "Generated by web/tools/tiles/make.py; characters: outlines of Noto Serif SC and Noto Sans SC (SIL OFL 1.1)."


def module(name: str, faces: Iterator[tuple[str, str]]) -> str:
    """A TypeScript module with what each face of a set is drawn of; long shapes of several stand there once."""
    drawn = dict(faces)
    text = "\n".join(f"  '{code}': `{face}`," for code, face in drawn.items())
    shared = shapes_of_several(text)
    for n, d in enumerate(shared):
        text = text.replace(f'"{d}"', f'"${{shapes[{n}]}}"')
    shapes = "\n".join(f"  '{d}'," for d in shared)
    return (
        f"// {ORIGIN}\nconst shapes = [\n{shapes}\n];\n"
        f"export const {name}: Readonly<Record<string, string>> = {{\n{text}\n}};\n"
    )


def drawing(faces: Iterator[tuple[str, str]]) -> str:
    """The same as one SVG, an element a line."""
    lines = symbols(faces).replace("><path id", ">\n<path id")
    lines = lines.replace("<symbol", "\n<symbol")
    return f'<svg xmlns="http://www.w3.org/2000/svg"><!-- {ORIGIN} -->\n{lines}\n</svg>\n'


def icon(edge: float, round_: float) -> str:
    """The mark of the page: a red dragon on felt; ``edge`` is left free around it."""
    wide = 512 - 2 * edge
    w, h = wide * 0.66, wide * 0.88
    x, y = (512 - w) / 2, (512 - h * 1.06) / 2
    rect = '<rect x="{}" y="{}" width="{}" height="{}" rx="{}" fill="{}"/>'
    body = "".join(
        rect.format(*map(number, (x, y + down, w, h, w * 0.12)), ink)
        for down, ink in ((h * 0.1, "#0a2019"), (h * 0.07, "#2f8f63"), (h * 0.035, "#d9ccb0"), (0, IVORY))
    )
    size = w * 0.96
    place = f"translate({number(256 - size / 2)} {number(y + h / 2 - size / 2)})scale({size / 200:.3f})"
    felt = rect.format(0, 0, 512, 512, number(round_), "#17493a")
    char = f'<path d="{GLYPHS["中"]}" fill="{RED}" stroke="{RED}" stroke-width="5" transform="{place}"/>'
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 512 512">{felt}{body}{char}</svg>\n'


def sheet() -> str:
    """A page with all faces in several sizes, both themes and every state, to be looked at."""
    css = (HERE.parents[1] / "src/tiles/Tile.svelte").read_text(encoding="utf-8")
    css = css[css.index("<style>") + 7 : css.index("</style>")]
    rules = "".join(f".w{w}{{--tile-w:{w}px}}" for w in (26, 36, 48, 72))
    css += "body{margin:0;width:1500px;font:14px sans-serif}section{padding:10px}"
    css += "div{display:flex;gap:4px;margin:0 0 8px;"
    css += "flex-wrap:wrap;align-items:flex-end}.dark{background:#174a39}.light{background:#3f9673}" + rules
    parts = ""

    def tile(name: str, code: str, state: str = "") -> str:
        face = "" if "back" in state else f"face {name}-{code}"
        if "turned" in state:
            return f'<span class="tile {state}"><span class="body"><span class="{face}"></span></span></span>'
        return f'<span class="tile {state}"><span class="body {face}"></span></span>'

    for name, faces in (("classic", classic()), ("large", large())):
        drawn = dict(faces)
        for code, face in drawn.items():
            svg = quote(f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 60 80">{face}</svg>')
            css += f'.{name}-{code}{{background-image:url("data:image/svg+xml,{svg}")}}'
        codes = list(drawn)
        states = ("", "turned", "ghost", "lit", "marked", "raised", "back", "back turned", "lit turned")
        for theme, widths in (("dark", (72, 36)), ("light", (48, 26))):
            parts += f'<section class="{theme}">'
            for w in widths:
                rows = (
                    [codes[:27], codes[27:]]
                    if w < 48
                    else [codes[i : i + 18] for i in (0, 18)] + [codes[36:]]
                )
                parts += "".join(
                    f'<div class="w{w}">{"".join(tile(name, code) for code in row)}</div>' for row in rows
                )
            parts += (
                f'<div class="w48">{"".join(tile(name, "7s", state) for state in states)}</div></section>'
            )
    page = '<!doctype html><meta charset="utf-8"><title>Tiles</title>'
    return f"{page}<style>{css}</style>{parts}\n"


def main() -> int:
    if "--sheet" in sys.argv:
        Path(sys.argv[sys.argv.index("--sheet") + 1]).write_text(sheet(), encoding="utf-8")
        return 0
    if "--icon" in sys.argv:
        Path(sys.argv[sys.argv.index("--icon") + 1]).write_text(icon(84, 0), encoding="utf-8")
        return 0
    made = {
        TARGET / "classic.ts": module("classic", classic()),
        TARGET / "large.ts": module("large", large()),
    }
    made[PUBLIC / "favicon.svg"] = icon(28, 112)
    made[NOTEBOOKS] = drawing(classic())
    if "--check" not in sys.argv:
        for path, text in made.items():
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        return 0
    stale = [
        path.name
        for path, text in made.items()
        if not path.exists() or path.read_text(encoding="utf-8") != text
    ]
    if stale:
        print(f"{', '.join(stale)}: stale; run python web/tools/tiles/make.py", file=sys.stderr)
    return int(bool(stale))


if __name__ == "__main__":
    sys.exit(main())
