"""Finds names that two queries of the store share.

A session keeps its prepared statements by these names (store/database/connection.cpp), so it would use the one that ran first
for both. Prints a line for each finding, and fails if there is any.
"""

import re
import sys

from sources import Sources, report

QUERY = re.compile(r'^[ \t]*(?:static |inline )*(?:const|constexpr) (?:query|selection) \w+\{\s*"(\w+)"', re.MULTILINE)


def findings(sources):
    """Yields lines `path:line: message` for all queries in src/store."""
    places = {}
    for path in sources.all():
        if not sources.name(path).startswith("src/store/"):
            continue
        text = sources.text(path)
        for match in QUERY.finditer(text):
            place = f"{sources.name(path)}:{text.count(chr(10), 0, match.start(1)) + 1}"
            if match[1] in places:
                yield f"{place}: the query '{match[1]}' has the name of the one in {places[match[1]]}: rename one of them"
            places.setdefault(match[1], place)


def main():
    return report(findings(Sources()))


if __name__ == "__main__":
    sys.exit(main())
