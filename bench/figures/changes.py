"""What the store's changes cost those who follow them: until another process's commit shows, and what one landlord's changes
mean for the bookings of another."""

import json
import statistics
import threading
import time
import uuid

from lib import portfolio
from lib.machine import Failure, say, wait_until
from lib.postgresql import Cluster
from lib.roost import Roost
from lib.table import Figure

UNITS = 1_000
EDITS_A_ROUND = 40
TOKENS_A_ROUND = 10
SUBMISSIONS_A_ROUND = 200
CREATORS = 4
PATIENCE = 60
OPTIONS = ("units",)

# What the stream of changes tells of an edit that another server made.
_EDIT = """begin; update units set rent_cents = {cents}, rent_fixed = true where id = '{unit}';
with stream as (update change_stream set position = position + 1 returning position)
insert into changes (position, id, kind, accounts, units, subjects, at)
select position, gen_random_uuid(), 'unit', array['{account}']::uuid[], array['{unit}']::uuid[], '{{}}', now() from stream; commit"""


def measure(machine, effort):
    units = effort.units or UNITS
    portfolio.write(machine.folder / "portfolio.json", units, on_engine=True)
    cluster = Cluster(machine)
    builds = [_Build(machine, cluster, "this build", machine.program)]
    if effort.before:
        builds.append(_Build(machine, cluster, "the one before", effort.before.resolve()))
    shown, slow = [], []
    tokens, waits = [[] for _ in builds], [[] for _ in builds]
    effort.tell(Figure("a commit until memory shows it, PostgreSQL, p50", "ms", shown, target=("<", 50)),
                Figure("  p95", "ms", slow),
                Figure("a token's command until the server has taken it up", "ms", tokens[0], *tokens[1:]),
                Figure(f"a decision beside {CREATORS} clients that create properties for another landlord, the longest", "ms",
                       waits[0], *waits[1:]))
    for _ in range(effort.rounds):
        times = builds[0].edits(EDITS_A_ROUND)
        shown.append(statistics.median(times))
        slow.append(statistics.quantiles(times, n=20)[18])
        for build, issued, waited in zip(builds, tokens, waits):
            issued.append(statistics.median(build.issue(TOKENS_A_ROUND)))
            waited.append(build.decisions_beside_creations(SUBMISSIONS_A_ROUND))
    for build in builds:
        build.roost.stop()


class _Build:
    """A server on a store of its own."""

    def __init__(self, machine, cluster, name, program):
        self._cluster, self._database = cluster, f"changes-{'before' if name != 'this build' else 'now'}"
        self._number = 0
        url = cluster.create(self._database)
        self.roost = Roost(machine, url, self._database, ["bookings.cycle=100ms"], program=program)
        self.roost.command("import", machine.folder / "portfolio.json")
        self._token = {"Authorization": f"Bearer {self.roost.token()}"}
        self._engine = {"Authorization": f"Bearer {self.roost.token('booking-engine')}"}
        accounts = self._rows("select id from accounts order by landlord_key")
        self._busy, self._other = accounts[0], accounts[-1]
        self._key = self.roost.command("key", "issue", "--account", self._busy).strip().splitlines()[-1]
        self.roost.start()

    def edits(self, count):
        """Milliseconds from each commit of another process until a live read shows it."""
        unit, external = self._rows("select u.id || ' ' || l.external_id from units u join links l on l.unit_id = u.id"
                                    f" join properties p on p.id = u.property_id where p.account_id = '{self._other}'"
                                    " and l.platform = 'marketplace-a' order by u.id limit 1")[0].split()
        times = []
        for _ in range(count):
            self._number += 1
            rent = 1_000 + self._number
            self._cluster.sql(self._database, _EDIT.format(cents=rent * 100, unit=unit, account=self._other))
            committed = time.perf_counter()  # psql's own end comes after it: the lag is that much longer
            wait_until(lambda: self._rent(external) == rent, PATIENCE, "an edit", poll=0.001)
            times.append((time.perf_counter() - committed) * 1000)
            time.sleep(0.013)  # not in step with the follower
        return times

    def issue(self, count):
        times = []
        for _ in range(count):
            started = time.perf_counter()
            self.roost.token()
            times.append((time.perf_counter() - started) * 1000)
        return times

    def decisions_beside_creations(self, count):
        """The longest of so many bookings, from the submission until a live read shows its nights."""
        ended, failures = threading.Event(), []
        creators = [threading.Thread(target=self._create, args=(ended, failures)) for _ in range(CREATORS)]
        for each in creators:
            each.start()
        try:
            longest = 0
            for _ in range(count // 20):
                if longest < PATIENCE * 1000:
                    longest = max(longest, self._book())
        finally:
            ended.set()
            for each in creators:
                each.join()
        if failures:
            raise Failure(f"a property was not created: {failures[0]}")
        return longest

    def _create(self, ended, failures):
        while not ended.is_set():
            name = uuid.uuid4().hex[:12]
            status, _, body = self.roost.send("POST", "/booking-engine/property-listing", {
                "id": name, "address": "Rua 1",
                "rooms": [{"id": 1, "accommodation": "rooms", "internalName": f"{name} 1", "number": 1, "rent": 650,
                           "fixedRent": True}]}, {**self._engine, "svc-api-key": self._key})
            if status not in (201, 503):
                failures.append(f"{status} {body[:200]!r}")
                return

    def _book(self):
        """One after the other on nights of their own. One that is not decided in time counts as if it just were."""
        self._number += 1
        external = self._rows("select l.external_id from units u join links l on l.unit_id = u.id"
                              f" join properties p on p.id = u.property_id where p.account_id = '{self._other}'"
                              " and l.platform = 'marketplace-a' order by u.id desc limit 1")[0]
        year = 2040 + self._number % 50
        month = 1 + self._number // 50 % 12
        first, last = f"{year}-{month:02}-03", f"{year}-{month:02}-20"
        started = time.perf_counter()
        status, _, body = self.roost.send("POST", "/marketplace-a/bookings", {
            "externalId": external, "bookingId": str(uuid.uuid4()), "checkInDate": first, "checkOutDate": last,
            "platformProviderPaymentValue": 650, "tenant": {"firstName": "Ada", "email": f"{uuid.uuid4().hex}@guest.example"}},
            self._token)
        if status != 201:
            raise Failure(f"a submission was answered with {status} {body[:200]!r}")
        try:
            wait_until(lambda: any(row["from"] == first for row in self._listing(external)["unavailabilities"]), PATIENCE,
                       "a decision", poll=0.002)
        except Failure as failure:
            say(f"{self._database}: {failure}")
            return PATIENCE * 1000
        return (time.perf_counter() - started) * 1000

    def _listing(self, external):
        return json.loads(self.roost.get(f"/marketplace-a/listings/{external}", self._token)[2])

    def _rent(self, external):
        return self._listing(external)["rent"]

    def _rows(self, query):
        return self._cluster.sql(self._database, query).splitlines()
