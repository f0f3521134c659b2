"""Policies as kernels, for bulk play and for live seats alike.

A policy reads what its seat may see and nothing else: it gives the same answer on the table as on the
seat's view (a test holds the two against each other).
"""

from enum import IntEnum
from typing import Any, Final

from hainan.bots.luck import below
from hainan.bots.weigh import best_action
from hainan.engine.claims import lay_claim, take_back_claim
from hainan.engine.distance import Scratch, rough_distance, seat_distance
from hainan.engine.jit import kernel, whole
from hainan.engine.record import Phase, Record
from hainan.engine.shapes import add_tile
from hainan.engine.tables import FAR, Shapes
from hainan.engine.view import unseen
from hainan.engine.winning import lasting_licence, meld_facts
from hainan.rules.actions import Act


class Policy(IntEnum):
    """Built-in policies by number."""

    RANDOM = 0  # any legal action, each as likely
    GREEDY = 1  # the fewest tiles from complete; calls only with a licence at hand
    PLAIN = 2  # the same without a thought of licences: a yardstick
    EASY = 3  # 新手: sees its own hand alone, misjudges now and then
    NORMAL = 4  # 普通: fast to complete, with a licence
    STRONG = 5  # 高手: expected points, danger, kongs, dear hands


LEVELS: Final = (Policy.EASY, Policy.NORMAL, Policy.STRONG)
"""Those that people play against; the others are for tools."""


def policy_named(name: str) -> Policy:
    """A policy by the name that people give it. Raises ValueError."""
    known = {policy.name.lower(): policy for policy in Policy}
    if name not in known:
        raise ValueError(f"there is no policy {name!r}; there are {', '.join(known)}")
    return known[name]


# ---------------------------------------------------------------- greedy


@kernel
def distance_of(t: Record, shapes: Shapes, seat: int, work: Scratch) -> int:
    """How far a hand is: with wild tiles exactly, else by the tables alone, which is near enough."""
    if t.n_wild[seat] > 0:
        return seat_distance(t, shapes, seat, work)
    return rough_distance(t, shapes, seat)


@kernel
def useful(t: Record, shapes: Shapes, seat: int, now: int, work: Scratch) -> int:
    """Unseen tiles that would bring a hand nearer than ``now``."""
    tiles = 0
    for kind in range(34):
        left = unseen(t, seat, kind)
        if left > 0:
            add_tile(t, seat, kind, 1)
            if distance_of(t, shapes, seat, work) < now:
                tiles += left
            add_tile(t, seat, kind, -1)
    return tiles


@kernel
def best_discard(t: Record, shapes: Shapes, seat: int, work: Scratch) -> tuple[int, int]:
    """The discard after which the hand is nearest to complete, and that distance; ties by useful tiles."""
    nearest = FAR
    best = -1
    most = -1
    for kind in range(34):
        if t.hand[seat, kind] == 0:
            continue
        add_tile(t, seat, kind, -1)
        distance = distance_of(t, shapes, seat, work)
        if distance <= nearest:
            tiles = useful(t, shapes, seat, distance, work)
            if distance < nearest or tiles > most:
                nearest, best, most = distance, kind, tiles
        add_tile(t, seat, kind, 1)
    return best, nearest


@kernel
def has_lasting_licence(t: Record, seat: int) -> bool:
    """A licence that further calls can't lose (R6.5 to R6.7, R6.9), or none needed (R6.1)."""
    return t.sheet.require_fan == 0 or lasting_licence(t, seat, meld_facts(t, seat))


@kernel
def after_call(t: Record, shapes: Shapes, seat: int, action: int, blind: bool, work: Scratch) -> int:
    """The distance after a call and the best discard; FAR where the call would leave no licence, which
    the blind don't see."""
    lay_claim(t, seat, action)
    fine = blind or has_lasting_licence(t, seat)
    distance = best_discard(t, shapes, seat, work)[1] if fine else FAR
    take_back_claim(t, seat, action)
    return distance


@kernel
def greedy_call(
    t: Record, shapes: Shapes, seat: int, blind: bool, actions: Any, n: int, work: Scratch
) -> int:
    """Call if it brings the hand nearer; else pass."""
    best = whole(actions[n - 1])
    nearest = distance_of(t, shapes, seat, work)
    for index in range(n - 1):
        action = whole(actions[index])
        if action <= Act.PONG:
            distance = after_call(t, shapes, seat, action, blind, work)
            if distance < nearest:
                nearest, best = distance, action
    return best


@kernel
def greedy_turn(t: Record, shapes: Shapes, seat: int, actions: Any, n: int, work: Scratch) -> int:
    """Kong where it can, else the best discard, ready if that is offered."""
    last = whole(actions[n - 1])
    if last >= Act.OWN_KONG:
        return last
    if n == 1:
        return last
    kind = best_discard(t, shapes, seat, work)[0]
    for index in range(n):
        if actions[index] == Act.READY + kind:
            return Act.READY + kind
    return Act.DISCARD + kind


@kernel
def greedy(t: Record, shapes: Shapes, seat: int, blind: bool, actions: Any, n: int, work: Scratch) -> int:
    """Win when offered, no more ga than one must, the shortest way otherwise."""
    for index in range(n):
        if actions[index] == Act.WIN:
            return whole(actions[index])
    if t.phase == Phase.GA:
        return whole(actions[0])
    if t.phase == Phase.TURN:
        return greedy_turn(t, shapes, seat, actions, n, work)
    return greedy_call(t, shapes, seat, blind, actions, n, work)


@kernel
def choose(
    t: Record, shapes: Shapes, seat: int, policy: int, actions: Any, n: int, work: Scratch, mind: Record
) -> int:
    """One of a seat's legal actions by a policy."""
    if policy >= Policy.EASY:
        return best_action(t, shapes, seat, policy - Policy.EASY, actions, n, mind)
    if policy >= Policy.GREEDY:
        return greedy(t, shapes, seat, policy == Policy.PLAIN, actions, n, work)
    return whole(actions[below(t, n)])
