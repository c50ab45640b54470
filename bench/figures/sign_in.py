"""Signing in: refreshes of sessions against one update per commit and against an npm library's, logins against that
library's, and reads of a list while logins saturate the hashing queue."""

import json
import re
import time
from concurrent import futures

from lib import better_auth, portfolio, wrk
from lib.machine import SERVER_CORE
from lib.postgresql import Cluster
from lib.roost import Roost
from lib.better_auth import EMAIL, PASSWORD, BetterAuth
from lib.table import Figure

SESSIONS = 1024
PEER_SESSIONS = 128  # more than wrk has connections; the library takes its time for each
STORM = 16  # logins at the same time
OPTIONS = ()
NO_LIMITS = [f"rate_limits.{name}=0" for name in ("login", "verify_otp", "refresh", "management")]

# What a refresh changes, row by row.
_UPDATE = r"""\set number random(1, 1024)
update one_update set generation = generation + 1, rotated_at = now() where number = :number;
"""


def prepare():
    better_auth.fetch()


def measure(machine, effort):
    portfolio.write(machine.folder / "portfolio.json", 1000)
    _add_user(machine.folder / "portfolio.json")
    (machine.folder / "update.sql").write_text(_UPDATE)
    cluster = Cluster(machine)
    roost = Roost(machine, cluster.create("sign_in"), "sign_in",
                  ["bookings.cycle=1h", "sessions.codes_per_15m=100000", *NO_LIMITS])
    roost.command("import", machine.folder / "portfolio.json")
    reader = f"Authorization: Bearer {roost.token()}"
    roost.start()
    roost.wait_for_feeds(1000)
    cluster.sql("sign_in", "create table one_update (number int primary key, generation bigint, rotated_at timestamptz)"
                           " with (fillfactor = 60)")
    cluster.sql("sign_in", "insert into one_update select n, 1, now() from generate_series(1, 1024) n")
    browser = _remembered(machine, roost)
    library, cookies = _library(machine, cluster)
    _refreshes(machine, cluster, roost, browser, effort, library, cookies)
    _logins(roost, library, browser, effort)
    library.stop()
    _with_slow_flush(machine, cluster, roost, browser, effort)
    _reads_in_a_storm(machine, roost, reader, effort)
    roost.stop()


def _add_user(file):
    """The portfolio's first account gets somebody who signs in."""
    text = file.read_text()
    user = (f'"users": [{{"id": "99999999-0000-4000-8000-000000000001", "email": "{EMAIL}", '
            f'"password": "{PASSWORD}", "role": "Admin"}}], "properties"')
    file.write_text(re.sub(r'("users": ?\[[^\]]*\], ?)?"properties"', lambda _: user, text, count=1))


def _cookies(headers):
    return [value.split(";")[0] for name, value in headers.items() if name.lower() == "set-cookie"]


def _post(roost, path, content, cookie=""):
    return roost.send("POST", path, content, {"Cookie": cookie} if cookie else {})


def _remembered(machine, roost):
    """The cookie of a browser that needs no code."""
    opened = json.loads(_post(roost, "/auth/login", {"email": EMAIL, "password": PASSWORD})[2])
    outbox = machine.folder / "sign_in-outbox"
    code = None
    while code is None:
        for mail in sorted(outbox.glob("*.eml")):
            found = re.search(r"^Subject: (\d{6}) is", mail.read_text(), re.MULTILINE)
            code = found[1] if found else code
        time.sleep(0.05)
    started = _post(roost, "/auth/verify-otp",
                    {"challengeToken": opened["challengeToken"], "otp": code, "rememberDevice": True})
    return next(cookie for cookie in _cookies(started[1]) if cookie.startswith("roost_browser"))


def _sessions(machine, roost, browser):
    """A file of refresh cookies. The logins take turns at the password, so they are made by a cheap one each."""
    file = machine.folder / "cookies"
    with futures.ThreadPoolExecutor(4) as pool:
        file.write_text("".join(f"{cookie}\n" for cookie in pool.map(lambda _: _login(roost, browser), range(SESSIONS))))
    return file


def _login(roost, browser):
    answer = _post(roost, "/auth/login", {"email": EMAIL, "password": PASSWORD}, browser)
    return next(cookie for cookie in _cookies(answer[1]) if cookie.startswith("roost_session"))


