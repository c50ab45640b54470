"""Durable booking submissions over 64 connections against one insert per commit over a connection a core."""

from lib import portfolio, wrk
from lib.postgresql import Cluster
from lib.roost import Roost
from lib.table import Figure

UNITS = 1000
NUMBERS_A_ROUND = 1_000_000  # more bookings than a round can make
OPTIONS = ("units", "connections", "conflicts", "skew", "read_share")

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
    effort.units = effort.units or UNITS
    portfolio.write(machine.folder / "portfolio.json", effort.units)
    (machine.folder / "insert.sql").write_text(_INSERT)
    cluster = Cluster(machine)
    # Two servers: one that only acknowledges, and one that decides what it acknowledged at the same time.
    quiet = _server(machine, cluster, "quiet", "bookings.cycle=1h")
    deciding = _server(machine, cluster, "deciding", "bookings.cycle=1s")
    cluster.sql("quiet", "create table one_insert (like booking_requests including all)")
    loads, decided, peer = wrk.Loads(), wrk.Loads(), []
    effort.tell(Figure("submissions", "/s", loads.rate, peer, ("x>=", 5.0)),
                Figure("  p99", "ms", loads.p99, target=("<", 50)),
                Figure("  server's time a submission", "us", loads.cpu),
                Figure("submissions while the queue is decided", "/s", decided.rate, peer),
                Figure("  p99", "ms", decided.p99))
    for number in range(effort.rounds):
        if number % 2 == 0:
            loads.add(_load(cluster, quiet, number, effort))
            peer.append(_inserts(machine, cluster, effort))
        else:
            peer.append(_inserts(machine, cluster, effort))
            loads.add(_load(cluster, quiet, number, effort))
        decided.add(_load(cluster, deciding, number, effort))
    _with_slow_flush(machine, cluster, quiet, effort)
    for server in (quiet, deciding):
        _require_durable(cluster, server)
        server.stop()


def _with_slow_flush(machine, cluster, server, effort):
    """The same where every flush takes a millisecond, as on disks without a protected cache: PostgreSQL waits so
    long before each. The flush of a virtual machine's disk may cost so little that a group saves nothing."""
    for setting in ("commit_delay = 1000", "commit_siblings = 0"):
        cluster.sql("postgres", f"alter system set {setting}")
    cluster.sql("postgres", "select pg_reload_conf()")
    loads, peer = wrk.Loads(), []
    effort.tell(Figure("submissions where a flush takes 1 ms", "/s", loads.rate, peer, ("x>=", 5.0)),
                Figure("  p99", "ms", loads.p99, target=("<", 50)))
    for number in range(effort.rounds):
        loads.add(_load(cluster, server, effort.rounds + number, effort))
        peer.append(_inserts(machine, cluster, effort))
    for setting in ("commit_delay", "commit_siblings"):
        cluster.sql("postgres", f"alter system reset {setting}")
    cluster.sql("postgres", "select pg_reload_conf()")


def _server(machine, cluster, name, setting):
    roost = Roost(machine, cluster.create(name), name, [setting])
    roost.command("import", machine.folder / "portfolio.json")
    roost.authorization, roost.acknowledged = f"Authorization: Bearer {roost.token()}", 0
    roost.start()
    return roost


def _inserts(machine, cluster, effort):
    cluster.settle()
    return cluster.inserts_per_second("quiet", machine.folder / "insert.sql", effort.seconds)


def _load(cluster, roost, number, effort):
    cluster.settle()
    load = wrk.load(f"{roost.url}/marketplace-a/bookings", effort.seconds, roost.pid(), [roost.authorization], "book.lua",
                    list(map(str, (number * NUMBERS_A_ROUND, effort.units, portfolio.FIRST_UNIT, effort.conflicts or 0,
                                   effort.skew or 0, effort.read_share or 0))), core=None, connections=effort.connections)
    # Those that were under way at the end may have been acknowledged or not.
    roost.acknowledged += load.posted - effort.connections
    return load


def _require_durable(cluster, roost):
    stored = int(cluster.sql(roost.name, "select count(*) from booking_requests"))
    if stored < roost.acknowledged:
        raise wrk.Failure(f"{roost.acknowledged} submissions were acknowledged and only {stored} are stored")
