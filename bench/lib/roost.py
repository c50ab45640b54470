"""The server under test, with the shipped configuration and what a measurement needs to differ."""

import hashlib
import json
import os
import re
import time

from lib import client
from lib.machine import Failure, free_port, run, stop, wait_until

ONE_THREAD = "server.io_threads=1"  # against a peer with one worker


def _secrets_of(program):
    """One file for all servers of a build: a store and its copies refuse others."""
    return f"secrets-{hashlib.sha256(str(program).encode()).hexdigest()[:16]}.toml"


class Roost:
    """A store and the server on it. `settings` are --set overrides of the shipped configuration. With a certificate it
    speaks HTTPS. `program` is another build than the one under test."""

    def __init__(self, machine, store_url, name="roost", settings=(), certificate=None, program=None):
        self._machine, self.name, self._certificate = machine, name, certificate
        self._program = program or machine.program
        folder = machine.folder
        # Empty, so that every build goes by the configuration that it was shipped with: an earlier one may not know all keys.
        self._config = folder / "defaults.toml"
        self._config.touch()
        self.port, self.ops_port = free_port(), free_port()
        self._set = [f"store.url={store_url}", f"secrets.file={folder}/{_secrets_of(self._program)}",
                     f"mail.transport=file:{folder}/{name}-outbox", f"server.listen=127.0.0.1:{self.port}",
                     f"ops.listen=127.0.0.1:{self.ops_port}", *settings]
        self.url = f"{'https' if certificate else 'http'}://127.0.0.1:{self.port}"
        if certificate:
            self._set += [f"server.tls_certificate={certificate.file}", f"server.tls_key={certificate.key}"]

    def command(self, *words, timeout=600):
        return run([self._program, *words, *self._options()], timeout=timeout)

    def token(self, platform="marketplace-a"):
        return self.command("token", "issue", "--platform", platform).strip()

    def start(self, core=None, patience=120):
        """Starts the server and answers the seconds until it was ready."""
        started = time.monotonic()
        self._launch(core)
        wait_until(self.is_ready, patience, f"{self.name} to be ready")
        return time.monotonic() - started

    def stand_by(self, patience):
        """Starts the server beside another one that has the lease, and waits until it has followed the store."""
        self._launch(None)
        wait_until(self._has_followed, patience, f"{self.name} to stand by")

    def is_ready(self):
        if self.process.poll() is not None:
            raise Failure(f"{self.name} did not start: {self._machine.log_of(self.name)}")
        try:
            return client.ask(self.ops_port, "GET", "/readyz")[0] == 200
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

    def end(self):
        """Stops it without a look at how it ended."""
        stop(self.process)

    def pid(self):
        return self.process.pid

    def get(self, path, headers=None):
        """One request on a connection of its own: status, headers, body."""
        return self._ask("GET", path, None, headers)

    def send(self, method, path, content, headers):
        """The same with a body of JSON."""
        headers = {**headers, "Content-Type": "application/json"}
        return self._ask(method, path, json.dumps(content), headers)

    def post(self, path, body, headers):
        """The same with a body as it is."""
        return self._ask("POST", path, body, headers)

    def _ask(self, method, path, body, headers):
        tls = self._certificate and self._certificate.client
        return client.ask(self.port, method, path, body, headers, tls)

    def metrics(self, name, label=None):
        """A metric's values, by the value of one of its labels."""
        values = {}
        for line in client.ask(self.ops_port, "GET", "/metrics")[2].decode().splitlines():
            sample = re.fullmatch(r"(\w+)(?:\{(.*)\})? (\S+)", line)
            if not sample or sample[1] != name:
                continue
            labels = dict(re.findall(r'(\w+)="([^"]*)"', sample[2] or ""))
            key = labels.get(label)
            values[key] = values.get(key, 0.0) + float(sample[3])
        return values

    def seconds_of(self, event):
        """What the log says that an event took."""
        return float(re.search(rf" {event} .*?ms=([\d.]+)", self._machine.log_of(self.name, 1000))[1]) / 1000

    def wait_for_feeds(self, units, platform="marketplace-a", patience=60):
        """Waits until a feed with so many units and every other feed has been built."""
        def built():
            feeds = self.metrics("roost_feed_units", "platform")
            return feeds.get(platform) == units and self.metrics("roost_feed_age_seconds", "platform") or None
        return wait_until(built, patience, "the feeds", poll=0.1)

    def memory(self):
        """The server's memory in bytes: what is its own, and files in memory that it holds open."""
        folder = f"/proc/{self.pid()}"
        with open(f"{folder}/smaps_rollup", encoding="ascii") as rollup:
            anonymous = int(re.search(r"^Anonymous: +(\d+) kB", rollup.read(), re.MULTILINE)[1]) * 1024
        in_files = 0
        for descriptor in os.listdir(f"{folder}/fd"):
            if os.readlink(f"{folder}/fd/{descriptor}").startswith("/memfd:"):
                in_files += os.stat(f"{folder}/fd/{descriptor}").st_blocks * 512
        return anonymous + in_files

    def _launch(self, core):
        self.process = self._machine.start([self._program, "serve", *self._options()], core, self.name,
                                           env=self._certificate and self._certificate.environment)

    def _has_followed(self):
        """An earlier build that stands by holds nothing, and does not say how far it has followed."""
        try:
            said = str(client.ask(self.ops_port, "GET", "/readyz")[2])
        except OSError:
            return False
        return "standing by" in said and "nothing is loaded" not in said and "lists are not built" not in said

    def _options(self):
        options = ["--config", self._config]
        for setting in self._set:
            options += ["--set", setting]
        return options
