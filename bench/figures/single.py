"""A live single read against nginx with the same bytes as a file, in turns on one core."""

from lib.reads import IDENTITY, SINGLE, Reads

OPTIONS = ("units", "connections")


def measure(machine, effort):
    reads = Reads(machine, effort)
    reads.compare(f"single read ({reads.size(SINGLE)} bytes)", SINGLE, IDENTITY)
    reads.stop()
