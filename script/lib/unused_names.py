"""Finds using declarations and namespace aliases that are unused in their file.

Replaces clang-tidy's misc-unused-using-decls and misc-unused-alias-decls, which check only the compiled file and therefore
find nothing in a batch (script/lib/clang_tidy.py). Skips headers, whose declarations are for other files. Prints a line for
each finding, and fails if there is any.
"""

import re
import sys

from sources import Sources, report

DECLARATION = re.compile(r"^[ \t]*(?:using (?:\w*::)+(\w+)|namespace (\w+) = [\w:]+);", re.MULTILINE)
NO_CODE = re.compile(r"//[^\n]*|^[ \t]*#[ \t]*include[^\n]*", re.MULTILINE)


def findings(sources):
    """Yields lines `path:line: message` for all .cpp files of the project."""
    for path in sources.all():
        if path.suffix != ".cpp":
            continue
        text = NO_CODE.sub("", sources.text(path))
        for match in DECLARATION.finditer(text):
            name = match[1] or match[2]
            rest = text[:match.start()] + text[match.end():]
            if not re.search(rf"(?<!::)\b{name}\b", rest):
                line = text.count("\n", 0, match.start(1 if match[1] else 2)) + 1
                yield f"{sources.name(path)}:{line}: '{name}' is unused: remove the declaration"


def main():
    return report(findings(Sources()))


if __name__ == "__main__":
    sys.exit(main())
