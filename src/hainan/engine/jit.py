"""How kernels are compiled (``parts``), and where the compiled code and the shape tables are kept.

Numba sees a change only in the file of the function itself, not in its callees elsewhere; so the
cache folder carries a digest of every source with kernels.

Under NUMBA_DISABLE_JIT=1 the kernels run as the plain Python that they are, and Numba isn't even
imported: for debugging, for coverage, and for commands that look at a single hand, which are done
sooner than compiled code could be loaded.
"""

import hashlib
import os
from collections.abc import Callable
from functools import cache
from importlib.metadata import version
from pathlib import Path
from typing import Any, Final, TypeVar, cast

import numpy as np
from platformdirs import user_cache_path

# Division as in C: nothing here divides by zero, and no kernel raises.
_OPTIONS: Final[dict[str, Any]] = {"error_model": "numpy"}
F = TypeVar("F", bound=Callable[..., Any])

COMPILED: Final = os.environ.get("NUMBA_DISABLE_JIT", "0") in ("", "0")
"""Whether kernels are compiled."""
_PACKAGE: Final = Path(__file__).parents[1]
_WITH_KERNELS: Final = ("rules", "engine", "sim", "bots", "rl")


@cache
def source_digest() -> str:
    """A digest of all sources that kernels are compiled from, and of the versions that compile."""
    content = hashlib.sha256((version("numba") + version("numpy")).encode())
    for room in _WITH_KERNELS:
        for path in sorted((_PACKAGE / room).glob("*.py")):
            content.update(path.name.encode() + path.read_bytes())
    return content.hexdigest()[:16]


@cache
def cache_folder() -> Path:
    """The folder of this version's compiled code; HAINAN_CACHE_DIR overrides its parent."""
    parent = os.environ.get("HAINAN_CACHE_DIR")
    base = Path(parent) if parent else user_cache_path("hainan-mahjong", appauthor=False)
    folder = base / source_digest()
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:  # a home that can't be written to: everything works, only not faster next time
        import tempfile

        folder = Path(tempfile.mkdtemp(prefix="hainan-"))
    return folder


def compiled(compiler: str, **options: Any) -> Callable[[F], F]:
    """What makes compiled code of a function, by a compiler of ``parts``."""
    if not COMPILED:
        return lambda function: function
    import numba

    config: Any = numba.config
    config.CACHE_DIR = str(cache_folder())
    if numba.__version__.startswith(KNOWN):
        from hainan.engine import parts

        options["pipeline_class"] = getattr(parts, compiler)
    return cast(Callable[[F], F], numba.njit(**_OPTIONS, **options))


KNOWN: Final = ("0.68.",)
"""Versions of Numba whose inside ``parts`` was tried with; any other compiles in its own way, which takes
several times longer and makes the same code."""


def kernel(function: F) -> F:
    """A function called by other kernels only: compiled into its callers, without a way in from Python."""
    return compiled("PartCompiler", no_cpython_wrapper=True, no_cfunc_wrapper=True)(function)


def entry(function: F) -> F:
    """A kernel called from Python: compiled for itself, without the GIL, and kept on disk."""
    return compiled("WholeCompiler", cache=True, nogil=True, no_cfunc_wrapper=True)(function)


def _whole(value: Any) -> int:
    return np.int64(value)  # type: ignore[return-value]


whole: Callable[[Any], int] = kernel(_whole) if COMPILED else int
"""A number as a plain integer: what is read from a record goes through this before it is handed on, so
that no kernel is compiled again for each width of integer."""
