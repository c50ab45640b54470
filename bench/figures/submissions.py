"""Durable booking submissions over 64 connections against one insert per commit over a connection a core, or against an
earlier build in their place."""

import contextlib

from lib import portfolio, wrk
from lib.effort import in_turns
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
    # Two servers of a build: one that only acknowledges, and one that decides what it acknowledged at the same time.
    quiet, deciding = ([_server(machine, cluster, f"{name}-{build}", program, f"bookings.cycle={cycle}")
                        for build, program in effort.builds(machine)] for name, cycle in (("quiet", "1h"), ("deciding", "1s")))
    cluster.sql(quiet[0].name, "create table one_insert (like booking_requests including all)")

    def inserts():
        return cluster.inserts_per_second(quiet[0].name, machine.folder / "insert.sql", effort.seconds)
    _compare("submissions", cluster, effort, quiet, inserts)
    _compare("submissions while the queue is decided", cluster, effort, deciding, inserts, has_target=False)
    with _slow_flush(cluster):
        _compare("submissions where a flush takes 1 ms", cluster, effort, quiet, inserts, first=effort.rounds)
    for server in (*quiet, *deciding):
        _require_durable(cluster, server)
        server.stop()


def _compare(name, cluster, effort, servers, inserts, has_target=True, first=0):
    """Tells of one server beside inserts, or of two builds'. `first` is the number of the first round: a server's bookings
    are all different."""
    loads, inserted = [wrk.Loads() for _ in servers], []
    peer = loads[1].rate if effort.before else inserted
    effort.tell(Figure(name, "/s", loads[0].rate, peer, ("x>=", 5.0) if has_target and not effort.before else ()),
                Figure("  p99", "ms", *(each.p99 for each in loads), target=("<", 50) if has_target else ()),
                Figure("  server's time a submission", "us", *(each.cpu for each in loads)))
    for number in range(effort.rounds):
        for i in in_turns(range(2), number):
            cluster.settle()
            if i < len(servers):
                loads[i].add(_load(servers[i], first + number, effort))
            else:
                inserted.append(inserts())


@contextlib.contextmanager
def _slow_flush(cluster):
    """Every flush takes a millisecond, as on disks without a protected cache: PostgreSQL waits so long before each. The
    flush of a virtual machine's disk may cost so little that a group saves nothing."""
    settings = {"commit_delay": 1000, "commit_siblings": 0}
    for name, value in settings.items():
        cluster.sql("postgres", f"alter system set {name} = {value}")
    cluster.sql("postgres", "select pg_reload_conf()")
    yield
    for name in settings:
        cluster.sql("postgres", f"alter system reset {name}")
    cluster.sql("postgres", "select pg_reload_conf()")


def _server(machine, cluster, name, program, setting):
    roost = Roost(machine, cluster.create(name), name, [setting], program=program)
    roost.command("import", machine.folder / "portfolio.json")
    roost.authorization, roost.acknowledged = f"Authorization: Bearer {roost.token()}", 0
    roost.start()
    return roost


def _load(roost, number, effort):
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
