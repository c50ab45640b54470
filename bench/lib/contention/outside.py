"""A running server that the same load comes to by HTTP."""

from lib.roost import Roost

STRATEGY = "http"
_SETTINGS = ("bookings.cycle=100ms",)  # until a request that comes alone is decided


def start(machine, store_url):
    roost = Roost(machine, store_url, "outside", _SETTINGS)
    roost.start()
    return roost
