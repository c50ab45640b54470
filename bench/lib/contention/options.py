"""The lab's command line."""

import argparse
import pathlib

from lib.contention.strategies import TITLES, WITHOUT_POSTGRESQL
from lib.machine import PROGRAM
from lib.words import Parser, names, number, require_folders, share

DEPTHS = ("bare", "whole")
FAULTS = ("cut", "kill", "pause")
MOST_CONNECTIONS = 280  # PostgreSQL's max_connections, less those of the lab itself
PARTS = ("cells", "sweep", "curve", "faults", "outside")

_DESCRIPTION = """Decides the same reservations by eight strategies on the same store, in the same run, from the same seed; judges every
run against a model before it prints a figure; and ends in a table, and in JSON and an HTML report where they are asked for."""


def _stays(text):
    shortest, _, longest = text.partition("-")
    shortest, longest = int(shortest), int(longest or shortest)
    if not 1 <= shortest <= longest <= 365:
        raise argparse.ArgumentTypeError("takes nights as 1-7, up to 365")
    return shortest, longest


def _parser():
    parser = Parser(prog="script/bench contention", description=_DESCRIPTION,
                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="a first report in under two minutes")
    parser.add_argument("--parts", type=names(PARTS), metavar="PART,…",
                        help=f"of the run: {', '.join(PARTS)} (default: all but outside; with a load of your own: cells)")
    load = parser.add_argument_group("the load (what is given replaces the run's own cells by one)")
    load.add_argument("--clients", "--connections", type=number(int, 1, 1000), default=64, metavar="N", help="at once (default 64)")
    load.add_argument("--units", type=number(int, 1, 1_000_000), default=10_000, metavar="N", help="default 10,000")
    load.add_argument("--zipf", "--skew", type=number(float, 0, 10), metavar="S", help="Zipf's exponent over the units; 0: all alike")
    load.add_argument("--hot-share", type=share, metavar="P", help="the share of requests for the hot units: 0.5 or 50%%")
    load.add_argument("--hot-units", type=number(int, 1, 1_000_000), default=1, metavar="N", help="default 1")
    load.add_argument("--stays", type=_stays, default=(1, 7), metavar="MIN-MAX", help="nights of a stay (default 1-7)")
    load.add_argument("--calendar", choices=("rolling", "fixed"), default="rolling",
                      help="rolling: how many are refused depends on no strategy's speed (default); fixed: fills up")
    load.add_argument("--window", type=number(int, 1, 100_000), default=365, metavar="NIGHTS", help="of the fixed one (default 365)")
    load.add_argument("--conflicts", type=share, default=0.2, metavar="P",
                      help="rolling: the share of requests for nights that another one wants (default 0.2)")
    load.add_argument("--rate", type=number(float, 1, 1_000_000), metavar="N",
                      help="open loop: arrivals a second, latency from the intended start (default: closed loop)")
    load.add_argument("--seed", type=number(int, 0, 2**63 - 1), default=1, metavar="N", help="default 1")
    run = parser.add_argument_group("the run")
    run.add_argument("--strategies", type=names(TITLES), metavar="NAME,…", help=", ".join(TITLES))
    run.add_argument("--depth", choices=(*DEPTHS, "both"), default="both", help="default both")
    run.add_argument("--seconds", type=number(float, 0.2, 3600), metavar="S", help="of load, each cell (default 5)")
    run.add_argument("--rounds", type=number(int, 1, 100), metavar="N", help="of each cell, in turns (default 3)")
    run.add_argument("--store", choices=("postgresql", "sqlite"), help="default: postgresql where it is installed")
    run.add_argument("--fsync", choices=("on", "off"), default="on", help="off: commits are not durable (default on)")
    run.add_argument("--flush-ms", type=number(float, 0, 100), default=0, metavar="MS",
                     help="PostgreSQL waits so long before each flush, as on a slower disk")
    run.add_argument("--fault", choices=FAULTS,
                     help="halfway: cut connections; kill -9 of a process; one paused for 1 s: the database's, outside the server")
    run.add_argument("--outside", action="store_true", help="the same load by HTTP on a running server")
    run.add_argument("--program", type=pathlib.Path, default=PROGRAM, metavar="PATH",
                     help="the server, with bench_contention beside it (default: the release binary)")
    out = parser.add_argument_group("the report")
    out.add_argument("--json", type=pathlib.Path, metavar="FILE", help="every figure with its samples, machine and commit")
    out.add_argument("--html", type=pathlib.Path, metavar="FILE", help="one self-contained page with charts")
    return parser


def read(words):
    parser = _parser()
    given = parser.parse_args(words)
    if given.zipf is not None and given.hot_share is not None:
        parser.error("--zipf and --hot-share exclude each other")
    if given.hot_units > given.units:
        parser.error("--hot-units: no more than --units")
    if given.stays[1] > given.window:
        parser.error("--stays: no longer than --window")
    if given.clients > MOST_CONNECTIONS and set(given.strategies or TITLES) - set(WITHOUT_POSTGRESQL):
        parser.error(f"--clients: a peer's have a connection each, of which there are {MOST_CONNECTIONS}; "
                     "the actors alone (--strategies actors) take up to 1,000")
    if given.store == "sqlite":
        _refuse_for_sqlite(parser, given)
    if given.outside and (given.depth == "bare" or given.strategies):
        parser.error("--outside: a server decides whole bookings by its own strategy")
    require_folders(parser, given.json, given.html)
    own_load = any(f"--{name}" in word for word in words for name in ("zipf", "skew", "hot-share", "rate", "calendar", "fault"))
    given.own_load = own_load
    if given.outside:
        given.parts = ["outside"]
    given.parts = given.parts or (["cells"] if own_load else list(PARTS[:-1]))
    given.seconds = given.seconds or (1.0 if given.quick else 5)
    given.warm_up = 0.3 if given.quick else 1.0
    given.rounds = given.rounds or (1 if given.quick else 3)
    given.command = " ".join(["script/bench contention", *words])
    return given


def _refuse_for_sqlite(parser, given):
    if given.fault:
        parser.error("--fault needs PostgreSQL: SQLite has no connections and no processes")
    if given.fsync == "off" or given.flush_ms:
        parser.error("--fsync and --flush-ms are PostgreSQL's")
    if any(name not in WITHOUT_POSTGRESQL for name in given.strategies or ()):
        parser.error("without PostgreSQL there are the actors alone")
