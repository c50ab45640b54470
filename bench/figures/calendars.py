"""A thousand imported calendars on PostgreSQL: whether all are fetched within five minutes, and what that costs."""

import subprocess
import sys
import time

from lib import calendar_site, portfolio
from lib.figure import Figure
from lib.machine import PROJECT, Failure, free_port, say, share_of_a_core, wait_until
from lib.office import Office, add_users
from lib.roost import Roost
from lib.stores import Cluster

CALENDARS, HOSTS, EVENTS = 1000, 25, 20
UNITS = 100  # of the account
PERIOD = 600  # seconds: two intervals, which vary by a tenth
OPTIONS = ()
DATABASE = "calendars"


def measure(machine, bench):
    file = machine.folder / "portfolio.json"
    portfolio.write(file, UNITS)
    address = add_users(file, 1)[0]
    site = _Site(machine)
    cluster = Cluster(machine)
    roost = Roost(machine, cluster.create(DATABASE), DATABASE,
                  ["rate_limits.management=0", "calendars.allow_private=on", f"calendars.ca_file={site.certificate}"])
    roost.command("import", file)
    roost.start()
    roost.wait_for_feeds(UNITS)
    idle = share_of_a_core(roost.pid(), 30)
    first = _import_all(site, Office(machine, roost, address))
    say("calendars: waiting for ten minutes")
    fetched, share = _period(roost, site)
    bench.report(Figure(f"{CALENDARS:,} new calendars, until all have been read", "s", [first], target=("<", 300)),
                 Figure("then the requests in five minutes", "", [fetched / 2]),
                 Figure("  the server meanwhile", "% of a core", [share], [idle], ("<", 5)))
    failed = roost.metrics("roost_calendar_reads_total", "outcome").get("failed", 0)
    if failed:
        raise Failure(f"{failed:.0f} readings failed: {machine.log_of(DATABASE)}")
    roost.stop()


class _Site:
    """The site's process."""

    def __init__(self, machine):
        self.certificate, key = calendar_site.certificate(machine.folder, HOSTS)
        self.port = free_port()
        program = PROJECT / "bench" / "lib" / "calendar_site.py"
        self._process = machine.start(["env", f"PYTHONPATH={PROJECT / 'bench'}", sys.executable, "-B", program,
                                       self.certificate, key, self.port, HOSTS, EVENTS],
                                      name="site", stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        if self._process.stdout.readline().strip() != "ready":
            raise Failure(f"the site did not start: {machine.log_of('site')}")

    def requests(self):
        """Returns the number of requests that it has answered."""
        print(file=self._process.stdin, flush=True)
        return int(self._process.stdout.readline())


def _import_all(site, office):
    """Imports the calendars and returns the seconds until all have been read once."""
    units = [item["id"] for item in office.get(f"/api/units?limit={UNITS}")["items"]]
    addresses = calendar_site.hosts(HOSTS)
    started = time.monotonic()
    for number in range(CALENDARS):
        url = f"https://{addresses[number % HOSTS]}:{site.port}/{number}.ics"
        office.send("POST", f"/api/units/{units[number % UNITS]}/calendars", {"name": f"Calendar {number}", "url": url})
    wait_until(lambda: site.requests() >= CALENDARS, 300, "the first readings", poll=0.1)
    return time.monotonic() - started


def _period(roost, site):
    """Returns the fetches of the period, and the server's processor time in percent of a core."""
    before = site.requests()
    share = share_of_a_core(roost.pid(), PERIOD)
    return site.requests() - before, share
