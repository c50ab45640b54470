"""Tests of script/lib/component_includes.py, each with a generated project of three components."""

import unittest

from sample_project import SampleProject
from sources import Sources
from component_includes import ComponentIncludes

FILES = {
    "src/low/a.hpp": "",
    "src/mid/b.hpp": '#include "low/a.hpp"\n',
    "src/top/east/c.hpp": '#include "mid/b.hpp"\n',
    "src/main.cpp": '#include "top/east/c.hpp"\n',
}


def components(low="", mid="USES low", east="USES mid"):
    """Returns the declarations of the three components, one per line."""
    return f"roost_component(low {low})\nroost_component(mid {mid})\nroost_component(top/east {east})\n"


class ComponentIncludesTest(SampleProject):
    def findings(self, files, declarations=components()):
        """Returns the findings of the project with these files added or replaced."""
        self.write({**FILES, **files, "CMakeLists.txt": declarations})
        return ComponentIncludes(Sources(self.root)).check()

    def assert_found(self, findings, *expected):
        """Checks that there is one finding per expected (position, part of the message)."""
        self.assertEqual(len(findings), len(expected), findings)
        for finding, (position, part) in zip(findings, expected):
            self.assertTrue(finding.startswith(position + ": "), finding)
            self.assertIn(part, finding)


class ComponentsTest(ComponentIncludesTest):
    def test_correct_declarations_have_no_findings(self):
        self.assert_found(self.findings({}))

    def test_an_include_of_an_unnamed_component_is_reported(self):
        self.assert_found(self.findings({"src/top/east/d.cpp": '\n#include "low/a.hpp"\n'}),
                          ("src/top/east/d.cpp:2", "top/east must not include low"))

    def test_includes_are_recognized_in_any_form(self):
        self.assert_found(self.findings({"src/top/east/d.cpp": ' #  include "../../low/a.hpp"\n'}),
                          ("src/top/east/d.cpp:1", "must not include low"))

    def test_includes_in_comments_are_ignored(self):
        self.assert_found(self.findings({"src/top/east/d.cpp": '// #include "low/a.hpp"\n'}))

    def test_a_component_must_not_use_one_declared_below_it(self):
        self.assert_found(self.findings({"src/low/up.cpp": '#include "mid/b.hpp"\n'}, components(low="USES mid")),
                          ("CMakeLists.txt:1", "low uses mid, which is not declared above it"))

    def test_http_must_not_use_the_store(self):
        files = {"src/store/rows/r.hpp": "", "src/http/pages/p.hpp": '#include "store/rows/r.hpp"\n'}
        self.assert_found(self.findings(files, components() + "roost_component(store/rows)\nroost_component(http/pages USES store/rows)\n"),
                          ("CMakeLists.txt:5", "http/pages must not use store/rows"))

    def test_a_component_must_not_name_itself(self):
        self.assert_found(self.findings({}, components(mid="USES low\nmid")),
                          ("CMakeLists.txt:3", "does not need mid"), ("CMakeLists.txt:3", "not declared above it"))

    def test_an_unknown_component_in_a_list_is_reported(self):
        self.assert_found(self.findings({}, components(east="USES mid attic")),
                          ("CMakeLists.txt:3", "does not need attic"), ("CMakeLists.txt:3", "attic, which is not a component"))

    def test_an_unneeded_name_is_reported(self):
        self.assert_found(self.findings({}, components(east="USES mid low")),
                          ("CMakeLists.txt:3", "USES of top/east does not need low"))

    def test_a_name_needed_only_by_tests_does_not_belong_in_uses(self):
        test = {"tests/top/east/c_test.cpp": '#include "low/a.hpp"\n'}
        self.assert_found(self.findings(test, components(east="USES mid low")),
                          ("CMakeLists.txt:3", "USES of top/east does not need low"))

    def test_declarations_in_comments_are_ignored(self):
        self.assert_found(self.findings({}, components() + "# roost_component(extra USES other)\n"))

    def test_an_undeclared_folder_is_reported(self):
        self.assert_found(self.findings({"src/top/west/d.cpp": "", "tests/extra/d_test.cpp": ""}),
                          ("src/top/west/d.cpp:1", "no declaration"), ("tests/extra/d_test.cpp:1", "no declaration"))

    def test_a_component_without_sources_is_reported(self):
        self.assert_found(self.findings({}, components() + "roost_component(extra)\n"),
                          ("CMakeLists.txt:4", "src/extra has no sources"))

    def test_a_second_declaration_is_reported(self):
        self.assert_found(self.findings({}, components() + "roost_component(low)\n"),
                          ("CMakeLists.txt:4", "low is declared twice"))


