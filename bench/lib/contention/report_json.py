"""The run as JSON: what bench/compare reads."""

import json

from lib.contention import figures


def write(path, cells, options, store_name):
    content = {"bench": "contention", **options.origin, "store": store_name,
               "options": {key: value for key, value in vars(options).items()
                           if key not in ("json", "html", "command", "origin") and value is not None},
               "cells": [_cell(cell) for cell in cells if cell.rounds]}
    path.write_text(json.dumps(content, indent=1, default=str) + "\n", encoding="utf-8")


def _cell(cell):
    """Medians over the rounds, counts over all of them, and every round's figures in `samples`."""
    def samples(*path):
        return figures.samples(cell, *path)
    latencies = {f"{name}{part}_ms": figures.median(cell, f"{name or 'latency_'}ms", part)
                 for name in ("", "waiting_", "deciding_", "committing_") for part in ("p50", "p99", "p99_9")}
    return {"strategy": cell.strategy, "depth": cell.depth, "cell": cell.load.name, "part": cell.part,
            "decisions_per_s": figures.median(cell, "decisions_per_s"), **latencies,
            **{key: figures.total(cell, key) for key in ("conflicts", "deadlocks", "retries", "errors")},
            **{f"cpu_{key}_us": figures.median(cell, "cpu_us", key) for key in ("client", "server", "database")},
            "double_bookings": figures.total(cell, "verdict", "double_bookings"),
            "unknown": figures.total(cell, "verdict", "unknown"),
            "verdict": "right" if figures.is_right(cell) else "wrong",
            "shortest_history": figures.shortest_offence(cell),
            "cut_short": any(samples("cut_short")),
            "faults": samples("faults") if cell.load.fault else [],
            "samples": {"decisions_per_s": samples("decisions_per_s"), "p50_ms": samples("latency_ms", "p50"),
                        "p99_ms": samples("latency_ms", "p99"), "p99_9_ms": samples("latency_ms", "p99_9")}}
