"""A player that learns: PPO in self-play on ``hainan.rl.vector``, in PyTorch, on a few CPU cores.

    uv sync --group learn
    .venv/bin/python examples/ppo.py RUN --minutes 20
    .venv/bin/hainan tournament --policies RUN/model.onnx,easy --deals 2000

For the first minutes it imitates a built-in policy (``--clone 0``: not at all), then it plays against itself
in all chairs. RUN/model.onnx is the player, RUN/log.csv how it went, RUN/steps/ the player on the way, for
curve.py.
"""

import argparse
import csv
import os
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn.functional import cross_entropy

from hainan.rl import layout
from hainan.rl.model import LOGITS, METADATA
from hainan.rl.vector import VectorEnv
from hainan.rules.presets import rules_of
from hainan.rules.tiles import KINDS

SCALE: Final = 4.0
"""Points are divided by this: about the standard deviation of a hand's."""
SHARP: Final = 0.05
"""Points by which an action has to be better for the teacher to be about three times as sure of it."""
FACTS: Final = layout.SIZE - layout.PLANES * KINDS


# ---------------------------------------------------------------- the network


class Block(nn.Module):
    """Each part goes on for itself, knowing the mean of all."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.own, self.all = nn.Linear(width, width), nn.Linear(width, width, bias=False)
        self.out = nn.Linear(width, width)
        nn.init.zeros_(self.out.weight)
        nn.init.zeros_(self.out.bias)

    def forward(self, x: Tensor) -> Tensor:
        """[n, 5, width] to the same."""
        return x + self.out(torch.relu(self.own(x) + self.all(x.mean(1, keepdim=True))))


class Net(nn.Module):
    """Observations [n, SIZE] uint8 to logits [n, N_ACTIONS] and values [n], in points by SCALE.

    Five parts: the three suits, which share all weights, since no rule tells them apart; the honors; the
    facts.
    """

    def __init__(self, width: int = 256, blocks: int = 3) -> None:
        super().__init__()
        self.register_buffer("unit", 1 / torch.tensor(layout.highest(), dtype=torch.float32))
        self.suit = nn.Linear(layout.PLANES * 9, width)
        self.honors = nn.Linear(layout.PLANES * 7, width)
        self.facts = nn.Linear(FACTS, width)
        self.blocks = nn.Sequential(*(Block(width) for _ in range(blocks)))
        self.of_suit = nn.Linear(width, 3 * 9 + 15)  # discard, ready, kong of each kind; chows
        self.of_honors = nn.Linear(width, 3 * 7)
        self.of_all = nn.Linear(width, 5 + 2 + 2 + 1)  # ga; pong, kong; win, pass; the value

    def forward(self, seen: Tensor) -> tuple[Tensor, Tensor]:
        """Logits and values."""
        planes, facts = layout.planes(seen.float() * self.unit)
        suits = planes[:, :, :27].unflatten(2, (3, 9)).transpose(1, 2).flatten(2)
        honors = planes[:, :, 27:].flatten(1)
        about = self.facts(facts)[:, None]
        x = torch.relu(torch.cat([self.suit(suits), self.honors(honors)[:, None], about], 1) + about)
        x = torch.relu(self.blocks(x))
        suit, honor, rest = self.of_suit(x[:, :3]), self.of_honors(x[:, 3]), self.of_all(x[:, 4])

        def kinds(part: int) -> Tensor:
            of_suits = suit[:, :, 9 * part : 9 * part + 9].flatten(1)
            return torch.cat([of_suits, honor[:, 7 * part : 7 * part + 7]], 1)

        chows = suit[:, :, 27:].flatten(1)
        parts = [rest[:, :5], kinds(0), kinds(1), chows, rest[:, 5:7], kinds(2), rest[:, 7:9]]
        return torch.cat(parts, 1).float(), rest[:, 9].float()


def allowed(logits: Tensor, masks: Tensor) -> Tensor:
    """Logits with what isn't legal out of reach."""
    return logits.masked_fill(~masks, -1e9)


def write_model(net: Net, path: Path) -> None:
    """The network as a file that ``hainan tournament`` and ``hainan play`` take (hainan.rl.model)."""
    example = torch.zeros((2, layout.SIZE), dtype=torch.uint8)
    program = torch.onnx.export(
        net.eval(),
        (example,),
        input_names=["observation"],
        output_names=[LOGITS, "value"],
        dynamic_shapes=({0: torch.export.Dim("n")},),
        dynamo=True,
        verbose=False,
    )
    program.model.metadata_props.update(METADATA)
    program.save(path)


# ---------------------------------------------------------------- learning on all cores


