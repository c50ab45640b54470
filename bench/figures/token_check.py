"""The check of an access token before a management route's handler runs, against Node.js checking the like of it."""

from lib.machine import PROJECT, SERVER_CORE, Failure, run
from lib.table import Figure

PROGRAM = PROJECT / "build/release/bench_token_check"
PEER = PROJECT / "bench/lib/check_token.js"


def measure(machine, effort):
    if not PROGRAM.exists():
        raise Failure(f"{PROGRAM} is not built; script/bench builds it")
    commands = {"known": [PROGRAM, "known", effort.seconds], "new": [PROGRAM, "new", effort.seconds],
                "peer": ["node", PEER, effort.seconds]}
    times = {name: [] for name in commands}
    for _ in range(effort.rounds):
        for name, command in commands.items():
            times[name].append(float(run(command, core=SERVER_CORE)) / 1000)
    return [Figure("an access token's check", "us", times["known"], times["peer"], target=("<", 2)),
            Figure("  of one that is seen for the first time", "us", times["new"], times["peer"])]
