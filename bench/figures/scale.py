"""100,000 units: how long they take to import and to start with, what they cost in memory, the feed's rebuild."""

import time

from lib import portfolio
from lib.machine import say, wait_until
from lib.postgresql import Cluster
from lib.roost import Roost
from lib.table import Figure

UNITS = 100_000
STARTS = 3
REBUILDS = 3
SETTLE = 2  # seconds until what the start has freed is given back


def measure(machine, effort):
    portfolio.write(machine.folder / "portfolio.json", UNITS)
    cluster = Cluster(machine)
    figures = []
    for name, url, empty_url in (
            ("PostgreSQL", cluster.create("large"), cluster.create("empty")),
            ("SQLite", f"sqlite3://{machine.folder}/large.db", f"sqlite3://{machine.folder}/empty.db")):
        say(f"scale: on {name}")
        figures += _measure_on(machine, name, url, _memory_of_empty(machine, f"{name}-empty", empty_url))
    return figures


def _measure_on(machine, name, url, empty):
    started = time.monotonic()
    Roost(machine, url, f"{name}-import").command("import", machine.folder / "portfolio.json")
    imported = time.monotonic() - started
    starts, memory = [], []
    for number in range(STARTS):
        roost = Roost(machine, url, f"{name}-{number}")
        starts.append(roost.start())
        roost.wait_for_feeds(UNITS)
        time.sleep(SETTLE)
        feeds = sum(roost.metrics("roost_feed_bytes").values())
        memory.append((roost.memory() - empty - feeds) / UNITS / 1024)
        roost.stop()
    return [
        Figure(f"import of 100,000 units, {name}", "s", [imported], target=("<", 60)),
        Figure("  start", "s", starts, target=("<", 5)),
        Figure("  memory a unit besides its feed text", "KB", memory, target=("<", 3)),
        Figure("  rebuild of the largest feed", "s", _rebuilds(machine, name, url), target=("<", 1)),
    ]


def _memory_of_empty(machine, name, url):
    roost = Roost(machine, url, name)
    roost.command("migrate")
    roost.start()
    roost.wait_for_feeds(0)
    time.sleep(SETTLE)
    used = roost.memory()
    roost.stop()
    return used


def _rebuilds(machine, name, url):
    """Each rebuild of the largest feed after the one at the start, while the other feeds are rebuilt, too."""
    roost = Roost(machine, url, f"{name}-rebuild", ["feeds.rebuild=3s"])
    roost.start()
    roost.wait_for_feeds(UNITS)

    def so_far():
        counts = roost.metrics("roost_feed_rebuild_seconds_count", "platform")
        sums = roost.metrics("roost_feed_rebuild_seconds_sum", "platform")
        return counts.get("marketplace-a", 0), sums.get("marketplace-a", 0.0)

    taken, (count, total) = [], so_far()
    for _ in range(REBUILDS):
        wait_until(lambda: so_far()[0] > count, 60, "a rebuild", poll=0.2)
        new_count, new_total = so_far()
        taken.append((new_total - total) / (new_count - count))
        count, total = new_count, new_total
    roost.stop()
    return taken
