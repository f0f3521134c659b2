"""Packages that only learning needs: asked for where they are used, with a sentence where they lack."""

from importlib import import_module
from types import ModuleType
from typing import Final

EXTRA: Final = {
    "gymnasium": "rl",
    "pettingzoo": "rl",
    "pyarrow": "rl",
    "ray": "cluster",
    "onnxruntime": "onnx",
}
"""Which extra of this package brings which package."""


class MissingPackage(ImportError):
    """A package that isn't installed, and the command that installs it."""


def require(name: str) -> ModuleType:
    """An optional package or a module of one; raises MissingPackage, which says how to get it."""
    package = name.partition(".")[0]
    try:
        return import_module(name)
    except ModuleNotFoundError as error:
        if error.name is not None and error.name.partition(".")[0] != package:
            raise
        extra = EXTRA[package]
        raise MissingPackage(
            f"this needs {package}, which isn't installed: pip install 'hainan-mahjong[{extra}]'",
            name=package,
        ) from None
