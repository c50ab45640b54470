"""What the benches' JSON files hold, in one form: cells by key, each with samples and which way is better."""

import json
from dataclasses import dataclass

# Of the contention lab's cells, which do not say it themselves.
_CONTENTION = {"decisions_per_s": "more", "p50_ms": "less", "p99_ms": "less", "p99_9_ms": "less"}


@dataclass
class Cell:
    samples: dict  # by figure
    better: dict  # "more" or "less", of the figures that are compared
    verdict: str = ""


@dataclass
class Measurements:
    cells: dict  # by a tuple of words
    origin: str
    processor: str | None = None


def read(path):
    """Throws ValueError for a file that is none of a bench."""
    with open(path, encoding="utf-8") as file:
        content = json.load(file)
    if isinstance(content, dict) and "benchmarks" in content:
        context = content.get("context", {})
        return Measurements(of_google(content["benchmarks"]), f"{context.get('date')}, {context.get('executable')}")
    if not isinstance(content, dict) or "cells" not in content:
        raise ValueError(f"{path}: holds no cells; script/bench … --json FILE writes such files")
    cells = {}
    for each in content["cells"]:
        key, cell = _of_contention(each) if "strategy" in each else _of_figure(each)
        cells[key] = cell
    return Measurements(cells, f"{content.get('commit')}, {content.get('at')}, {content.get('command')}",
                        content.get("machine", {}).get("processor"))


def of_google(benchmarks):
    """Cells of Google Benchmark's results; repetitions and turns of one are its samples."""
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
