"""The partial list of 1,000 units against nginx with the same bytes as a file, on one core each in turn."""

from lib import portfolio, wrk
from lib.machine import SERVER_CORE, Failure
from lib.nginx import Nginx
from lib.roost import ONE_THREAD, Roost
from lib.table import Figure

UNITS = 1000
PATH = "/marketplace-a/listings"


def measure(machine, effort):
    portfolio.write(machine.folder / "portfolio.json", UNITS)
    roost = Roost(machine, f"sqlite3://{machine.folder}/roost.db", settings=[ONE_THREAD])
    roost.command("import", machine.folder / "portfolio.json")
    token = f"Bearer {roost.token()}"
    roost.start(SERVER_CORE)
    roost.wait_for_feeds(UNITS)
    nginx = Nginx(machine, SERVER_CORE)
    for name, encoding in (("list.json", "identity"), ("list.json.gz", "gzip")):
        nginx.add(name, roost.get(PATH, {"Authorization": token, "Accept-Encoding": encoding})[2])

    ours = (f"http://127.0.0.1:{roost.port}{PATH}", roost.get, PATH, roost.process.pid)
    theirs = (f"http://127.0.0.1:{nginx.port}/list.json", nginx.get, "/list.json", nginx.worker())
    figures = []
    for name, fields in (("identity", {}), ("gzip", {"Accept-Encoding": "gzip"}), ("304", None)):
        headers = [_headers(token, fields, *side) for side in (ours, theirs)]
        _require_equal(name, *(side[1](side[2], fields) for side, fields in zip((ours, theirs), headers)))
        loads = [[], []]
        for number in range(effort.rounds):
            for i in (0, 1) if number % 2 == 0 else (1, 0):
                url, _, _, pid = (ours, theirs)[i]
                lines = [f"{key}: {value}" for key, value in headers[i].items()]
                loads[i].append(wrk.load(url, effort.seconds, pid, lines))
        figures.append(Figure(f"list, {name}", "/s", *([load.rate for load in side] for side in loads),
                              target=("x>=", 1.0)))
        figures.append(Figure("  server's time an answer", "us", *([load.cpu for load in side] for side in loads)))
    roost.stop()
    return figures


def _headers(token, fields, _url, get, path, _pid):
    """What a request of one side carries; without `fields`, its current ETag."""
    if fields is None:
        fields = {"If-None-Match": get(path, {"Authorization": token})[1]["ETag"]}
    return {"Authorization": token, **fields}


def _require_equal(name, ours, theirs):
    status = 304 if name == "304" else 200
    if (ours[0], theirs[0]) != (status, status) or ours[2] != theirs[2]:
        raise Failure(f"{name}: the two sides do not answer the same")
