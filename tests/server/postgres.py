"""A throw-away PostgreSQL for the tests, where its server is installed."""

import os
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psycopg

SETTINGS = ("--listen_addresses=127.0.0.1", "--fsync=off", "--full_page_writes=off")


def binaries() -> Path | None:
    """Where the newest PostgreSQL server lies."""
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin"), key=lambda path: int(path.parent.name))
    found = [path for path in found if (path / "initdb").exists()]
    if found:
        return found[-1]
    command = shutil.which("initdb")
    return Path(command).resolve().parent if command else None


def _as_user() -> dict[str, object]:
    """PostgreSQL refuses to run as root."""
    if os.geteuid() != 0:
        return {}
    return {"user": "postgres", "group": "postgres", "extra_groups": []}


def _free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextmanager
def cluster(bin_folder: Path) -> Iterator[str]:
    """A server of one's own, nothing synced to disk; its administrator's URL."""
    folder = Path(tempfile.mkdtemp(prefix="hainan-postgres-"))
    user = _as_user()
    if user:
        shutil.chown(folder, "postgres", "postgres")
    data, port = folder / "data", _free_port()
    initdb = [bin_folder / "initdb", "-D", data, "-U", "postgres", "-A", "trust", "-E", "UTF8"]
    with (folder / "log").open("wb") as log:
        try:
            subprocess.run(
                [*initdb, "--locale=C", "--no-sync"], check=True, stdout=log, stderr=log, cwd=folder, **user
            )
            server = subprocess.Popen(
                [bin_folder / "postgres", "-D", data, "-p", str(port), "-k", folder]
                + [
                    f"--{name}"
                    for name in ("listen_addresses=127.0.0.1", "fsync=off", "full_page_writes=off")
                ],
                stdout=log,
                stderr=log,
                cwd=folder,
                **user,
            )
            try:
                yield _answering(server, f"postgresql://postgres@127.0.0.1:{port}/postgres", folder / "log")
            finally:
                server.send_signal(2)  # SIGINT: end all connections, then stop
                server.wait(30)
        finally:
            shutil.rmtree(folder, ignore_errors=True)


def _answering(server: subprocess.Popen[bytes], url: str, log: Path) -> str:
    until = time.monotonic() + 60
    while True:
        try:
            psycopg.connect(url).close()
            return url
        except psycopg.OperationalError:
            if server.poll() is not None or time.monotonic() > until:
                raise RuntimeError(f"PostgreSQL doesn't start:\n{log.read_text()}") from None
            time.sleep(0.05)
