"""Tests of script/lib/walls.py, each with a house of three components that is made up for it."""

import unittest

from made_up import MadeUp
from sources import Sources
from walls import Walls

FILES = {
    "src/low/a.hpp": "",
    "src/mid/b.hpp": '#include "low/a.hpp"\n',
    "src/top/east/c.hpp": '#include "mid/b.hpp"\n',
    "src/main.cpp": '#include "top/east/c.hpp"\n',
}


def components(low="", mid="USES low", east="USES mid"):
    """The declarations of the three components, each in the line of its number."""
    return f"roost_component(low {low})\nroost_component(mid {mid})\nroost_component(top/east {east})\n"


class House(MadeUp):
    def findings(self, files, declarations=components()):
        """What is found in the house with these files added to it or written over its own."""
        self.write({**FILES, **files, "CMakeLists.txt": declarations})
        return Walls(Sources(self.root)).check()

    def assert_found(self, findings, *expected):
        """There is one finding for each expected one, of which the place and a part of the message are given."""
        self.assertEqual(len(findings), len(expected), findings)
        for finding, (place, part) in zip(findings, expected):
            self.assertTrue(finding.startswith(place + ": "), finding)
            self.assertIn(part, finding)


class RoomsTest(House):
    def test_a_house_whose_lists_are_true_has_no_findings(self):
        self.assert_found(self.findings({}))

    def test_an_include_of_a_room_that_uses_does_not_name_is_refused(self):
        self.assert_found(self.findings({"src/top/east/d.cpp": '\n#include "low/a.hpp"\n'}),
                          ("src/top/east/d.cpp:2", "top/east may not include low"))

    def test_an_include_is_seen_however_it_is_written(self):
        self.assert_found(self.findings({"src/top/east/d.cpp": ' #  include "../../low/a.hpp"\n'}),
                          ("src/top/east/d.cpp:1", "may not include low"))

    def test_an_include_in_a_comment_is_none(self):
        self.assert_found(self.findings({"src/top/east/d.cpp": '// #include "low/a.hpp"\n'}))

    def test_a_room_uses_no_room_that_is_declared_below_it(self):
        self.assert_found(self.findings({"src/low/up.cpp": '#include "mid/b.hpp"\n'}, components(low="USES mid")),
                          ("CMakeLists.txt:1", "low uses mid, which is not declared above it"))

    def test_a_room_does_not_use_itself(self):
        self.assert_found(self.findings({}, components(mid="USES low\nmid")),
                          ("CMakeLists.txt:3", "need not name mid"), ("CMakeLists.txt:3", "not declared above it"))

    def test_a_list_names_no_room_that_is_not_there(self):
        self.assert_found(self.findings({}, components(east="USES mid cellar")),
                          ("CMakeLists.txt:3", "cellar, which is no component"), ("CMakeLists.txt:3", "need not name"))

    def test_a_name_that_no_include_needs_is_refused(self):
        self.assert_found(self.findings({}, components(east="USES mid low")),
                          ("CMakeLists.txt:3", "USES of top/east need not name low"))

    def test_a_name_that_only_the_tests_need_does_not_belong_in_uses(self):
        test = {"tests/top/east/c_test.cpp": '#include "low/a.hpp"\n'}
        self.assert_found(self.findings(test, components(east="USES mid low")),
                          ("CMakeLists.txt:3", "USES of top/east need not name low"))

    def test_declarations_in_comments_are_none(self):
        self.assert_found(self.findings({}, components() + "# roost_component(attic USES sky)\n"))

    def test_a_folder_that_no_room_declares_is_refused(self):
        self.assert_found(self.findings({"src/top/west/d.cpp": "", "tests/attic/d_test.cpp": ""}),
                          ("src/top/west/d.cpp:1", "no declaration"), ("tests/attic/d_test.cpp:1", "no declaration"))

    def test_a_room_without_sources_is_refused(self):
        self.assert_found(self.findings({}, components() + "roost_component(attic)\n"),
                          ("CMakeLists.txt:4", "src/attic has no sources"))

    def test_a_room_is_declared_once(self):
        self.assert_found(self.findings({}, components() + "roost_component(low)\n"),
                          ("CMakeLists.txt:4", "low is declared twice"))


