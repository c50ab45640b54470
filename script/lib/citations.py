"""Checks that everything cited in comments and documents exists.

Citations have these forms:

- `Partner API, Errors`: a heading of docs/partner-api.md. `Partner API, Errors, rule 3` is the third numbered statement below
  it (also `rules 2 to 4`, `rules 2 and 4`), `Partner API, Errors: single-landlord prefix` is a text in that section.
  DOCUMENTS maps names to documents.
- `docs/operations.md, Backup`: a heading of a document of the project.
- `RFC 9112` or `RFC 9112, 7.1`: an RFC or a section of it, several as `RFC 9110, 8.8.3 and 13.1.2`. RFCS lists the cited RFCs
  with their number of sections.
- `src/main.cpp`, `domain/money.hpp`, `script/test`: a file or folder of the project; a `*` matches any characters.
- `domain/money.*`: files of src whose names begin like this.
- `[text](operations.md#backup)`: in a document, a file and one of its headings.

In C++ files, only comments are checked. Prints a line `path:line: message` for each finding, and fails if there is any.
"""

import bisect
import re
import sys

from sources import PROJECT, report
from component_includes import UNKNOWN, package_of

DOCUMENTS = {"Partner API": "docs/partner-api.md", "Management API": "docs/management-api.md"}

# The number of the last section of each cited RFC.
RFCS = {
    1035: 9, 1951: 9, 1952: 8, 2045: 12, 2047: 12, 2104: 6, 3629: 14, 3834: 10, 4180: 7, 3986: 10, 4648: 16, 5321: 10, 5322: 7, 5545: 10, 6265: 8, 6454: 12, 6750: 9, 6901: 11,
    5891: 10, 6531: 7, 6532: 7, 6749: 12, 6890: 5, 7591: 7, 7636: 8, 7662: 6, 8252: 10, 8414: 8, 8707: 6, 9111: 9, 9207: 6, 9728: 9,
    6585: 9, 6797: 16, 7239: 10, 7986: 10, 8265: 9, 9325: 8,
    7301: 8, 7435: 9, 7515: 11, 7517: 10, 7518: 9, 7519: 13, 8259: 14, 8446: 12, 8725: 6, 9106: 8, 9110: 19, 9112: 13, 9562: 9,
}

FOLDERS = ("docs", "src", "tests", "bench", "script", "cmake", "config", ".ci")
EXCLUDED = ("tests/lint", "script/lib/citations.py", "tests/golden", "tests/fuzz/corpora")  # examples of citations; data files
SUFFIXES = (".md", ".cpp", ".hpp", ".py", ".sh", ".cmake", ".toml", ".lua", ".js", ".mjs", ".yml", ".service", ".txt", "")

NAMED = re.compile(r"\b(" + "|".join(DOCUMENTS) + r")\b(?:, )?")
HEADED = re.compile(r"(?<![\w/.-])([\w./-]+\.md), (?=[A-Z])")
WORDS = re.compile(r": ([^).;\n]+)")
RULES = re.compile(r", rules? (\d+(?:(?:, | and | to )\d+)*)")
RFC = re.compile(r"\brfc[- ]?(\d{3,5})\b(?:,? (sections?|§) ?\d)?(?:, ((?:\d+(?:\.\d+)*(?:, | and )?)+))?", re.IGNORECASE)
PATH = re.compile(rf"(?<![\w/.$}}~-])((?:{'|'.join(map(re.escape, FOLDERS))})/[^\s`'\"(),;:#\[\]|]*)")
FILE = re.compile(r"(?<![\w/.$}>*<…-])((?:\w+/)*\w+\.(?:cpp|hpp|md|cmake))\b(?![/-])")
FILES = re.compile(r"(?<![\w/.$}>*<…-])((?:\w+/)+\w+\.?\*)(?![\w*/]|\.\w)")
LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
PLACEHOLDER = re.compile(r"[<>{}$…]|NNNN|NAME|FOLDER|\b(my|foo)[._]")


