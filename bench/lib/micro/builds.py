"""Two builds' micro-benchmarks in turns, so that both see the same machine."""

import pathlib

from lib.machine import say
from lib.measurements import of_google
from lib.micro import program


def program_of(path):
    """bench_micro itself, or the build folder that has it."""
    path = pathlib.Path(path)
    return path / "bench_micro" if path.is_dir() else path


def measure(before, after, turns, filter_, min_time):
    """Cells of both sides. Ends early when it is interrupted, with the turns that both sides had."""
    sides = [program_of(before), program_of(after)]
    for each in sides:
        program.require(each)
    found = [[], []]
    try:
        for number in range(turns):
            say(f"turn {number + 1} of {turns}")
            pair = [None, None]
            for i in (0, 1) if number % 2 == 0 else (1, 0):
                pair[i] = program.measure(sides[i], filter_, min_time)
            for i in (0, 1):
                found[i] += pair[i]["benchmarks"]
    except KeyboardInterrupt:
        say("stopped; what follows was measured until then")
    return [of_google(each) for each in found]
