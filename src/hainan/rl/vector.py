"""Many tables at once for learning: ``VectorEnv``.

    env = VectorEnv(1024, rules_of("lingao"), seed=1)
    seen, info = env.reset()
    while True:
        actions = choose(seen, info["action_mask"])          # one for each table
        seen, rewards, terminations, _, info = env.step(actions)

The tables are stepped in compiled code on all cores; a table whose episode has ended goes on with its next
one in the same step. Observations, masks, rewards and seats are written into arrays that the caller may
bring (``Buffers``), for instance the memory of torch tensors; nothing is copied.
"""

import os
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, fields
from typing import Any, Final, Literal

import numpy as np
import numpy.typing as npt

from hainan.bots.minds import Row, minds_of_thread
from hainan.bots.policies import LEVELS, Policy, policy_named
from hainan.bots.seats import choose_action
from hainan.engine import entries
from hainan.engine.distance import Scratch, new_scratch
from hainan.engine.record import SEATS, Phase, Record, copied, new_tables, sheet_of
from hainan.engine.tables import shape_tables
from hainan.rl.layout import N_ACTIONS, SIZE, Bytes, highest
from hainan.rl.observe import bytes_of
from hainan.rl.optional import require
from hainan.rl.stepping import CALLER, DEAL, PLACE, SHOW, advance, first_illegal, sample
from hainan.rules.actions import ACTIONS
from hainan.rules.options import Rules
from hainan.rules.presets import rules_of

Episode = Literal["hand", "match"]
Rows = npt.NDArray[np.int64]
Info = dict[str, Any]
_SHAPES: Final[dict[str, tuple[tuple[int, ...], Any]]] = {
    "observations": ((SIZE,), np.uint8),
    "masks": ((N_ACTIONS,), np.bool_),
    "rewards": ((SEATS,), np.float32),
    "terminations": ((), np.bool_),
    "seats": ((), np.int8),
}


@dataclass
class Buffers:
    """Where a step is written, for n tables; any of the arrays may be the caller's own memory."""

    observations: Bytes
    """[n, SIZE], uint8 (layout.py): what the seat that is asked sees."""
    masks: npt.NDArray[np.bool_]
    """[n, N_ACTIONS]: which actions it has."""
    rewards: npt.NDArray[np.float32]
    """[n, 4]: points of each seat where an episode ended in this step, else 0."""
    terminations: npt.NDArray[np.bool_]
    """[n]: whether one ended."""
    seats: npt.NDArray[np.int8]
    """[n]: which seat is asked."""

    @classmethod
    def new(cls, count: int, **given: Any) -> "Buffers":
        """Fresh arrays for so many tables, but for those that are given by name."""
        made = {
            name: given.pop(name) if name in given else np.zeros((count, *shape), kind)
            for name, (shape, kind) in _SHAPES.items()
        }
        if given:
            raise TypeError(f"there are no buffers {', '.join(given)}; there are {', '.join(_SHAPES)}")
        return cls(**made)

    def check(self, count: int) -> "Buffers":
        """Refuse arrays that can't be written into as they are (ValueError)."""
        for one in fields(self):
            array = getattr(self, one.name)
            shape, kind = _SHAPES[one.name]
            wanted = (count, *shape)
            if array.shape != wanted or array.dtype != kind:
                raise ValueError(
                    f"{one.name}: {array.dtype} {array.shape}, should be {np.dtype(kind)} {wanted}"
                )
            if not array.flags.c_contiguous or not array.flags.writeable:
                raise ValueError(f"{one.name}: should be contiguous and writeable")
        return self


@dataclass(frozen=True)
class State:
    """Some tables of an environment as they stand, hidden tiles and random numbers included."""

    tables: Bytes
    places: Bytes

    def __len__(self) -> int:
        """How many tables."""
        return len(self.tables)


class IllegalActions(ValueError):
    """An action that isn't legal at its table: which, and what is. No table was changed."""


