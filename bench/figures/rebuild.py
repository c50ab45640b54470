"""A list of 100,000 units that is built again after a hundredth of them changed, against one of which all have."""

import json

from lib.machine import PROJECT, SERVER_CORE, Failure, run
from lib.table import Figure

PROGRAM = PROJECT / "build/release/bench_rebuild"
UNITS = 100_000
CHANGED = UNITS // 100
MEGABYTE = 1e6


def measure(_machine, effort):
    if not PROGRAM.exists():
        raise Failure(f"{PROGRAM} is not built; script/bench builds it")
    rounds = [json.loads(run([PROGRAM, UNITS, CHANGED], core=SERVER_CORE)) for _ in range(effort.rounds)]

    def every(name):
        return [each[name] for each in rounds]

    text = [each["text"] / MEGABYTE for each in rounds]
    return [
        Figure("rebuild after 1 % changed, neighbours in the list", "ms", every("together"), every("all"),
               target=("x<=", 0.05)),
        Figure("  units all over the list", "ms", every("scattered"), every("all"), target=("x<=", 0.05)),
        Figure("  memory that a list holds, against its text", "MB", [each["held"] / MEGABYTE for each in rounds], text,
               target=("x<=", 2)),
    ]
