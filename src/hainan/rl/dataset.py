"""Bulk play as a dataset: every decision with what its player saw, and every hand as a record, in Parquet.

    simulate(run, job=Dataset(run, folder))          # what `hainan simulate --dataset FOLDER` does

A folder holds ``decisions/`` and ``hands/``, a file for each piece of work, named by its first hand, and
``dataset.json``, which says what was played. A file is there only when it is whole, and however the work was
spread, the same run writes the same rows.
"""

import json
import os
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from hainan.bots.policies import Policy
from hainan.engine.legal import MAX_LEGAL
from hainan.engine.record import Record, copied
from hainan.jsonl import encode
from hainan.rl.layout import ACTIONS_VERSION, N_ACTIONS, SIZE, VERSION, Bytes
from hainan.rl.observe import bytes_of
from hainan.rl.optional import require
from hainan.rl.telling import MASK_BYTES, tell_hand
from hainan.rules.presets import digest, rules_to_json
from hainan.rules.terms import By
from hainan.sim.batch import MAX_ACTIONS, TALLY
from hainan.sim.pieces import Hands
from hainan.sim.runner import Player, Result, Run

FORMAT: Final = "hainan-dataset/1"
ROWS: Final = 4096
"""Decisions of a row group: what a worker holds in memory, 10 MB."""
_COMPRESSION: Final[dict[str, Any]] = {"compression": "zstd", "compression_level": 1}


@dataclass(frozen=True)
class Dataset:
    """The job of a run that also writes what was played to a folder, which all workers must reach."""

    run: Run
    folder: str

    def worker(self) -> Callable[[Hands], Record]:
        """Plays pieces, and writes a file of decisions and one of hands for each."""
        return Writer(self.run, Path(self.folder)).play


class _Rows:
    """Decisions gathered until there are enough for a row group."""

    def __init__(self) -> None:
        self.n = 0
        self.observations = np.zeros((ROWS, SIZE), np.uint8)
        self.masks = np.zeros((ROWS, MASK_BYTES), np.uint8)
        self.points = np.zeros(ROWS, np.int32)
        self.hands = np.zeros(ROWS, np.int64)
        self.numbers = np.zeros(ROWS, np.int16)
        self.seats = np.zeros(ROWS, np.int8)
        self.actions = np.zeros(ROWS, np.uint8)

    @property
    def full(self) -> bool:
        """Whether another hand might not fit."""
        return self.n + MAX_ACTIONS > ROWS

    def columns(self, arrow: Any) -> list[Any]:
        """As Arrow's arrays, over the same memory, in the order of the schema."""
        simple = (self.hands, self.numbers, self.seats, self.actions, self.points)
        wide = (self.observations, self.masks)
        return [
            *(arrow.array(column[: self.n]) for column in simple),
            *(
                arrow.FixedSizeBinaryArray.from_buffers(
                    arrow.binary(rows.shape[1]), self.n, [None, arrow.py_buffer(rows)]
                )
                for rows in wide
            ),
        ]


class Writer:
    """Plays pieces of a run in its own record and writes them; one for each thread or process."""

    def __init__(self, run: Run, folder: Path) -> None:
        """Set up; raises MissingPackage without pyarrow."""
        self._arrow = require("pyarrow")
        self._parquet = require("pyarrow.parquet")
        self._player = Player(run)
        self._player.play(0, 0)
        self._rows = _Rows()
        self._actions = np.zeros(MAX_LEGAL, np.int16)
        self._folder = folder
        self._decisions, self._hands = _schemas(self._arrow, run)

    def play(self, piece: Hands) -> Record:
        """A tally of these hands, which are on disk when it returns."""
        tally, told = np.zeros(1, TALLY), []
        path = self._folder / "decisions" / f"{piece.first:012d}.parquet"
        with self._whole(path, self._decisions) as file:
            for hand in range(piece.first, piece.first + piece.hands):
                self._player.play(hand, 1, tally)
                self._tell(hand)
                told.append(self._hand(hand))
                if self._rows.full:
                    self._flush(file)
            self._flush(file)
        with self._whole(self._folder / "hands" / path.name, self._hands) as file:
            file.write_table(self._arrow.Table.from_pylist(told, self._hands))
        return tally

    def _tell(self, hand: int) -> None:
        """The decisions of the hand just played, as rows."""
        rows, log = self._rows, self._player.log
        first, n = rows.n, log["n"].item()
        tables = copied(self._player.tables)
        tell_hand(
            tables, bytes_of(tables), self._player.shapes, log, self._actions, first,
            rows.observations, rows.masks, rows.points,
        )  # fmt: skip
        rows.hands[first : first + n] = hand
        rows.numbers[first : first + n] = np.arange(n)
        rows.seats[first : first + n] = log["seat"][0, :n]
        rows.actions[first : first + n] = log["action"][0, :n]
        rows.n += n

    def _hand(self, hand: int) -> dict[str, Any]:
        t = self._player.tables
        return {
            "hand": hand,
            "by": By(t["by"].item()).id,
            "points": t["payments"][0, : self._player.run.players].tolist(),
            "record": encode(self._player.record()),
        }

    def _flush(self, file: Any) -> None:
        if self._rows.n:
            batch = self._arrow.record_batch(self._rows.columns(self._arrow), schema=self._decisions)
            file.write_batch(batch)
            self._rows.n = 0

    def _whole(self, path: Path, schema: Any) -> "_File":
        path.parent.mkdir(parents=True, exist_ok=True)
        return _File(self._parquet, path, schema)


