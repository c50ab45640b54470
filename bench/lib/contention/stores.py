"""Stores for the cells: each cell has one of its own, a copy of the same portfolio."""

import os
import shutil

from lib.machine import Failure, run
from lib.postgresql import Cluster

INITDB = "/usr/lib/postgresql/15/bin/initdb"


def has_postgresql():
    return os.access(INITDB, os.X_OK)


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
        # The first process is the parent of all others: theirs is the database's processor time.
        self.pid = int(self.sql("select pg_read_file('postmaster.pid')").split()[0])

    def fresh(self):
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
        run([program, "prepare", "--store", self._url("lab"), "--units", options.units], timeout=600)

    def fresh(self):
        for leftover in self._folder.glob("cell.db*"):
            leftover.unlink()
        shutil.copy(self._folder / "lab.db", self._folder / "cell.db")
        return self._url("cell")

    def _url(self, name):
        return f"sqlite3://{self._folder}/{name}.db"


def make(machine, program, options):
    wanted = options.store or ("postgresql" if has_postgresql() else "sqlite")
    if wanted == "postgresql" and not has_postgresql():
        raise Failure(f"there is no {INITDB}; --store sqlite runs the actors alone")
    if wanted == "sqlite" and options.fault:
        raise Failure("--fault needs PostgreSQL: SQLite has no connections and no processes")
    return (Postgresql if wanted == "postgresql" else Sqlite)(machine, program, options)
