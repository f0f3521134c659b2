"""``hainan tournament``: bots measured against one another over duplicate deals."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TextIO

from rich.console import Console
from rich.table import Table as Grid

from hainan.cli.common import OK, BadInput, Lang, language, rules_from
from hainan.cli.entrants import entrant_named
from hainan.cli.simulate import bar, cluster
from hainan.cli.warmup import ready
from hainan.jsonl import encode
from hainan.rules.terms import Licence
from hainan.sim.tournament import Deal, Standing, Tournament, compete, read_results, result_lines

_NAMES = {
    "easy": ("新手", "easy"),
    "normal": ("普通", "normal"),
    "strong": ("高手", "strong"),
    "plain": ("不管番", "plain"),
    "greedy": ("会打", "greedy"),
    "random": ("乱打", "random"),
}


@dataclass(frozen=True)
class Asked:
    """The command's options."""

    policies: str
    deals: int
    preset: str | None
    rules: str | None
    players: int
    seed: int
    processes: int

    def tournament(self) -> Tournament:
        """What they ask for; raises BadInput."""
        rules = rules_from(self.preset, self.rules, self.players)
        try:
            policies = tuple(entrant_named(name.strip()) for name in self.policies.split(","))
            return Tournament(rules, policies, self.players, self.deals, self.seed, self.processes)
        except ValueError as error:
            raise BadInput(f"--policies: {error}") from None


def run(asked: Asked, resume: str | None, ray: str | None, as_json: bool, lang: str | None) -> int:
    """Play what is missing, then print; the exit status."""
    standing = Standing(asked.tournament())
    spoken = language(lang)
    ready(
        ["shapes", "bulk", *([] if standing.tournament.built_in else ["table", "bots", "learning"])], spoken
    )
    with ExitStack() as open_:
        file = open_.enter_context(_kept(resume, standing))
        spread = None if ray is None else open_.enter_context(cluster(ray))
        told = open_.enter_context(bar(asked.deals, spoken, "副/秒" if spoken == "zh" else "deals/s"))
        told(len(standing.deals))

        def played(deals: list[Deal]) -> None:
            if file is not None:
                file.write(result_lines(deals))
                file.flush()
            told(len(standing.deals))

        compete(standing, played, spread=spread)
    print(encode(standing.to_json())) if as_json else _show(standing, spoken)
    return OK


@contextmanager
def _kept(name: str | None, standing: Standing) -> Iterator[TextIO | None]:
    """The file of results, with what it holds taken over; raises BadInput."""
    if name is None:
        yield None
        return
    path = Path(name)
    try:
        whole = 0
        if path.exists():
            with path.open("rb") as held:
                whole = read_results(standing, held)
        with path.open("a", encoding="utf-8") as file:
            file.truncate(whole)  # a line that was cut off when the last run ended
            if whole == 0:
                file.write(encode(standing.tournament.to_json()) + "\n")
            yield file
    except OSError as error:
        raise BadInput(f"--resume {name}: {error.strerror or error}") from None
    except ValueError as error:
        raise BadInput(f"--resume {name}: {error}") from None


def _show(standing: Standing, lang: Lang) -> None:
    zh = lang == "zh"
    told = standing.to_json()
    console = Console(highlight=False)
    if zh:
        console.print(f"{told['deals']:,} 副牌，每副 {told['seatings']} 种坐法，共 {told['hands']:,} 局")
    else:
        console.print(f"{told['deals']:,} deals in {told['seatings']} seatings each, {told['hands']:,} hands")
    grid = Grid(title="每局得分" if zh else "Points per hand", title_justify="left")
    heads = ("水平", "得分", "95% 区间", "胡牌", "其中自摸", "点炮")
    for head in heads if zh else ("policy", "points", "95 % interval", "wins", "by self-draw", "deals in"):
        grid.add_column(head, justify="right")
    for name, row in told["policies"].items():
        low, high = row["ci95"]
        grid.add_row(
            _named(name, lang),
            f"{row['points_per_hand']:+.3f}",
            f"{low:+.3f} .. {high:+.3f}",
            f"{row['wins'] / row['hands']:.1%}",
            f"{row['self_draws'] / max(1, row['wins']):.1%}",
            f"{row['deal_ins'] / row['hands']:.1%}",
        )
    console.print(grid)
    console.print(_licences(standing, lang))


def _named(name: str, lang: Lang) -> str:
    """A policy's name in the reader's language; a model is called by its file, wherever that lies."""
    return _NAMES[name][0 if lang == "zh" else 1] if name in _NAMES else Path(name).name


def _licences(standing: Standing, lang: Lang) -> Grid:
    """How often each licence was held by a winning hand."""
    zh = lang == "zh"
    told = standing.to_json()["policies"]
    grid = Grid(title="胡牌时有的番" if zh else "Licences of winning hands", title_justify="left")
    grid.add_column("番" if zh else "licence")
    for name in told:
        grid.add_column(_named(name, lang), justify="right")
    for one in Licence:
        grid.add_row(one.zh if zh else one.en, *(f"{row['licences'][one.id]:,}" for row in told.values()))
    return grid
