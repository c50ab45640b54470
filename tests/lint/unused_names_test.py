"""Tests of script/lib/unused_names.py."""

import unittest

from sample_project import SampleProject
from sources import Sources
from unused_names import findings


class UnusedNamesTest(SampleProject):
    def assert_found(self, text, *expected, path="src/component/a.cpp"):
        self.write({path: text})
        self.assertEqual([finding.split(": ")[0] for finding in findings(Sources(self.root))], list(expected))

    def test_a_used_name_is_accepted(self):
        self.assert_found("using domain::money;\nmoney price();\n")
        self.assert_found("namespace fs = std::filesystem;\nfs::path name();\n")

    def test_an_unused_using_declaration_is_reported(self):
        self.assert_found("\nusing domain::money;\nint price();\n", "src/component/a.cpp:2")

    def test_an_unused_namespace_alias_is_reported(self):
        self.assert_found("namespace fs = std::filesystem;\n", "src/component/a.cpp:1")

    def test_qualified_names_comments_and_includes_are_not_uses(self):
        self.assert_found('#include "domain/money.hpp"\nusing domain::money;\ndomain::money price(); // money\n',
                          "src/component/a.cpp:2")

    def test_type_aliases_are_ignored(self):
        self.assert_found("using price = domain::money;\n")

    def test_headers_are_ignored(self):
        self.assert_found("using domain::money;\n", path="src/component/a.hpp")


if __name__ == "__main__":
    unittest.main()
