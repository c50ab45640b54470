"""Generated portfolios of any size: the same size in the same year yields the same text."""

import datetime
import json
import random
import uuid

FIRST_UNIT = 1_000_001  # the first unit's ID on marketplace A; the others follow
UNITS_PER_ACCOUNT = 100
UNITS_PER_PROPERTY = 4

_CITIES = [("Madrid", "ES", 40.42, -3.70), ("Valencia", "ES", 39.47, -0.38), ("Lisbon", "PT", 38.72, -9.14),
           ("Porto", "PT", 41.15, -8.61), ("Berlin", "DE", 52.52, 13.40), ("Milan", "IT", 45.46, 9.19)]
_STREETS = ["Calle Mayor", "Rua da Graça", "Torstraße", "Via Savona", "Calle Colón", "Rua de Cedofeita"]
_FEATURES = ["desk", "double-bed", "street-view", "balcony", "wardrobe", "own-bathroom", "air-conditioning"]
_OTHER_PLATFORMS = {
    "marketplace-b": "https://marketplace-b.example/es/madrid/room/MB-{}",
    "marketplace-c": "https://marketplace-c.example/listing/c-{}",
    "room-sharing": "https://room-sharing.example/rooms/rs-{}",
    "student-housing": "https://student-housing.example/rooms/sh-{}",
}
_MARKUPS = [{"mode": "none"}, {"mode": "percentage", "value": 5}, {"mode": "fixed", "value": 35}]


PLATFORMS = ("marketplace-a", *_OTHER_PLATFORMS)


