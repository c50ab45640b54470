"""The demo of script/server: the printed commands work, in a new folder and in one with a lost file.

ROOST_PROGRAM is the server; without it the tests are skipped."""

import contextlib
import os
import pathlib
import re
import signal
import socket
import subprocess
import tempfile
import time
import unittest
import urllib.request

_PROJECT = pathlib.Path(__file__).parents[2]
_PROGRAM = os.environ.get("ROOST_PROGRAM", "")
_TIMEOUT = 50  # seconds
_SERVE = 'roost=$0; step() { :; }; source "$1"; shift; serve_demo "$@"'
_ENVIRONMENT = {name: value for name, value in os.environ.items() if not name.startswith("ROOST_")}


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


def is_ready(operations):
    try:
        with urllib.request.urlopen(f"http://{operations}/readyz", timeout=_TIMEOUT):
            return True
    except OSError:  # not listening yet, or 503
        return False


@unittest.skipUnless(os.access(_PROGRAM, os.X_OK), "ROOST_PROGRAM is not built")
class DemoTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        (self.folder / "config").symlink_to(_PROJECT / "config")

    @contextlib.contextmanager
    def served(self, *arguments):
        """Serves the demo like script/server, and yields the printed commands."""
        output = self.folder / "output"
        with output.open("wb") as stdout:
            operations = f"127.0.0.1:{free_port()}"
            listen = [f"--set=server.listen=127.0.0.1:{free_port()}", f"--set=ops.listen={operations}"]
            process = subprocess.Popen(["bash", "-euo", "pipefail", "-c", _SERVE, _PROGRAM, _PROJECT / "script" / "lib" / "demo.sh", *listen, *arguments],
                                       cwd=self.folder, env=_ENVIRONMENT, stdout=stdout, stderr=subprocess.STDOUT)
        try:
            deadline = time.monotonic() + _TIMEOUT
            while not is_ready(operations):
                self.assertIsNone(process.poll(), output.read_text())
                self.assertLess(time.monotonic(), deadline, output.read_text())
                time.sleep(0.02)
            yield re.findall(r"(?m)^(?:sleep 31; )?(curl .*)$", output.read_text())
        finally:
            process.send_signal(signal.SIGTERM)
            self.assertEqual(process.wait(_TIMEOUT), 0, output.read_text())

    def run_line(self, line):
        return subprocess.run(["bash", "-c", line], capture_output=True, text=True, check=True, timeout=_TIMEOUT).stdout

    def check_commands(self, lines):
        read, book, _ = lines
        self.assertIn('"externalId":"771"', self.run_line(read))
        self.assertRegex(self.run_line(book), r'^\{"identifiers":\[\{"id":"[0-9a-f-]{36}"\}\]')

    def test_the_printed_commands_work_in_a_new_folder(self):
        with self.served() as lines:
            self.check_commands(lines)
        self.assertEqual((self.folder / "var").stat().st_mode & 0o777, 0o700)

    def test_a_second_start_keeps_the_tokens(self):
        with self.served() as lines:
            first = lines[0].split("Bearer ")[1].split("'")[0]
        with self.served() as lines:
            self.assertIn(first, lines[0])
            self.check_commands(lines)

    def test_lost_secrets_are_replaced_with_working_tokens(self):
        with self.served():
            pass
        (self.folder / "var" / "secrets.toml").unlink()
        with self.served() as lines:
            self.check_commands(lines)

    def test_an_interrupted_first_start_is_continued(self):
        subprocess.run([_PROGRAM, "migrate"], cwd=self.folder, env=_ENVIRONMENT, check=True, capture_output=True)
        with self.served() as lines:
            self.check_commands(lines)

    def test_with_a_certificate_the_commands_use_tls_and_trust_it(self):
        certificate, key = self.folder / "certificate.pem", self.folder / "key.pem"
        subprocess.run(["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "30",
                        "-subj", "/CN=localhost", "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", key, "-out", certificate],
                       check=True, capture_output=True)
        with self.served(f"--set=server.tls_certificate={certificate}", f"--set=server.tls_key={key}") as lines:
            self.assertIn(" https://127.0.0.1:", lines[0])
            self.check_commands(lines)


if __name__ == "__main__":
    unittest.main()
