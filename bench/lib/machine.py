"""The measured machine: its cores and network, a temporary folder, and processes that end with the measurement."""

import contextlib
import ctypes
import fcntl
import json
import os
import pathlib
import shutil
import signal
import socket
import struct
import subprocess
import sys
import tempfile
import threading
import time

PROJECT = pathlib.Path(__file__).resolve().parents[2]

PROGRAM = PROJECT / "build" / "release" / "roost"

_cores = sorted(os.sched_getaffinity(0))
CORES = len(_cores)
SERVER_CORE, CLIENT_CORE = _cores[0], _cores[-1]

_CONGESTION_CONTROL = pathlib.Path("/proc/sys/net/ipv4/tcp_congestion_control")
_PACED = "bbr"
_UNPACED = "reno"  # part of every kernel, and allowed in every namespace
_CLONE_NEWNET = 0x40000000
_SIOCSIFFLAGS, _IFF_UP = 0x8914, 1


class Failure(Exception):
    """A measurement is impossible; the text is the reason."""


def say(text):
    print(f"==> {text}", file=sys.stderr, flush=True)


def note(event, **fields):
    """Appends an event as a line of JSON to the file that BENCH_EVENTS names, for tests; without it, a no-op."""
    if path := os.environ.get("BENCH_EVENTS"):
        with open(path, "a", encoding="utf-8") as file:
            file.write(json.dumps({"event": event, **fields}) + "\n")


@contextlib.contextmanager
def _interruptible_afterwards():
    """Delays Ctrl-C until the end of the block: what the block creates is registered for the cleanup then."""
    if threading.current_thread() is not threading.main_thread():
        yield  # only the main thread is interrupted
        return
    interrupts = []
    handler = signal.signal(signal.SIGINT, lambda *_: interrupts.append(True))
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, handler)
        if interrupts:
            os.kill(os.getpid(), signal.SIGINT)


class Machine:
    """A context that ends the processes started in it, and deletes its folder. `program` is the server under test."""

    def __init__(self, program=PROGRAM):
        self.program = program

    def __enter__(self):
        self._cleanup = contextlib.ExitStack()
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="roost-bench."))
        self._cleanup.callback(shutil.rmtree, self.folder, ignore_errors=True)
        return self

    def __exit__(self, *_):
        self._cleanup.close()

    def add_cleanup(self, function, *arguments):
        self._cleanup.callback(function, *arguments)

    def start(self, command, core=None, name="process", **options):
        """Starts a process, on the given core if any. Its output goes to NAME.log in the folder."""
        with open(self.folder / f"{name}.log", "ab") as log, _interruptible_afterwards():
            process = subprocess.Popen(_pinned(command, core), cwd=PROJECT, stderr=log, start_new_session=True,
                                       **{"stdin": subprocess.DEVNULL, "stdout": log, **options})
            self.add_cleanup(stop, process)
        return process

    def log_of(self, name, lines=5):
        text = (self.folder / f"{name}.log").read_text(errors="replace")
        return "\n".join(text.splitlines()[-lines:])


def _pinned(command, core):
    # The kernel terminates the process if this program is killed.
    guarded = ["setpriv", "--pdeathsig", "TERM", "--"]
    if core is not None:
        guarded += ["taskset", "--cpu-list", str(core)]
    return guarded + [str(part) for part in command]


def stop(process, timeout=30):
    if process.poll() is None:
        process.terminate()
        try:
            process.wait(timeout)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
    return process.returncode


def run(command, timeout=60, core=None, **options):
    """Runs a command and returns its output."""
    try:
        done = subprocess.run(_pinned(command, core), cwd=PROJECT, timeout=timeout, text=True,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, **options)
    except subprocess.TimeoutExpired:
        raise Failure(f"{command[0]} took longer than {timeout} s") from None
    if done.returncode != 0:
        raise Failure(f"{' '.join(map(str, command[:3]))} failed: {done.stderr.strip()[-500:]}")
    return done.stdout


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def wait_until(condition, timeout, description, poll=0.005):
    """Waits until `condition()` is true, and returns its value."""
    deadline = time.monotonic() + timeout
    while True:
        if value := condition():
            return value
        if time.monotonic() > deadline:
            raise Failure(f"timed out after {timeout} s waiting for {description}")
        time.sleep(poll)


def cpu_seconds(pid):
    """Returns the processor time of a process so far: user and system, all threads. utime and stime in /proc/PID/stat are
    rounded to hundredths, which is too coarse for a turn of a second."""
    clock = ~pid << 3 | 2  # CPUCLOCK_SCHED of a whole process, as in clock_getcpuclockid(3)
    return time.clock_gettime(clock)


def share_of_a_core(pid, seconds):
    """Returns the processor time of a process during the next seconds, in percent of a core."""
    before, started = cpu_seconds(pid), time.monotonic()
    time.sleep(seconds)
    return 100 * (cpu_seconds(pid) - before) / (time.monotonic() - started)


def avoid_pacing():
    """Moves this process and its children to their own loopback network if TCP on this machine uses pacing. Only prints a
    warning if it lacks the permission.

    With BBR, the default of some machines, TCP sets a timer for every segment, even on 127.0.0.1. On a virtual machine these
    timers take two thirds of the time of a large response, randomly more on one side than on the other."""
    if not _CONGESTION_CONTROL.read_text().startswith(_PACED):
        return
    if ctypes.CDLL(None, use_errno=True).unshare(_CLONE_NEWNET) != 0:
        say(f"TCP uses pacing ({_PACED}), and {os.strerror(ctypes.get_errno())}: large responses are not comparable")
        return
    with socket.socket() as any_socket:
        fcntl.ioctl(any_socket, _SIOCSIFFLAGS, struct.pack("16sh14x", b"lo", _IFF_UP))
    _CONGESTION_CONTROL.write_text(_UNPACED)
    say(f"TCP uses pacing ({_PACED}): measuring in a separate network ({_UNPACED})")
