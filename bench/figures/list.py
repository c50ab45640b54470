"""The partial list of 1,000 units against nginx with the same bytes as a file, in turns on one core."""

from lib.reads import GZIP, IDENTITY, LIST, Reads

OPTIONS = ("units", "connections")


def measure(machine, effort):
    reads = Reads(machine, effort)
    reads.compare("list, identity", LIST, IDENTITY)
    reads.compare("list, gzip", LIST, GZIP)
    reads.compare("list, 304", LIST, IDENTITY, again=True)
    reads.stop()
