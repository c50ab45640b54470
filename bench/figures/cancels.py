"""A marketplace's cancel: from the webhook's first byte until a live read shows that the nights are free."""

import http.client
import json
import statistics
import time

from lib import portfolio, sqlite, waiting_requests
from lib.effort import in_turns
from lib.machine import Failure, cpu_seconds, wait_until
from lib.postgresql import Cluster
from lib.roost import Roost
from lib.table import Figure

UNITS = 500
BOOKINGS = 2_000
CANCELS_A_ROUND = 300
OPTIONS = ("units",)


def measure(machine, effort):
    units = effort.units or UNITS
    portfolio.write(machine.folder / "portfolio.json", units)
    bookings = _first_of_each(waiting_requests.make(BOOKINGS, units)[0])
    cluster = Cluster(machine)
    for name, url_of in (("PostgreSQL", cluster.create), ("SQLite", lambda store: sqlite.url(machine.folder, store))):
        servers = [_booked(machine, f"cancels-{name}-{build}", url_of(f"cancels-{build}"), program, bookings)
                   for build, program in effort.builds(machine)]
        medians, slow, cpu = ([[] for _ in servers] for _ in range(3))
        effort.tell(Figure(f"cancel to calendar, {name}, p50", "ms", *medians, target=("<", 5)),
                    Figure("  p99", "ms", *slow),
                    Figure("  server's time a cancel and the read after it", "us", *cpu))
        for number in range(min(effort.rounds, len(bookings) // CANCELS_A_ROUND)):
            for i in in_turns(servers, number):
                used = cpu_seconds(servers[i].pid())
                times = _cancel(servers[i], bookings[number * CANCELS_A_ROUND:][:CANCELS_A_ROUND])
                medians[i].append(statistics.median(times))
                slow[i].append(statistics.quantiles(times, n=100)[98])
                cpu[i].append((cpu_seconds(servers[i].pid()) - used) / len(times) * 1e6)
        for server in servers:
            server.stop()


def _booked(machine, name, url, program, bookings):
    """A server that has made all of them."""
    roost = Roost(machine, url, name, ["bookings.cycle=500ms"], program=program)
    roost.command("import", machine.folder / "portfolio.json")
    roost.authorization = f"Bearer {roost.token()}"
    roost.start()
    for row in bookings:
        fields = dict(zip(waiting_requests.COLUMNS, row))
        status = _call(roost, "POST", "/marketplace-a/bookings", {
            "externalId": fields["external_id"], "bookingId": fields["reference"], "checkInDate": fields["check_in"],
            "checkOutDate": fields["check_out"], "platformProviderPaymentValue": 650,
            "tenant": {"firstName": "Ada", "email": fields["email"]}})[0]
        if status != 201:
            raise Failure(f"a submission was answered with {status}")
    wait_until(lambda: sum(roost.metrics("roost_decisions_total").values()) >= len(bookings), 120, "the bookings",
               poll=0.25)
    return roost


def _first_of_each(rows):
    """Requests without the repeats and without those that want taken nights."""
    seen, first = set(), []
    for row in rows:
        nights = row[2], row[4]
        if row[3] not in seen and nights not in seen:
            first.append(row)
        seen.update((row[3], nights))
    return first


def _cancel(roost, rows):
    times = []
    for row in rows:
        fields = dict(zip(waiting_requests.COLUMNS, row))
        started = time.perf_counter()
        status, body = _call(roost, "POST", "/marketplace-a/webhook", {
            "event": "booking-cancelled", "offer_api_reference": fields["external_id"],
            "booking_id": fields["reference"]})
        shown = _call(roost, "GET", f"/marketplace-a/listings/{fields['external_id']}")[1]
        times.append((time.perf_counter() - started) * 1000)
        if status != 201 or json.loads(body) != {"ok": True}:
            raise Failure(f"a cancel was answered with {status} {body!r}")
        if any(row["from"] == fields["check_in"] for row in json.loads(shown)["unavailabilities"]):
            raise Failure("a cancelled booking still holds its nights")
    return times


def _call(roost, method, path, body=None):
    connection = http.client.HTTPConnection("127.0.0.1", roost.port, timeout=30)
    try:
        connection.request(method, path, body and json.dumps(body),
                           {"Authorization": roost.authorization, "Content-Type": "application/json"})
        answer = connection.getresponse()
        return answer.status, answer.read()
    finally:
        connection.close()
