"""What the package does where only its wheel is installed: it serves the whole page, and a hand is played.

`make wheel` runs it, with the Python of an environment of its own.
"""

import asyncio
import re
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.metadata import files
from pathlib import Path

import httpx

import hainan
from hainan import wire
from hainan.bots.policies import Policy
from hainan.client.client import Client
from hainan.client.player import play

PROGRAM = Path(sys.executable).with_name("hainan")
STOPPED_WITHIN, PLAYED_WITHIN = 30, 300


@contextmanager
def served(folder: Path) -> Iterator[str]:
    """The address of a server, which has to end well too. What it says on stderr is for all to see."""
    command = [PROGRAM, "serve", "--host", "127.0.0.1", "--port", "0", "--lang", "en"]
    command += ["--database", folder / "tables.sqlite3"]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, encoding="utf-8", cwd=folder)
    try:
        assert process.stdout is not None
        found = next(filter(None, (re.search(r"http://\S+:\d+", line) for line in process.stdout)), None)
        assert found, "the server did not start"
        yield found[0]
        process.send_signal(signal.SIGTERM)
        assert process.wait(STOPPED_WITHIN) == 0, f"the server ended with {process.returncode}"
    finally:
        process.kill()
        process.wait()


def check_notices() -> None:
    """The licences of what others have made lie beside the package's own."""
    held = {place.name: place for place in files("hainan-mahjong") or [] if "licenses" in place.parts}
    for name in ("LICENSE", "NOTICE", "OFL.txt"):
        assert name in held, f"{name} is not in the wheel"
        assert held[name].read_text(encoding="utf-8").strip(), f"{name} is empty"


def check_page(url: str) -> int:
    """The page, and everything that its service worker keeps for when there is no network; their number."""
    with httpx.Client(base_url=url) as http:
        page = http.get("/r/123456").raise_for_status().text
        assert 'id="app"' in page, "the page is not in the wheel"
        kept = re.findall(r'url:"([^"]+)"', http.get("/sw.js").raise_for_status().text)
        parts = {f"/{part}" for part in kept} | set(re.findall(r'(?:src|href)="(/[^"]+)"', page))
        assert any(part.startswith("/assets/") for part in parts), "the page has no parts"
        for part in sorted(parts):
            answer = http.get(part)
            assert answer.status_code == 200, f"{part}: HTTP {answer.status_code}"
            assert answer.content, f"{part} is empty"
    return len(parts)


async def check_hand(url: str) -> int:
    """A match of one hand against bots; the hands that were played."""
    client = Client(url)
    await client.guest("Hai")
    room = await client.quick(wire.Settings(rules={"preset": "hainan", "hands": 1}))
    async with asyncio.timeout(PLAYED_WITHIN):
        return (await play(client, room.code, Policy.GREEDY, matches=1)).hands


def main() -> int:
    """All checks; the exit status."""
    place = Path(hainan.__file__)
    assert place.is_relative_to(sys.prefix), f"{place} is not what the wheel installed"
    began = time.monotonic()
    check_notices()
    with tempfile.TemporaryDirectory() as folder, served(Path(folder)) as url:
        parts = check_page(url)
        hands = asyncio.run(check_hand(url))
    assert hands == 1, f"{hands} hands were played"
    print(f"installed: a page of {parts} parts, {hands} hand, {time.monotonic() - began:.0f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main())
