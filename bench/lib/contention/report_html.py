"""The results as one self-contained page."""

import html
import pathlib

from lib.contention import charts, figures, report_table
from lib.contention.options import OURS, STRONGEST, TITLES

_COLORS = dict(zip(TITLES, ("#0b6bcb", "#6aaef0", "#b0592a", "#d08c3c", "#8a5fb5", "#c44d8e", "#2a8f6f", "#7a8b2f", "#c0392b")))
_COLORS["http"] = "#34495e"
_RESULTS = {"booked": "#2a8f6f", "refused": "#d0a23c", "unknown": "#c0392b", "failed": "#7f8c8d"}
_STYLE = pathlib.Path(__file__).with_name("report.css")
_PERCENTILES = (50, 75, 90, 95, 99, 99.5, 99.9, 99.95, 99.99)


def write(path, cells, options, store_name, omitted):
    path.write_text(_page(cells, options, store_name, omitted), encoding="utf-8")


def _page(cells, options, store_name, omitted):
    parts = [_head(cells, options, store_name, omitted), _rates(cells), _sweep(cells), _curve(cells), _percentiles(cells),
             *_histories(cells), _outside(cells), _violations(cells), _all_figures(cells), _repeat(options)]
    return ("<!doctype html><html lang=en><meta charset=utf-8><meta name=viewport content='width=device-width'>"
            f"<title>Booking contention</title><style>{_STYLE.read_text(encoding='utf-8')}</style><main>"
            + "".join(filter(None, parts)) + "</main></html>\n")


def _section(title, text, *content):
    return f"<section><h2>{html.escape(title)}</h2><p>{html.escape(text)}</p>{''.join(content)}</section>"


def _head(cells, options, store_name, omitted):
    origin, machine = options.origin, options.origin["machine"]
    incorrect = sum(not figures.is_correct(cell) for cell in cells)
    facts = {"Machine": f"{machine['cores']} cores, {machine['processor']}, {machine['memory_gb']} GB, Linux {machine['kernel']}; "
                        f"load before the run {machine['load_before']}",
             "Store": f"{store_name}, fsync {options.fsync}" + (f", {options.flush_ms:g} ms before each flush" if options.flush_ms else ""),
             "Commit": origin["commit"], "Time": origin["at"],
             "Load": f"{options.clients} clients, {options.units:,} units, stays of {options.stays[0]} to {options.stays[1]} nights, "
                     f"{options.conflicts:.0%} for nights of an earlier request, seed {options.seed}",
             "Verified": f"{len(cells)} cells; {incorrect} of them incorrect" + (f"; omitted: {', '.join(omitted)}" if omitted else "")}
    rows = "".join(f"<dt>{key}</dt><dd>{html.escape(str(value))}</dd>" for key, value in facts.items())
    return f"<h1>Booking contention</h1><p>{html.escape(_lead(cells))}</p><dl>{rows}</dl>"


def _lead(cells):
    ratios = []
    for depth, load in dict.fromkeys((cell.depth, cell.load.name) for cell in cells if cell.part == "cells"):
        group = {cell.strategy: cell for cell in cells if (cell.depth, cell.load.name, cell.part) == (depth, load, "cells")}
        if {OURS, STRONGEST} <= group.keys():
            ours, peer = group[OURS], group[STRONGEST]
            ratio = figures.median(ours, "decisions_per_s") / figures.median(peer, "decisions_per_s")
            ratios.append(f"{ratio:.1f} times at {load}, {depth} (p99 {figures.median(ours, 'latency_ms', 'p99'):.3g} "
                        f"against {figures.median(peer, 'latency_ms', 'p99'):.3g} ms)")
    if not ratios:
        return "The same reservations, decided by several strategies on the same store, each verified against a model."
    return "Decisions of the actors compared to the strongest correct peer: " + "; ".join(ratios) + "."


def _of_part(cells, part):
    return [cell for cell in cells if cell.part == part]


def _rates(cells):
    groups = {}
    for cell in _of_part(cells, "cells"):
        groups.setdefault((cell.depth, cell.load.name), []).append(cell)
    content = []
    for (depth, load), group in groups.items():
        rows = [(cell.strategy, _COLORS[cell.strategy], figures.median(cell, "decisions_per_s"),
                 f"p99 {figures.median(cell, 'latency_ms', 'p99'):.3g} ms" + ("" if figures.is_correct(cell) else " · INCORRECT"))
                for cell in group]
        content.append(f"<h3>{html.escape(f'{load}, {depth}')}</h3>" + charts.bars(rows, "/s"))
    return _section("Decisions per second", "Closed loop: each client sends its next request when it has its response.", *content) if content else ""


