"""Compiling with progress: on a machine's first start, or all at once with ``hainan compile``."""

import hashlib
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

from hainan.cli.common import OK, Lang, language, warn

PARTS: Final = {
    "shapes": ("牌型表", "shape tables"),
    "score": ("算分", "scoring"),
    "table": ("牌桌", "live tables"),
    "hints": ("提示", "hints"),
    "bots": ("机器人", "bots"),
    "advice": ("建议", "advice"),
    "bulk": ("批量模拟", "bulk play"),
    "analysis": ("牌型分析", "hand analysis"),
    "counting": ("局面计数", "perft"),
    "learning": ("学习环境", "learning environments"),
}
"""What is compiled apart from one another, with its name."""
# Two processes, of about the same length: both begin with the kernels that they share.
_HALVES: Final = (("table", "hints", "score", "learning"), ("bulk", "bots", "advice", "analysis", "counting"))


def _marker(part: str) -> Path:
    """What says that a part is compiled for this installation.

    Numba keeps what it compiles by the path of the source, so another checkout of the same version has to
    compile for itself.
    """
    from hainan.engine.jit import cache_folder

    where = hashlib.sha256(str(Path(__file__).resolve().parent).encode()).hexdigest()[:8]
    return cache_folder() / f"{part}.{where}.ready"


def _steps() -> dict[str, Callable[[], object]]:
    from hainan.rl.warm import learning
    from hainan.sim import warm

    return {part: getattr(warm, part, learning) for part in PARTS}


def _drop_old_caches() -> None:
    """Remove what earlier versions left, unless it was used in the last two weeks."""
    from hainan.engine.jit import cache_folder

    here = cache_folder()
    for folder in here.parent.iterdir():
        aged = folder.is_dir() and time.time() - folder.stat().st_mtime > _KEPT_SECONDS
        if folder != here and aged and (folder / "shapes.bin").exists():
            shutil.rmtree(folder, ignore_errors=True)


_KEPT_SECONDS: Final = 14 * 24 * 3600


def _build(part: str) -> None:
    _steps()[part]()
    try:
        _marker(part).touch()
    except OSError:
        return  # the cache can't be written to: compiled for this process alone


def ready(parts: Sequence[str], lang: Lang | None = None) -> None:
    """Have these parts compiled, telling on stderr what is waited for if that takes time."""
    from hainan.engine.jit import COMPILED

    missing = [part for part in parts if not _marker(part).exists()]
    if not COMPILED or not missing:
        return
    zh = (lang or language()) == "zh"
    names = ("、" if zh else ", ").join(PARTS[part][0 if zh else 1] for part in missing)
    if zh:
        warn(f"首次启动，正在编译{names}（一两分钟，以后不用再等）……")
    else:
        warn(f"First start: compiling {names} (a minute or two, and never again) ...")
    _drop_old_caches()
    _compile(missing, zh)


def _compile(missing: Sequence[str], zh: bool) -> int:
    """Compile in two processes, with a progress bar on stderr; the exit status."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

    _build("shapes")
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True)) as progress:
        task = progress.add_task("编译" if zh else "Compiling", total=len(missing))
        running = [
            subprocess.Popen([sys.executable, "-m", "hainan.cli.warmup", *half])
            for half in ([part for part in half if part in missing] for half in _HALVES)
            if half
        ]
        while any(process.poll() is None for process in running):
            progress.update(task, completed=sum(_marker(part).exists() for part in missing))
            time.sleep(0.2)
        progress.update(task, completed=len(missing))
    return max((process.returncode for process in running), default=OK)


def compile_all(asked: str | None) -> int:
    """Compile everything; the exit status."""
    zh = language(asked) == "zh"
    missing = [part for part in PARTS if not _marker(part).exists()]
    if not missing:
        warn("已全部编译。" if zh else "Everything is compiled.")
        return OK
    return _compile(missing, zh)


if __name__ == "__main__":
    for _part in sys.argv[1:]:
        _build(_part)
