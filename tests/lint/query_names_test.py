"""Tests of script/lib/query_names.py."""

import unittest

from sample_project import SampleProject
from query_names import findings
from sources import Sources


class QueryNamesTest(SampleProject):
    def assert_found(self, files, *expected):
        self.write(files)
        found = [finding.split(": ")[0] for finding in findings(Sources(self.root))]
        self.assertEqual(found, list(expected))

    def test_different_names_are_accepted(self):
        self.assert_found({"src/store/a.cpp": 'const query one{"one", "select 1"};\n'
                                              'const selection two{"two", "select 2"};\n'})

    def test_a_repeated_name_is_reported(self):
        self.assert_found({"src/store/a.cpp": 'const query one{"one", "select 1"};\n',
                           "src/store/b.cpp": '\nconst query other{"one", "select 2"};\n'},
                          "src/store/b.cpp:2")

    def test_a_selection_and_a_query_share_their_names(self):
        self.assert_found({"src/store/a.cpp": 'const query one{"one", "select 1"};\n'
                                              'const selection other{\n    "one",\n    "select 2"};\n'},
                          "src/store/a.cpp:3")

    def test_queries_of_one_function_and_of_headers_are_checked(self):
        self.assert_found({"src/store/a.hpp": 'inline const query one{"one", "select 1"};\n',
                           "src/store/b.cpp": 'void f() {\n  static const query other{"one", "select 2"};\n}\n'},
                          "src/store/b.cpp:2")


if __name__ == "__main__":
    unittest.main()
