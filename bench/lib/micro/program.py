"""bench_micro, the program of bench/micro, and turns of two builds of it."""

import json
import os
import pathlib

from lib.machine import PROJECT, Failure, run, say
from lib.measurements import of_google

PROGRAM = PROJECT / "build" / "release" / "bench_micro"


def require(program=PROGRAM):
    if not os.access(program, os.X_OK):
        raise Failure(f"{program} is not built; script/bench micro builds it (script/bootstrap --bench installs Google Benchmark)")


def measure(program, filter_="", min_time=0.1, core=None):
    """Returns the program's JSON."""
    filters = [f"--benchmark_filter={filter_}"] if filter_ else []
    return json.loads(run([program, *filters, f"--benchmark_min_time={min_time}", "--benchmark_format=json"], timeout=1800, core=core))


def nanoseconds(name, seconds, core):
    """Returns the real time of one iteration of a benchmark."""
    require()
    (benchmark,) = measure(PROGRAM, f"^{name}$", seconds, core)["benchmarks"]
    return benchmark["real_time"]


def listing(kind):
    """Returns the text written by render/KIND."""
    require()
    return run([PROGRAM, "listing", kind]).rstrip("\n")


def compare_builds(before, after, turns, filter_, min_time):
    """Runs two builds in turns, so that both see the same machine. Returns the cells of both sides; if interrupted, those of
    complete turns."""
    sides = [_program_of(before), _program_of(after)]
    for side in sides:
        require(side)
    benchmarks = [[], []]
    try:
        for number in range(turns):
            say(f"turn {number + 1} of {turns}")
            pair = [None, None]
            for i in (0, 1) if number % 2 == 0 else (1, 0):
                pair[i] = measure(sides[i], filter_, min_time)
            for i in (0, 1):
                benchmarks[i] += pair[i]["benchmarks"]
    except KeyboardInterrupt:
        say("interrupted; the results so far follow")
    return [of_google(each) for each in benchmarks]


def _program_of(path):
    """Accepts bench_micro itself or its build folder."""
    path = pathlib.Path(path)
    return path / "bench_micro" if path.is_dir() else path
