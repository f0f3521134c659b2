"""Every clause of the rule book has a test, and every clause that the program cites is in the book."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
HEADING = re.compile(r"^### (R\d+\.\d+)\b", re.MULTILINE)
CITED = re.compile(r"\bR\d+\.\d+")
TEST = re.compile(r"^\s*(?:async )?def test_r(\d+)_(\d+)(?:_\w*)?\(", re.MULTILINE)


def text_of(path):
    return path.read_text(encoding="utf-8")


def clauses(language):
    """The clauses that a rule book defines, in its order."""
    return HEADING.findall(text_of(ROOT / "docs" / "rules" / f"{language}.md"))


def program_files():
    """All text of the package: source, pages, styles, messages."""
    for path in sorted((ROOT / "src" / "hainan").rglob("*")):
        if path.is_file() and "__pycache__" not in path.parts:
            try:
                yield path, text_of(path)
            except UnicodeDecodeError:
                continue


@pytest.fixture(scope="module")
def tested():
    """Clauses that a test function is named after."""
    found = set()
    for path in (ROOT / "tests").rglob("test_*.py"):
        found |= {f"R{section}.{number}" for section, number in TEST.findall(text_of(path))}
    return found


def test_both_rule_books_define_the_same_clauses():
    english, chinese = clauses("en"), clauses("zh")
    assert len(english) == len(set(english)) > 60
    assert english == chinese


@pytest.mark.parametrize("clause", clauses("en"))
def test_clause_has_a_test(clause, tested):
    assert clause in tested, f"no test function is named test_{clause.lower().replace('.', '_')}_..."


def test_tests_are_named_after_clauses_that_exist(tested):
    assert tested <= set(clauses("en"))


@pytest.mark.parametrize("language", ["en", "zh"])
def test_cited_clauses_exist(language):
    defined = set(clauses(language))
    wrong = {
        f"{path.relative_to(ROOT)}: {clause}"
        for path, text in program_files()
        for clause in CITED.findall(text)
        if clause not in defined
    }
    assert not wrong