class Learner:
    """A network and its optimizer; each thread does its share of a batch.

    Torch's own threads would wait for one another in every operation, which costs much on a busy machine.
    """

    def __init__(self, net: Net, threads: int) -> None:
        torch.set_num_threads(1)
        able = torch.cpu.get_capabilities()
        self._short = bool(able.get("amx_bf16") or able.get("avx512_bf16"))
        self.net, self._threads = net, threads
        self._params = list(net.parameters())
        self._optimizer = torch.optim.Adam(self._params, eps=1e-5)
        self._pool = ThreadPoolExecutor(threads)

    def run(self, seen: Tensor) -> tuple[Tensor, Tensor]:
        """Logits and values, in short numbers where the processor multiplies those faster."""
        with torch.autocast("cpu", torch.bfloat16, enabled=self._short):
            out: tuple[Tensor, Tensor] = self.net(seen)
        return out

    def _shares(self, n: int) -> list[slice]:
        edges = [n * share // self._threads for share in range(self._threads + 1)]
        return [slice(first, end) for first, end in pairwise(edges)]

    def look(self, seen: Tensor) -> tuple[Tensor, Tensor]:
        """The same for a whole batch, without learning."""

        def one(share: slice) -> tuple[Tensor, Tensor]:
            with torch.no_grad():
                return self.run(seen[share])

        logits, values = zip(*self._pool.map(one, self._shares(len(seen))), strict=True)
        return torch.cat(logits), torch.cat(values)

    def learn(self, rows: Tensor, rate: float, loss: Callable[[Tensor], tuple[Tensor, Any]]) -> list[Any]:
        """One step down the mean of ``loss``, a function of some of the rows; what else it returned."""

        def one(share: slice) -> tuple[Sequence[Tensor], Any]:
            value, told = loss(rows[share])
            return torch.autograd.grad(value, self._params), told

        grads, told = zip(*self._pool.map(one, self._shares(len(rows))), strict=True)
        for param, *parts in zip(self._params, *grads, strict=True):
            param.grad = torch.stack(parts).mean(0)
        nn.utils.clip_grad_norm_(self._params, 0.5)
        for group in self._optimizer.param_groups:
            group["lr"] = rate
        self._optimizer.step()
        return list(told)


# ---------------------------------------------------------------- time, and what is told


class Progress:
    """The clock, the log, and the network as it was on the way."""

    COLUMNS: Final = ("minutes", "wall", "cpu", "phase", "decisions", "loss", "agrees", "entropy", "points")

    def __init__(self, folder: Path, net: Net, asked: argparse.Namespace) -> None:
        self.folder, self._net, self._asked = folder, net, asked
        (folder / "steps").mkdir(parents=True)
        self._file = (folder / "log.csv").open("w", newline="", encoding="utf-8")
        self._log = csv.writer(self._file)
        self._log.writerow(self.COLUMNS)
        self._wall, self._cpu, self._kept = time.monotonic(), time.process_time(), 0
        self.decisions = 0

    def minutes(self) -> float:
        """Minutes gone: of the clock on the wall, or of processor time on each of the cores."""
        wall, cpu = self._spent()
        return cpu / self._asked.threads if self._asked.clock == "cpu" else wall

    def _spent(self) -> tuple[float, float]:
        return (time.monotonic() - self._wall) / 60, (time.process_time() - self._cpu) / 60

    def tell(self, phase: str, **figures: float) -> None:
        """A line of the log; now and then the network is kept."""
        minutes = self.minutes()
        told = {"minutes": minutes, **dict(zip(("wall", "cpu"), self._spent(), strict=True)), **figures}
        texts = {name: f"{value:.4g}" for name, value in told.items()}
        texts |= {"phase": phase, "decisions": str(self.decisions)}
        self._log.writerow([texts.get(name, "") for name in self.COLUMNS])
        self._file.flush()
        print(*(f"{name} {text}" for name, text in texts.items()), flush=True)
        if minutes >= self._kept * self._asked.every:
            torch.save(self._net.state_dict(), self.folder / "steps" / f"{minutes:04.1f}.pt")
            self._kept += 1

    def write(self) -> None:
        """All players kept, as models, and the last."""
        last = {name: value.clone() for name, value in self._net.state_dict().items()}
        for path in sorted((self.folder / "steps").glob("*.pt")):
            self._net.load_state_dict(torch.load(path))
            write_model(self._net, path.with_suffix(".onnx"))
            path.unlink()
        self._net.load_state_dict(last)
        write_model(self._net, self.folder / "model.onnx")


# ---------------------------------------------------------------- imitation


def advice(env: VectorEnv, teacher: str) -> Tensor:
    """How sure a built-in policy is of each action [n, N_ACTIONS]. More is to be learnt from it than from
    what it does: between many actions there is next to nothing, and others cost much."""
    return (torch.from_numpy(env.weighed(teacher)) / SHARP).softmax(1)


def imitate(
    learner: Learner, rate: float, seen: Tensor, masks: Tensor, advised: Tensor
) -> tuple[Tensor, float]:
    """One step towards choosing as a teacher does; what was chosen before it [n], and the loss."""

    def loss(rows: Tensor) -> tuple[Tensor, Any]:
        logits = allowed(learner.run(seen[rows])[0], masks[rows])
        value = cross_entropy(logits, advised[rows])
        return value, (value.item(), logits.detach().argmax(1))

    losses, chosen = zip(*learner.learn(torch.arange(len(seen)), rate, loss), strict=True)
    return torch.cat(chosen), float(np.mean(losses))


def clone(learner: Learner, env: VectorEnv, teacher: str, progress: Progress, until: float) -> None:
    """Learn to choose as a built-in policy does.

    At half of the tables the learner's own choices are played, so that it also sees what becomes of its
    mistakes; no decision is seen twice.
    """
    own = torch.arange(env.num_envs) % 2 == 0
    told: list[tuple[float, float]] = []
    while (left := 1 - progress.minutes() / until) > 0:
        seen, masks = torch.from_numpy(env.buffers.observations), torch.from_numpy(env.buffers.masks)
        advised = advice(env, teacher)
        labels = advised.argmax(1)
        choices, lost = imitate(learner, 1e-3 * min(1, 2 * left + 0.02), seen, masks, advised)
        told.append((lost, (choices == labels).float().mean().item()))
        progress.decisions += len(labels)
        env.step(torch.where(own, choices, labels).numpy())
        if len(told) == 50:
            lost, agrees = np.mean(told, 0).tolist()
            progress.tell("clone", loss=lost, agrees=agrees)
            told = []


# ---------------------------------------------------------------- self-play


@dataclass
class Rollout:
    """Decisions of all tables over some steps: [steps, tables, ...]."""

    seen: Tensor
    masks: Tensor
    seats: Tensor
    actions: Tensor
    chances: Tensor
    """Logarithms of the chances with which they were taken."""
    values: Tensor
    """What the seat thought that it would get."""
    rewards: Tensor
    """By seat, where a hand ended."""
    ended: Tensor
    advised: Tensor
    """How sure the teacher was of each action."""

    @classmethod
    def new(cls, *shape: int) -> "Rollout":
        """Nothing played yet."""

        def zeros(kind: torch.dtype, *more: int) -> Tensor:
            return torch.zeros((*shape, *more), dtype=kind)

        return cls(
            seen=zeros(torch.uint8, layout.SIZE),
            masks=zeros(torch.bool, layout.N_ACTIONS),
            seats=zeros(torch.int64),
            actions=zeros(torch.int64),
            chances=zeros(torch.float32),
            values=zeros(torch.float32),
            rewards=zeros(torch.float32, 4),
            ended=zeros(torch.bool),
            advised=zeros(torch.float32, layout.N_ACTIONS),
        )


def play(learner: Learner, env: VectorEnv, roll: Rollout, teacher: str | None) -> None:
    """Fill a rollout: the network sits in all chairs and draws its actions by their chances."""
    for t in range(len(roll.seen)):
        now = env.buffers
        roll.seen[t], roll.masks[t] = torch.from_numpy(now.observations), torch.from_numpy(now.masks)
        roll.seats[t] = torch.from_numpy(now.seats)
        logits, roll.values[t] = learner.look(roll.seen[t])
        logits = allowed(logits, roll.masks[t])
        roll.actions[t] = (logits - torch.empty_like(logits).exponential_().log()).argmax(1)
        roll.chances[t] = -cross_entropy(logits, roll.actions[t], reduction="none")
        if teacher is not None:
            roll.advised[t] = advice(env, teacher)
        _, rewards, ended, _, _ = env.step(roll.actions[t].numpy())
        roll.rewards[t], roll.ended[t] = torch.from_numpy(rewards) / SCALE, torch.from_numpy(ended)


def advantages(roll: Rollout, fade: float) -> Tensor:
    """Generalized advantage estimates [steps, tables]; not a number where there is none.

    The decisions of a seat in a hand are a trajectory of their own, which is paid when the hand ends. So,
    backwards, ``after`` [tables, 4] is what each seat came to next: the value it saw at its next decision, or
    its points. Where the rollout ends in the midst of a hand, the last decision of each seat has come to
    nothing yet.
    """
    steps, tables = roll.values.shape
    rows = torch.arange(tables)
    after, gain = torch.full((tables, 4), torch.nan), torch.zeros((tables, 4))
    found = torch.zeros((steps, tables))
    for t in reversed(range(steps)):
        over = roll.ended[t][:, None]
        after, gain = torch.where(over, roll.rewards[t], after), torch.where(over, 0.0, gain)
        seat = roll.seats[t]
        found[t] = after[rows, seat] - roll.values[t] + fade * gain[rows, seat]
        after[rows, seat], gain[rows, seat] = roll.values[t], found[t].nan_to_num(0.0)
    return found


@dataclass(frozen=True)
class Ways:
    """How PPO learns."""

    batch: int = 8192
    epochs: int = 2
    fade: float = 0.95
    clip: float = 0.2
    entropy: float = 0.002
    value: float = 0.5
    """Weight of the value's error."""


def update(
    learner: Learner, roll: Rollout, ways: Ways, rate: float, policy: float, imitation: float
) -> dict[str, float]:
    """Some steps of PPO on a rollout; the last two weigh PPO's own loss and that of the teacher's choices."""
    gains = advantages(roll, ways.fade).flatten()
    flat = {name: value.flatten(0, 1) for name, value in vars(roll).items()}
    rows = torch.nonzero(~gains.isnan() & (flat["masks"].sum(1) > 1))[:, 0]
    targets = gains + flat["values"]
    gains = (gains - gains[rows].mean()) / gains[rows].std()

    def loss(picked: Tensor) -> tuple[Tensor, Any]:
        logits, values = learner.run(flat["seen"][picked])
        chances = allowed(logits, flat["masks"][picked]).log_softmax(1)
        ratio = (chances.gather(1, flat["actions"][picked][:, None])[:, 0] - flat["chances"][picked]).exp()
        gain = gains[picked]
        better = torch.minimum(ratio * gain, ratio.clamp(1 - ways.clip, 1 + ways.clip) * gain).mean()
        spread = -(chances.exp() * chances).sum(1).mean()
        error = (values - targets[picked]).square().mean()
        astray = cross_entropy(chances, flat["advised"][picked])
        whole = policy * (-better - ways.entropy * spread) + ways.value * error + imitation * astray
        return whole, (error.item(), spread.item())

    told: list[tuple[float, float]] = []
    for _ in range(ways.epochs):
        for picked in rows[torch.randperm(len(rows))].split(ways.batch):
            told += learner.learn(picked, rate, loss)
    error, spread = np.mean(told, 0).tolist()
    return {"loss": error, "entropy": spread}


def self_play(learner: Learner, env: VectorEnv, asked: argparse.Namespace, progress: Progress) -> None:
    """PPO until the time is over.

    The tables go on from where they are: dealt anew they would all be at the same hand of a match.
    Through the first tenth only the value is learnt, so that the policy isn't led by one that knows nothing;
    what was imitated is let go little by little.
    """
    teacher = asked.teacher if asked.clone > 0 else None
    roll, start = Rollout.new(asked.steps, env.num_envs), progress.minutes()
    while (gone := (progress.minutes() - start) / (asked.minutes - start)) < 1:
        play(learner, env, roll, teacher)
        policy = float(gone > 0.1 or teacher is None)
        imitation = 0.0 if teacher is None else 0.3 * (1 - gone)
        told = update(learner, roll, Ways(), 3e-4 * max(0.1, 1 - gone), policy, imitation)
        progress.decisions += roll.values.numel()
        agrees = (
            {}
            if teacher is None
            else {"agrees": (roll.actions == roll.advised.argmax(2)).float().mean().item()}
        )
        progress.tell("self-play", **told, **agrees)


# ---------------------------------------------------------------- the command


def asked_for() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("folder", type=Path, help="a new folder for the results")
    parser.add_argument("--minutes", type=float, default=20, help="of learning, in all")
    parser.add_argument("--clone", type=float, default=10, help="minutes of imitation at the beginning")
    parser.add_argument("--teacher", default="strong", help="the built-in policy that is imitated")
    parser.add_argument("--preset", default="hainan")
    parser.add_argument("--tables", type=int, default=2048)
    parser.add_argument("--steps", type=int, default=48, help="decisions of a table between two updates")
    parser.add_argument("--every", type=float, default=2, help="minutes after which the player is kept")
    parser.add_argument("--threads", type=int, default=os.cpu_count() or 1)
    parser.add_argument(
        "--clock", choices=["wall", "cpu"], default="wall", help="cpu: on a machine that has other work"
    )
    parser.add_argument("--seed", type=int, default=1)
    return parser.parse_args()


def main() -> None:
    """Learn, then write the players."""
    asked = asked_for()
    torch.manual_seed(asked.seed)
    net = Net()
    learner, progress = Learner(net, asked.threads), Progress(asked.folder, net, asked)
    env = VectorEnv(asked.tables, rules_of(asked.preset), seed=asked.seed, threads=asked.threads)
    env.reset()
    if asked.clone > 0:
        clone(learner, env, asked.teacher, progress, min(asked.clone, asked.minutes))
    self_play(learner, env, asked, progress)
    progress.write()


if __name__ == "__main__":
    main()
