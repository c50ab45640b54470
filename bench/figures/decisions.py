"""The background run: how fast pending requests are decided, and whether the decisions are correct."""

import datetime
import sqlite3
from collections import Counter

from lib import pending_requests, portfolio
from lib.bench import alternating
from lib.figure import Figure
from lib.machine import Failure, cpu_seconds, wait_until
from lib.roost import Roost
from lib.stores import Cluster, copy_sqlite, sqlite_url

UNITS = 5000
REQUESTS = 50_000
QUEUE = 10_000  # a typical backlog of a busy service
CYCLE = "bookings.cycle=500ms"  # the first run starts soon after the server and decides all requests
TIMEOUT = 120
MAX_ROUNDS = 3  # unless compared to an earlier build, because differences may be small
OPTIONS = ("units", "conflicts", "skew")

_INSERT = f"insert into booking_requests ({', '.join(pending_requests.COLUMNS)})"
_OUTCOMES = "select state, decided_at, count(*) from booking_requests group by state, decided_at"


def measure(machine, bench):
    units = bench.units or UNITS
    portfolio.write(machine.folder / "portfolio.json", units)
    rows, expected = pending_requests.make(REQUESTS, units, bench.conflicts, bench.skew)
    cluster = Cluster(machine)
    for limit, load in ((4, lambda program, build: _Postgresql(machine, rows, program, build, cluster)),
                        (2, lambda program, build: _Sqlite(machine, rows, program, build))):
        _measure_on(machine, bench, [load(program, build) for build, program in bench.builds(machine)], limit, expected)


def _measure_on(machine, bench, stores, limit, expected):
    """Measures one kind of store with one store per build."""
    title = stores[0].title
    rates, drained, cpu = ([[] for _ in stores] for _ in range(3))
    bench.report(Figure(f"decisions, {title}", "/s", *rates, target=stores[0].target),
                 Figure(f"  the first {QUEUE:,}", "s", *drained, target=("<", limit)),
                 Figure("  server time per decision", "us", *cpu))
    for number in range(bench.rounds if bench.before else min(bench.rounds, MAX_ROUNDS)):
        for i in alternating(stores, number):
            values = _round(machine, stores[i], number, expected)
            for lists, value in zip((rates, drained, cpu), values):
                lists[i].append(value)


def _round(machine, store, number, expected):
    roost = Roost(machine, store.copy(number), f"{store.name}-{number}", [CYCLE], program=store.program)
    roost.start()
    used = cpu_seconds(roost.pid())
    wait_until(lambda: sum(roost.metrics("roost_decisions_total").values()) >= REQUESTS, TIMEOUT,
               f"{REQUESTS} decisions", poll=0.25)
    used = cpu_seconds(roost.pid()) - used
    roost.stop()
    outcomes, groups = Counter(), Counter()
    for state, decided_at, count in store.outcomes(number):
        outcomes[state] += count
        groups[datetime.datetime.fromisoformat(decided_at)] += count
    if outcomes != expected:
        raise Failure(f"{store.name} decided {dict(outcomes)} instead of {dict(expected)}")
    # A group is stored with the time at which its writing started, so the last group is excluded from count and time.
    first, last = min(groups), max(groups)
    rate = (REQUESTS - groups[last]) / (last - first).total_seconds()
    return rate, (_start_of_group_after(groups, QUEUE) - first).total_seconds(), used / REQUESTS * 1e6


def _start_of_group_after(groups, count):
    """Returns when the writing of the group after this number of decisions started."""
    for start in sorted(groups):
        if count <= 0:
            return start
        count -= groups[start]
    raise Failure("too few decisions")


class _Postgresql:
    """Databases of a cluster: one with the pending requests, and a copy of it per round."""

    title, target = "PostgreSQL", (">=", 10_000)

    def __init__(self, machine, rows, program, build, cluster):
        self.name, self.program, self._cluster = f"postgresql-{build}", program, cluster
        self._loaded = f"loaded-{build}"
        loader = Roost(machine, cluster.create(self._loaded), f"loader-{self.name}", program=program)
        loader.command("import", machine.folder / "portfolio.json")
        text = "\n".join("\t".join(map(str, row)) for row in rows) + "\n"
        cluster.sql(self._loaded, f"copy booking_requests ({', '.join(pending_requests.COLUMNS)}) from stdin", text)
        cluster.sql(self._loaded, "analyze")

    def copy(self, number):
        return self._cluster.create(f"{self._loaded}-{number}", self._loaded)

    def outcomes(self, number):
        text = self._cluster.sql(f"{self._loaded}-{number}", _OUTCOMES)
        return [(state, decided_at, int(count)) for state, decided_at, count in
                (line.split("|") for line in text.splitlines())]


class _Sqlite:
    """The same with SQLite files."""

    title, target = "SQLite", ()

    def __init__(self, machine, rows, program, build):
        self.name, self.program, self._folder = f"sqlite-{build}", program, machine.folder
        self._loaded = f"loaded-{build}"
        loader = Roost(machine, sqlite_url(self._folder, self._loaded), f"loader-{self.name}", program=program)
        loader.command("import", machine.folder / "portfolio.json")
        with sqlite3.connect(self._folder / f"{self._loaded}.db") as store:
            store.executemany(f"{_INSERT} values ({', '.join('?' * len(pending_requests.COLUMNS))})", rows)
        store.close()

    def copy(self, number):
        return copy_sqlite(self._folder, self._loaded, f"{self._loaded}-{number}")

    def outcomes(self, number):
        store = sqlite3.connect(self._folder / f"{self._loaded}-{number}.db")
        try:
            return store.execute(_OUTCOMES).fetchall()
        finally:
            store.close()