class Prose:
    """The prose of a file with joined lines; `line_of` returns the line of a position."""

    def __init__(self, path, text):
        self.lines = []
        self.starts = []
        self.text = ""
        pieces = comments_of(text) if path.suffix in (".cpp", ".hpp") else enumerate(text.splitlines(), start=1)
        last = 0
        for number, piece in pieces:
            stripped = re.sub(r"^\s*(#+ )?", "", piece).rstrip() if path.suffix != ".md" else piece.strip()
            joined = " " if number == last + 1 and stripped else "\n"
            self.starts.append(len(self.text) + 1)
            self.lines.append(number)
            self.text += joined + stripped
            last = number if stripped else 0

    def line_of(self, position):
        return self.lines[max(bisect.bisect_right(self.starts, position) - 1, 0)]


def comments_of(text):
    """Yields (line, text) for the comments of a C++ file, without slashes."""
    for number, line in enumerate(text.splitlines(), start=1):
        match = re.search(r"(?:^|\s)//[/!]?<?\s?(.*)$", line)
        if match:
            yield number, match[1]


class Document:
    """The headings of a Markdown file, and the text and the statement numbers below each."""

    def __init__(self, text):
        self.words = {}
        self.numbers = {}
        self.anchors = set()
        heading, fenced = "", False
        for line in text.splitlines():
            fenced ^= line.startswith("```")
            match = None if fenced else re.match(r"#+ (.*)", line)
            if match:
                heading = match[1].replace("`", "").strip()
                self.words[heading] = ""
                self.numbers[heading] = set()
                self.anchors.add(self.new_anchor(heading))
            elif heading:
                self.words[heading] += " " + line.replace("`", "").strip().lower()
                if not fenced and re.match(r"\d+\. ", line):
                    self.numbers[heading].add(int(line.split(".")[0]))

    def new_anchor(self, heading):
        """Returns the anchor of a heading, like GitHub; repeated ones get a number."""
        anchor = re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")
        number = 0
        while (anchor if not number else f"{anchor}-{number}") in self.anchors:
            number += 1
        return anchor if not number else f"{anchor}-{number}"

    def heading_at(self, text, position):
        """Returns the longest heading at a position of a text, or None."""
        matches = [heading for heading in self.numbers
                if text.startswith(heading, position) and not re.match(r"[\w-]", text[position + len(heading):][:1])]
        return max(matches, key=len, default=None)


