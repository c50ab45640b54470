"""The text of one listing, against JSON.stringify() of the same object in Node.js, on one core in turn."""

import json

from lib.machine import PROJECT, SERVER_CORE, Failure, run
from lib.micro import program
from lib.table import Figure

PEER = PROJECT / "bench/lib/stringify.js"
PARTIAL, FULL = ("<", 2), ("<", 5)  # microseconds
KINDS = {
    "partial": ("rendering, partial listing", PARTIAL),
    "partial-seasonal": ("rendering, partial with twelve rents", PARTIAL),
    "partial-b": ("rendering, partial of marketplace B", PARTIAL),
    "full-a": ("rendering, full of marketplace A", FULL),
    "full-b": ("rendering, full of marketplace B", FULL),
    "full-c": ("rendering, full of marketplace C", FULL),
    "full-d": ("rendering, full of marketplace D", FULL),
}

_WRITE_AGAIN = "process.stdout.write(JSON.stringify(JSON.parse(require('fs').readFileSync(0))))"


OPTIONS = ()


def measure(_machine, effort):
    for kind, (name, target) in KINDS.items():
        _measure_kind(kind, name, target, effort)


def _measure_kind(kind, name, target, effort):
    text = program.listing(kind)
    same = run(["node", "-e", _WRITE_AGAIN], input=text)
    if json.loads(same) != json.loads(text) or len(same) != len(text):
        raise Failure(f"{kind}: the two sides do not write the same")
    times = [[], []]
    effort.tell(Figure(f"{name}, {len(text)} B", "us", *times, target=target))
    sides = [lambda: program.nanoseconds(f"render/{kind}", effort.seconds, SERVER_CORE),
             lambda: float(run(["node", PEER, effort.seconds], core=SERVER_CORE, input=text))]
    for number in range(effort.rounds):
        for i in (0, 1) if number % 2 == 0 else (1, 0):
            times[i].append(sides[i]() / 1000)
