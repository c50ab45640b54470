"""A cell's rounds as figures: medians, and the verdict of all of them."""

import statistics


def median(cell, *path):
    return statistics.median(value(each, *path) for each in cell.rounds)


def value(of, *path):
    for key in path:
        of = of[key]
    return of


def total(cell, *path):
    return sum(value(each, *path) for each in cell.rounds)


def samples(cell, *path):
    return [value(each, *path) for each in cell.rounds]


def is_right(cell):
    return all(each["verdict"]["right"] for each in cell.rounds)


def verdict(cell):
    """One word, or what is wrong in all rounds together."""
    if is_right(cell):
        return "right"
    counted = {"double_bookings": "double bookings", "lost": "lost", "not_asked_for": "not granted but booked",
               "groundless_refusals": "groundless refusals"}
    return "WRONG: " + ", ".join(f"{total(cell, 'verdict', key):,} {words}" for key, words in counted.items()
                                 if total(cell, "verdict", key))


def shortest_offence(cell):
    """The shortest history that shows what is wrong; None where nothing is."""
    shown = [each["verdict"]["history"] for each in cell.rounds if "history" in each["verdict"]]
    return min(shown, key=lambda text: text.count("\n")) if shown else None
