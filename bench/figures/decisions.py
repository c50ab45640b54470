"""The background run: how fast requests that wait are decided, and that each is decided as it must be."""

import datetime
import sqlite3
from collections import Counter

from lib import portfolio, sqlite, waiting_requests
from lib.machine import Failure, cpu_seconds, wait_until
from lib.postgresql import Cluster
from lib.roost import Roost
from lib.table import Figure

UNITS = 5000
REQUESTS = 50_000
QUEUE = 10_000  # of them, as many as a busy service finds waiting
CYCLE = "bookings.cycle=500ms"  # the first run starts so soon after the server; the one run takes them all
PATIENCE = 120
OPTIONS = ("units", "conflicts", "skew")

_INSERT = f"insert into booking_requests ({', '.join(waiting_requests.COLUMNS)})"
_OUTCOMES = "select state, decided_at, count(*) from booking_requests group by state, decided_at"


def measure(machine, effort):
    units = effort.units or UNITS
    portfolio.write(machine.folder / "portfolio.json", units)
    rows, expected = waiting_requests.make(REQUESTS, units, effort.conflicts, effort.skew)
    stores = (_Postgresql(machine, rows), 4), (_Sqlite(machine, rows), 2)
    found = [([], [], []) for _ in stores]
    for (store, limit), (rates, drained, cpu) in zip(stores, found):
        target = (">=", 10_000) if store.name == "postgresql" else ()
        effort.tell(Figure(f"decisions, {store.title}", "/s", rates, target=target),
                    Figure(f"  the first {QUEUE:,}", "s", drained, target=("<", limit)),
                    Figure("  server's time a decision", "us", cpu))
    for number in range(min(effort.rounds, 3)):
        for (store, _), lists in zip(stores, found):
            for values, value in zip(lists, _round(machine, store, number, expected)):
                values.append(value)


def _round(machine, store, number, expected):
    roost = Roost(machine, store.copy(number), f"{store.name}-{number}", [CYCLE])
    roost.start()
    used = cpu_seconds(roost.pid())
    wait_until(lambda: sum(roost.metrics("roost_decisions_total").values()) >= REQUESTS, PATIENCE,
               f"{REQUESTS} decisions", poll=0.25)
    used = cpu_seconds(roost.pid()) - used
    roost.stop()
    outcomes, groups = Counter(), Counter()
    for state, decided_at, count in store.outcomes(number):
        outcomes[state] += count
        groups[datetime.datetime.fromisoformat(decided_at)] += count
    if outcomes != expected:
        raise Failure(f"{store.name} decided {dict(outcomes)} instead of {dict(expected)}")
    # A group carries the moment at which its writing began: the last one's count is left out with its time.
    first, last = min(groups), max(groups)
    rate = (REQUESTS - groups[last]) / (last - first).total_seconds()
    return rate, (_moment_after(groups, QUEUE) - first).total_seconds(), used / REQUESTS * 1e6


def _moment_after(groups, count):
    """When the writing of the group began that follows so many decisions."""
    for moment in sorted(groups):
        if count <= 0:
            return moment
        count -= groups[moment]
    raise Failure("there are too few decisions")


class _Postgresql:
    name, title = "postgresql", "PostgreSQL"

    def __init__(self, machine, rows):
        self._cluster = Cluster(machine)
        loader = Roost(machine, self._cluster.create("loaded"), "loader-postgresql")
        loader.command("import", machine.folder / "portfolio.json")
        text = "\n".join("\t".join(map(str, row)) for row in rows) + "\n"
        self._cluster.sql("loaded", f"copy booking_requests ({', '.join(waiting_requests.COLUMNS)}) from stdin",
                          text)
        self._cluster.sql("loaded", "analyze")

    def copy(self, number):
        return self._cluster.create(f"round{number}", "loaded")

    def outcomes(self, number):
        text = self._cluster.sql(f"round{number}", _OUTCOMES)
        return [(state, moment, int(count)) for state, moment, count in
                (line.split("|") for line in text.splitlines())]


class _Sqlite:
    name, title = "sqlite", "SQLite"

    def __init__(self, machine, rows):
        self._folder = machine.folder
        loader = Roost(machine, sqlite.url(self._folder, "loaded"), "loader-sqlite")
        loader.command("import", machine.folder / "portfolio.json")
        with sqlite3.connect(self._folder / "loaded.db") as store:
            store.executemany(f"{_INSERT} values ({', '.join('?' * len(waiting_requests.COLUMNS))})", rows)
        store.close()

    def copy(self, number):
        return sqlite.copy(self._folder, "loaded", f"round{number}")

    def outcomes(self, number):
        store = sqlite3.connect(self._folder / f"round{number}.db")
        try:
            return store.execute(_OUTCOMES).fetchall()
        finally:
            store.close()
