"""Booking requests that wait for their decision, as rows for the store, and what has to become of them."""

import datetime
import random
import uuid
from collections import Counter

from lib.portfolio import FIRST_UNIT

COLUMNS = ("id", "platform", "external_id", "reference", "check_in", "check_out", "occupants",
           "provider_payment_cents", "ota_commission_cents", "first_name", "last_name", "email", "fiscal_id",
           "phone", "nationality", "received_at")

MONTHS = 12 * 7000  # of a unit, until year 9,029
MARKED = 18  # after so many requests come one that repeats a reference and one that wants nights that are taken


def make(count, units, conflicts=None, skew=None):
    """The rows in their order, and the number of each final state. `conflicts` is the share that wants nights that are
    taken; without it there are MARKED ones. `skew` is Zipf's exponent over the units; without it all are alike."""
    chance = random.Random(count)
    nights = _nights(chance, count, units, skew)
    now = datetime.datetime.now(datetime.timezone.utc).replace(microsecond=0)
    rows, outcomes, booked = [], Counter(), []

    def add(unit, month, reference, outcome):
        number = len(rows)
        year, month_of_year = 2030 + month // 12, month % 12 + 1
        rows.append((_id(chance), "marketplace-a", str(FIRST_UNIT + unit), reference,
                     f"{year}-{month_of_year:02}-01", f"{year}-{month_of_year:02}-25", 1, 65000 + number % 90000,
                     3500, "Ada", "Marsh", f"guest{number}@guests.example", f"X{number:07}L",
                     "+34 600 000 000", "GB", now.strftime("%Y-%m-%dT%H:%M:%S.000Z")))
        outcomes[outcome] += 1

    for unit, month in nights:
        if len(rows) == count:
            break
        booked.append((unit, month, _id(chance)))
        add(*booked[-1], "Success")
        if conflicts is not None:
            while len(rows) < count and outcomes["Failed"] + 1 <= conflicts * (len(rows) + 1):
                add(*chance.choice(booked)[:2], _id(chance), "Failed")
        elif len(booked) % MARKED == 0 and len(rows) + 2 <= count:
            add(*chance.choice(booked), "Dropped")
            add(*chance.choice(booked)[:2], _id(chance), "Failed")
    return rows, outcomes


def _nights(chance, count, units, skew):
    """Free nights as (unit, month), enough for all."""
    if skew is None:
        nights = [(unit, month) for month in range(-(-count // units)) for unit in range(units)][:count]
        chance.shuffle(nights)
        return nights
    months = Counter()
    nights = []
    for unit in chance.choices(range(units), [(unit + 1) ** -skew for unit in range(units)], k=count):
        nights.append((unit, months[unit] % MONTHS))
        months[unit] += 1
    return nights


def _id(chance):
    return str(uuid.UUID(int=chance.getrandbits(128), version=4))
