"""Tests of the benches' command lines: invalid options are reported in one line, and help lists all names."""

import pathlib
import re
import subprocess
import sys
import unittest

_RUN = pathlib.Path(__file__).parents[2] / "bench" / "run"
_PROGRAM = ["--program", "/bin/true"]  # never started


def run(*argv):
    return subprocess.run([sys.executable, "-B", _RUN, *argv], capture_output=True, text=True, timeout=30)


class OptionsTest(unittest.TestCase):
    def assert_rejected(self, argv, expected):
        done = run(*argv)
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
        self.assertIn(expected, done.stderr)

    def test_help_lists_every_name(self):
        output = run("--help").stdout
        modules = (_RUN.parent / "figures").glob("*.py")
        names = [name for module in modules for name in self.names_of(module)]
        for name in ("contention", "scheduler", "micro", *names):
            self.assertRegex(output, rf"(?m)^  {name} ")

    def names_of(self, module):
        """Returns the names of a module's figures: the module's own, or those of its functions measure_NAME."""
        return re.findall(r"(?m)^def measure_(\w+)\(", module.read_text()) or [module.stem]

    def test_invalid_options_are_reported_in_one_line(self):
        for argv, expected in ((["nope"], "unknown name 'nope'"), (["--units", "0"], "--units"), (["--conflicts", "150%"], "100%"),
                                (["--seconds", "x"], "--seconds"), (["--rounds", "-1"], "--rounds"), (["--sideways"], "--sideways"),
                                ([*_PROGRAM, "list", "--skew", "1"], "list does not support --skew"),
                                ([*_PROGRAM, "--skew", "1", "--platforms", "2"], "no figure supports all"),
                                ([*_PROGRAM, "list", "--json", "/nowhere/a.json"], "no such folder"),
                                (["--program", "/nowhere", "list"], "is not built"), (["contention", "--program", "/nowhere"], "is not built"),
                                (["list", "contention"], "its own options")):
            with self.subTest(argv=argv):
                self.assert_rejected(argv, expected)

    def test_invalid_options_of_the_scheduler_lab_are_reported_in_one_line(self):
        for argv, expected in ((["--policies", "fair"], "unknown name 'fair'"), (["--rate", "0"], "--rate"),
                                (["--knobs", "max_threads", "--policies", "asio"], "does not support max_threads"),
                                (["--write", "/nowhere/a.toml"], "no such folder"), (["--seconds", "0"], "--seconds"),
                                (["--workloads", "sleep"], "unknown name 'sleep'"), (["--platforms", "6"], "--platforms")):
            with self.subTest(argv=argv):
                self.assert_rejected(["scheduler", *argv], expected)

    def test_invalid_options_of_the_micro_benchmarks_are_reported_in_one_line(self):
        self.assert_rejected(["micro", "--sideways"], "unknown option '--sideways'")
        self.assert_rejected(["micro", "--json", "/nowhere/a.json"], "existing folder")


if __name__ == "__main__":
    unittest.main()
