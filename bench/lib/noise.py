"""Whether two sides of samples differ beyond noise."""

import math
import statistics

FEW, TOO_FEW = 4, 3  # samples a side: from FEW on they are tested; fewer than TOO_FEW tell nothing


def change(a, b):
    """B's median to A's where they differ beyond noise, else nothing."""
    if min(len(a), len(b)) < TOO_FEW or not statistics.median(a):
        return None
    ratio = statistics.median(b) / statistics.median(a)
    if min(len(a), len(b)) < FEW:
        apart = max(a) < min(b) or max(b) < min(a)
        return ratio if apart and abs(ratio - 1) >= 0.1 else None
    return ratio if abs(ratio - 1) >= 0.03 and _chance_of_same(a, b) <= 0.05 else None


def _chance_of_same(a, b):
    """Mann and Whitney's U, two-sided, by its normal approximation."""
    u = sum((x < y) + (x == y) / 2 for x in a for y in b)
    mean, deviation = len(a) * len(b) / 2, math.sqrt(len(a) * len(b) * (len(a) + len(b) + 1) / 12)
    return math.erfc(abs(u - mean) / deviation / math.sqrt(2))
