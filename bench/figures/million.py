"""1,000,000 unit actors on PostgreSQL: load time, memory, the time until a token and a landlord's import are applied, and the
time of a stop. Everything is measured from outside."""

import multiprocessing
import re
import signal
import threading
import time

from lib import clients, portfolio
from lib.figure import Figure
from lib.machine import say, wait_until
from lib.roost import Roost
from lib.stores import Cluster, newest_commit

UNITS = 1_000_000
PART = 100_000  # units per import
WRITE_TIMEOUT = 600  # seconds to write a part
LOADED, MEMORY = ("<", 30), ("<", 2.5)  # for a million
APPLIED, STOPPED = ("<", 0.1), ("<", 2)  # seconds, for a million; the first includes the command's own time
CHANGES = 5  # of each kind
CHANGE_PATIENCE, POLL = 60, 0.002
SETTLE = 2  # seconds until memory freed after the start is returned to the system
GIGABYTE = 1e9
OPTIONS = ("units", "platforms")


class Samples:
    """The samples of one build."""

    def __init__(self):
        self.loaded, self.own, self.resident, self.ready, self.imported = [], [], [], [], []
        self.token, self.account, self.stopped = [], [], []
        self.token_followed, self.account_followed = [], []


def measure(machine, bench):
    units = bench.units or UNITS
    ours, before = Samples(), Samples()
    target_of = (lambda target: target) if units == UNITS else lambda target: ()

    def figure(name, unit, samples, target=()):
        return Figure(name, unit, getattr(ours, samples), peer=getattr(before, samples), target=target_of(target))
    bench.report(figure(f"loading {units:,} unit actors from PostgreSQL", "s", "loaded", LOADED),
                 figure("  memory of the actors, without the text of feeds", "GB", "own", MEMORY),
                 figure("  total memory of the process", "GB", "resident"),
                 figure("  from the start until all feeds are readable", "s", "ready"),
                 figure("  import, in parts", "s", "imported"),
                 figure("  token, from its command's start until accepted", "s", "token", APPLIED),
                 Figure("    from its commit, including the end of its command", "s", ours.token_followed, target=target_of(APPLIED)),
                 figure("  import of one landlord, from its start until shown", "s", "account", APPLIED),
                 Figure("    from its commit", "s", ours.account_followed, target=target_of(APPLIED)),
                 figure("  stop without traffic", "s", "stopped", STOPPED))
    cluster = Cluster(machine)
    if bench.before:
        _measure_build(machine, cluster, bench, before, "before", bench.before.resolve())
    _measure_build(machine, cluster, bench, ours, "million")


def _measure_build(machine, cluster, bench, samples, name, program=None):
    units = bench.units or UNITS
    roost = Roost(machine, cluster.create(name), name, program=program)
    started = time.monotonic()
    _import(machine, cluster, roost, units, bench.platforms or 1)
    samples.imported.append(time.monotonic() - started)
    say(f"{name}: starting the server")
    samples.ready.append(roost.start(timeout=600))
    roost.wait_for_feeds(units, timeout=600)
    time.sleep(SETTLE)
    samples.loaded.append(roost.seconds_of("portfolio_loaded"))
    feeds = sum(roost.metrics("roost_feed_bytes").values())
    samples.own.append((roost.memory() - feeds) / GIGABYTE)
    samples.resident.append(roost.memory() / GIGABYTE)

    def rows(query):
        return cluster.sql(name, query).splitlines()
    for number in range(CHANGES):
        samples.token.append(_seconds_of_token(roost))
        accepted = time.time()
        if not program:  # an earlier build may lack the change stream
            samples.token_followed.append(accepted - newest_commit(rows, "credentials"))
        seconds, shown = _seconds_of_import(machine, roost, units, bench.platforms or 1, number)
        samples.account.append(seconds)
        if not program:
            samples.account_followed.append(shown - newest_commit(rows, "account"))
    started = time.monotonic()
    roost.stop()
    samples.stopped.append(time.monotonic() - started)


def _listing(roost, token):
    path = f"/marketplace-a/listings/{portfolio.FIRST_UNIT}"
    return clients.request(roost.port, "GET", path, headers={"Authorization": f"Bearer {token}"})


def _seconds_of_token(roost):
    started = time.monotonic()
    token = roost.token()
    wait_until(lambda: _listing(roost, token)[0] == 200, CHANGE_PATIENCE, "a token to be accepted", poll=POLL)
    return time.monotonic() - started


def _seconds_of_import(machine, roost, units, platforms, number):
    """Imports an account with different rents, and polls a listing meanwhile. Returns the duration until it was shown, and the
    time of that in seconds since 1970."""
    file = machine.folder / "landlord.json"
    portfolio.write(file, units, first=portfolio.UNITS_PER_ACCOUNT, platforms=platforms)
    raised = re.sub(r'"(amount|rent)":(\d+)', lambda rent: f'"{rent[1]}":{int(rent[2]) + number + 1}',
                    file.read_text(encoding="utf-8"))
    file.write_text(raised, encoding="utf-8")
    token = roost.token()
    wait_until(lambda: _listing(roost, token)[0] == 200, CHANGE_PATIENCE, "a token to be accepted", poll=POLL)
    before = _listing(roost, token)[2]
    command = threading.Thread(target=roost.command, args=("import", file))
    started = time.monotonic()
    command.start()
    wait_until(lambda: _listing(roost, token)[2] != before, CHANGE_PATIENCE, "an import to be shown", poll=POLL)
    seconds, shown_at = time.monotonic() - started, time.time()
    command.join()
    return seconds, shown_at


def _import(machine, cluster, roost, units, platforms):
    """Imports in parts, and writes the next one meanwhile. An import is one transaction, and PostgreSQL lacks statistics of
    tables filled in the same transaction."""
    begins = range(0, units, PART)

    def write_all():
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent terminates it
        for begin in begins:
            file = machine.folder / f"portfolio-{begin}.json"
            portfolio.write(file, units, first=min(begin + PART, units), platforms=platforms, begin=begin)
            written.put(file)
    context = multiprocessing.get_context("fork")
    written = context.Queue(len(begins))
    writer = context.Process(target=write_all, daemon=True)
    writer.start()
    try:
        for number in range(len(begins)):
            file = written.get(timeout=WRITE_TIMEOUT)
            say(f"{roost.name}: importing part {number + 1} of {len(begins)}")
            roost.command("import", file, timeout=3600)
            cluster.sql(roost.name, "analyze")
            file.unlink()
    finally:
        writer.terminate()
        writer.join()
