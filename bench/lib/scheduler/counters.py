"""The kernel's counters of a process: processor time, context switches, and time waiting for a processor."""

import os
import re
from dataclasses import dataclass, fields

from lib.machine import cpu_seconds


@dataclass
class Counters:
    """Sums over all threads. At a voluntary switch a thread went to sleep and had to be woken; at an involuntary one it was
    preempted. `queued` is the time in seconds in which threads were ready and had no processor."""

    cpu: float
    voluntary: int
    involuntary: int
    queued: float

    def __sub__(self, earlier):
        return Counters(*(getattr(self, each.name) - getattr(earlier, each.name) for each in fields(self)))


def read(pid):
    voluntary = involuntary = queued = 0
    folder = f"/proc/{pid}/task"
    for thread in os.listdir(folder):
        try:
            status = _text(f"{folder}/{thread}/status")
            queued += _queued(f"{folder}/{thread}/schedstat")
        except (FileNotFoundError, ProcessLookupError):
            continue  # the thread has ended
        voluntary += _count(status, "voluntary_ctxt_switches")
        involuntary += _count(status, "nonvoluntary_ctxt_switches")
    return Counters(cpu_seconds(pid), voluntary, involuntary, queued)


def _queued(path):
    """Returns zero if the kernel does not provide the statistics."""
    try:
        return int(_text(path).split()[1]) / 1e9
    except (FileNotFoundError, IndexError):
        return 0


def _count(status, name):
    return int(re.search(rf"^{name}:\s+(\d+)", status, re.MULTILINE)[1])


def _text(path):
    with open(path, encoding="ascii", errors="replace") as file:
        return file.read()
