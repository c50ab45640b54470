"""Certainty: how soon waiting requests learn what became of their bookings, with 100,000 units, against a read of an outcome;
and submissions that can be repeated, against those that cannot."""

import json
import selectors
import socket
import statistics
import time
import uuid

from lib import portfolio
from lib.clients import request
from lib.figure import Figure
from lib.machine import Failure
from lib.roost import Roost
from lib.stores import Cluster

UNITS = 100_000
WAITING = 100
READS = 200
TIMEOUT = 60
CYCLE = "bookings.cycle=2s"  # long enough for all requests to wait before the next run
OPTIONS = ("units",)

# When groups of decisions were committed, in seconds since 1970.
_COMMITS = "select extract(epoch from at) from changes where kind = 'calendar' and position > {after} order by position"


def measure(machine, bench):
    units = bench.units or UNITS
    portfolio.write(machine.folder / "portfolio.json", units)
    cluster = Cluster(machine)
    roost = Roost(machine, cluster.create("certainty"), "certainty", [CYCLE])
    roost.command("import", machine.folder / "portfolio.json")
    headers = {"Authorization": f"Bearer {roost.token()}", "Content-Type": "application/json"}
    roost.start()
    roost.wait_for_feeds(units)
    middle, slowest, reads, puts, posts = [], [], [], [], []
    bench.report(Figure(f"from the commit until {WAITING} waiting requests have the outcome, p50", "ms", middle, reads, ("<", 50)),
                 Figure("  p99", "ms", slowest, target=("<", 250)),
                 Figure("a submission by PUT, against one by POST, p50", "ms", puts, posts))
    partner = _Partner(roost, headers, units)
    for _ in range(bench.rounds):
        cluster.settle()
        partner.wait_for_run()
        after = cluster.sql(roost.name, "select position from change_stream")
        sent = partner.submit_all(WAITING)
        posts.append(statistics.median(sent["POST"]))
        puts.append(statistics.median(sent["PUT"]))
        arrivals = partner.wait_for_all()
        commits = [float(line) for line in cluster.sql(roost.name, _COMMITS.format(after=after)).split()]
        if len(commits) != 1:
            raise Failure(f"the bookings were decided in {len(commits)} groups instead of one")
        times = sorted((at - commits[0]) * 1000 for at in arrivals)
        middle.append(statistics.median(times))
        slowest.append(statistics.quantiles(times, n=100)[98])
        reads.append(statistics.median(partner.read() for _ in range(READS)))
    roost.stop()


class _Partner:
    """Submits bookings of different units and waits for them."""

    def __init__(self, roost, headers, units):
        self._port, self._headers, self._units = roost.port, headers, units
        self._number, self._pending, self._decided = 0, [], None

    def wait_for_run(self):
        """Waits until a run has just decided, so that the next one does not follow soon."""
        self._submit("POST")
        self.wait_for_all()

    def submit_all(self, count):
        """Submits bookings, half of them by PUT; returns their times in ms by method."""
        times = {"PUT": [], "POST": []}
        for i in range(count):
            method = ("PUT", "POST")[i % 2]
            started = time.perf_counter()
            self._submit(method)
            times[method].append((time.perf_counter() - started) * 1000)
        return times

    def _submit(self, method):
        reference = str(uuid.uuid4())
        unit, month = self._number % self._units, self._number // self._units
        self._number += 1
        body = {"externalId": str(portfolio.FIRST_UNIT + unit), "bookingId": reference,
                "checkInDate": f"{2030 + month}-01-01", "checkOutDate": f"{2030 + month}-01-28", "numberOfExtraTenants": 1,
                "platformProviderPaymentValue": 650.5,
                "tenant": {"firstName": "Ada", "lastName": "Marsh", "email": f"guest{self._number}@guests.example",
                           "fiscalId": f"X{self._number}", "phone": "+34 600 000 000", "nationality": "GB"}}
        path = "/marketplace-a/bookings" + (f"/{reference}" if method == "PUT" else "")
        status, _, text = request(self._port, method, path, json.dumps(body), self._headers)
        if status != 201:
            raise Failure(f"{method} {path} returned {status} {text!r}")
        self._pending.append(reference)

    def wait_for_all(self):
        """Waits for all pending bookings at once; returns when the responses arrived, in seconds since 1970."""
        with selectors.DefaultSelector() as waiting:
            for reference in self._pending:
                connection = socket.create_connection(("127.0.0.1", self._port), TIMEOUT)
                waiting.register(connection, selectors.EVENT_READ, reference)
                connection.sendall(self._get(f"{reference}?wait=30s"))
            arrivals, until = [], time.monotonic() + TIMEOUT
            while waiting.get_map():
                if time.monotonic() > until:
                    raise Failure(f"{len(waiting.get_map())} requests still wait after {TIMEOUT} s")
                for key, _ in waiting.select(1):
                    arrivals.append(time.time())
                    response = key.fileobj.recv(65536)
                    if b'"status":"confirmed"' not in response:
                        raise Failure(f"the outcome of {key.data} is {response!r}")
                    waiting.unregister(key.fileobj)
                    key.fileobj.close()
        self._decided, self._pending = self._pending[0], []
        return arrivals

    def read(self):
        """Reads the outcome of a decided booking; returns the time in ms."""
        started = time.perf_counter()
        with socket.create_connection(("127.0.0.1", self._port), TIMEOUT) as connection:
            connection.sendall(self._get(self._decided))
            if not connection.recv(65536).startswith(b"HTTP/1.1 200"):
                raise Failure("the outcome could not be read")
        return (time.perf_counter() - started) * 1000

    def _get(self, reference):
        return (f"GET /marketplace-a/bookings/{reference} HTTP/1.1\r\nHost: 127.0.0.1\r\n"
                f"Authorization: {self._headers['Authorization']}\r\n\r\n").encode()
