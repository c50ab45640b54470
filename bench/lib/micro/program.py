"""bench_micro, Google Benchmark's program of bench/micro."""

import json
import os

from lib.machine import PROJECT, Failure, run

PROGRAM = PROJECT / "build" / "release" / "bench_micro"


def require(program=PROGRAM):
    if not os.access(program, os.X_OK):
        raise Failure(f"{program} is not built; script/bench micro builds it (script/bootstrap --bench brings Google Benchmark)")


def measure(program, filter_="", min_time=0.1, core=None):
    """The program's own JSON."""
    words = [f"--benchmark_filter={filter_}"] if filter_ else []
    return json.loads(run([program, *words, f"--benchmark_min_time={min_time}", "--benchmark_format=json"], timeout=1800, core=core))


def nanoseconds(name, seconds, core):
    """What one round of a benchmark takes."""
    require()
    (found,) = measure(PROGRAM, f"^{name}$", seconds, core)["benchmarks"]
    return found["real_time"]


def listing(kind):
    """The text that render/KIND writes."""
    require()
    return run([PROGRAM, "listing", kind]).rstrip("\n")
