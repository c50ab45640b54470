"""The lab's run, from its command line to its reports."""

import os
import sys
import time

from lib import network, provenance
from lib.machine import CORES, Failure, Machine, say
from lib.scheduler import choice, options, report, settings, workloads
from lib.scheduler.servers import Servers

_QUICK = 90  # seconds after which a quick run begins no more settings


def main(words):
    given = options.read(words)
    loaded = set(given.workloads) - {"idle"}
    for program in (given.program, *([workloads.READER] if loaded else [])):
        if not os.access(program, os.X_OK):
            print(f"script/bench scheduler: {program} is not built; script/bench scheduler builds and runs it", file=sys.stderr)
            return 2
    given.origin = provenance.of(given.command)
    network.avoid_pacing()
    with Machine(given.program.resolve()) as machine:
        run = _Run(given)
        try:
            return run.measure(machine)
        except Failure as failure:
            print(f"scheduler: {failure}", file=sys.stderr)
            return 1
        except KeyboardInterrupt:
            say("stopped; what follows was measured until then")
            return 130
        finally:
            run.tell()


class _Run:
    def __init__(self, given):
        self._given, self._servers = given, None
        self._results, self._started, self._status = choice.Results(), time.monotonic(), 0

    def measure(self, machine):
        given = self._given
        self._servers = Servers(machine, given)
        io_threads = max(1, CORES // 2)  # what the server chooses by itself
        self._rounds([*settings.centres(given.policies), *settings.around(given.policies, given.knobs, given.quick, io_threads)])
        if not given.quick:
            self._measure_tuned()
        return self._status

    def _measure_tuned(self):
        """The best values of each policy together, beside the shipped ones once more."""
        found = list(filter(None, (choice.tuned(self._results, policy) for policy in self._given.policies)))
        new = [setting for setting in found if setting not in self._results.settings()]
        if new:
            self._rounds(new)

    def _rounds(self, wanted):
        """Round by round, so that every setting sees the same hours of the machine."""
        for number in range(self._given.rounds):
            for place, setting in enumerate(wanted):
                if self._given.quick and time.monotonic() - self._started > _QUICK:
                    say(f"{len(wanted) - place} settings were left out for time")
                    return
                say(f"round {number + 1}, {place + 1} of {len(wanted)}: {setting.name}")
                self._measure(setting)

    def _measure(self, setting):
        groups = {}
        for workload in self._given.workloads:
            groups.setdefault(workloads.NEEDS[workload], []).append(workload)
        try:
            for needs, names in groups.items():
                with self._servers.run(setting, needs) as roost:
                    if names != ["idle"]:
                        workloads.warm_up(roost, self._given)
                    for name in names:
                        self._results.add(setting, name, workloads.measure(name, roost, self._given))
        except Failure as failure:
            print(f"scheduler: {setting.name}: {failure}", file=sys.stderr)
            self._status = 1

    def tell(self):
        results = self._results
        if not results.settings():
            return
        shipped = settings.Setting(settings.SHIPPED)
        best = choice.best(results, results.settings(), shipped)
        print(report.to_text(results, best))
        store = self._servers.store
        if self._given.json:
            report.write_json(self._given.json, results, best, self._given, store)
        if self._given.write:
            report.write_toml(self._given.write, results, best, self._given, store)
