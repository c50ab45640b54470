"""The booking engine's live list of 10,000 units against nginx with the same bytes as a file, in turns on one core."""

import json
import socket
import time

from lib import portfolio, wrk
from lib.figure import Figure
from lib.machine import SERVER_CORE, Failure
from lib.nginx import Nginx
from lib.roost import ONE_THREAD, Roost
from lib.stores import sqlite_url

UNITS = 10_000
CHANGES = 10  # per round
OPTIONS = ("units", "connections")
PATH = "/booking-engine/listings"
GIGABYTE = 1e9


def measure(machine, bench):
    units = bench.units or UNITS
    portfolio.write(machine.folder / "portfolio.json", units, on_engine=True)
    roost = Roost(machine, sqlite_url(machine.folder, "roost"), settings=[ONE_THREAD])
    roost.command("import", machine.folder / "portfolio.json")
    token = f"Bearer {roost.token('booking-engine')}"
    roost.start(SERVER_CORE)
    roost.wait_for_feeds(units, "booking-engine")
    nginx = Nginx(machine, SERVER_CORE)
    body = roost.get(PATH, {"Authorization": token})[2]
    nginx.add("list.json", body)
    if len(json.loads(body)) != units:
        raise Failure("the live list lacks units")
    headers = {"Authorization": token}
    sides = [(roost, PATH), (nginx, "/list.json")]
    many, alone, cpu, changed = [[], []], [[], []], [[], []], []
    bench.report(Figure(f"live list of {units:,} units, {bench.connections} readers", "GB/s", *many, target=(">=", 1)),
                 Figure("  server time per read", "us", *cpu),
                 Figure("  one reader", "GB/s", *alone, target=(">=", 1)),
                 Figure("  read after the change of a unit", "ms", changed))
    for number in range(bench.rounds):
        for i in (0, 1) if number % 2 == 0 else (1, 0):
            server, path = sides[i]
            load = wrk.load(server.url + path, bench.seconds, server.pid(), [f"Authorization: {token}"],
                            connections=bench.connections)
            cpu[i].append(load.cpu)
            many[i].append(load.rate * len(body) / GIGABYTE)
            alone[i].append(len(body) / _seconds_of_read(server.port, path, headers, bench.seconds) / GIGABYTE)
        changed.append(_milliseconds_after_change(roost, token, number % (units // CHANGES or 1)))
    roost.stop()


def _seconds_of_read(port, path, headers, seconds):
    """Returns the mean time of reads over one connection during this time."""
    with socket.create_connection(("127.0.0.1", port)) as connection:
        started, reads = time.monotonic(), 0
        while time.monotonic() - started < seconds:
            _read(connection, path, headers)
            reads += 1
        return (time.monotonic() - started) / reads


def _milliseconds_after_change(roost, token, round_number):
    headers, elapsed = {"Authorization": token}, 0
    with socket.create_connection(("127.0.0.1", roost.port)) as connection:
        for number in range(CHANGES):
            _change(roost, token, round_number * CHANGES + number)
            started = time.monotonic()
            _read(connection, PATH, headers)
            elapsed += time.monotonic() - started
    return elapsed / CHANGES * 1000


def _change(roost, token, number):
    """Changes the rent of a unit."""
    change = {
        "externalId": str(portfolio.FIRST_UNIT + number), "isRentFixed": True, "rent": 700 + number, "rentsPerMonth": [],
        "minStayPeriod": 1, "maxStayPeriod": 12, "extraPricePerTenant": 0, "availableFrom": "2027-01-01", "capacity": 1,
        "cleaningFeeValue": 0, "billsIncludedMaxValue": 0, "adminFeeValue": 0, "depositValue": 0,
        "landlordEmail": "office@landlord.example", "unavailabilities": []}
    status, _, body = roost.send("PUT", "/booking-engine/listing", change, {"Authorization": token})
    if status != 200:
        raise Failure(f"a change returned {status}: {body[:200]}")


_buffer = bytearray(1 << 20)


def _read(connection, path, headers):
    """Sends one request and discards the response."""
    fields = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
    connection.sendall(f"GET {path} HTTP/1.1\r\nHost: bench\r\n{fields}\r\n".encode())
    head = b""
    while b"\r\n\r\n" not in head:
        chunk = connection.recv(4096)
        if not chunk:
            raise Failure("the connection was closed")
        head += chunk
    head, _, body_start = head.partition(b"\r\n\r\n")
    lines = dict(line.lower().split(b": ", 1) for line in head.split(b"\r\n")[1:])
    left = int(lines[b"content-length"]) - len(body_start)
    while left > 0:
        count = connection.recv_into(_buffer, min(left, len(_buffer)))
        if not count:
            raise Failure("the connection was closed")
        left -= count
