"""The command ``hainan``: what can be asked of it; each command's work is in a module of its own."""

import os
import sys
from typing import Annotated, Final, Optional

import typer

from hainan.cli.common import BAD_INPUT, BadInput, warn

app = typer.Typer(
    name="hainan",
    help="Hainan and Lingao mahjong 海南麻将 临高麻将: play, score, replay, simulate, verify.",
    rich_markup_mode=None,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)

Preset = Annotated[
    Optional[str],  # noqa: UP045 (Typer reads it at run time)
    typer.Option("--preset", help="hainan, hainan-classic, lingao or lingao-variant."),
]
RulesFile = Annotated[
    Optional[str],  # noqa: UP045
    typer.Option("--rules", metavar="FILE", help="An option sheet as JSON: a preset and any options."),
]
Players = Annotated[int, typer.Option("--players", min=3, max=4, help="3 or 4 players.")]
LangOption = Annotated[
    Optional[str],  # noqa: UP045
    typer.Option("--lang", help="zh or en; by default that of the locale.", metavar="zh|en"),
]
Database = Annotated[
    Optional[str],  # noqa: UP045
    typer.Option(
        "--database", metavar="URL", help="By default DATABASE_URL, else a file in your data folder."
    ),
]
Json = Annotated[bool, typer.Option("--json", help="JSON for programs instead of text for people.")]


_RAY: Final = "Play on a Ray cluster: auto, HOST:PORT, or local."
_MODEL: Final = "a model, FILE.onnx"
_POLICIES: Final = "easy, normal or strong; for tools plain, greedy or random"


def _language(value: str | None) -> str | None:
    if value not in (None, "zh", "en"):
        raise BadInput(f"--lang: {value!r} is neither zh nor en")
    return value


def _version(asked: bool) -> None:
    if asked:
        from hainan import __version__

        print(f"hainan-mahjong {__version__}")
        raise typer.Exit


