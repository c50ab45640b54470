"""Tests of bench/lib/machine.py."""

import os
import pathlib
import signal
import subprocess
import sys
import unittest
from unittest import mock

sys.path.insert(0, str(pathlib.Path(__file__).parents[2] / "bench"))
from lib import machine  # noqa: E402


class MachineTest(unittest.TestCase):
    def test_an_interrupt_while_a_process_starts_leaves_neither_the_process_nor_the_folder(self):
        started = []

        class InterruptedPopen(subprocess.Popen):
            def __init__(self, *arguments, **options):
                super().__init__(*arguments, **options)
                started.append(self)
                os.kill(os.getpid(), signal.SIGINT)

        with mock.patch.object(machine.subprocess, "Popen", InterruptedPopen):
            with self.assertRaises(KeyboardInterrupt), machine.Machine() as measured:
                folder = measured.folder
                measured.start(["sleep", "60"])
        self.assertIsNotNone(started[0].returncode, "the process has been waited for")
        self.assertFalse(folder.exists())


if __name__ == "__main__":
    unittest.main()
