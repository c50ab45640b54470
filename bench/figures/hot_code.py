"""Hot code compared with Node.js, in turns on one core."""

import json

from lib.figure import Figure
from lib.machine import PROJECT, SERVER_CORE, Failure, run
from lib.micro import program

STRINGIFY, CHECK_TOKEN = PROJECT / "bench/lib/stringify.js", PROJECT / "bench/lib/check_token.js"
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

_PARSE_AND_STRINGIFY = "process.stdout.write(JSON.stringify(JSON.parse(require('fs').readFileSync(0))))"

OPTIONS = ()


def measure_token_check(_machine, bench):
    sides = {"known": lambda: program.nanoseconds("check_token/known", bench.seconds, SERVER_CORE),
             "new": lambda: program.nanoseconds("check_token/new", bench.seconds, SERVER_CORE),
             "peer": lambda: float(run(["node", CHECK_TOKEN, bench.seconds], core=SERVER_CORE))}
    times = {name: [] for name in sides}
    bench.report(Figure("check of an access token", "us", times["known"], times["peer"], target=("<", 2)),
                 Figure("  of a new one", "us", times["new"], times["peer"]))
    for _ in range(bench.rounds):
        for name, side in sides.items():
            times[name].append(side() / 1000)


def measure_rendering(_machine, bench):
    for kind, (name, target) in KINDS.items():
        _measure_kind(kind, name, target, bench)


def _measure_kind(kind, name, target, bench):
    text = program.listing(kind)
    peer_text = run(["node", "-e", _PARSE_AND_STRINGIFY], input=text)
    if json.loads(peer_text) != json.loads(text) or len(peer_text) != len(text):
        raise Failure(f"{kind}: the texts of the two sides differ")
    times = [[], []]
    bench.report(Figure(f"{name}, {len(text)} B", "us", *times, target=target))
    sides = [lambda: program.nanoseconds(f"render/{kind}", bench.seconds, SERVER_CORE),
             lambda: float(run(["node", STRINGIFY, bench.seconds], core=SERVER_CORE, input=text))]
    for number in range(bench.rounds):
        for i in (0, 1) if number % 2 == 0 else (1, 0):
            times[i].append(sides[i]() / 1000)
