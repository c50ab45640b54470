"""Checks that each component includes only what CMakeLists.txt allows.

A component is a folder in src. roost_component(FOLDER USES … PACKAGES … TEST_USES … TEST_PACKAGES …) in CMakeLists.txt lists the
components and packages whose headers it includes. This program checks the includes of all files against these lists, and the
lists against the includes:

- A file may include headers of its own component, of the components in USES and of the packages in PACKAGES. Its tests, in the
  folder of the same name in tests, may also include those in TEST_USES and TEST_PACKAGES.
- USES may only name components declared above. Components of http use none of store: their data comes from actors. Every name in a list must be needed by an include of the folder itself.
  Every folder with sources must be declared.
- Files must not include each other in a cycle. A .cpp and its .hpp count as one file.

For folders that are not components, tests/support, tests/service, tests/simulation, tests/fuzz and bench/programs are checked against
roost_test_support(USES …), roost_service_tests(USES …), roost_simulation(USES …), roost_fuzz(USES …) and roost_bench(NAME USES …),
bench/micro against roost_micro(USES …), and bench/contention with its tests in tests/bench against roost_lab(USES …), like a component. Headers in tests itself and in a
support folder of several components, such as tests/store/support, count for the tests that include them. src/main.cpp may include
any component. Tests of one component must not include headers of another component's tests. A package with macros must also be
named if its headers are included through another component.

Prints a line `path:line: message` for each finding, and fails if there is any.
"""

import collections
import pathlib
import re
import sys

from sources import Sources, report

LISTS = "CMakeLists.txt"
CALL = re.compile(r"^[ \t]*(roost_component|roost_test_support|roost_service_tests|roost_simulation|roost_fuzz|roost_bench|roost_micro|roost_lab)\(([^)]*)\)", re.MULTILINE)
KEYS = ("USES", "PACKAGES", "TEST_USES", "TEST_PACKAGES")

# The package of a header, by the first matching pattern. None: always available.
PACKAGES = [
    (r"backtrace\.h$", "backtrace"),
    (r"boost/(asio|beast)\b", "asio"),
    (r"boost/", "Boost::headers"),
    (r"caf/", "caf"),
    (r"soci/|libpq-fe\.h$|sqlite3\.h$", "soci"),
    (r"simdjson\.h$", "simdjson::simdjson"),
    (r"rapidjson/", "RapidJSON"),
    (r"openssl/ssl\.h$", "OpenSSL::SSL"),
    (r"openssl/", "OpenSSL::Crypto"),
    (r"spdlog/", "spdlog::spdlog"),
    (r"prometheus/", "prometheus-cpp::core"),
    (r"toml\+\+/", "tomlplusplus::tomlplusplus"),
    (r"CLI/", "CLI11::CLI11"),
    (r"benchmark/", "benchmark::benchmark"),
    (r"curl/", "CURL::libcurl"),
    (r"kainjow/", "mustache"),
    (r"argon2\.h$", "argon2"),
    (r"cjose/", "cjose"),
    (r"isa-l\.h$", "isal"),
    (r"zlib\.h$", "ZLIB::ZLIB"),
    (r"utf8proc\.h$", "utf8proc"),
    (r"idn2\.h$", "idn2"),
    (r"libical/", "libical"),
    (r"(gtest|gmock)/", None),
    (r"((sys|arpa|netinet)/)?[a-z0-9_]+(\.h)?$", None),  # the standard library and POSIX
]

UNKNOWN = "unknown"

# Folders whose components must not use components of the other folder, although those are declared above.
APART = [("http/", "store/")]

# Packages whose targets define macros: all files that include their headers must see the same macros.
WITH_MACROS = {"simdjson::simdjson", "spdlog::spdlog", "tomlplusplus::tomlplusplus"}


class Declaration:
    """A call that matches CALL: its folder or name, and its lists, which map each name to its line."""

    def __init__(self, command, line):
        self.command = command
        self.line = line
        self.name = ""
        self.lists = {key: {} for key in KEYS}

    def __str__(self):
        return self.name or self.command

    def names(self, *keys):
        return {name for key in keys for name in self.lists[key]}


