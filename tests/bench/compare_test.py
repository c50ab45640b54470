"""Tests of bench/compare."""

import contextlib
import importlib.machinery
import importlib.util
import io
import json
import pathlib
import tempfile
import unittest

_PATH = pathlib.Path(__file__).parents[2] / "bench" / "compare"
_LOADER = importlib.machinery.SourceFileLoader("compare", str(_PATH))
compare = importlib.util.module_from_spec(importlib.util.spec_from_loader("compare", _LOADER))
_LOADER.exec_module(compare)


def cell(rates, strategy="actors", verdict="correct"):
    samples = {name: [1.0] * len(rates) for name in ("p50_ms", "p99_ms", "p99_9_ms")}
    return {"strategy": strategy, "depth": "bare", "cell": "Zipf 1.0", "verdict": verdict,
            "samples": {"decisions_per_s": rates, **samples}}


class CompareTest(unittest.TestCase):
    def compare(self, before, after):
        """Returns the exit status and the output."""
        with tempfile.TemporaryDirectory() as folder:
            files = []
            for name, cells in (("a", before), ("b", after)):
                files.append(pathlib.Path(folder) / name)
                files[-1].write_text(json.dumps({"cells": cells}))
            output = io.StringIO()
            with contextlib.redirect_stdout(output):
                return compare.main([str(file) for file in files]), output.getvalue()

    def test_disjoint_samples_have_changed(self):
        status, output = self.compare([cell([100, 101, 99, 100])], [cell([120, 121, 119, 122])])
        self.assertEqual(status, 0)
        self.assertIn("+20.5% better", output)

    def test_noise_is_no_change(self):
        self.assertIn(" 0 figures changed", self.compare([cell([100, 110, 90, 105])], [cell([104, 95, 108, 99])])[1])

    def test_a_small_significant_change_is_ignored(self):
        self.assertIn(" 0 figures changed", self.compare([cell([100, 100.1, 99.9, 100])], [cell([102, 102.1, 101.9, 102])])[1])

    def test_three_samples_must_not_overlap(self):
        self.assertIn(" 1 figures changed", self.compare([cell([100, 101, 99])], [cell([80, 81, 79])])[1])
        self.assertIn(" 0 figures changed", self.compare([cell([100, 101, 79])], [cell([80, 81, 79])])[1])

    def test_one_sample_proves_nothing(self):
        output = self.compare([cell([100])], [cell([200])])[1]
        self.assertIn(" 0 figures changed", output)
        self.assertIn("verdicts only", output)

    def test_a_strategy_that_has_become_incorrect_fails(self):
        status, output = self.compare([cell([100])], [cell([100], verdict="incorrect")])
        self.assertEqual(status, 1)
        self.assertIn("verdict", output)
        self.assertEqual(self.compare([cell([100], verdict="incorrect")], [cell([100])])[0], 0)

    def test_cells_of_only_one_side_are_counted(self):
        self.assertIn("only in A: 1, only in B: 0", self.compare([cell([1]), cell([1], "row_lock")], [cell([1])])[1])

    def test_unreadable_files_are_reported_in_one_line(self):
        with contextlib.redirect_stderr(io.StringIO()) as output:
            self.assertEqual(compare.main(["/nowhere", "/nowhere"]), 2)
        self.assertEqual(output.getvalue().count("\n"), 1)


if __name__ == "__main__":
    unittest.main()
