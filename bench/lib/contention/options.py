"""The contention lab's strategies and its command line."""

import argparse
import pathlib

from lib.command_line import Parser, names, number, require_folders, share
from lib.machine import PROGRAM

# The eight strategies, and a variant of ours, in the order of the reports.
TITLES = {
    "actors": "this service's actors, group commit",
    "actors_guarded": "the same, with the exclusion constraint as a second guard",
    "row_lock": "SELECT … FOR UPDATE on the unit",
    "advisory_lock": "advisory lock on the unit",
    "optimistic": "version of the unit, with retry",
    "exclusion_retry": "exclusion constraint, with retry",
    "on_conflict": "exclusion constraint, ON CONFLICT DO NOTHING",
    "serializable": "SERIALIZABLE, with retry",
    "unlocked": "check, then insert, without a lock",
}
OURS = "actors"
STRONGEST = "on_conflict"  # the strongest correct peer
WITHOUT_POSTGRESQL = (OURS, "actors_guarded")
BARE_ONLY = ("actors_guarded",)  # for whole bookings, the service's tables are always guarded
INCORRECT = ("unlocked",)  # its verdict is expected, and no failure of the run

DEPTHS = ("bare", "whole")
FAULTS = ("cut", "kill", "pause")
MAX_CONNECTIONS = 280  # PostgreSQL's max_connections minus those of the lab itself
PARTS = ("cells", "sweep", "curve", "faults", "outside")

_DESCRIPTION = """Decides the same reservations by eight strategies on the same store, in the same run, from the same seed. Verifies every run
against a model before it prints a figure. Prints a table, and writes JSON and an HTML report if requested."""


def _stays(text):
    shortest, _, longest = text.partition("-")
    shortest, longest = int(shortest), int(longest or shortest)
    if not 1 <= shortest <= longest <= 365:
        raise argparse.ArgumentTypeError("must be nights such as 1-7, up to 365")
    return shortest, longest


def _parser():
    parser = Parser(prog="script/bench contention", description=_DESCRIPTION,
                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="a first report in under two minutes")
    parser.add_argument("--parts", type=names(PARTS), metavar="PART,…",
                        help=f"parts of the run: {', '.join(PARTS)} (default: all except outside; with your own load: cells)")
    load = parser.add_argument_group("load (replaces the cells of the run by a single load)")
    load.add_argument("--clients", "--connections", type=number(int, 1, 1000), default=64, metavar="N", help="concurrent clients (default 64)")
    load.add_argument("--units", type=number(int, 1, 1_000_000), default=10_000, metavar="N", help="default 10,000")
    load.add_argument("--zipf", "--skew", type=number(float, 0, 10), metavar="S", help="Zipf's exponent over the units; 0: uniform")
    load.add_argument("--hot-share", type=share, metavar="P", help="the share of requests for the hot units: 0.5 or 50%%")
    load.add_argument("--hot-units", type=number(int, 1, 1_000_000), default=1, metavar="N", help="default 1")
    load.add_argument("--stays", type=_stays, default=(1, 7), metavar="MIN-MAX", help="nights of a stay (default 1-7)")
    load.add_argument("--calendar", choices=("rolling", "fixed"), default="rolling",
                      help="rolling: refusals are independent of a strategy's speed (default); fixed: fills up")
    load.add_argument("--window", type=number(int, 1, 100_000), default=365, metavar="NIGHTS", help="of the fixed calendar (default 365)")
    load.add_argument("--conflicts", type=share, default=0.2, metavar="P",
                      help="rolling: the share of requests for nights of an earlier one (default 0.2)")
    load.add_argument("--rate", type=number(float, 1, 1_000_000), metavar="N",
                      help="open loop: arrivals per second, latency from the intended start (default: closed loop)")
    load.add_argument("--seed", type=number(int, 0, 2**63 - 1), default=1, metavar="N", help="default 1")
    run = parser.add_argument_group("run")
    run.add_argument("--strategies", type=names(TITLES), metavar="NAME,…", help=", ".join(TITLES))
    run.add_argument("--depth", choices=(*DEPTHS, "both"), default="both", help="default both")
    run.add_argument("--seconds", type=number(float, 0.2, 3600), metavar="S", help="of load per cell (default 5)")
    run.add_argument("--rounds", type=number(int, 1, 100), metavar="N", help="of all cells (default 3)")
    run.add_argument("--store", choices=("postgresql", "sqlite"), help="default: postgresql if it is installed")
    run.add_argument("--fsync", choices=("on", "off"), default="on", help="off: commits are not durable (default on)")
    run.add_argument("--flush-ms", type=number(float, 0, 100), default=0, metavar="MS",
                     help="PostgreSQL waits for this time before each flush, as on a slower disk")
    run.add_argument("--fault", choices=FAULTS,
                     help="halfway: cut the connections; kill -9 a process; pause one for 1 s (a database process, with --outside the server)")
    run.add_argument("--outside", action="store_true", help="the same load over HTTP on a running server")
    run.add_argument("--program", type=pathlib.Path, default=PROGRAM, metavar="PATH",
                     help="the server, in the same folder as bench_contention (default: the release binary)")
    out = parser.add_argument_group("report")
    out.add_argument("--json", type=pathlib.Path, metavar="FILE", help="write every figure with its samples, machine and commit")
    out.add_argument("--html", type=pathlib.Path, metavar="FILE", help="write a self-contained page with charts")
    return parser


def read(argv):
    parser = _parser()
    arguments = parser.parse_args(argv)
    if arguments.zipf is not None and arguments.hot_share is not None:
        parser.error("--zipf and --hot-share are mutually exclusive")
    if arguments.hot_units > arguments.units:
        parser.error("--hot-units must not exceed --units")
    if arguments.stays[1] > arguments.window:
        parser.error("--stays must not exceed --window")
    if arguments.clients > MAX_CONNECTIONS and set(arguments.strategies or TITLES) - set(WITHOUT_POSTGRESQL):
        parser.error(f"--clients: each client of a peer needs one of {MAX_CONNECTIONS} connections; "
                     "the actors alone (--strategies actors) support up to 1,000")
    if arguments.store == "sqlite":
        _check_sqlite_options(parser, arguments)
    if arguments.outside and (arguments.depth == "bare" or arguments.strategies):
        parser.error("--outside: a server only decides whole bookings, by its own strategy")
    require_folders(parser, arguments.json, arguments.html)
    own_load = any(f"--{name}" in argument for argument in argv for name in ("zipf", "skew", "hot-share", "rate", "calendar", "fault"))
    arguments.own_load = own_load
    if arguments.outside:
        arguments.parts = ["outside"]
    arguments.parts = arguments.parts or (["cells"] if own_load else list(PARTS[:-1]))
    arguments.seconds = arguments.seconds or (1.0 if arguments.quick else 5)
    arguments.warm_up = 0.3 if arguments.quick else 1.0
    arguments.rounds = arguments.rounds or (1 if arguments.quick else 3)
    arguments.command = " ".join(["script/bench contention", *argv])
    return arguments


def _check_sqlite_options(parser, arguments):
    if arguments.fault:
        parser.error("--fault needs PostgreSQL: SQLite has no connections or processes")
    if arguments.fsync == "off" or arguments.flush_ms:
        parser.error("--fsync and --flush-ms need PostgreSQL")
    if any(name not in WITHOUT_POSTGRESQL for name in arguments.strategies or ()):
        parser.error("without PostgreSQL, only the actors are available")
