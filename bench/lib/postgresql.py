"""A throw-away PostgreSQL cluster (script/lib/postgresql.sh), and pgbench on it."""

import os
import re
import subprocess

from lib.machine import CORES, Failure, run

_PROGRAMS = "/usr/lib/postgresql/15/bin"

_WAL_FILES = 64  # of 16 MB

# The cluster ends when its standard input does, whatever happens to this program.
_CLUSTER = """
source script/lib/common.sh
source script/lib/postgresql.sh
trap pg_stop EXIT
pg_start
echo "$PG_PORT"
read -r _ || true
"""


def chosen_store(wanted):
    """`wanted`, or postgresql where it is installed, else sqlite. Throws Failure for what there is not."""
    is_installed = os.access(f"{_PROGRAMS}/initdb", os.X_OK)
    if wanted == "postgresql" and not is_installed:
        raise Failure("PostgreSQL 15 is not installed; --store sqlite does without")
    return wanted or ("postgresql" if is_installed else "sqlite")


class Cluster:
    """fsync is on: its commits are durable."""

    def __init__(self, machine):
        self._process = machine.start(["env", "-u", "ROOST_TEST_FSYNC", "bash", "-euc", _CLUSTER],
                                      name="postgresql", stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        machine.at_end(self._stop)
        port = self._process.stdout.readline().strip()
        if not port:
            raise Failure(f"PostgreSQL did not start: {machine.log_of('postgresql')}")
        self._port = int(port)
        self._age()

    def _age(self):
        """Uses up the log files of the first minutes. A new cluster makes every one of them anew, and all commits
        wait for it; one that has run for a while takes old files again."""
        for setting in (f"min_wal_size = '{_WAL_FILES * 16}MB'", f"max_wal_size = '{_WAL_FILES * 32}MB'"):
            self.sql("postgres", f"alter system set {setting}")
        self.sql("postgres", "select pg_reload_conf()")
        use_one = "select pg_logical_emit_message(false, 'bench', 'full'); select pg_switch_wal();"
        self.sql("postgres", use_one * _WAL_FILES)
        self.settle()

    def settle(self):
        """Writes what waits to be written, so that a round does not pay for what went before it."""
        self.sql("postgres", "checkpoint")
        os.sync()

    def create(self, database, template="template1"):
        """Makes a database and answers its URL."""
        self.sql("postgres", f'create database "{database}" template "{template}"')
        return f"postgresql://roost@127.0.0.1:{self._port}/{database}"

    def drop(self, database):
        self.sql("postgres", f'drop database if exists "{database}" with (force)')

    def sql(self, database, text, data=None, timeout=300):
        """Runs SQL, with `data` for a copy from standard input, and answers what it printed."""
        command = [f"{_PROGRAMS}/psql", *self._address(), "-XqAt", "-v", "ON_ERROR_STOP=1", "-c", text, database]
        return run(command, timeout=timeout, input=data or "").strip()

    def inserts_per_second(self, database, script, seconds):
        """One insert per commit over as many connections as there are cores, by pgbench."""
        said = run([f"{_PROGRAMS}/pgbench", *self._address(), "--no-vacuum", "--protocol=prepared",
                    f"--client={CORES}", f"--jobs={CORES}", f"--time={seconds}", f"--file={script}", database],
                   timeout=seconds + 60)
        return float(re.search(r"^tps = ([\d.]+)", said, re.MULTILINE)[1])

    def _address(self):
        return ["-h", "127.0.0.1", "-p", str(self._port), "-U", "roost"]

    def _stop(self):
        self._process.stdin.close()
        try:
            self._process.wait(30)
        except subprocess.TimeoutExpired:
            pass  # the machine ends it by force
