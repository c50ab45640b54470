"""script/bench micro, which passes Google Benchmark's options on."""

import pathlib
import signal
import subprocess
import sys

from lib.machine import Failure
from lib.micro import program

_USAGE = """usage: script/bench micro [--json FILE] [--benchmark_…]

Runs the micro-benchmarks of bench/micro: reserving nights on calendars of 10 to 10,000 blocks, an actor's round trip under each
scheduler policy, rendering listings, decoding requests, checking access tokens.

  --json FILE                  writes Google Benchmark's JSON, which bench/compare reads

and all options of Google Benchmark, such as:
  --benchmark_filter=REGEX     runs only matching benchmarks
  --benchmark_repetitions=N    at least four let bench/compare distinguish changes from noise
  --benchmark_min_time=S       for each benchmark
  --benchmark_format=json      instead of the table
  --benchmark_list_tests       lists the benchmarks

To compare two builds in turns: bench/compare --builds A B
"""


def main(argv):
    if set(argv) & {"-h", "--help"}:
        print(_USAGE, end="")
        return 0
    file = None
    try:
        options, file = _translated(argv)
        program.require()
    except (Failure, ValueError) as failure:
        print(f"script/bench micro: {failure}", file=sys.stderr)
        return 2
    return _run([str(program.PROGRAM), *options], file)


def _translated(argv):
    """Returns Google Benchmark's options, and the JSON file or None."""
    options, file = [], None
    rest = iter(argv)
    for argument in rest:
        if argument == "--json" or argument.startswith("--json="):
            name = argument.partition("=")[2] or next(rest, "")
            file = pathlib.Path(name)
            if not name or not file.resolve().parent.is_dir():
                raise ValueError("--json takes a file in an existing folder")
            options += [f"--benchmark_out={file}", "--benchmark_out_format=json"]
        elif argument.startswith("--benchmark_"):
            options.append(argument)
        else:
            raise ValueError(f"unknown option '{argument}' (see --help)")
    return options, file


def _run(command, file):
    """Shows the program's output, which prints each benchmark when it ends: Ctrl-C keeps the results so far."""
    process = subprocess.Popen(command)
    try:
        status = process.wait()
    except KeyboardInterrupt:
        process.send_signal(signal.SIGINT)
        process.wait()
        if file:
            file.unlink(missing_ok=True)
            print(f"interrupted; {file} is not written, because it would be incomplete", file=sys.stderr)
        return 130
    return status if status >= 0 else 128 - status
