"""A list of 100,000 units that is built again after a hundredth of them changed, against one of which all have."""

import json

from lib.machine import PROJECT, SERVER_CORE, Failure, run
from lib.table import Figure

PROGRAM = PROJECT / "build/release/bench_rebuild"
UNITS = 100_000
MEGABYTE = 1e6
OPTIONS = ("units",)


def measure(_machine, effort):
    if not PROGRAM.exists():
        raise Failure(f"{PROGRAM} is not built; script/bench builds it")
    units = effort.units or UNITS
    found = {name: [] for name in ("together", "scattered", "all", "held", "text")}
    effort.tell(Figure("rebuild after 1 % changed, neighbours in the list", "ms", found["together"], found["all"],
                       target=("x<=", 0.05)),
                Figure("  units all over the list", "ms", found["scattered"], found["all"], target=("x<=", 0.05)),
                Figure("  memory that a list holds, against its text", "MB", found["held"], found["text"], target=("x<=", 2)))
    for _ in range(effort.rounds):
        said = json.loads(run([PROGRAM, units, max(1, units // 100)], core=SERVER_CORE))
        for name, values in found.items():
            values.append(said[name] / MEGABYTE if name in ("held", "text") else said[name])