@app.callback()
def _root(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    pass


@app.command()
def play(
    preset: Preset = None,
    rules: RulesFile = None,
    players: Players = 4,
    hands: Annotated[Optional[int], typer.Option("--hands", min=1, help="Length of the match.")] = None,  # noqa: UP045
    seed: Annotated[
        Optional[int],  # noqa: UP045
        typer.Option("--seed", help="Deal by this number, for practice; without it every deal is new."),
    ] = None,
    lang: LangOption = None,
    plain: Annotated[bool, typer.Option("--plain", help="No colours and no Unicode tiles.")] = False,
    bots: Annotated[
        str, typer.Option("--bots", "--policy", help=f"easy, normal or strong; or {_MODEL}.")
    ] = "normal",
    coach: Annotated[
        bool, typer.Option("--coach", help="Advice before every decision, and what it cost after it.")
    ] = False,
) -> None:
    """Play a match against bots in the terminal.

    Example: hainan play --preset lingao --hands 4 --coach
    """
    from hainan.cli.play import run

    raise typer.Exit(run(preset, rules, players, hands, seed, _language(lang), plain, bots, coach))


@app.command(short_help="Settle an argument about points, clause by clause.")
def score(
    file: Annotated[str, typer.Argument(metavar="[FILE|-]", help="One request, or JSON Lines.")] = "-",
    json: Json = False,
    lang: LangOption = None,
) -> None:
    """Settle an argument about points: who won what, who pays whom, by which clause.

    Example: hainan score request.json --lang zh
    """
    from hainan.cli.values import values_of

    with values_of(file) as values:
        from hainan.cli.score import run

        raise typer.Exit(run(values, json, _language(lang)))


@app.command()
def replay(
    file: Annotated[str, typer.Argument(metavar="[FILE|-]", help="A record, or many, one a line.")] = "-",
    jsonl: Annotated[
        bool, typer.Option("--jsonl", help="One JSON line for the start and each action.")
    ] = False,
    lang: LangOption = None,
    plain: Annotated[bool, typer.Option("--plain", help="No colours and no Unicode tiles.")] = False,
) -> None:
    """Tell a stored hand, step by step in a terminal.

    Example: hainan replay hand.json --jsonl
    """
    from hainan.cli.values import values_of

    with values_of(file) as values:
        from hainan.cli.replay import run

        raise typer.Exit(run(values, jsonl, _language(lang), plain))


@app.command(short_help="Hold every decision of a stored hand against the best.")
def review(
    file: Annotated[str, typer.Argument(metavar="[FILE|-]", help="A record, or many, one a line.")] = "-",
    seat: Annotated[
        Optional[int],  # noqa: UP045
        typer.Option("--seat", min=0, max=3, help="Only the decisions of this seat."),
    ] = None,
    json: Json = False,
    lang: LangOption = None,
    plain: Annotated[bool, typer.Option("--plain", help="No colours and no Unicode tiles.")] = False,
) -> None:
    """Hold every decision of a stored hand against the best: points lost, the three worst moments explained.

    Example: hainan review hand.json --seat 0
    """
    from hainan.cli.values import values_of

    with values_of(file, compiled=True) as values:
        from hainan.cli.review import run

        raise typer.Exit(run(values, seat, json, _language(lang), plain))


@app.command()
def simulate(
    hands: Annotated[int, typer.Option("--hands", min=1, help="How many hands.")] = 10000,
    preset: Preset = None,
    rules: RulesFile = None,
    players: Players = 4,
    seed: Annotated[int, typer.Option("--seed", help="The same seed plays the same hands.")] = 0,
    policy: Annotated[
        str, typer.Option("--policy", help=f"{_POLICIES}; one for all seats, or one a seat: a,b,c,d.")
    ] = "random",
    processes: Annotated[int, typer.Option("--processes", min=1, help="Hands played at the same time.")] = 1,
    json: Json = False,
    records: Annotated[
        Optional[str],  # noqa: UP045
        typer.Option("--records", metavar="FILE", help="Write every hand as a record, one a line."),
    ] = None,
    dataset: Annotated[
        Optional[str],  # noqa: UP045
        typer.Option("--dataset", metavar="FOLDER", help="Write every decision and hand as Parquet."),
    ] = None,
    ray: Annotated[
        Optional[str],  # noqa: UP045
        typer.Option("--ray", metavar="ADDRESS", help=_RAY),
    ] = None,
    lang: LangOption = None,
) -> None:
    """Play many hands in the compiled engine and count what happens.

    Example: hainan simulate --hands 1000000 --preset lingao --processes 2
    """
    from hainan.cli.simulate import run

    places = (records, dataset, ray)
    raise typer.Exit(
        run(hands, preset, rules, players, seed, policy, processes, json, *places, _language(lang))
    )


@app.command()
def tournament(
    policies: Annotated[
        str, typer.Option("--policies", metavar="A,B[,C,D]", help=f"Who competes: {_POLICIES}; or {_MODEL}.")
    ] = "strong,normal",
    deals: Annotated[int, typer.Option("--deals", min=1, help="Deals, each played in every seating.")] = 1000,
    preset: Preset = None,
    rules: RulesFile = None,
    players: Players = 4,
    seed: Annotated[int, typer.Option("--seed", help="The same seed deals the same walls.")] = 0,
    processes: Annotated[int, typer.Option("--processes", min=1, help="Deals played at the same time.")] = 1,
    resume: Annotated[
        Optional[str],  # noqa: UP045
        typer.Option("--resume", metavar="FILE", help="Keep results here, and go on from what it holds."),
    ] = None,
    ray: Annotated[
        Optional[str],  # noqa: UP045
        typer.Option("--ray", metavar="ADDRESS", help=_RAY),
    ] = None,
    json: Json = False,
    lang: LangOption = None,
) -> None:
    """Measure bots over duplicate deals: every policy sits in every seat of the same wall.

    Example: hainan tournament --policies strong,normal --deals 5000 --preset lingao --processes 2
    """
    from hainan.cli.tournament import Asked, run

    asked = Asked(policies, deals, preset, rules, players, seed, processes)
    raise typer.Exit(run(asked, resume, ray, json, _language(lang)))


@app.command(short_help="Show every option of a table, or how two presets differ.")
def options(
    preset: Preset = None,
    diff: Annotated[
        Optional[tuple[str, str]],  # noqa: UP045
        typer.Option("--diff", metavar="P Q", help="Only the options in which two presets differ."),
    ] = None,
    json: Json = False,
    lang: LangOption = None,
) -> None:
    """Show every option of a table: its value, what it does, its clause.

    Example: hainan options --diff hainan lingao
    """
    from hainan.cli.options import run

    raise typer.Exit(run(preset, diff, json, _language(lang)))


@app.command(short_help="Check that a hand was dealt from its committed seed.")
def verify(
    file: Annotated[str, typer.Argument(metavar="RECORD|-", help="A stored record with its shuffle.")],
    json: Json = False,
    lang: LangOption = None,
) -> None:
    """Check offline that a hand's wall and dice came from its committed seed.

    Exit status: 0 all as committed, 1 a difference, 2 a record that can't be checked.
    Example: hainan verify hand.json
    """
    from hainan.cli.values import values_of

    with values_of(file) as values:
        from hainan.cli.verify import run

        raise typer.Exit(run(values, json, _language(lang)))


@app.command(short_help="Save everything that a server stores to a file.")
def backup(
    file: Annotated[str, typer.Argument(metavar="FILE", help="A new file, or an earlier backup to replace.")],
    database: Database = None,
    lang: LangOption = None,
) -> None:
    """Save everything that a server stores, while it goes on, to one file.

    The file holds passwords (hashed) and what signs tokens: keep it to yourself.
    Example: hainan backup monday.hainan
    """
    from hainan.cli.backup import run_backup

    raise typer.Exit(run_backup(file, database, _language(lang)))


@app.command(short_help="Bring back what was saved by `hainan backup`.")
def restore(
    file: Annotated[str, typer.Argument(metavar="FILE", help="A backup.")],
    database: Database = None,
    force: Annotated[bool, typer.Option("--force", help="Replace all that the database holds.")] = False,
    lang: LangOption = None,
) -> None:
    """Fill an empty database from a backup; refused while its server runs.

    A backup of SQLite may go into PostgreSQL, and the other way round.
    Example: hainan restore monday.hainan
    """
    from hainan.cli.backup import run_restore

    raise typer.Exit(run_restore(file, database, force, _language(lang)))


@app.command(short_help="Serve live tables to friends' phones and to programs.")
def serve(
    host: Annotated[
        Optional[str],  # noqa: UP045
        typer.Option("--host", help="The address to listen at.", show_default="0.0.0.0: all"),
    ] = None,
    port: Annotated[
        Optional[int],  # noqa: UP045
        typer.Option("--port", min=0, max=65535, help="The port.", show_default="8000"),
    ] = None,
    database: Annotated[
        Optional[str],  # noqa: UP045
        typer.Option(
            "--database",
            metavar="URL",
            help="A SQLite file or postgresql://...; else DATABASE_URL, else one in the user's data folder.",
        ),
    ] = None,
    public_url: Annotated[
        Optional[str],  # noqa: UP045
        typer.Option("--public-url", metavar="URL", help="How the server is reached from outside."),
    ] = None,
    processes: Annotated[
        Optional[int],  # noqa: UP045
        typer.Option("--processes", min=1, max=2, help="2 for many hundreds of tables.", show_default="1"),
    ] = None,
    browser: Annotated[
        bool, typer.Option("--open", help="Open the table in this machine's browser.")
    ] = False,
    lang: LangOption = None,
) -> None:
    """Serve live tables: rooms for friends' phones, an API for programs. Nothing needs to be set up.

    Every setting can also come from the environment, as HAINAN_PORT=8000 (docs/server.md).
    Example: hainan serve --port 9000
    """
    from hainan.cli.serve import run

    raise typer.Exit(run(host, port, database, public_url, processes, _language(lang), browser=browser))


@app.command(short_help="Play at a live server by a built-in policy.")
def bot(
    url: Annotated[str, typer.Option("--url", metavar="URL", help="The server's address, or a room's link.")],
    room: Annotated[
        Optional[str],  # noqa: UP045
        typer.Option("--room", metavar="CODE", help="The room's six digits."),
    ] = None,
    policy: Annotated[str, typer.Option("--policy", help=f"{_POLICIES}.")] = "normal",
    name: Annotated[
        Optional[str],  # noqa: UP045
        typer.Option("--name", help="What a new guest is called.", show_default="by its policy"),
    ] = None,
    token: Annotated[
        Optional[str],  # noqa: UP045
        typer.Option("--token", envvar="HAINAN_TOKEN", help="Play as the player whose token this is."),
    ] = None,
    matches: Annotated[int, typer.Option("--matches", min=1, help="So many matches, then leave.")] = 1,
    lang: LangOption = None,
) -> None:
    """Take a seat in a room of a live server and play by a built-in policy.

    It comes back to its seat when the connection is lost. An example for programs of your own:
    docs/protocol.md.

    Example: hainan bot --url http://localhost:8000 --room 123456
    """
    from hainan.cli.bot import run

    raise typer.Exit(run(url, room, policy, name, token, matches, _language(lang)))


@app.command(name="compile")
def compile_(lang: LangOption = None) -> None:
    """Compile everything now, so that no later start has to wait.

    Example: hainan compile
    """
    from hainan.cli.warmup import compile_all

    raise typer.Exit(compile_all(_language(lang)))


def main() -> None:
    """Run the command line: no traceback ever reaches a user over bad input."""
    try:
        app()
    except BadInput as error:
        warn(f"hainan: {error}")
        sys.exit(BAD_INPUT)
    except BrokenPipeError:
        # The reader has gone, for instance `| head`: nothing to say, and nobody to say it to.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        sys.exit(0)
    except KeyboardInterrupt:
        sys.exit(130)
