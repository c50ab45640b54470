"""Durable booking submissions over 64 connections against one insert per commit over a connection a core."""

from lib import portfolio, wrk
from lib.postgresql import Cluster
from lib.roost import Roost
from lib.table import Figure

UNITS = 1000
NUMBERS_A_ROUND = 1_000_000  # more bookings than a round can make

# A row as a submission writes it, into a table with the same columns, checks and indexes.
_INSERT = r"""\set number random(1, 1000000000)
insert into one_insert (id, platform, external_id, reference, check_in, check_out, occupants,
  provider_payment_cents, ota_commission_cents, first_name, last_name, email, fiscal_id, phone, nationality,
  received_at)
values (gen_random_uuid(), 'marketplace-a', '1000001', '00000000-0000-4000-8000-' || lpad(:number::text, 12, '0'),
  '2030-01-01', '2030-01-28', 1, 65050, 3500, 'Ada', 'Marsh', 'guest' || :number::text || '@guests.example',
  'X1234567L', '+34 600 000 000', 'GB', now());
"""


def measure(machine, effort):
    portfolio.write(machine.folder / "portfolio.json", UNITS)
    (machine.folder / "insert.sql").write_text(_INSERT)
    cluster = Cluster(machine)
    # Two servers: one that only acknowledges, and one that decides what it acknowledged at the same time.
    quiet = _server(machine, cluster, "quiet", "bookings.cycle=1h")
    deciding = _server(machine, cluster, "deciding", "bookings.cycle=1s")
    cluster.sql("quiet", "create table one_insert (like booking_requests including all)")
    loads, decided, peer = [], [], []
    for number in range(effort.rounds):
        if number % 2 == 0:
            loads.append(_load(cluster, quiet, number, effort))
            peer.append(_inserts(machine, cluster, effort))
        else:
            peer.append(_inserts(machine, cluster, effort))
            loads.append(_load(cluster, quiet, number, effort))
        decided.append(_load(cluster, deciding, number, effort))
    slow_loads, slow_peer = _with_slow_flush(machine, cluster, quiet, effort)
    loads_of_quiet = loads + slow_loads
    for server, made in ((quiet, loads_of_quiet), (deciding, decided)):
        _require_durable(cluster, server, made)
        server.stop()
    return [
        Figure("submissions", "/s", [load.rate for load in loads], peer, ("x>=", 5.0)),
        Figure("  p99", "ms", [load.p99 for load in loads], target=("<", 50)),
        Figure("  server's time a submission", "us", [load.cpu for load in loads]),
        Figure("submissions where a flush takes 1 ms", "/s", [load.rate for load in slow_loads], slow_peer,
               ("x>=", 5.0)),
        Figure("  p99", "ms", [load.p99 for load in slow_loads], target=("<", 50)),
        Figure("submissions while the queue is decided", "/s", [load.rate for load in decided], peer),
        Figure("  p99", "ms", [load.p99 for load in decided]),
    ]


def _with_slow_flush(machine, cluster, server, effort):
    """The same where every flush takes a millisecond, as on disks without a protected cache: PostgreSQL waits so
    long before each. The flush of a virtual machine's disk may cost so little that a group saves nothing."""
    for setting in ("commit_delay = 1000", "commit_siblings = 0"):
        cluster.sql("postgres", f"alter system set {setting}")
    cluster.sql("postgres", "select pg_reload_conf()")
    loads, peer = [], []
    for number in range(effort.rounds):
        loads.append(_load(cluster, server, effort.rounds + number, effort))
        peer.append(_inserts(machine, cluster, effort))
    for setting in ("commit_delay", "commit_siblings"):
        cluster.sql("postgres", f"alter system reset {setting}")
    cluster.sql("postgres", "select pg_reload_conf()")
    return loads, peer


def _server(machine, cluster, name, setting):
    roost = Roost(machine, cluster.create(name), name, [setting])
    roost.command("import", machine.folder / "portfolio.json")
    roost.authorization = f"Authorization: Bearer {roost.token()}"
    roost.start()
    return roost


def _inserts(machine, cluster, effort):
    cluster.settle()
    return cluster.inserts_per_second("quiet", machine.folder / "insert.sql", effort.seconds)


def _load(cluster, roost, number, effort):
    cluster.settle()
    url = f"{roost.url}/marketplace-a/bookings"
    return wrk.load(url, effort.seconds, roost.pid(), [roost.authorization], "book.lua",
                    [str(number * NUMBERS_A_ROUND), str(UNITS), str(portfolio.FIRST_UNIT)], core=None)


def _require_durable(cluster, roost, loads):
    stored = int(cluster.sql(roost.name, "select count(*) from booking_requests"))
    acknowledged = sum(load.answers for load in loads)
    if stored < acknowledged:
        raise wrk.Failure(f"{acknowledged} submissions were acknowledged and only {stored} are stored")