def write(path, units, on_engine=False, first=None, platforms=len(PLATFORMS), begin=0):
    """Writes a portfolio file with this number of units, or only the `first` ones, linked to the first `platforms` of
    PLATFORMS, and to the booking engine if `on_engine`. `begin` is the number of the first unit, for portfolios in parts."""
    rng = random.Random(units if begin == 0 else f"{units} from {begin}")
    with open(path, "w", encoding="utf-8") as file:
        file.write('{"format":"roost-portfolio/1","accounts":[')
        for number in range(begin, first or units, UNITS_PER_ACCOUNT):
            if number > begin:
                file.write(",")
            numbers = range(number, min(number + UNITS_PER_ACCOUNT, units))
            account = _account(rng, number // UNITS_PER_ACCOUNT, numbers)
            _remove_other_platforms(account, PLATFORMS[:platforms])
            if on_engine:
                _link_to_engine(account, numbers)
            json.dump(account, file, separators=(",", ":"))
        file.write("]}")


def _remove_other_platforms(account, platforms):
    """Removes the cards and links of other platforms."""
    account["platformCards"] = [card for card in account["platformCards"] if card["platform"] in platforms]
    for unit in (unit for each in account["properties"] for unit in each["units"]):
        unit["links"] = [link for link in unit["links"] if link["platform"] in platforms]


def _link_to_engine(account, numbers):
    units = (unit for each in account["properties"] for unit in each["units"])
    for number, unit in zip(numbers, units):
        unit["links"].append({"platform": "booking-engine",
                              "url": f"https://booking-engine.example/house/{FIRST_UNIT + number}"})


def _id(rng):
    return str(uuid.UUID(int=rng.getrandbits(128), version=4))


def _account(rng, number, units):
    key = f"landlord-{number:05}"
    platforms = ["marketplace-a", *_OTHER_PLATFORMS]
    return {
        "id": _id(rng), "companyName": f"Landlord {number} Rentals", "currency": "EUR", "landlordKey": key,
        "advanceNoticeDays": number % 4,
        "paymentTerms": {"confirmation": ["firstRent", "adminFee"], "checkIn": ["deposit"], "monthlyDueDay": 1},
        "tenantCategories": [{"name": "Platform guest", "integrationDefault": True}],
        "platformCards": [{"platform": platform, "integrationEmail": f"feeds@{key}.example",
                           "markup": _MARKUPS[(number + i) % len(_MARKUPS)]}
                          for i, platform in enumerate(platforms)],
        "users": [{"id": _id(rng), "email": f"office@{key}.example", "password": None, "firstName": "Ana",
                   "lastName": "Silva", "role": "Admin"}],
        "properties": [_property(rng, units[i:i + UNITS_PER_PROPERTY])
                       for i in range(0, len(units), UNITS_PER_PROPERTY)],
    }


def _property(rng, units):
    number = units[0] // UNITS_PER_PROPERTY
    city, country, latitude, longitude = _CITIES[number % len(_CITIES)]
    street = _STREETS[number % len(_STREETS)]
    return {
        "id": _id(rng), "internalName": f"{street} {number}", "type": "apartment",
        "address": {"street": street, "number": str(number % 200 + 1), "floor": str(number % 7),
                    "postalCode": f"{28000 + number % 900:05}", "city": city, "region": city,
                    "neighborhood": "Centre", "countryCode": country,
                    "latitude": round(latitude + rng.uniform(-0.05, 0.05), 5),
                    "longitude": round(longitude + rng.uniform(-0.05, 0.05), 5)},
        "cleaningFee": {"enabled": number % 3 != 0, "value": rng.randrange(30, 80), "frequency": "monthly"},
        "monthlyBills": rng.randrange(40, 120), "sizeSquareMetres": rng.randrange(50, 140),
        "features": ["elevator", "wifi", "washing-machine"], "rules": ["no-smoking", "no-parties"],
        "description": {"en": f"A bright flat of {len(units)} rooms in {city}, with a long kitchen table."},
        "units": [_unit(rng, number, i) for i, number in enumerate(units)],
    }


def _unit(rng, number, index):
    capacity = rng.choice([1, 1, 1, 2, 3])
    shortest = rng.choice([None, 1, 2, 3, 6])
    return {
        "id": _id(rng), "internalName": f"U{number} Room {index + 1}", "kind": "room",
        "roomLabel": f"Room {index + 1}", "capacity": capacity, "rent": _rent(rng, number),
        "minStayMonths": shortest, "maxStayMonths": shortest and shortest + rng.randrange(4, 12),
        "extraPricePerTenant": 90 if capacity > 1 else 0, "extraDepositPerTenant": 100 if capacity > 1 else 0,
        "bills": {"included": number % 2 == 0, "maxValue": rng.randrange(40, 90)},
        "adminFee": _admin_fee(rng, number),
        "deposit": {"mode": "rentMultiple", "value": rng.choice([1, 1.5, 2])},
        "exitFee": 35, "preparationDays": number % 3,
        "bookingWindows": _windows(rng) if number % 10 == 0 else [],
        "blocks": _blocks(rng), "sizeSquareMetres": rng.randrange(8, 24), "minAge": 18,
        "features": rng.sample(_FEATURES, 3),
        "title": {"en": f"Room {index + 1} with morning sun", "es": f"Habitación {index + 1} con sol"},
        "description": {"en": "Double bed, oak desk, a window to the quiet side. Ten minutes from the station."},
        "images": [{"url": f"https://images.landlord.example/{number}/{i}.jpg"} for i in range(3)],
        "links": _links(rng, number),
    }


def _rent(rng, number):
    rent = rng.randrange(380, 1400, 5)
    if number % 3 != 0:
        return {"fixed": True, "amount": rent}
    months = [{"month": month, "rent": rent + (80 if 5 <= month <= 9 else 0)} for month in range(1, 13)]
    return {"fixed": False, "perMonth": months}


def _admin_fee(rng, number):
    if number % 4 != 0:
        return {"enabled": True, "mode": "fixed", "value": rng.randrange(90, 300)}
    return {"enabled": True, "mode": "tiered", "tiers": [
        {"fromDays": 1, "value": 99.5}, {"fromDays": 90, "value": 150}, {"fromDays": 180, "value": 219.95}]}


def _year():
    return datetime.date.today().year + 1


def _windows(rng):
    start = datetime.date(_year(), rng.randrange(1, 6), 1)
    day = datetime.timedelta(days=1)
    return [{"minStartDate": str(start), "maxStartDate": str(start + 31 * day),
             "minEndDate": str(start + 120 * day), "maxEndDate": str(start + 300 * day)}]


def _blocks(rng):
    """Returns two to five blocks within the next two years."""
    blocks, day = [], datetime.date(_year(), 1, 1)
    for _ in range(rng.randrange(2, 6)):
        first = day + datetime.timedelta(days=rng.randrange(5, 60))
        day = first + datetime.timedelta(days=rng.randrange(7, 75))
        blocks.append({"from": str(first), "to": str(day), "source": "manual"})
    return blocks


def _links(rng, number):
    """Returns links to marketplace A and one or two other platforms."""
    unit = FIRST_UNIT + number
    links = [{"platform": "marketplace-a",
              "url": f"https://marketplace-a.example/rooms/{unit}?staticId={unit}"}]
    for platform in rng.sample(list(_OTHER_PLATFORMS), rng.randrange(1, 3)):
        links.append({"platform": platform, "url": _OTHER_PLATFORMS[platform].format(unit)})
    return links
