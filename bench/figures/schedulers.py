"""For operators: single reads and booking submissions under each scheduler policy, on the whole machine."""

from lib import portfolio, wrk
from lib.postgresql import Cluster
from lib.roost import Roost
from lib.table import Figure

UNITS = 1000
POLICIES = ("asio", "stealing", "sharing")


def measure(machine, effort):
    portfolio.write(machine.folder / "portfolio.json", UNITS)
    cluster = Cluster(machine)
    reads = {policy: [] for policy in POLICIES}
    bookings = {policy: [] for policy in POLICIES}
    servers = {policy: _server(machine, cluster, policy) for policy in POLICIES}
    for number in range(effort.rounds):
        turn = number % len(POLICIES)
        for policy in POLICIES[turn:] + POLICIES[:turn]:
            roost = servers[policy]
            url, pid = f"{roost.url}/marketplace-a", roost.pid()
            headers = [roost.authorization]
            reads[policy].append(
                wrk.load(f"{url}/listings/{portfolio.FIRST_UNIT}", effort.seconds, pid, headers, core=None))
            numbers = [str(number * 1_000_000), str(UNITS), str(portfolio.FIRST_UNIT)]
            bookings[policy].append(
                wrk.load(f"{url}/bookings", effort.seconds, pid, headers, "book.lua", numbers, core=None))
    figures = []
    for policy in POLICIES:
        servers[policy].stop()
        figures += [
            Figure(f"scheduler {policy}: single read", "/s", _rates(reads[policy]), _rates(reads["asio"])),
            Figure("  server's time a read", "us", _times(reads[policy]), _times(reads["asio"])),
            Figure("  submissions", "/s", _rates(bookings[policy]), _rates(bookings["asio"])),
            Figure("  server's time a submission", "us", _times(bookings[policy]), _times(bookings["asio"])),
        ]
    return figures


def _rates(loads):
    return [load.rate for load in loads]


def _times(loads):
    return [load.cpu for load in loads]


def _server(machine, cluster, policy):
    roost = Roost(machine, cluster.create(policy), policy, [f"scheduler.policy={policy}", "bookings.cycle=1h"])
    roost.command("import", machine.folder / "portfolio.json")
    roost.authorization = f"Authorization: Bearer {roost.token()}"
    roost.start()
    return roost
