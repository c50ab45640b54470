"""Tests of script/lib/clang_tidy.py: batches, and the units affected by findings."""

import unittest

from sample_project import SampleProject
import clang_tidy
from sources import PROJECT, Sources


def units(count, options=("-O1",), folder="src/component", alone=False):
    return [clang_tidy.Unit(PROJECT / folder / f"{number:03}.cpp", options, alone) for number in range(count)]


class BatchesTest(unittest.TestCase):
    def sizes(self, all_units, jobs=1, names=None):
        return [len(batch) for batch in clang_tidy.batches_of(all_units, jobs, names or (lambda unit: {}))]

    def test_units_with_one_command_form_a_batch(self):
        self.assertEqual(self.sizes(units(7)), [7])

    def test_units_with_other_commands_or_checks_form_separate_batches(self):
        self.assertEqual(self.sizes(units(3) + units(2, ("-O2",)) + units(1, folder="tests/component")), [3, 2, 1])

    def test_units_with_other_macros_or_include_folders_share_a_batch(self):
        self.assertEqual(self.sizes(units(3) + units(2, ("-O1", "-DA=1", "-I/a", "-isystem/b"))), [5])

    def test_tests_of_the_whole_process_form_their_own_batches(self):
        process = units(2, folder="tests/service/feeds") + units(1, folder="tests/simulation")
        self.assertEqual(self.sizes(process + units(2, folder="tests/domain")), [3, 2])

    def test_each_folder_of_bench_is_a_program(self):
        self.assertEqual(self.sizes(units(2, folder="bench/one") + units(1, folder="bench/other")), [2, 1])

    def test_units_that_define_the_same_name_are_separated(self):
        self.assertEqual(self.sizes(units(3), names=lambda unit: {"name": unit.path}), [1, 1, 1])

    def test_units_may_share_the_definition_of_a_name(self):
        self.assertEqual(self.sizes(units(3), names=lambda unit: {"name": "using name = int;"}), [3])

    def test_a_unit_moves_to_the_first_batch_without_its_names(self):
        names = iter([{"a": 1}, {"a": 2}, {"b": 1}, {"a": 3}])
        self.assertEqual(self.sizes(units(4), names=lambda unit: next(names)), [2, 1, 1])

    def test_a_unit_that_must_be_compiled_alone_is_its_own_batch(self):
        self.assertEqual(self.sizes(units(3) + units(1, folder="src/other", alone=True)), [3, 1])

    def test_the_size_of_a_batch_is_limited(self):
        self.assertEqual(self.sizes(units(clang_tidy.MAX_BATCH)), [clang_tidy.MAX_BATCH])
        self.assertEqual(len(self.sizes(units(clang_tidy.MAX_BATCH + 1))), 2)

    def test_a_few_units_are_spread_over_all_jobs(self):
        self.assertEqual(self.sizes(units(6), jobs=2), [3, 3])
        self.assertEqual(self.sizes(units(1), jobs=2), [1])

    def test_no_unit_is_lost(self):
        both = units(clang_tidy.MAX_BATCH * 2 + 7) + units(9, ("-O2",))
        self.assertCountEqual([unit for batch in clang_tidy.batches_of(both, 2, lambda unit: {}) for unit in batch], both)


class OptionsTest(unittest.TestCase):
    def test_options_lack_files_and_what_only_gcc_knows(self):
        command = ("c++ -DA -isystem /b -Og -fpch-preprocess --param ggc-min-heapsize=9 -Winvalid-pch -include /pch.hxx"
                   " -std=c++20 -o a.o -c a.cpp")
        self.assertEqual(clang_tidy.options_of({"command": command, "file": "a.cpp"}),
                         ("-DA", "-isystem/b", "-Og", "-std=c++20"))


