"""Figures, the table printed at the end, and their JSON for bench/compare."""

import json
import statistics
from dataclasses import dataclass, field

from lib.bench import OPTIONS

_MORE_IS_BETTER = ("/s", "GB/s")  # units; for times and sizes less is better


@dataclass
class Figure:
    """The rounds of one figure. `target` bounds the median ratio to the peer ("x>=", "x<="), or our median (">=", "<")."""

    name: str
    unit: str
    ours: list
    peer: list = field(default_factory=list)
    target: tuple = ()

    @property
    def ratios(self):
        """Round by round, because both sides of a round see the same machine."""
        return [o / p for o, p in zip(self.ours, self.peer) if p]

    @property
    def is_met(self):
        if not self.target or (self.target[0].startswith("x") and not self.ratios):
            return None
        kind, bound = self.target
        # Ratios are compared as printed.
        value = round(statistics.median(self.ratios), 2) if kind.startswith("x") else statistics.median(self.ours)
        return {"<": value < bound, "x<=": value <= bound}.get(kind, value >= bound)

    def row(self):
        middle, low, high = statistics.median(self.ours), min(self.ours), max(self.ours)
        spread = f" ({number(low)}–{number(high)})" if len(self.ours) > 1 else ""
        verdict = {None: "", True: "met", False: "MISSED"}[self.is_met]
        return [self.name, f"{number(middle)}{spread} {self.unit}",
                number(statistics.median(self.peer)) if self.peer else "",
                self._ratio_text(), self._target_text(), verdict]

    def _ratio_text(self):
        ratios = self.ratios
        if len(ratios) < 2:
            return "".join(f"{ratio:.2f}" for ratio in ratios)
        low, middle, high = statistics.quantiles(ratios, n=4, method="inclusive")
        return f"{middle:.2f} ({low:.2f}–{high:.2f})"

    def _target_text(self):
        if not self.target:
            return ""
        kind, bound = self.target
        return f"{kind[1:]} {bound:g} x" if kind.startswith("x") else f"{kind} {number(bound)}"


def number(value):
    if value >= 1000:
        return f"{value:,.0f}"
    return f"{value:.0f}" if value >= 100 else f"{value:.3g}"


def to_text(figures):
    rows = [["figure", "ours: median (min–max)", "peer", "ratio: median (middle half)", "target", ""]] + [f.row() for f in figures]
    return aligned(rows, str.ljust)


def aligned(rows, justify=str.rjust):
    """Returns a table whose first row is its header; the first column is left-justified."""
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    lines = ["  ".join((justify if i else str.ljust)(cell, width) for i, (cell, width) in enumerate(zip(row, widths))).rstrip()
             for row in rows]
    lines.insert(1, "  ".join("-" * width for width in widths))
    return "\n".join(lines)


def write_json(path, origin, arguments, figures_by_name):
    options = {name: getattr(arguments, name) for name in ("pairs", "rounds", "seconds", *OPTIONS)
               if getattr(arguments, name) is not None}
    content = {"bench": "figures", **origin, "options": options,
               "cells": [cell for name, figures in figures_by_name.items() for cell in _cells(name, figures)]}
    path.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")


def _cells(bench, figures):
    parent = ""
    for figure in figures:
        # An indented name belongs to the figure above it.
        parent = parent if figure.name.startswith(" ") else figure.name
        name = f"{parent}: {figure.name.strip()}" if figure.name.startswith(" ") else figure.name
        yield _cell(bench, name, figure)


def _cell(bench, name, figure):
    direction = "more" if figure.unit in _MORE_IS_BETTER else "less"
    samples = {"ours": figure.ours, **({"peer": figure.peer, "ratio": figure.ratios} if figure.peer else {})}
    return {"bench": bench, "figure": name, "unit": figure.unit, "target": figure.target, "met": figure.is_met,
            **{key: statistics.median(values) for key, values in samples.items() if values},
            "better": {key: direction for key in samples if key != "peer"}, "samples": samples}
