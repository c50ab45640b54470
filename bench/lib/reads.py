"""Reads of Roost with 1,000 units, compared with nginx that serves the same bytes as files, or with an earlier build."""

from lib import portfolio, sqlite, turns
from lib.machine import SERVER_CORE
from lib.nginx import Nginx
from lib.roost import ONE_THREAD, Roost

UNITS = 1000
LIST = "/marketplace-a/listings"
SINGLE = f"{LIST}/{portfolio.FIRST_UNIT}"

IDENTITY, GZIP = {}, {"Accept-Encoding": "gzip"}


class Reads:
    """Both servers, each with one I/O thread or worker on the same core. They speak HTTPS if there is a certificate."""

    def __init__(self, machine, effort, certificate=None):
        self._effort = effort
        self._units = effort.units or UNITS
        portfolio.write(machine.folder / "portfolio.json", self._units)
        self._ours = self._start(machine, "roost", certificate, machine.program)
        if effort.before:
            self._before, self._nginx = self._start(machine, "before", certificate, effort.before.resolve()), None
        else:
            self._before, self._nginx = None, Nginx(machine, SERVER_CORE, certificate)
        if certificate:
            certificate.require_same_sessions(self._ours.port, (self._before or self._nginx).port)

    def compare(self, name, path, fields, again=False):
        """Tells figures of one read with these header fields; `again` means one that has the current answer already."""
        ours = turns.Side(self._ours, path, {"Authorization": self._ours.authorization, **fields})
        if self._before:
            theirs = turns.Side(self._before, path, {**ours.headers, "Authorization": self._before.authorization})
        else:
            theirs = turns.Side(self._nginx, self._as_file(path), ours.headers)
        if again:
            ours, theirs = _again(ours), _again(theirs)
        turns.compare(name, ours, theirs, self._effort, 304 if again else 200)

    def size(self, path):
        return len(self._ours.get(path, {"Authorization": self._ours.authorization})[2])

    def stop(self):
        for roost in filter(None, (self._ours, self._before)):
            roost.stop()

    def _start(self, machine, name, certificate, program):
        """Each build on a store of its own, for it may know no other schema."""
        roost = Roost(machine, sqlite.url(machine.folder, name), name, [ONE_THREAD], certificate, program)
        roost.command("import", machine.folder / "portfolio.json")
        roost.authorization = f"Bearer {roost.token()}"
        roost.start(SERVER_CORE)
        roost.wait_for_feeds(self._units)
        return roost

    def _as_file(self, path):
        """nginx's path of a file with what Roost answers."""
        name = path.strip("/").replace("/", "-") + ".json"
        if self._nginx.has(name):
            return f"/{name}"
        for suffix, fields in (("", IDENTITY), (".gz", GZIP)):
            _, kind, body = self._ours.get(path, {"Authorization": self._ours.authorization, **fields})
            if suffix == "" or kind["Content-Encoding"] == "gzip":
                self._nginx.add(name + suffix, body)
        return f"/{name}"


def _again(side):
    return turns.Side(side.server, side.path, {**side.headers, "If-None-Match": side.get()[1]["ETag"]})
