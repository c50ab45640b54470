"""Signing in: session refreshes against one update per commit and against an npm library, logins against that library, and
reads of a list while logins saturate the hashing queue."""

import json
import re
from concurrent import futures

from lib import better_auth, portfolio, wrk
from lib.better_auth import EMAIL, PASSWORD, BetterAuth
from lib.clients import mailed_code
from lib.figure import Figure
from lib.machine import SERVER_CORE, wait_until
from lib.roost import Roost
from lib.stores import Cluster

SESSIONS = 1024
PEER_SESSIONS = 128  # more than wrk's connections; the library is slow to create them
CONCURRENT_LOGINS = 16
OPTIONS = ()
NO_LIMITS = [f"rate_limits.{name}=0" for name in ("login", "verify_otp", "refresh", "management")]

# The row updates of a refresh.
_UPDATE = r"""\set number random(1, 1024)
update one_update set generation = generation + 1, rotated_at = now() where number = :number;
"""


def prepare():
    better_auth.fetch()


def measure(machine, bench):
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
    browser = _remembered_browser(machine, roost)
    library, cookies = _library(machine, cluster)
    _refreshes(machine, cluster, roost, browser, bench, library, cookies)
    _logins(roost, library, browser, bench)
    library.stop()
    _with_slow_flush(machine, cluster, roost, browser, bench)
    _reads_during_logins(machine, roost, reader, bench)
    roost.stop()


def _add_user(file):
    """Adds a user to the portfolio's first account."""
    text = file.read_text()
    user = (f'"users": [{{"id": "99999999-0000-4000-8000-000000000001", "email": "{EMAIL}", '
            f'"password": "{PASSWORD}", "role": "Admin"}}], "properties"')
    file.write_text(re.sub(r'("users": ?\[[^\]]*\], ?)?"properties"', lambda _: user, text, count=1))


def _cookies(headers):
    return [value.split(";")[0] for name, value in headers.items() if name.lower() == "set-cookie"]


def _post(roost, path, content, cookie=""):
    return roost.send("POST", path, content, {"Cookie": cookie} if cookie else {})


def _remembered_browser(machine, roost):
    """Returns the cookie of a remembered browser, which needs no code."""
    challenge = json.loads(_post(roost, "/auth/login", {"email": EMAIL, "password": PASSWORD})[2])
    outbox = machine.folder / "sign_in-outbox"
    code = wait_until(lambda: mailed_code(outbox.glob("*.eml")), 30, "the code", poll=0.05)
    session = _post(roost, "/auth/verify-otp",
                    {"challengeToken": challenge["challengeToken"], "otp": code, "rememberDevice": True})
    return next(cookie for cookie in _cookies(session[1]) if cookie.startswith("roost_browser"))


def _sessions(machine, roost, browser):
    """Logs in repeatedly, and returns a file with the refresh cookies."""
    file = machine.folder / "cookies"
    with futures.ThreadPoolExecutor(4) as pool:
        file.write_text("".join(f"{cookie}\n" for cookie in pool.map(lambda _: _login(roost, browser), range(SESSIONS))))
    return file


def _login(roost, browser):
    response = _post(roost, "/auth/login", {"email": EMAIL, "password": PASSWORD}, browser)
    return next(cookie for cookie in _cookies(response[1]) if cookie.startswith("roost_session"))


def _load(cluster, roost, file, bench):
    cluster.settle()
    return wrk.load(f"{roost.url}/auth/refresh", bench.seconds, roost.pid(), [], "refresh.lua", [str(file)], core=None)


def _updates(machine, cluster, bench):
    cluster.settle()
    return cluster.inserts_per_second("sign_in", machine.folder / "update.sql", bench.seconds)


def _refreshes(machine, cluster, roost, browser, bench, library, cookies):
    loads, peer, library_rates = wrk.Loads(), [], []
    bench.report(Figure("refreshes", "/s", loads.rate, peer, (">=", 3000)),
                 Figure("  p99", "ms", loads.p99),
                 Figure("  server time per refresh", "us", loads.cpu),
                 Figure("refreshes, against better-auth", "/s", loads.rate, library_rates))
    for _ in range(bench.rounds):
        loads.add(_load(cluster, roost, _sessions(machine, roost, browser), bench))
        peer.append(_updates(machine, cluster, bench))
        library_rates.append(_library_refreshes(cluster, library, cookies, bench))


def _with_slow_flush(machine, cluster, roost, browser, bench):
    files = [_sessions(machine, roost, browser).rename(machine.folder / f"cookies{n}") for n in range(bench.rounds)]
    loads, peer = wrk.Loads(), []
    bench.report(Figure("refreshes with a flush of 1 ms", "/s", loads.rate, peer, ("x>=", 5.0)))
    with cluster.slow_flush():
        for file in files:
            loads.add(_load(cluster, roost, file, bench))
            peer.append(_updates(machine, cluster, bench))


def _library(machine, cluster):
    """Returns the peer, and a file with the cookies of its sessions."""
    library = BetterAuth(machine, cluster.create("better_auth"))
    cookies = machine.folder / "library-cookies"
    with futures.ThreadPoolExecutor(4) as pool:
        created = pool.map(lambda _: library.login(), range(PEER_SESSIONS))
        cookies.write_text("".join(f"{cookie}\n" for cookie in created))
    return library, cookies


def _library_refreshes(cluster, library, cookies, bench):
    cluster.settle()
    return wrk.load(f"{library.url}{better_auth.REFRESH}", bench.seconds, library.pid(), [], "refresh.lua",
                    [cookies, "GET"], core=None).rate


def _logins(roost, library, browser, bench):
    """Both sides use their default password hashing. A login after the load waits for the remaining ones."""
    body = json.dumps({"email": EMAIL, "password": PASSWORD})
    ours, peer = [], []
    bench.report(Figure("logins, against better-auth", "/s", ours, peer))
    for _ in range(bench.rounds):
        ours.append(_login_load(f"{roost.url}/auth/login", roost, bench, [body, browser]))
        _login(roost, browser)
        peer.append(_login_load(f"{library.url}{better_auth.LOGIN}", library, bench, [body]))
        library.login()


def _login_load(url, server, bench, arguments):
    return wrk.load(url, bench.seconds, server.pid(), [], "known_login.lua", arguments, core=None,
                    connections=CONCURRENT_LOGINS).rate


def _reads_during_logins(machine, roost, reader, bench):
    """Measures reads of a list, alone and during logins of many addresses, in turns. Server and clients have one core each, so
    that hashing competes only with the server's own work."""
    roost.stop()
    roost.start(SERVER_CORE)
    roost.wait_for_feeds(1000)
    calm, loaded = wrk.Loads(), wrk.Loads()
    bench.report(Figure("p99 of a list while logins saturate the queue", "ms", loaded.p99, calm.p99, ("x<=", 1.2)))
    for _ in range(bench.rounds):
        calm.add(_reads(roost, reader, bench))
        with wrk.background_load(machine, f"{roost.url}/auth/login", CONCURRENT_LOGINS, "login.lua"):
            loaded.add(_reads(roost, reader, bench))


def _reads(roost, reader, bench):
    return wrk.load(f"{roost.url}/marketplace-a/listings", bench.seconds, roost.pid(),
                    [reader, "Accept-Encoding: gzip"])
