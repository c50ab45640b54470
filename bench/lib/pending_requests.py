"""Pending booking requests as rows for the store, and their expected outcomes."""

import datetime
import random
import uuid
from collections import Counter

from lib.portfolio import FIRST_UNIT

COLUMNS = ("id", "platform", "external_id", "reference", "check_in", "check_out", "occupants",
           "provider_payment_cents", "ota_commission_cents", "first_name", "last_name", "email", "fiscal_id",
           "phone", "nationality", "received_at")

MONTHS = 12 * 7000  # per unit, until year 9,029
SPACING = 18  # requests between pairs of a repeated reference and a request for taken nights


def make(count, units, conflicts=None, skew=None):
    """Returns the rows in order, and the number of requests by final state. `conflicts` is the share of requests for taken
    nights (default: by SPACING). `skew` is Zipf's exponent over the units (default: uniform)."""
    rng = random.Random(count)
    nights = _nights(rng, count, units, skew)
    now = datetime.datetime.now(datetime.timezone.utc).replace(microsecond=0)
    rows, outcomes, booked = [], Counter(), []

    def add(unit, month, reference, outcome):
        number = len(rows)
        year, month_of_year = 2030 + month // 12, month % 12 + 1
        rows.append((_id(rng), "marketplace-a", str(FIRST_UNIT + unit), reference,
                     f"{year}-{month_of_year:02}-01", f"{year}-{month_of_year:02}-25", 1, 65000 + number % 90000,
                     3500, "Ada", "Marsh", f"guest{number}@guests.example", f"X{number:07}L",
                     "+34 600 000 000", "GB", now.strftime("%Y-%m-%dT%H:%M:%S.000Z")))
        outcomes[outcome] += 1

    for unit, month in nights:
        if len(rows) == count:
            break
        booked.append((unit, month, _id(rng)))
        add(*booked[-1], "Success")
        if conflicts is not None:
            while len(rows) < count and outcomes["Failed"] + 1 <= conflicts * (len(rows) + 1):
                add(*rng.choice(booked)[:2], _id(rng), "Failed")
        elif len(booked) % SPACING == 0 and len(rows) + 2 <= count:
            add(*rng.choice(booked), "Dropped")
            add(*rng.choice(booked)[:2], _id(rng), "Failed")
    return rows, outcomes


def _nights(rng, count, units, skew):
    """Returns enough free nights as (unit, month)."""
    if skew is None:
        nights = [(unit, month) for month in range(-(-count // units)) for unit in range(units)][:count]
        rng.shuffle(nights)
        return nights
    months = Counter()
    nights = []
    for unit in rng.choices(range(units), [(unit + 1) ** -skew for unit in range(units)], k=count):
        nights.append((unit, months[unit] % MONTHS))
        months[unit] += 1
    return nights


def _id(rng):
    return str(uuid.UUID(int=rng.getrandbits(128), version=4))
