"""Tests of the benches' command lines: what cannot be gets one clear line, and help lists all names."""

import pathlib
import subprocess
import sys
import unittest

_RUN = pathlib.Path(__file__).parents[2] / "bench" / "run"
_PROGRAM = ["--program", "/bin/true"]  # nothing is measured here


def run(*words):
    return subprocess.run([sys.executable, "-B", _RUN, *words], capture_output=True, text=True, timeout=30)


class OptionsTest(unittest.TestCase):
    def assert_refused(self, words, expected):
        done = run(*words)
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
        self.assertIn(expected, done.stderr)

    def test_help_lists_every_name(self):
        said = run("--help").stdout
        modules = (_RUN.parent / "figures").glob("*.py")
        for name in ("contention", "scheduler", "micro", *(module.stem for module in modules)):
            self.assertRegex(said, rf"(?m)^  {name} ")

    def test_what_cannot_be_is_told_in_one_line(self):
        for words, expected in ((["nope"], "unknown name 'nope'"), (["--units", "0"], "--units"), (["--conflicts", "150%"], "100%"),
                                (["--seconds", "x"], "--seconds"), (["--rounds", "-1"], "--rounds"), (["--sideways"], "--sideways"),
                                ([*_PROGRAM, "list", "--skew", "1"], "list has no use for --skew"),
                                ([*_PROGRAM, "--skew", "1", "--platforms", "2"], "no figure has all"),
                                ([*_PROGRAM, "list", "--json", "/nowhere/a.json"], "no such folder"),
                                (["--program", "/nowhere", "list"], "is not built"), (["contention", "--program", "/nowhere"], "is not built"),
                                (["list", "contention"], "options of its own")):
            with self.subTest(words=words):
                self.assert_refused(words, expected)

    def test_so_it_is_in_the_scheduler_lab(self):
        for words, expected in ((["--policies", "fair"], "unknown name 'fair'"), (["--rate", "0"], "--rate"),
                                (["--knobs", "max_threads", "--policies", "asio"], "has no use for max_threads"),
                                (["--write", "/nowhere/a.toml"], "no such folder"), (["--seconds", "0"], "--seconds"),
                                (["--workloads", "sleep"], "unknown name 'sleep'"), (["--platforms", "6"], "--platforms")):
            with self.subTest(words=words):
                self.assert_refused(["scheduler", *words], expected)

    def test_so_it_is_with_micro_benchmarks(self):
        self.assert_refused(["micro", "--sideways"], "there is no option '--sideways'")
        self.assert_refused(["micro", "--json", "/nowhere/a.json"], "folder that exists")


if __name__ == "__main__":
    unittest.main()
