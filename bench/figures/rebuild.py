"""Rebuilding a list of 100,000 units after 1 % of them changed, against rebuilding after all of them changed."""

import json

from lib.figure import Figure
from lib.machine import PROJECT, SERVER_CORE, Failure, run

PROGRAM = PROJECT / "build/release/bench_rebuild"
UNITS = 100_000
MEGABYTE = 1e6
OPTIONS = ("units",)


def measure(_machine, bench):
    if not PROGRAM.exists():
        raise Failure(f"{PROGRAM} is not built; script/bench builds it")
    units = bench.units or UNITS
    samples = {name: [] for name in ("together", "scattered", "all", "held", "text")}
    bench.report(Figure("rebuild after 1 % changed, adjacent in the list", "ms", samples["together"], samples["all"],
                        target=("x<=", 0.05)),
                 Figure("  spread over the list", "ms", samples["scattered"], samples["all"], target=("x<=", 0.05)),
                 Figure("  memory of a list, against its text", "MB", samples["held"], samples["text"], target=("x<=", 2)))
    for _ in range(bench.rounds):
        output = json.loads(run([PROGRAM, units, max(1, units // 100)], core=SERVER_CORE))
        for name, values in samples.items():
            values.append(output[name] / MEGABYTE if name in ("held", "text") else output[name])
