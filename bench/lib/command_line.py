"""Shared parts of the benches' command lines: option types, and one-line errors."""

import argparse
import sys


class Parser(argparse.ArgumentParser):
    """Reports an error in one line and exits with status 2."""

    def error(self, message):
        print(f"{self.prog}: {message} (see --help)", file=sys.stderr)
        sys.exit(2)


def share(text):
    value = float(text.removesuffix("%")) / (100 if text.endswith("%") else 1)
    if not 0 <= value <= 1:
        raise argparse.ArgumentTypeError("must be 0 to 1, or 0% to 100%")
    return value


def number(kind, lowest, highest):
    def parse(text):
        value = kind(text)
        if not lowest <= value <= highest:
            raise argparse.ArgumentTypeError(f"must be {lowest:,} to {highest:,}")
        return value
    parse.__name__ = "number"
    return parse


def names(known):
    def parse(text):
        chosen = text.split(",")
        for name in chosen:
            if name not in known:
                raise argparse.ArgumentTypeError(f"unknown name '{name}'; available: {', '.join(known)}")
        return chosen
    return parse


def require_folders(parser, *files):
    """Rejects output files in folders that do not exist."""
    for file in filter(None, files):
        if not file.resolve().parent.is_dir():
            parser.error(f"{file}: no such folder")
        if file.is_dir():
            parser.error(f"{file}: is a folder")
