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
REST: Final = 80
"""Milliseconds at the end of a tile's movement in which it lies still already (moves.ts)."""
_WATCH = """
window.__frames = [];
let last = 0;
const frame = (now) => {
  const moving = document.getAnimations().some((it) => it.playState === 'running'
    && it.effect?.getTiming().duration <= 400 && it.effect.target?.closest?.('.board')
    && (it.id !== 'tile' || it.currentTime < it.effect.getTiming().duration - REST));
  if (last && moving) window.__frames.push(now - last);
  last = now;
  requestAnimationFrame(frame);
};
requestAnimationFrame(frame);
""".replace("REST", str(REST))
_CATEGORIES: Final = [
    *("devtools.timeline", "disabled-by-default-devtools.timeline", "blink.animations"),
    "__metadata",
]
TRACED: Final = 40
"""Seconds of a hand that are looked at."""


@contextmanager
def table(path: str, slower: float, times: float, watch: str = "") -> Iterator[TablePage]:
    """A table with bots on a slower processor, about to begin; everybody hurries so many times."""
    with (
        tempfile.TemporaryDirectory() as folder,
        Stage(Path(folder), times=times) as stage,
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
    with table(path, slower, 4, _WATCH) as page:
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
    """Milliseconds of work from a message until its tiles have begun to move."""


def traced(path: str, slower: float) -> Work:
    """A hand on auto-play at a real table's pace: nothing is asked of the page, which would be work too."""
    with table(path, slower, 1) as page:
        browser = page.page.context.browser
        assert browser is not None
        page.ready()
        page.page.get_by_role("button", name="托管").first.tap()
        browser.start_tracing(page=page.page, categories=_CATEGORIES)
        page.page.wait_for_timeout(TRACED * 1000)
        events = json.loads(browser.stop_tracing())["traceEvents"]
    return work_of(events)


def work_of(events: list[dict[str, Any]]) -> Work:
    """What a trace tells; its times are microseconds."""
    main = _main_thread(events)
    own = [event for event in events if (event["pid"], event["tid"]) == main and event["ph"] == "X"]
    tasks = sorted((it["ts"], it.get("dur", 0), _cost(it)) for it in own if it["name"] == "RunTask")
    moves = _moves([it for it in events if it["name"] == "Animation" and it["pid"] == main[0]])
    windows = _merged([(began, end) for _, began, end in moves])
    frames: list[float] = []
    for begin, end in windows:
        slots = [0.0] * max(1, round((end - begin) / 1000 / FRAME))
        for at, _, cost in tasks:
            if begin <= at < end:
                slots[min(len(slots) - 1, int((at - begin) / 1000 / FRAME))] += cost
        frames += slots
    done = Counter(it["name"] for it in own if any(begin <= it["ts"] < end for begin, end in windows))
    begun = {called: began for called, began, _ in reversed(moves)}  # of those that begin together the first
    before = [
        sum(cost for at, time, cost in tasks if at + time > called and at < max(began, called + 1))
        for called, began in begun.items()
    ]
    return Work(frames, done, before)


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


def _moves(animations: list[dict[str, Any]]) -> list[tuple[int, int, int]]:
    """Each movement: when it was asked for, when it began (once its first frame had been painted), and when
    it was over."""
    asked: dict[str, int] = {}
    rests: dict[str, int] = {}
    began: dict[str, int] = {}
    moves: list[tuple[int, int, int]] = []
    for event in sorted(animations, key=lambda event: event["ts"]):
        key = str(event.get("id2", event.get("id")))
        if event["ph"] == "b":
            asked[key] = event["ts"]
            rests[key] = (
                0 if event["args"]["data"]["displayName"] else REST * 1000
            )  # names are those in styles
        elif event["ph"] == "n" and event["args"].get("data", {}).get("state") == "running":
            began.setdefault(key, event["ts"])
        elif event["ph"] == "e" and key in asked:
            first = asked.pop(key)
            moves.append((first, began.pop(key, first), event["ts"] - rests.pop(key)))
    return [move for move in moves if move[2] - move[1] < LONGEST * 1000]


def _merged(spans: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """The same time without overlaps."""
    merged: list[tuple[int, int]] = []
    for begin, end in sorted(spans):
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
