"""The change stream on both stores: the time until another process's commit is shown, until credentials are accepted and
rejected, and the effect of one landlord's changes on another's bookings.

A round takes about 10 s plus twice --seconds per build and store; --seconds 30 runs each load during decisions for 30 s."""

import base64
import contextlib
import datetime
import itertools
import json
import sqlite3
import statistics
import threading
import time
import uuid
from collections import defaultdict
from concurrent import futures

from lib import portfolio
from lib.clients import sign_in
from lib.figure import Figure
from lib.machine import Failure, say, wait_until
from lib.roost import Roost
from lib.stores import Cluster, newest_commit, sqlite_url

UNITS = 1_000
LANDLORDS = 3  # one with created properties, one with imports, and one with bookings
EDITS_PER_ROUND = 40
CREDENTIALS_PER_ROUND = 5  # of each kind
STANDBY_COMMITS_PER_ROUND = 10
PASSWORD = "a long enough password"
NO_LIMITS = [f"rate_limits.{name}=0" for name in ("login", "verify_otp", "management")] + ["sessions.codes_per_15m=100000"]
CREATORS = 4
TIMEOUT, POLL = 60, 0.002
SHOWN, APPLIED = ("<", 50), ("<", 100)  # milliseconds
OPTIONS = ("units",)

# An edit by another server, with its entry in the change stream.
_EDIT = """update units set rent_cents = {cents}, rent_fixed = true where id = '{unit}';
update change_stream set position = position + 1;
insert into changes (position, id, kind, accounts, units, subjects, at)
select position, '{id}', 'unit', '{accounts}', '{units}', '{subjects}', '{at}' from change_stream"""
_LINKS = """select u.id || ' ' || l.external_id from units u join links l on l.unit_id = u.id
join properties p on p.id = u.property_id where p.account_id = '{account}' and l.platform = 'marketplace-a' order by u.id"""


def measure(machine, bench):
    units = bench.units or UNITS
    if units <= (LANDLORDS - 1) * portfolio.UNITS_PER_ACCOUNT:
        raise Failure(f"needs {LANDLORDS} landlords: at least --units {(LANDLORDS - 1) * portfolio.UNITS_PER_ACCOUNT + 1}")
    portfolio.write(machine.folder / "portfolio.json", units, on_engine=True)
    user = _give_password(machine.folder / "portfolio.json")
    _write_landlord(machine.folder, units)
    cluster = Cluster(machine)
    for store_of in (lambda name: _Postgresql(cluster, name), lambda name: _Sqlite(machine.folder, name)):
        _measure_on(machine, bench, store_of, user)


def _give_password(file):
    """Gives the last landlord's first user a password, and returns the user's address."""
    content = json.loads(file.read_text(encoding="utf-8"))
    user = content["accounts"][-1]["users"][0]
    user["password"] = PASSWORD
    file.write_text(json.dumps(content), encoding="utf-8")
    return user["email"]


def _write_landlord(folder, units):
    """Writes two files with the first landlord alone. Most rents differ, so that alternating imports are changes."""
    portfolio.write(folder / "landlord-0.json", units, on_engine=True, first=portfolio.UNITS_PER_ACCOUNT)
    text = (folder / "landlord-0.json").read_text(encoding="utf-8")
    (folder / "landlord-1.json").write_text(text.replace('"amount":', '"amount":1'), encoding="utf-8")


def _measure_on(machine, bench, store_of, user):
    builds = [_Build(machine, store_of("changes-now"), machine.program, user, has_stream=True)]
    if bench.before:
        builds.append(_Build(machine, store_of("changes-before"), bench.before.resolve(), user, has_stream=False))
    store = builds[0].store.title

    def figure(name, samples, target=()):
        return Figure(name, "ms", *(build.samples[samples] for build in builds), target=target)
    bench.report(figure(f"commit until shown, {store}, p50", "shown", SHOWN),
                 figure("  p95", "slow"),
                 figure("  until in a standby's memory, p50", "standby", SHOWN),
                 figure(f"token, from its commit until its command has ended and it is accepted, {store}", "token", APPLIED),
                 figure("  from its command's start", "token_command"),
                 figure("  webhook key", "key", APPLIED),
                 figure("  webhook key, from its command's start", "key_command"),
                 figure("  token revocation, from its commit until rejected", "ended", APPLIED),
                 figure("  token revocation, from its command's start", "ended_command"),
                 figure("  session revocation, from its commit until rejected", "session", APPLIED),
                 figure("  session revocation, from its command's start", "session_command"),
                 figure(f"longest decision while {CREATORS} clients create another landlord's properties, {store}",
                        "during_creations"),
                 figure("  during imports of another landlord", "during_imports"))
    for _ in range(bench.rounds):
        builds[0].measure_edits()
        builds[0].measure_standby()
        for build in builds:
            build.measure_credentials()
            build.measure_decisions(bench.seconds)
    for build in builds:
        build.roost.stop()


