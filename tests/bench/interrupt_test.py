"""Ctrl-C in a bench: it prints the results so far, and leaves no process, database or file behind.

ROOST_PROGRAM is the measured server; without it the tests are skipped."""

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
_POSTGRESQL = pathlib.Path("/usr/lib/postgresql/15/bin")
_TIMEOUT = 100  # seconds

needs_postgresql = unittest.skipUnless(os.access(_POSTGRESQL / "initdb", os.X_OK), "PostgreSQL is not installed")


def processes_of(folder):
    """Returns the ids of processes with this working folder or with the folder in their environment, which children inherit.
    PostgreSQL's processes overwrite their environment."""
    ids = []
    for process in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            is_working_folder = os.readlink(process / "cwd").startswith(str(folder))
            if is_working_folder or f"TMPDIR={folder}".encode() in (process / "environ").read_bytes():
                ids.append(int(process.name))
        except OSError:
            pass  # it has ended, or belongs to another user
    return ids


def events_in(file):
    """Returns the events that a bench has noted so far. Its last line may be incomplete."""
    return [json.loads(line) for line in file.read_text().split("\n")[:-1]]


def has_event(event, **fields):
    """Returns a condition for interrupted()."""
    return lambda events, _: {"event": event, **fields} in events


def row_count(folder, table):
    """Returns the number of rows in a table of the current cell; 0 if there is none."""
    for socket in folder.glob("roost-postgresql.*/.s.PGSQL.*[0-9]"):
        done = subprocess.run([_POSTGRESQL / "psql", "-h", socket.parent, "-p", socket.name.rpartition(".")[2], "-U", "roost", "-XqAt",
                               "-c", f"select count(*) from {table}", "cell"], capture_output=True, text=True, timeout=_TIMEOUT)
        if done.returncode == 0:
            return int(done.stdout)
    return 0


@unittest.skipUnless(os.access(_PROGRAM, os.X_OK), "ROOST_PROGRAM is not built")
class InterruptTest(unittest.TestCase):
    def interrupted(self, argv, is_time):
        """Runs a bench, interrupts it like a terminal once `is_time(events, folder)`, and returns its output and its JSON."""
        with tempfile.TemporaryDirectory() as folder:
            work, file, events, errors = (pathlib.Path(folder) / name for name in ("work", "figures.json", "events", "errors"))
            os.chmod(folder, 0o755)  # as root, the database runs as another user
            work.mkdir()
            events.touch()
            with errors.open("wb") as stderr:
                process = subprocess.Popen(
                    [sys.executable, "-B", _RUN, *argv, "--program", _PROGRAM, "--json", file],
                    env={**os.environ, "TMPDIR": str(work), "BENCH_EVENTS": str(events)},
                    stdout=subprocess.PIPE, stderr=stderr, text=True, start_new_session=True)
            self.wait_for(lambda: is_time(events_in(events), work) or process.poll() is not None)
            self.assertIsNone(process.poll(), errors.read_text())
            self.assertNotEqual(processes_of(work), [])
            os.killpg(process.pid, signal.SIGINT)
            output, _ = process.communicate(timeout=_TIMEOUT)
            self.assertEqual(process.returncode, 130, errors.read_text())
            self.assertEqual(list(work.iterdir()), [])
            self.wait_for(lambda: processes_of(work) == [])  # the kernel ends what the bench did not wait for
            return output, json.loads(file.read_text())

    def wait_for(self, condition):
        deadline = time.monotonic() + _TIMEOUT
        while not condition():
            self.assertLess(time.monotonic(), deadline, "timed out")
            time.sleep(0.02)

    def test_the_scheduler_lab_reports_the_measured_settings(self):
        argv = ["scheduler", "--store", "sqlite", "--units", "20", "--policies", "asio", "--workloads", "idle", "--seconds", "1"]
        output, written = self.interrupted(argv, has_event("setting", round=1, number=2))
        self.assertRegex(output, r"(?m)^asio  ")
        self.assertIn("Best on this machine: asio", output)
        self.assertEqual(written["cells"][0]["setting"], "asio")
        self.assertEqual(len(written["cells"][0]["samples"]["cpu_percent"]), 1)

    @needs_postgresql
    def test_a_figure_reports_the_measured_rounds(self):
        output, written = self.interrupted(["scale", "--units", "20"], has_event("started", number=1))
        self.assertIn("import of 20 units, PostgreSQL", output)
        figures = {cell["figure"] for cell in written["cells"]}
        self.assertIn("import of 20 units, PostgreSQL: start", figures)
        self.assertFalse([name for name in figures if "SQLite" in name])

    @needs_postgresql
    def test_the_contention_lab_verifies_and_reports_the_current_cell(self):
        # 100 per second after a second of warm-up: the 150th stay is in the measured time.
        argv = ["--zipf", "0", "--rate", "100", "--conflicts", "0", "--depth", "bare", "--strategies", "actors,row_lock", "--seconds", "300"]
        output, written = self.interrupted(["contention", "--units", "20", *argv], lambda _, work: row_count(work, "lab_stays") >= 150)
        self.assertRegex(output, r"(?m)^actors .* correct \(cut short\)$")
        (cell,) = written["cells"]
        self.assertEqual((cell["strategy"], cell["verdict"], cell["cut_short"]), ("actors", "correct", True))
        self.assertEqual(len(cell["samples"]["decisions_per_s"]), 1)

    def test_without_postgresql_it_reports_the_measured_rounds(self):
        argv = ["--store", "sqlite", "--quick", "--zipf", "0", "--depth", "bare", "--strategies", "actors", "--rounds", "100"]
        output, written = self.interrupted(["contention", "--units", "20", *argv], has_event("cell", round=2))
        self.assertRegex(output, r"(?m)^actors ")
        self.assertIn("Omitted: row_lock", output)
        self.assertEqual([cell["verdict"] for cell in written["cells"]], ["correct"])

    @needs_postgresql
    def test_the_contention_lab_ends_the_server_of_a_load_over_http(self):
        argv = ["--outside", "--units", "20", "--zipf", "0", "--rate", "100", "--conflicts", "0", "--seconds", "300"]
        output, written = self.interrupted(["contention", *argv], lambda _, work: row_count(work, "bookings") >= 150)
        self.assertRegex(output, r"(?m)^http .* correct")
        self.assertTrue(written["cells"][0]["cut_short"])


if __name__ == "__main__":
    unittest.main()
