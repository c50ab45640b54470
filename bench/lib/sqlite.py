"""SQLite stores in a folder, by their names."""

import shutil


def url(folder, name):
    return f"sqlite3://{folder}/{name}.db"


def copy(folder, name, to):
    """Puts a copy of a store that nobody uses in another one's place, and returns its URL."""
    for old in folder.glob(f"{to}.db*"):  # with its log
        old.unlink()
    shutil.copy(folder / f"{name}.db", folder / f"{to}.db")
    return url(folder, to)
