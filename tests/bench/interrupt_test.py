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
_POSTGRESQL = pathlib.Path("/usr/lib/postgresql/15/bin")
_PATIENCE = 50  # seconds

needs_postgresql = unittest.skipUnless(os.access(_POSTGRESQL / "initdb", os.X_OK), "PostgreSQL is not installed")


def processes_of(folder):
    """Ids of processes that work in this folder or have it in their environment, which children inherit. PostgreSQL's
    write over theirs."""
    found = []
    for process in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            works_in = os.readlink(process / "cwd").startswith(str(folder))
            if works_in or f"TMPDIR={folder}".encode() in (process / "environ").read_bytes():
                found.append(int(process.name))
        except OSError:
            pass  # it has ended, or is somebody else's
    return found


def counted(folder, table):
    """Rows of a table of the cell that is under way; 0 while there is none."""
    for socket in folder.glob("roost-postgresql.*/.s.PGSQL.*[0-9]"):
        done = subprocess.run([_POSTGRESQL / "psql", "-h", socket.parent, "-p", socket.name.rpartition(".")[2], "-U", "roost", "-XqAt",
                               "-c", f"select count(*) from {table}", "cell"], capture_output=True, text=True, timeout=_PATIENCE)
        if done.returncode == 0:
            return int(done.stdout)
    return 0


@unittest.skipUnless(os.access(_PROGRAM, os.X_OK), "ROOST_PROGRAM is not built")
class InterruptTest(unittest.TestCase):
    def interrupted(self, words, is_time):
        """Runs a bench, interrupts it as a terminal does once `is_time` of what it has said and of its temporary folder, and
        gives its output and its JSON."""
        with tempfile.TemporaryDirectory() as folder:
            work, file, errors = (pathlib.Path(folder) / name for name in ("work", "figures.json", "errors"))
            os.chmod(folder, 0o755)  # a database is another user's process where this one is root's
            work.mkdir()
            with errors.open("wb") as said:
                process = subprocess.Popen(
                    [sys.executable, "-B", _RUN, *words, "--program", _PROGRAM, "--json", file], env={**os.environ, "TMPDIR": str(work)},
                    stdout=subprocess.PIPE, stderr=said, text=True, start_new_session=True)
            self.wait_for(lambda: is_time(errors.read_text(), work) or process.poll() is not None)
            self.assertIsNone(process.poll(), errors.read_text())
            self.assertNotEqual(processes_of(work), [])
            os.killpg(process.pid, signal.SIGINT)
            output, _ = process.communicate(timeout=_PATIENCE)
            self.assertEqual(process.returncode, 130, errors.read_text())
            self.assertEqual(list(work.iterdir()), [])
            self.assertEqual(processes_of(work), [])
            return output, json.loads(file.read_text())

    def wait_for(self, holds):
        give_up = time.monotonic() + _PATIENCE
        while not holds():
            self.assertLess(time.monotonic(), give_up, "waited in vain")
            time.sleep(0.02)

    def test_the_scheduler_lab_tells_the_settings_that_it_had(self):
        words = ["scheduler", "--store", "sqlite", "--units", "20", "--policies", "asio", "--workloads", "idle", "--seconds", "1"]
        output, written = self.interrupted(words, lambda said, _: "round 1, 2 of" in said)
        self.assertRegex(output, r"(?m)^asio  ")
        self.assertIn("Best on this machine: asio", output)
        self.assertEqual(written["cells"][0]["setting"], "asio")
        self.assertEqual(len(written["cells"][0]["samples"]["cpu_percent"]), 1)

    @needs_postgresql
    def test_a_figure_tells_the_rounds_that_it_had(self):
        output, written = self.interrupted(["scale", "--units", "20"], lambda said, _: "scale: started 1" in said)
        self.assertIn("import of 20 units, PostgreSQL", output)
        figures = {cell["figure"] for cell in written["cells"]}
        self.assertIn("import of 20 units, PostgreSQL: start", figures)
        self.assertFalse([name for name in figures if "SQLite" in name])

    @needs_postgresql
    def test_the_contention_lab_judges_and_tells_the_cell_that_was_under_way(self):
        # 100 of a second after a second that warms up: the 150th stay is of the measured time.
        words = ["--zipf", "0", "--rate", "100", "--conflicts", "0", "--depth", "bare", "--strategies", "actors,row_lock", "--seconds", "300"]
        output, written = self.interrupted(["contention", "--units", "20", *words], lambda _, work: counted(work, "lab_stays") >= 150)
        self.assertRegex(output, r"(?m)^actors .* right \(cut short\)$")
        (cell,) = written["cells"]
        self.assertEqual((cell["strategy"], cell["verdict"], cell["cut_short"]), ("actors", "right", True))
        self.assertEqual(len(cell["samples"]["decisions_per_s"]), 1)

    def test_without_postgresql_it_keeps_the_rounds_that_it_had(self):
        words = ["--store", "sqlite", "--quick", "--zipf", "0", "--depth", "bare", "--strategies", "actors", "--rounds", "100"]
        output, written = self.interrupted(["contention", "--units", "20", *words], lambda said, _: "round 2" in said)
        self.assertRegex(output, r"(?m)^actors ")
        self.assertIn("Left out: row_lock", output)
        self.assertEqual([cell["verdict"] for cell in written["cells"]], ["right"])

    @needs_postgresql
    def test_the_contention_lab_ends_the_server_that_it_came_to_by_http(self):
        words = ["--outside", "--units", "20", "--zipf", "0", "--rate", "100", "--conflicts", "0", "--seconds", "300"]
        output, written = self.interrupted(["contention", *words], lambda _, work: counted(work, "bookings") >= 150)
        self.assertRegex(output, r"(?m)^http .* right")
        self.assertTrue(written["cells"][0]["cut_short"])


if __name__ == "__main__":
    unittest.main()
