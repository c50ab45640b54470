"""1,000,000 unit actors on PostgreSQL: how long they take to load, and what they cost in memory."""

import time

from lib import portfolio
from lib.machine import say
from lib.postgresql import Cluster
from lib.roost import Roost
from lib.table import Figure

UNITS = 1_000_000
MOST_SECONDS, MOST_GIGABYTES = 30, 2.5  # for a million; others in proportion
SETTLE = 2  # seconds until what the start has freed is given back
GIGABYTE = 1e9
OPTIONS = ("units", "platforms")


def measure(machine, effort):
    units = effort.units or UNITS
    share = units / UNITS
    loaded, resident, own, imported, ready = [], [], [], [], []
    effort.tell(Figure(f"loading {units:,} unit actors from PostgreSQL", "s", loaded, target=("<", MOST_SECONDS * share)),
                Figure("  memory of the actors, feeds' text left out", "GB", own, target=("<", MOST_GIGABYTES * share)),
                Figure("  resident memory of the process, all in", "GB", resident),
                Figure("  from the start until all feeds can be read", "s", ready),
                Figure("  their import", "s", imported))
    say("million: writing the portfolio")
    portfolio.write(machine.folder / "portfolio.json", units, platforms=effort.platforms or 1)
    roost = Roost(machine, Cluster(machine).create("million"), "million")
    say("million: importing it")
    started = time.monotonic()
    roost.command("import", machine.folder / "portfolio.json", timeout=3600)
    imported.append(time.monotonic() - started)
    (machine.folder / "portfolio.json").unlink()
    say("million: starting the server")
    ready.append(roost.start(patience=600))
    roost.wait_for_feeds(units, patience=600)
    time.sleep(SETTLE)
    loaded.append(roost.seconds_of("portfolio_loaded"))
    feeds = sum(roost.metrics("roost_feed_bytes").values())
    own.append((roost.memory() - feeds) / GIGABYTE)
    resident.append(roost.memory() / GIGABYTE)
    roost.stop()
