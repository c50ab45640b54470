"""Stores: a throw-away PostgreSQL cluster (script/lib/postgresql.sh) with pgbench, and SQLite files."""

import contextlib
import datetime
import os
import re
import shutil
import subprocess

from lib.machine import CORES, Failure, run

_PROGRAMS = "/usr/lib/postgresql/15/bin"

_WAL_FILES = 64  # of 16 MB

# The cluster stops when its standard input is closed, even if this program is killed.
_CLUSTER = """
source script/lib/common.sh
source script/lib/postgresql.sh
trap pg_stop EXIT
pg_start
echo "$PG_PORT"
read -r _ || true
"""


def chosen_store(requested):
    """Returns `requested`, or by default postgresql if it is installed, otherwise sqlite. Raises Failure if the requested
    store is not installed."""
    is_installed = os.access(f"{_PROGRAMS}/initdb", os.X_OK)
    if requested == "postgresql" and not is_installed:
        raise Failure("PostgreSQL 15 is not installed; use --store sqlite")
    return requested or ("postgresql" if is_installed else "sqlite")


def newest_commit(rows, kind):
    """Returns when the newest change of this kind was committed, in seconds since 1970: a transaction writes its entry in the
    change stream last. `rows` returns the lines of a query."""
    at = rows(f"select at from changes where kind = '{kind}' order by position desc limit 1")[0]
    return datetime.datetime.fromisoformat(at).timestamp()


def sqlite_url(folder, name):
    return f"sqlite3://{folder}/{name}.db"


def copy_sqlite(folder, name, copy):
    """Copies an unused store, replacing an existing copy, and returns the copy's URL."""
    for old in folder.glob(f"{copy}.db*"):  # including its log
        old.unlink()
    shutil.copy(folder / f"{name}.db", folder / f"{copy}.db")
    return sqlite_url(folder, copy)


class Cluster:
    """A PostgreSQL cluster with fsync, so that commits are durable."""

    def __init__(self, machine):
        self._process = machine.start(["env", "-u", "ROOST_TEST_FSYNC", "bash", "-euc", _CLUSTER],
                                      name="postgresql", stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        machine.add_cleanup(self._stop)
        port = self._process.stdout.readline().strip()
        if not port:
            raise Failure(f"PostgreSQL did not start: {machine.log_of('postgresql')}")
        self._port = int(port)
        self._age()

    def _age(self):
        """Fills the log files of the first minutes. A new cluster has to create them, and all commits wait for that; one that
        has run for a while reuses old files."""
        for setting in (f"min_wal_size = '{_WAL_FILES * 16}MB'", f"max_wal_size = '{_WAL_FILES * 32}MB'"):
            self.sql("postgres", f"alter system set {setting}")
        self.sql("postgres", "select pg_reload_conf()")
        use_one = "select pg_logical_emit_message(false, 'bench', 'full'); select pg_switch_wal();"
        self.sql("postgres", use_one * _WAL_FILES)
        self.settle()

    def settle(self):
        """Flushes pending writes, so that a round does not pay for earlier ones."""
        self.sql("postgres", "checkpoint")
        os.sync()

    def create(self, database, template="template1"):
        """Creates a database and returns its URL."""
        self.sql("postgres", f'create database "{database}" template "{template}"')
        return f"postgresql://roost@127.0.0.1:{self._port}/{database}"

    def drop(self, database):
        self.sql("postgres", f'drop database if exists "{database}" with (force)')

    def sql(self, database, text, data=None, timeout=300):
        """Runs SQL, with `data` for a copy from standard input, and returns its output."""
        command = [f"{_PROGRAMS}/psql", *self._address(), "-XqAt", "-v", "ON_ERROR_STOP=1", "-c", text, database]
        return run(command, timeout=timeout, input=data or "").strip()

    def inserts_per_second(self, database, script, seconds):
        """Measures one insert per commit with pgbench, over one connection per core."""
        output = run([f"{_PROGRAMS}/pgbench", *self._address(), "--no-vacuum", "--protocol=prepared",
                    f"--client={CORES}", f"--jobs={CORES}", f"--time={seconds}", f"--file={script}", database],
                   timeout=seconds + 60)
        return float(re.search(r"^tps = ([\d.]+)", output, re.MULTILINE)[1])

    @contextlib.contextmanager
    def slow_flush(self):
        """Lets PostgreSQL wait for a millisecond before each flush, as on disks without a protected cache. On a virtual
        machine's disk, a flush may be so cheap that groups save nothing."""
        settings = {"commit_delay": 1000, "commit_siblings": 0}
        for name, value in settings.items():
            self.sql("postgres", f"alter system set {name} = {value}")
        self.sql("postgres", "select pg_reload_conf()")
        yield
        for name in settings:
            self.sql("postgres", f"alter system reset {name}")
        self.sql("postgres", "select pg_reload_conf()")

    def _address(self):
        return ["-h", "127.0.0.1", "-p", str(self._port), "-U", "roost"]

    def _stop(self):
        self._process.stdin.close()
        try:
            self._process.wait(30)
        except subprocess.TimeoutExpired:
            pass  # the machine kills it
