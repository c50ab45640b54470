"""The container image's configuration: what the Dockerfile writes behind the package's file, as the program reads it.

ROOST_PROGRAM is the server; without it there is nothing to test."""

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
        self.recipe = (_PROJECT / "Dockerfile").read_text()

    def test_its_file_has_the_server_listen_for_everybody_and_the_operators_listener_for_itself(self):
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "roost.toml"
            shutil.copyfile(_PROJECT / "packaging" / "roost.toml", file)
            [words] = re.findall(r"(printf '[^']*') >> /etc/roost/roost\.toml$", self.recipe, re.MULTILINE)
            subprocess.run(["sh", "-c", f'{words} >> "$0"', file], check=True)
            effective = subprocess.run([_PROGRAM, "config", "--config", file], cwd=folder, env=_ENVIRONMENT, check=True, capture_output=True, text=True).stdout
        self.assertRegex(effective, r'(?m)^listen = "0\.0\.0\.0:8080"  # from .*roost\.toml:\d+$')
        self.assertRegex(effective, r'(?m)^listen = "127\.0\.0\.1:9090"')  # which its health check asks

    def test_its_environment_says_nothing_that_a_mounted_file_could_not_change(self):
        self.assertNotRegex(self.recipe, r"(?m)^ENV ROOST_")


if __name__ == "__main__":
    unittest.main()
