"""What each setting is worth beside the shipped one, and which is best."""

import math
import statistics

from lib import noise
from lib.scheduler import settings
from lib.scheduler.workloads import METRICS

# What a setting is judged by: users feel the first ones, operators pay for the others. Each weighs the same.
HEADLINES = (("fixed", "p99_ms"), ("rebuild", "p99_ms"), ("flat", "rate"), ("bookings", "rate"), ("fixed", "cpu_us"),
             ("idle", "cpu_percent"))
ENOUGH = 0.03  # less than this is not worth a setting of one's own


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
        found = self.samples(setting, workload, metric)
        return statistics.median(found) if found else None

    def metrics(self, workload):
        found = dict.fromkeys(metric for (_, name), rounds in self._rounds.items() if name == workload for metric in rounds[0])
        return [metric for metric in METRICS if metric in found]

    def change(self, centre, setting, workload, metric):
        """(ratio of the medians, whether it is beyond noise); None where one of the two was not measured."""
        before, after = (self.samples(each, workload, metric) for each in (centre, setting))
        if not before or not after or not statistics.median(before):
            return None
        return statistics.median(after) / statistics.median(before), noise.change(before, after) is not None


def scores(results, setting, centre):
    """Round by round the geometric mean of how much better the setting is than the centre; 1 is as good."""
    gains = []
    for workload, metric in HEADLINES:
        ours, theirs = (results.samples(each, workload, metric) for each in (setting, centre))
        if ours and theirs:
            gains.append([_gain(metric, mine, other) for mine, other in zip(ours, theirs)])
    return [math.exp(statistics.fmean(map(math.log, each))) for each in zip(*gains)]


def _gain(metric, mine, other):
    if metric == "cpu_percent":  # so that hardly anything and nothing are not worlds apart
        mine, other = mine + 1, other + 1
    return (mine / other if METRICS[metric][1] == "more" else other / mine) or 1e-9


def is_better(scored):
    """Enough in the middle, and in no round worse."""
    return bool(scored) and statistics.median(scored) >= 1 + ENOUGH and min(scored) > 1


def best(results, candidates, shipped):
    """The best of the candidates and its scores; the shipped setting where none is better."""
    scored = {setting: scores(results, setting, shipped) for setting in candidates if setting != shipped}
    better = {setting: found for setting, found in scored.items() if is_better(found)}
    if not better:
        return shipped, []
    chosen = max(better, key=lambda setting: statistics.median(better[setting]))
    return chosen, better[chosen]


def tuned(results, policy):
    """The policy with every knob at its best value, or None where its shipped ones are as good."""
    centre, values = settings.Setting(policy), {}
    for setting in results.settings():
        found = scores(results, setting, centre) if setting.policy == policy and len(setting.knobs) == 1 else []
        if is_better(found):
            (name, value), = setting.knobs
            values[name] = max(values.get(name, (0, "")), (statistics.median(found), value))
    return settings.combined(policy, [(name, value) for name, (_, value) in values.items()])
