"""A loopback network of the benches' own, whose TCP paces nothing.

With BBR, which some machines have as their default, TCP sets a timer for every segment, on 127.0.0.1 too. On a virtual
machine these timers cost two thirds of a big answer, by chance more on one side than on the other.
"""

import ctypes
import fcntl
import os
import pathlib
import socket
import struct

from lib.machine import say

_CONTROL = pathlib.Path("/proc/sys/net/ipv4/tcp_congestion_control")
_PACED = "bbr"
_UNPACED = "reno"  # every kernel has it, and lets every namespace use it

_CLONE_NEWNET = 0x40000000
_SIOCSIFFLAGS, _IFF_UP = 0x8914, 1


def avoid_pacing():
    """Moves this process, and what it starts, to a network of its own if this machine's TCP paces. Without the right to do
    so it only says what the figures are worth."""
    if not _CONTROL.read_text().startswith(_PACED):
        return
    if ctypes.CDLL(None, use_errno=True).unshare(_CLONE_NEWNET) != 0:
        say(f"TCP paces here ({_PACED}), and {os.strerror(ctypes.get_errno())}: big answers are not comparable")
        return
    with socket.socket() as any_socket:
        fcntl.ioctl(any_socket, _SIOCSIFFLAGS, struct.pack("16sh14x", b"lo", _IFF_UP))
    _CONTROL.write_text(_UNPACED)
    say(f"TCP paces here ({_PACED}): measuring in a network of its own ({_UNPACED})")
