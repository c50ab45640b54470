"""One cell: a strategy, a depth and a load in its own store, run and verified by bench_contention."""

import json
import subprocess
from dataclasses import dataclass, field

from lib.contention.faults import Fault
from lib.machine import Failure, stop
from lib.roost import Roost

HTTP_STRATEGY = "http"  # a running server that receives the load over HTTP
# Pending requests at the whole depth, per second of load: more than can be decided.
_REQUESTS_PER_SECOND = {"actors": 16_000}
_REQUESTS_PER_SECOND_OF_PEERS = 8_000


@dataclass(frozen=True)
class Load:
    """The parameters of a load; `name` appears in the reports."""

    name: str
    zipf: float = 1.0
    hot_share: float | None = None
    calendar: str = "rolling"
    rate: float | None = None
    fault: str | None = None

    def arguments(self):
        distribution = ["--zipf", self.zipf] if self.hot_share is None else ["--hot-share", self.hot_share]
        return [*distribution, "--calendar", self.calendar, *(["--rate", self.rate] if self.rate else [])]


@dataclass
class Cell:
    """All rounds of one strategy, depth and load."""

    strategy: str
    depth: str
    load: Load
    part: str
    rounds: list = field(default_factory=list)  # the output of bench_contention, with "faults"


class Runner:
    def __init__(self, machine, program, store, options):
        self._machine, self._program, self._store, self._options = machine, program, store, options

    def run(self, cell):
        """Adds a round to the cell; if interrupted, with the results so far."""
        options = self._options
        url = self._store.create()
        server = self._start_server(url) if cell.part == "outside" else None
        process = self._machine.start([self._program, "run", "--store", url, *self._arguments(cell, server)],
                                      name="cell", stdout=subprocess.PIPE, text=True)
        fault = None
        try:
            measuring = process.stdout.readline()
            if measuring and cell.load.fault:
                fault = Fault(cell.load.fault, self._store, server, options.seconds / 2)
            line = process.stdout.readline()
        except KeyboardInterrupt:
            process.terminate()
            self._add_round(cell, process.stdout.readlines()[-1:], fault)
            raise
        finally:
            if fault:
                fault.end()
            stop(process)
            if server:
                stop(server.process)
        if not self._add_round(cell, [line], fault):
            raise Failure(f"{cell.strategy}, {cell.depth}: {self._machine.log_of('cell')}")

    @staticmethod
    def _add_round(cell, lines, fault):
        if not lines or not lines[0].startswith("{"):
            return False
        result = json.loads(lines[0])
        result["faults"] = [{"what": fault.description, "ms": (time - result["started_ns"]) / 1e6}
                            for time in fault.times] if fault else []
        if result["decisions"]:
            cell.rounds.append(result)
        return True

    def _start_server(self, store_url):
        roost = Roost(self._machine, store_url, "outside", ("bookings.cycle=100ms",))  # decides single requests soon
        roost.start()
        return roost

    def _arguments(self, cell, server):
        options = self._options
        rate = _REQUESTS_PER_SECOND.get(cell.strategy, _REQUESTS_PER_SECOND_OF_PEERS)
        return ["--strategy", cell.strategy, "--depth", cell.depth, *cell.load.arguments(),
                "--clients", options.clients, "--units", options.units, "--hot-units", options.hot_units,
                "--shortest", options.stays[0], "--longest", options.stays[1], "--window", options.window,
                "--conflicts", options.conflicts, "--seed", options.seed, "--seconds", options.seconds,
                "--warm-up", options.warm_up, "--database-pid", self._store.pid,
                *(["--port", server.port, "--token", server.token(), "--server-pid", server.pid()] if server else []),
                "--requests", int(rate * (options.seconds + options.warm_up)) + 1000]
