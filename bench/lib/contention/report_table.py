"""The results as text."""

from lib.contention import figures
from lib.contention.options import OURS, STRONGEST
from lib.figure import number

_HEAD = ["strategy", "decisions/s", "p50", "p99", "p99.9", "wait", "decide", "commit", "conflicts", "deadlocks",
         "retries", "errors", "double", "CPU: client", "server", "database", "verdict"]
_NOTE = ("Latencies in ms; wait, decide and commit are medians. CPU in µs per decision. Medians over the rounds, totals of counts.\n"
         "A decision in one statement (on_conflict, exclusion_retry; the last step of optimistic and unlocked) counts as commit.\n"
         "A peer's client is the whole application; the actors' client is only the load, and their server is the actors.\n"
         "Over HTTP, wait lasts until the acknowledgement, and decide from there to the decision's time in the store.")


def to_text(cells):
    parts = []
    for key, group in _groups(cells).items():
        rows = [_HEAD] + [_row(cell) for cell in group]
        widths = [max(len(row[i]) for row in rows) for i in range(len(_HEAD))]
        lines = ["  ".join(text.ljust(width) if i in (0, len(_HEAD) - 1) else text.rjust(width)
                           for i, (text, width) in enumerate(zip(row, widths))).rstrip() for row in rows]
        parts.append("\n".join([", ".join(key), *lines, *_ratios(group)]))
    parts += [f"{cell.strategy}, {cell.depth}, {cell.load.name}: the shortest history that proves it is incorrect:\n"
              f"{figures.shortest_violation(cell)}" for cell in _first_incorrect(cells)]
    return "\n\n".join([*parts, _NOTE])


def _groups(cells):
    groups = {}
    for cell in filter(lambda cell: cell.rounds, cells):
        titles = {"curve": ("bare", "latency over load"), "outside": ("a running server, over HTTP", cell.load.name)}
        key = titles.get(cell.part, (cell.depth, cell.load.name))
        groups.setdefault(key, []).append(cell)
    return groups


def _row(cell):
    def ms(*path):
        return number(figures.median(cell, *path))
    name = f"{cell.strategy} at {cell.load.name}" if cell.part == "curve" else cell.strategy
    return [name, number(figures.median(cell, "decisions_per_s")),
            *(ms("latency_ms", key) for key in ("p50", "p99", "p99_9")),
            *(ms(key, "p50") for key in ("waiting_ms", "deciding_ms", "committing_ms")),
            *(f"{figures.total(cell, key):,}" for key in ("conflicts", "deadlocks", "retries", "errors")),
            f"{figures.total(cell, 'verdict', 'double_bookings'):,}",
            *(number(figures.median(cell, "cpu_us", key)) for key in ("client", "server", "database")),
            figures.verdict(cell) + (" (cut short)" if any(figures.samples(cell, "cut_short")) else "")]


def _ratios(group):
    by_name = {cell.strategy: cell for cell in group if cell.part != "curve"}
    if not {OURS, STRONGEST} <= by_name.keys():
        return []
    pairs = list(zip(by_name[OURS].rounds, by_name[STRONGEST].rounds))
    rates = sorted(a["decisions_per_s"] / b["decisions_per_s"] for a, b in pairs if b["decisions_per_s"])
    if not rates:
        return []
    tails = sorted(a["latency_ms"]["p99"] / b["latency_ms"]["p99"] for a, b in pairs)
    middle = len(rates) // 2
    return [f"{OURS} : {STRONGEST} = {rates[middle]:.2f} in decisions/s, {tails[middle]:.2f} in p99"]


def _first_incorrect(cells):
    """Returns the first cell of each incorrect strategy."""
    seen = {}
    for cell in cells:
        if figures.shortest_violation(cell):
            seen.setdefault(cell.strategy, cell)
    return seen.values()