class _Build:
    """A server on its own store, _Postgresql or _Sqlite. `samples` are milliseconds by measurement. An earlier build may lack
    the change stream."""

    def __init__(self, machine, store, program, user, has_stream):
        self.store, self.samples, self._has_stream = store, defaultdict(list), has_stream
        self._machine, self._user = machine, user
        self._files = itertools.cycle([machine.folder / "landlord-1.json", machine.folder / "landlord-0.json"])
        self._number = 0
        self.roost = Roost(machine, store.url, f"{store.name}-{store.title}", ["bookings.cycle=100ms", *NO_LIMITS],
                           program=program)
        self.roost.command("import", machine.folder / "portfolio.json")
        self._token = _bearer(self.roost.token())
        self.roost.start()
        # Not the first landlord, which is imported repeatedly: the file would lack the created properties.
        _, busy, *_, self._other = store.rows("select id from accounts order by landlord_key")
        self._links = [row.split() for row in store.rows(_LINKS.format(account=self._other))]
        self._engine = {**_bearer(self.roost.token("booking-engine")),
                        "svc-api-key": self.roost.command("key", "issue", "--account", busy).split()[-1]}

    def measure_edits(self):
        """Measures from each commit of another process until a live read shows it."""
        times = []
        unit, external = self._links[0]
        for _ in range(EDITS_PER_ROUND):
            self._number += 1
            before = self._listing(external)["rent"]
            self.store.edit(unit, self._other, 100_000 + self._number * 100)
            committed = time.perf_counter()  # includes the exit of psql after the commit
            wait_until(lambda: self._listing(external)["rent"] != before, TIMEOUT, "an edit", poll=0.001)
            times.append(_milliseconds_since(committed))
            time.sleep(0.013)  # avoids synchronizing with the follower
        self.samples["shown"].append(statistics.median(times))
        self.samples["slow"].append(statistics.quantiles(times, n=20)[18])

    def measure_standby(self):
        """Measures from each commit of another process until a standby's metrics show that memory contains it, including the
        request for the metrics."""
        standby = Roost(self._machine, self.store.url, f"{self.roost.name}-standby")
        standby.stand_by(TIMEOUT)
        times, unit = [], self._links[0][0]
        for _ in range(STANDBY_COMMITS_PER_ROUND):
            self._number += 1
            self.store.edit(unit, self._other, 100_000 + self._number * 100)
            committed = time.perf_counter()
            newest = int(self.store.rows("select position from change_stream")[0])
            wait_until(lambda: standby.metrics("roost_changes_position")[None] >= newest, TIMEOUT, "the standby", poll=0.001)
            times.append(_milliseconds_since(committed))
            time.sleep(0.013)  # avoids synchronizing with the follower
        standby.stop()
        self.samples["standby"].append(statistics.median(times))

    def measure_credentials(self):
        """Measures from each command's commit, and from its start, which is an upper bound for the stream."""
        for _ in range(CREDENTIALS_PER_ROUND):
            self._time_issue("token", _bearer, "token", "issue", "--platform", "marketplace-a")
            self._time_issue("key", lambda key: {"x-api-key": key}, "webhook-key", "issue")
            self._time_revocation("ended", "token", _bearer(self.roost.token()), "jti", _path(self._links[0][1]))
            self._time_revocation("session", "session", sign_in(self._machine, self.roost, self._user, PASSWORD), "sid", "/auth/me")

    def _time_issue(self, name, headers_with, *command):
        """Includes the rest of the command, which waits for the server and then prints the credential."""
        started = time.perf_counter()
        headers = headers_with(self.roost.command(*command).split()[-1])
        path = _path(self._links[0][1])
        wait_until(lambda: self._is_accepted(headers, path), TIMEOUT, f"a {name} to be accepted", poll=POLL)
        self._add_credential_samples(name, _milliseconds_since(started), time.time())

    def _add_credential_samples(self, name, from_start, done):
        self.samples[f"{name}_command"].append(from_start)
        if self._has_stream:
            self.samples[name].append((done - newest_commit(self.store.rows, "credentials")) * 1000)

    def _time_revocation(self, name, kind, headers, claim, path):
        """Sends requests with the credential while the command that revokes it runs."""
        wait_until(lambda: self._is_accepted(headers, path), TIMEOUT, f"a {kind} to be accepted", poll=POLL)
        with futures.ThreadPoolExecutor(1) as pool:
            started = time.perf_counter()
            command = pool.submit(self.roost.command, kind, "revoke", _claims_of(headers)[claim])
            wait_until(lambda: not self._is_accepted(headers, path), TIMEOUT, f"a {kind} to be rejected", poll=POLL)
            rejected = time.time()
            from_start = _milliseconds_since(started)
            command.result()
        self._add_credential_samples(name, from_start, rejected)

    def measure_decisions(self, seconds):
        self.samples["during_creations"].append(self._longest_decision_during(self._create, CREATORS, seconds))
        self.samples["during_imports"].append(self._longest_decision_during(self._import, 1, seconds))

    def _longest_decision_during(self, action, count, seconds):
        """Books for this number of seconds while `count` threads repeat an action. Returns the longest time from a submission
        until a live read shows its nights."""
        stop, failures = threading.Event(), []

        def repeat():
            try:
                while not stop.is_set():
                    action()
            except (Failure, OSError) as failure:
                failures.append(failure)
        threads = [threading.Thread(target=repeat) for _ in range(count)]
        for thread in threads:
            thread.start()
        try:
            longest, started = 0, time.monotonic()
            while time.monotonic() - started < seconds:
                longest = max(longest, self._book())
        finally:
            stop.set()
            for thread in threads:
                thread.join()
        if failures:
            raise Failure(f"the load during decisions failed: {failures[0]}")
        return longest

    def _create(self):
        name = uuid.uuid4().hex[:12]
        status, _, body = self.roost.send("POST", "/booking-engine/property-listing", {
            "id": name, "address": "Rua 1",
            "rooms": [{"id": 1, "accommodation": "rooms", "internalName": f"{name} 1", "number": 1, "rent": 650,
                       "fixedRent": True}]}, self._engine)
        if status not in (201, 503):
            raise Failure(f"creating a property returned {status} {body[:200]!r}")

    def _import(self):
        self.roost.command("import", next(self._files), timeout=TIMEOUT)

    def _book(self):
        """Books separate nights and returns milliseconds. A decision that does not arrive in time counts as the timeout."""
        self._number += 1
        months, link = divmod(self._number, len(self._links))
        external = self._links[link][1]
        month = f"{2040 + months // 12 % 50}-{1 + months % 12:02}"
        first, last = f"{month}-03", f"{month}-20"
        started = time.perf_counter()
        status, _, body = self.roost.send("POST", "/marketplace-a/bookings", {
            "externalId": external, "bookingId": str(uuid.uuid4()), "checkInDate": first, "checkOutDate": last,
            "platformProviderPaymentValue": 650, "tenant": {"firstName": "Ada", "email": f"{uuid.uuid4().hex}@guest.example"}},
            self._token)
        if status != 201:
            raise Failure(f"a submission returned {status} {body[:200]!r}")
        try:
            wait_until(lambda: any(row["from"] == first for row in self._listing(external)["unavailabilities"]), TIMEOUT,
                       "a decision", poll=POLL)
        except Failure as failure:
            say(f"{self.roost.name}: {failure}")
            return TIMEOUT * 1000
        return _milliseconds_since(started)

    def _is_accepted(self, headers, path):
        status, _, body = self.roost.get(path, headers)
        if status not in (200, 401):
            raise Failure(f"a read returned {status} {body[:200]!r}")
        return status == 200

    def _listing(self, external):
        return json.loads(self.roost.get(_path(external), self._token)[2])


