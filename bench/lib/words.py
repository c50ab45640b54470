"""What the command lines of the benches have in common: types of their options, and one clear line for what cannot be."""

import argparse
import sys


class Parser(argparse.ArgumentParser):
    """Refuses with one line and status 2."""

    def error(self, message):
        print(f"{self.prog}: {message} (see --help)", file=sys.stderr)
        sys.exit(2)


def share(text):
    value = float(text.removesuffix("%")) / (100 if text.endswith("%") else 1)
    if not 0 <= value <= 1:
        raise argparse.ArgumentTypeError("takes 0 to 1, or 0% to 100%")
    return value


def number(kind, lowest, highest):
    def read(text):
        value = kind(text)
        if not lowest <= value <= highest:
            raise argparse.ArgumentTypeError(f"takes {lowest:,} to {highest:,}")
        return value
    read.__name__ = "number"
    return read


def names(known):
    def read(text):
        given = text.split(",")
        for name in given:
            if name not in known:
                raise argparse.ArgumentTypeError(f"unknown name '{name}'; there are: {', '.join(known)}")
        return given
    return read


def require_folders(parser, *files):
    """Every file that is given can be made."""
    for file in filter(None, files):
        if not file.resolve().parent.is_dir():
            parser.error(f"{file}: there is no such folder")
        if file.is_dir():
            parser.error(f"{file}: is a folder")
