"""Names, passwords and tokens, without HTTP."""

import time

import pytest

from hainan.server.accounts import TOKEN_SECONDS, Accounts, Passwords, Tokens, checked_name, checked_password
from hainan.server.problem import Problem
from hainan.server.store import Store
from hainan.wire import Refusal
from tests.server.web.conftest import SECRET, Clock

CHEAP = {"memory_kib": 64, "rounds": 1}


@pytest.mark.parametrize("name", ["阿海", "A", "x" * 24, "Nguyễn Văn", "👨‍👩‍👧", "é", "(:"])
def test_names(name: str) -> None:
    assert checked_name(f"  {name}\t") == name


def test_names_have_one_form() -> None:
    assert checked_name("e\u0301") == "\u00e9"


@pytest.mark.parametrize(
    "name",
    [
        "",
        "   ",
        "x" * 25,
        "a\nb",
        "a\x00b",
        "\u202eabc",
        "a\u2066b",
        "a\u200bb",
        "\u200d",
        "\u0301",
        "a\u2028b",
    ],
)
def test_names_that_deceive_or_are_none(name: str) -> None:
    with pytest.raises(Problem) as caught:
        checked_name(name)
    assert caught.value.code is Refusal.BAD_MESSAGE
    assert caught.value.why.startswith("name: ")


@pytest.mark.parametrize("password", ["", "1234567", "x" * 129])
def test_passwords_that_are_none(password: str) -> None:
    with pytest.raises(Problem, match="8 to 128 characters"):
        checked_password(password)


def test_a_password_is_the_same_on_all_keyboards() -> None:
    assert checked_password("ｐａｓｓｗｏｒｄ") == checked_password("password")


@pytest.mark.anyio
async def test_argon2() -> None:
    passwords = Passwords(**CHEAP)
    hashed = await passwords.hash("correct horse")
    assert hashed.startswith("$argon2id$")
    assert await passwords.fits("correct horse", hashed)
    assert not await passwords.fits("wrong horse", hashed)
    assert not await passwords.fits("correct horse", "no hash at all")
    assert not await passwords.fits("nobody's password", None)


# ---------------------------------------------------------------- tokens


def test_a_token_names_a_player_for_90_days() -> None:
    clock = Clock(time.time())
    tokens = Tokens(SECRET, clock)
    token = tokens.issue("p1", 3)
    assert tokens.read(token) == ("p1", 3)
    clock.now += TOKEN_SECONDS
    assert tokens.read(token) == ("p1", 3)
    clock.now += 1
    assert tokens.read(token) is None


@pytest.mark.parametrize("foreign", [b"another secret", b""])
def test_a_token_of_another_server_is_nothing(foreign: bytes) -> None:
    assert Tokens(SECRET).read(Tokens(foreign).issue("p1", 0)) is None


def test_every_changed_letter_makes_it_nothing() -> None:
    tokens = Tokens(SECRET)
    token = tokens.issue("p1", 0)
    for place, letter in enumerate(token):
        other = "A" if letter != "A" else "B"
        forged = token[:place] + other + token[place + 1 :]
        # The last letter of a part has bits that base64 drops: such a token is the very same.
        assert tokens.read(forged) in (None, ("p1", 0))
        if token[place + 1 : place + 2] not in ("", "."):
            assert tokens.read(forged) is None


@pytest.mark.parametrize("token", ["", ".", "a.b.c", "x" * 10_000, "\x00", "阿海", '["p1",0]'])
def test_what_is_no_token_is_nothing(token: str) -> None:
    assert Tokens(SECRET).read(token) is None


def test_a_signed_text_of_another_shape_is_nothing() -> None:
    tokens = Tokens(SECRET)
    for value in ({"player": "p1"}, ["p1"], ["p1", "0"], "p1", [1, 0]):
        assert tokens.read(tokens._serializer.dumps(value)) is None


# ---------------------------------------------------------------- accounts


@pytest.mark.anyio
async def test_an_account_from_a_guest_to_its_end(sqlite_url: str) -> None:
    store = await Store.open(sqlite_url)
    try:
        accounts = Accounts(store, SECRET, passwords=Passwords(**CHEAP))
        guest = await accounts.guest(" 阿海 ")
        assert await accounts.whose(guest.token) == guest.player
        account = await accounts.set_password(guest.player, "correct horse", None)
        assert await accounts.whose(guest.token) is not None  # a first password ends no session
        again = await accounts.sign_in("阿海", "correct horse")
        assert again.player.id == guest.player.id
        with pytest.raises(Problem, match="present password"):
            await accounts.set_password(account.player, "another horse", "wrong horse")
        changed = await accounts.set_password(account.player, "another horse", "correct horse")
        assert await accounts.whose(again.token) is None  # another one ends all others
        assert await accounts.whose(changed.token) is not None
        await accounts.delete(changed.player)
        assert await accounts.whose(changed.token) is None
        with pytest.raises(Problem) as caught:
            await accounts.sign_in("阿海", "another horse")
        assert caught.value.code is Refusal.WRONG_PASSWORD
    finally:
        await store.close()


@pytest.mark.anyio
async def test_when_a_player_was_last_here_is_noted_once_a_day(sqlite_url: str) -> None:
    store = await Store.open(sqlite_url)
    try:
        accounts = Accounts(store, SECRET)
        guest = await accounts.guest("阿海")
        await store.seen(guest.player.id, 5)
        await accounts.whose(guest.token)
        seen = await accounts.whose(guest.token)
        assert seen is not None
        assert seen.seen_at >= guest.player.seen_at
    finally:
        await store.close()


@pytest.mark.anyio
async def test_account_names_are_unique_and_guests_names_are_not(sqlite_url: str) -> None:
    store = await Store.open(sqlite_url)
    try:
        accounts = Accounts(store, SECRET, passwords=Passwords(**CHEAP))
        one, other = await accounts.guest("Hai"), await accounts.guest("hai")
        await accounts.set_password(one.player, "correct horse", None)
        with pytest.raises(Problem) as caught:
            await accounts.set_password(other.player, "correct horse", None)
        assert caught.value.code is Refusal.NAME_TAKEN
        renamed = await accounts.rename(other.player, "Shan")
        await accounts.set_password(renamed, "correct horse", None)
        renamed = await accounts.rename(renamed, "SHAN")  # his own
        with pytest.raises(Problem) as caught:
            await accounts.rename(renamed, "HAI")
        assert caught.value.code is Refusal.NAME_TAKEN
    finally:
        await store.close()
