"""Tests of script/lib/architecture.py, each with a generated document and sources."""

import unittest

from sample_project import SampleProject

import architecture

COMPONENTS = "roost_component(low)\nroost_component(mid/east USES low)\n"
MAP = "## Components\n\nText.\n\n```\nmid/east     a description,\n             continued\nlow          the lowest\n```\n"
ACTORS = "## Actors\n\n| Actor | Owns |\n|---|---|\n| `feed` | lists |\n"
FEED = 'static constexpr const char* name = "feed";\n'


class ArchitectureTest(SampleProject):
    def findings(self, document=MAP + ACTORS, components=COMPONENTS, actors=FEED):
        self.write({"ARCHITECTURE.md": document, "CMakeLists.txt": components, "src/actors/feeds/feed.cpp": actors})
        return [f"{line}: {message}" for _, line, message in architecture.Architecture(self.root).findings]

    def test_a_document_that_matches_the_sources_is_accepted(self):
        self.assertEqual(self.findings(), [])

    def test_a_component_without_a_line_is_reported(self):
        self.assertEqual(self.findings(components=COMPONENTS + "roost_component(top)\n"),
                         ["6: the component top is missing"])

    def test_a_line_for_a_component_that_does_not_exist_is_reported(self):
        self.assertEqual(self.findings(components="roost_component(low)\n"), ["6: there is no component named mid/east"])

    def test_a_second_line_for_a_component_is_reported(self):
        twice = MAP.replace("low ", "mid/east\nlow ")
        self.assertEqual(self.findings(twice + ACTORS), ["8: the component mid/east already has a line"])

    def test_a_component_below_one_that_it_uses_is_reported(self):
        below = MAP.replace("mid/east     a description,\n             continued\nlow          the lowest\n",
                            "low          the lowest\nmid/east     a description\n")
        self.assertEqual(self.findings(below + ACTORS), ["7: mid/east uses low: move its line above that of low"])

    def test_an_actor_without_a_row_is_reported(self):
        self.assertEqual(self.findings(actors=FEED + FEED.replace("feed", "mailer")), ["11: the actor mailer is missing"])

    def test_a_row_for_an_actor_that_does_not_exist_is_reported(self):
        self.assertEqual(self.findings(actors=""), ["14: there is no actor named feed"])

    def test_a_document_without_the_sections_is_reported(self):
        self.assertEqual(self.findings("# Nothing\n"),
                         ["1: the section Components has no code block", "1: the section Actors is missing"])


if __name__ == "__main__":
    unittest.main()
