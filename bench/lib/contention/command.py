"""The lab's run, from its command line to its reports."""

import os
import sys
import time

from lib import provenance
from lib.contention import figures, options, plan, report_html, report_json, report_table, stores
from lib.contention.cell import Runner
from lib.contention.strategies import WRONG
from lib.machine import Failure, Machine, say

_QUICK = 100  # seconds after which a quick run begins no more cells


def main(words):
    given = options.read(words)
    program = given.program.resolve()
    lab = program.with_name("bench_contention")
    for each in (program, lab):
        if not os.access(each, os.X_OK):
            print(f"script/bench contention: {each} is not built; script/bench contention builds and runs it", file=sys.stderr)
            return 2
    given.origin = provenance.of(given.command)
    with Machine(program) as machine:
        try:
            store = stores.make(machine, lab, given)
        except Failure as failure:
            print(f"contention: {failure}", file=sys.stderr)
            return 1
        return _Run(machine, lab, store, given).run()


class _Run:
    def __init__(self, machine, lab, store, given):
        self._store, self._given = store, given
        self._runner = Runner(machine, lab, store, given)
        self._plan = plan.Plan(given, store)
        self._measured, self._failed, self._skipped = [], False, 0
        self._started = time.monotonic()

    def run(self):
        interrupted = False
        if self._plan.left_out:
            say(f"without PostgreSQL these are left out: {', '.join(self._plan.left_out)}")
        try:
            self._measure(self._plan.cells())
            self._measure(self._plan.curve(self._measured))
        except KeyboardInterrupt:
            interrupted = True
            say("stopped; what follows was measured until then")
        say(f"took {self._elapsed():.0f} s" + (f"; {self._skipped} cells were left out for time" if self._skipped else ""))
        self._report()
        if interrupted:
            return 130
        return 1 if self._failed or self._has_wrong() else 0

    def _measure(self, cells):
        """Round by round, so that every strategy sees the same hours of the machine."""
        self._measured += cells
        for number in range(self._given.rounds):
            for cell in cells:
                if self._given.quick and self._elapsed() > _QUICK:
                    self._skipped += 1
                    continue
                say(f"round {number + 1}: {cell.depth}, {cell.load.name}, {cell.strategy}")
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
        if self._plan.left_out:
            print(f"Without PostgreSQL: the actors on SQLite. Left out: {', '.join(self._plan.left_out)}.")
        if self._given.json:
            report_json.write(self._given.json, cells, self._given, self._store.name)
        if self._given.html:
            report_html.write(self._given.html, cells, self._given, self._store.name, self._plan.left_out)

    def _has_wrong(self):
        return any(not figures.is_right(cell) for cell in self._measured if cell.strategy not in WRONG and cell.rounds)