class VectorEnv:
    """N tables stepped together, after the conventions of Gymnasium's vector environments where they fit.

    Other than there, each table has several players: ``info["seats"]`` says whose decision is asked for, and
    rewards are [n, 4], by seat. ``rules`` is one sheet for all tables or one for each.

    ``opponents`` says who plays which seat: None is the caller, else a built-in policy by name; by default
    the caller plays all seats (self-play). With ``rotate`` table i shifts them by i chairs. Hands in which
    nothing is asked of the caller are no episodes. ``episode``: rewards come at the end of each hand, or of
    the match.
    """

    metadata: Final[dict[str, Any]] = {"autoreset_mode": "SameStep", "render_modes": []}

    def __init__(
        self,
        num_envs: int,
        rules: Rules | Sequence[Rules] | None = None,
        players: int = 4,
        *,
        opponents: Sequence[str | None] | None = None,
        rotate: bool = False,
        episode: Episode = "hand",
        seed: int = 0,
        threads: int | None = None,
    ) -> None:
        """Set the tables up; ``reset`` deals. ``threads``: by default as many as there are cores."""
        if num_envs < 1:
            raise ValueError(f"{num_envs} tables: there must be at least one")
        if episode not in ("hand", "match"):
            raise ValueError(f"episode {episode!r} is neither 'hand' nor 'match'")
        self.num_envs, self.players, self.episode = num_envs, players, episode
        self.seed = seed
        self._tables = new_tables(num_envs)
        self._raw = bytes_of(self._tables)
        self._places = np.zeros(num_envs, PLACE)
        self._set_sheets(rules)
        self._policies = _policies(opponents, players, num_envs, rotate)
        self._shapes = shape_tables()
        self._everywhere = np.arange(num_envs)
        self._pending = np.zeros(num_envs, np.int64)
        self._never = np.zeros(num_envs, np.bool_)
        self._threads = max(1, min(threads or os.cpu_count() or 1, num_envs))
        self._pool = ThreadPoolExecutor(max(1, self._threads - 1))
        self._works = [new_scratch() for _ in range(self._threads)]
        self._numbers = np.random.default_rng(seed)
        self.buffers = Buffers.new(num_envs)

    def _set_sheets(self, rules: Rules | Sequence[Rules] | None) -> None:
        if rules is None:
            rules = rules_of(players=self.players)
        sheets = [rules] if isinstance(rules, Rules) else list(rules)
        if len(sheets) not in (1, self.num_envs):
            raise ValueError(f"{len(sheets)} sheets for {self.num_envs} tables; give one, or one a table")
        self.rules = tuple(sheets)
        for index in range(self.num_envs):
            self._tables["sheet"][index] = sheet_of(sheets[index % len(sheets)], self.players)

    # ------------------------------------------------------------ spaces

    @property
    def single_observation_space(self) -> Any:
        """The space of one observation (needs Gymnasium)."""
        return require("gymnasium.spaces").Box(np.zeros(SIZE, np.uint8), highest(), dtype=np.uint8)

    @property
    def single_action_space(self) -> Any:
        """The space of one action (needs Gymnasium)."""
        return require("gymnasium.spaces").Discrete(N_ACTIONS)

    @property
    def observation_space(self) -> Any:
        """The space of all tables' observations (needs Gymnasium)."""
        return require("gymnasium.vector.utils").batch_space(self.single_observation_space, self.num_envs)

    @property
    def action_space(self) -> Any:
        """The space of all tables' actions (needs Gymnasium)."""
        return require("gymnasium.vector.utils").batch_space(self.single_action_space, self.num_envs)

    # ------------------------------------------------------------ playing

    def reset(
        self, *, seed: int | None = None, options: Info | None = None, out: Buffers | None = None
    ) -> tuple[Bytes, Info]:
        """Deal a new match at every table; ``seed`` replaces that of the start. Observations and info."""
        if options:
            raise ValueError(f"there are no options to a reset: {options}")
        if seed is not None:
            self.seed = seed
        self._numbers = np.random.default_rng(self.seed)
        self._places["block"] = self._everywhere
        self._places["asked"] = 0
        self._pending[:] = DEAL
        self._go(self._everywhere, self._bound(out))
        return self.buffers.observations, self._info()

    def step(
        self, actions: npt.ArrayLike, out: Buffers | None = None
    ) -> tuple[Bytes, npt.NDArray[np.float32], npt.NDArray[np.bool_], npt.NDArray[np.bool_], Info]:
        """Take one action at each table: observations, rewards, terminations, truncations (never), info.

        They are the arrays of ``out``, or of the last call: written over by the next. Raises IllegalActions
        and changes nothing if one of them isn't legal.
        """
        given = np.asarray(actions)
        if given.shape != (self.num_envs,) or given.dtype.kind not in "iu":
            raise ValueError(
                f"actions: {given.dtype} {given.shape}, should be {self.num_envs} action numbers"
            )
        self._pending[:] = given
        wrong = int(first_illegal(self._places, self._pending))
        if wrong >= 0:
            self._refuse(wrong)
        self._go(self._everywhere, self._bound(out))
        told = self.buffers
        return told.observations, told.rewards, told.terminations, self._never, self._info()

    def _refuse(self, index: int) -> None:
        place = self._places[index]
        number = int(self._pending[index])
        tried = ACTIONS[number].text if 0 <= number < N_ACTIONS else f"action number {number}"
        allowed = ", ".join(ACTIONS[other].text for other in place.legal[: place.n].tolist()) or "nothing"
        raise IllegalActions(
            f"table {index}: seat {int(place.seat)} can't {tried!r}; legal: {allowed}"
            + ("" if place.n else "; call reset first")
        )

    def sample(self) -> Rows:
        """For each table one of its legal actions, each as likely [n]; from the environment's seed."""
        actions = np.zeros(self.num_envs, np.int64)
        sample(self._places, self._numbers.integers(0, 2**32, self.num_envs), actions)
        return actions

    def choices(self, policy: str) -> Rows:
        """What a built-in policy would do at each table [n], for instance to imitate it; nothing changes."""
        chosen = np.zeros(self.num_envs, np.int64)

        def tell(index: int, action: int) -> None:
            chosen[index] = action

        self._consult(policy_named(policy), tell)
        return chosen

    def weighed(self, level: str) -> npt.NDArray[np.float32]:
        """What a hand is worth in points after each action [n, N_ACTIONS], as a level (easy, normal, strong)
        sees it, which takes the best; -inf for what isn't legal. Nothing changes.

        More is to be learnt from it than from ``choices``. While ga is chosen nothing is weighed: what the
        level takes has 1, the others 0.
        """
        policy = policy_named(level)
        if policy not in LEVELS:
            known = ", ".join(one.name.lower() for one in LEVELS)
            raise ValueError(f"{level} weighs nothing; those that do are {known}")
        worth = np.full((self.num_envs, N_ACTIONS), -np.inf, np.float32)

        def tell(index: int, action: int) -> None:
            legal = self._places["legal"][index, : self._places["n"][index]]
            worth[index, legal] = minds_of_thread()["rows"][0, : len(legal), Row.POINTS]
            if self._tables["phase"][index] == Phase.GA:
                worth[index, action] = 1

        self._consult(policy, tell)
        return worth

    def _consult(self, policy: Policy, tell: Callable[[int, int], None]) -> None:
        """Tell what a policy would do at each table, in the thread that thought about it; lots that it drew
        go back."""
        lots = self._tables["rng"].copy()

        def ask(rows: Rows, work: Scratch) -> None:
            with np.errstate(over="ignore"):
                for index in rows.tolist():
                    tell(index, self._choice(index, int(policy), work))

        self._apart(self._everywhere, ask)
        self._tables["rng"] = lots

    def _bound(self, out: Buffers | None) -> Buffers:
        if out is not None:
            self.buffers = out.check(self.num_envs)
        return self.buffers

    def _info(self) -> Info:
        return {"action_mask": self.buffers.masks, "seats": self.buffers.seats}

    def _go(self, rows: Rows, out: Buffers) -> None:
        """Take the pending actions at these tables."""
        out.rewards[rows] = 0
        out.terminations[rows] = False
        self._apart(rows, lambda part, work: self._play(part, out, work))

    def _apart(self, rows: Rows, do: Callable[[Rows, Scratch], None]) -> None:
        """Do something with these tables, in as many pieces as there are threads."""
        first, *others = np.array_split(rows, min(self._threads, len(rows)))
        works = self._works[1 : 1 + len(others)]
        tasks = [self._pool.submit(do, part, work) for part, work in zip(others, works, strict=True)]
        do(first, self._works[0])
        for task in tasks:
            task.result()

    def _play(self, rows: Rows, out: Buffers, work: Scratch) -> None:
        """Bring these tables to the caller's next decision; built-in policies other than random choose by the
        kernel of the bots, so that they are compiled only once."""
        while len(rows):
            with np.errstate(over="ignore"):  # uncompiled, the generator's numbers wrap as they should
                advance(
                    self._tables, self._raw, self._places, rows, self._shapes, self._policies, self._pending,
                    self.seed & (2**63 - 1), self.episode == "match",
                    out.observations, out.masks, out.rewards, out.terminations, out.seats,
                )  # fmt: skip
                rows = rows[self._places["policy"][rows] != CALLER]
                for index in rows.tolist():
                    self._pending[index] = self._choice(index, int(self._places[index].policy), work)

    def _choice(self, index: int, policy: int, work: Scratch) -> int:
        """What a built-in policy does at a table."""
        place = self._places[index]
        return choose_action(
            self._tables, index, self._shapes, int(place.seat), policy,
            self._places["legal"][index, : place.n], work, minds_of_thread(),
        )  # fmt: skip

    # ------------------------------------------------------------ looking, saving, searching

    def save(self, rows: Rows | Sequence[int] | None = None) -> State:
        """These tables (by default all) as they stand."""
        chosen = self._everywhere if rows is None else np.asarray(rows, np.int64)
        return State(self._raw[chosen], bytes_of(self._places)[chosen])

    def restore(self, state: State, rows: Rows | Sequence[int] | None = None) -> tuple[Bytes, Info]:
        """Put saved tables in the places of these (by default all); one saved table may fill many.

        Their observations and masks are written anew; everything then goes on as it did from there.
        """
        chosen = self._everywhere if rows is None else np.asarray(rows, np.int64)
        if len(state) not in (1, len(chosen)):
            raise ValueError(f"{len(state)} saved tables for {len(chosen)} places; save one, or as many")
        self._raw[chosen] = state.tables
        bytes_of(self._places)[chosen] = state.places
        self._pending[chosen] = SHOW
        self._go(chosen, self.buffers)
        return self.buffers.observations, self._info()

    def clone(self) -> "VectorEnv":
        """An environment of its own in the same state."""
        twin = VectorEnv(
            self.num_envs, self.rules, self.players, episode=self.episode, seed=self.seed,
            threads=self._threads,
        )  # fmt: skip
        twin._policies[:] = self._policies
        twin._numbers.bit_generator.state = self._numbers.bit_generator.state
        twin.restore(self.save())
        return twin

    @property
    def tables(self) -> Record:
        """The engine's records [n]: everything in them is visible. Not to be changed."""
        return self._tables

    def view(self, index: int, seat: int | None = None) -> Record:
        """What a seat (by default the one that is asked) sees: a masked record, as an array of one."""
        views = copied(self._tables[index : index + 1])
        entries.mask(views, 0, int(self._places[index].seat) if seat is None else seat)
        return views

    def close(self) -> None:
        """Let the threads go."""
        self._pool.shutdown()


def _policies(
    opponents: Sequence[str | None] | None, players: int, tables: int, rotate: bool
) -> npt.NDArray[np.int8]:
    """The policy of each seat at each table [n, 4], or CALLER."""
    by_seat = [None] * players if opponents is None else list(opponents)
    if len(by_seat) != players:
        raise ValueError(
            f"opponents: {len(by_seat)} for {players} players; give one a seat, None for your own"
        )
    if all(name is not None for name in by_seat):
        raise ValueError("opponents: no seat is left for you; give None where you play")
    numbers = [CALLER if name is None else int(policy_named(name)) for name in by_seat]
    made = np.full((tables, SEATS), CALLER, np.int8)
    for index in range(tables):
        for seat, number in enumerate(numbers):
            made[index, (seat + index * rotate) % players] = number
    return made
