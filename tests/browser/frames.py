"""How smoothly the table moves on a slow phone: a hand is played with everything in motion on a processor
four times slower, and how long its frames took is told (``make frames``).

It measures and judges nothing: figures depend on the machine, and a browser without a window paints in
software.
"""

import json
import statistics
import sys
import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright

from tests.browser.conftest import find_chromium
from tests.browser.stage import Stage
from tests.browser.table import TablePage, plainly
from tests.browser.visitor import PORTRAIT, Visitor

SLOWER = 4
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


def measured(path: str, slower: float) -> list[float]:
    """Milliseconds of each frame in which a tile moved, in one hand against bots."""
    with (
        tempfile.TemporaryDirectory() as folder,
        Stage(Path(folder), times=4) as stage,
        sync_playwright() as it,
    ):
        browser = it.chromium.launch(executable_path=path, args=["--no-sandbox"])
        visitor = Visitor(browser, stage.url, PORTRAIT, touch=True, motion=True).be()
        visitor.context.add_init_script(_WATCH)
        visitor.quick(stage.settings())
        session = visitor.context.new_cdp_session(visitor.page)
        session.send("Emulation.setCPUThrottlingRate", {"rate": slower})
        table = TablePage(visitor, "touch")
        table.wait_for("ready")
        table.ready()
        table.play_hand(plainly)
        frames: list[float] = visitor.page.evaluate("window.__frames")
        visitor.close()
        browser.close()
    return frames


def main() -> int:
    """One line of JSON for each speed."""
    path = find_chromium()
    if path is None:
        print("no Chromium here: .ci/services.sh installs it; HAINAN_CHROMIUM names another", file=sys.stderr)
        return 1
    for slower in (1, SLOWER):
        frames = sorted(measured(path, slower))
        told = {
            "slower": slower,
            "frames": len(frames),
            "median_ms": round(statistics.median(frames), 1),
            "p95_ms": round(frames[int(len(frames) * 0.95)], 1),
            "within_60fps": round(sum(time <= 17.5 for time in frames) / len(frames), 3),
        }
        print(json.dumps(told), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