class HiddenNamesTest(SampleProject):
    def names(self, text):
        return [name for _, name, _ in clang_tidy.hidden_names(text)]

    def test_functions_types_and_constants_of_unnamed_namespaces_are_hidden(self):
        self.assertEqual(
            self.names("namespace roost {\n\nnamespace {\n\nconstexpr int limit = 3;\nconst text words =\n    \"a b\";\nclass reader : base {\npublic:\n"
                       "  int field;\n};\n\nstd::vector<int> all(const text& from) {\n  call(from);\n}\n\n"
                       "template <typename T> T first(T each) {\n}\n\n} // namespace\n\nint shown() {\n}\n\n"
                       "} // namespace roost\n"),
            ["limit", "words", "reader", "all", "first"])

    def test_a_name_belongs_to_the_namespaces_around_it(self):
        text = "namespace roost::store {\nnamespace {\nint count;\n} // namespace\n} // namespace roost::store\n"
        self.assertEqual(list(clang_tidy.hidden_names(text)), [("roost::store", "count", None)])

    def test_an_alias_has_its_definition(self):
        text = "namespace {\nusing clock = std::chrono::steady_clock;\n} // namespace\n"
        self.assertEqual(list(clang_tidy.hidden_names(text)), [("", "clock", "using clock = std::chrono::steady_clock;")])

    def test_functions_of_named_namespaces_are_shared(self):
        text = "namespace roost::store {\nnamespace {\nint count;\n} // namespace\n\nint total(int a) {\n}\n} // namespace roost::store\n"
        self.assertEqual(list(clang_tidy.shared_names(text)), [("roost::store", "total")])

    def test_a_hidden_name_and_a_function_of_the_same_name_are_put_into_different_batches(self):
        texts = {
            "a.cpp": "namespace roost {\nint count() {\n}\n} // namespace roost\n",
            "b.cpp": "namespace roost {\nint count(int each) {\n}\n} // namespace roost\n",
            "c.cpp": "namespace roost {\nnamespace {\nint count;\n} // namespace\n} // namespace roost\n",
        }
        names = {}
        for name, text in texts.items():
            path = self.root / "src" / name
            path.parent.mkdir(exist_ok=True)
            path.write_text(text)
            names[name] = clang_tidy.own_names(clang_tidy.Unit(path, (), False), Sources(self.root))
        self.assertEqual(names["a.cpp"], names["b.cpp"])
        self.assertNotEqual(names["a.cpp"], names["c.cpp"])

    def test_macros_of_a_unit_count_as_its_names(self):
        self.write({"src/a.cpp": ""})
        unit = clang_tidy.Unit(self.root / "src/a.cpp", ("-O1", "-DNAME=1"), False)
        self.assertEqual(clang_tidy.own_names(unit, Sources(self.root)), {"-DNAME": "-DNAME=1"})


class CleanUnitsTest(SampleProject):
    def setUp(self):
        super().setUp()
        self.write({"src/a.hpp": "", "src/b.cpp": '#include "a.hpp"\n', "src/c.cpp": "", "src/d.cpp": ""})
        self.batch = [clang_tidy.Unit(self.root / "src" / name, (), False) for name in ("b.cpp", "c.cpp", "d.cpp")]

    def clean_units(self, *findings):
        output = "".join(f"{self.root / path}:1:2: error: bad [check]\n  code\n" for path in findings)
        return [unit.path.name for unit in clang_tidy.clean_units(self.batch, output, Sources(self.root))]

    def test_units_without_the_finding_are_clean(self):
        self.assertEqual(self.clean_units("src/c.cpp"), ["b.cpp", "d.cpp"])

    def test_units_that_include_a_header_with_a_finding_are_not_clean(self):
        self.assertEqual(self.clean_units("src/a.hpp"), ["c.cpp", "d.cpp"])

    def test_no_unit_is_clean_after_a_finding_elsewhere_or_an_unexplained_failure(self):
        self.assertEqual(self.clean_units("src/c.cpp", "elsewhere.cpp"), [])
        self.assertEqual(self.clean_units(), [])


class CommandTest(unittest.TestCase):
    def test_the_options_are_the_command_without_compiler_source_and_object(self):
        command = r'/usr/bin/c++ -DNAME=\"x\" -I/src -o a.dir/b.cpp.o -c /src/b.cpp'
        self.assertEqual(clang_tidy.options_of({"command": command, "file": "/src/b.cpp"}), ('-DNAME="x"', "-I/src"))


if __name__ == "__main__":
    unittest.main()
