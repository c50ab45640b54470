"""Stores for the cells, each a copy of the same portfolio."""

from lib.machine import Failure, run
from lib.stores import Cluster, chosen_store, copy_sqlite, sqlite_url


class Postgresql:
    name = "postgresql"

    def __init__(self, machine, program, options):
        self._cluster, self._is_quick = Cluster(machine), options.quick
        settings = {"fsync": options.fsync, "commit_delay": int(options.flush_ms * 1000),
                    "commit_siblings": 0 if options.flush_ms else 5}
        for key, value in settings.items():
            self.sql(f"alter system set {key} = {value}")
        self.sql("select pg_reload_conf()")
        run([program, "prepare", "--store", self._cluster.create("lab"), "--units", options.units], timeout=600)
        # The parent of all other processes, for the database's processor time.
        self.pid = int(self.sql("select pg_read_file('postmaster.pid')").split()[0])

    def create(self):
        self._cluster.drop("cell")
        url = self._cluster.create("cell", "lab")
        if self._is_quick:
            self.sql("checkpoint")
        else:
            self._cluster.settle()
        return url

    def sql(self, text):
        return self._cluster.sql("postgres", text)


class Sqlite:
    name = "sqlite"
    pid = 0

    def __init__(self, machine, program, options):
        self._folder = machine.folder
        run([program, "prepare", "--store", sqlite_url(self._folder, "lab"), "--units", options.units], timeout=600)

    def create(self):
        return copy_sqlite(self._folder, "lab", "cell")


def make(machine, program, options):
    chosen = chosen_store(options.store)
    if chosen == "sqlite" and options.fault:
        raise Failure("--fault needs PostgreSQL: SQLite has no connections or processes")
    return (Postgresql if chosen == "postgresql" else Sqlite)(machine, program, options)
