"""The results as text, JSON and configuration."""

import json
import statistics

from lib.figure import aligned, number
from lib.scheduler import choice, settings
from lib.scheduler.workloads import METRICS, WORKLOADS

_TITLES = {"rate": "requests/s", "decided": "decided/s", "rebuilds": "builds/s", "p50_ms": "p50 ms", "p99_ms": "p99 ms",
           "cpu_us": "CPU us", "wakeups": "wake-ups", "preempted": "preempted", "queued_us": "queued us",
           "cpu_percent": "CPU %", "wakeups_per_s": "wake-ups/s"}
_NOTE = ("Medians over the rounds. CPU, wake-ups (voluntary switches), preemptions (involuntary switches) and queued time (ready, but\n"
         "without a processor) are the server's, per request. idle: percent of one processor. bookings: requests/s are acknowledged.")


def to_text(results, best):
    parts = [_workload(results, workload) for workload in results.workloads()]
    effects = _effects(results)
    return "\n\n".join([*parts, _NOTE, *([effects] if effects else []), verdict(*best)])


def _workload(results, workload):
    metrics = results.metrics(workload)
    rows = [["setting", *(_TITLES[metric] for metric in metrics)]]
    for setting in results.settings():
        medians = [results.median(setting, workload, metric) for metric in metrics]
        if None not in medians:
            rows.append([setting.name, *map(number, medians)])
    return f"{workload}: {WORKLOADS[workload]}\n{aligned(rows)}"


def _effects(results):
    """Returns the effect of each knob on the headline figures, compared to the policy's defaults."""
    rows = [["knob", *(f"{workload} {_TITLES[metric]}" for workload, metric in choice.HEADLINES), "score"]]
    for setting in results.settings():
        if setting.knobs:
            baseline = settings.Setting(setting.policy)
            scores = choice.scores(results, setting, baseline)
            rows.append([setting.name, *(_effect(results.change(baseline, setting, *each)) for each in choice.HEADLINES),
                         f"{statistics.median(scores):.2f}" if scores else ""])
    if len(rows) == 1:
        return ""
    return ("effect of each knob, compared to its policy's defaults; * is beyond noise, which takes three rounds; the score is the\n"
            f"geometric mean of the improvements\n{aligned(rows)}")


def _effect(change):
    if change is None:
        return ""
    ratio, is_significant = change
    return f"{ratio - 1:+.0%}{'*' if is_significant else ' '}"


def verdict(chosen, scores):
    shipped = settings.Setting(settings.SHIPPED)
    if chosen == shipped:
        return f"Best on this machine: {shipped.name}, the default; no setting is better in every round and by 3 % in the median."
    hint = "" if len(scores) > 2 else " Fewer than three rounds: not conclusive."
    return (f"Best on this machine: {chosen.name}, {statistics.median(scores):.2f} times as good as the default "
            f"({min(scores):.2f} to {max(scores):.2f} over {len(scores)} rounds).{hint}")


def write_json(path, results, best, options, store):
    content = {"bench": "scheduler", **options.origin, "store": store,
               "options": {key: value for key, value in vars(options).items() if key not in ("json", "write", "command", "origin")},
               "best": {"setting": best[0].name, "scores": best[1]},
               "cells": [_cell(results, setting, workload) for setting in results.settings() for workload in results.workloads()
                         if results.samples(setting, workload, results.metrics(workload)[0])]}
    path.write_text(json.dumps(content, indent=1, default=str) + "\n", encoding="utf-8")


def _cell(results, setting, workload):
    metrics = results.metrics(workload)
    return {"figure": workload, "setting": setting.name, **{metric: results.median(setting, workload, metric) for metric in metrics},
            "better": {metric: METRICS[metric][1] for metric in metrics},
            "samples": {metric: results.samples(setting, workload, metric) for metric in metrics}}


def write_toml(path, results, best, options, store):
    """Writes the best setting, with its figures as comments."""
    chosen, scores = best
    shipped, machine = settings.Setting(settings.SHIPPED), options.origin["machine"]
    lines = [f"Found by {options.command}", f"at {options.origin['at']}, commit {options.origin['commit']},",
             f"on {machine['cores']} cores, {machine['processor']}, load before the run {machine['load_before']}; store {store}.", "",
             verdict(chosen, scores), "", *_evidence(results, chosen, shipped)]
    text = "".join(f"# {line}".rstrip() + "\n" for line in lines)
    path.write_text(f"{text}\n{chosen.toml()}\n", encoding="utf-8")


def _evidence(results, chosen, shipped):
    columns = list(dict.fromkeys([shipped, chosen, *settings.defaults(settings.POLICIES)]))
    columns = [setting for setting in columns if setting in results.settings()]
    rows = [["", *(setting.name for setting in columns)]]
    for workload in results.workloads():
        for metric in results.metrics(workload):
            medians = [results.median(setting, workload, metric) for setting in columns]
            if None not in medians:
                rows.append([f"{workload}, {_TITLES[metric]}", *map(number, medians)])
    return aligned(rows).splitlines()
