"""Reads of lists and listings against nginx with the same bytes as files, or against an earlier build, in turns on one core.

A TLS handshake is measured as a single read on its own connection. Neither side resumes sessions.
"""

from lib import portfolio, turns
from lib.certificate import Certificate
from lib.machine import SERVER_CORE
from lib.nginx import Nginx
from lib.roost import ONE_THREAD, Roost
from lib.stores import sqlite_url

OPTIONS = ("units", "connections")

UNITS = 1000
LIST = "/marketplace-a/listings"
SINGLE = f"{LIST}/{portfolio.FIRST_UNIT}"
QUOTE = f"{SINGLE}/quote?checkInDate=2031-01-10&checkOutDate=2031-04-20&occupants=2"

IDENTITY, GZIP = {}, {"Accept-Encoding": "gzip"}
NEW_CONNECTION = {"Connection": "close"}


def measure_list(machine, bench):
    reads = _Reads(machine, bench)
    reads.compare("list, identity", LIST, IDENTITY)
    reads.compare("list, gzip", LIST, GZIP)
    reads.compare("list, 304", LIST, IDENTITY, is_conditional=True)
    reads.stop()


def measure_single(machine, bench):
    reads = _Reads(machine, bench)
    reads.compare(f"single read ({reads.size(SINGLE)} bytes)", SINGLE, IDENTITY)
    reads.stop()


def measure_quote(machine, bench):
    """A quote against a live read of the same unit, on one server."""
    reads = _Reads(machine, bench)
    reads.compare_with_single("quote of a stay of 100 nights, against a live read", QUOTE)
    reads.stop()


def measure_tls(machine, bench):
    reads = _Reads(machine, bench, Certificate(machine))
    reads.compare("TLS: list, identity", LIST, IDENTITY)
    reads.compare("TLS: list, gzip", LIST, GZIP)
    reads.compare("TLS: single read", SINGLE, IDENTITY)
    reads.compare("TLS: full handshake and single read", SINGLE, NEW_CONNECTION)
    reads.stop()


class _Reads:
    """Both servers, each with one I/O thread or worker on the same core. They use HTTPS if there is a certificate."""

    def __init__(self, machine, bench, certificate=None):
        self._bench = bench
        self._units = bench.units or UNITS
        portfolio.write(machine.folder / "portfolio.json", self._units)
        self._ours = self._start(machine, "roost", certificate, machine.program)
        if bench.before:
            self._before, self._nginx = self._start(machine, "before", certificate, bench.before.resolve()), None
        else:
            self._before, self._nginx = None, Nginx(machine, SERVER_CORE, certificate)
        if certificate:
            certificate.require_same_sessions(self._ours.port, (self._before or self._nginx).port)

    def compare(self, name, path, fields, is_conditional=False):
        """Reports figures of a read with these header fields; a conditional one has the current ETag."""
        ours = turns.Side(self._ours, path, {"Authorization": self._ours.authorization, **fields})
        if self._before:
            theirs = turns.Side(self._before, path, {**ours.headers, "Authorization": self._before.authorization})
        else:
            theirs = turns.Side(self._nginx, self._as_file(path), ours.headers)
        if is_conditional:
            ours, theirs = _conditional(ours), _conditional(theirs)
        turns.compare(name, ours, theirs, self._bench, 304 if is_conditional else 200)

    def compare_with_single(self, name, path):
        headers = {"Authorization": self._ours.authorization}
        turns.compare(name, turns.Side(self._ours, path, headers), turns.Side(self._ours, SINGLE, headers), bench=self._bench,
                      target=("x<=", 1.5), has_same_body=False)

    def size(self, path):
        return len(self._ours.get(path, {"Authorization": self._ours.authorization})[2])

    def stop(self):
        for roost in filter(None, (self._ours, self._before)):
            roost.stop()

    def _start(self, machine, name, certificate, program):
        """Starts a build on its own store, because schemas may differ."""
        roost = Roost(machine, sqlite_url(machine.folder, name), name, [ONE_THREAD], certificate, program)
        roost.command("import", machine.folder / "portfolio.json")
        roost.authorization = f"Bearer {roost.token()}"
        roost.start(SERVER_CORE)
        roost.wait_for_feeds(self._units)
        return roost

    def _as_file(self, path):
        """Returns nginx's path of a file with Roost's response."""
        name = path.strip("/").replace("/", "-") + ".json"
        if self._nginx.has(name):
            return f"/{name}"
        for suffix, fields in (("", IDENTITY), (".gz", GZIP)):
            _, headers, body = self._ours.get(path, {"Authorization": self._ours.authorization, **fields})
            if suffix == "" or headers["Content-Encoding"] == "gzip":
                self._nginx.add(name + suffix, body)
        return f"/{name}"


def _conditional(side):
    return turns.Side(side.server, side.path, {**side.headers, "If-None-Match": side.get()[1]["ETag"]})