def _path(external):
    return f"/marketplace-a/listings/{external}"


def _bearer(token):
    return {"Authorization": f"Bearer {token}"}


def _claims_of(headers):
    """Returns the claims of the JWT in these headers (RFC 7519, 4)."""
    claims = headers["Authorization"].split(".")[1]
    return json.loads(base64.urlsafe_b64decode(claims + "=" * (-len(claims) % 4)))


def _milliseconds_since(started):
    return (time.perf_counter() - started) * 1000


class _Postgresql:
    """A database of a cluster."""

    title = "PostgreSQL"

    def __init__(self, cluster, name):
        self._cluster = cluster
        self.name, self.url = name, cluster.create(name)

    def rows(self, query):
        return self._cluster.sql(self.name, query).splitlines()

    def edit(self, unit, account, cents):
        self._cluster.sql(self.name, f"begin; {_edit(unit, account, cents, '{{{}}}')}; commit")


class _Sqlite:
    """A file."""

    title = "SQLite"

    def __init__(self, folder, name):
        self._file = folder / f"{name}.db"
        self.name, self.url = name, sqlite_url(folder, name)

    def rows(self, query):
        """Returns one column as text, like psql."""
        with self._open("ro") as store:
            return [str(value) for value, in store.execute(query)]

    def edit(self, unit, account, cents):
        with self._open("rw") as store:
            store.executescript(f"begin immediate; {_edit(unit, account, cents, '[{}]')}; commit")

    def _open(self, mode):
        return contextlib.closing(sqlite3.connect(f"file:{self._file}?mode={mode}", uri=True, timeout=TIMEOUT))


def _edit(unit, account, cents, array):
    """Returns the SQL of an edit; `array` is the store's syntax of arrays."""
    now = datetime.datetime.now(datetime.timezone.utc)
    return _EDIT.format(unit=unit, cents=cents, id=uuid.uuid4(), accounts=array.format(f'"{account}"'),
                        units=array.format(f'"{unit}"'), subjects=array.format(""), at=f"{now:%Y-%m-%dT%H:%M:%S}.000Z")
