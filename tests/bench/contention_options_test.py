"""Tests of the contention lab's command line and plan."""

import contextlib
import io
import pathlib
import sys
import types
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).parents[2] / "bench"))

from lib.contention import options, plan  # noqa: E402
from lib.contention.strategies import TITLES  # noqa: E402


def planned(*words, store="postgresql"):
    given = options.read(list(words))
    return plan.Plan(given, types.SimpleNamespace(name=store))


class OptionsTest(unittest.TestCase):
    def assert_refused(self, *words):
        with contextlib.redirect_stderr(io.StringIO()) as said, self.assertRaises(SystemExit) as ended:
            options.read(list(words))
        self.assertEqual(ended.exception.code, 2)
        self.assertEqual(said.getvalue().count("\n"), 1, said.getvalue())

    def test_what_cannot_be_is_told_in_one_line(self):
        for words in (["--clients", "0"], ["--clients", "500"], ["--units", "x"], ["--zipf", "-1"], ["--hot-share", "150%"], ["--stays", "9-2"],
                      ["--zipf", "1", "--hot-share", "1"], ["--hot-units", "20", "--units", "10"], ["--stays", "1-40", "--window", "30"],
                      ["--strategies", "magic"], ["--depth", "deep"], ["--seconds", "0"], ["--fault", "flood"], ["--sideways"],
                      ["--store", "sqlite", "--fault", "cut"], ["--store", "sqlite", "--strategies", "row_lock"],
                      ["--store", "sqlite", "--fsync", "off"], ["--json", "/nowhere/a.json"], ["--outside", "--depth", "bare"]):
            with self.subTest(words=words):
                self.assert_refused(*words)

    def test_it_takes_the_words_of_the_other_benches(self):
        given = options.read(["--connections", "8", "--skew", "0.5"])
        self.assertEqual((given.clients, given.zipf, given.parts), (8, 0.5, ["cells"]))

    def test_a_share_may_be_a_percentage(self):
        self.assertEqual(options.read(["--hot-share", "25%"]).hot_share, 0.25)
        self.assertEqual(options.read(["--hot-share", "0.25"]).hot_share, 0.25)


class PlanTest(unittest.TestCase):
    def test_a_run_has_every_strategy_at_both_depths(self):
        cells = planned().cells()
        for depth in ("bare", "whole"):
            names = {cell.strategy for cell in cells if cell.depth == depth}
            self.assertEqual(names, set(TITLES) - ({"actors_guarded"} if depth == "whole" else set()))

    def test_a_load_of_ones_own_replaces_the_runs_cells(self):
        cells = planned("--zipf", "0.5", "--rate", "500", "--fault", "cut", "--depth", "bare", "--strategies", "actors,row_lock").cells()
        self.assertEqual([(cell.strategy, cell.load.zipf, cell.load.rate, cell.load.fault) for cell in cells],
                         [("actors", 0.5, 500, "cut"), ("row_lock", 0.5, 500, "cut")])

    def test_without_postgresql_it_says_what_is_left_out(self):
        without = planned(store="sqlite")
        self.assertEqual({cell.strategy for cell in without.cells()}, {"actors", "actors_guarded"})
        self.assertEqual(set(without.left_out), set(TITLES) - {"actors", "actors_guarded"})
        self.assertFalse([cell for cell in without.cells() if cell.load.fault])

    def test_the_curve_rests_on_what_each_strategy_reached(self):
        whole = planned("--quick")
        measured = whole.cells()
        for cell in measured:
            cell.rounds.append({"decisions_per_s": 1000.0 if cell.strategy == "actors" else 400.0})
        rates = {(cell.strategy, cell.load.rate) for cell in whole.curve(measured)}
        self.assertIn(("actors", 900.0), rates)
        self.assertIn(("on_conflict", 200.0), rates)


if __name__ == "__main__":
    unittest.main()
