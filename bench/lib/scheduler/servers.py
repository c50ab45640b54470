"""Servers for the settings, each with its own store, a copy of the same portfolio."""

import contextlib

from lib import portfolio
from lib.roost import Roost
from lib.stores import Cluster, chosen_store, copy_sqlite, sqlite_url


class Servers:
    def __init__(self, machine, options):
        self._machine, self._options = machine, options
        self.store = chosen_store(options.store)
        self._cluster = Cluster(machine) if self.store == "postgresql" else None
        portfolio.write(machine.folder / "portfolio.json", options.units, platforms=options.platforms)
        loader = Roost(machine, self._create("loaded"), "loader")
        loader.command("import", machine.folder / "portfolio.json")
        self._token = loader.token()

    @contextlib.contextmanager
    def run(self, setting, extra_settings):
        """Runs a server, after it has built its feeds."""
        roost = Roost(self._machine, self._copy(), "loader", [*setting.overrides(), *extra_settings])
        roost.reader = self._token
        roost.start()
        try:
            roost.wait_for_feeds(self._options.units)
            yield roost
        except BaseException:
            roost.discard()
            raise
        roost.stop()

    def _create(self, name):
        return self._cluster.create(name) if self._cluster else sqlite_url(self._machine.folder, name)

    def _copy(self):
        if self._cluster:
            self._cluster.drop("lab")
            return self._cluster.create("lab", "loaded")
        return copy_sqlite(self._machine.folder, "loaded", "lab")
