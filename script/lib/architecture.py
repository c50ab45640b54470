"""Checks ARCHITECTURE.md against CMakeLists.txt and the sources.

- Each component that CMakeLists.txt declares has exactly one line in the code block of the section `Components`. The line
  starts with the component's path; indented lines continue the line above.
- The table of the section `Actors` has exactly one row for each actor: a class in src/actors with a member
  `static constexpr const char* name = "…"`. The row starts with that name.

Prints a line `path:line: message` for each finding, and fails if there is one.
"""

import re
import sys

from sources import PROJECT
from walls import line_of, read_declarations

DOCUMENT = "ARCHITECTURE.md"
MAP_LINE = re.compile(r"^([a-z_]+(?:/[a-z_]+)*)\b", re.MULTILINE)
ACTOR_ROW = re.compile(r"^\| `(\w+)` \|", re.MULTILINE)
ACTOR_NAME = re.compile(r'static constexpr const char\* name = "(\w+)"')


def section(text, heading):
    """The start and the text of the section with this heading of the second level; None if there is none."""
    match = re.search(rf"^## {heading}\n(.*?)(?=^## |\Z)", text, re.MULTILINE | re.DOTALL)
    return match and (match.start(1), match[1])


def code_block(text):
    match = re.search(r"^```\w*\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    return match and (match.start(1), match[1])


class Architecture:
    """`findings` holds what is wrong: (path, line, message)."""

    def __init__(self, root=PROJECT):
        self.root = root
        self.text = (root / DOCUMENT).read_text()
        self.findings = []
        self.check_map()
        self.check_actors()

    def report(self, position, message):
        self.findings.append((DOCUMENT, line_of(self.text, position), message))

    def compare(self, what, start, rows, expected):
        """`rows` are (position, name)."""
        seen = set()
        for position, name in rows:
            if name not in expected:
                self.report(position, f"there is no {what} called {name}")
            elif name in seen:
                self.report(position, f"the {what} {name} has a line already")
            seen.add(name)
        for name in sorted(expected - seen):
            self.report(start, f"the {what} {name} is missing here")

    def check_map(self):
        found = section(self.text, "Components")
        block = found and code_block(found[1])
        if not block:
            return self.report(0, "the section Components has no code block")
        start = found[0] + block[0]
        rows = [(start + match.start(), match[1]) for match in MAP_LINE.finditer(block[1])]
        declared = read_declarations((self.root / "CMakeLists.txt").read_text())
        self.compare("component", start, rows, {each.name for each in declared if each.command == "roost_component"})

    def check_actors(self):
        found = section(self.text, "Actors")
        if not found:
            return self.report(0, "the section Actors is missing")
        rows = [(found[0] + match.start(), match[1]) for match in ACTOR_ROW.finditer(found[1])]
        names = set()
        for path in sorted((self.root / "src" / "actors").rglob("*.?pp")):
            names.update(ACTOR_NAME.findall(path.read_text()))
        self.compare("actor", found[0], rows, names)


if __name__ == "__main__":
    findings = Architecture().findings
    for path, line, message in findings:
        print(f"{path}:{line}: {message}")
    sys.exit(1 if findings else 0)
