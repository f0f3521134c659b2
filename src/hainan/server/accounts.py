"""Players: guests by name, accounts by password, and the signed tokens that tell who somebody is.

A token holds a player's id and his epoch, signed with a secret that only this server's storage knows. It is
good for 90 days, until the epoch changes (signing out everywhere, another password), or until the player is
deleted.
"""

import asyncio
import time
import unicodedata
from collections.abc import Awaitable, Callable
from typing import Any, Final, Protocol

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError
from itsdangerous import BadData, TimestampSigner, URLSafeTimedSerializer
from msgspec import Struct

from hainan.server.problem import Problem
from hainan.server.store import NameTakenError, Player, Store, now_ms
from hainan.wire import MAX_NAME, Refusal

TOKEN_SECONDS: Final = 90 * 24 * 3600
MIN_PASSWORD: Final = 8
MAX_PASSWORD: Final = 128
MAX_TOKEN: Final = 512
_HASHES_AT_ONCE: Final = 2
"""Each takes 19 MB and some 20 ms of a core that the tables need too."""
_SEEN_MS: Final = 24 * 3600 * 1000
"""That a player was here is noted once a day."""
_INVISIBLE: Final = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
_JOINER: Final = "\u200d"
"""The zero-width joiner holds emoji together; all other format characters (bidi overrides) are refused."""


# ---------------------------------------------------------------- names and passwords


def checked_name(text: str) -> str:
    """A name without blanks at its ends; raises Problem."""
    name = unicodedata.normalize("NFC", text).strip()
    if not 1 <= len(name) <= MAX_NAME:
        raise Problem(Refusal.BAD_MESSAGE, f"name: should have 1 to {MAX_NAME} characters")
    kinds = [unicodedata.category(char) for char in name if char != _JOINER]
    if any(kind in _INVISIBLE for kind in kinds):
        raise Problem(
            Refusal.BAD_MESSAGE, "name: has characters that can't be seen or that turn the text round"
        )
    if not any(kind[0] in "LNPS" for kind in kinds):
        raise Problem(Refusal.BAD_MESSAGE, "name: needs a character that can be seen")
    return name


def checked_password(text: str) -> str:
    """A password as it is hashed; raises Problem."""
    if not MIN_PASSWORD <= len(text) <= MAX_PASSWORD:
        wanted = f"{MIN_PASSWORD} to {MAX_PASSWORD}"
        raise Problem(Refusal.BAD_MESSAGE, f"password: should have {wanted} characters")
    return _same_on_all_keyboards(text)


def _same_on_all_keyboards(password: str) -> str:
    return unicodedata.normalize("NFKC", password)


class Passwords:
    """Argon2id hashes (the parameters that OWASP recommends), made and checked in threads."""

    def __init__(self, memory_kib: int = 19 * 1024, rounds: int = 2) -> None:
        """Tests take less."""
        self._hasher = PasswordHasher(time_cost=rounds, memory_cost=memory_kib, parallelism=1)
        self._places = asyncio.Semaphore(_HASHES_AT_ONCE)
        self._nobody: str | None = None

    async def hash(self, password: str) -> str:
        """The hash to store."""
        async with self._places:
            return await asyncio.to_thread(self._hasher.hash, password)

    async def fits(self, password: str, hashed: str | None) -> bool:
        """Whether it is the password; takes as long where there is none to compare with."""
        if self._nobody is None:
            self._nobody = await self.hash("nobody's password")
        async with self._places:
            right = await asyncio.to_thread(self._verify, hashed or self._nobody, password)
        return right and hashed is not None

    def _verify(self, hashed: str, password: str) -> bool:
        try:
            return self._hasher.verify(hashed, password)
        except (VerificationError, InvalidHashError):
            return False


# ---------------------------------------------------------------- tokens


class Tokens:
    """Signed, timed texts that name a player."""

    def __init__(self, secret: bytes, clock: Callable[[], float] = time.time) -> None:
        """``clock`` tells the time in seconds since 1970."""

        class Signer(TimestampSigner):
            default_digest_method = staticmethod(_sha256)

            def get_timestamp(self) -> int:
                return int(clock())

        self._serializer = URLSafeTimedSerializer(secret, salt="hainan session", signer=Signer)

    def issue(self, player: str, epoch: int) -> str:
        """A token for a player."""
        return str(self._serializer.dumps([player, epoch]))

    def read(self, token: str) -> tuple[str, int] | None:
        """The player and his epoch when it was issued; None where the token is forged, broken or too old."""
        if len(token) > MAX_TOKEN:
            return None
        try:
            match self._serializer.loads(token, max_age=TOKEN_SECONDS):
                case [str() as player, int() as epoch]:
                    return player, epoch
        except (BadData, ValueError, RecursionError):
            return None
        return None


