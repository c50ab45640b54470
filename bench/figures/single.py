"""A live single read against nginx with a file of that size: one I/O thread, one worker, one core."""

from lib import portfolio, wrk
from lib.machine import SERVER_CORE, Failure
from lib.nginx import Nginx
from lib.roost import ONE_THREAD, Roost
from lib.table import Figure

UNITS = 1000
PATH = f"/marketplace-a/listings/{portfolio.FIRST_UNIT}"


def measure(machine, effort):
    portfolio.write(machine.folder / "portfolio.json", UNITS)
    roost = Roost(machine, f"sqlite3://{machine.folder}/roost.db", settings=[ONE_THREAD])
    roost.command("import", machine.folder / "portfolio.json")
    headers = {"Authorization": f"Bearer {roost.token()}"}
    roost.start(SERVER_CORE)
    roost.wait_for_feeds(UNITS)
    nginx = Nginx(machine, SERVER_CORE)
    status, _, body = roost.get(PATH, headers)
    if status != 200:
        raise Failure(f"the single read answers {status}")
    nginx.add("single.json", body)

    lines = [f"{key}: {value}" for key, value in headers.items()]
    sides = ((f"http://127.0.0.1:{roost.port}{PATH}", roost.process.pid),
             (f"http://127.0.0.1:{nginx.port}/single.json", nginx.worker()))
    loads = [[], []]
    for number in range(effort.rounds):
        for i in (0, 1) if number % 2 == 0 else (1, 0):
            url, pid = sides[i]
            loads[i].append(wrk.load(url, effort.seconds, pid, lines))
    roost.stop()
    return [
        Figure(f"single read ({len(body)} bytes)", "/s", *([load.rate for load in side] for side in loads),
               target=("x>=", 0.9)),
        Figure("  server's time an answer", "us", *([load.cpu for load in side] for side in loads)),
    ]
