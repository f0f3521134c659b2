"""Programs that play: `hainan bot`, and the example in plain Python."""

import asyncio
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from hainan.bots.policies import Policy
from hainan.client.player import play
from tests.cli.test_programs import hainan
from tests.client.conftest import Owner, all_of, guest
from tests.client.live import Hasty, LiveServer, free_port

ROOT = Path(__file__).parents[2]
EXAMPLE = ROOT / "examples" / "plain_bot.py"


@pytest.fixture
def calm_server(tmp_path: Path) -> Iterator[LiveServer]:
    """Slow enough for a client that doesn't count how often it says something."""
    with LiveServer(f"sqlite:///{tmp_path / 'calm.sqlite3'}", Hasty(1, 20)) as running:
        yield running


async def program(*arguments: str) -> tuple[int, str, str]:
    """Exit status, stdout, stderr."""
    running = await asyncio.create_subprocess_exec(
        sys.executable, *arguments, stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=ROOT
    )
    try:
        out, err = await running.communicate()
    except asyncio.CancelledError:
        running.kill()
        await running.wait()
        raise
    assert running.returncode is not None
    return running.returncode, out.decode(), err.decode()


def bot(*arguments: str) -> object:
    return program("-m", "hainan", "bot", *arguments)


def test_the_example_is_short_and_needs_only_websockets() -> None:
    text = EXAMPLE.read_text(encoding="utf-8")
    assert len(text.splitlines()) <= 60
    modules = {
        line.split()[1].split(".")[0] for line in text.splitlines() if line.startswith(("import", "from"))
    }
    assert modules - set(sys.stdlib_module_names) == {"websockets"}


@pytest.mark.anyio
async def test_the_example_plays_a_match_against_three_bots(calm_server: LiveServer) -> None:
    owner = Owner(calm_server, rules={"preset": "lingao", "hands": 1})
    code = await owner.open()
    totals, (status, out, err) = await all_of(
        owner.hold(bots=3), program(str(EXAMPLE), calm_server.url, code, "Plain")
    )
    assert (status, err) == (0, "")
    assert out.endswith(f"The match is over: {totals[0]}\n")


@pytest.mark.anyio
async def test_the_example_says_what_is_wrong(calm_server: LiveServer) -> None:
    assert await program(str(EXAMPLE), calm_server.url, "000000") == (
        0,
        "no_such_room there is no room 000000\n",
        "",
    )


@pytest.mark.anyio
async def test_hainan_bot_plays_matches(server: LiveServer) -> None:
    owner = Owner(server, players=3, rules={"preset": "lingao", "hands": 1})
    code = await owner.open()
    arguments = ("--url", f"{server.url}/r/{code}", "--policy", "random", "--matches", "2", "--lang", "zh")
    other = play(await guest(server.url, "海"), code, Policy.GREEDY, matches=2)
    totals, _, (status, out, err) = await all_of(owner.hold(1, 2), other, bot(*arguments, "--name", "阿南"))
    assert (status, err) == (0, "")
    lines = out.splitlines()
    assert lines[0].startswith(f"阿南在房间 {code} 坐下，座位 ")
    said = [line for line in lines if line.startswith("比赛结束")]
    assert said == ["比赛结束，总分 " + " ".join(f"{points:+d}" for points in match) for match in totals]
    assert len([line for line in lines if line.startswith("第 1 局：")]) == 2


@pytest.mark.anyio
async def test_hainan_bot_by_token_keeps_its_player(server: LiveServer) -> None:
    client = await guest(server.url, "海")
    link = await client.quick()
    asked = ("--url", server.url, "--room", link.code, "--token", str(client.token), "--lang", "en")
    playing = asyncio.create_task(bot(*asked))  # type: ignore[arg-type]
    while (room := server.host.rooms.get(link.code)) is None or room.state.stage != "playing":
        await asyncio.sleep(0.02)
    await asyncio.to_thread(server.run, _close(server, link.code))
    status, out, _ = await playing
    assert (status, out.splitlines()[0]) == (1, f"海 sits on seat 0 of room {link.code}.")


async def _close(server: LiveServer, code: str) -> None:
    """Its owner takes it off its seat, as it were."""
    from hainan.wire import Refusal

    server.host.rooms[code].audience.close_all(Refusal.KICKED, "the owner doesn't want you here")


@pytest.mark.anyio
async def test_hainan_bot_tells_errors_in_one_line(server: LiveServer) -> None:
    wrong = ("--url", server.url, "--room", "000000", "--lang", "en")
    assert await bot(*wrong) == (2, "", "hainan: there is no room 000000\n")  # type: ignore[misc]
    dead = f"127.0.0.1:{free_port()}"
    status, out, err = await bot("--url", dead, "--room", "123456", "--lang", "zh")  # type: ignore[misc]
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert err.startswith(f"hainan: 连不上服务器：http://{dead}")


@pytest.mark.anyio
async def test_errors_in_both_languages(server: LiveServer) -> None:
    taken = (await (await guest(server.url, "海")).quick()).code
    room = ("--url", server.url, "--room", taken)
    cases = [
        (("--url", f"127.0.0.1:{free_port()}", *room[2:]), "no server answers", "连不上服务器"),
        (("--url", server.url, "--room", "000000"), "there is no room 000000", "没有房间 000000"),
        (room, f"no seat in room {taken}", f"房间 {taken} 没有空位"),
        (("--url", server.url), "--room: say which room", "--room：要说明哪个房间"),
        ((*room, "--token", "x.y"), "the token isn't good", "令牌无效"),
        ((*room, "--policy", "clever"), "--policy: there is no 'clever'", "--policy"),
        (("--url", "http://", *room[2:]), "is no web address", "http"),
        ((*room, "--name", "x" * 60), "24", "24"),
    ]
    assert "Example: hainan bot" in hainan("bot", "--help")[1]
    for arguments, english, chinese in cases:
        for lang, wanted in (("en", english), ("zh", chinese)):
            status, out, err = await asyncio.to_thread(hainan, "bot", *arguments, "--lang", lang)
            assert (status, out) == (2, "")
            assert wanted in err
            assert err.count("\n") == 1
