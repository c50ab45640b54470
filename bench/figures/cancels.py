"""A cancellation by a marketplace: from the webhook's first byte until a live read shows that the nights are free."""

import http.client
import json
import statistics
import time

from lib import pending_requests, portfolio
from lib.bench import alternating
from lib.figure import Figure
from lib.machine import Failure, cpu_seconds, wait_until
from lib.roost import Roost
from lib.stores import Cluster, sqlite_url

UNITS = 500
BOOKINGS = 2_000
CANCELS_PER_ROUND = 300
OPTIONS = ("units",)


def measure(machine, bench):
    units = bench.units or UNITS
    portfolio.write(machine.folder / "portfolio.json", units)
    bookings = _without_conflicts(pending_requests.make(BOOKINGS, units)[0])
    cluster = Cluster(machine)
    for name, url_of in (("PostgreSQL", cluster.create), ("SQLite", lambda store: sqlite_url(machine.folder, store))):
        servers = [_booked(machine, f"cancels-{name}-{build}", url_of(f"cancels-{build}"), program, bookings)
                   for build, program in bench.builds(machine)]
        medians, slow, cpu = ([[] for _ in servers] for _ in range(3))
        bench.report(Figure(f"cancellation until shown, {name}, p50", "ms", *medians, target=("<", 5)),
                     Figure("  p99", "ms", *slow),
                     Figure("  server time per cancellation and read", "us", *cpu))
        for number in range(min(bench.rounds, len(bookings) // CANCELS_PER_ROUND)):
            for i in alternating(servers, number):
                used = cpu_seconds(servers[i].pid())
                times = _cancel(servers[i], bookings[number * CANCELS_PER_ROUND:][:CANCELS_PER_ROUND])
                medians[i].append(statistics.median(times))
                slow[i].append(statistics.quantiles(times, n=100)[98])
                cpu[i].append((cpu_seconds(servers[i].pid()) - used) / len(times) * 1e6)
        for server in servers:
            server.stop()


def _booked(machine, name, url, program, bookings):
    """Starts a server and waits until it has decided all bookings."""
    roost = Roost(machine, url, name, ["bookings.cycle=500ms"], program=program)
    roost.command("import", machine.folder / "portfolio.json")
    roost.authorization = f"Bearer {roost.token()}"
    roost.start()
    for row in bookings:
        fields = dict(zip(pending_requests.COLUMNS, row))
        status = _call(roost, "POST", "/marketplace-a/bookings", {
            "externalId": fields["external_id"], "bookingId": fields["reference"], "checkInDate": fields["check_in"],
            "checkOutDate": fields["check_out"], "platformProviderPaymentValue": 650,
            "tenant": {"firstName": "Ada", "email": fields["email"]}})[0]
        if status != 201:
            raise Failure(f"a submission returned {status}")
    wait_until(lambda: sum(roost.metrics("roost_decisions_total").values()) >= len(bookings), 120, "the bookings",
               poll=0.25)
    return roost


def _without_conflicts(rows):
    """Returns the requests without repeated references and taken nights."""
    seen, kept = set(), []
    for row in rows:
        nights = row[2], row[4]
        if row[3] not in seen and nights not in seen:
            kept.append(row)
        seen.update((row[3], nights))
    return kept


def _cancel(roost, rows):
    times = []
    for row in rows:
        fields = dict(zip(pending_requests.COLUMNS, row))
        started = time.perf_counter()
        status, body = _call(roost, "POST", "/marketplace-a/webhook", {
            "event": "booking-cancelled", "offer_api_reference": fields["external_id"],
            "booking_id": fields["reference"]})
        listing = _call(roost, "GET", f"/marketplace-a/listings/{fields['external_id']}")[1]
        times.append((time.perf_counter() - started) * 1000)
        if status != 201 or json.loads(body) != {"ok": True}:
            raise Failure(f"a cancellation returned {status} {body!r}")
        if any(row["from"] == fields["check_in"] for row in json.loads(listing)["unavailabilities"]):
            raise Failure("the nights of a cancelled booking are still taken")
    return times


def _call(roost, method, path, body=None):
    connection = http.client.HTTPConnection("127.0.0.1", roost.port, timeout=30)
    try:
        connection.request(method, path, body and json.dumps(body),
                           {"Authorization": roost.authorization, "Content-Type": "application/json"})
        response = connection.getresponse()
        return response.status, response.read()
    finally:
        connection.close()
