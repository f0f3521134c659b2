"""``hainan backup`` and ``hainan restore``: everything that a server stores, as one file, and back."""

from pathlib import Path

from hainan.cli.common import OK, BadInput, language
from hainan.server.store import StoreError, backup, restore, url_of

_SHOWN = {"players": ("玩家", "players"), "matches": ("场比赛", "matches"), "hands": ("局牌", "hands")}


def run_backup(file: str, database: str | None, lang: str | None) -> int:
    """Write a snapshot of a database, whose server may be running, to a file; the exit status."""
    try:
        counts = backup(url_of(database), file)
    except StoreError as error:
        raise BadInput(str(error)) from None
    size = Path(file).stat().st_size / 1e6
    if language(lang) == "zh":
        print(f"已备份到 {file}（{size:.1f} MB）：{_counted(counts, 0)}")
    else:
        print(f"Saved to {file} ({size:.1f} MB): {_counted(counts, 1)}")
    return OK


def run_restore(file: str, database: str | None, force: bool, lang: str | None) -> int:
    """Fill a database, which no server uses now, from a backup; the exit status."""
    try:
        counts = restore(file, url_of(database), force=force)
    except StoreError as error:
        raise BadInput(str(error)) from None
    if language(lang) == "zh":
        print(f"已从 {file} 恢复：{_counted(counts, 0)}")
    else:
        print(f"Restored from {file}: {_counted(counts, 1)}")
    return OK


def _counted(counts: dict[str, int], column: int) -> str:
    parts = [f"{counts[table]} {names[column]}" for table, names in _SHOWN.items()]
    return ("，" if column == 0 else ", ").join(parts)
