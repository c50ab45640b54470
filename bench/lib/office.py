"""A landlord's office: its users, and their requests over a keep-alive connection."""

import hashlib
import http.client
import json
import re
import time
import uuid

from lib.clients import sign_in
from lib.machine import Failure

_PASSWORD = "office-only"


def add_users(file, count):
    """Gives the first account of a portfolio file these users with all permissions, and returns their addresses."""
    addresses = [f"office-{number}@landlord.example" for number in range(count)]
    users = [{"id": str(uuid.UUID(bytes=hashlib.sha256(address.encode()).digest()[:16], version=4)), "email": address,
              "password": _PASSWORD, "role": "Admin"} for address in addresses]
    text = file.read_text()
    file.write_text(re.sub(r'"users":\[.*?\],"properties"', lambda _: f'"users":{json.dumps(users)},"properties"', text, count=1))
    return addresses


class Office:
    """A signed-in user of the office."""

    def __init__(self, machine, roost, address):
        self.headers = sign_in(machine, roost, address, _PASSWORD)
        self._connection = http.client.HTTPConnection("127.0.0.1", roost.port, timeout=60)

    def get(self, path):
        """Returns the body of a response."""
        return json.loads(self._exchange("GET", path, None, {}, (200,))[1])

    def send(self, method, path, content=None, tag=None):
        """Sends a write and returns its ETag and body, which are None without one, and its duration in ms."""
        fields = {"Content-Type": "application/json"} if content is not None else {}
        if tag:
            fields["If-Match"] = tag
        body = None if content is None else json.dumps(content)
        started = time.perf_counter()
        headers, text = self._exchange(method, path, body, fields, (200, 201, 204))
        duration = (time.perf_counter() - started) * 1000
        return headers["ETag"], json.loads(text) if text else None, duration

    def _exchange(self, method, path, body, fields, expected):
        self._connection.request(method, path, body, {**self.headers, **fields})
        response = self._connection.getresponse()
        text = response.read()
        if response.status not in expected:
            raise Failure(f"{method} {path} returned {response.status} {text!r}")
        return response.headers, text
