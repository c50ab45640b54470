"""Tests of the contention lab's command line and plan."""

import contextlib
import io
import pathlib
import sys
import types
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parents[2] / "bench"))

from lib.contention import options, plan  # noqa: E402
from lib.contention.options import TITLES  # noqa: E402


def planned(*argv, store="postgresql"):
    return plan.Plan(options.read(list(argv)), types.SimpleNamespace(name=store))


class OptionsTest(unittest.TestCase):
    def assert_rejected(self, *argv):
        with contextlib.redirect_stderr(io.StringIO()) as errors, self.assertRaises(SystemExit) as exit_:
            options.read(list(argv))
        self.assertEqual(exit_.exception.code, 2)
        self.assertEqual(errors.getvalue().count("\n"), 1, errors.getvalue())

    def test_invalid_options_are_reported_in_one_line(self):
        for argv in (["--clients", "0"], ["--clients", "500"], ["--units", "x"], ["--zipf", "-1"], ["--hot-share", "150%"], ["--stays", "9-2"],
                      ["--zipf", "1", "--hot-share", "1"], ["--hot-units", "20", "--units", "10"], ["--stays", "1-40", "--window", "30"],
                      ["--strategies", "magic"], ["--depth", "deep"], ["--seconds", "0"], ["--fault", "flood"], ["--sideways"],
                      ["--store", "sqlite", "--fault", "cut"], ["--store", "sqlite", "--strategies", "row_lock"],
                      ["--store", "sqlite", "--fsync", "off"], ["--json", "/nowhere/a.json"], ["--outside", "--depth", "bare"]):
            with self.subTest(argv=argv):
                self.assert_rejected(*argv)

    def test_it_accepts_the_option_names_of_the_other_benches(self):
        arguments = options.read(["--connections", "8", "--skew", "0.5"])
        self.assertEqual((arguments.clients, arguments.zipf, arguments.parts), (8, 0.5, ["cells"]))

    def test_a_share_may_be_a_percentage(self):
        self.assertEqual(options.read(["--hot-share", "25%"]).hot_share, 0.25)
        self.assertEqual(options.read(["--hot-share", "0.25"]).hot_share, 0.25)


class PlanTest(unittest.TestCase):
    def test_a_run_has_every_strategy_at_both_depths(self):
        cells = planned().cells()
        for depth in ("bare", "whole"):
            names = {cell.strategy for cell in cells if cell.depth == depth}
            self.assertEqual(names, set(TITLES) - ({"actors_guarded"} if depth == "whole" else set()))

    def test_a_custom_load_replaces_the_cells_of_the_run(self):
        cells = planned("--zipf", "0.5", "--rate", "500", "--fault", "cut", "--depth", "bare", "--strategies", "actors,row_lock").cells()
        self.assertEqual([(cell.strategy, cell.load.zipf, cell.load.rate, cell.load.fault) for cell in cells],
                         [("actors", 0.5, 500, "cut"), ("row_lock", 0.5, 500, "cut")])

    def test_without_postgresql_the_peers_are_omitted(self):
        plan_ = planned(store="sqlite")
        self.assertEqual({cell.strategy for cell in plan_.cells()}, {"actors", "actors_guarded"})
        self.assertEqual(set(plan_.omitted), set(TITLES) - {"actors", "actors_guarded"})
        self.assertFalse([cell for cell in plan_.cells() if cell.load.fault])

    def test_the_curve_uses_shares_of_each_strategys_rate(self):
        plan_ = planned("--quick")
        measured = plan_.cells()
        for cell in measured:
            cell.rounds.append({"decisions_per_s": 1000.0 if cell.strategy == "actors" else 400.0})
        rates = {(cell.strategy, cell.load.rate) for cell in plan_.curve(measured)}
        self.assertIn(("actors", 900.0), rates)
        self.assertIn(("on_conflict", 200.0), rates)


if __name__ == "__main__":
    unittest.main()
