"""The provably fair shuffle `hainan-shuffle/1`: committed seed, players' nonces, wall and dice.

1. Before the deal the table draws a secret seed of 32 bytes and tells everybody its commitment, the
   SHA-256 of ``hainan-shuffle/1`` + 0x00 + seed.
2. Then each player may add a nonce, any text. The key is the SHA-256 of ``hainan-shuffle/1`` + 0x01 +
   seed + each nonce in order of the seats, as its length in 4 bytes (big-endian) and its UTF-8.
3. A stream of 32-bit big-endian words: SHA-256 of key + block number in 8 bytes (big-endian), for the
   blocks 0, 1, 2, ... A number below n is a word modulo n; words from the largest multiple of n
   that fits in 32 bits on are skipped.
4. From that stream: two dice (1 + below 6); the wall, which begins as the sheet's tiles sorted 1m..9m
   1p..9p 1s..9s 1z..7z 1f..8f, four of each kind and one of each flower, and is shuffled from its last
   place down to its second, each place i swapped with place below(i + 1); then two dice and a number
   below the number of players, with which the first dealer is found (R1.5).

After the hand the seed is revealed, and anyone can check commitment, wall and dice, offline.
"""

import hashlib
import secrets
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from hainan.faults import Fault
from hainan.records import RecordError, read_record
from hainan.rules.options import Rules
from hainan.rules.terms import FirstDealer
from hainan.rules.tiles import full_set, text_of

ALGORITHM: Final = "hainan-shuffle/1"
SEED_BYTES: Final = 32
_WORDS: Final = 2**32


@dataclass(frozen=True)
class Deal:
    """What a shuffle decides: the wall in drawing order, the dice, and who would deal first."""

    wall: tuple[int, ...]
    dice: tuple[int, int]
    first_dice: tuple[int, int]
    first_random: int

    def first_dealer(self, rules: Rules, players: int) -> int:
        """The first dealer of a match that begins with this deal (R1.5)."""
        chosen = FirstDealer[rules.first_dealer.upper()]
        if chosen == FirstDealer.DICE:
            return (sum(self.first_dice) - 1) % players
        return self.first_random if chosen == FirstDealer.RANDOM else 0


@dataclass(frozen=True)
class Shuffle:
    """A seed and the nonces mixed in after its commitment."""

    seed: bytes
    nonces: tuple[str, ...] = ()

    @classmethod
    def new(cls) -> "Shuffle":
        """A secret seed from the system."""
        return cls(secrets.token_bytes(SEED_BYTES))

    @classmethod
    def from_number(cls, seed: int, hand: int = 0) -> "Shuffle":
        """A reproducible seed for tests and practice; it is no secret."""
        return cls(hashlib.sha256(f"{ALGORITHM} {seed} {hand}".encode()).digest())

    @property
    def commitment(self) -> str:
        """What is told before the deal: hexadecimal."""
        return hashlib.sha256(ALGORITHM.encode() + b"\0" + self.seed).hexdigest()

    def with_nonces(self, nonces: Sequence[str]) -> "Shuffle":
        """The same seed with the players' nonces, in order of the seats."""
        return Shuffle(self.seed, tuple(nonces))

    def deal(self, rules: Rules, players: int = 4) -> Deal:
        """Wall and dice for a sheet."""
        words = self._words()
        dice = (1 + _below(words, 6), 1 + _below(words, 6))
        wall = full_set(no_honors=rules.no_honors, no_winds=rules.no_winds)
        for place in range(len(wall) - 1, 0, -1):
            other = _below(words, place + 1)
            wall[place], wall[other] = wall[other], wall[place]
        first_dice = (1 + _below(words, 6), 1 + _below(words, 6))
        return Deal(tuple(wall), dice, first_dice, _below(words, players))

    def to_json(self) -> dict[str, Any]:
        """What a stored record carries beside the hand; it reveals the seed."""
        return {
            "algorithm": ALGORITHM,
            "commitment": self.commitment,
            "seed": self.seed.hex(),
            "nonces": list(self.nonces),
        }

    def _words(self) -> Iterator[int]:
        nonces = b"".join(len(n.encode()).to_bytes(4, "big") + n.encode() for n in self.nonces)
        key = hashlib.sha256(ALGORITHM.encode() + b"\1" + self.seed + nonces).digest()
        block = 0
        while True:
            bits = hashlib.sha256(key + block.to_bytes(8, "big")).digest()
            for at in range(0, len(bits), 4):
                yield int.from_bytes(bits[at : at + 4], "big")
            block += 1


def _below(words: Iterator[int], n: int) -> int:
    """A number below n, each as likely as any other."""
    fair = _WORDS - _WORDS % n
    return next(word for word in words if word < fair) % n


# ---------------------------------------------------------------- verification


@dataclass(frozen=True)
class Check:
    """One thing verified: what, whether it holds, and what was found."""

    what: str
    holds: bool
    found: str


def read_shuffle(data: Any) -> tuple[Shuffle, str]:
    """The shuffle of a stored record and the commitment it claims; raises RecordError."""
    if not isinstance(data, Mapping) or not isinstance(data.get("shuffle"), Mapping):
        raise RecordError("shuffle", "the record carries no committed shuffle", Fault.MISSING)
    stored = data["shuffle"]
    if stored.get("algorithm") != ALGORITHM:
        problem = f"{stored.get('algorithm')!r} is not {ALGORITHM!r}"
        raise RecordError("shuffle.algorithm", problem, Fault.FORMAT, wanted=ALGORITHM)
    commitment, nonces = stored.get("commitment"), stored.get("nonces", [])
    if not isinstance(commitment, str):
        raise RecordError("shuffle.commitment", "should be hexadecimal text", Fault.HEX, bytes=SEED_BYTES)
    if not isinstance(nonces, list) or not all(isinstance(nonce, str) for nonce in nonces):
        raise RecordError("shuffle.nonces", "should be a list of texts", Fault.TEXTS)
    try:
        seed = bytes.fromhex(stored.get("seed", ""))
    except (TypeError, ValueError):
        seed = b""
    if len(seed) != SEED_BYTES:
        problem = f"should be {SEED_BYTES} bytes in hexadecimal"
        raise RecordError("shuffle.seed", problem, Fault.HEX, bytes=SEED_BYTES)
    return Shuffle(seed, tuple(nonces)), commitment


def verify(data: Any) -> list[Check]:
    """Check a stored record's commitment, wall and dice against its seed; raises RecordError."""
    shuffle, commitment = read_shuffle(data)
    record = read_record(data)
    deal = shuffle.deal(record.rules, record.players)
    different = [
        place for place, pair in enumerate(zip(deal.wall, record.wall, strict=True)) if pair[0] != pair[1]
    ]
    wall = (
        f"{len(different)} tiles differ, the first at place {different[0]}"
        if different
        else text_of(deal.wall)
    )
    return [
        Check("commitment", shuffle.commitment == commitment.lower(), shuffle.commitment),
        Check("dice", deal.dice == record.dice, f"{deal.dice[0]} {deal.dice[1]}"),
        Check("wall", not different, wall),
    ]
