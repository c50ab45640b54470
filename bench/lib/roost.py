"""The server under test, with the shipped configuration and the overrides of a measurement."""

import hashlib
import json
import os
import re
import time

from lib import clients
from lib.machine import Failure, free_port, run, stop, wait_until

ONE_THREAD = "server.io_threads=1"  # for comparison with a peer with one worker


def _secrets_of(program):
    """Returns the same file for all servers of a build, because a store and its copies reject other secrets."""
    return f"secrets-{hashlib.sha256(str(program).encode()).hexdigest()[:16]}.toml"


class Roost:
    """A store and its server. `settings` are --set overrides of the shipped configuration. With a certificate, the server
    uses HTTPS. `program` is a build other than the one under test."""

    def __init__(self, machine, store_url, name="roost", settings=(), certificate=None, program=None):
        self._machine, self.name, self._certificate = machine, name, certificate
        self._program = program or machine.program
        folder = machine.folder
        # Empty, so that every build uses its own shipped configuration: an earlier build may not know all keys.
        self._config = folder / "defaults.toml"
        self._config.touch()
        self.port, self.ops_port = free_port(), free_port()
        self._set = [f"store.url={store_url}", f"secrets.file={folder}/{_secrets_of(self._program)}",
                     f"mail.transport=file:{folder}/{name}-outbox", f"server.listen=127.0.0.1:{self.port}",
                     f"ops.listen=127.0.0.1:{self.ops_port}", *settings]
        self.url = f"{'https' if certificate else 'http'}://127.0.0.1:{self.port}"
        if certificate:
            self._set += [f"server.tls_certificate={certificate.file}", f"server.tls_key={certificate.key}"]

    def command(self, *arguments, timeout=600):
        return run([self._program, *arguments, *self._options()], timeout=timeout)

    def token(self, platform="marketplace-a"):
        return self.command("token", "issue", "--platform", platform).strip()

    def start(self, core=None, timeout=120):
        """Starts the server and returns the seconds until it was ready."""
        started = time.monotonic()
        self._launch(core)
        wait_until(self.is_ready, timeout, f"{self.name} to be ready")
        return time.monotonic() - started

    def stand_by(self, timeout):
        """Starts the server as a standby of another one that has the lease, and waits until its memory is up to date."""
        self._launch(None)
        wait_until(self._has_followed, timeout, f"{self.name} to be a warm standby")

    def is_ready(self):
        if self.process.poll() is not None:
            raise Failure(f"{self.name} did not start: {self._machine.log_of(self.name)}")
        try:
            return clients.request(self.ops_port, "GET", "/readyz")[0] == 200
        except OSError:
            return False

    def terminate(self):
        self.process.terminate()

    def kill(self):
        self.process.kill()

    def stop(self):
        status = stop(self.process)
        if status != 0:
            raise Failure(f"{self.name} ended with status {status}: {self._machine.log_of(self.name)}")

    def discard(self):
        """Stops the server and ignores its exit status."""
        stop(self.process)

    def pid(self):
        return self.process.pid

    def get(self, path, headers=None):
        """Sends one request on its own connection; returns status, headers and body."""
        return self._request("GET", path, None, headers)

    def send(self, method, path, content, headers):
        """Sends a request with a JSON body."""
        headers = {**headers, "Content-Type": "application/json"}
        return self._request(method, path, json.dumps(content), headers)

    def post(self, path, body, headers):
        """Sends a POST request with this body."""
        return self._request("POST", path, body, headers)

    def _request(self, method, path, body, headers):
        tls = self._certificate and self._certificate.client
        return clients.request(self.port, method, path, body, headers, tls)

    def metrics(self, name, label=None):
        """Returns a metric's values by the value of one of its labels."""
        values = {}
        for line in clients.request(self.ops_port, "GET", "/metrics")[2].decode().splitlines():
            sample = re.fullmatch(r"(\w+)(?:\{(.*)\})? (\S+)", line)
            if not sample or sample[1] != name:
                continue
            labels = dict(re.findall(r'(\w+)="([^"]*)"', sample[2] or ""))
            key = labels.get(label)
            values[key] = values.get(key, 0.0) + float(sample[3])
        return values

    def seconds_of(self, event):
        """Returns the duration of an event according to the log."""
        return float(re.search(rf" {event} .*?ms=([\d.]+)", self._machine.log_of(self.name, 1000))[1]) / 1000

    def seconds_of_all(self, event, field):
        """Returns the durations of all events with this field, as `name=value`, according to the log."""
        log = self._machine.log_of(self.name, 100_000)
        return [float(each) / 1000 for each in re.findall(rf" {event} .*?\b{field} .*?\bms=([\d.]+)", log)]

    def wait_for_feeds(self, units, platform="marketplace-a", timeout=60):
        """Waits until all feeds have been built, and the one of `platform` has this number of units."""
        def are_built():
            feeds = self.metrics("roost_feed_units", "platform")
            return feeds.get(platform) == units and self.metrics("roost_feed_age_seconds", "platform") or None
        return wait_until(are_built, timeout, "the feeds", poll=0.1)

    def memory(self):
        """Returns the server's memory in bytes: anonymous memory and open memory files."""
        folder = f"/proc/{self.pid()}"
        with open(f"{folder}/smaps_rollup", encoding="ascii") as rollup:
            anonymous = int(re.search(r"^Anonymous: +(\d+) kB", rollup.read(), re.MULTILINE)[1]) * 1024
        memory_files = 0
        for descriptor in os.listdir(f"{folder}/fd"):
            if os.readlink(f"{folder}/fd/{descriptor}").startswith("/memfd:"):
                memory_files += os.stat(f"{folder}/fd/{descriptor}").st_blocks * 512
        return anonymous + memory_files

    def _launch(self, core):
        self.process = self._machine.start([self._program, "serve", *self._options()], core, self.name,
                                           env=self._certificate and self._certificate.environment)

    def _has_followed(self):
        """The standby of an earlier build loads nothing, and does not report its position."""
        try:
            body = str(clients.request(self.ops_port, "GET", "/readyz")[2])
        except OSError:
            return False
        return "standing by" in body and "nothing is loaded" not in body and "lists are not built" not in body

    def _options(self):
        options = ["--config", self._config]
        for setting in self._set:
            options += ["--set", setting]
        return options
