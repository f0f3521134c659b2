"""``python -m hainan``."""

from hainan.cli.main import main

main()
