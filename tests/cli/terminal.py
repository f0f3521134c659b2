"""A command in a terminal of its own: 80 by 24, UTF-8."""

import fcntl
import os
import pty
import select
import signal
import struct
import subprocess
import sys
import termios
import time
from types import TracebackType
from typing import Self

PATIENCE = 120.0
"""Seconds: a first run may compile."""


class Terminal:
    """``hainan`` with a screen and a keyboard; ``shown`` is everything that has been written to it."""

    def __init__(self, *arguments: str, env: dict[str, str] | None = None) -> None:
        self._master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
        without = {
            name: value for name, value in os.environ.items() if name not in ("COLUMNS", "LINES", "NO_COLOR")
        }
        self._process = subprocess.Popen(
            [sys.executable, "-m", "hainan", *arguments],
            env=without | {"TERM": "xterm-256color", "PYTHONUTF8": "1"} | (env or {}),
            preexec_fn=lambda: os.login_tty(slave),  # noqa: PLW1509 (no threads here)
        )
        os.close(slave)
        self._bytes = b""
        self._seen = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None
    ) -> None:
        if self._process.poll() is None:
            self._process.send_signal(signal.SIGKILL)
            self._process.wait()
        os.close(self._master)

    @property
    def shown(self) -> str:
        return self._bytes.decode(errors="replace")

    def send(self, keys: str) -> None:
        os.write(self._master, keys.encode())

    def expect(self, text: str) -> str:
        """Wait until a text shows up after the last one expected; what was shown up to it."""
        deadline = time.monotonic() + PATIENCE
        while text not in self.shown[self._seen :]:
            assert time.monotonic() < deadline, f"{text!r} never came after:\n{self.shown[self._seen :]}"
            assert self._read(), f"the end came before {text!r}, after:\n{self.shown[self._seen :]}"
        end = self.shown.index(text, self._seen) + len(text)
        part, self._seen = self.shown[self._seen : end], end
        return part

    def status(self) -> int:
        """Wait for the end; the exit status."""
        while self._read():
            pass
        return self._process.wait(PATIENCE)

    def _read(self) -> bool:
        """Read what is there; False at the end."""
        if not select.select([self._master], [], [], 1.0)[0]:
            return True
        try:
            more = os.read(self._master, 1 << 16)
        except OSError:  # Linux says EIO where others say the end
            more = b""
        self._bytes += more
        return bool(more)
