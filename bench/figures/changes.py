"""What the store's changes cost those who follow them, on both stores: until another process's commit shows, until credentials
count and count no more, and what one landlord's changes mean for the bookings of another.

A round takes a build and store about 10 s and twice --seconds; --seconds 30 keeps up the load beside decisions for so long."""

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

from lib import portfolio, sqlite
from lib.change_stream import newest_commit
from lib.machine import Failure, say, wait_until
from lib.postgresql import Cluster
from lib.roost import Roost
from lib.session import sign_in
from lib.table import Figure

UNITS = 1_000
LANDLORDS = 3  # one whose properties are created, one who is imported, and one whose bookings are decided
EDITS_A_ROUND = 40
CREDENTIALS_A_ROUND = 5  # of each kind
STANDBY_COMMITS_A_ROUND = 10
PASSWORD = "a long enough password"
NO_LIMITS = [f"rate_limits.{name}=0" for name in ("login", "verify_otp", "management")] + ["sessions.codes_per_15m=100000"]
CREATORS = 4
PATIENCE, POLL = 60, 0.002
SHOWN, TAKEN_UP = ("<", 50), ("<", 100)  # milliseconds
OPTIONS = ("units",)

# What the stream of changes tells of an edit that another server made.
_EDIT = """update units set rent_cents = {cents}, rent_fixed = true where id = '{unit}';
update change_stream set position = position + 1;
insert into changes (position, id, kind, accounts, units, subjects, at)
select position, '{id}', 'unit', '{accounts}', '{units}', '{subjects}', '{at}' from change_stream"""
_LINKS = """select u.id || ' ' || l.external_id from units u join links l on l.unit_id = u.id
join properties p on p.id = u.property_id where p.account_id = '{account}' and l.platform = 'marketplace-a' order by u.id"""


def measure(machine, effort):
    units = effort.units or UNITS
    if units <= (LANDLORDS - 1) * portfolio.UNITS_AN_ACCOUNT:
        raise Failure(f"takes {LANDLORDS} landlords: --units {(LANDLORDS - 1) * portfolio.UNITS_AN_ACCOUNT + 1} at least")
    portfolio.write(machine.folder / "portfolio.json", units, on_engine=True)
    user = _give_password(machine.folder / "portfolio.json")
    _write_landlord(machine.folder, units)
    cluster = Cluster(machine)
    for store_of in (lambda name: _Postgresql(cluster, name), lambda name: _Sqlite(machine.folder, name)):
        _measure_on(machine, effort, store_of, user)


def _give_password(file):
    """The last landlord's first user can sign in; answers its address."""
    content = json.loads(file.read_text(encoding="utf-8"))
    user = content["accounts"][-1]["users"][0]
    user["password"] = PASSWORD
    file.write_text(json.dumps(content), encoding="utf-8")
    return user["email"]


def _write_landlord(folder, units):
    """The first landlord alone, in two files. Most rents differ, so that the import of one after the other is a change."""
    portfolio.write(folder / "landlord-0.json", units, on_engine=True, first=portfolio.UNITS_AN_ACCOUNT)
    text = (folder / "landlord-0.json").read_text(encoding="utf-8")
    (folder / "landlord-1.json").write_text(text.replace('"amount":', '"amount":1'), encoding="utf-8")


def _measure_on(machine, effort, store_of, user):
    builds = [_Build(machine, store_of("changes-now"), machine.program, user, has_stream=True)]
    if effort.before:
        builds.append(_Build(machine, store_of("changes-before"), effort.before.resolve(), user, has_stream=False))
    store = builds[0].store.title

    def figure(name, samples, target=()):
        return Figure(name, "ms", *(build.samples[samples] for build in builds), target=target)
    effort.tell(figure(f"a commit until memory shows it, {store}, p50", "shown", SHOWN),
                figure("  p95", "slow"),
                figure("  until the memory of a server that stands by holds it, p50", "standby", SHOWN),
                figure(f"a token, from its commit until its command has ended and it is let in, {store}", "token", TAKEN_UP),
                figure("  from its command's start", "token_command"),
                figure("  a webhook key", "key", TAKEN_UP),
                figure("  a webhook key, from its command's start", "key_command"),
                figure("  a token's end, from its commit until it is refused", "ended", TAKEN_UP),
                figure("  a token's end, from its command's start", "ended_command"),
                figure("  a session's end, from its commit until it is refused", "session", TAKEN_UP),
                figure("  a session's end, from its command's start", "session_command"),
                figure(f"the longest decision beside {CREATORS} clients that create another landlord's properties, {store}",
                       "beside_creations"),
                figure("  beside imports of another landlord, one after the other", "beside_imports"))
    for _ in range(effort.rounds):
        builds[0].measure_edits()
        builds[0].measure_standby()
        for build in builds:
            build.measure_credentials()
            build.measure_decisions(effort.seconds)
    for build in builds:
        build.roost.stop()


