"""better-auth, an npm library for signing users in, on its own database (bench/peers/sign_in)."""

import json

from lib import clients
from lib.machine import PROJECT, Failure, free_port, run, stop, wait_until

EMAIL, PASSWORD = "bench@landlord.example", "a password"
LOGIN, REFRESH = "/api/auth/sign-in/email", "/api/auth/get-session"

_PEER = PROJECT / "bench/peers/sign_in"


def fetch():
    """Must run before avoid_pacing(), because npm's registry may be unreachable from a separate network."""
    run([_PEER / "fetch.sh"], timeout=600)


class BetterAuth:
    """A server with one process per core; the processor time of a single process says little."""

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
        """Returns the cookie of a new session."""
        status, headers, body = clients.request(self.port, "POST", LOGIN,
                                           json.dumps({"email": EMAIL, "password": PASSWORD}),
                                           {"Content-Type": "application/json"})
        if status != 200:
            raise Failure(f"better-auth's login returned {status} {body!r}")
        return next(value.split(";")[0] for name, value in headers.items() if name.lower() == "set-cookie")

    def _is_ready(self):
        if self._process.poll() is not None:
            raise Failure(f"better-auth did not start: {self._machine.log_of('better_auth')}")
        return "ready" in self._machine.log_of("better_auth").splitlines()