class Citations:
    """The citations of a project; `findings` are (path, line, message)."""

    def __init__(self, root=PROJECT):
        self.root = root.resolve()
        self.findings = set()
        self.documents = {}
        self.files = [path.relative_to(self.root).as_posix() for path in self.all_files()]

    def all_files(self):
        """Yields the files of the project's folders and of its root."""
        for path in sorted(self.root.iterdir()):
            if path.is_file():
                yield path
        for folder in FOLDERS:
            yield from sorted(path for path in (self.root / folder).rglob("*")
                              if path.is_file() and "__pycache__" not in path.parts)

    def check(self):
        """Returns the findings as sorted lines."""
        for name in self.files:
            path = self.root / name
            if path.suffix in SUFFIXES and not name.startswith(EXCLUDED):
                self.check_file(name, Prose(path, path.read_text()))
        return [f"{path}:{line}: {message}" for path, line, message in sorted(self.findings)]

    def check_file(self, name, prose):
        for check in (self.check_named, self.check_headed, self.check_rfcs, self.check_paths, self.check_links):
            for position, message in check(name, prose.text):
                self.findings.add((name, prose.line_of(position), message))

    def document(self, name):
        """Returns the document with this path, or None."""
        if name not in self.documents:
            path = self.root / name
            self.documents[name] = Document(path.read_text()) if path.is_file() else None
        return self.documents[name]

    def check_named(self, name, text):
        for match in NAMED.finditer(text):
            if name.endswith(".md") and not re.match(r"[A-Z]", text[match.end():][:1]):
                continue
            path = DOCUMENTS[match[1]]
            if not match[0].endswith(", "):
                yield match.start(), f"the section is missing: write \"{match[1]}, <heading of {path}>\""
            else:
                yield from self.check_section(path, text, match.end())

    def check_headed(self, name, text):
        for match in HEADED.finditer(text) if not name.endswith(".md") else ():
            yield from self.check_section(match[1], text, match.end())

    def check_section(self, path, text, position):
        """Checks that the position contains a heading of a document, optionally with existing rules or a text of the section."""
        document = self.document(path)
        if not document:
            yield position, f"{path} does not exist: correct the citation, or write the document"
            return
        heading = document.heading_at(text, position)
        if heading is None:
            cited = re.match(r"[^).;:\n]{0,40}", text[position:])[0]
            yield position, f"{path} has no heading \"{cited}\": cite an existing heading, or add it"
            return
        end = position + len(heading)
        rules, words = RULES.match(text, end), WORDS.match(text, end)
        if rules:
            for number in map(int, re.findall(r"\d+", rules[1])):
                if number not in document.numbers[heading]:
                    yield position, f"\"{heading}\" of {path} has no rule {number}: cite an existing rule"
        elif words:
            if words[1].lower() not in document.words[heading]:
                yield position, f"\"{heading}\" of {path} does not contain \"{words[1]}\": cite an existing text"
        elif re.match(r",? \d|[^\s).;:,\]]| [^\n]", text[end:end + 3]):
            yield position, f"the heading \"{heading}\" must be followed by punctuation, \", rule 3\" or \": text\""

    def check_rfcs(self, _, text):
        for match in RFC.finditer(text):
            number = int(match[1])
            if not match[0].startswith(f"RFC {number}"):
                yield match.start(), f"write \"RFC {number}\""
            elif number not in RFCS:
                yield match.start(), f"RFC {number} is unknown: if it exists, add it to RFCS in script/lib/citations.py"
            elif match[2]:
                yield match.start(), f"write only the number of the section: \"RFC {number}, 1.2\""
            for section in re.findall(r"\d+[\d.]*", match[3] or ""):
                if number in RFCS and int(section.split(".")[0]) > RFCS[number]:
                    yield match.start(), f"RFC {number} has no section {section}: the last one is {RFCS[number]}"

    def check_paths(self, _, text):
        for match in PATH.finditer(text):
            path = match[1].rstrip(".*/-") if not match[1].endswith("*") else match[1]
            if not PLACEHOLDER.search(path) and not any([*self.root.glob(path), *self.root.glob(f"src/{path}")]):
                yield match.start(), f"{path} does not exist: correct the path"
        for match in FILE.finditer(text):
            if PLACEHOLDER.search(match[1]) or package_of(match[1]) != UNKNOWN:
                continue
            if not any(file == match[1] or file.endswith("/" + match[1]) for file in self.files):
                yield match.start(), f"no file is named {match[1]}: correct the name"
        for match in FILES.finditer(text):
            if PATH.match(text, match.start()):
                continue  # checked above
            if not any([*self.root.glob(match[1]), *self.root.glob(f"src/{match[1]}")]):
                yield match.start(), f"no file is named {match[1]}: correct the name"

    def check_links(self, name, text):
        for match in LINK.finditer(text) if name.endswith(".md") else ():
            target, _, anchor = match[1].partition("#")
            if re.match(r"[a-z]+:", target):
                continue
            path = (self.root / name).parent / target if target else self.root / name
            if not path.exists():
                yield match.start(), f"{target} does not exist: correct the link"
            elif anchor and anchor not in self.document(path.resolve().relative_to(self.root).as_posix()).anchors:
                yield match.start(), f"{target or name} has no heading #{anchor}: correct the link"


def main():
    return report(Citations().check())


if __name__ == "__main__":
    sys.exit(main())