def _load(cluster, roost, file, effort):
    cluster.settle()
    return wrk.load(f"{roost.url}/auth/refresh", effort.seconds, roost.pid(), [], "refresh.lua", [str(file)], core=None)


def _updates(machine, cluster, effort):
    cluster.settle()
    return cluster.inserts_per_second("sign_in", machine.folder / "update.sql", effort.seconds)


def _refreshes(machine, cluster, roost, browser, effort, library, cookies):
    loads, peer, library_rates = wrk.Loads(), [], []
    effort.tell(Figure("refreshes", "/s", loads.rate, peer, (">=", 3000)),
                Figure("  p99", "ms", loads.p99),
                Figure("  server's time a refresh", "us", loads.cpu),
                Figure("refreshes, against better-auth", "/s", loads.rate, library_rates))
    for _ in range(effort.rounds):
        loads.add(_load(cluster, roost, _sessions(machine, roost, browser), effort))
        peer.append(_updates(machine, cluster, effort))
        library_rates.append(_library_refreshes(cluster, library, cookies, effort))


def _with_slow_flush(machine, cluster, roost, browser, effort):
    """As in the submissions' measurement: PostgreSQL waits a millisecond before each flush."""
    files = [_sessions(machine, roost, browser).rename(machine.folder / f"cookies{n}") for n in range(effort.rounds)]
    for setting in ("commit_delay = 1000", "commit_siblings = 0"):
        cluster.sql("postgres", f"alter system set {setting}")
    cluster.sql("postgres", "select pg_reload_conf()")
    loads, peer = wrk.Loads(), []
    effort.tell(Figure("refreshes where a flush takes 1 ms", "/s", loads.rate, peer, ("x>=", 5.0)))
    for file in files:
        loads.add(_load(cluster, roost, file, effort))
        peer.append(_updates(machine, cluster, effort))
    for setting in ("commit_delay", "commit_siblings"):
        cluster.sql("postgres", f"alter system reset {setting}")
    cluster.sql("postgres", "select pg_reload_conf()")


def _library(machine, cluster):
    """The peer, and a file of its sessions' cookies."""
    library = BetterAuth(machine, cluster.create("better_auth"))
    cookies = machine.folder / "library-cookies"
    with futures.ThreadPoolExecutor(4) as pool:
        made = pool.map(lambda _: library.login(), range(PEER_SESSIONS))
        cookies.write_text("".join(f"{cookie}\n" for cookie in made))
    return library, cookies


def _library_refreshes(cluster, library, cookies, effort):
    cluster.settle()
    return wrk.load(f"{library.url}{better_auth.REFRESH}", effort.seconds, library.pid(), [], "refresh.lua",
                    [cookies, "GET"], core=None).rate


def _logins(roost, library, browser, effort):
    """Each checks passwords at the cost that it has by default. A login after the load waits for those that are left."""
    body = json.dumps({"email": EMAIL, "password": PASSWORD})
    ours, peer = [], []
    effort.tell(Figure("logins, against better-auth", "/s", ours, peer))
    for _ in range(effort.rounds):
        ours.append(_login_load(f"{roost.url}/auth/login", roost, effort, [body, browser]))
        _login(roost, browser)
        peer.append(_login_load(f"{library.url}{better_auth.LOGIN}", library, effort, [body]))
        library.login()


def _login_load(url, server, effort, arguments):
    return wrk.load(url, effort.seconds, server.pid(), [], "known_login.lua", arguments, core=None,
                    connections=STORM).rate


def _reads_in_a_storm(machine, roost, reader, effort):
    """Reads of a list, alone and beside logins of many addresses, in turns. The server has one core and the clients the
    other, so that the hashing contends with the server's own work only."""
    roost.stop()
    roost.start(SERVER_CORE)
    roost.wait_for_feeds(1000)
    calm, stormy = wrk.Loads(), wrk.Loads()
    effort.tell(Figure("p99 of a list while logins saturate the queue", "ms", stormy.p99, calm.p99, ("x<=", 1.2)))
    for _ in range(effort.rounds):
        calm.add(_reads(roost, reader, effort))
        with wrk.beside(machine, f"{roost.url}/auth/login", STORM, "login.lua"):
            stormy.add(_reads(roost, reader, effort))


def _reads(roost, reader, effort):
    return wrk.load(f"{roost.url}/marketplace-a/listings", effort.seconds, roost.pid(),
                    [reader, "Accept-Encoding: gzip"])
