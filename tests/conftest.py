"""Sizes of the random tests: full when compiled, small when kernels run as plain Python, huge for soak."""

import os

import pytest

from hainan.engine.jit import COMPILED

SOAK = bool(os.environ.get("HAINAN_SOAK"))


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if SOAK:
        return
    skip = pytest.mark.skip(reason="long; run by `make soak`")
    for item in items:
        if "soak" in item.keywords:
            item.add_marker(skip)


def amount(compiled: int, plain: int, soak: int | None = None) -> int:
    """How many random cases a test tries."""
    if SOAK and COMPILED and soak is not None:
        return soak
    return compiled if COMPILED else plain
