"""better-auth, an npm library that signs users in, on a database of its own (bench/peers/sign_in)."""

import json

from lib import client
from lib.machine import PROJECT, Failure, free_port, run, stop, wait_until

EMAIL, PASSWORD = "bench@landlord.example", "a password"
LOGIN, REFRESH = "/api/auth/sign-in/email", "/api/auth/get-session"

_PEER = PROJECT / "bench/peers/sign_in"


def fetch():
    """Where npm's registry can be reached: the benches' own network may have no way to it."""
    run([_PEER / "fetch.sh"], timeout=600)


class BetterAuth:
    """What one process of it costs tells little: it has as many as there are cores."""

    def __init__(self, machine, database_url):
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self._machine = machine
        self._process = machine.start([_PEER / "serve.sh", database_url, self.port], name="better_auth")
        wait_until(self._is_ready, 60, "better-auth", poll=0.1)

    def pid(self):
        return self._process.pid

    def stop(self):
        stop(self._process)

    def login(self):
        """The cookie of a new session."""
        status, headers, body = client.ask(self.port, "POST", LOGIN,
                                           json.dumps({"email": EMAIL, "password": PASSWORD}),
                                           {"Content-Type": "application/json"})
        if status != 200:
            raise Failure(f"better-auth's login was answered with {status} {body!r}")
        return next(value.split(";")[0] for name, value in headers.items() if name.lower() == "set-cookie")

    def _is_ready(self):
        if self._process.poll() is not None:
            raise Failure(f"better-auth did not start: {self._machine.log_of('better_auth')}")
        return "ready" in self._machine.log_of("better_auth").splitlines()
