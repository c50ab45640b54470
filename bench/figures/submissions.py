"""Durable booking submissions over 64 connections, against one insert per commit over one connection per core, or against an
earlier build."""

from lib import portfolio, wrk
from lib.bench import alternating
from lib.figure import Figure
from lib.roost import Roost
from lib.stores import Cluster

UNITS = 1000
NUMBERS_PER_ROUND = 1_000_000  # more bookings than fit into a round
OPTIONS = ("units", "connections", "conflicts", "skew", "read_share")

# Writes the row of a submission into a table with the same columns, checks and indexes.
_INSERT = r"""\set number random(1, 1000000000)
insert into one_insert (id, platform, external_id, reference, check_in, check_out, occupants,
  provider_payment_cents, ota_commission_cents, first_name, last_name, email, fiscal_id, phone, nationality,
  received_at)
values (gen_random_uuid(), 'marketplace-a', '1000001', '00000000-0000-4000-8000-' || lpad(:number::text, 12, '0'),
  '2030-01-01', '2030-01-28', 1, 65050, 3500, 'Ada', 'Marsh', 'guest' || :number::text || '@guests.example',
  'X1234567L', '+34 600 000 000', 'GB', now());
"""


def measure(machine, bench):
    bench.units = bench.units or UNITS
    portfolio.write(machine.folder / "portfolio.json", bench.units)
    (machine.folder / "insert.sql").write_text(_INSERT)
    cluster = Cluster(machine)
    # Two servers per build: one only acknowledges, one also decides at the same time.
    quiet, deciding = ([_server(machine, cluster, f"{name}-{build}", program, f"bookings.cycle={cycle}")
                        for build, program in bench.builds(machine)] for name, cycle in (("quiet", "1h"), ("deciding", "1s")))
    cluster.sql(quiet[0].name, "create table one_insert (like booking_requests including all)")

    def inserts():
        return cluster.inserts_per_second(quiet[0].name, machine.folder / "insert.sql", bench.seconds)
    _compare("submissions", cluster, bench, quiet, inserts)
    _compare("submissions while the queue is decided", cluster, bench, deciding, inserts, has_target=False)
    with cluster.slow_flush():
        _compare("submissions with a flush of 1 ms", cluster, bench, quiet, inserts, first=bench.rounds)
    for server in (*quiet, *deciding):
        _require_durable(cluster, server)
        server.stop()


def _compare(name, cluster, bench, servers, inserts, has_target=True, first=0):
    """Reports one server against inserts, or two builds. `first` is the number of the first round, because bookings of a
    server must differ."""
    loads, inserted = [wrk.Loads() for _ in servers], []
    peer = loads[1].rate if bench.before else inserted
    bench.report(Figure(name, "/s", loads[0].rate, peer, ("x>=", 5.0) if has_target and not bench.before else ()),
                 Figure("  p99", "ms", *(each.p99 for each in loads), target=("<", 50) if has_target else ()),
                 Figure("  server time per submission", "us", *(each.cpu for each in loads)))
    for number in range(bench.rounds):
        for i in alternating(range(2), number):
            cluster.settle()
            if i < len(servers):
                loads[i].add(_load(servers[i], first + number, bench))
            else:
                inserted.append(inserts())


def _server(machine, cluster, name, program, setting):
    roost = Roost(machine, cluster.create(name), name, [setting], program=program)
    roost.command("import", machine.folder / "portfolio.json")
    roost.authorization, roost.acknowledged = f"Authorization: Bearer {roost.token()}", 0
    roost.start()
    return roost


def _load(roost, number, bench):
    load = wrk.load(f"{roost.url}/marketplace-a/bookings", bench.seconds, roost.pid(), [roost.authorization], "book.lua",
                    list(map(str, (number * NUMBERS_PER_ROUND, bench.units, portfolio.FIRST_UNIT, bench.conflicts or 0,
                                   bench.skew or 0, bench.read_share or 0))), core=None, connections=bench.connections)
    # Submissions in progress at the end may not have been acknowledged.
    roost.acknowledged += load.posted - bench.connections
    return load


def _require_durable(cluster, roost):
    stored = int(cluster.sql(roost.name, "select count(*) from booking_requests"))
    if stored < roost.acknowledged:
        raise wrk.Failure(f"{roost.acknowledged} submissions were acknowledged, but only {stored} are stored")
