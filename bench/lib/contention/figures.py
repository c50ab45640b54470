"""The figures of a cell over all rounds, and their JSON for bench/compare."""

import json
import statistics


def median(cell, *path):
    return statistics.median(samples(cell, *path))


def total(cell, *path):
    return sum(samples(cell, *path))


def samples(cell, *path):
    return [_value(each, *path) for each in cell.rounds]


def _value(result, *path):
    for key in path:
        result = result[key]
    return result


def is_correct(cell):
    return all(each["verdict"]["correct"] for each in cell.rounds)


def verdict(cell):
    """Returns "correct", or the violations of all rounds."""
    if is_correct(cell):
        return "correct"
    titles = {"double_bookings": "double bookings", "lost": "lost", "unexpected": "unexpected bookings",
              "groundless_refusals": "groundless refusals"}
    return "INCORRECT: " + ", ".join(f"{total(cell, 'verdict', key):,} {title}" for key, title in titles.items()
                                     if total(cell, "verdict", key))


def shortest_violation(cell):
    """Returns the shortest history that proves a violation; None if there is none."""
    histories = [each["verdict"]["history"] for each in cell.rounds if "history" in each["verdict"]]
    return min(histories, key=lambda text: text.count("\n")) if histories else None


def write_json(path, cells, options, store_name):
    content = {"bench": "contention", **options.origin, "store": store_name,
               "options": {key: value for key, value in vars(options).items()
                           if key not in ("json", "html", "command", "origin") and value is not None},
               "cells": [_cell(cell) for cell in cells if cell.rounds]}
    path.write_text(json.dumps(content, indent=1, default=str) + "\n", encoding="utf-8")


def _cell(cell):
    """Returns medians over the rounds, totals of counts, and the figures of every round in `samples`."""
    latencies = {f"{name}{part}_ms": median(cell, f"{name or 'latency_'}ms", part)
                 for name in ("", "waiting_", "deciding_", "committing_") for part in ("p50", "p99", "p99_9")}
    return {"strategy": cell.strategy, "depth": cell.depth, "cell": cell.load.name, "part": cell.part,
            "decisions_per_s": median(cell, "decisions_per_s"), **latencies,
            **{key: total(cell, key) for key in ("conflicts", "deadlocks", "retries", "errors")},
            **{f"cpu_{key}_us": median(cell, "cpu_us", key) for key in ("client", "server", "database")},
            "double_bookings": total(cell, "verdict", "double_bookings"),
            "unknown": total(cell, "verdict", "unknown"),
            "verdict": "correct" if is_correct(cell) else "incorrect",
            "shortest_history": shortest_violation(cell),
            "cut_short": any(samples(cell, "cut_short")),
            "faults": samples(cell, "faults") if cell.load.fault else [],
            "samples": {"decisions_per_s": samples(cell, "decisions_per_s"), "p50_ms": samples(cell, "latency_ms", "p50"),
                        "p99_ms": samples(cell, "latency_ms", "p99"), "p99_9_ms": samples(cell, "latency_ms", "p99_9")}}
