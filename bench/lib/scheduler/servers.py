"""Servers for the settings: each has a store of its own, a copy of the same portfolio."""

import contextlib
import shutil

from lib import portfolio
from lib.contention.stores import has_postgresql
from lib.machine import Failure
from lib.postgresql import Cluster
from lib.roost import Roost


class Servers:
    def __init__(self, machine, options):
        self._machine, self._options = machine, options
        self.store = options.store or ("postgresql" if has_postgresql() else "sqlite")
        if self.store == "postgresql" and not has_postgresql():
            raise Failure("PostgreSQL 15 is not installed; --store sqlite does without")
        self._cluster = Cluster(machine) if self.store == "postgresql" else None
        portfolio.write(machine.folder / "portfolio.json", options.units, platforms=options.platforms)
        loader = Roost(machine, self._make("loaded"), "loader")
        loader.command("import", machine.folder / "portfolio.json")
        self._token = loader.token()

    @contextlib.contextmanager
    def run(self, setting, needs):
        """A server that has built its feeds."""
        roost = Roost(self._machine, self._copy(), "loader", [*setting.words(), *needs])
        roost.reader = self._token
        roost.start()
        try:
            roost.wait_for_feeds(self._options.units)
            yield roost
        except BaseException:
            roost.end()
            raise
        roost.stop()

    def _make(self, name):
        return self._cluster.create(name) if self._cluster else f"sqlite3://{self._machine.folder}/{name}.db"

    def _copy(self):
        if self._cluster:
            self._cluster.drop("lab")
            return self._cluster.create("lab", "loaded")
        for old in self._machine.folder.glob("lab.db*"):
            old.unlink()
        shutil.copy(self._machine.folder / "loaded.db", self._machine.folder / "lab.db")
        return f"sqlite3://{self._machine.folder}/lab.db"
