"""The list and the live single read over TLS 1.3, against nginx with the same certificate, in turns on one core.

A handshake is measured as a single read on a connection of its own. No session is resumed on either side.
"""

from lib.certificate import Certificate
from lib.reads import GZIP, IDENTITY, LIST, SINGLE, Reads

ALONE = {"Connection": "close"}
OPTIONS = ("units", "connections")


def measure(machine, effort):
    reads = Reads(machine, effort, Certificate(machine))
    reads.compare("TLS: list, identity", LIST, IDENTITY)
    reads.compare("TLS: list, gzip", LIST, GZIP)
    reads.compare("TLS: single read", SINGLE, IDENTITY)
    reads.compare("TLS: full handshake and single read", SINGLE, ALONE)
    reads.stop()