class TestsTest(ComponentIncludesTest):
    def test_tests_may_include_components_in_test_uses(self):
        test = {"tests/top/east/c_test.cpp": '#include "top/east/c.hpp"\n#include "mid/b.hpp"\n#include "low/a.hpp"\n'}
        self.assert_found(self.findings(test, components(east="USES mid TEST_USES low")))
        self.assert_found(self.findings(test), ("tests/top/east/c_test.cpp:3", "tests of top/east must not include low"))

    def test_test_uses_does_not_apply_to_the_component_itself(self):
        files = {"src/top/east/d.cpp": '#include "low/a.hpp"\n', "tests/top/east/c_test.cpp": '#include "low/a.hpp"\n'}
        self.assert_found(self.findings(files, components(east="USES mid TEST_USES low")),
                          ("src/top/east/d.cpp:1", "top/east must not include low"))

    def test_test_uses_must_not_repeat_uses(self):
        test = {"tests/top/east/c_test.cpp": '#include "mid/b.hpp"\n'}
        self.assert_found(self.findings(test, components(east="USES mid TEST_USES mid")),
                          ("CMakeLists.txt:3", "TEST_USES of top/east does not need mid"))

    def test_includes_of_a_shared_header_count_for_its_users(self):
        files = {"tests/top/support/world.hpp": '#include "low/a.hpp"\n',
                 "tests/top/east/c_test.cpp": '#include "top/support/world.hpp"\n'}
        self.assert_found(self.findings(files, components(east="USES mid TEST_USES low")))
        self.assert_found(self.findings(files),
                          ("tests/top/support/world.hpp:1", "tests of top/east must not include low"))

    def test_a_header_of_other_tests_is_reported(self):
        files = {"tests/low/cases.hpp": "", "tests/mid/b_test.cpp": '#include "low/cases.hpp"\n'}
        self.assert_found(self.findings(files), ("tests/mid/b_test.cpp:1", "belongs to other tests"))

    def test_a_component_must_not_include_headers_of_tests(self):
        files = {"tests/temporary.hpp": "", "src/mid/b.cpp": '#include "temporary.hpp"\n'}
        self.assert_found(self.findings(files), ("src/mid/b.cpp:1", "belongs to other tests"))

    def test_service_tests_support_fuzz_targets_and_benches_have_their_own_lists(self):
        names = ("bench/micro/m.cpp", "bench/programs/speed.cpp", "tests/fuzz/support/f.hpp", "tests/service/s_test.cpp",
                 "tests/support/s.hpp")
        files = dict.fromkeys(names, '#include "low/a.hpp"\n')
        calls = "roost_service_tests({0})\nroost_test_support({0})\nroost_fuzz({0})\n" \
                "roost_bench(speed {0})\nroost_micro({0})\n"
        self.assert_found(self.findings(files, components() + calls.format("USES low")))
        self.assert_found(self.findings(files, components() + calls.format("")),
                          *((f"{name}:1", "must not include low") for name in files))
        self.assert_found(self.findings(files), *((f"{name}:1", "no declaration") for name in files))


class PackagesTest(ComponentIncludesTest):
    def test_a_component_must_name_the_package_of_an_included_header(self):
        source = {"src/low/a.cpp": "#include <caf/actor.hpp>\n"}
        self.assert_found(self.findings(source, components(low="PACKAGES caf")))
        self.assert_found(self.findings(source), ("src/low/a.cpp:1", "package caf: add caf to PACKAGES of low"))

    def test_a_package_included_only_through_another_component_need_not_be_named(self):
        self.assert_found(self.findings({"src/low/a.hpp": "#include <caf/actor.hpp>\n"}, components(low="PACKAGES caf")))

    def test_a_package_with_macros_must_also_be_named_if_included_indirectly(self):
        header = {"src/low/a.hpp": "#include <simdjson.h>\n"}
        self.assert_found(self.findings(header, components(low="PACKAGES simdjson::simdjson")),
                          ("src/low/a.hpp:1", "PACKAGES of mid"), ("src/low/a.hpp:1", "PACKAGES of top/east"))

    def test_an_unneeded_package_is_reported(self):
        self.assert_found(self.findings({}, components(low="PACKAGES soci")),
                          ("CMakeLists.txt:1", "PACKAGES of low does not need soci"))

    def test_a_package_of_the_tests_must_be_named_for_them(self):
        test = {"tests/low/a_test.cpp": "#include <gtest/gtest.h>\n#include <boost/endian.hpp>\n"}
        self.assert_found(self.findings(test, components(low="TEST_PACKAGES Boost::headers")))
        self.assert_found(self.findings(test),
                          ("tests/low/a_test.cpp:2", "Boost::headers: add Boost::headers to TEST_PACKAGES of low"))

    def test_a_header_of_an_unknown_package_is_reported(self):
        source = {"src/low/a.cpp": "#include <vector>\n#include <sys/stat.h>\n#include <news/x.hpp>\n"}
        self.assert_found(self.findings(source), ("src/low/a.cpp:3", "nor in a known package"))


class CyclesTest(ComponentIncludesTest):
    def test_a_file_and_its_header_are_no_cycle(self):
        self.assert_found(self.findings({"src/low/a.cpp": '#include "low/a.hpp"\n'}))

    def test_two_headers_that_include_each_other_are_a_cycle(self):
        files = {"src/low/a.hpp": '#include "low/b.hpp"\n', "src/low/b.hpp": '#include "low/a.hpp"\n'}
        self.assert_found(self.findings(files), ("src/low/a.hpp:1", "src/low/a -> src/low/b -> src/low/a"))

    def test_a_source_file_may_be_part_of_a_cycle(self):
        files = {"src/low/a.cpp": '#include "low/c.hpp"\n', "src/low/b.hpp": '#include "low/a.hpp"\n',
                 "src/low/c.hpp": '#include "low/b.hpp"\n'}
        self.assert_found(self.findings(files), ("src/low/a.cpp:1", "src/low/a -> src/low/c -> src/low/b -> src/low/a"))


if __name__ == "__main__":
    unittest.main()
