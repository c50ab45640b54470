"""The scheduler lab's command line."""

import argparse
import pathlib

from lib.command_line import Parser, names, number, require_folders, share
from lib.machine import PROGRAM
from lib.scheduler import settings
from lib.scheduler.workloads import WORKLOADS

_DESCRIPTION = """Runs the server with one scheduler setting after another under the same workloads, and reports the effect of each knob on
each figure and the best setting for this machine."""


def _parser():
    workloads = "\n".join(f"  {name:<9} {text}" for name, text in WORKLOADS.items())
    parser = Parser(prog="script/bench scheduler", description=_DESCRIPTION, epilog=f"workloads:\n{workloads}",
                    formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="a first result in under two minutes")
    compared = parser.add_argument_group("compared settings")
    compared.add_argument("--policies", type=names(settings.POLICIES), default=list(settings.POLICIES), metavar="NAME,…",
                          help=f"default: {','.join(settings.POLICIES)}")
    compared.add_argument("--knobs", type=names(settings.NAMES), metavar="NAME,…", help=f"some of: {', '.join(settings.NAMES)} (default: all)")
    compared.add_argument("--workloads", type=names(WORKLOADS), default=list(WORKLOADS), metavar="NAME,…", help="default: all")
    load = parser.add_argument_group("load")
    load.add_argument("--rate", type=number(float, 1, 1_000_000), default=5000, metavar="N", help="the fixed rate (default 5,000/s)")
    load.add_argument("--connections", type=number(int, 1, 1000), default=64, metavar="N", help="default 64")
    load.add_argument("--units", type=number(int, 1, 100_000), metavar="N", help="default 5,000; quick: 1,000")
    load.add_argument("--platforms", type=number(int, 1, 5), default=5, metavar="N",
                      help="whose feeds contain the units, 1 to 5 (default 5)")
    load.add_argument("--skew", type=number(float, 0, 10), metavar="S",
                      help="Zipf's exponent of the bookings over the units (default: one hot unit)")
    load.add_argument("--conflicts", type=share, default=0.2, metavar="P",
                      help="the share of bookings for the nights of the previous one (default 0.2)")
    load.add_argument("--read-share", type=share, default=0.0, metavar="P", help="the share of live reads among the bookings (default 0)")
    run = parser.add_argument_group("run")
    run.add_argument("--seconds", type=number(int, 1, 3600), metavar="S", help="of each workload (default 2; quick: 1)")
    run.add_argument("--rounds", type=number(int, 1, 100), metavar="N", help="of each setting, in turns (default 3; quick: 1)")
    run.add_argument("--store", choices=("postgresql", "sqlite"), help="default: postgresql if it is installed")
    run.add_argument("--program", type=pathlib.Path, default=PROGRAM, metavar="PATH", help="the server (default: the release binary)")
    out = parser.add_argument_group("report")
    out.add_argument("--json", type=pathlib.Path, metavar="FILE", help="write every figure with its samples, machine and commit")
    out.add_argument("--write", type=pathlib.Path, metavar="FILE",
                     help="write the best setting as configuration, with the figures as comments")
    return parser


def read(argv):
    parser = _parser()
    arguments = parser.parse_args(argv)
    require_folders(parser, arguments.json, arguments.write)
    if arguments.knobs and not settings.variations(arguments.policies, arguments.knobs):
        parser.error(f"--knobs: {', '.join(arguments.policies)} does not support {', '.join(arguments.knobs)}")
    arguments.seconds = arguments.seconds or (1 if arguments.quick else 2)
    arguments.rounds = arguments.rounds or (1 if arguments.quick else 3)
    arguments.units = arguments.units or (1000 if arguments.quick else 5000)
    arguments.command = " ".join(["script/bench scheduler", *argv])
    return arguments
