"""A run of the benches: its options, the figures reported so far, and its origin."""

import datetime
import os
import platform
import re
import subprocess

from lib import wrk
from lib.machine import CORES, PROJECT

# Options of single figures: each module of figures/ lists those that it supports in OPTIONS.
OPTIONS = ("units", "connections", "conflicts", "skew", "platforms", "read_share")


class Bench:
    """`arguments` has pairs, rounds, seconds, before and OPTIONS of the command line; a missing option is None."""

    def __init__(self, arguments):
        self.pairs, self.rounds = arguments.pairs, arguments.rounds
        self.seconds, self.before = arguments.seconds, arguments.before
        for name in OPTIONS:
            setattr(self, name, getattr(arguments, name))
        self.connections = arguments.connections or wrk.CONNECTIONS
        self._figures = []

    def builds(self, machine):
        """Returns the names and programs of the measured builds, the current one first."""
        return [("now", machine.program)] + ([("before", self.before.resolve())] if self.before else [])

    def report(self, *figures):
        """Adds figures whose lists may still be filled, so that an interrupted measurement shows its results so far."""
        self._figures += figures

    def reported(self):
        return [figure for figure in self._figures if figure.ours]


def alternating(sides, number):
    """Returns the indices of the sides in the order of a round: the first one changes each time."""
    order = range(len(sides))
    return order if number % 2 == 0 else reversed(order)


def origin_of(command):
    """Returns where figures come from: the machine, the commit, the time and the command."""
    return {"command": command, "commit": _commit(), "at": datetime.datetime.now(datetime.timezone.utc).isoformat("T", "seconds"),
            "machine": {"cores": CORES, "processor": _processor(), "memory_gb": _memory(), "kernel": platform.release(),
                        "load_before": round(os.getloadavg()[0], 2)}}


def _commit():
    """Appends a plus sign if files have been changed. Returns "unknown" outside of a checkout."""
    try:
        name = _git("rev-parse", "--short=12", "HEAD").strip()
        return name + ("+" if _git("status", "--porcelain", "--untracked-files=no").strip() else "")
    except (OSError, subprocess.CalledProcessError):
        return "unknown"


def _git(*arguments):
    return subprocess.run(["git", "-C", PROJECT, *arguments], check=True, capture_output=True, text=True).stdout


def _processor():
    with open("/proc/cpuinfo", encoding="utf-8") as file:
        model = re.search(r"^model name\s*: (.*)$", file.read(), re.MULTILINE)
    return model[1] if model else platform.machine()


def _memory():
    return round(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30, 1)