class _File:
    """A Parquet file that gets its name only when it is whole, so that half of one is never read."""

    def __init__(self, parquet: Any, path: Path, schema: Any) -> None:
        self._path = path
        self._beside = path.with_name(f".{path.name}.{os.getpid()}-{id(self)}")
        self._writer = parquet.ParquetWriter(
            self._beside, schema, use_dictionary=False, write_statistics=["hand"], **_COMPRESSION
        )

    def __enter__(self) -> Any:
        return self._writer

    def __exit__(self, kind: object, error: object, trace: object) -> None:
        self._writer.close()
        if kind is None:
            self._beside.replace(self._path)
        else:
            self._beside.unlink(missing_ok=True)


def described(run: Run) -> dict[str, Any]:
    """What ``dataset.json`` says before the result: what was played, and what the bytes mean."""
    return {
        "format": FORMAT,
        "observation": VERSION,
        "observation_size": SIZE,
        "actions": ACTIONS_VERSION,
        "rules": rules_to_json(run.rules, run.players),
        "rules_digest": digest(run.rules),
        "players": run.players,
        "seed": run.seed,
        "policies": [Policy(number).name.lower() for number in run.seats[: run.players]],
    }


def _schemas(arrow: Any, run: Run) -> tuple[Any, Any]:
    """Columns of decisions and of hands; each file says what its bytes mean."""
    about = {"hainan": encode(described(run))}
    decisions = arrow.schema(
        [
            ("hand", arrow.int64()),
            ("n", arrow.int16()),
            ("seat", arrow.int8()),
            ("action", arrow.uint8()),
            ("points", arrow.int32()),
            ("observation", arrow.binary(SIZE)),
            ("mask", arrow.binary(MASK_BYTES)),
        ],
        about,
    )
    hands = arrow.schema(
        [
            ("hand", arrow.int64()),
            ("by", arrow.string()),
            ("points", arrow.list_(arrow.int32())),
            ("record", arrow.string()),
        ],
        about,
    )
    return decisions, hands


# ---------------------------------------------------------------- a folder


def create(folder: Path) -> None:
    """Make a new dataset's folder; raises OSError, also where there is something in it already."""
    require("pyarrow.parquet")
    folder.mkdir(parents=True, exist_ok=True)
    if any(folder.iterdir()):
        raise FileExistsError(0, "there is something in it already; give a new folder", str(folder))


def finish(folder: Path, result: Result) -> None:
    """Write ``dataset.json``: the dataset is complete, or was interrupted after so many hands."""
    told = result.to_json()
    kept = {name: told[name] for name in ("hands", "decisions", "digest")}
    complete = told["hands"] == result.run.hands
    text = json.dumps(described(result.run) | kept | {"complete": complete}, ensure_ascii=False, indent=1)
    (folder / "dataset.json").write_text(text + "\n", encoding="utf-8")


# ---------------------------------------------------------------- reading


def observations(column: Iterable[bytes]) -> Bytes:
    """A column ``observation`` (of Polars, Arrow, pandas ...) as an array [n, SIZE]; for layout.named."""
    return np.frombuffer(b"".join(column), np.uint8).reshape(-1, SIZE)


def masks(column: Iterable[bytes]) -> npt.NDArray[np.bool_]:
    """A column ``mask`` as truths [n, N_ACTIONS]."""
    packed = np.frombuffer(b"".join(column), np.uint8).reshape(-1, MASK_BYTES)
    return np.unpackbits(packed, axis=1, count=N_ACTIONS, bitorder="little").astype(np.bool_)
