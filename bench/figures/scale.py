"""100,000 units: how long they take to import and to start with, what they cost in memory, the feeds' builds."""

import json
import time

from lib import portfolio, sqlite
from lib.machine import say, wait_until
from lib.postgresql import Cluster
from lib.roost import Roost
from lib.table import Figure

UNITS = 100_000
STARTS = 3
REBUILDS = 3
SETTLE = 2  # seconds until what the start has freed is given back
OPTIONS = ("units", "platforms")


def measure(machine, effort):
    effort.units, effort.platforms = effort.units or UNITS, effort.platforms or len(portfolio.PLATFORMS)
    portfolio.write(machine.folder / "portfolio.json", effort.units, platforms=effort.platforms)
    cluster = Cluster(machine)
    for name, url, empty_url in (
            ("PostgreSQL", cluster.create("large"), cluster.create("empty")),
            ("SQLite", sqlite.url(machine.folder, "large"), sqlite.url(machine.folder, "empty"))):
        say(f"scale: on {name}")
        _measure_on(machine, effort, name, url, _memory_of_empty(machine, f"{name}-empty", empty_url))


def _measure_on(machine, effort, name, url, empty):
    imported, starts, memory, builds, rebuilds = [], [], [], [], []
    effort.tell(Figure(f"import of {effort.units:,} units, {name}", "s", imported, target=("<", 60)),
                Figure("  start", "s", starts, target=("<", 5)),
                Figure("  memory a unit besides its feed text", "KB", memory, target=("<", 3)),
                Figure("  first build of the largest feed", "s", builds, target=("<", 1)),
                Figure("  its rebuild after 1 % changed, beside all other feeds'", "s", rebuilds))
    started = time.monotonic()
    Roost(machine, url, f"{name}-import").command("import", machine.folder / "portfolio.json")
    imported.append(time.monotonic() - started)
    for number in range(STARTS):
        roost = Roost(machine, url, f"{name}-{number}")
        starts.append(roost.start())
        say(f"scale: started {number + 1}")
        roost.wait_for_feeds(effort.units)
        builds.append(_builds_so_far(roost)[1])
        time.sleep(SETTLE)
        feeds = sum(roost.metrics("roost_feed_bytes").values())
        memory.append((roost.memory() - empty - feeds) / effort.units / 1024)
        roost.stop()
    _rebuild(machine, effort, name, url, rebuilds)


def _memory_of_empty(machine, name, url):
    roost = Roost(machine, url, name)
    roost.command("migrate")
    roost.start()
    roost.wait_for_feeds(0)
    time.sleep(SETTLE)
    used = roost.memory()
    roost.stop()
    return used


def _rebuild(machine, effort, name, url, taken):
    """Rebuilds of the largest feed, while the others are rebuilt, too, after imports of a hundredth of the units."""
    roost = Roost(machine, url, f"{name}-rebuild")
    roost.start()
    roost.wait_for_feeds(effort.units)
    for number in range(REBUILDS):
        count, total = _builds_so_far(roost)
        roost.command("import", "--allow-removals", _changed(machine, effort, number))
        wait_until(lambda: _builds_so_far(roost)[0] > count, 60, "a rebuild", poll=0.2)
        new_count, new_total = _builds_so_far(roost)
        taken.append((new_total - total) / (new_count - count))
    roost.stop()


def _changed(machine, effort, number):
    """The first units again, with room for more."""
    path = machine.folder / "changed.json"
    portfolio.write(path, effort.units, first=max(1, effort.units // 100), platforms=effort.platforms)
    content = json.loads(path.read_text())
    for unit in (unit for account in content["accounts"] for each in account["properties"] for unit in each["units"]):
        unit["capacity"] += 1 + number
    path.write_text(json.dumps(content))
    return path


def _builds_so_far(roost):
    """How often the largest feed was built, and the seconds that it took together."""
    return tuple(roost.metrics(f"roost_feed_rebuild_seconds_{what}", "platform").get("marketplace-a", 0)
                 for what in ("count", "sum"))
