"""Players from files: networks as ONNX, which see observations (layout.py) and weigh every action.

A model has one input, ``[n, SIZE]`` uint8, and an output ``logits``, ``[n, N_ACTIONS]`` float, where n is
free. Of the legal actions it takes the one with the highest logit. Its metadata (``METADATA``) say which
observations and which action numbers it was made for.
"""

import hashlib
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import numpy as np
import numpy.typing as npt

from hainan.rl.layout import ACTIONS_VERSION, N_ACTIONS, SIZE, VERSION
from hainan.rl.observe import bytes_of, observe_seat
from hainan.rl.optional import require
from hainan.rules.actions import ACTIONS, Action
from hainan.sim.guests import Question
from hainan.table import Table

SUFFIX: Final = ".onnx"
"""How names of such files end."""
METADATA: Final = {"hainan.observation": VERSION, "hainan.actions": ACTIONS_VERSION}
"""What a model's metadata have to say."""
LOGITS: Final = "logits"
"""The output that is used; others, such as a value, are left alone."""
_INPUT: Final = ("tensor(uint8)", SIZE)
_OUTPUT: Final = ("tensor(float)", N_ACTIONS)


class ModelError(ValueError):
    """A file that is no model for this game, and why."""


class Chooser:
    """A model at work, on one core: a row's answer doesn't depend on the others it is asked with."""

    def __init__(self, content: bytes) -> None:
        """Load it; raises MissingPackage and ModelError."""
        runtime = require("onnxruntime")
        options = runtime.SessionOptions()
        options.intra_op_num_threads = options.inter_op_num_threads = 1
        options.log_severity_level = 4  # what is wrong is told by the error
        try:
            self._session = runtime.InferenceSession(content, options, providers=["CPUExecutionProvider"])
        except Exception as error:  # the runtime has a class for each failure, and no common one
            raise ModelError(f"no ONNX model: {_line(error)}") from None
        self._input = _checked(self._session)
        self.logits(np.zeros((2, SIZE), np.uint8))

    def logits(self, seen: npt.NDArray[np.uint8]) -> npt.NDArray[np.float32]:
        """What it thinks of every action [n, N_ACTIONS], seeing observations [n, SIZE]."""
        try:
            (logits,) = self._session.run([LOGITS], {self._input: seen})
        except Exception as error:
            raise ModelError(f"it doesn't run with {len(seen)} observations: {_line(error)}") from None
        found: npt.NDArray[np.float32] = logits
        if found.shape != (len(seen), N_ACTIONS) or np.isnan(found).any():
            raise ModelError(f"of {len(seen)} observations it made {found.shape}, or no numbers")
        return found

    def __call__(self, asked: Question) -> npt.NDArray[np.int16]:
        """The best of the legal actions [n]."""
        seen = np.zeros((len(asked.rows), SIZE), np.uint8)
        raw = bytes_of(asked.tables)
        for place, (index, seat) in enumerate(zip(asked.rows.tolist(), asked.seats.tolist(), strict=True)):
            observe_seat(asked.tables, raw, index, seat, seen[place])
        offered = np.take_along_axis(self.logits(seen), asked.legal.astype(np.int64), axis=1)
        offered[np.arange(offered.shape[1]) >= asked.counts[:, None]] = -np.inf
        best: npt.NDArray[np.int16] = asked.legal[np.arange(len(seen)), offered.argmax(axis=1)]
        return best


@dataclass(frozen=True)
class Model:
    """A model's file, read and checked: a guest of tournaments (sim/guests.py), on other machines too."""

    name: str
    content: bytes = field(repr=False)

    @property
    def identity(self) -> str:
        """Its name and a digest."""
        return f"{self.name} {hashlib.sha256(self.content).hexdigest()[:16]}"

    def chooser(self) -> Chooser:
        """The model, loaded."""
        return Chooser(self.content)


def load_model(path: str) -> Model:
    """A model from a file; raises OSError, MissingPackage and ModelError."""
    model = Model(path, Path(path).read_bytes())
    model.chooser()
    return model


class ModelBot:
    """Plays seats of live tables by a model, from their views alone."""

    def __init__(self, model: Model) -> None:
        """Load it."""
        self._choose = model.chooser()

    def choose(self, table: Table, seat: int) -> Action:
        """One of the seat's legal actions."""
        legal = table.legal_numbers(seat)[None].copy()
        one = np.ones(1, np.int64)
        counts = np.array([legal.shape[1]], np.int16)
        (number,) = self._choose(Question(table.masked_array(seat), 0 * one, seat * one, legal, counts))
        return ACTIONS[int(number)]


def _checked(session: Any) -> str:
    """The name of a model's input; raises ModelError if it isn't for this game."""
    told = session.get_modelmeta().custom_metadata_map
    for name, wanted in METADATA.items():
        if told.get(name) != wanted:
            raise ModelError(f"its metadata say {name} = {told.get(name)!r}, this version plays {wanted!r}")
    inputs = session.get_inputs()
    if len(inputs) != 1:
        raise ModelError(f"it has {len(inputs)} inputs, should have one: observations")
    _check_shape("its input", inputs[0], _INPUT)
    outputs = {output.name: output for output in session.get_outputs()}
    if LOGITS not in outputs:
        raise ModelError(f"it has no output {LOGITS!r}, only {', '.join(outputs)}")
    _check_shape(f"its output {LOGITS!r}", outputs[LOGITS], _OUTPUT)
    return str(inputs[0].name)


def _check_shape(which: str, of: Any, wanted: tuple[str, int]) -> None:
    kind, size = wanted
    shape = list(of.shape)
    free = len(shape) == 2 and not isinstance(shape[0], int)
    if of.type != kind or not free or shape[1] not in (size, None):
        raise ModelError(f"{which} is {of.type} {shape}, should be {kind} ['n', {size}]")


def _line(error: Exception) -> str:
    return " ".join(str(error).split())[:200]
