"""The table in the browser, as it is served: its addresses, its parts, what may be kept and for how long."""

import re
from pathlib import Path

import pytest

from hainan.server.web import pages
from tests.server.web.conftest import Running

PAGE = Path(pages.__file__).parent / "page"
BUILT = (PAGE / "index.html").is_file()
built = pytest.mark.skipif(not BUILT, reason="the page isn't built here (make page)")
PLACES = ("/", "/r/123456", "/m/abc", "/m/abc/3", "/history", "/calculator", "/rules", "/proof", "/settings")


@pytest.mark.parametrize("path", PLACES)
def test_every_address_of_the_page_is_the_page(server: Running, path: str) -> None:
    with server.http() as http:
        answer = http.get(path)
    assert answer.status_code == 200
    assert answer.headers["content-type"].startswith("text/html")
    assert answer.headers["cache-control"] == "no-cache"
    assert "default-src 'self'" in answer.headers["content-security-policy"]
    assert "unsafe" not in answer.headers["content-security-policy"]


@pytest.mark.parametrize(
    "path",
    [
        "/nothing",
        "/nothing.js",
        "/assets/nothing.js",
        "/assets/..%2fpages.py",
        "/..%2fpages.py",
    ],
)
def test_anything_else_is_not_there(server: Running, path: str) -> None:
    with server.http() as http:
        answer = http.get(path)
    assert answer.status_code == 404
    assert answer.json()["code"] == "not_found"


BROWSER = {"Accept": "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"}


@pytest.mark.parametrize("path", ["/nowhere", "/nowhere/at/all", "/r/123456/more", "/m/abc/x", "/nothing.js"])
def test_a_mistyped_address_is_the_page_which_says_so_itself(server: Running, path: str) -> None:
    with server.http() as http:
        home, answer = http.get("/"), http.get(path, headers=BROWSER)
    assert answer.status_code == 404
    assert answer.content == home.content
    assert answer.headers["content-type"] == home.headers["content-type"]
    assert answer.headers["content-security-policy"] == home.headers["content-security-policy"]
    assert answer.headers["cache-control"] == "no-store"


@pytest.mark.parametrize("path", ["/api/nothing", "/api/rooms/123456/nothing", "/assets/nothing.js"])
def test_what_is_for_programs_never_is(server: Running, path: str) -> None:
    with server.http() as http:
        answer = http.get(path, headers=BROWSER)
    assert answer.status_code == 404
    assert answer.json()["code"] == "not_found"


@built
def test_parts_with_their_hash_in_their_name_are_kept_for_ever(server: Running) -> None:
    with server.http() as http:
        found = re.findall(r"/assets/[\w.-]+", http.get("/").text)
        assert found
        for path in found:
            answer = http.get(path, headers={"Accept-Encoding": "identity"})
            assert answer.status_code == 200
            assert answer.headers["cache-control"] == "public, max-age=31536000, immutable"
            assert answer.content == (PAGE / path[1:]).read_bytes()


@built
def test_all_that_the_service_worker_keeps_is_there(server: Running) -> None:
    """One part that isn't, and it is never installed: no page without network, and no word of a newer one."""
    with server.http() as http:
        kept = set(re.findall(r'url:"([^"]+)"', http.get("/sw.js").text))
        assert "index.html" in kept
        for part in kept:
            answer = http.get(f"/{part}", headers={"Accept-Encoding": "identity"})
            assert answer.status_code == 200, part
            assert answer.content == (PAGE / part).read_bytes(), part


@built
@pytest.mark.parametrize(("accepted", "encoding"), [("br, gzip", "br"), ("gzip", "gzip"), ("identity", None)])
def test_it_comes_compressed_as_the_client_likes(
    server: Running, accepted: str, encoding: str | None
) -> None:
    with server.http() as http:
        answer = http.get("/", headers={"Accept-Encoding": accepted})
    assert answer.headers.get("content-encoding") == encoding
    assert answer.headers["vary"] == "Accept-Encoding"


@built
def test_what_has_not_changed_is_not_sent_again(server: Running) -> None:
    with server.http() as http:
        tag = http.get("/").headers["etag"]
        again = http.get("/", headers={"If-None-Match": tag})
    assert (again.status_code, again.content) == (304, b"")


@built
def test_the_first_load_is_small() -> None:
    """Everything that is loaded before the first hand: the page, the table and one set of tiles."""
    parts = [*PAGE.glob("assets/index-*"), *PAGE.glob("assets/Room-*"), *PAGE.glob("assets/classic-*")]
    parts += [*PAGE.glob("assets/Page-*"), *PAGE.glob("assets/Bill-*"), PAGE / "index.html.br"]
    assert sum(part.stat().st_size for part in parts if part.suffix == ".br") < 300_000


@built
def test_nothing_in_it_is_inline() -> None:
    text = (PAGE / "index.html").read_text(encoding="utf-8")
    assert not re.search(r"<script(?![^>]*\bsrc=)|\bstyle=|<style|data:", text)
