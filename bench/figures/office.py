"""The office on PostgreSQL: how long an edit takes next to 1,000 live reads a second, what it costs those reads, and what open
event streams cost."""

import http.client
import statistics
import threading
import time

from lib import portfolio, wrk
from lib.figure import Figure
from lib.machine import CORES, Failure, cpu_seconds, share_of_a_core, wait_until
from lib.office import Office, add_users
from lib.roost import Roost
from lib.stores import Cluster

UNITS = 1000
READ_CONNECTIONS = 16
PAUSE = 16  # ms between two reads of a connection: 1,000 a second
STREAMS, USERS = 200, 10  # a user can have 20
OPTIONS = ()
DATABASE = "office"

# The peer of an edit: an update of one row, alone in its transaction.
_UPDATE = r"""\set number random(1, 1024)
update one_update set rent = rent + 1, updated_at = now() where number = :number;
"""


def measure(machine, bench):
    file = machine.folder / "portfolio.json"
    portfolio.write(file, UNITS)
    addresses = add_users(file, USERS)
    (machine.folder / "update.sql").write_text(_UPDATE)
    cluster = Cluster(machine)
    roost = Roost(machine, cluster.create(DATABASE), DATABASE,
                  ["rate_limits.management=0", "rate_limits.login=0", "rate_limits.verify_otp=0"])
    roost.command("import", file)
    token = roost.token()
    roost.start()
    roost.wait_for_feeds(UNITS)
    cluster.sql(DATABASE, "create table one_update (number int primary key, rent int, updated_at timestamptz)")
    cluster.sql(DATABASE, "insert into one_update select n, 0, now() from generate_series(1, 1024) n")
    offices = [Office(machine, roost, address) for address in addresses]
    _edits(machine, cluster, roost, offices[0], token, bench)
    _streams(roost, offices, bench)
    roost.stop()


class _Editor:
    """Edits units and blocks one after the other, and notes how long each response took."""

    def __init__(self, office):
        self._office = office
        self._edits = 0
        self.times = {}
        self._units = [item["id"] for item in office.get("/api/units?limit=100")["items"]]

    def run(self, seconds):
        self.times = {"unit": [], "block": []}
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            unit = self._units[self._edits % len(self._units)]
            self._edit_unit(unit)
            self._block(unit)
            self._edits += 1

    def _edit_unit(self, unit):
        """Sends another value than before: an edit that changes nothing is not written."""
        tag = self._tag_of(f"/api/units/{unit}")
        self._note("unit", "PATCH", f"/api/units/{unit}", {"exitFee": 30 + self._edits}, tag)

    def _block(self, unit):
        """Blocks nights and frees them again."""
        path = f"/api/units/{unit}/blocks"
        tag, block, duration = self._office.send("POST", path, {"from": "2035-01-01", "to": "2035-01-31"})
        self.times["block"].append(duration)
        self._note("block", "DELETE", f"{path}/{block['id']}", None, tag)

    def _tag_of(self, path):
        return self._office.send("GET", path)[0]

    def _note(self, kind, *request):
        self.times[kind].append(self._office.send(*request)[2])


def _edits(machine, cluster, roost, office, token, bench):
    path = _listing_path(roost, token)
    figures = {kind: {"p50": [], "p99": []} for kind in ("unit", "block")}
    alone, loaded, peer = wrk.Loads(), wrk.Loads(), []
    bench.report(Figure("an edit of a unit next to 1,000 reads/s, p50", "ms", figures["unit"]["p50"], peer, ("<", 10)),
                 Figure("  p99", "ms", figures["unit"]["p99"], target=("<", 30)),
                 Figure("a block, p50", "ms", figures["block"]["p50"], peer, ("<", 10)),
                 Figure("  p99", "ms", figures["block"]["p99"], target=("<", 30)),
                 Figure("p99 of the reads next to edits, and alone", "ms", loaded.p99, alone.p99),
                 Figure("  their rate", "/s", loaded.rate, alone.rate))
    editor = _Editor(office)
    for _ in range(bench.rounds):
        cluster.settle()
        peer.append(1000 * CORES / cluster.inserts_per_second(DATABASE, machine.folder / "update.sql", bench.seconds))
        alone.add(_reads(roost, path, token, bench.seconds))
        failures = []
        thread = threading.Thread(target=_guarded, args=(failures, editor.run, bench.seconds))
        thread.start()
        loaded.add(_reads(roost, path, token, bench.seconds))
        thread.join()
        if failures:
            raise failures[0]
        for kind, times in editor.times.items():
            figures[kind]["p50"].append(statistics.median(times))
            figures[kind]["p99"].append(statistics.quantiles(times, n=100)[98])


def _guarded(failures, function, *arguments):
    try:
        function(*arguments)
    except Exception as failure:  # raised again by the main thread
        failures.append(failure)


def _listing_path(roost, token):
    path = f"/marketplace-a/listings/{portfolio.FIRST_UNIT}"
    status = roost.get(path, {"Authorization": f"Bearer {token}"})[0]
    if status != 200:
        raise Failure(f"{path} returned {status}")
    return path


def _reads(roost, path, token, seconds):
    return wrk.load(roost.url + path, seconds, roost.pid(), [f"Authorization: Bearer {token}"], "paced_read.lua", [PAUSE],
                    core=None, connections=READ_CONNECTIONS)


def _streams(roost, offices, bench):
    """Measures the server's processor time without clients, then with open streams that receive nothing, then with
    streams that receive each edit."""
    idle, added, costs = [], [], []
    bench.report(Figure("the server without clients", "% of a core", idle),
                 Figure(f"  {STREAMS} open event streams add", "% of a core", added, target=("<", 1)),
                 Figure("  an edit that each of them receives", "ms", costs))
    for _ in range(bench.rounds):
        idle.append(share_of_a_core(roost.pid(), bench.seconds))
        streams = [_open_stream(roost, offices[number % USERS]) for number in range(STREAMS)]
        added.append(share_of_a_core(roost.pid(), bench.seconds) - idle[-1])
        costs.append(_cost_of_an_edit(roost, offices[0], streams))
        for connection, response in streams:
            response.close()  # keeps the connection open otherwise
            connection.close()
        wait_until(lambda: roost.metrics("roost_office_event_streams")[None] == 0, 30, "the streams' end", poll=0.1)


def _open_stream(roost, office):
    """Returns a connection and the response that never ends."""
    connection = http.client.HTTPConnection("127.0.0.1", roost.port, timeout=30)
    connection.request("GET", "/api/events", headers={**office.headers, "Accept": "text/event-stream"})
    response = connection.getresponse()
    if response.status != 200:
        raise Failure(f"/api/events returned {response.status} {response.read()!r}")
    return connection, response


def _cost_of_an_edit(roost, office, streams):
    """Returns the milliseconds of processor time of an edit until every stream has reported it."""
    edits = 20
    unit = office.get("/api/units?limit=1")["items"][0]["id"]
    before = cpu_seconds(roost.pid())
    for number in range(edits):
        tag = office.send("GET", f"/api/units/{unit}")[0]
        office.send("PATCH", f"/api/units/{unit}", {"exitFee": 100 + number}, tag)
        for _, response in streams:
            while not response.fp.readline().startswith(b"data: {"):
                pass
    return 1000 * (cpu_seconds(roost.pid()) - before) / edits
