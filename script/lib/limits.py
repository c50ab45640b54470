"""Checks the size of the C++ files in src, and how many of them a folder has.

- A file has at most 400 lines.
- A folder has at most 40 files, without those of its subfolders.

Prints a line `path:line: message` for each finding, and fails if there is any.
"""

import collections
import sys

from sources import Sources, report

MAX_LINES = 400
MAX_FILES = 40


def check(sources):
    """Returns the findings as sorted lines."""
    findings = []
    folders = collections.Counter()
    for path in sources.all():
        if not path.is_relative_to(sources.root / "src"):
            continue
        folders[path.parent] += 1
        lines = sources.bytes(path).count(b"\n")
        if lines > MAX_LINES:
            findings.append(f"{sources.name(path)}:{MAX_LINES + 1}: the file has {lines} lines, more than {MAX_LINES}: "
                            "move one of its subjects to a file of its own")
    for folder, files in folders.items():
        if files > MAX_FILES:
            findings.append(f"{sources.name(folder)}:1: the folder has {files} C++ files, more than {MAX_FILES}: "
                            "merge small files, or move a subject to a component of its own")
    return sorted(findings)


def main():
    return report(check(Sources()))


if __name__ == "__main__":
    sys.exit(main())
