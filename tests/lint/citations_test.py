"""Tests of script/lib/citations.py, each with a generated project of a few files."""

import unittest

from sample_project import SampleProject  # first: it sets the import path
from citations import Citations

FILES = {
    "docs/partner-api.md": "# Partner API\n## Errors\nThe body of `errors`.\n\n1. One.\n2. Two.\n## Errors of old\n",
    "docs/operations.md": "# Operations\n## Back up, and restore\n## Mail\n## Mail\n```\n# no heading\n```\n",
    "src/component/money.hpp": "int cents;\n",
    "script/test": "true\n",
}


class CitationsTest(SampleProject):
    def assert_found(self, text, *expected, path="src/component/a.hpp"):
        """Checks that a file with this text has one finding per expected (line, part of the message)."""
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
    def test_a_heading_of_the_document_can_be_cited(self):
        self.assert_fine("/// See (Partner API, Errors).\n", "int a; // Partner API, Errors of old; see there\n",
                         "/// Partner API, Errors\nint a;\n")

    def test_a_missing_heading_is_reported(self):
        self.assert_found("\n/// See (Partner API, Faults).\n", (2, 'no heading "Faults"'))
        self.assert_found("/// See (Partner API, Error).\n", (1, 'no heading "Error"'))
        self.assert_found("/// See (Partner API, Errorsome).\n", (1, 'no heading "Errorsome"'))

    def test_a_citation_can_continue_on_the_next_line_of_the_comment(self):
        self.assert_fine("/// See (Partner\n/// API, Errors of\n/// old).\n")
        self.assert_found("/// See\n/// (Partner API, No\n/// such).\n", (2, 'no heading "No such"'))

    def test_a_document_without_a_section_is_reported(self):
        self.assert_found("/// As the Partner API has it.\n", (1, "the section is missing"))

    def test_a_missing_document_is_reported(self):
        self.assert_found("/// See (Management API, Errors).\n",
                          (1, "docs/management-api.md does not exist"))

    def test_a_rule_can_be_cited(self):
        self.assert_fine("/// (Partner API, Errors, rule 2)\n", "/// (Partner API, Errors, rules 1 and 2)\n",
                         "/// (Partner API, Errors, rules 1 to 2).\n")

    def test_a_missing_rule_is_reported(self):
        self.assert_found("/// (Partner API, Errors, rules 2 and 3)\n", (1, "no rule 3"))
        self.assert_found("/// (Partner API, Errors of old, rule 1)\n", (1, "no rule 1"))

    def test_a_text_of_the_section_can_be_cited(self):
        self.assert_fine("/// (Partner API, Errors: the body of errors)\n")
        self.assert_found("/// (Partner API, Errors: the soul)\n", (1, 'does not contain "the soul"'))

    def test_a_rule_or_text_in_another_form_is_reported(self):
        self.assert_found("/// (Partner API, Errors 2)\n", (1, "must be followed by"))
        self.assert_found("/// (Partner API, Errors, 2)\n", (1, "must be followed by"))
        self.assert_found("/// (Partner API, Errors and more)\n", (1, "must be followed by"))

    def test_code_is_ignored(self):
        self.assert_fine('auto a = "Partner API, Faults";\n', 'auto a = "http://Partner API, Faults";\n')

    def test_a_heading_of_another_document_can_be_cited(self):
        self.assert_fine("/// docs/operations.md, Back up, and restore\n", "# docs/operations.md, Mail.\n")
        self.assert_found("# docs/operations.md, Fax.\n", (1, 'no heading "Fax"'), path="script/fax")


class RfcTest(CitationsTest):
    def test_sections_of_an_rfc_may_be_cited(self):
        self.assert_fine("/// (RFC 9112)\n", "/// (RFC 9112, 7.1.1)\n", "/// (RFC 9112, strictly)\n",
                         "/// (RFC 9110, 8.8.3, 12.5.3 and 13.1.2: lists)\n")

    def test_an_unknown_rfc_is_reported(self):
        self.assert_found("/// (RFC 9121, 7.1)\n", (1, "RFC 9121 is unknown"))

    def test_a_missing_section_of_an_rfc_is_reported(self):
        self.assert_found("/// (RFC 9112, 7.1 and 14.2)\n", (1, "RFC 9112 has no section 14.2"))

    def test_other_forms_are_reported(self):
        self.assert_found("/// (RFC9112)\n", (1, 'write "RFC 9112"'))
        self.assert_found("/// (RFC 9112, section 7.1)\n", (1, "only the number of the section"))
        self.assert_found("/// (RFC 9112 section 7.1)\n", (1, "only the number of the section"))


class FilesTest(CitationsTest):
    def test_files_and_folders_can_be_cited(self):
        self.assert_fine("/// See src/component/money.hpp, component/money.hpp, money.hpp, src/component and script/test.\n",
                         "/// src/component/*.hpp\n", "/// component/money.* and component/mon*\n",
                         "/// src/<component>/x.hpp, tests/NAME.cpp, docs/NNNN-x.md\n",
                         "/// Not <boost/asio.hpp>, nor caf/all.hpp; /usr/src/x is elsewhere.\n")
        self.assert_fine("See `component/` or [it](../src/component/money.hpp).\n", path="docs/x.md")

    def test_a_missing_file_is_reported(self):
        self.assert_found("/// See src/component/coins.xml.\n", (1, "src/component/coins.xml does not exist"))
        self.assert_found("/// See component/coins.hpp.\n", (1, "no file is named component/coins.hpp"))
        self.assert_found("/// See src/missing/*.hpp.\n", (1, "src/missing/*.hpp does not exist"))
        self.assert_found("See `component/coins.*`, `component/money.*`.\n", (1, "no file is named component/coins.*"),
                          path="docs/x.md")
        self.assert_found("/// See component/coin_*.\n", (1, "no file is named component/coin_*"))
        self.assert_found("# script/tset\n", (1, "script/tset does not exist"), path="script/all")


class LinksTest(CitationsTest):
    def test_links_to_files_and_headings_are_accepted(self):
        self.assert_fine("[a](operations.md) [b](operations.md#back-up-and-restore) [c](operations.md#mail-1) [d](#e)\n"
                         "[f](https://example.org/x.md#y)\n\n# E\n", path="docs/x.md")

    def test_a_link_to_a_missing_file_is_reported(self):
        self.assert_found("\n[a](fax.md)\n", (2, "fax.md does not exist"), (2, "no file is named fax.md"),
                          path="docs/x.md")

    def test_a_link_to_a_missing_heading_is_reported(self):
        self.assert_found("[a](operations.md#fax)\n", (1, "operations.md has no heading #fax"), path="docs/x.md")
        self.assert_found("[a](operations.md#no-heading)\n", (1, "no heading #no-heading"), path="docs/x.md")
        self.assert_found("[a](#fax)\n", (1, "docs/x.md has no heading #fax"), path="docs/x.md")


if __name__ == "__main__":
    unittest.main()
