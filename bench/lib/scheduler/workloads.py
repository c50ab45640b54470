"""The workloads of each setting, and their figures."""

import json
import time

from lib import portfolio, wrk
from lib.machine import PROJECT, Failure, run
from lib.scheduler import counters

WORKLOADS = {
    "idle": "no load",
    "fixed": "live reads at a fixed rate; latency counts from the time at which each was due",
    "flat": "live reads at the maximum rate",
    "bookings": "a hot unit's bookings, submitted and decided",
    "rebuild": "live reads at the fixed rate while all feeds are rebuilt continuously",
}
# The server settings that each needs; workloads with the same settings share a server.
NEEDS = {"idle": (), "fixed": (), "flat": (), "bookings": ("bookings.cycle=100ms",), "rebuild": ("feeds.rebuild=200ms",)}
# Figures, their units and whether more or less is better; not every workload has all of them.
METRICS = {
    "rate": ("/s", "more"), "decided": ("/s", "more"), "rebuilds": ("/s", "more"),
    "p50_ms": ("ms", "less"), "p99_ms": ("ms", "less"),
    "cpu_us": ("us", "less"), "wakeups": ("", "less"), "preempted": ("", "less"), "queued_us": ("us", "less"),
    "cpu_percent": ("%", "less"), "wakeups_per_s": ("/s", "less"),
}
READER = PROJECT / "build" / "release" / "bench_reads"
_SINGLE = f"/marketplace-a/listings/{portfolio.FIRST_UNIT}"


def measure(workload, roost, options):
    """Returns the figures of one workload on a running server, by name."""
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
    reads, used = _open_loop(roost, options, options.seconds)
    return {"rate": reads["responses"] / reads["seconds"], "p50_ms": reads["p50_us"] / 1000, "p99_ms": reads["p99_us"] / 1000,
            **_per_request(used, reads["responses"])}


def _flat(roost, options):
    before = counters.read(roost.pid())
    load = wrk.load(roost.url + _SINGLE, options.seconds, roost.pid(), [f"Authorization: Bearer {roost.reader}"], core=None,
                    connections=options.connections)
    used = counters.read(roost.pid()) - before
    return {"rate": load.rate, "p50_ms": load.p50, "p99_ms": load.p99, **_per_request(used, load.responses)}


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
    return {"rate": load.rate, "decided": decided, "p50_ms": load.p50, "p99_ms": load.p99, **_per_request(used, load.responses)}


def _rebuild(roost, options):
    built, started = _built(roost), time.monotonic()
    figures = _fixed(roost, options)
    return {**figures, "rebuilds": (_built(roost) - built) / (time.monotonic() - started)}


def _open_loop(roost, options, seconds):
    """Returns the output of bench_reads, and the server's counters during the load."""
    before = counters.read(roost.pid())
    reads = json.loads(run([READER, roost.port, _SINGLE, roost.reader, options.rate, seconds, options.connections],
                           timeout=seconds + 60))
    used = counters.read(roost.pid()) - before
    if reads["errors"] or not reads["responses"]:
        raise Failure(f"{reads['errors']} of the reads were errors")
    return reads, used


def _per_request(used, requests):
    return {"cpu_us": used.cpu / requests * 1e6, "wakeups": used.voluntary / requests, "preempted": used.involuntary / requests,
            "queued_us": used.queued / requests * 1e6}


def _decided(roost):
    return sum(roost.metrics("roost_decisions_total").values())


def _built(roost):
    return sum(roost.metrics("roost_feed_rebuild_seconds_count").values())
