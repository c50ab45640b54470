"""Tests of script/lib/limits.py, each with generated sources."""

import unittest

from sample_project import SampleProject

import limits
from sources import Sources


def files(folder, count):
    return {f"{folder}/file_{number}.hpp": "" for number in range(count)}


class LimitsTest(SampleProject):
    def findings(self, sources):
        self.write(sources)
        return limits.check(Sources(self.root))

    def test_a_file_of_400_lines_is_accepted(self):
        self.assertEqual(self.findings({"src/low/long.cpp": "\n" * 400}), [])

    def test_a_file_of_401_lines_is_reported(self):
        self.assertEqual(self.findings({"src/low/long.cpp": "\n" * 401}),
                         ["src/low/long.cpp:401: the file has 401 lines, more than 400: "
                          "move one of its subjects to a file of its own"])

    def test_a_folder_of_40_files_is_accepted_whatever_its_subfolders_have(self):
        self.assertEqual(self.findings(files("src/low", 40) | files("src/low/deep", 40)), [])

    def test_a_folder_of_41_files_is_reported(self):
        self.assertEqual(self.findings(files("src/low", 41)),
                         ["src/low:1: the folder has 41 C++ files, more than 40: "
                          "merge small files, or move a subject to a component of its own"])

    def test_other_folders_and_files_that_are_not_cpp_have_no_limits(self):
        self.assertEqual(self.findings(files("tests/low", 41) | {"tests/low/long.cpp": "\n" * 401,
                                                                "src/low/long.txt": "\n" * 401}), [])


if __name__ == "__main__":
    unittest.main()
