"""What a server is loaded with under each setting, and what is measured of it."""

import json
import time

from lib import portfolio, wrk
from lib.machine import PROJECT, Failure, run
from lib.scheduler import counters

WORKLOADS = {
    "idle": "nothing at all",
    "fixed": "live reads at a fixed rate, latency from the moment at which each was due",
    "flat": "live reads flat out",
    "bookings": "a hot unit's bookings, submitted and decided",
    "rebuild": "live reads at the fixed rate while all feeds are built again and again",
}
# What each needs the server to be started with; workloads that need the same share a server.
NEEDS = {"idle": (), "fixed": (), "flat": (), "bookings": ("bookings.cycle=100ms",), "rebuild": ("feeds.rebuild=200ms",)}
# Figures, their units and which way is better; not every workload has all.
METRICS = {
    "rate": ("/s", "more"), "decided": ("/s", "more"), "rebuilds": ("/s", "more"),
    "p50_ms": ("ms", "less"), "p99_ms": ("ms", "less"),
    "cpu_us": ("us", "less"), "wakeups": ("", "less"), "preempted": ("", "less"), "queued_us": ("us", "less"),
    "cpu_percent": ("%", "less"), "wakeups_per_s": ("/s", "less"),
}
READER = PROJECT / "build" / "release" / "bench_reads"
_SINGLE = f"/marketplace-a/listings/{portfolio.FIRST_UNIT}"


def measure(workload, roost, options):
    """The figures of one workload on a running server, by name."""
    return {"idle": _idle, "fixed": _fixed, "flat": _flat, "bookings": _bookings, "rebuild": _rebuild}[workload](roost, options)


def warm_up(roost, options):
    _open_loop(roost, options, 0.3)


def _idle(roost, options):
    seconds = max(options.seconds, 2)
    used = counters.read(roost.pid())
    time.sleep(seconds)
    used = counters.read(roost.pid()) - used
    return {"cpu_percent": used.cpu / seconds * 100, "wakeups_per_s": used.voluntary / seconds}


def _fixed(roost, options):
    said, used = _open_loop(roost, options, options.seconds)
    return {"rate": said["answers"] / said["seconds"], "p50_ms": said["p50_us"] / 1000, "p99_ms": said["p99_us"] / 1000,
            **_each(used, said["answers"])}


def _flat(roost, options):
    before = counters.read(roost.pid())
    load = wrk.load(roost.url + _SINGLE, options.seconds, roost.pid(), [f"Authorization: Bearer {roost.reader}"], core=None,
                    connections=options.connections)
    used = counters.read(roost.pid()) - before
    return {"rate": load.rate, "p50_ms": load.p50, "p99_ms": load.p99, **_each(used, load.answers)}


def _bookings(roost, options):
    skew = options.skew or 0
    units = 1 if options.skew is None else options.units
    decided, before, started = _decided(roost), counters.read(roost.pid()), time.monotonic()
    load = wrk.load(f"{roost.url}/marketplace-a/bookings", options.seconds, roost.pid(),
                    [f"Authorization: Bearer {roost.reader}"], "book.lua",
                    ["0", str(units), str(portfolio.FIRST_UNIT),
                     str(options.conflicts), str(skew), str(options.read_share)], core=None,
                    connections=options.connections)
    used = counters.read(roost.pid()) - before
    decided = (_decided(roost) - decided) / (time.monotonic() - started)
    return {"rate": load.rate, "decided": decided, "p50_ms": load.p50, "p99_ms": load.p99, **_each(used, load.answers)}


def _rebuild(roost, options):
    built, started = _built(roost), time.monotonic()
    figures = _fixed(roost, options)
    return {**figures, "rebuilds": (_built(roost) - built) / (time.monotonic() - started)}


def _open_loop(roost, options, seconds):
    """What bench_reads said, and what the server used meanwhile."""
    before = counters.read(roost.pid())
    said = json.loads(run([READER, roost.port, _SINGLE, roost.reader, options.rate, seconds, options.connections],
                          timeout=seconds + 60))
    used = counters.read(roost.pid()) - before
    if said["errors"] or not said["answers"]:
        raise Failure(f"{said['errors']} of the reads were errors")
    return said, used


def _each(used, answers):
    """A request's share."""
    return {"cpu_us": used.cpu / answers * 1e6, "wakeups": used.voluntary / answers, "preempted": used.involuntary / answers,
            "queued_us": used.queued / answers * 1e6}


def _decided(roost):
    return sum(roost.metrics("roost_decisions_total").values())


def _built(roost):
    return sum(roost.metrics("roost_feed_rebuild_seconds_count").values())
