"""How soon the store is served again after `kill -9`, and by a warm standby."""

import time

from lib import portfolio
from lib.figure import Figure
from lib.machine import wait_until
from lib.roost import Roost
from lib.stores import Cluster, sqlite_url

UNITS = 1_000
STANDBY_UNITS = 100_000
TIMEOUT = 120
OPTIONS = ("units",)


def measure(machine, bench):
    cluster = Cluster(machine)
    builds = bench.builds(machine)
    small, large = bench.units or UNITS, bench.units or STANDBY_UNITS
    for name, url_of, target in (("SQLite", lambda database: sqlite_url(machine.folder, database), 1),
                                 ("PostgreSQL", cluster.create, 1.5)):
        _measure_on(machine, bench, name, url_of, builds, (small, large), target)


def _measure_on(machine, bench, name, url_of, builds, sizes, target):
    restarted, terminated, killed = ([[] for _ in builds] for _ in range(3))
    bench.report(Figure(f"kill -9 to ready with {sizes[0]:,} units, {name}", "s", restarted[0], *restarted[1:], target=("<", target)),
                 Figure(f"  SIGTERM to a ready standby with {sizes[1]:,} units", "s", terminated[0], *terminated[1:],
                        target=("<", 0.5)),
                 Figure("  kill -9 to a ready standby", "s", killed[0], *killed[1:], target=("<", 1)))
    for index, (build, program) in enumerate(builds):
        alone = _Store(machine, url_of(f"alone-{build}"), f"{name}-alone-{build}", program, sizes[0])
        pair = _Store(machine, url_of(f"pair-{build}"), f"{name}-pair-{build}", program, sizes[1])
        for _ in range(bench.rounds):
            restarted[index].append(alone.seconds_to_restart())
        for _ in range(bench.rounds):
            terminated[index].append(pair.seconds_to_take_over(Roost.terminate))
            killed[index].append(pair.seconds_to_take_over(Roost.kill))


class _Store:
    """A store with a portfolio, and its servers."""

    def __init__(self, machine, url, name, program, units):
        self._machine, self._url, self._name, self._program = machine, url, name, program
        self._number = 0
        path = machine.folder / f"portfolio-{units}.json"
        if not path.exists():
            portfolio.write(path, units)
        self._server().command("import", path)

    def _server(self):
        self._number += 1
        return Roost(self._machine, self._url, f"{self._name}-{self._number}", program=self._program)

    def seconds_to_restart(self):
        """Returns the seconds from the kill of a server until its immediately started successor is ready."""
        first, second = self._server(), self._server()
        first.start()
        killed = time.perf_counter()
        first.kill()
        second.start()
        elapsed = time.perf_counter() - killed
        first.discard()
        second.stop()
        return elapsed

    def seconds_to_take_over(self, end):
        """Returns the seconds from the end of a server until its standby is ready."""
        first, second = self._server(), self._server()
        first.start()
        second.stand_by(TIMEOUT)
        ended = time.perf_counter()
        end(first)
        wait_until(second.is_ready, TIMEOUT, "the standby to take over")
        elapsed = time.perf_counter() - ended
        first.discard()
        second.stop()
        return elapsed
