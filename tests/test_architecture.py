"""Arrows between the rooms point one way, and clauses cited exist (docs/architecture.md, section 2)."""

import ast
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
SOURCE = ROOT / "src" / "hainan"
# What each room may import of the others; nothing may point back.
FACES = {"table", "score", "records", "refusal", "analysis", "shuffle", "matches", "jsonl", "faults"}
ALLOWED: dict[str, set[str]] = {
    "rules": set(),
    "engine": {"rules"},
    "jsonl": set(),
    "faults": set(),
    "refusal": {"engine", "rules", "faults"},
    "table": {"engine", "rules", "refusal"},
    "score": {"engine", "rules", "table", "jsonl", "faults"},
    "records": {"rules", "table", "faults"},
    "analysis": {"engine", "rules"},
    "shuffle": {"rules", "records", "faults"},
    "matches": {"engine", "rules", "table", "shuffle"},
    "bots": {"engine", "rules"} | FACES,
    "sim": {"engine", "rules", "bots", "seatview"} | FACES,
    "picture": {"engine", "rules", "table", "records"},
    "rl": {"engine", "rules", "bots", "sim", "picture"} | FACES,
    "wire": set(),
    "seatview": {"engine", "rules", "table", "wire"},
    "server": {"rules", "engine", "bots", "wire", "seatview"} | FACES - {"analysis"},
    "client": {"rules", "engine", "bots", "wire", "seatview"},
    "cli": {"rules", "engine", "bots", "sim", "rl", "picture", "wire", "client", "server"} | FACES,
    "webtypes": {"wire", "faults", "server"},
    "docs": {"rules", "rl", "wire", "webtypes"},
    "__init__": set(),
    "__main__": {"cli"},
}
OUTSIDE_ENGINE = {"numpy", "numba", "platformdirs"}


def files() -> list[Path]:
    return sorted(SOURCE.rglob("*.py"))


def room_of(path: Path) -> str:
    first = path.relative_to(SOURCE).parts[0]
    return first.removesuffix(".py")


def imports(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (name.name for name in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative import"
            for name in node.names:
                # `from hainan.sim import warm` imports a module of the room.
                yield f"{node.module}.{name.name}"


@pytest.mark.parametrize("path", files(), ids=lambda path: str(path.relative_to(SOURCE)))
def test_arrows_point_one_way(path: Path) -> None:
    room = room_of(path)
    assert room in ALLOWED, f"a new room: say in this test what {room} may import"
    for name in imports(path):
        parts = name.split(".")
        if parts[0] == "hainan" and len(parts) > 1 and parts[1] != "__version__":
            assert parts[1] == room or parts[1] in ALLOWED[room], f"{room} must not import {name}"
        elif room == "engine":
            assert parts[0] in OUTSIDE_ENGINE | set(sys.stdlib_module_names), f"engine must not import {name}"
        elif room == "rules":
            assert parts[0] in sys.stdlib_module_names, f"rules must not import {name}"


def test_no_io_in_rules() -> None:
    for path in (SOURCE / "rules").glob("*.py"):
        assert not re.search(r"\b(open|print|input)\(", path.read_text(encoding="utf-8")), path


@pytest.mark.parametrize("arguments", [["--help"], ["options", "--json"], ["--version"]])
def test_what_plays_no_hand_never_imports_numba(arguments: list[str]) -> None:
    script = (
        "import sys; sys.argv[0] = 'hainan'\n"
        "from hainan.cli.main import main\n"
        "try: main()\nexcept SystemExit: pass\n"
        "assert 'numba' not in sys.modules and 'numpy' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", script, *arguments], check=True, capture_output=True)


def test_kernels_stay_small() -> None:
    """A function that needs a page is two functions."""
    for path in files():
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef) and node.end_lineno is not None:
                assert node.end_lineno - node.lineno <= 60, f"{path.name}: {node.name}"


def test_public_functions_have_docstrings() -> None:
    for path in files():
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.FunctionDef | ast.ClassDef) and not node.name.startswith("_"):
                assert ast.get_docstring(node), f"{path.name}: {node.name}"
