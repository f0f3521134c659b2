"""How smoothly the table moves on a slow phone: a hand is played with everything in motion on a processor
four times slower, and what its frames took is told (``make frames``).

It judges nothing. How long frames took depends on the machine, and a browser without a window paints in
software; what the page's own thread has to do for each doesn't, and should be done within 16.7 ms.
"""

import json
import statistics
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from playwright.sync_api import sync_playwright

from tests.browser.conftest import find_chromium
from tests.browser.stage import Stage
from tests.browser.table import TablePage, plainly
from tests.browser.visitor import PORTRAIT, Visitor

SLOWER: Final = 4
FRAME: Final = 1000 / 60
"""Milliseconds."""
LONGEST: Final = 400
"""Milliseconds of a movement at most: what lasts longer is none."""
_WATCH = """
window.__frames = [];
let last = 0;
const frame = (now) => {
  const moving = document.getAnimations().some((it) => it.playState === 'running'
    && it.effect?.getTiming().duration <= 300 && it.effect.target?.closest?.('.board'));
  if (last && moving) window.__frames.push(now - last);
  last = now;
  requestAnimationFrame(frame);
};
requestAnimationFrame(frame);
"""
_CATEGORIES: Final = [
    *("devtools.timeline", "disabled-by-default-devtools.timeline", "blink.animations"),
    "__metadata",
]
_OVER = "document.querySelector('[data-testid=bill]') !== null"


@contextmanager
def table(path: str, slower: float, watch: str = "") -> Iterator[TablePage]:
    """A table with bots on a slower processor, about to begin."""
    with (
        tempfile.TemporaryDirectory() as folder,
        Stage(Path(folder), times=4) as stage,
        sync_playwright() as it,
    ):
        browser = it.chromium.launch(executable_path=path, args=["--no-sandbox"])
        visitor = Visitor(browser, stage.url, PORTRAIT, touch=True, motion=True).be()
        visitor.context.add_init_script(watch)
        visitor.quick(stage.settings())
        session = visitor.context.new_cdp_session(visitor.page)
        session.send("Emulation.setCPUThrottlingRate", {"rate": slower})
        page = TablePage(visitor, "touch")
        page.wait_for("ready")
        yield page
        visitor.close()
        browser.close()


def measured(path: str, slower: float) -> list[float]:
    """Milliseconds of each frame in which a tile moved, in one hand against bots."""
    with table(path, slower, _WATCH) as page:
        page.ready()
        page.play_hand(plainly)
        frames: list[float] = page.page.evaluate("window.__frames")
    return frames


# ---------------------------------------------------------------- what the page's thread did


@dataclass
class Work:
    """What the page's thread did while tiles moved."""

    frames: list[float]
    """Milliseconds of work in each sixtieth of a second."""
    done: Counter[str]
    """How often the page was laid out, painted and so on."""
    before: list[float]
    """Milliseconds of work from a message's arrival until its tiles begin to move."""


def traced(path: str, slower: float) -> Work:
    """One hand on auto-play: nothing is asked of the page while it is looked at, which would be work too."""
    with table(path, slower) as page:
        browser = page.page.context.browser
        assert browser is not None
        page.ready()
        page.page.get_by_role("button", name="托管").first.tap()
        browser.start_tracing(page=page.page, categories=_CATEGORIES)
        while not page.page.evaluate(_OVER):
            page.page.wait_for_timeout(1000)
        events = json.loads(browser.stop_tracing())["traceEvents"]
    return work_of(events)


def work_of(events: list[dict[str, Any]]) -> Work:
    """What a trace tells; its times are microseconds."""
    main = _main_thread(events)
    own = [event for event in events if (event["pid"], event["tid"]) == main and event["ph"] == "X"]
    tasks = sorted((it["ts"], it.get("dur", 0), _cost(it)) for it in own if it["name"] == "RunTask")
    windows = _windows([it for it in events if it["name"] == "Animation" and it["pid"] == main[0]])
    frames: list[float] = []
    for begin, end in windows:
        slots = [0.0] * max(1, round((end - begin) / 1000 / FRAME))
        for at, _, cost in tasks:
            if begin <= at < end:
                slots[min(len(slots) - 1, int((at - begin) / 1000 / FRAME))] += cost
        frames += slots
    moving = [event["name"] for event in own if any(begin <= event["ts"] < end for begin, end in windows)]
    starts = [at for at, _ in windows]
    before = [cost for at, time, cost in tasks if any(at <= start <= at + time for start in starts)]
    return Work(frames, Counter(moving), before)


def _cost(event: dict[str, Any]) -> float:
    """Milliseconds on the processor: what others do meanwhile doesn't count."""
    time: float = event.get("tdur", event.get("dur", 0)) / 1000
    return time


def _main_thread(events: list[dict[str, Any]]) -> tuple[int, int]:
    """The process and thread of the page: of those that are called so, the busiest."""
    called = {
        (event["pid"], event["tid"])
        for event in events
        if event["name"] == "thread_name" and event["args"]["name"] == "CrRendererMain"
    }
    busy: Counter[tuple[int, int]] = Counter()
    for event in events:
        if event["name"] == "RunTask" and (event["pid"], event["tid"]) in called:
            busy[event["pid"], event["tid"]] += event.get("dur", 0)
    return busy.most_common(1)[0][0]


def _windows(animations: list[dict[str, Any]]) -> list[tuple[int, int]]:
    """When something moved, without overlaps."""
    begun: dict[str, int] = {}
    spans: list[tuple[int, int]] = []
    for event in sorted(animations, key=lambda event: event["ts"]):
        key = str(event.get("id2", event.get("id")))
        if event["ph"] == "b":
            begun[key] = event["ts"]
        elif event["ph"] == "e" and key in begun:
            spans.append((begun.pop(key), event["ts"]))
    merged: list[tuple[int, int]] = []
    for begin, end in sorted(span for span in spans if span[1] - span[0] < LONGEST * 1000):
        if merged and begin <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(end, merged[-1][1]))
        else:
            merged.append((begin, end))
    return merged


# ---------------------------------------------------------------- telling


def at_95(times: list[float]) -> float:
    """What 95 in 100 stay within."""
    return round(sorted(times)[int(len(times) * 0.95)], 1)


def frames_told(slower: float, frames: list[float]) -> dict[str, Any]:
    return {
        "slower": slower,
        "frames": len(frames),
        "median_ms": round(statistics.median(frames), 1),
        "p95_ms": at_95(frames),
        "within_60fps": round(sum(time <= 17.5 for time in frames) / len(frames), 3),
    }


def work_told(slower: float, work: Work) -> dict[str, Any]:
    return {
        "slower": slower,
        "work_in": len(work.frames),
        "work_mean_ms": round(statistics.mean(work.frames), 2),
        "work_p95_ms": at_95(work.frames),
        "work_within_60fps": round(sum(time <= FRAME for time in work.frames) / len(work.frames), 3),
        "to_begin_median_ms": round(statistics.median(work.before), 1),
        "to_begin_p95_ms": at_95(work.before),
        **{f"{name.lower()}s": work.done[name] for name in ("FunctionCall", "Layout", "PrePaint", "Paint")},
    }


def main() -> int:
    """Lines of JSON: for each speed how long frames took, and what the page's thread had to do for each."""
    path = find_chromium()
    if path is None:
        print("no Chromium here: .ci/services.sh installs it; HAINAN_CHROMIUM names another", file=sys.stderr)
        return 1
    for slower in (1, SLOWER):
        print(json.dumps(frames_told(slower, measured(path, slower))), flush=True)
        print(json.dumps(work_told(slower, traced(path, slower))), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
