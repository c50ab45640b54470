"""script/bench micro: what Google Benchmark takes is passed on."""

import pathlib
import signal
import subprocess
import sys

from lib.machine import Failure
from lib.micro import program

_USAGE = """usage: script/bench micro [--json FILE] [--benchmark_…]

Runs the micro-benchmarks of bench/micro: reserving nights on calendars of 10 to 10,000 blocks, an actor's round trip under each
scheduler policy, listing rendering, request decoding, the check of an access token.

  --json FILE                  writes Google Benchmark's JSON, which bench/compare reads
  --benchmark_filter=REGEX     and all other options of Google Benchmark; some of them:
  --benchmark_repetitions=N    four or more, for bench/compare to tell changes from noise
  --benchmark_min_time=S       of each
  --benchmark_format=json      in place of the table
  --benchmark_list_tests       what there is

Two builds are compared in turns by: bench/compare --builds A B
"""


def main(words):
    if set(words) & {"-h", "--help"}:
        print(_USAGE, end="")
        return 0
    file = None
    try:
        words, file = _translated(words)
        program.require()
    except (Failure, ValueError) as failure:
        print(f"script/bench micro: {failure}", file=sys.stderr)
        return 2
    return _run([str(program.PROGRAM), *words], file)


def _translated(words):
    """Google Benchmark's words, and the JSON file that they name."""
    given, file = [], None
    rest = iter(words)
    for word in rest:
        if word == "--json" or word.startswith("--json="):
            name = word.partition("=")[2] or next(rest, "")
            file = pathlib.Path(name)
            if not name or not file.resolve().parent.is_dir():
                raise ValueError("--json takes a file in a folder that exists")
            given += [f"--benchmark_out={file}", "--benchmark_out_format=json"]
        elif word.startswith("--benchmark_"):
            given.append(word)
        else:
            raise ValueError(f"there is no option '{word}' (see --help)")
    return given, file


def _run(command, file):
    """Passes the program's table through; it prints each benchmark as it ends, so that Ctrl-C leaves what was measured."""
    process = subprocess.Popen(command)
    try:
        status = process.wait()
    except KeyboardInterrupt:
        process.send_signal(signal.SIGINT)
        process.wait()
        if file:
            file.unlink(missing_ok=True)
            print(f"stopped; {file} is not written, for it would be cut short", file=sys.stderr)
        return 130
    return status if status >= 0 else 128 - status
