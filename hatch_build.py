"""Makes the page of the wheel from web/, with the Node that comes from PyPI."""

import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

ROOT = Path(__file__).parent


class PageHook(BuildHookInterface):  # type: ignore[type-arg]
    """Runs before a wheel is packed."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Build the page, unless the package is only pointed at in a checkout, which makes its own."""
        if version == "editable" or self.target_name != "wheel":
            return
        sys.path.insert(0, str(ROOT / "web"))
        import npm

        if npm.build():
            raise RuntimeError("the page in web/ could not be built")
