"""1,000,000 unit actors on PostgreSQL: how long they take to load, what they cost in memory, how soon a token and a landlord's
import are taken up beside them, and how long a stop takes. Everything is measured from outside."""

import multiprocessing
import re
import signal
import threading
import time

from lib import client, portfolio
from lib.change_stream import newest_commit
from lib.machine import say, wait_until
from lib.postgresql import Cluster
from lib.roost import Roost
from lib.table import Figure

UNITS = 1_000_000
PART = 100_000  # units of an import
WRITING = 600  # seconds, at most, of a part
LOADED, MEMORY = ("<", 30), ("<", 2.5)  # for a million
TAKEN_UP, STOPPED = ("<", 0.1), ("<", 2)  # seconds beside a million; the command's own time is in the first
CHANGES = 5  # of each kind
CHANGE_PATIENCE, POLL = 60, 0.002
SETTLE = 2  # seconds until what the start has freed is given back
GIGABYTE = 1e9
OPTIONS = ("units", "platforms")


class Samples:
    """Of one build."""

    def __init__(self):
        self.loaded, self.own, self.resident, self.ready, self.imported = [], [], [], [], []
        self.token, self.account, self.stopped = [], [], []
        self.token_followed, self.account_followed = [], []


def measure(machine, effort):
    units = effort.units or UNITS
    ours, before = Samples(), Samples()
    goal = (lambda target: target) if units == UNITS else lambda target: ()

    def figure(name, unit, samples, target=()):
        return Figure(name, unit, getattr(ours, samples), peer=getattr(before, samples), target=goal(target))
    effort.tell(figure(f"loading {units:,} unit actors from PostgreSQL", "s", "loaded", LOADED),
                figure("  memory of the actors, feeds' text left out", "GB", "own", MEMORY),
                figure("  resident memory of the process, all in", "GB", "resident"),
                figure("  from the start until all feeds can be read", "s", "ready"),
                figure("  their import, in parts", "s", "imported"),
                figure("  a token, from its command's start until it is let in", "s", "token", TAKEN_UP),
                Figure("    from its commit; its command ends in it", "s", ours.token_followed, target=goal(TAKEN_UP)),
                figure("  an import of one landlord, from its start until a read shows it", "s", "account", TAKEN_UP),
                Figure("    from its commit", "s", ours.account_followed, target=goal(TAKEN_UP)),
                figure("  a stop without any traffic", "s", "stopped", STOPPED))
    cluster = Cluster(machine)
    if effort.before:
        _measure_build(machine, cluster, effort, before, "before", effort.before.resolve())
    _measure_build(machine, cluster, effort, ours, "million")


def _measure_build(machine, cluster, effort, samples, name, program=None):
    units = effort.units or UNITS
    roost = Roost(machine, cluster.create(name), name, program=program)
    started = time.monotonic()
    _import(machine, cluster, roost, units, effort.platforms or 1)
    samples.imported.append(time.monotonic() - started)
    say(f"{name}: starting the server")
    samples.ready.append(roost.start(patience=600))
    roost.wait_for_feeds(units, patience=600)
    time.sleep(SETTLE)
    samples.loaded.append(roost.seconds_of("portfolio_loaded"))
    feeds = sum(roost.metrics("roost_feed_bytes").values())
    samples.own.append((roost.memory() - feeds) / GIGABYTE)
    samples.resident.append(roost.memory() / GIGABYTE)

    def rows(query):
        return cluster.sql(name, query).splitlines()
    for number in range(CHANGES):
        samples.token.append(_seconds_of_token(roost))
        let_in = time.time()
        if not program:  # of an earlier build it is not known whether its store has a stream
            samples.token_followed.append(let_in - newest_commit(rows, "credentials"))
        seconds, shown = _seconds_of_import(machine, roost, units, effort.platforms or 1, number)
        samples.account.append(seconds)
        if not program:
            samples.account_followed.append(shown - newest_commit(rows, "account"))
    started = time.monotonic()
    roost.stop()
    samples.stopped.append(time.monotonic() - started)


def _listing(roost, token):
    path = f"/marketplace-a/listings/{portfolio.FIRST_UNIT}"
    return client.ask(roost.port, "GET", path, headers={"Authorization": f"Bearer {token}"})


def _seconds_of_token(roost):
    started = time.monotonic()
    token = roost.token()
    wait_until(lambda: _listing(roost, token)[0] == 200, CHANGE_PATIENCE, "a token to be let in", poll=POLL)
    return time.monotonic() - started


def _seconds_of_import(machine, roost, units, platforms, number):
    """One of an account whose rents are others, and when it was shown, in seconds since 1970. A listing is polled while the
    command runs."""
    file = machine.folder / "landlord.json"
    portfolio.write(file, units, first=portfolio.UNITS_AN_ACCOUNT, platforms=platforms)
    raised = re.sub(r'"(amount|rent)":(\d+)', lambda rent: f'"{rent[1]}":{int(rent[2]) + number + 1}',
                    file.read_text(encoding="utf-8"))
    file.write_text(raised, encoding="utf-8")
    token = roost.token()
    wait_until(lambda: _listing(roost, token)[0] == 200, CHANGE_PATIENCE, "a token to be let in", poll=POLL)
    shown = _listing(roost, token)[2]
    command = threading.Thread(target=roost.command, args=("import", file))
    started = time.monotonic()
    command.start()
    wait_until(lambda: _listing(roost, token)[2] != shown, CHANGE_PATIENCE, "an import to be shown", poll=POLL)
    seconds, shown_at = time.monotonic() - started, time.time()
    command.join()
    return seconds, shown_at


def _import(machine, cluster, roost, units, platforms):
    """In parts, of which one is written while the one before is imported: an import is one transaction, and PostgreSQL knows
    nothing of the sizes of tables that are filled in the same one."""
    begins = range(0, units, PART)

    def write_all():
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent ends it
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
            file = written.get(timeout=WRITING)
            say(f"{roost.name}: importing part {number + 1} of {len(begins)}")
            roost.command("import", file, timeout=3600)
            cluster.sql(roost.name, "analyze")
            file.unlink()
    finally:
        writer.terminate()
        writer.join()
