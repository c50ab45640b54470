"""The run as one page that loads nothing from elsewhere."""

import html
import pathlib

from lib.contention import charts, figures, report_table
from lib.contention.strategies import OURS, STRONGEST, TITLES

_COLOURS = dict(zip(TITLES, ("#0b6bcb", "#6aaef0", "#b0592a", "#d08c3c", "#8a5fb5", "#c44d8e", "#2a8f6f", "#7a8b2f", "#c0392b")))
_COLOURS["http"] = "#34495e"
_RESULTS = {"booked": "#2a8f6f", "refused": "#d0a23c", "unknown": "#c0392b", "failed": "#7f8c8d"}
_STYLE = pathlib.Path(__file__).with_name("report.css")
_PERCENTILES = (50, 75, 90, 95, 99, 99.5, 99.9, 99.95, 99.99)


def write(path, cells, options, store_name, left_out):
    path.write_text(_page(cells, options, store_name, left_out), encoding="utf-8")


def _page(cells, options, store_name, left_out):
    parts = [_head(cells, options, store_name, left_out), _rates(cells), _sweep(cells), _curve(cells), _percentiles(cells),
             *_histories(cells), _outside(cells), _wrong(cells), _all_figures(cells), _repeat(options)]
    return ("<!doctype html><html lang=en><meta charset=utf-8><meta name=viewport content='width=device-width'>"
            f"<title>Booking contention</title><style>{_STYLE.read_text(encoding='utf-8')}</style><main>"
            + "".join(filter(None, parts)) + "</main></html>\n")


def _section(title, words, *content):
    return f"<section><h2>{html.escape(title)}</h2><p>{html.escape(words)}</p>{''.join(content)}</section>"


def _head(cells, options, store_name, left_out):
    origin, machine = options.origin, options.origin["machine"]
    wrong = sum(not figures.is_right(cell) for cell in cells)
    facts = {"Machine": f"{machine['cores']} cores, {machine['processor']}, {machine['memory_gb']} GB, Linux {machine['kernel']}; "
                        f"load before the run {machine['load_before']}",
             "Store": f"{store_name}, fsync {options.fsync}" + (f", {options.flush_ms:g} ms before each flush" if options.flush_ms else ""),
             "Commit": origin["commit"], "Time": origin["at"],
             "Load": f"{options.clients} clients, {options.units:,} units, stays of {options.stays[0]} to {options.stays[1]} nights, "
                     f"{options.conflicts:.0%} for nights that another request wants, seed {options.seed}",
             "Judged": f"{len(cells)} cells; {wrong} of them wrong" + (f"; left out: {', '.join(left_out)}" if left_out else "")}
    rows = "".join(f"<dt>{key}</dt><dd>{html.escape(str(value))}</dd>" for key, value in facts.items())
    return f"<h1>Who gets the nights?</h1><p>{html.escape(_lead(cells))}</p><dl>{rows}</dl>"


def _lead(cells):
    said = []
    for depth, load in dict.fromkeys((cell.depth, cell.load.name) for cell in cells if cell.part == "cells"):
        group = {cell.strategy: cell for cell in cells if (cell.depth, cell.load.name, cell.part) == (depth, load, "cells")}
        if {OURS, STRONGEST} <= group.keys():
            ours, peer = group[OURS], group[STRONGEST]
            ratio = figures.median(ours, "decisions_per_s") / figures.median(peer, "decisions_per_s")
            said.append(f"{ratio:.1f} times at {load}, {depth} (p99 {figures.median(ours, 'latency_ms', 'p99'):.3g} "
                        f"against {figures.median(peer, 'latency_ms', 'p99'):.3g} ms)")
    if not said:
        return "The same reservations, decided by several strategies on the same store, each judged against a model."
    return "The actors decide, of what the strongest honest peer decides: " + "; ".join(said) + "."


def _of_part(cells, part):
    return [cell for cell in cells if cell.part == part]


def _rates(cells):
    groups = {}
    for cell in _of_part(cells, "cells"):
        groups.setdefault((cell.depth, cell.load.name), []).append(cell)
    content = []
    for (depth, load), group in groups.items():
        rows = [(cell.strategy, _COLOURS[cell.strategy], figures.median(cell, "decisions_per_s"),
                 f"p99 {figures.median(cell, 'latency_ms', 'p99'):.3g} ms" + ("" if figures.is_right(cell) else " · WRONG"))
                for cell in group]
        content.append(f"<h3>{html.escape(f'{load}, {depth}')}</h3>" + charts.bars(rows, "/s"))
    return _section("Decisions a second", "Closed loop: each client asks again as soon as it knows.", *content) if content else ""


