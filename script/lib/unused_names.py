"""Finds using declarations and namespace aliases that nothing in their file uses.

Stands in for misc-unused-using-decls and misc-unused-alias-decls of clang-tidy, which look only at the file that is
compiled and therefore see nothing in a batch (script/lib/clang_tidy.py). Headers are left alone: what they declare is
for others. Prints a line for each finding, and fails if there is one.
"""

import re
import sys

from sources import Sources

DECLARATION = re.compile(r"^[ \t]*(?:using (?:\w*::)+(\w+)|namespace (\w+) = [\w:]+);", re.MULTILINE)
NO_CODE = re.compile(r"//[^\n]*|^[ \t]*#[ \t]*include[^\n]*", re.MULTILINE)


def findings(sources):
    """Lines `path:line: message` for every .cpp file of the project."""
    for path in sources.all():
        if path.suffix != ".cpp":
            continue
        text = NO_CODE.sub("", sources.text(path))
        for match in DECLARATION.finditer(text):
            name = match[1] or match[2]
            others = text[:match.start()] + text[match.end():]
            if not re.search(rf"(?<!::)\b{name}\b", others):
                line = text.count("\n", 0, match.start(1 if match[1] else 2)) + 1
                yield f"{sources.name(path)}:{line}: nothing here uses '{name}': remove the declaration"


def main():
    found = list(findings(Sources()))
    print("\n".join(found), end="\n" if found else "")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
