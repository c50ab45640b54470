"""The text of one listing, against JSON.stringify() of the same object in Node.js, on one core in turn."""

import json

from lib.machine import PROJECT, SERVER_CORE, Failure, run
from lib.table import Figure

PROGRAM = PROJECT / "build/release/bench_rendering"
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


def measure(machine, effort):
    return [_figure(kind, name, target, effort) for kind, (name, target) in KINDS.items()]


def _figure(kind, name, target, effort):
    if not PROGRAM.exists():
        raise Failure(f"{PROGRAM} is not built; script/bench builds it")
    text = run([PROGRAM, kind]).rstrip("\n")
    same = run(["node", "-e", _WRITE_AGAIN], input=text)
    if json.loads(same) != json.loads(text) or len(same) != len(text):
        raise Failure(f"{kind}: the two sides do not write the same")
    times = [[], []]
    commands = [[PROGRAM, kind, effort.seconds], ["node", PEER, effort.seconds]]
    for number in range(effort.rounds):
        for i in (0, 1) if number % 2 == 0 else (1, 0):
            given = {"input": text} if i == 1 else {}
            times[i].append(float(run(commands[i], core=SERVER_CORE, **given)) / 1000)
    return Figure(f"{name}, {len(text)} B", "us", *times, target=target)
