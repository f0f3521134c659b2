"""``hainan simulate``: many hands, and what happened in them."""

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, TextIO

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TaskProgressColumn,
    TextColumn,
    TimeRemainingColumn,
)
from rich.table import Table as Grid

from hainan.cli.common import OK, BadInput, Lang, language, rules_from
from hainan.cli.warmup import ready
from hainan.jsonl import encode
from hainan.rules.terms import By, Licence, Pattern, Term, Way
from hainan.sim.pieces import Hands, Job, Spread
from hainan.sim.runner import Progress as Told
from hainan.sim.runner import Result, Run, policies_named, simulate, simulate_to


def run(
    hands: int,
    preset: str | None,
    rules_file: str | None,
    players: int,
    seed: int,
    policy: str,
    processes: int,
    as_json: bool,
    records: str | None,
    dataset: str | None,
    ray: str | None,
    lang: str | None,
) -> int:
    """Play, then print; the exit status."""
    if records is not None and (dataset is not None or ray is not None):
        raise BadInput("--records: written in order on one core; leave --dataset and --ray away")
    try:
        policies = policies_named([name.strip() for name in policy.split(",")], players)
    except ValueError as error:
        raise BadInput(f"--policy: {error}") from None
    asked = Run(rules_from(preset, rules_file, players), players, hands, seed, policies, processes)
    spoken = language(lang)
    ready(["shapes", "bulk"] if dataset is None else ["shapes", "bulk", "learning"], spoken)
    if records is not None:
        with bar(hands, spoken) as told, _created(records) as file:
            result = simulate_to(asked, file, told)
    else:
        result = _spread(asked, dataset, ray, spoken)
    print(encode(result.to_json())) if as_json else _show(result, spoken)
    return OK


def _spread(asked: Run, dataset: str | None, ray: str | None, lang: Lang) -> Result:
    """Play here or on a cluster, with a dataset or without."""
    with ExitStack() as open_:
        spread = None if ray is None else open_.enter_context(cluster(ray))
        job = None if dataset is None else _dataset(asked, dataset)
        told = open_.enter_context(bar(asked.hands, lang))
        result = simulate(asked, told, job=job, spread=spread)
    if dataset is not None:
        from hainan.rl.dataset import finish

        finish(Path(dataset), result)
    return result


def _dataset(asked: Run, folder: str) -> Job[Hands, Any]:
    from hainan.rl.dataset import Dataset, create
    from hainan.rl.optional import MissingPackage

    try:
        create(Path(folder))
    except MissingPackage as error:
        raise BadInput(f"--dataset: {error}") from None
    except OSError as error:
        raise BadInput(f"--dataset: {folder}: {error.strerror or error}") from None
    return Dataset(asked, str(Path(folder).absolute()))


@contextmanager
def cluster(address: str) -> Iterator[Spread[Any, Any]]:
    """What spreads work over the Ray cluster of ``--ray``; raises BadInput."""
    from hainan.rl.cluster import ClusterError, connected
    from hainan.rl.optional import MissingPackage

    try:
        with connected(address) as spread:
            yield spread
    except (ClusterError, MissingPackage) as error:
        raise BadInput(f"--ray: {error}") from None


@contextmanager
def _created(name: str) -> Iterator[TextIO]:
    try:
        file = open(name, "w", encoding="utf-8")  # noqa: SIM115 (it is closed below)
    except OSError as error:
        raise BadInput(f"{name}: {error.strerror or error}") from None
    with file:
        yield file


@contextmanager
def bar(hands: int, lang: Lang, unit: str | None = None) -> Iterator[Told]:
    """A progress bar on stderr with rate and time left; nothing where stderr is no terminal."""
    console = Console(stderr=True)
    unit = unit or ("局/秒" if lang == "zh" else "hands/s")
    columns = (
        BarColumn(),
        MofNCompleteColumn(),
        TaskProgressColumn(),
        TextColumn("{task.fields[rate]:,.0f} " + unit),
        TimeRemainingColumn(),
    )
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as progress:
        task = progress.add_task("", total=hands, rate=0.0)

        def told(done: int) -> None:
            speed = progress.tasks[task].speed or 0.0
            progress.update(task, completed=done, rate=speed)

        yield told


def _share(count: int, of: int) -> str:
    return f"{100 * count / of:.2f} %" if of else "-"


def _counts(title: str, terms: type[Term], counts: dict[str, int], of: int, lang: Lang) -> Grid:
    grid = Grid(title=title, show_header=False, title_justify="left")
    grid.add_column()
    grid.add_column(justify="right")
    grid.add_column(justify="right")
    for term in terms:
        if count := counts[term.id]:
            grid.add_row(term.zh if lang == "zh" else term.en, f"{count:,}", _share(count, of))
    return grid


def _points(points: list[dict[str, Any]], lang: Lang) -> Grid:
    zh = lang == "zh"
    grid = Grid(title="每局得分（按位置）" if zh else "Points per hand, by position", title_justify="left")
    for name in ("位置", "平均", "标准差", "胡牌") if zh else ("position", "mean", "sd", "wins"):
        grid.add_column(name, justify="right")
    names = "东南西北" if zh else ("East (dealer)", "South", "West", "North")
    for row in points:
        grid.add_row(names[row["position"]], f"{row['mean']:+.3f}", f"{row['sd']:.2f}", f"{row['wins']:,}")
    return grid


def _show(result: Result, lang: Lang) -> None:
    zh = lang == "zh"
    told = result.to_json()
    console = Console(highlight=False)
    hands, winners = told["hands"], told["winners"]
    if zh:
        console.print(f"{hands:,} 局，{told['decisions']:,} 次选择，{told['seconds']:.2f} 秒")
        console.print(f"{told['hands_per_s']:,.0f} 局/秒，{told['decisions_per_s']:,.0f} 次选择/秒")
    else:
        console.print(f"{hands:,} hands, {told['decisions']:,} decisions in {told['seconds']:.2f} s")
        console.print(f"{told['hands_per_s']:,.0f} hands/s, {told['decisions_per_s']:,.0f} decisions/s")
    console.print(_counts("结局" if zh else "How hands ended", By, told["ended"], hands, lang))
    self_draws = told["ended"][By.SELF_DRAW.id]
    console.print(_counts("自摸方式" if zh else "Ways of self-draw", Way, told["ways"], self_draws, lang))
    console.print(_counts("牌型" if zh else "Patterns", Pattern, told["patterns"], winners, lang))
    console.print(_counts("番" if zh else "Licences", Licence, told["licences"], winners, lang))
    console.print(_points(told["points"], lang))
    balanced = told["zero_sum"]
    if zh:
        console.print(f"每局收付相抵为零：{'是' if balanced else '否！'}　摘要 {told['digest']}")
    else:
        console.print(f"Every payment sums to zero: {'yes' if balanced else 'NO'}. Digest {told['digest']}")
