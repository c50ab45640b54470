"""Cancellations by marketplace A's webhook, and edits and creations by the booking engine, over 64 connections: against one
update per commit over one connection per core, or against an earlier build."""

import itertools
from dataclasses import dataclass

from lib import pending_requests, portfolio, wrk
from lib.bench import alternating
from lib.figure import Figure
from lib.machine import Failure, wait_until
from lib.roost import Roost
from lib.stores import Cluster

UNITS = 1000
MAX_PER_SECOND = 20_000  # upper bound on writes per second; sizes the bookings prepared for cancellation
BOOKING_TIMEOUT = 300
MAX_ROUNDS = 3  # unless compared to an earlier build
OPTIONS = ("units", "connections")

# One booking per unit and month. The load (lib/write.lua) derives references and units from the same numbers.
_BOOKINGS = """insert into booking_requests ({columns})
select gen_random_uuid(), 'marketplace-a', ({first_unit} + n % {units})::text,
  ('00000000-0000-4000-8000-' || lpad(to_hex(n), 12, '0'))::text, month::date, month::date + 24, 1, 65050, 3500, 'Ada', 'Marsh',
  'guest' || n || '@guests.example', 'X' || n || 'L', '+34 600 000 000', 'GB', now()
from (select n, timestamp '2030-01-01' + n / {units} * interval '1 month' as month from generate_series(0, {count} - 1) n) numbers
"""

_UPDATE = r"""\set number random(1, 100000)
update one_update set changed_at = now() where number = :number;
"""


@dataclass
class _Kind:
    """A kind of writes. `stored` counts the writes that were committed."""

    title: str
    name: str  # for lib/write.lua
    path: str
    platform: str
    template: str  # each round gets a copy of this store
    stored: str


KINDS = (_Kind("cancellations", "cancel", "/marketplace-a/webhook", "marketplace-a", "booked",
               "select count(*) from bookings where status = 'cancelled'"),
         _Kind("edits by the booking engine", "edit", "/booking-engine/listing", "booking-engine", "imported",
               "select count(*) from changelog"),
         _Kind("creations by the booking engine", "create", "/booking-engine/property-listing", "booking-engine", "imported",
               "select count(*) from properties where internal_name = 'Rua 1'"))


def measure(machine, bench):
    bench.units = bench.units or UNITS
    portfolio.write(machine.folder / "portfolio.json", bench.units, on_engine=True)
    (machine.folder / "update.sql").write_text(_UPDATE)
    cluster = Cluster(machine)
    cluster.create("peer")
    cluster.sql("peer", "create table one_update (number int primary key, changed_at timestamptz) with (fillfactor = 60)")
    cluster.sql("peer", "insert into one_update select n, now() from generate_series(1, 100000) n")
    builds = [_Build(machine, cluster, bench, name, program) for name, program in bench.builds(machine)]

    def updates():
        return cluster.inserts_per_second("peer", machine.folder / "update.sql", bench.seconds)
    for kind in KINDS:
        _compare(kind.title, kind, cluster, bench, builds, updates)
    with cluster.slow_flush():
        for kind in KINDS:
            _compare(f"{kind.title} with a flush of 1 ms", kind, cluster, bench, builds, updates)


def _compare(title, kind, cluster, bench, builds, updates):
    """Reports one build against updates, or two builds."""
    loads, updated = [wrk.Loads() for _ in builds], []
    peer = loads[1].rate if bench.before else updated
    bench.report(Figure(title, "/s", loads[0].rate, peer),
                 Figure("  p99", "ms", *(each.p99 for each in loads)),
                 Figure("  server time per write", "us", *(each.cpu for each in loads)))
    for number in range(bench.rounds if bench.before else min(bench.rounds, MAX_ROUNDS)):
        for i in alternating(range(2), number):
            if i < len(builds):
                loads[i].add(builds[i].load(kind))
            else:
                cluster.settle()
                updated.append(updates())


class _Build:
    """The stores of one build: one with the portfolio, one also with bookings. Each round uses a copy, so that all rounds write
    to stores of the same size."""

    def __init__(self, machine, cluster, bench, name, program):
        self._machine, self._cluster, self._bench, self._program = machine, cluster, bench, program
        self._name, self._numbers = name, itertools.count()
        self._max_writes = bench.seconds * MAX_PER_SECOND
        imported = self._server("imported", "template1")
        imported.command("import", machine.folder / "portfolio.json")
        self._tokens = {platform: imported.token(platform) for platform in {kind.platform for kind in KINDS}}
        accounts = cluster.sql(imported.name, "select id from accounts order by landlord_key").split()
        self._keys = [imported.command("key", "issue", "--account", account).split()[-1]
                      for account in accounts[:bench.connections]]
        self._book()

    def _book(self):
        roost = self._server("booked", f"imported-{self._name}", "500ms")
        self._cluster.sql(roost.name, _BOOKINGS.format(columns=", ".join(pending_requests.COLUMNS), units=self._bench.units,
                                                       first_unit=portfolio.FIRST_UNIT, count=self._max_writes))
        self._cluster.sql(roost.name, "analyze")
        roost.start()
        wait_until(lambda: sum(roost.metrics("roost_decisions_total").values()) >= self._max_writes, BOOKING_TIMEOUT,
                   f"{self._max_writes} bookings", poll=0.25)
        roost.stop()
        booked = int(self._cluster.sql(roost.name, "select count(*) from bookings"))
        if booked != self._max_writes:
            raise Failure(f"{booked} of {self._max_writes} requests were booked")

    def load(self, kind):
        """Loads a server on a new copy of the store."""
        roost = self._server(f"{kind.name}-{next(self._numbers)}", f"{kind.template}-{self._name}")
        roost.start()
        roost.wait_for_feeds(self._bench.units)
        self._cluster.settle()
        keys = self._keys if kind.name == "create" else []
        load = wrk.load(f"{roost.url}{kind.path}", self._bench.seconds, roost.pid(),
                        [f"Authorization: Bearer {self._tokens[kind.platform]}"], "write.lua",
                        [kind.name, self._max_writes, self._bench.units, portfolio.FIRST_UNIT, *keys], core=None,
                        connections=self._bench.connections)
        if load.posted >= self._max_writes:
            raise Failure(f"all {self._max_writes} {kind.title} were sent before the end of a round")
        stored = int(self._cluster.sql(roost.name, kind.stored))
        if stored < load.responses:
            raise Failure(f"{load.responses} {kind.title} were acknowledged, but only {stored} are stored")
        roost.stop()
        self._cluster.drop(roost.name)
        return load

    def _server(self, name, template, cycle="1h"):
        """Returns a server on a copy of the template."""
        name = f"{name}-{self._name}"
        return Roost(self._machine, self._cluster.create(name, template), name, [f"bookings.cycle={cycle}"],
                     program=self._program)
