"""1,000,000 unit actors on PostgreSQL: how long they take to load, and what they cost in memory."""

import multiprocessing
import signal
import time

from lib import portfolio
from lib.machine import say
from lib.postgresql import Cluster
from lib.roost import Roost
from lib.table import Figure

UNITS = 1_000_000
PART = 100_000  # units of an import
WRITING = 600  # seconds, at most, of a part
LOADED, MEMORY = ("<", 30), ("<", 2.5)  # for a million
SETTLE = 2  # seconds until what the start has freed is given back
GIGABYTE = 1e9
OPTIONS = ("units", "platforms")


def measure(machine, effort):
    units = effort.units or UNITS
    is_million = units == UNITS
    loaded, resident, own, imported, ready = [], [], [], [], []
    effort.tell(Figure(f"loading {units:,} unit actors from PostgreSQL", "s", loaded, target=LOADED if is_million else ()),
                Figure("  memory of the actors, feeds' text left out", "GB", own, target=MEMORY if is_million else ()),
                Figure("  resident memory of the process, all in", "GB", resident),
                Figure("  from the start until all feeds can be read", "s", ready),
                Figure("  their import, in parts", "s", imported))
    cluster = Cluster(machine)
    roost = Roost(machine, cluster.create("million"), "million")
    started = time.monotonic()
    _import(machine, cluster, roost, units, effort.platforms or 1)
    imported.append(time.monotonic() - started)
    say("million: starting the server")
    ready.append(roost.start(patience=600))
    roost.wait_for_feeds(units, patience=600)
    time.sleep(SETTLE)
    loaded.append(roost.seconds_of("portfolio_loaded"))
    feeds = sum(roost.metrics("roost_feed_bytes").values())
    own.append((roost.memory() - feeds) / GIGABYTE)
    resident.append(roost.memory() / GIGABYTE)
    roost.stop()


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
            say(f"million: importing part {number + 1} of {len(begins)}")
            roost.command("import", file, timeout=3600)
            cluster.sql("million", "analyze")
            file.unlink()
    finally:
        writer.terminate()
        writer.join()
