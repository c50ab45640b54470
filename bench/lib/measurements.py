"""The benches' JSON files in one form, cells by key with samples, and the test whether samples differ beyond noise."""

import json
import math
import statistics
from dataclasses import dataclass

# For cells of the contention lab, which do not state it.
_CONTENTION = {"decisions_per_s": "more", "p50_ms": "less", "p99_ms": "less", "p99_9_ms": "less"}

MIN_TESTED, MIN_COMPARED = 4, 3  # samples per side for the test of significance, and for any comparison


@dataclass
class Cell:
    samples: dict  # by figure
    better: dict  # "more" or "less", for the compared figures
    verdict: str = ""


@dataclass
class Measurements:
    cells: dict  # by a tuple of strings
    origin: str
    processor: str | None = None


def read(path):
    """Raises ValueError if the file was not written by a bench."""
    with open(path, encoding="utf-8") as file:
        content = json.load(file)
    if isinstance(content, dict) and "benchmarks" in content:
        context = content.get("context", {})
        return Measurements(of_google(content["benchmarks"]), f"{context.get('date')}, {context.get('executable')}")
    if not isinstance(content, dict) or "cells" not in content:
        raise ValueError(f"{path}: contains no cells; script/bench … --json FILE writes such files")
    cells = {}
    for each in content["cells"]:
        key, cell = _of_contention(each) if "strategy" in each else _of_figure(each)
        cells[key] = cell
    return Measurements(cells, f"{content.get('commit')}, {content.get('at')}, {content.get('command')}",
                        content.get("machine", {}).get("processor"))


def of_google(benchmarks):
    """Returns cells of Google Benchmark's results; repetitions and turns of a benchmark are its samples."""
    cells = {}
    for each in benchmarks:
        if each.get("run_type", "iteration") != "iteration" or each.get("error_occurred"):
            continue
        cell = cells.setdefault((each["run_name"],), Cell({"cpu_ns": [], "real_ns": []}, {"cpu_ns": "less", "real_ns": "less"}))
        factor = {"ns": 1, "us": 1e3, "ms": 1e6, "s": 1e9}[each.get("time_unit", "ns")]
        for name in ("cpu", "real"):
            cell.samples[f"{name}_ns"].append(each[f"{name}_time"] * factor)
    return cells


def _of_contention(cell):
    return (cell["depth"], cell["cell"], cell["strategy"]), Cell(cell["samples"], _CONTENTION, cell["verdict"])


def _of_figure(cell):
    key = tuple(cell[name] for name in ("bench", "figure", "setting") if name in cell)
    return key, Cell(cell["samples"], cell["better"], cell.get("verdict", ""))


def change(a, b):
    """Returns the ratio of B's median to A's if they differ beyond noise, otherwise None."""
    if min(len(a), len(b)) < MIN_COMPARED or not statistics.median(a):
        return None
    ratio = statistics.median(b) / statistics.median(a)
    if min(len(a), len(b)) < MIN_TESTED:
        is_disjoint = max(a) < min(b) or max(b) < min(a)
        return ratio if is_disjoint and abs(ratio - 1) >= 0.1 else None
    return ratio if abs(ratio - 1) >= 0.03 and _p_value(a, b) <= 0.05 else None


def _p_value(a, b):
    """Returns the p-value of the two-sided Mann-Whitney U test in its normal approximation."""
    u = sum((x < y) + (x == y) / 2 for x in a for y in b)
    mean, deviation = len(a) * len(b) / 2, math.sqrt(len(a) * len(b) * (len(a) + len(b) + 1) / 12)
    return math.erfc(abs(u - mean) / deviation / math.sqrt(2))
