"""Ctrl-C in a bench: it prints what it has measured, and leaves no process, no database and no file behind.

ROOST_PROGRAM is the server that is measured; without it there is nothing to test."""

import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import time
import unittest

_RUN = pathlib.Path(__file__).parents[2] / "bench" / "run"
_PROGRAM = os.environ.get("ROOST_PROGRAM", "")
_PATIENCE = 50  # seconds


def processes_with(text):
    """Ids of processes with this in their environment, which children inherit."""
    found = []
    for folder in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            if text.encode() in (folder / "environ").read_bytes():
                found.append(int(folder.name))
        except OSError:
            pass  # it has ended, or is somebody else's
    return found


@unittest.skipUnless(os.access(_PROGRAM, os.X_OK), "ROOST_PROGRAM is not built")
class InterruptTest(unittest.TestCase):
    def interrupted(self, words, moment):
        """Runs a bench, interrupts it as a terminal does once it has said `moment`, and gives its output and its JSON."""
        with tempfile.TemporaryDirectory() as folder:
            work, file = pathlib.Path(folder) / "work", pathlib.Path(folder) / "figures.json"
            os.chmod(folder, 0o755)  # a database is another user's process where this one is root's
            work.mkdir()
            environment = {**os.environ, "TMPDIR": str(work)}
            with open(f"{folder}/errors", "wb") as errors:
                process = subprocess.Popen(
                    [sys.executable, "-B", _RUN, *words, "--program", _PROGRAM, "--json", file], env=environment,
                    stdout=subprocess.PIPE, stderr=errors, text=True, start_new_session=True)
            self.wait_for(lambda: moment in pathlib.Path(f"{folder}/errors").read_text() or process.poll() is not None)
            self.assertIsNone(process.poll(), pathlib.Path(f"{folder}/errors").read_text())
            os.killpg(process.pid, signal.SIGINT)
            output, _ = process.communicate(timeout=_PATIENCE)
            self.assertEqual(process.returncode, 130, output)
            self.assertEqual(list(work.iterdir()), [])
            self.assertEqual(processes_with(f"TMPDIR={work}"), [])
            return output, json.loads(file.read_text())

    def wait_for(self, holds):
        give_up = time.monotonic() + _PATIENCE
        while not holds():
            self.assertLess(time.monotonic(), give_up, "waited in vain")
            time.sleep(0.02)

    def test_the_scheduler_lab_tells_the_settings_that_it_had(self):
        words = ["scheduler", "--store", "sqlite", "--units", "20", "--policies", "asio", "--workloads", "idle", "--seconds", "1"]
        output, written = self.interrupted(words, "round 1, 2 of")
        self.assertRegex(output, r"(?m)^asio  ")
        self.assertIn("Best on this machine: asio", output)
        self.assertEqual(written["cells"][0]["setting"], "asio")
        self.assertEqual(len(written["cells"][0]["samples"]["cpu_percent"]), 1)

    @unittest.skipUnless(os.access("/usr/lib/postgresql/15/bin/initdb", os.X_OK), "PostgreSQL is not installed")
    def test_a_figure_tells_the_rounds_that_it_had(self):
        output, written = self.interrupted(["scale", "--units", "20"], "scale: started 1")
        self.assertIn("import of 20 units, PostgreSQL", output)
        figures = {cell["figure"] for cell in written["cells"]}
        self.assertIn("import of 20 units, PostgreSQL: start", figures)
        self.assertFalse([name for name in figures if "SQLite" in name])


if __name__ == "__main__":
    unittest.main()
