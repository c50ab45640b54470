"""Runs the scheduler lab, from its command line to its reports."""

import os
import sys
import time

from lib.bench import origin_of
from lib.machine import CORES, Failure, Machine, avoid_pacing, note, say
from lib.scheduler import choice, options, report, settings, workloads
from lib.scheduler.servers import Servers

_QUICK = 90  # seconds after which a quick run starts no more settings


def main(argv):
    arguments = options.read(argv)
    loaded = set(arguments.workloads) - {"idle"}
    for program in (arguments.program, *([workloads.READER] if loaded else [])):
        if not os.access(program, os.X_OK):
            print(f"script/bench scheduler: {program} is not built; script/bench scheduler builds and runs it", file=sys.stderr)
            return 2
    arguments.origin = origin_of(arguments.command)
    avoid_pacing()
    with Machine(arguments.program.resolve()) as machine:
        run = _Run(arguments)
        try:
            return run.measure(machine)
        except Failure as failure:
            print(f"scheduler: {failure}", file=sys.stderr)
            return 1
        except KeyboardInterrupt:
            say("interrupted; the results so far follow")
            return 130
        finally:
            run.report()


class _Run:
    def __init__(self, arguments):
        self._arguments, self._servers = arguments, None
        self._results, self._started, self._status = choice.Results(), time.monotonic(), 0

    def measure(self, machine):
        arguments = self._arguments
        self._servers = Servers(machine, arguments)
        io_threads = max(1, CORES // 2)  # the server's default
        self._rounds([*settings.defaults(arguments.policies), *settings.variations(arguments.policies, arguments.knobs, arguments.quick, io_threads)])
        if not arguments.quick:
            self._measure_tuned()
        return self._status

    def _measure_tuned(self):
        """Measures the combined best values of each policy."""
        tuned = filter(None, (choice.tuned(self._results, policy) for policy in self._arguments.policies))
        new = [setting for setting in tuned if setting not in self._results.settings()]
        if new:
            self._rounds(new)

    def _rounds(self, all_settings):
        """Measures round by round, so that every setting sees the same state of the machine."""
        for number in range(self._arguments.rounds):
            for index, setting in enumerate(all_settings):
                if self._arguments.quick and time.monotonic() - self._started > _QUICK:
                    say(f"omitted {len(all_settings) - index} settings to save time")
                    return
                say(f"round {number + 1}, {index + 1} of {len(all_settings)}: {setting.name}")
                note("setting", round=number + 1, number=index + 1)
                self._measure(setting)

    def _measure(self, setting):
        groups = {}
        for workload in self._arguments.workloads:
            groups.setdefault(workloads.NEEDS[workload], []).append(workload)
        try:
            for needs, names in groups.items():
                with self._servers.run(setting, needs) as roost:
                    if names != ["idle"]:
                        workloads.warm_up(roost, self._arguments)
                    for name in names:
                        self._results.add(setting, name, workloads.measure(name, roost, self._arguments))
        except Failure as failure:
            print(f"scheduler: {setting.name}: {failure}", file=sys.stderr)
            self._status = 1

    def report(self):
        results = self._results
        if not results.settings():
            return
        shipped = settings.Setting(settings.SHIPPED)
        best = choice.best(results, results.settings(), shipped)
        print(report.to_text(results, best))
        store = self._servers.store
        if self._arguments.json:
            report.write_json(self._arguments.json, results, best, self._arguments, store)
        if self._arguments.write:
            report.write_toml(self._arguments.write, results, best, self._arguments, store)
