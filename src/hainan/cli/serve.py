"""``hainan serve``: the tables for friends' phones, with nothing to configure."""

import contextlib
import os
import socket
import sys
from typing import Any

from hainan.cli.common import OK, BadInput, Lang, language
from hainan.cli.texts import say
from hainan.cli.warmup import ready

_EVERYWHERE = ("0.0.0.0", "::")


def run(
    host: str | None,
    port: int | None,
    database: str | None,
    public_url: str | None,
    processes: int | None,
    lang: str | None,
    *,
    browser: bool = False,
) -> int:
    """Serve until a signal comes; the exit status."""
    from hainan.server.config import ConfigError, read_config
    from hainan.server.serve import bind, serve
    from hainan.server.store import StoreError

    spoken = language(lang)
    try:
        config = read_config(
            os.environ,
            host=host,
            port=port,
            database=database,
            public_url=public_url,
            processes=processes,
        )
        with bind(config.host, config.port) as bound:
            ready(["table", "hints", "bots", "advice", "score"], spoken)

            def started() -> None:
                port_there = bound.getsockname()[1]
                _announce(config, port_there, spoken)
                if browser:
                    _open(_here(config, port_there))

            serve(config, bound, started)
    except (ConfigError, StoreError) as error:
        raise BadInput(str(error)) from None
    return OK


def _announce(config: Any, port: int, lang: Lang) -> None:
    """Where to find the server, as text and, for phones, as a picture."""
    nearby = _nearby(config.host)
    lines = [say(lang, "serve.here", url=_here(config, port))]
    for_phones = config.base_url
    if nearby is not None:
        lines.append(say(lang, "serve.nearby", url=_url(nearby, port)))
        for_phones = for_phones or _url(nearby, port)
    if config.base_url:
        lines.append(say(lang, "serve.public", url=config.base_url))
    print("\n".join(lines))
    if for_phones and sys.stdout.isatty():
        _show_code(for_phones, lang)
    print(say(lang, "serve.stop"), flush=True)


def _here(config: Any, port: int) -> str:
    """The address on this machine."""
    return _url("localhost" if config.host in _EVERYWHERE else config.host, port)


def _open(url: str) -> None:
    """Show the page, where there is a browser; it may wait for it, so in a thread of its own."""
    import threading
    import webbrowser

    def show() -> None:
        with contextlib.suppress(webbrowser.Error, OSError):
            webbrowser.open(url)

    if sys.platform in ("win32", "darwin") or os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"):
        threading.Thread(target=show, name="browser", daemon=True).start()


def _url(host: str, port: int) -> str:
    return f"http://{f'[{host}]' if ':' in host else host}:{port}/"


def _nearby(host: str) -> str | None:
    """The address on the local network; None where it has none, or doesn't listen there."""
    if host not in _EVERYWHERE:
        return None
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))  # sends nothing: it only asks which way it would go
            address = str(probe.getsockname()[0])
        except OSError:
            return None
    return None if address.startswith("127.") else address


def _show_code(url: str, lang: Lang) -> None:
    import segno

    try:
        segno.make(url, micro=False).terminal(compact=True, border=2)
    except UnicodeEncodeError:  # a terminal without the blocks
        return
    print(say(lang, "serve.scan"))
