"""Outlines of the characters on tiles, from an openly licensed font, into glyphs.json; see README.md.

python extract.py FOLDER-OF-@fontsource/noto-serif-sc FOLDER-OF-@fontsource/noto-sans-sc
Needs fonttools and brotli. It is run only when a character is added: glyphs.json is kept in the repository.
"""

import json
import re
import sys
from pathlib import Path

from fontTools.pens.boundsPen import BoundsPen
from fontTools.pens.svgPathPen import SVGPathPen
from fontTools.pens.transformPen import TransformPen
from fontTools.ttLib import TTFont

SERIF = "一二三四五六七八九萬東南西北中發白春夏秋冬梅蘭菊竹"
SANS = "123456789"
WEIGHT = 900
SIZE = 200
"""Outlines lie in the middle of a square of this size, their baseline at 176."""


def subsets(package: Path) -> list[tuple[Path, list[tuple[int, int]]]]:
    """Files of the package at the wanted weight, with the characters that each has."""
    css = (package / f"{WEIGHT}.css").read_text()
    found = []
    for block in re.findall(r"@font-face \{.*?\}", css, re.DOTALL):
        file = re.search(r"url\(\./files/([^)]+\.woff2)\)", block)
        spans = re.search(r"unicode-range: ([^;]+);", block)
        if file and spans:
            codes = [
                re.fullmatch(r"U\+([0-9A-Fa-f]+)(?:-([0-9A-Fa-f]+))?", part.strip())
                for part in spans[1].split(",")
            ]
            found.append(
                (package / "files" / file[1], [(int(c[1], 16), int(c[2] or c[1], 16)) for c in codes if c])
            )
    return found


def outline(package: Path, char: str) -> str:
    """One character's outline as an SVG path, in whole numbers."""
    for file, spans in subsets(package):
        if any(first <= ord(char) <= last for first, last in spans):
            font = TTFont(file)
            name = font.getBestCmap().get(ord(char))
            if name is not None:
                scale = SIZE / font["head"].unitsPerEm
                bounds = BoundsPen(font.getGlyphSet())
                font.getGlyphSet()[name].draw(bounds)
                middle = SIZE / 2 - scale * (bounds.bounds[0] + bounds.bounds[2]) / 2
                pen = SVGPathPen(font.getGlyphSet(), ntos=lambda value: str(round(value)))
                font.getGlyphSet()[name].draw(TransformPen(pen, (scale, 0, 0, -scale, middle, 176)))
                return pen.getCommands()
    raise SystemExit(f"the font has no {char}")


def main() -> None:
    serif, sans = map(Path, sys.argv[1:3])
    glyphs = {char: outline(serif, char) for char in SERIF} | {char: outline(sans, char) for char in SANS}
    target = Path(__file__).with_name("glyphs.json")
    target.write_text(json.dumps(glyphs, ensure_ascii=False, indent=0) + "\n", encoding="utf-8")


main()
