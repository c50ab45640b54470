"""One cell: a strategy, a depth and a load, in a store of its own, run and judged by bench_contention."""

import json
import subprocess
from dataclasses import dataclass, field

from lib.contention import outside
from lib.contention.faults import Fault
from lib.machine import Failure, stop

REQUESTS_A_SECOND = {"actors": 16_000}  # that wait at the whole depth, more than can be decided
_OF_A_PEER = 8_000


@dataclass(frozen=True)
class Load:
    """What is asked for. `name` is what the reports call it."""

    name: str
    zipf: float = 1.0
    hot_share: float | None = None
    calendar: str = "rolling"
    rate: float | None = None
    fault: str | None = None

    def words(self):
        where = ["--zipf", self.zipf] if self.hot_share is None else ["--hot-share", self.hot_share]
        return [*where, "--calendar", self.calendar, *(["--rate", self.rate] if self.rate else [])]


@dataclass
class Cell:
    """All rounds of one strategy, depth and load."""

    strategy: str
    depth: str
    load: Load
    part: str
    rounds: list = field(default_factory=list)  # what bench_contention printed, with "faults"


class Runner:
    def __init__(self, machine, program, store, options):
        self._machine, self._program, self._store, self._options = machine, program, store, options

    def run(self, cell):
        """Adds a round to the cell; also when it is interrupted, what was measured until then."""
        options = self._options
        url = self._store.fresh()
        server = outside.start(self._machine, url) if cell.part == "outside" else None
        process = self._machine.start([self._program, "run", "--store", url, *self._words(cell, server)],
                                      name="cell", stdout=subprocess.PIPE, text=True)
        fault = None
        try:
            measuring = process.stdout.readline()
            if measuring and cell.load.fault:
                fault = Fault(cell.load.fault, self._store, server, options.seconds / 2)
            said = process.stdout.readline()
        except KeyboardInterrupt:
            process.terminate()
            self._take(cell, process.stdout.readlines()[-1:], fault)
            raise
        finally:
            if fault:
                fault.end()
            stop(process)
            if server:
                stop(server.process)
        if not self._take(cell, [said], fault):
            raise Failure(f"{cell.strategy}, {cell.depth}: {self._machine.log_of('cell')}")

    @staticmethod
    def _take(cell, lines, fault):
        if not lines or not lines[0].startswith("{"):
            return False
        result = json.loads(lines[0])
        result["faults"] = [{"what": fault.words, "ms": (moment - result["started_ns"]) / 1e6}
                            for moment in fault.moments] if fault else []
        if result["decisions"]:
            cell.rounds.append(result)
        return True

    def _words(self, cell, server):
        options = self._options
        rate = REQUESTS_A_SECOND.get(cell.strategy, _OF_A_PEER)
        return ["--strategy", cell.strategy, "--depth", cell.depth, *cell.load.words(),
                "--clients", options.clients, "--units", options.units, "--hot-units", options.hot_units,
                "--shortest", options.stays[0], "--longest", options.stays[1], "--window", options.window,
                "--conflicts", options.conflicts, "--seed", options.seed, "--seconds", options.seconds,
                "--warm-up", options.warm_up, "--database-pid", self._store.pid,
                *(["--port", server.port, "--token", server.token(), "--server-pid", server.pid()] if server else []),
                "--requests", int(rate * (options.seconds + options.warm_up)) + 1000]
