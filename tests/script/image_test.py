"""The container image's configuration: the package's file with the lines that the Dockerfile appends.

ROOST_PROGRAM is the server; without it the tests are skipped."""

import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

_PROJECT = pathlib.Path(__file__).parents[2]
_PROGRAM = os.environ.get("ROOST_PROGRAM", "")
_ENVIRONMENT = {name: value for name, value in os.environ.items() if not name.startswith("ROOST_")}


@unittest.skipUnless(os.access(_PROGRAM, os.X_OK), "ROOST_PROGRAM is not built")
class ImageTest(unittest.TestCase):
    def setUp(self):
        self.dockerfile = (_PROJECT / "Dockerfile").read_text()

    def test_the_server_listens_on_all_addresses_and_the_operations_listener_on_loopback(self):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "roost.toml"
            shutil.copyfile(_PROJECT / "packaging" / "roost.toml", file)
            [command] = re.findall(r"(printf '[^']*') >> /etc/roost/roost\.toml$", self.dockerfile, re.MULTILINE)
            subprocess.run(["sh", "-c", f'{command} >> "$0"', file], check=True)
            effective = subprocess.run([_PROGRAM, "config", "--config", file], cwd=folder, env=_ENVIRONMENT, check=True, capture_output=True, text=True).stdout
        self.assertRegex(effective, r'(?m)^listen = "0\.0\.0\.0:8080"  # from .*roost\.toml:\d+$')
        self.assertRegex(effective, r'(?m)^listen = "127\.0\.0\.1:9090"')  # used by its health check

    def test_its_environment_overrides_no_settings_of_a_mounted_file(self):
        self.assertNotRegex(self.dockerfile, r"(?m)^ENV ROOST_")


if __name__ == "__main__":
    unittest.main()
