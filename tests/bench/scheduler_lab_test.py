"""Tests of the scheduler lab: its settings, its choice and its reports."""

import os
import pathlib
import sys
import tempfile
import tomllib
import types
import unittest

_PROJECT = pathlib.Path(__file__).parents[2]
sys.path.insert(0, str(_PROJECT / "bench"))

from lib.scheduler import choice, counters, report, settings  # noqa: E402
from lib.scheduler.settings import Setting  # noqa: E402

_SHIPPED, _OTHER = Setting("asio"), Setting("stealing", (("max_threads", "1"),))
_ORIGIN = {"at": "now", "commit": "abc", "machine": {"cores": 2, "processor": "one", "load_before": 0.1}}


def results_of(rounds):
    """`rounds` has for each setting (processor time at the fixed rate, maximum rate) of each round."""
    results = choice.Results()
    for setting, figures in rounds.items():
        for cpu, rate in figures:
            results.add(setting, "fixed", {"cpu_us": cpu})
            results.add(setting, "flat", {"rate": rate})
    return results


class SettingsTest(unittest.TestCase):
    def test_every_knob_is_a_key_of_the_configuration(self):
        shipped = tomllib.loads((_PROJECT / "config" / "roost.toml").read_text())
        for setting in settings.variations(settings.POLICIES):
            written = tomllib.loads(setting.toml())
            for section, keys in written.items():
                for key, value in keys.items():
                    self.assertIs(type(value), type(shipped[section][key]), key)

    def test_only_one_knob_changes_at_a_time(self):
        for setting in settings.variations(settings.POLICIES):
            self.assertEqual(len(setting.knobs), 1)
        self.assertEqual(settings.variations(["asio"], ["max_threads"]), [])

    def test_the_default_of_the_machine_is_omitted(self):
        names = [setting.name for setting in settings.variations(["asio"], ["io_threads"], io_threads=2)]
        self.assertEqual(names, ["asio io_threads=1"])


class ChoiceTest(unittest.TestCase):
    def best(self, rounds):
        results = results_of(rounds)
        return choice.best(results, results.settings(), _SHIPPED)

    def test_a_setting_that_is_better_in_every_round_is_best(self):
        chosen, scores = self.best({_SHIPPED: [(10, 100)] * 3, _OTHER: [(8, 110), (9, 105), (8, 120)]})
        self.assertEqual(chosen, _OTHER)
        self.assertEqual(len(scores), 3)

    def test_one_worse_round_keeps_the_shipped_setting(self):
        self.assertEqual(self.best({_SHIPPED: [(10, 100)] * 3, _OTHER: [(8, 110), (8, 110), (11, 95)]}), (_SHIPPED, []))

    def test_a_small_gain_keeps_the_shipped_setting(self):
        self.assertEqual(self.best({_SHIPPED: [(10, 100)] * 3, _OTHER: [(9.9, 101)] * 3}), (_SHIPPED, []))

    def test_a_gain_does_not_outweigh_an_equal_loss(self):
        self.assertEqual(self.best({_SHIPPED: [(10, 100)], _OTHER: [(20, 190)]})[0], _SHIPPED)

    def test_the_best_values_of_a_policys_knobs_are_combined(self):
        baseline, sleep = Setting("stealing"), Setting("stealing", (("moderate_sleep_duration", "500us"),))
        worse = Setting("stealing", (("max_throughput", "1"),))
        results = results_of({baseline: [(10, 100)], _OTHER: [(8, 100)], sleep: [(5, 100)], worse: [(20, 90)]})
        self.assertEqual(choice.tuned(results, "stealing").name, "stealing max_threads=1 moderate_sleep_duration=500us")
        self.assertIsNone(choice.tuned(results, "sharing"))


class ReportTest(unittest.TestCase):
    def test_the_best_setting_is_written_with_its_figures(self):
        results = results_of({_SHIPPED: [(10, 100)] * 3, _OTHER: [(8, 120)] * 3})
        best = choice.best(results, results.settings(), _SHIPPED)
        options = types.SimpleNamespace(origin=_ORIGIN, command="script/bench scheduler")
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "scheduler.toml"
            report.write_toml(file, results, best, options, "sqlite")
            text = file.read_text()
        self.assertEqual(tomllib.loads(text), {"scheduler": {"policy": "stealing", "max_threads": 1}})
        self.assertRegex(text, r"# fixed, CPU us +10 +8\n")
        self.assertIn("# on 2 cores, one", text)

    def test_effects_are_compared_to_the_policys_defaults(self):
        results = results_of({Setting("stealing"): [(10, 100)] * 3, _OTHER: [(5, 100)] * 3})
        self.assertRegex(report.to_text(results, (_SHIPPED, [])), r"stealing max_threads=1 +.*\+0%.*-50%\*")


class CountersTest(unittest.TestCase):
    def test_the_usage_of_a_process_is_counted(self):
        before = counters.read(os.getpid())
        os.sched_yield()
        sum(range(200_000))
        used = counters.read(os.getpid()) - before
        self.assertGreater(used.cpu, 0)
        self.assertGreaterEqual(used.voluntary, 0)


if __name__ == "__main__":
    unittest.main()
