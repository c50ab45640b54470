"""The figures of bench/run as JSON: what bench/compare reads."""

import json
import statistics

from lib.effort import OPTIONS

_MORE = ("/s", "GB/s")  # units of which more is better; of times and sizes less is


def write(path, origin, given, found):
    """`found` has the figures by the name that they were asked for with."""
    options = {name: getattr(given, name) for name in ("pairs", "rounds", "seconds", *OPTIONS) if getattr(given, name) is not None}
    content = {"bench": "figures", **origin, "options": options,
               "cells": [cell for name, figures in found.items() for cell in _cells(name, figures)]}
    path.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")


def _cells(bench, figures):
    above = ""
    for figure in figures:
        # An indented name goes on with the figure above it.
        above = above if figure.name.startswith(" ") else figure.name
        name = f"{above}: {figure.name.strip()}" if figure.name.startswith(" ") else figure.name
        yield _cell(bench, name, figure)


def _cell(bench, name, figure):
    direction = "more" if figure.unit in _MORE else "less"
    samples = {"ours": figure.ours, **({"peer": figure.peer, "ratio": figure.ratios} if figure.peer else {})}
    return {"bench": bench, "figure": name, "unit": figure.unit, "target": figure.target, "met": figure.is_met,
            **{key: statistics.median(values) for key, values in samples.items() if values},
            "better": {key: direction for key in samples if key != "peer"}, "samples": samples}
