"""Checks that each component includes only what it may: the walls that CMakeLists.txt declares.

A component is a folder below src. roost_component(FOLDER USES … PACKAGES … TEST_USES … TEST_PACKAGES …) in CMakeLists.txt lists
the components and the packages whose headers it includes. This program holds the includes of all files to these lists, and
the lists to the includes:

- A file includes headers of its own component and of those in USES, and headers of the packages in PACKAGES. Its tests, the
  folder of the same name below tests, include besides those in TEST_USES and TEST_PACKAGES.
- USES names only components that are declared above. Every name in a list is needed by some include of the folder itself.
  Every folder with sources is declared.
- No files include each other in a circle. A .cpp and its .hpp count as one file.

Not everything is a component. tests/support, tests/service and bench/programs are held to roost_test_support(USES …),
roost_service_tests(USES …) and roost_bench(NAME USES …), bench/micro to roost_micro(USES …); bench/contention and its
tests in tests/bench to roost_lab(USES …), as a component with its tests. Headers in tests itself and in a support folder of several
components, as tests/store/support, belong to whoever includes them: the components of those tests name what the headers include.
src/main.cpp may include any component. Tests of one component do not include headers of another component's tests. A package that
comes with macros is named also where its headers arrive through those of another component.

Prints a line `path:line: message` for each finding, and fails if there is one.
"""

import collections
import pathlib
import re
import sys

from sources import Sources

LISTS = "CMakeLists.txt"
CALL = re.compile(r"^[ \t]*(roost_component|roost_test_support|roost_service_tests|roost_bench|roost_micro|roost_lab)\(([^)]*)\)", re.MULTILINE)
KEYS = ("USES", "PACKAGES", "TEST_USES", "TEST_PACKAGES")

# The package that a header belongs to; the first line that matches counts. None is for what is always there.
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
    (r"(gtest|gmock)/", None),
    (r"((sys|arpa|netinet)/)?[a-z0-9_]+(\.h)?$", None),  # the standard library and POSIX
]

UNKNOWN = "unknown"

# Packages whose targets define macros: every file that sees their headers must see the same macros.
WITH_MACROS = {"simdjson::simdjson", "spdlog::spdlog", "tomlplusplus::tomlplusplus"}


class Declaration:
    """One call of CALL: its folder or name, and its lists, each from a name to the line that it is in."""

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
    """The declarations of a CMakeLists.txt, in its order."""
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
    """The package of a header, None for one that is always there, UNKNOWN for one that nothing is known of."""
    return next((package for pattern, package in PACKAGES if re.match(pattern, header)), UNKNOWN)


