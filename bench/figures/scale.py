"""100,000 units: import, start, memory, and builds of the feeds."""

import json
import time

from lib import portfolio
from lib.figure import Figure
from lib.machine import note, say, wait_until
from lib.roost import Roost
from lib.stores import Cluster, sqlite_url

UNITS = 100_000
STARTS = 3
REBUILDS = 3
SETTLE = 2  # seconds until memory freed after the start is returned to the system
OPTIONS = ("units", "platforms")


def measure(machine, bench):
    bench.units, bench.platforms = bench.units or UNITS, bench.platforms or len(portfolio.PLATFORMS)
    portfolio.write(machine.folder / "portfolio.json", bench.units, platforms=bench.platforms)
    cluster = Cluster(machine)
    for name, url, empty_url in (
            ("PostgreSQL", cluster.create("large"), cluster.create("empty")),
            ("SQLite", sqlite_url(machine.folder, "large"), sqlite_url(machine.folder, "empty"))):
        say(f"scale: on {name}")
        _measure_on(machine, bench, name, url, _memory_of_empty(machine, f"{name}-empty", empty_url))


def _measure_on(machine, bench, name, url, empty):
    imported, starts, memory, builds, rebuilds = [], [], [], [], []
    bench.report(Figure(f"import of {bench.units:,} units, {name}", "s", imported, target=("<", 60)),
                 Figure("  start", "s", starts, target=("<", 5)),
                 Figure("  memory per unit, without the text of feeds", "KB", memory, target=("<", 3)),
                 Figure("  first build of the largest feed", "s", builds, target=("<", 1)),
                 Figure("  its rebuild after 1 % changed, with all other feeds", "s", rebuilds))
    started = time.monotonic()
    Roost(machine, url, f"{name}-import").command("import", machine.folder / "portfolio.json")
    imported.append(time.monotonic() - started)
    for number in range(STARTS):
        roost = Roost(machine, url, f"{name}-{number}")
        starts.append(roost.start())
        say(f"scale: started {number + 1}")
        note("started", number=number + 1)
        roost.wait_for_feeds(bench.units)
        builds.append(_builds_so_far(roost)[0])
        time.sleep(SETTLE)
        feeds = sum(roost.metrics("roost_feed_bytes").values())
        memory.append((roost.memory() - empty - feeds) / bench.units / 1024)
        roost.stop()
    _rebuild(machine, bench, name, url, rebuilds)


def _memory_of_empty(machine, name, url):
    roost = Roost(machine, url, name)
    roost.command("migrate")
    roost.start()
    roost.wait_for_feeds(0)
    time.sleep(SETTLE)
    used = roost.memory()
    roost.stop()
    return used


def _rebuild(machine, bench, name, url, times):
    """Measures rebuilds of the largest feed, together with the others, after imports of 1 % of the units."""
    roost = Roost(machine, url, f"{name}-rebuild")
    roost.start()
    roost.wait_for_feeds(bench.units)
    for number in range(REBUILDS):
        count = len(_builds_so_far(roost))
        roost.command("import", "--allow-removals", _changed(machine, bench, number))
        wait_until(lambda: len(_builds_so_far(roost)) > count, 60, "a rebuild", poll=0.2)
        new = _builds_so_far(roost)[count:]
        times.append(sum(new) / len(new))
    roost.stop()


def _changed(machine, bench, number):
    """Writes the first units with a larger capacity."""
    path = machine.folder / "changed.json"
    portfolio.write(path, bench.units, first=max(1, bench.units // 100), platforms=bench.platforms)
    content = json.loads(path.read_text())
    for unit in (unit for account in content["accounts"] for each in account["properties"] for unit in each["units"]):
        unit["capacity"] += 1 + number
    path.write_text(json.dumps(content))
    return path


def _builds_so_far(roost):
    """Returns the seconds of each build of the largest feed."""
    return roost.seconds_of_all("feed_built", "platform=marketplace-a")
