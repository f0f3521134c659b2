"""What counts as compiled: this version, at this place."""

import importlib.util
import shutil
from pathlib import Path
from types import ModuleType

from hainan.cli import warmup


def installed_at(folder: Path) -> ModuleType:
    """The module as another installation of the same version has it."""
    source = folder / "cli" / "warmup.py"
    source.parent.mkdir(parents=True)
    shutil.copy(str(warmup.__file__), source)
    spec = importlib.util.spec_from_file_location("another_warmup", source)
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_another_checkout_of_the_same_version_compiles_for_itself(tmp_path: Path) -> None:
    here, there = warmup._marker("table"), installed_at(tmp_path)._marker("table")
    assert here.parent == there.parent
    assert here.name != there.name
