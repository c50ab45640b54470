"""Runs the contention lab, from its command line to its reports."""

import os
import sys
import time

from lib.bench import origin_of
from lib.contention import figures, options, plan, report_html, report_table, stores
from lib.contention.cell import Runner
from lib.machine import Failure, Machine, note, say

_QUICK = 100  # seconds after which a quick run starts no more cells


def main(argv):
    arguments = options.read(argv)
    program = arguments.program.resolve()
    lab = program.with_name("bench_contention")
    for each in (program, lab):
        if not os.access(each, os.X_OK):
            print(f"script/bench contention: {each} is not built; script/bench contention builds and runs it", file=sys.stderr)
            return 2
    arguments.origin = origin_of(arguments.command)
    with Machine(program) as machine:
        try:
            store = stores.make(machine, lab, arguments)
        except Failure as failure:
            print(f"contention: {failure}", file=sys.stderr)
            return 1
        return _Run(machine, lab, store, arguments).run()


class _Run:
    def __init__(self, machine, lab, store, arguments):
        self._store, self._arguments = store, arguments
        self._runner = Runner(machine, lab, store, arguments)
        self._plan = plan.Plan(arguments, store)
        self._measured, self._failed, self._skipped = [], False, 0
        self._started = time.monotonic()

    def run(self):
        interrupted = False
        if self._plan.omitted:
            say(f"omitted without PostgreSQL: {', '.join(self._plan.omitted)}")
        try:
            self._measure(self._plan.cells())
            self._measure(self._plan.curve(self._measured))
        except KeyboardInterrupt:
            interrupted = True
            say("interrupted; the results so far follow")
        say(f"took {self._elapsed():.0f} s" + (f"; omitted {self._skipped} cells to save time" if self._skipped else ""))
        self._report()
        if interrupted:
            return 130
        return 1 if self._failed or self._has_incorrect() else 0

    def _measure(self, cells):
        """Measures round by round, so that every strategy sees the same state of the machine."""
        self._measured += cells
        for number in range(self._arguments.rounds):
            for cell in cells:
                if self._arguments.quick and self._elapsed() > _QUICK:
                    self._skipped += 1
                    continue
                say(f"round {number + 1}: {cell.depth}, {cell.load.name}, {cell.strategy}")
                note("cell", round=number + 1)
                try:
                    self._runner.run(cell)
                except Failure as failure:
                    print(f"contention: {failure}", file=sys.stderr)
                    self._failed = True

    def _elapsed(self):
        return time.monotonic() - self._started

    def _report(self):
        cells = [cell for cell in self._measured if cell.rounds]
        if not cells:
            return
        print(report_table.to_text(cells))
        if self._plan.omitted:
            print(f"Without PostgreSQL: the actors on SQLite. Omitted: {', '.join(self._plan.omitted)}.")
        if self._arguments.json:
            figures.write_json(self._arguments.json, cells, self._arguments, self._store.name)
        if self._arguments.html:
            report_html.write(self._arguments.html, cells, self._arguments, self._store.name, self._plan.omitted)

    def _has_incorrect(self):
        return any(not figures.is_correct(cell) for cell in self._measured if cell.strategy not in options.INCORRECT and cell.rounds)
