"""Where figures come from: the machine, the commit, the moment and the command."""

import datetime
import os
import platform
import re
import subprocess

from lib.machine import CORES, PROJECT


def of(command):
    return {"command": command, "commit": _commit(), "at": datetime.datetime.now(datetime.timezone.utc).isoformat("T", "seconds"),
            "machine": {"cores": CORES, "processor": _processor(), "memory_gb": _memory(), "kernel": platform.release(),
                        "load_before": round(os.getloadavg()[0], 2)}}


def _commit():
    """With a plus sign where files differ from it; "unknown" outside of a checkout."""
    try:
        name = _git("rev-parse", "--short=12", "HEAD").strip()
        return name + ("+" if _git("status", "--porcelain", "--untracked-files=no").strip() else "")
    except (OSError, subprocess.CalledProcessError):
        return "unknown"


def _git(*words):
    return subprocess.run(["git", "-C", PROJECT, *words], check=True, capture_output=True, text=True).stdout


def _processor():
    with open("/proc/cpuinfo", encoding="utf-8") as file:
        found = re.search(r"^model name\s*: (.*)$", file.read(), re.MULTILINE)
    return found[1] if found else platform.machine()


def _memory():
    return round(os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30, 1)
