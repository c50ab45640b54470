"""Tests of script/lib/citations.py, each with a project of a few files that is made up for it."""

import unittest

from made_up import MadeUp  # first: it says where the others are
from citations import Citations

FILES = {
    "docs/partner-api.md": "# Partner API\n## Errors\nThe body of `errors`.\n\n1. One.\n2. Two.\n## Errors of old\n",
    "docs/operations.md": "# Operations\n## Back up, and restore\n## Mail\n## Mail\n```\n# no heading\n```\n",
    "src/component/money.hpp": "int cents;\n",
    "script/test": "true\n",
}


class CitationsTest(MadeUp):
    def assert_found(self, text, *expected, path="src/component/a.hpp"):
        """A file with this text has one finding for each expected (line, part of the message)."""
        self.write({**FILES, path: text})
        findings = Citations(self.root).check()
        (self.root / path).unlink()
        self.assertEqual(len(findings), len(expected), findings)
        for finding, (line, part) in zip(findings, expected):
            self.assertTrue(finding.startswith(f"{path}:{line}: "), finding)
            self.assertIn(part, finding)

    def assert_fine(self, *texts, path="src/component/a.hpp"):
        for text in texts:
            self.assert_found(text, path=path)


class SectionsTest(CitationsTest):
    def test_a_heading_of_the_document_may_be_cited(self):
        self.assert_fine("/// As told (Partner API, Errors).\n", "int a; // Partner API, Errors of old; see there\n",
                         "/// Partner API, Errors\nint a;\n")

    def test_a_heading_that_is_not_there_is_refused(self):
        self.assert_found("\n/// As told (Partner API, Faults).\n", (2, 'no heading "Faults"'))
        self.assert_found("/// As told (Partner API, Error).\n", (1, 'no heading "Error"'))
        self.assert_found("/// As told (Partner API, Errorsome).\n", (1, 'no heading "Errorsome"'))

    def test_a_citation_may_go_on_in_the_next_line_of_the_comment(self):
        self.assert_fine("/// As told (Partner\n/// API, Errors of\n/// old).\n")
        self.assert_found("/// As told\n/// (Partner API, No\n/// such).\n", (2, 'no heading "No such"'))

    def test_a_document_without_a_section_is_refused(self):
        self.assert_found("/// As the Partner API has it.\n", (1, "which section"))

    def test_a_document_that_is_not_there_is_refused(self):
        self.assert_found("/// As told (Management API, Errors).\n",
                          (1, "docs/management-api.md is cited and not there"))

    def test_a_rule_that_is_there_may_be_cited(self):
        self.assert_fine("/// (Partner API, Errors, rule 2)\n", "/// (Partner API, Errors, rules 1 and 2)\n",
                         "/// (Partner API, Errors, rules 1 to 2).\n")

    def test_a_rule_that_is_not_there_is_refused(self):
        self.assert_found("/// (Partner API, Errors, rules 2 and 3)\n", (1, "no rule 3"))
        self.assert_found("/// (Partner API, Errors of old, rule 1)\n", (1, "no rule 1"))

    def test_words_of_the_section_may_be_cited(self):
        self.assert_fine("/// (Partner API, Errors: the body of errors)\n")
        self.assert_found("/// (Partner API, Errors: the soul)\n", (1, 'does not say "the soul"'))

    def test_a_number_or_words_in_another_form_are_refused(self):
        self.assert_found("/// (Partner API, Errors 2)\n", (1, "after the heading"))
        self.assert_found("/// (Partner API, Errors, 2)\n", (1, "after the heading"))
        self.assert_found("/// (Partner API, Errors and more)\n", (1, "after the heading"))

    def test_code_is_not_looked_at(self):
        self.assert_fine('auto a = "Partner API, Faults";\n', 'auto a = "http://Partner API, Faults";\n')

    def test_a_heading_of_another_document_may_be_cited(self):
        self.assert_fine("/// docs/operations.md, Back up, and restore\n", "# docs/operations.md, Mail.\n")
        self.assert_found("# docs/operations.md, Fax.\n", (1, 'no heading "Fax"'), path="script/fax")


class RfcTest(CitationsTest):
    def test_sections_of_an_rfc_may_be_cited(self):
        self.assert_fine("/// (RFC 9112)\n", "/// (RFC 9112, 7.1.1)\n", "/// (RFC 9112, strictly)\n",
                         "/// (RFC 9110, 8.8.3, 12.5.3 and 13.1.2: lists)\n")

    def test_an_rfc_that_is_not_in_the_table_is_refused(self):
        self.assert_found("/// (RFC 9121, 7.1)\n", (1, "is there an RFC 9121?"))

    def test_a_section_that_the_rfc_cannot_have_is_refused(self):
        self.assert_found("/// (RFC 9112, 7.1 and 14.2)\n", (1, "RFC 9112 has no section 14.2"))

    def test_another_form_is_refused(self):
        self.assert_found("/// (RFC9112)\n", (1, 'write "RFC 9112"'))
        self.assert_found("/// (RFC 9112, section 7.1)\n", (1, "without that word"))
        self.assert_found("/// (RFC 9112 section 7.1)\n", (1, "without that word"))


class FilesTest(CitationsTest):
    def test_files_and_folders_that_are_there_may_be_named(self):
        self.assert_fine("/// See src/component/money.hpp, component/money.hpp, money.hpp, src/component and script/test.\n",
                         "/// src/component/*.hpp\n", "/// src/<component>/x.hpp, tests/NAME.cpp, docs/NNNN-x.md\n",
                         "/// Not <boost/asio.hpp>, nor caf/all.hpp; /usr/src/x is elsewhere.\n")
        self.assert_fine("See `component/` or [it](../src/component/money.hpp).\n", path="docs/x.md")

    def test_a_file_that_is_not_there_is_refused(self):
        self.assert_found("/// See src/component/coins.xml.\n", (1, "src/component/coins.xml is not there"))
        self.assert_found("/// See component/coins.hpp.\n", (1, "no file is called component/coins.hpp"))
        self.assert_found("/// See src/hall/*.hpp.\n", (1, "src/hall/*.hpp is not there"))
        self.assert_found("# script/tset\n", (1, "script/tset is not there"), path="script/all")


class LinksTest(CitationsTest):
    def test_a_link_leads_to_a_file_and_to_a_heading(self):
        self.assert_fine("[a](operations.md) [b](operations.md#back-up-and-restore) [c](operations.md#mail-1) [d](#e)\n"
                         "[f](https://example.org/x.md#y)\n\n# E\n", path="docs/x.md")

    def test_a_link_to_nothing_is_refused(self):
        self.assert_found("\n[a](fax.md)\n", (2, "fax.md is not there"), (2, "no file is called fax.md"),
                          path="docs/x.md")

    def test_a_link_to_no_heading_is_refused(self):
        self.assert_found("[a](operations.md#fax)\n", (1, "operations.md has no heading #fax"), path="docs/x.md")
        self.assert_found("[a](operations.md#no-heading)\n", (1, "no heading #no-heading"), path="docs/x.md")
        self.assert_found("[a](#fax)\n", (1, "docs/x.md has no heading #fax"), path="docs/x.md")


if __name__ == "__main__":
    unittest.main()
