"""Checks ARCHITECTURE.md against CMakeLists.txt and the sources.

- Each component declared in CMakeLists.txt has exactly one line in the code block of the section `Components`. The line starts
  with the component's path; indented lines continue the line above. Each component has its line above those of the components
  in its list USES.
- The table of the section `Actors` has exactly one row for each actor, which is a class in src/actors with a member
  `static constexpr const char* name = "…"`. The row starts with that name.

Prints a line `path:line: message` for each finding, and fails if there is any.
"""

import re
import sys

from sources import PROJECT
from component_includes import line_of, read_declarations

DOCUMENT = "ARCHITECTURE.md"
COMPONENT_LINE = re.compile(r"^([a-z_]+(?:/[a-z_]+)*)\b", re.MULTILINE)
ACTOR_ROW = re.compile(r"^\| `(\w+)` \|", re.MULTILINE)
ACTOR_NAME = re.compile(r'static constexpr const char\* name = "(\w+)"')


def section(text, heading):
    """Returns the start and the text of the section with this second-level heading, or None."""
    match = re.search(rf"^## {heading}\n(.*?)(?=^## |\Z)", text, re.MULTILINE | re.DOTALL)
    return match and (match.start(1), match[1])


def code_block(text):
    match = re.search(r"^```\w*\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    return match and (match.start(1), match[1])


class Architecture:
    """The checked document; `findings` are (path, line, message)."""

    def __init__(self, root=PROJECT):
        self.root = root
        self.text = (root / DOCUMENT).read_text()
        self.findings = []
        self.check_components()
        self.check_actors()

    def report(self, position, message):
        self.findings.append((DOCUMENT, line_of(self.text, position), message))

    def compare(self, kind, start, rows, expected):
        """`rows` are (position, name)."""
        seen = set()
        for position, name in rows:
            if name not in expected:
                self.report(position, f"there is no {kind} named {name}")
            elif name in seen:
                self.report(position, f"the {kind} {name} already has a line")
            seen.add(name)
        for name in sorted(expected - seen):
            self.report(start, f"the {kind} {name} is missing")

    def check_components(self):
        components = section(self.text, "Components")
        block = components and code_block(components[1])
        if not block:
            return self.report(0, "the section Components has no code block")
        start = components[0] + block[0]
        rows = [(start + match.start(), match[1]) for match in COMPONENT_LINE.finditer(block[1])]
        declared = read_declarations((self.root / "CMakeLists.txt").read_text())
        components = [each for each in declared if each.command == "roost_component"]
        self.compare("component", start, rows, {each.name for each in components})
        self.check_order(rows, components)

    def check_order(self, rows, components):
        positions = {name: position for position, name in reversed(rows)}
        for user in components:
            for used in user.lists["USES"]:
                if used in positions and positions[used] < positions.get(user.name, 0):
                    self.report(positions[user.name], f"{user} uses {used}: move its line above that of {used}")

    def check_actors(self):
        actors = section(self.text, "Actors")
        if not actors:
            return self.report(0, "the section Actors is missing")
        rows = [(actors[0] + match.start(), match[1]) for match in ACTOR_ROW.finditer(actors[1])]
        names = set()
        for path in sorted((self.root / "src" / "actors").rglob("*.?pp")):
            names.update(ACTOR_NAME.findall(path.read_text()))
        self.compare("actor", actors[0], rows, names)


if __name__ == "__main__":
    findings = Architecture().findings
    for path, line, message in findings:
        print(f"{path}:{line}: {message}")
    sys.exit(1 if findings else 0)
