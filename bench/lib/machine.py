"""The machine that is measured on: its cores, a temporary folder, and processes that end with the measurement."""

import contextlib
import os
import pathlib
import shutil
import socket
import subprocess
import sys
import tempfile
import time

PROJECT = pathlib.Path(__file__).resolve().parents[2]

PROGRAM = PROJECT / "build" / "release" / "roost"

_cores = sorted(os.sched_getaffinity(0))
CORES = len(_cores)
SERVER_CORE, CLIENT_CORE = _cores[0], _cores[-1]


class Failure(Exception):
    """A measurement that cannot be made; the text says why."""


def say(text):
    print(f"==> {text}", file=sys.stderr, flush=True)


class Machine:
    """Use as a context: what was started in it has ended, and its folder is gone, when the context is left.

    `program` is the server under test."""

    def __init__(self, program=PROGRAM):
        self.program = program

    def __enter__(self):
        self._cleanup = contextlib.ExitStack()
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="roost-bench."))
        self._cleanup.callback(shutil.rmtree, self.folder, ignore_errors=True)
        return self

    def __exit__(self, *_):
        self._cleanup.close()

    def at_end(self, what, *arguments):
        self._cleanup.callback(what, *arguments)

    def start(self, command, core=None, name="process", **options):
        """Starts a process, on one core if that is given; what it says goes to NAME.log in the folder."""
        log = open(self.folder / f"{name}.log", "ab")
        process = subprocess.Popen(_pinned(command, core), cwd=PROJECT, stderr=log, start_new_session=True,
                                   **{"stdin": subprocess.DEVNULL, "stdout": log, **options})
        log.close()
        self.at_end(stop, process)
        return process

    def log_of(self, name, lines=5):
        text = (self.folder / f"{name}.log").read_text(errors="replace")
        return "\n".join(text.splitlines()[-lines:])


def _pinned(command, core):
    # The kernel ends the process should this program be killed.
    guarded = ["setpriv", "--pdeathsig", "TERM", "--"]
    if core is not None:
        guarded += ["taskset", "--cpu-list", str(core)]
    return guarded + [str(part) for part in command]


def stop(process, patience=30):
    if process.poll() is None:
        process.terminate()
        try:
            process.wait(patience)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
    return process.returncode


def run(command, timeout=60, core=None, **options):
    """Runs a command to its end and answers what it printed."""
    try:
        done = subprocess.run(_pinned(command, core), cwd=PROJECT, timeout=timeout, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, **options)
    except subprocess.TimeoutExpired:
        raise Failure(f"{command[0]} took more than {timeout} s") from None
    if done.returncode != 0:
        raise Failure(f"{' '.join(map(str, command[:3]))} failed: {done.stderr.strip()[-500:]}")
    return done.stdout


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def wait_until(holds, patience, what, poll=0.005):
    """Waits until `holds()` answers something true, and answers it."""
    give_up = time.monotonic() + patience
    while True:
        if found := holds():
            return found
        if time.monotonic() > give_up:
            raise Failure(f"waited {patience} s in vain for {what}")
        time.sleep(poll)


def cpu_seconds(pid):
    """The processor time that a process has used so far, user's and system's, all threads. It is the sum of utime and
    stime in /proc/PID/stat, which are rounded to hundredths: too coarse for a turn of a second."""
    clock = ~pid << 3 | 2  # CPUCLOCK_SCHED of a whole process; clock_getcpuclockid(3) makes the same
    return time.clock_gettime(clock)