def _sweep(cells):
    def line(name, *path):
        return [(cell.load.hot_share * 100, figures.median(cell, *path)) for cell in _of_part(cells, "sweep") if cell.strategy == name]
    names = dict.fromkeys(cell.strategy for cell in _of_part(cells, "sweep"))
    if not names:
        return ""
    rates = {name: (_COLOURS[name], line(name, "decisions_per_s")) for name in names}
    tails = {name: (_COLOURS[name], line(name, "latency_ms", "p99")) for name in names}
    return _section("Contention from 0 to 100 %", "The share of all requests that want nights of one and the same unit.",
                    charts.lines(rates, "requests for the one unit, %", "decisions/s"),
                    charts.lines(tails, "requests for the one unit, %", "p99, ms", (False, True)))


def _curve(cells):
    names = dict.fromkeys(cell.strategy for cell in _of_part(cells, "curve"))
    if not names:
        return ""
    series = {f"{name}, {part.replace('_', '.')}": (colour, [(cell.load.rate, figures.median(cell, "latency_ms", part))
                                                             for cell in _of_part(cells, "curve") if cell.strategy == name])
              for name in names for part, colour in (("p50", _COLOURS[name] + "80"), ("p99", _COLOURS[name]))}
    return _section("Latency over load", "Open loop: arrivals at a fixed rate, latency from the moment at which a request should "
                    "have been made. Each line ends at nine tenths of what the strategy decided flat out.",
                    charts.lines(series, "arrivals/s", "latency, ms", (False, True)))


def _percentiles(cells):
    shown = [cell for cell in _of_part(cells, "cells") if cell.load == shown_load(cells) and cell.depth == "bare"]
    series = {cell.strategy: (_COLOURS[cell.strategy], _percentile_line(cell.rounds[-1]["curve"])) for cell in shown}
    if not series:
        return ""
    return _section("Latency by percentile", f"{shown[0].load.name}, bare; the last round's decisions, in a histogram of three digits.",
                    charts.lines(series, "percentile", "latency, ms", (True, True), lambda part: f"{100 - 100 / part:.6g} %"))


def shown_load(cells):
    main = _of_part(cells, "cells")
    return main[0].load if main else None


def _percentile_line(curve):
    line = []
    for wanted in _PERCENTILES:
        found = next((latency for percent, latency in curve if percent >= wanted), None)
        if found is not None:
            line.append((100 / (100 - wanted), found))
    return line


def _histories(cells):
    faulty = [cell for cell in cells if cell.load.fault]
    hot = [cell for cell in cells if cell.load.hot_share == 1 and cell.strategy in (OURS, STRONGEST) and cell.part == "cells"]
    return [_history(cell) for cell in [*hot, *faulty]]


def _history(cell):
    last = cell.rounds[-1]
    unit, marks = last["hot_unit"], [(fault["ms"], fault["what"]) for fault in last["faults"]]
    timeline = {"decisions": (_COLOURS[cell.strategy], [(step / 10, count * 10) for step, count in enumerate(last["timeline"])])}
    drawn = charts.lines(timeline, "seconds", "decisions/s", marks=[(moment / 1000, words) for moment, words in marks], dots=False)
    return _section(f"One hot unit: {cell.strategy}, {cell.load.name}",
                    f"{len(unit['history'])} of its {unit['operations']:,} requests, around the one that took longest: winners, losers "
                    "and those whose client lost its connection. A bar's title tells its nights.",
                    charts.gantt(unit["history"], _RESULTS, marks), drawn if marks else "")


def _outside(cells):
    rows = [(cell.load.name, _COLOURS["http"], figures.median(cell, "decisions_per_s"),
             f"acknowledged p99 {figures.median(cell, 'waiting_ms', 'p99'):.3g} ms" + ("" if figures.is_right(cell) else " · WRONG"))
            for cell in _of_part(cells, "outside")]
    return _section("From outside", "The same load by HTTP on a running server: whole bookings, decided by its queue.",
                    charts.bars(rows, "/s")) if rows else ""


def _wrong(cells):
    shown = {}
    for cell in cells:
        if offence := figures.shortest_offence(cell):
            shown.setdefault(cell.strategy, f"<h3>{html.escape(f'{cell.strategy}: {cell.load.name}, {cell.depth}')}</h3>"
                             f"<p>{html.escape(figures.verdict(cell))}</p><pre>{html.escape(offence)}</pre>")
    return _section("What is wrong", "The shortest history that shows it, of each strategy that is wrong.", *shown.values()) if shown else ""


def _all_figures(cells):
    return _section("All figures", "As the run printed them.", f"<pre>{html.escape(report_table.to_text(cells))}</pre>")


def _repeat(options):
    return _section("To repeat it", "On a machine with Debian 12, in a checkout of this commit:",
                    f"<pre>{html.escape(options.command)}</pre>")
