"""The game for PettingZoo: one player after another (AEC), every preset, every option sheet, 3 and 4 players.

from hainan.rl import aec_v0

env = aec_v0.env(rules_of("lingao"), render_mode="ansi")
env.reset(seed=1)
for agent in env.agent_iter():
    seen, reward, termination, truncation, info = env.last()
    done = termination or truncation
    env.step(None if done else env.action_space(agent).sample(seen["action_mask"]))
"""

from typing import Any, Final, Literal

import numpy as np

from hainan.engine.record import Record
from hainan.matches import Match, seeded_deals
from hainan.picture import picture
from hainan.picture.draw import svg_of, text_of_table
from hainan.rl.layout import N_ACTIONS, SIZE, highest
from hainan.rl.observe import asked_next, bytes_of, mask, observe_seat
from hainan.rl.optional import require
from hainan.rules.options import Rules
from hainan.rules.presets import rules_of
from hainan.table import Table

require("pettingzoo")

from gymnasium.spaces import Box, Dict, Discrete  # noqa: E402
from pettingzoo import AECEnv  # noqa: E402
from pettingzoo.utils.wrappers import OrderEnforcingWrapper  # noqa: E402

Observation = dict[str, Any]
_RENDERERS: Final = {"ansi": text_of_table, "svg": svg_of}


def env(
    rules: Rules | None = None,
    players: int = 4,
    *,
    episode: Literal["hand", "match"] = "hand",
    render_mode: str | None = None,
) -> AECEnv[str, Observation, int]:
    """The environment, refusing calls out of order; arguments are those of ``raw_env``."""
    return OrderEnforcingWrapper(raw_env(rules, players, episode=episode, render_mode=render_mode))


class raw_env(AECEnv[str, Observation, int]):  # noqa: N801 (the name is PettingZoo's)
    """One table. Agents are ``player_0`` (seat 0) to ``player_3``.

    Observations are ``{"observation": [SIZE] uint8, "action_mask": [N_ACTIONS] int8}`` (layout.py); rewards
    are points, when the hand (or match) is over. Answers to a discard come one by one, who can win first.
    An illegal action raises ``table.IllegalAction``, which says why, and changes nothing.

    With ``episode="hand"`` a reset without a seed goes on with the next hand of the match, so that dealer,
    streak and stakes vary as they do in play; a seed begins a new match.
    """

    metadata: dict[str, Any] = {  # noqa: RUF012 (PettingZoo's own)
        "name": "hainan_v0",
        "render_modes": list(_RENDERERS),
        "is_parallelizable": False,
        "render_fps": 1,
    }

    def __init__(
        self,
        rules: Rules | None = None,
        players: int = 4,
        *,
        episode: Literal["hand", "match"] = "hand",
        render_mode: str | None = None,
    ) -> None:
        """Nothing is dealt before ``reset``. Raises ValueError for an unknown episode or way to render."""
        if episode not in ("hand", "match"):
            raise ValueError(f"episode {episode!r} is neither 'hand' nor 'match'")
        if render_mode is not None and render_mode not in _RENDERERS:
            raise ValueError(f"render_mode {render_mode!r} is none of {', '.join(_RENDERERS)}")
        super().__init__()
        self.rules = rules if rules is not None else rules_of(players=players)
        self.players, self.episode, self.render_mode = players, episode, render_mode
        self.possible_agents = [f"player_{seat}" for seat in range(players)]
        self._seat = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self.observation_spaces = {agent: _space() for agent in self.possible_agents}
        self.action_spaces = {agent: Discrete(N_ACTIONS) for agent in self.possible_agents}
        self._seeds = np.random.default_rng()
        self._match: Match | None = None

    def observation_space(self, agent: str) -> Dict:
        """The space of an agent's observations."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Discrete[Any]:
        """The space of an agent's actions."""
        return self.action_spaces[agent]

    @property
    def table(self) -> Table:
        """The table being played: for records (``table.record()``), bills and pictures."""
        if self._match is None:
            raise RuntimeError("nothing is dealt yet: call reset first")
        return self._match.table

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Deal. ``options`` are not used."""
        if seed is not None:
            self._seeds = np.random.default_rng(seed)
        if not self._goes_on(seed):
            deals = seeded_deals(int(self._seeds.integers(2**63)), self.rules, self.players)
            self._match = Match(self.rules, self.players, deals=deals)
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self._select()

    def _goes_on(self, seed: int | None) -> bool:
        """Deal the match's next hand, if that is what a reset means now."""
        match = self._match
        if seed is not None or match is None or self.episode == "match":
            return False
        if not match.table.over or match.over:
            return False
        match.next_hand()
        return True

    def _select(self) -> None:
        self.agent_selection = self.possible_agents[asked_next(self.table._array, 0)]

    def observe(self, agent: str) -> Observation:
        """What an agent sees, and what it may do: nothing where it isn't asked."""
        seat, tables = self._seat[agent], self.table._array
        seen = np.zeros(SIZE, np.uint8)
        observe_seat(tables, bytes_of(tables), 0, seat, seen)
        asked = agent == self.agent_selection
        legal = mask(self.table, seat).view(np.int8) if asked else np.zeros(N_ACTIONS, np.int8)
        return {"observation": seen, "action_mask": legal}

    def step(self, action: int | None) -> None:
        """The selected agent acts; None once it is terminated. Raises IllegalAction."""
        agent = self.agent_selection
        if self.terminations[agent]:
            self._was_dead_step(action)
            return
        if action is None:
            raise ValueError(f"{agent} has to act: an action number, not None")
        self.table.act(self._seat[agent], int(action))
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        if self.table.over:
            self._end_hand()
        else:
            self._select()
        self._accumulate_rewards()

    def _end_hand(self) -> None:
        """Rewards at the end of the episode; a match that isn't over goes on with its next hand."""
        match = self._match
        assert match is not None
        if self.episode == "match" and not match.over:
            match.next_hand()
            self._select()
            return
        points = match.totals if self.episode == "match" else match.table.payments
        self.rewards = {agent: float(points[self._seat[agent]]) for agent in self.agents}
        self.terminations = dict.fromkeys(self.agents, True)

    def render(self) -> str | None:
        """The table with everything open, as text or SVG; None without a ``render_mode``."""
        if self.render_mode is None:
            return None
        record: Record = picture(self.table).view[0]
        return _RENDERERS[self.render_mode](record)

    def close(self) -> None:
        """Nothing to let go."""


def _space() -> Dict:
    return Dict(
        {
            "observation": Box(np.zeros(SIZE, np.uint8), highest(), dtype=np.uint8),
            "action_mask": Box(0, 1, (N_ACTIONS,), np.int8),
        }
    )
