"""The cells of a run."""

from lib.contention.cell import HTTP_STRATEGY, Cell, Load
from lib.contention.options import BARE_ONLY, DEPTHS, OURS, STRONGEST, TITLES, WITHOUT_POSTGRESQL

ZIPF = Load("Zipf 1.0")
HOT_UNIT = Load("one hot unit", hot_share=1.0)
FIXED = Load("fixed calendar", calendar="fixed")

SHARES = (0, 0.1, 0.25, 0.5, 0.75, 1.0)
_QUICK_SHARES = (0, 0.5, 1.0)
_COMPARED = (OURS, STRONGEST, "row_lock")  # in charts that eight lines would make unreadable
_LOADS = (0.25, 0.5, 0.75, 0.9)  # shares of the strategy's maximum rate
_QUICK_LOADS = (0.5, 0.9)

_FAULT_RATE = 1000  # an open loop, so that requests delayed by the fault count


class Plan:
    def __init__(self, options, store):
        self._options = options
        usable = list(TITLES) if store.name == "postgresql" else list(WITHOUT_POSTGRESQL)
        self.strategies = [name for name in usable if name in (options.strategies or usable)]
        self.omitted = [name for name in TITLES if name not in usable]
        self._compared = [name for name in self.strategies if name in _COMPARED or options.strategies]
        if options.quick:
            self._compared = [name for name in self._compared if name != "row_lock" or options.strategies]
        self._has_faults = store.name == "postgresql"

    def cells(self):
        """Returns the cells whose load is known in advance, part by part."""
        parts = {"cells": self._main, "sweep": self._sweep, "faults": self._faults, "outside": self._outside}
        return [cell for part in self._options.parts if part in parts for cell in parts[part]()]

    def curve(self, measured):
        """Returns open loops at shares of each strategy's rate at Zipf 1.0, bare."""
        if "curve" not in self._options.parts:
            return []
        peaks = {cell.strategy: cell.rounds[0]["decisions_per_s"] for cell in measured
                 if cell.rounds and cell.load == ZIPF and cell.depth == "bare" and cell.part == "cells"}
        shares = _QUICK_LOADS if self._options.quick else _LOADS
        return [Cell(name, "bare", Load(f"{round(peaks[name] * share, -1):,.0f}/s", rate=round(peaks[name] * share, -1)), "curve")
                for share in shares for name in self._compared if name in peaks]

    def _main(self):
        options = self._options
        depths = DEPTHS if options.depth == "both" else (options.depth,)
        if options.own_load:
            return self._each(depths, [self._own_load()])
        if options.quick:
            return [*(self._each(["bare"], [ZIPF, HOT_UNIT]) if "bare" in depths else []),
                    *(self._each(["whole"], [ZIPF], self._compared) if "whole" in depths else [])]
        return [*self._each(depths, [ZIPF, HOT_UNIT]),
                *(self._each(["bare"], [FIXED]) if "bare" in depths else [])]

    def _own_load(self):
        o = self._options
        zipf = 1.0 if o.zipf is None else o.zipf
        distribution = f"Zipf {zipf:g}" if o.hot_share is None else f"{o.hot_share:.0%} on {o.hot_units} hot"
        parts = [distribution, *(["fixed calendar"] if o.calendar == "fixed" else []),
                 *([f"{o.rate:,.0f}/s"] if o.rate else []), *([o.fault] if o.fault else [])]
        return Load(", ".join(parts), zipf, o.hot_share, o.calendar, o.rate, o.fault)

    def _outside(self):
        if self._options.own_load:
            return [Cell(HTTP_STRATEGY, "whole", self._own_load(), "outside")]
        return [Cell(HTTP_STRATEGY, "whole", load, "outside") for load in (ZIPF, HOT_UNIT)]

    def _each(self, depths, loads, strategies=None):
        return [Cell(name, depth, load, "cells") for depth in depths for load in loads
                for name in strategies or self.strategies if depth == "bare" or name not in BARE_ONLY]

    def _sweep(self):
        shares = _QUICK_SHARES if self._options.quick else SHARES
        return [Cell(name, "bare", Load(f"{share:.0%} on one unit", hot_share=share), "sweep")
                for share in shares for name in self._compared]

    def _faults(self):
        if not self._has_faults:
            return []
        kinds = ("cut",) if self._options.quick else ("cut", "kill", "pause")
        return [Cell(name, "bare", Load(f"half on one unit, {_FAULT_RATE:,}/s, {kind}", hot_share=0.5, rate=_FAULT_RATE, fault=kind), "faults")
                for kind in kinds for name in self._compared]