class Walls:
    """What a project's sources and its CMakeLists.txt say. `findings` holds what is wrong: (path, line, message)."""

    def __init__(self, sources):
        self.sources = sources
        self.findings = set()
        self.declarations = read_declarations((sources.root / LISTS).read_text())
        self.components = {declaration.name for declaration in self.declarations if declaration.command == "roost_component"}
        self.places = {path: self.place_of(path) for path in sources.all()}

    def check(self):
        """The findings as lines, sorted."""
        self.check_folders()
        self.check_order()
        for declaration in self.declarations:
            for place, keys in self.places_of(declaration):
                self.check_includes(place, declaration, keys)
        self.check_circles()
        return [f"{path}:{line}: {message}" for path, line, message in sorted(self.findings)]

    def tell(self, path, line, message):
        self.findings.add((path if isinstance(path, str) else self.sources.name(path), line, message))

    def place_of(self, path):
        """Where a file belongs: (kind, name)."""
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
        if folders[:1] == ["service"]:
            return ("service", "")
        if not folder or (len(folders) == 2 and folders[1] == "support"):
            return ("shared", folder)
        return ("tests", folder)

    def places_of(self, declaration):
        """The places that a declaration is about, each with the lists that are there for it alone."""
        if declaration.command == "roost_component":
            return [(("component", declaration.name), ("USES", "PACKAGES")),
                    (("tests", declaration.name), ("TEST_USES", "TEST_PACKAGES"))]
        if declaration.command == "roost_lab":
            return [(("lab", ""), ("USES", "PACKAGES")), (("lab tests", ""), ("TEST_USES", "TEST_PACKAGES"))]
        kinds = {"roost_test_support": "support", "roost_service_tests": "service", "roost_bench": "bench", "roost_micro": "micro"}
        return [((kinds[declaration.command], declaration.name), ("USES", "PACKAGES"))]

    def check_folders(self):
        """Every file is in a folder that is declared, and every component has files."""
        declared = {place for declaration in self.declarations for place, _ in self.places_of(declaration)}
        for path, place in self.places.items():
            if place[0] not in ("main", "shared") and place not in declared:
                self.tell(path, 1, f"no declaration in {LISTS} covers this file: add one, or move the file")
        for declaration in self.declarations:
            if declaration.command == "roost_component" and ("component", declaration.name) not in self.places.values():
                self.tell(LISTS, declaration.line, f"src/{declaration} has no sources: remove the declaration")

    def check_order(self):
        """USES and TEST_USES name components, and USES of a component only those that are declared above it."""
        above = set()
        for declaration in self.declarations:
            is_component = declaration.command == "roost_component"
            for key in ("USES", "TEST_USES"):
                for name, line in declaration.lists[key].items():
                    if name not in self.components:
                        self.tell(LISTS, line, f"{key} of {declaration} names {name}, which is no component: correct it")
                    elif is_component and key == "USES" and name not in above:
                        self.tell(LISTS, line, f"{declaration} uses {name}, which is not declared above it: "
                                  "move what it needs down, or the declaration up")
            if is_component and declaration.name in above:
                self.tell(LISTS, declaration.line, f"{declaration} is declared twice: remove one declaration")
            if is_component:
                above.add(declaration.name)

    def check_includes(self, place, declaration, keys):
        """What a place includes is named in the declaration, and what the place's own lists name is included."""
        uses, packages = keys
        is_of_tests = place[0] in ("tests", "lab tests")
        who = f"the tests of {declaration}" if is_of_tests else str(declaration)
        components, headers = self.needs_of(place)
        for name, (path, line) in components.items():
            if name != declaration.name and name not in declaration.names("USES", uses):
                self.tell(path, line, f"{who} may not include {name}: do without it, or add it to {uses} in {LISTS}")
        for name, (path, line) in headers.items():
            if name not in declaration.names("PACKAGES", packages):
                self.tell(path, line, f"this header is of the package {name}: add it to {packages} of {declaration}")
        below = declaration.names("USES", "PACKAGES") if is_of_tests else set()
        for key in keys:
            for name, line in declaration.lists[key].items():
                if name in below or (name not in components and name not in headers):
                    self.tell(LISTS, line, f"{key} of {declaration} need not name {name}: remove it")

    def needs_of(self, place):
        """The components and the packages whose headers a place includes, each with the first (path, line) that does."""
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
                self.tell(*where, "this header is for other tests: move it to a support folder")
            for package, source in self.macros_behind(include.file):
                packages.setdefault(package, source)
        packages.pop(None, None)
        if UNKNOWN in packages:
            self.tell(*packages.pop(UNKNOWN), "no known package has this header: name it in script/lib/walls.py")
        return components, packages

    def macros_behind(self, path):
        """The packages of WITH_MACROS whose headers a file brings in, each with the (path, line) that includes one."""
        for file in self.sources.closure(path):
            for include in self.sources.includes(file):
                package = None if include.file else package_of(include.name)
                if package in WITH_MACROS:
                    yield package, (file, include.line)

    def includes_of(self, place):
        """(path, include) for the files of a place, and for the shared headers that they include."""
        pending = [path for path, other in self.places.items() if other == place]
        seen = set(pending)
        while pending:
            path = pending.pop(0)
            for include in self.sources.includes(path):
                yield path, include
                if include.file not in seen and self.places.get(include.file, ("",))[0] == "shared":
                    seen.add(include.file)
                    pending.append(include.file)

    def check_circles(self):
        """No file is reached from itself; each circle is told once, at the include that is first by name."""
        edges = collections.defaultdict(dict)
        for path in self.places:
            for include in self.sources.includes(path):
                if include.file and include.file.with_suffix("") != path.with_suffix(""):
                    edges[path.with_suffix("")].setdefault(include.file.with_suffix(""), (path, include.line))
        told = set()
        for start in sorted(edges):
            circle = shortest_circle(start, edges)
            if circle and not told.intersection(circle):
                told.update(circle)
                names = " -> ".join(self.sources.name(file) for file in [*circle, start])
                self.tell(*edges[start][circle[1]], f"includes in a circle: {names}: give what both need its own file")


def shortest_circle(start, edges):
    """The files on the shortest way from one back to itself, or None."""
    ways, seen = collections.deque([[start]]), set()
    while ways:
        way = ways.popleft()
        for file in edges.get(way[-1], ()):
            if file == start:
                return way
            if file not in seen:
                seen.add(file)
                ways.append([*way, file])
    return None


def main():
    found = Walls(Sources()).check()
    print("\n".join(found), end="\n" if found else "")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