def _sha256(data: bytes = b"") -> Any:
    import hashlib

    return hashlib.sha256(data)


# ---------------------------------------------------------------- accounts


class Signed(Struct, frozen=True):
    """A player and a fresh token of his."""

    player: Player
    token: str


class Watcher(Protocol):
    """Who has to know at once when a player changes."""

    def renamed(self, player: str, name: str) -> None:
        """He is called so from now on."""

    def signed_out(self, player: str) -> None:
        """His tokens are worth nothing from now on."""


class Accounts:
    """What players can do about themselves; whatever fails raises Problem."""

    def __init__(
        self,
        store: Store,
        secret: bytes,
        *,
        passwords: Passwords | None = None,
        clock: Callable[[], float] = time.time,
    ) -> None:
        """``secret`` signs the tokens."""
        self._store = store
        self._tokens = Tokens(secret, clock)
        self._passwords = passwords or Passwords()
        self.watchers: list[Watcher] = []

    async def whose(self, token: str) -> Player | None:
        """The player whom a token names; None where it isn't good (any more)."""
        if (read := self._tokens.read(token)) is None:
            return None
        player, epoch = read
        found = await self._store.player(player)
        if found is None or found.epoch != epoch or found.is_bot:
            return None
        if now_ms() - found.seen_at > _SEEN_MS:
            await self._store.seen(player)
        return found

    def signed(self, player: Player) -> Signed:
        """A player with a fresh token."""
        return Signed(player, self._tokens.issue(player.id, player.epoch))

    async def guest(self, name: str) -> Signed:
        """A new player by name alone."""
        return self.signed(await self._store.create_player(checked_name(name)))

    async def sign_in(self, name: str, password: str) -> Signed:
        """The player of an account; one refusal for an unknown name and a wrong password."""
        found = await self._store.player_by_account(unicodedata.normalize("NFC", name))
        hashed = found.password_hash if found is not None else None
        fits = await self._passwords.fits(_same_on_all_keyboards(password), hashed)
        if found is None or not fits:
            raise Problem(Refusal.WRONG_PASSWORD, "there is no account with this name and this password")
        return self.signed(found)

    async def rename(self, player: Player, name: str) -> Player:
        """Another name; that of an account must stay unique."""
        name = checked_name(name)
        await _unless_taken(self._store.rename(player.id, name))
        for watcher in self.watchers:
            watcher.renamed(player.id, name)
        return await self._again(player)

    async def set_password(self, player: Player, password: str, current: str | None) -> Signed:
        """Make an account of a guest, or change its password, which signs out all other devices."""
        password = checked_password(password)
        had_one = player.password_hash is not None
        if had_one and not await self._passwords.fits(
            _same_on_all_keyboards(current or ""), player.password_hash
        ):
            raise Problem(Refusal.WRONG_PASSWORD, "the present password is another one")
        await _unless_taken(self._store.set_password(player.id, await self._passwords.hash(password)))
        if had_one:
            await self.revoke(player)
        return self.signed(await self._again(player))

    async def revoke(self, player: Player) -> None:
        """Make all tokens of a player worthless."""
        await self._store.revoke(player.id)
        self._sign_out(player)

    async def export(self, player: Player) -> dict[str, Any]:
        """Everything that is stored about a player."""
        return await self._store.export(player.id) or {}

    async def delete(self, player: Player) -> None:
        """Remove name, password and sessions; what was played stays for those who also played it."""
        await self._store.delete_player(player.id)
        self._sign_out(player)

    def _sign_out(self, player: Player) -> None:
        for watcher in self.watchers:
            watcher.signed_out(player.id)

    async def _again(self, player: Player) -> Player:
        found = await self._store.player(player.id)
        if found is None:
            raise Problem(Refusal.NOT_SIGNED_IN, "this player doesn't exist any more")
        return found


async def _unless_taken(change: Awaitable[object]) -> None:
    try:
        await change
    except NameTakenError:
        raise Problem(Refusal.NAME_TAKEN, "another account has this name") from None