class TestsTest(House):
    def test_tests_include_what_test_uses_names_besides(self):
        test = {"tests/top/east/c_test.cpp": '#include "top/east/c.hpp"\n#include "mid/b.hpp"\n#include "low/a.hpp"\n'}
        self.assert_found(self.findings(test, components(east="USES mid TEST_USES low")))
        self.assert_found(self.findings(test), ("tests/top/east/c_test.cpp:3", "tests of top/east may not include low"))

    def test_what_only_test_uses_names_is_not_for_the_room_itself(self):
        files = {"src/top/east/d.cpp": '#include "low/a.hpp"\n', "tests/top/east/c_test.cpp": '#include "low/a.hpp"\n'}
        self.assert_found(self.findings(files, components(east="USES mid TEST_USES low")),
                          ("src/top/east/d.cpp:1", "top/east may not include low"))

    def test_test_uses_names_nothing_that_uses_names(self):
        test = {"tests/top/east/c_test.cpp": '#include "mid/b.hpp"\n'}
        self.assert_found(self.findings(test, components(east="USES mid TEST_USES mid")),
                          ("CMakeLists.txt:3", "TEST_USES of top/east need not name mid"))

    def test_what_a_shared_header_includes_its_users_name(self):
        files = {"tests/top/support/world.hpp": '#include "low/a.hpp"\n',
                 "tests/top/east/c_test.cpp": '#include "top/support/world.hpp"\n'}
        self.assert_found(self.findings(files, components(east="USES mid TEST_USES low")))
        self.assert_found(self.findings(files),
                          ("tests/top/support/world.hpp:1", "tests of top/east may not include low"))

    def test_a_header_of_other_tests_is_refused(self):
        files = {"tests/low/cases.hpp": "", "tests/mid/b_test.cpp": '#include "low/cases.hpp"\n'}
        self.assert_found(self.findings(files), ("tests/mid/b_test.cpp:1", "for other tests"))

    def test_a_room_includes_nothing_of_the_tests(self):
        files = {"tests/temporary.hpp": "", "src/mid/b.cpp": '#include "temporary.hpp"\n'}
        self.assert_found(self.findings(files), ("src/mid/b.cpp:1", "for other tests"))

    def test_the_tests_of_the_server_the_support_and_the_bench_are_held_to_their_own_lists(self):
        names = ("bench/micro/m.cpp", "bench/programs/speed.cpp", "tests/service/s_test.cpp", "tests/support/s.hpp")
        files = dict.fromkeys(names, '#include "low/a.hpp"\n')
        calls = "roost_service_tests({0})\nroost_test_support({0})\nroost_bench(speed {0})\nroost_micro({0})\n"
        self.assert_found(self.findings(files, components() + calls.format("USES low")))
        self.assert_found(self.findings(files, components() + calls.format("")),
                          *((f"{name}:1", "may not include low") for name in files))
        self.assert_found(self.findings(files), *((f"{name}:1", "no declaration") for name in files))


class PackagesTest(House):
    def test_a_package_is_named_by_the_room_that_includes_its_header(self):
        source = {"src/low/a.cpp": "#include <caf/actor.hpp>\n"}
        self.assert_found(self.findings(source, components(low="PACKAGES caf")))
        self.assert_found(self.findings(source), ("src/low/a.cpp:1", "package caf: add it to PACKAGES of low"))

    def test_a_package_whose_header_comes_from_another_room_need_not_be_named(self):
        self.assert_found(self.findings({"src/low/a.hpp": "#include <caf/actor.hpp>\n"}, components(low="PACKAGES caf")))

    def test_a_package_with_macros_is_named_wherever_its_header_arrives(self):
        header = {"src/low/a.hpp": "#include <simdjson.h>\n"}
        self.assert_found(self.findings(header, components(low="PACKAGES simdjson::simdjson")),
                          ("src/low/a.hpp:1", "PACKAGES of mid"), ("src/low/a.hpp:1", "PACKAGES of top/east"))

    def test_a_package_that_no_include_needs_is_refused(self):
        self.assert_found(self.findings({}, components(low="PACKAGES soci")),
                          ("CMakeLists.txt:1", "PACKAGES of low need not name soci"))

    def test_a_package_of_the_tests_is_named_for_them(self):
        test = {"tests/low/a_test.cpp": "#include <gtest/gtest.h>\n#include <boost/endian.hpp>\n"}
        self.assert_found(self.findings(test, components(low="TEST_PACKAGES Boost::headers")))
        self.assert_found(self.findings(test),
                          ("tests/low/a_test.cpp:2", "Boost::headers: add it to TEST_PACKAGES of low"))

    def test_a_header_of_an_unknown_package_is_refused(self):
        source = {"src/low/a.cpp": "#include <vector>\n#include <sys/stat.h>\n#include <news/x.hpp>\n"}
        self.assert_found(self.findings(source), ("src/low/a.cpp:3", "no known package"))


class CirclesTest(House):
    def test_a_file_and_its_header_are_no_circle(self):
        self.assert_found(self.findings({"src/low/a.cpp": '#include "low/a.hpp"\n'}))

    def test_two_headers_that_include_each_other_are_a_circle(self):
        files = {"src/low/a.hpp": '#include "low/b.hpp"\n', "src/low/b.hpp": '#include "low/a.hpp"\n'}
        self.assert_found(self.findings(files), ("src/low/a.hpp:1", "src/low/a -> src/low/b -> src/low/a"))

    def test_a_circle_is_closed_by_a_source_file_too(self):
        files = {"src/low/a.cpp": '#include "low/c.hpp"\n', "src/low/b.hpp": '#include "low/a.hpp"\n',
                 "src/low/c.hpp": '#include "low/b.hpp"\n'}
        self.assert_found(self.findings(files), ("src/low/a.cpp:1", "src/low/a -> src/low/c -> src/low/b -> src/low/a"))


if __name__ == "__main__":
    unittest.main()