class _Build:
    """A server on a store of its own, _Postgresql or _Sqlite. `samples` are milliseconds, by what was measured. Of an
    earlier build it is not known whether its store `has_stream`."""

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
        # The first landlord is imported again and again: the file would lack properties that were created there.
        _, busy, *_, self._other = store.rows("select id from accounts order by landlord_key")
        self._links = [row.split() for row in store.rows(_LINKS.format(account=self._other))]
        self._engine = {**_bearer(self.roost.token("booking-engine")),
                        "svc-api-key": self.roost.command("key", "issue", "--account", busy).split()[-1]}

    def measure_edits(self):
        """From each commit of another process until a live read shows it."""
        times = []
        unit, external = self._links[0]
        for _ in range(EDITS_A_ROUND):
            self._number += 1
            before = self._listing(external)["rent"]
            self.store.edit(unit, self._other, 100_000 + self._number * 100)
            committed = time.perf_counter()  # psql's own end comes after it: the lag is that much longer
            wait_until(lambda: self._listing(external)["rent"] != before, PATIENCE, "an edit", poll=0.001)
            times.append(_milliseconds_since(committed))
            time.sleep(0.013)  # not in step with the follower
        self.samples["shown"].append(statistics.median(times))
        self.samples["slow"].append(statistics.quantiles(times, n=20)[18])

    def measure_standby(self):
        """From each commit of another process until the metrics of a server that stands by show that memory holds it: to ask
        for them is in it."""
        standby = Roost(self._machine, self.store.url, f"{self.roost.name}-standby")
        standby.stand_by(PATIENCE)
        times, unit = [], self._links[0][0]
        for _ in range(STANDBY_COMMITS_A_ROUND):
            self._number += 1
            self.store.edit(unit, self._other, 100_000 + self._number * 100)
            committed = time.perf_counter()
            newest = int(self.store.rows("select position from change_stream")[0])
            wait_until(lambda: standby.metrics("roost_changes_position")[None] >= newest, PATIENCE, "the standby", poll=0.001)
            times.append(_milliseconds_since(committed))
            time.sleep(0.013)  # not in step with the follower
        standby.stop()
        self.samples["standby"].append(statistics.median(times))

    def measure_credentials(self):
        """From each command's start, which bounds from above what the stream takes, and from its commit."""
        for _ in range(CREDENTIALS_A_ROUND):
            self._time_issue("token", _bearer, "token", "issue", "--platform", "marketplace-a")
            self._time_issue("key", lambda text: {"x-api-key": text}, "webhook-key", "issue")
            self._time_end("ended", "token", _bearer(self.roost.token()), "jti", _path(self._links[0][1]))
            self._time_end("session", "session", sign_in(self._machine, self.roost, self._user, PASSWORD), "sid", "/auth/me")

    def _time_issue(self, name, headers_with, *words):
        """A credential is known when its command has ended, which waits for the server: that is in it, too."""
        started = time.perf_counter()
        headers = headers_with(self.roost.command(*words).split()[-1])
        path = _path(self._links[0][1])
        wait_until(lambda: self._is_let_in(headers, path), PATIENCE, f"a {name} to be let in", poll=POLL)
        self._take_credentials(name, _milliseconds_since(started), time.time())

    def _take_credentials(self, name, from_start, done):
        self.samples[f"{name}_command"].append(from_start)
        if self._has_stream:
            self.samples[name].append((done - newest_commit(self.store.rows, "credentials")) * 1000)

    def _time_end(self, name, what, headers, claim, path):
        """Requests with the credential are sent while the command that revokes it runs."""
        wait_until(lambda: self._is_let_in(headers, path), PATIENCE, f"a {what} to be let in", poll=POLL)
        words = what, "revoke", _claims_of(headers)[claim]
        with futures.ThreadPoolExecutor(1) as beside:
            started = time.perf_counter()
            command = beside.submit(self.roost.command, *words)
            wait_until(lambda: not self._is_let_in(headers, path), PATIENCE, f"a {what} to be refused", poll=POLL)
            ended = time.time()
            took = _milliseconds_since(started)
            command.result()
        self._take_credentials(name, took, ended)

    def measure_decisions(self, seconds):
        self.samples["beside_creations"].append(self._longest_beside(self._create, CREATORS, seconds))
        self.samples["beside_imports"].append(self._longest_beside(self._import, 1, seconds))

    def _longest_beside(self, act, count, seconds):
        """The longest of the bookings of so many seconds, from the submission until a live read shows its nights, while `count`
        threads act again and again."""
        ended, failures = threading.Event(), []

        def go_on():
            try:
                while not ended.is_set():
                    act()
            except (Failure, OSError) as failure:
                failures.append(failure)
        threads = [threading.Thread(target=go_on) for _ in range(count)]
        for each in threads:
            each.start()
        try:
            longest, started = 0, time.monotonic()
            while time.monotonic() - started < seconds:
                longest = max(longest, self._book())
        finally:
            ended.set()
            for each in threads:
                each.join()
        if failures:
            raise Failure(f"the load beside decisions ended: {failures[0]}")
        return longest

    def _create(self):
        name = uuid.uuid4().hex[:12]
        status, _, body = self.roost.send("POST", "/booking-engine/property-listing", {
            "id": name, "address": "Rua 1",
            "rooms": [{"id": 1, "accommodation": "rooms", "internalName": f"{name} 1", "number": 1, "rent": 650,
                       "fixedRent": True}]}, self._engine)
        if status not in (201, 503):
            raise Failure(f"a property was answered with {status} {body[:200]!r}")

    def _import(self):
        self.roost.command("import", next(self._files), timeout=PATIENCE)

    def _book(self):
        """One after the other on nights of their own. One that is not decided in time counts as if it just were."""
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
            raise Failure(f"a submission was answered with {status} {body[:200]!r}")
        try:
            wait_until(lambda: any(row["from"] == first for row in self._listing(external)["unavailabilities"]), PATIENCE,
                       "a decision", poll=POLL)
        except Failure as failure:
            say(f"{self.roost.name}: {failure}")
            return PATIENCE * 1000
        return _milliseconds_since(started)

    def _is_let_in(self, headers, path):
        status, _, body = self.roost.get(path, headers)
        if status not in (200, 401):
            raise Failure(f"a read was answered with {status} {body[:200]!r}")
        return status == 200

    def _listing(self, external):
        return json.loads(self.roost.get(_path(external), self._token)[2])


def _path(external):
    return f"/marketplace-a/listings/{external}"


def _bearer(token):
    return {"Authorization": f"Bearer {token}"}


def _claims_of(headers):
    """What the JWT says with which these headers let in (RFC 7519, 4)."""
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
        self.name, self.url = name, sqlite.url(folder, name)

    def rows(self, query):
        """Of one column, as psql prints it."""
        with self._opened("ro") as store:
            return [str(value) for value, in store.execute(query)]

    def edit(self, unit, account, cents):
        with self._opened("rw") as store:
            store.executescript(f"begin immediate; {_edit(unit, account, cents, '[{}]')}; commit")

    def _opened(self, mode):
        return contextlib.closing(sqlite3.connect(f"file:{self._file}?mode={mode}", uri=True, timeout=PATIENCE))


def _edit(unit, account, cents, array):
    """SQL of an edit; `array` is how the store writes one."""
    now = datetime.datetime.now(datetime.timezone.utc)
    return _EDIT.format(unit=unit, cents=cents, id=uuid.uuid4(), accounts=array.format(f'"{account}"'),
                        units=array.format(f'"{unit}"'), subjects=array.format(""), at=f"{now:%Y-%m-%dT%H:%M:%S}.000Z")
