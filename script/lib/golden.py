"""Copies listings to tests/golden in a readable form: golden.py FROM TO.

A file of TO is rewritten only if its listing differs from that in FROM. Prints the names of the files that it wrote.
"""

import json
import pathlib
import sys

WIDTH = 200


class Number(str):
    """The original text of a number."""


def parse(text):
    return json.loads(text, parse_float=Number, parse_int=Number, object_pairs_hook=lambda pairs: pairs and tuple(pairs) or ())


def one_line(value):
    if isinstance(value, tuple):
        return "{" + ", ".join(f"{json.dumps(name, ensure_ascii=False)}: {one_line(each)}" for name, each in value) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(one_line, value)) + "]"
    return str(value) if isinstance(value, Number) else json.dumps(value, ensure_ascii=False)


def pretty(value, indent="", used=0):
    """Returns the value on one line if it fits after `used` characters, otherwise with one line per part."""
    line = one_line(value)
    if (indent or not isinstance(value, tuple)) and used + len(line) < WIDTH or not isinstance(value, (tuple, list)) or not value:
        return line
    deeper = indent + "  "
    if isinstance(value, list):
        parts = [deeper + pretty(each, deeper, len(deeper)) for each in value]
        return "[\n" + ",\n".join(parts) + "\n" + indent + "]"
    parts = []
    for name, each in value:
        start = f"{deeper}{json.dumps(name, ensure_ascii=False)}: "
        parts.append(start + pretty(each, deeper, len(start)))
    return "{\n" + ",\n".join(parts) + "\n" + indent + "}"


def main(source, target):
    source, target = pathlib.Path(source), pathlib.Path(target)
    for path in sorted(source.rglob("*.json")):
        listing = parse(path.read_text())
        golden = target / path.relative_to(source)
        if golden.exists() and parse(golden.read_text()) == listing:
            continue
        golden.write_text(pretty(listing) + "\n")
        print(golden)


if __name__ == "__main__":
    main(*sys.argv[1:])