def read_declarations(text):
    """Returns the declarations of a CMakeLists.txt in order."""
    text = re.sub(r"#[^\n]*", lambda comment: " " * len(comment[0]), text)
    declarations = []
    for call in CALL.finditer(text):
        declaration = Declaration(call[1], line_of(text, call.start(1)))
        key = None
        for word in re.finditer(r"\S+", call[2]):
            if word[0] in KEYS:
                key = word[0]
            elif key:
                declaration.lists[key][word[0]] = line_of(text, call.start(2) + word.start())
            elif word[0] != "NO_TESTS":
                declaration.name = word[0]
        declarations.append(declaration)
    return declarations


def line_of(text, position):
    return text.count("\n", 0, position) + 1


def package_of(header):
    """Returns the package of a header, None if it is always available, or UNKNOWN."""
    return next((package for pattern, package in PACKAGES if re.match(pattern, header)), UNKNOWN)


class ComponentIncludes:
    """The includes and declarations of a project; `findings` are (path, line, message)."""

    def __init__(self, sources):
        self.sources = sources
        self.findings = set()
        self.declarations = read_declarations((sources.root / LISTS).read_text())
        self.components = {declaration.name for declaration in self.declarations if declaration.command == "roost_component"}
        self.places = {path: self.place_of(path) for path in sources.all()}

    def check(self):
        """Returns the findings as sorted lines."""
        self.check_folders()
        self.check_order()
        for declaration in self.declarations:
            for place, keys in self.places_of(declaration):
                self.check_includes(place, declaration, keys)
        self.check_cycles()
        return [f"{path}:{line}: {message}" for path, line, message in sorted(self.findings)]

    def report(self, path, line, message):
        self.findings.add((path if isinstance(path, str) else self.sources.name(path), line, message))

    def place_of(self, path):
        """Returns the place of a file: (kind, name)."""
        top, *folders = pathlib.PurePosixPath(self.sources.name(path)).parent.parts
        folder = "/".join(folders)
        if top == "src":
            return ("component", folder) if folder else ("main", "")
        if (top, folder) in (("bench", "contention"), ("tests", "bench")):
            return ("lab" if top == "bench" else "lab tests", "")
        if (top, folder) == ("bench", "micro"):
            return ("micro", "")
        if top == "bench":
            return ("bench", path.stem)
        if folder == "support":
            return ("support", "")
        if folders[:1] in (["service"], ["simulation"], ["fuzz"]):
            return (folders[0], "")
        if not folder or (len(folders) == 2 and folders[1] == "support"):
            return ("shared", folder)
        return ("tests", folder)

    def places_of(self, declaration):
        """Returns the places that a declaration covers, each with the keys of its own lists."""
        if declaration.command == "roost_component":
            return [(("component", declaration.name), ("USES", "PACKAGES")),
                    (("tests", declaration.name), ("TEST_USES", "TEST_PACKAGES"))]
        if declaration.command == "roost_lab":
            return [(("lab", ""), ("USES", "PACKAGES")), (("lab tests", ""), ("TEST_USES", "TEST_PACKAGES"))]
        kinds = {"roost_test_support": "support", "roost_service_tests": "service", "roost_simulation": "simulation",
                 "roost_fuzz": "fuzz", "roost_bench": "bench", "roost_micro": "micro"}
        return [((kinds[declaration.command], declaration.name), ("USES", "PACKAGES"))]

    def check_folders(self):
        """Checks that every file is in a declared folder, and that every component has files."""
        declared = {place for declaration in self.declarations for place, _ in self.places_of(declaration)}
        for path, place in self.places.items():
            if place[0] not in ("main", "shared") and place not in declared:
                self.report(path, 1, f"no declaration in {LISTS} covers this file: add one, or move the file")
        for declaration in self.declarations:
            if declaration.command == "roost_component" and ("component", declaration.name) not in self.places.values():
                self.report(LISTS, declaration.line, f"src/{declaration} has no sources: remove the declaration")

    def check_order(self):
        """Checks that USES and TEST_USES name components, and USES of a component only those declared above it."""
        above = set()
        for declaration in self.declarations:
            is_component = declaration.command == "roost_component"
            for key in ("USES", "TEST_USES"):
                for name, line in declaration.lists[key].items():
                    if name not in self.components:
                        self.report(LISTS, line, f"{key} of {declaration} names {name}, which is not a component: correct it")
                    elif is_component and key == "USES" and name not in above:
                        self.report(LISTS, line, f"{declaration} uses {name}, which is not declared above it: move the required "
                                    f"code to a lower component, or declare {name} first")
                    elif is_component and key == "USES" and any(declaration.name.startswith(user) and name.startswith(used)
                                                                for user, used in APART):
                        self.report(LISTS, line, f"{declaration} must not use {name}: use an actor")
            if is_component and declaration.name in above:
                self.report(LISTS, declaration.line, f"{declaration} is declared twice: remove one declaration")
            if is_component:
                above.add(declaration.name)

    def check_includes(self, place, declaration, keys):
        """Checks that the declaration names everything that a place includes, and that the place includes all names."""
        uses, packages = keys
        is_of_tests = place[0] in ("tests", "lab tests")
        includer = f"the tests of {declaration}" if is_of_tests else str(declaration)
        components, headers = self.needs_of(place)
        for name, (path, line) in components.items():
            if name != declaration.name and name not in declaration.names("USES", uses):
                self.report(path, line, f"{includer} must not include {name}: remove the include, or add {name} to {uses} in {LISTS}")
        for name, (path, line) in headers.items():
            if name not in declaration.names("PACKAGES", packages):
                self.report(path, line, f"this header belongs to the package {name}: add {name} to {packages} of {declaration}")
        below = declaration.names("USES", "PACKAGES") if is_of_tests else set()
        for key in keys:
            for name, line in declaration.lists[key].items():
                if name in below or (name not in components and name not in headers):
                    self.report(LISTS, line, f"{key} of {declaration} does not need {name}: remove it")

    def needs_of(self, place):
        """Returns the components and packages whose headers a place includes, each with the first (path, line)."""
        components, packages = {}, {}
        for path, include in self.includes_of(place):
            where = (path, include.line)
            if not include.file:
                packages.setdefault(package_of(include.name), where)
                continue
            kind, name = self.places[include.file]
            if kind == "component":
                components.setdefault(name, where)
            elif (kind, name) != place and (kind == "tests" or place[0] == "component"):
                self.report(*where, "this header belongs to other tests: move it to a support folder")
            for package, source in self.macros_behind(include.file):
                packages.setdefault(package, source)
        packages.pop(None, None)
        if UNKNOWN in packages:
            self.report(*packages.pop(UNKNOWN), "this header is neither in the project nor in a known package: "
                        "correct the include, or add the package to PACKAGES in script/lib/component_includes.py")
        return components, packages

    def macros_behind(self, path):
        """Yields the packages of WITH_MACROS that a file includes directly or indirectly, each with the (path, line)."""
        for file in self.sources.closure(path):
            for include in self.sources.includes(file):
                package = None if include.file else package_of(include.name)
                if package in WITH_MACROS:
                    yield package, (file, include.line)

    def includes_of(self, place):
        """Yields (path, include) for the files of a place, and for the shared headers that they include."""
        pending = [path for path, other in self.places.items() if other == place]
        seen = set(pending)
        while pending:
            path = pending.pop(0)
            for include in self.sources.includes(path):
                yield path, include
                if include.file not in seen and self.places.get(include.file, ("",))[0] == "shared":
                    seen.add(include.file)
                    pending.append(include.file)

    def check_cycles(self):
        """Checks that no file includes itself indirectly. Reports each cycle once, at the include that is first by name."""
        edges = collections.defaultdict(dict)
        for path in self.places:
            for include in self.sources.includes(path):
                if include.file and include.file.with_suffix("") != path.with_suffix(""):
                    edges[path.with_suffix("")].setdefault(include.file.with_suffix(""), (path, include.line))
        reported = set()
        for start in sorted(edges):
            cycle = shortest_cycle(start, edges)
            if cycle and not reported.intersection(cycle):
                reported.update(cycle)
                names = " -> ".join(self.sources.name(file) for file in [*cycle, start])
                self.report(*edges[start][cycle[1]], f"cyclic includes: {names}: move what both need to a separate file")


def shortest_cycle(start, edges):
    """Returns the files on the shortest path from a file back to itself, or None."""
    paths, seen = collections.deque([[start]]), set()
    while paths:
        path = paths.popleft()
        for file in edges.get(path[-1], ()):
            if file == start:
                return path
            if file not in seen:
                seen.add(file)
                paths.append([*path, file])
    return None


def main():
    return report(ComponentIncludes(Sources()).check())


if __name__ == "__main__":
    sys.exit(main())
