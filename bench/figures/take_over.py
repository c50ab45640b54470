"""How soon the store is served again: by the same server after `kill -9`, and by a warm standby."""

import time

from lib import portfolio, sqlite
from lib.machine import wait_until
from lib.postgresql import Cluster
from lib.roost import Roost
from lib.table import Figure

UNITS = 1_000
UNITS_OF_STANDBY = 100_000
PATIENCE = 120
OPTIONS = ("units",)


def measure(machine, effort):
    cluster = Cluster(machine)
    builds = effort.builds(machine)
    small, large = effort.units or UNITS, effort.units or UNITS_OF_STANDBY
    for name, url_of, target in (("SQLite", lambda database: sqlite.url(machine.folder, database), 1),
                                 ("PostgreSQL", cluster.create, 1.5)):
        _measure_on(machine, effort, name, url_of, builds, (small, large), target)


def _measure_on(machine, effort, name, url_of, builds, sizes, target):
    back, ordered, killed = ([[] for _ in builds] for _ in range(3))
    effort.tell(Figure(f"kill -9 to ready with {sizes[0]:,} units, {name}", "s", back[0], *back[1:], target=("<", target)),
                Figure(f"  SIGTERM to a ready standby with {sizes[1]:,} units", "s", ordered[0], *ordered[1:],
                       target=("<", 0.5)),
                Figure("  kill -9 to a ready standby", "s", killed[0], *killed[1:], target=("<", 1)))
    for index, (build, program) in enumerate(builds):
        alone = _Store(machine, url_of(f"alone-{build}"), f"{name}-alone-{build}", program, sizes[0])
        pair = _Store(machine, url_of(f"pair-{build}"), f"{name}-pair-{build}", program, sizes[1])
        for _ in range(effort.rounds):
            back[index].append(alone.back_after_kill())
        for _ in range(effort.rounds):
            ordered[index].append(pair.handed_over(Roost.terminate))
            killed[index].append(pair.handed_over(Roost.kill))


class _Store:
    """A store with a portfolio, and servers on it."""

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

    def back_after_kill(self):
        """Seconds from the kill of a server until its successor, which starts at once, is ready."""
        first, second = self._server(), self._server()
        first.start()
        killed = time.perf_counter()
        first.kill()
        second.start()
        taken = time.perf_counter() - killed
        first.end()
        second.stop()
        return taken

    def handed_over(self, end):
        """Seconds from the end of a server until the one that stood by is ready."""
        first, second = self._server(), self._server()
        first.start()
        second.stand_by(PATIENCE)
        ended = time.perf_counter()
        end(first)
        wait_until(second.is_ready, PATIENCE, "the standby to take over")
        taken = time.perf_counter() - ended
        first.end()
        second.stop()
        return taken
