"""Load by wrk: one thread, keep-alive connections."""

import contextlib
import re
import time
from dataclasses import dataclass

from lib.machine import CLIENT_CORE, PROJECT, Failure, cpu_seconds, run, stop

SCRIPTS = PROJECT / "bench" / "lib"
CONNECTIONS = 64


@dataclass
class Load:
    """What one round of load came to."""

    rate: float  # answers a second
    answers: int
    p50: float  # ms
    p99: float  # ms
    received: int  # bytes, those of answers included that were under way at the end
    cpu: float  # microseconds of the server's processor time an answer
    posted: int = 0  # of book.lua: submissions, those under way at the end included


class Loads:
    """Those of all rounds, as lists of each figure."""

    def __init__(self):
        self.rate, self.p99, self.cpu = [], [], []

    def add(self, load):
        self.rate.append(load.rate)
        self.p99.append(load.p99)
        self.cpu.append(load.cpu)


def load(url, seconds, server, headers=(), script="read.lua", arguments=(), core=CLIENT_CORE,
         connections=CONNECTIONS):
    """Loads a server (its process id counts the processor time); an answer that is an error is a failure."""
    command = ["/usr/bin/wrk", "--threads", "1", "--connections", connections, "--duration", f"{seconds}s",
               "--timeout", "10s", "--script", SCRIPTS / script]
    for header in headers:
        command += ["--header", header]
    before = cpu_seconds(server)
    said = run([*command, url, "--", *arguments], timeout=seconds + 60, core=core)
    used = cpu_seconds(server) - before
    result = re.search(r"^result (\d+) (\d+) (\d+) (\d+) ([\d.]+) ([\d.]+)", said, re.MULTILINE)
    answers, microseconds, received, errors = (int(result[i]) for i in (1, 2, 3, 4))
    if errors or not answers:
        raise Failure(f"{errors} of {answers} answers of {url} were errors")
    posted = re.search(r"^posted (\d+)", said, re.MULTILINE)
    return Load(answers / microseconds * 1e6, answers, float(result[5]), float(result[6]), received,
                used / answers * 1e6, int(posted[1]) if posted else 0)


@contextlib.contextmanager
def beside(machine, url, connections, script):
    """A load whose answers nobody looks at, as long as something else is measured."""
    process = machine.start(["/usr/bin/wrk", "--threads", "1", "--connections", connections, "--duration", "600s",
                             "--timeout", "10s", "--script", SCRIPTS / script, url], CLIENT_CORE, "beside")
    time.sleep(1)  # until it is in full swing
    try:
        yield
    finally:
        if process.poll() is not None:
            raise Failure(f"the load of {url} ended early: {machine.log_of('beside')}")
        stop(process)
