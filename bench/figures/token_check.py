"""The check of an access token before a management route's handler runs, against Node.js checking the like of it."""

from lib.machine import PROJECT, SERVER_CORE, run
from lib.micro import program
from lib.table import Figure

PEER = PROJECT / "bench/lib/check_token.js"
OPTIONS = ()


def measure(_machine, effort):
    sides = {"known": lambda: program.nanoseconds("check_token/known", effort.seconds, SERVER_CORE),
             "new": lambda: program.nanoseconds("check_token/new", effort.seconds, SERVER_CORE),
             "peer": lambda: float(run(["node", PEER, effort.seconds], core=SERVER_CORE))}
    times = {name: [] for name in sides}
    effort.tell(Figure("an access token's check", "us", times["known"], times["peer"], target=("<", 2)),
                Figure("  of one that is seen for the first time", "us", times["new"], times["peer"]))
    for _ in range(effort.rounds):
        for name, side in sides.items():
            times[name].append(side() / 1000)
