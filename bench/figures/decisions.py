"""The background run: how fast requests that wait are decided, and that each is decided as it must be."""

import datetime
import sqlite3
from collections import Counter

from lib import portfolio, sqlite, waiting_requests
from lib.effort import in_turns
from lib.machine import Failure, cpu_seconds, wait_until
from lib.postgresql import Cluster
from lib.roost import Roost
from lib.table import Figure

UNITS = 5000
REQUESTS = 50_000
QUEUE = 10_000  # of them, as many as a busy service finds waiting
CYCLE = "bookings.cycle=500ms"  # the first run starts so soon after the server; the one run takes them all
PATIENCE = 120
MOST_ROUNDS = 3  # unless an earlier build is measured beside this one, whose difference may be small
OPTIONS = ("units", "conflicts", "skew")

_INSERT = f"insert into booking_requests ({', '.join(waiting_requests.COLUMNS)})"
_OUTCOMES = "select state, decided_at, count(*) from booking_requests group by state, decided_at"


def measure(machine, effort):
    units = effort.units or UNITS
    portfolio.write(machine.folder / "portfolio.json", units)
    rows, expected = waiting_requests.make(REQUESTS, units, effort.conflicts, effort.skew)
    cluster = Cluster(machine)
    for limit, load in ((4, lambda program, build: _Postgresql(machine, rows, program, build, cluster)),
                        (2, lambda program, build: _Sqlite(machine, rows, program, build))):
        _measure_on(machine, effort, [load(program, build) for build, program in effort.builds(machine)], limit, expected)


def _measure_on(machine, effort, stores, limit, expected):
    """On one kind of store; of each build one."""
    title = stores[0].title
    rates, drained, cpu = ([[] for _ in stores] for _ in range(3))
    effort.tell(Figure(f"decisions, {title}", "/s", *rates, target=stores[0].target),
                Figure(f"  the first {QUEUE:,}", "s", *drained, target=("<", limit)),
                Figure("  server's time a decision", "us", *cpu))
    for number in range(effort.rounds if effort.before else min(effort.rounds, MOST_ROUNDS)):
        for i in in_turns(stores, number):
            found = _round(machine, stores[i], number, expected)
            for lists, value in zip((rates, drained, cpu), found):
                lists[i].append(value)


def _round(machine, store, number, expected):
    roost = Roost(machine, store.copy(number), f"{store.name}-{number}", [CYCLE], program=store.program)
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
    """Databases of a cluster: one with the requests that wait, and a copy of it for each round."""

    title, target = "PostgreSQL", (">=", 10_000)

    def __init__(self, machine, rows, program, build, cluster):
        self.name, self.program, self._cluster = f"postgresql-{build}", program, cluster
        self._loaded = f"loaded-{build}"
        loader = Roost(machine, cluster.create(self._loaded), f"loader-{self.name}", program=program)
        loader.command("import", machine.folder / "portfolio.json")
        text = "\n".join("\t".join(map(str, row)) for row in rows) + "\n"
        cluster.sql(self._loaded, f"copy booking_requests ({', '.join(waiting_requests.COLUMNS)}) from stdin", text)
        cluster.sql(self._loaded, "analyze")

    def copy(self, number):
        return self._cluster.create(f"{self._loaded}-{number}", self._loaded)

    def outcomes(self, number):
        text = self._cluster.sql(f"{self._loaded}-{number}", _OUTCOMES)
        return [(state, moment, int(count)) for state, moment, count in
                (line.split("|") for line in text.splitlines())]


class _Sqlite:
    """The same with files."""

    title, target = "SQLite", ()

    def __init__(self, machine, rows, program, build):
        self.name, self.program, self._folder = f"sqlite-{build}", program, machine.folder
        self._loaded = f"loaded-{build}"
        loader = Roost(machine, sqlite.url(self._folder, self._loaded), f"loader-{self.name}", program=program)
        loader.command("import", machine.folder / "portfolio.json")
        with sqlite3.connect(self._folder / f"{self._loaded}.db") as store:
            store.executemany(f"{_INSERT} values ({', '.join('?' * len(waiting_requests.COLUMNS))})", rows)
        store.close()

    def copy(self, number):
        return sqlite.copy(self._folder, self._loaded, f"{self._loaded}-{number}")

    def outcomes(self, number):
        store = sqlite3.connect(self._folder / f"{self._loaded}-{number}.db")
        try:
            return store.execute(_OUTCOMES).fetchall()
        finally:
            store.close()
