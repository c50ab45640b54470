"""Servers for the settings: each has a store of its own, a copy of the same portfolio."""

import contextlib

from lib import portfolio, sqlite
from lib.postgresql import Cluster, chosen_store
from lib.roost import Roost


class Servers:
    def __init__(self, machine, options):
        self._machine, self._options = machine, options
        self.store = chosen_store(options.store)
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
        return self._cluster.create(name) if self._cluster else sqlite.url(self._machine.folder, name)

    def _copy(self):
        if self._cluster:
            self._cluster.drop("lab")
            return self._cluster.create("lab", "loaded")
        return sqlite.copy(self._machine.folder, "loaded", "lab")
