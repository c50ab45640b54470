"""Tests of script/lib/unused_names.py."""

import unittest

from made_up import MadeUp
from sources import Sources
from unused_names import findings


class UnusedNamesTest(MadeUp):
    def assert_found(self, text, *expected, path="src/component/a.cpp"):
        self.write({path: text})
        self.assertEqual([finding.split(": ")[0] for finding in findings(Sources(self.root))], list(expected))

    def test_a_name_that_is_used_is_no_finding(self):
        self.assert_found("using domain::money;\nmoney price();\n")
        self.assert_found("namespace fs = std::filesystem;\nfs::path name();\n")

    def test_a_using_declaration_that_nothing_uses_is_one(self):
        self.assert_found("\nusing domain::money;\nint price();\n", "src/component/a.cpp:2")

    def test_a_namespace_alias_that_nothing_uses_is_one(self):
        self.assert_found("namespace fs = std::filesystem;\n", "src/component/a.cpp:1")

    def test_the_name_with_its_namespace_in_a_comment_or_in_an_include_is_no_use(self):
        self.assert_found('#include "domain/money.hpp"\nusing domain::money;\ndomain::money price(); // money\n',
                          "src/component/a.cpp:2")

    def test_an_alias_of_a_type_is_left_to_the_compiler(self):
        self.assert_found("using price = domain::money;\n")

    def test_a_header_declares_for_others(self):
        self.assert_found("using domain::money;\n", path="src/component/a.hpp")


if __name__ == "__main__":
    unittest.main()
