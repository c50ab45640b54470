"""Figures, and the table that they end in."""

import statistics
from dataclasses import dataclass, field


@dataclass
class Figure:
    """Rounds of one figure. `target` bounds the median ratio to the peer ("x>=", "x<="), or our own median (">=", "<")."""

    name: str
    unit: str
    ours: list
    peer: list = field(default_factory=list)
    target: tuple = ()

    @property
    def ratios(self):
        """Round by round: both sides of a round saw the same machine."""
        return [o / p for o, p in zip(self.ours, self.peer) if p]

    @property
    def is_met(self):
        if not self.target or (self.target[0].startswith("x") and not self.ratios):
            return None
        kind, bound = self.target
        # A ratio is held against its target as it is printed.
        mine = round(statistics.median(self.ratios), 2) if kind.startswith("x") else statistics.median(self.ours)
        return {"<": mine < bound, "x<=": mine <= bound}.get(kind, mine >= bound)

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
    """A table whose first row is its head: the first column to the left, the others as wanted."""
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    lines = ["  ".join((justify if i else str.ljust)(cell, width) for i, (cell, width) in enumerate(zip(row, widths))).rstrip()
             for row in rows]
    lines.insert(1, "  ".join("-" * width for width in widths))
    return "\n".join(lines)
