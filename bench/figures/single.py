"""A live single read against nginx with the same bytes as a file, in turns on one core."""

from lib.reads import IDENTITY, SINGLE, Reads


def measure(machine, effort):
    reads = Reads(machine, effort)
    figures = reads.compare(f"single read ({reads.size(SINGLE)} bytes)", SINGLE, IDENTITY)
    reads.stop()
    return figures
