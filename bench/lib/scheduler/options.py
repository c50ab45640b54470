"""The scheduler lab's command line."""

import argparse
import pathlib

from lib.machine import PROGRAM
from lib.scheduler import settings
from lib.scheduler.workloads import WORKLOADS
from lib.words import Parser, names, number, require_folders, share

_DESCRIPTION = """Runs the server under one scheduler setting after another, loads each with the same workloads, and says what each knob does
to each figure and which setting is best on this machine."""


def _parser():
    workloads = "\n".join(f"  {name:<9} {what}" for name, what in WORKLOADS.items())
    parser = Parser(prog="script/bench scheduler", description=_DESCRIPTION, epilog=f"workloads:\n{workloads}",
                    formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="a first answer in under two minutes")
    what = parser.add_argument_group("what is compared")
    what.add_argument("--policies", type=names(settings.POLICIES), default=list(settings.POLICIES), metavar="NAME,…",
                      help=f"default: {','.join(settings.POLICIES)}")
    what.add_argument("--knobs", type=names(settings.NAMES), metavar="NAME,…", help=f"of: {', '.join(settings.NAMES)} (default: all)")
    what.add_argument("--workloads", type=names(WORKLOADS), default=list(WORKLOADS), metavar="NAME,…", help="default: all")
    load = parser.add_argument_group("the load")
    load.add_argument("--rate", type=number(float, 1, 1_000_000), default=5000, metavar="N", help="of the fixed rate (default 5,000/s)")
    load.add_argument("--connections", type=number(int, 1, 1000), default=64, metavar="N", help="default 64")
    load.add_argument("--units", type=number(int, 1, 100_000), metavar="N", help="default 5,000; quick: 1,000")
    load.add_argument("--platforms", type=number(int, 1, 5), default=5, metavar="N",
                      help="whose feeds the units are in, 1 to 5 (default 5)")
    load.add_argument("--skew", type=number(float, 0, 10), metavar="S",
                      help="Zipf's exponent of the bookings over all units (default: one hot unit)")
    load.add_argument("--conflicts", type=share, default=0.2, metavar="P",
                      help="of the bookings, the share that want the nights of the one before (default 0.2)")
    load.add_argument("--read-share", type=share, default=0.0, metavar="P", help="of the requests beside the bookings (default 0)")
    run = parser.add_argument_group("the run")
    run.add_argument("--seconds", type=number(int, 1, 3600), metavar="S", help="of each workload (default 2; quick: 1)")
    run.add_argument("--rounds", type=number(int, 1, 100), metavar="N", help="of each setting, in turns (default 3; quick: 1)")
    run.add_argument("--store", choices=("postgresql", "sqlite"), help="default: postgresql where it is installed")
    run.add_argument("--program", type=pathlib.Path, default=PROGRAM, metavar="PATH", help="the server (default: the release binary)")
    out = parser.add_argument_group("the report")
    out.add_argument("--json", type=pathlib.Path, metavar="FILE", help="every figure with its samples, machine and commit")
    out.add_argument("--write", type=pathlib.Path, metavar="FILE",
                     help="the best setting as a piece of configuration, with its evidence as comments")
    return parser


def read(words):
    parser = _parser()
    given = parser.parse_args(words)
    require_folders(parser, given.json, given.write)
    if given.knobs and not settings.around(given.policies, given.knobs):
        parser.error(f"--knobs: {', '.join(given.policies)} has no use for {', '.join(given.knobs)}")
    given.seconds = given.seconds or (1 if given.quick else 2)
    given.rounds = given.rounds or (1 if given.quick else 3)
    given.units = given.units or (1000 if given.quick else 5000)
    given.command = " ".join(["script/bench scheduler", *words])
    return given