def _sweep(cells):
    def line(name, *path):
        return [(cell.load.hot_share * 100, figures.median(cell, *path)) for cell in _of_part(cells, "sweep") if cell.strategy == name]
    names = dict.fromkeys(cell.strategy for cell in _of_part(cells, "sweep"))
    if not names:
        return ""
    rates = {name: (_COLORS[name], line(name, "decisions_per_s")) for name in names}
    tails = {name: (_COLORS[name], line(name, "latency_ms", "p99")) for name in names}
    return _section("Contention from 0 to 100 %", "The share of requests for nights of a single unit.",
                    charts.lines(rates, "requests for one unit, %", "decisions/s"),
                    charts.lines(tails, "requests for one unit, %", "p99, ms", (False, True)))


def _curve(cells):
    names = dict.fromkeys(cell.strategy for cell in _of_part(cells, "curve"))
    if not names:
        return ""
    series = {f"{name}, {part.replace('_', '.')}": (color, [(cell.load.rate, figures.median(cell, "latency_ms", part))
                                                             for cell in _of_part(cells, "curve") if cell.strategy == name])
              for name in names for part, color in (("p50", _COLORS[name] + "80"), ("p99", _COLORS[name]))}
    return _section("Latency over load", "Open loop: arrivals at a fixed rate, latency from the time at which a request was due. "
                    "Each line ends at nine tenths of the strategy's maximum rate.",
                    charts.lines(series, "arrivals/s", "latency, ms", (False, True)))


def _percentiles(cells):
    shown = [cell for cell in _of_part(cells, "cells") if cell.load == shown_load(cells) and cell.depth == "bare"]
    series = {cell.strategy: (_COLORS[cell.strategy], _percentile_line(cell.rounds[-1]["curve"])) for cell in shown}
    if not series:
        return ""
    return _section("Latency by percentile", f"{shown[0].load.name}, bare; the decisions of the last round, in a histogram with three digits.",
                    charts.lines(series, "percentile", "latency, ms", (True, True), lambda part: f"{100 - 100 / part:.6g} %"))


def shown_load(cells):
    main = _of_part(cells, "cells")
    return main[0].load if main else None


def _percentile_line(curve):
    line = []
    for percentile in _PERCENTILES:
        latency = next((latency for percent, latency in curve if percent >= percentile), None)
        if latency is not None:
            line.append((100 / (100 - percentile), latency))
    return line


def _histories(cells):
    faulty = [cell for cell in cells if cell.load.fault]
    hot = [cell for cell in cells if cell.load.hot_share == 1 and cell.strategy in (OURS, STRONGEST) and cell.part == "cells"]
    return [_history(cell) for cell in [*hot, *faulty]]


def _history(cell):
    last = cell.rounds[-1]
    unit, marks = last["hot_unit"], [(fault["ms"], fault["what"]) for fault in last["faults"]]
    timeline = {"decisions": (_COLORS[cell.strategy], [(step / 10, count * 10) for step, count in enumerate(last["timeline"])])}
    chart = charts.lines(timeline, "seconds", "decisions/s", marks=[(time / 1000, label) for time, label in marks], dots=False)
    return _section(f"One hot unit: {cell.strategy}, {cell.load.name}",
                    f"{len(unit['history'])} of its {unit['operations']:,} requests, around the one that took longest: booked, refused "
                    "and those whose client lost its connection. Hover over a bar to see its nights.",
                    charts.gantt(unit["history"], _RESULTS, marks), chart if marks else "")


def _outside(cells):
    rows = [(cell.load.name, _COLORS["http"], figures.median(cell, "decisions_per_s"),
             f"acknowledged p99 {figures.median(cell, 'waiting_ms', 'p99'):.3g} ms" + ("" if figures.is_correct(cell) else " · INCORRECT"))
            for cell in _of_part(cells, "outside")]
    return _section("Over HTTP", "The same load on a running server: whole bookings, decided by its queue.",
                    charts.bars(rows, "/s")) if rows else ""


def _violations(cells):
    shown = {}
    for cell in cells:
        if violation := figures.shortest_violation(cell):
            shown.setdefault(cell.strategy, f"<h3>{html.escape(f'{cell.strategy}: {cell.load.name}, {cell.depth}')}</h3>"
                             f"<p>{html.escape(figures.verdict(cell))}</p><pre>{html.escape(violation)}</pre>")
    return _section("Violations", "The shortest history that proves it, for each incorrect strategy.", *shown.values()) if shown else ""


def _all_figures(cells):
    return _section("All figures", "The printed table.", f"<pre>{html.escape(report_table.to_text(cells))}</pre>")


def _repeat(options):
    return _section("How to repeat the run", "On a machine with Debian 12, in a checkout of this commit:",
                    f"<pre>{html.escape(options.command)}</pre>")
