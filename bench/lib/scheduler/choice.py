"""Compares each setting with the shipped one, and chooses the best."""

import math
import statistics

from lib import measurements
from lib.scheduler import settings
from lib.scheduler.workloads import METRICS

# The criteria of the score, equally weighted: the first ones matter to users, the others to operators.
HEADLINES = (("fixed", "p99_ms"), ("rebuild", "p99_ms"), ("flat", "rate"), ("bookings", "rate"), ("fixed", "cpu_us"),
             ("idle", "cpu_percent"))
MIN_GAIN = 0.03  # smaller gains do not justify a setting


class Results:
    """Figures by setting and workload, round by round."""

    def __init__(self):
        self._rounds = {}

    def add(self, setting, workload, figures):
        self._rounds.setdefault((setting, workload), []).append(figures)

    def settings(self):
        return list(dict.fromkeys(setting for setting, _ in self._rounds))

    def workloads(self):
        return list(dict.fromkeys(workload for _, workload in self._rounds))

    def samples(self, setting, workload, metric):
        return [figures[metric] for figures in self._rounds.get((setting, workload), ()) if metric in figures]

    def median(self, setting, workload, metric):
        samples = self.samples(setting, workload, metric)
        return statistics.median(samples) if samples else None

    def metrics(self, workload):
        measured = {metric for (_, name), rounds in self._rounds.items() if name == workload for metric in rounds[0]}
        return [metric for metric in METRICS if metric in measured]

    def change(self, baseline, setting, workload, metric):
        """Returns the ratio of the medians and whether it is beyond noise; None if one of the two was not measured."""
        before, after = (self.samples(each, workload, metric) for each in (baseline, setting))
        if not before or not after or not statistics.median(before):
            return None
        return statistics.median(after) / statistics.median(before), measurements.change(before, after) is not None


def scores(results, setting, baseline):
    """Returns for each round the geometric mean of the improvements over the baseline; 1 is equal."""
    gains = []
    for workload, metric in HEADLINES:
        ours, theirs = (results.samples(each, workload, metric) for each in (setting, baseline))
        if ours and theirs:
            gains.append([_gain(metric, mine, other) for mine, other in zip(ours, theirs)])
    return [math.exp(statistics.fmean(map(math.log, each))) for each in zip(*gains)]


def _gain(metric, mine, other):
    if metric == "cpu_percent":  # avoids huge ratios of tiny values
        mine, other = mine + 1, other + 1
    return (mine / other if METRICS[metric][1] == "more" else other / mine) or 1e-9


def is_better(scores_of_rounds):
    """Whether the median gain is large enough and no round is worse."""
    return bool(scores_of_rounds) and statistics.median(scores_of_rounds) >= 1 + MIN_GAIN and min(scores_of_rounds) > 1


def best(results, candidates, shipped):
    """Returns the best of the candidates and its scores; the shipped setting if none is better."""
    all_scores = {setting: scores(results, setting, shipped) for setting in candidates if setting != shipped}
    better = {setting: values for setting, values in all_scores.items() if is_better(values)}
    if not better:
        return shipped, []
    chosen = max(better, key=lambda setting: statistics.median(better[setting]))
    return chosen, better[chosen]


def tuned(results, policy):
    """Returns the policy with every knob at its best value, or None if the defaults are as good."""
    baseline, values = settings.Setting(policy), {}
    for setting in results.settings():
        gains = scores(results, setting, baseline) if setting.policy == policy and len(setting.knobs) == 1 else []
        if is_better(gains):
            (name, value), = setting.knobs
            values[name] = max(values.get(name, (0, "")), (statistics.median(gains), value))
    return settings.combined(policy, [(name, value) for name, (_, value) in values.items()])
