"""Python's event loop, collector and files, as a process with thousands of tables needs them."""

import asyncio
import contextlib
import gc
import sys
from collections.abc import Callable
from typing import Final

WANTED_FILES: Final = 65536


def loop_factory() -> Callable[[], asyncio.AbstractEventLoop] | None:
    """The loop's maker for ``asyncio.Runner``: uvloop where there is one."""
    if sys.platform == "win32":
        return None
    import uvloop

    return uvloop.new_event_loop


def raise_file_limit() -> None:
    """Every connection is a file to the system, and its usual limit is 1,024."""
    try:
        import resource
    except ImportError:  # not on Windows, which has no such limit
        return
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = WANTED_FILES if hard == resource.RLIM_INFINITY else min(WANTED_FILES, hard)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        with contextlib.suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))


def calm_collector() -> None:
    """Let Python look for cyclic garbage in small steps, and seldom among what stays anyway: thousands of
    tables are millions of objects, and a look at all of them holds everybody up for half a second."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(10_000, 10, 50)
