"""Assistants: metadata against nginx, refreshes against one update per commit, introspection against a live read."""

import json
import re

from lib import portfolio, turns, wrk
from lib.clients import Assistant, mailed_code
from lib.figure import Figure
from lib.machine import SERVER_CORE, wait_until
from lib.nginx import Nginx
from lib.roost import ONE_THREAD, Roost
from lib.stores import Cluster, sqlite_url

CONNECTIONS = 256  # one per assistant, each with a token
OPTIONS = ()
EMAIL, PASSWORD = "bench@landlord.example", "a password"
LIMITS = ("login", "verify_otp", "management", "discovery", "register", "authorize", "decision", "token")
SETTINGS = ["bookings.cycle=1h", *(f"rate_limits.{name}=0" for name in LIMITS)]
METADATA = "/.well-known/oauth-authorization-server"

# The row updates of a refresh.
_UPDATE = r"""\set number random(1, 256)
update one_update set generation = generation + 1, used_at = now() where number = :number;
"""


def measure(machine, bench):
    _write_portfolio(machine.folder / "portfolio.json")
    cluster = Cluster(machine)
    _refreshes(machine, cluster, bench)
    _reads(machine, bench)


def _write_portfolio(file):
    """Writes a portfolio whose first account has a user who may authorize assistants."""
    portfolio.write(file, 1000)
    user = (f'"users": [{{"id": "99999999-0000-4000-8000-000000000001", "email": "{EMAIL}", '
            f'"password": "{PASSWORD}", "role": "Admin"}}], "aiAreas": {{"bookings": "edit", "team": "read-only"}}, '
            '"properties"')
    file.write_text(re.sub(r'("users": ?\[[^\]]*\], ?)?"properties"', lambda _: user, file.read_text(), count=1))


def _start(machine, store, name, settings=(), core=None):
    roost = Roost(machine, store, name, [*SETTINGS, *settings])
    roost.command("import", machine.folder / "portfolio.json")
    roost.start(core)
    roost.wait_for_feeds(1000)
    return roost


def _session(machine, roost):
    """Signs a user in and returns the session cookie."""
    challenge = json.loads(roost.send("POST", "/auth/login", {"email": EMAIL, "password": PASSWORD}, {})[2])
    outbox = machine.folder / f"{roost.name}-outbox"
    code = wait_until(lambda: mailed_code(outbox.glob("*.eml")), 30, "the code", poll=0.05)
    session = roost.send("POST", "/auth/verify-otp", {"challengeToken": challenge["challengeToken"], "otp": code}, {})
    return next(value.split(";")[0] for name, value in session[1].items() if name.lower() == "set-cookie")


def _refreshes(machine, cluster, bench):
    roost = _start(machine, cluster.create("connector"), "connector")
    cluster.sql("connector", "create table one_update (number int primary key, generation bigint, used_at timestamptz)"
                             " with (fillfactor = 60)")
    cluster.sql("connector", f"insert into one_update select n, 1, now() from generate_series(1, {CONNECTIONS}) n")
    (machine.folder / "update.sql").write_text(_UPDATE)
    assistant = Assistant(roost, _session(machine, roost))
    file = machine.folder / "tokens"
    loads, peer = wrk.Loads(), []
    bench.report(Figure("refreshes of assistants", "/s", loads.rate, peer, (">=", 3000)),
                 Figure("  p99", "ms", loads.p99),
                 Figure("  server time per refresh", "us", loads.cpu))
    for _ in range(bench.rounds):
        file.write_text("".join(assistant.connect()["refresh_token"] + "\n" for _ in range(CONNECTIONS)))
        cluster.settle()
        loads.add(wrk.load(f"{roost.url}/oauth/token", bench.seconds, roost.pid(), [], "refresh_tokens.lua",
                           [assistant.id, str(file)], core=None))
        cluster.settle()
        peer.append(cluster.inserts_per_second("connector", machine.folder / "update.sql", bench.seconds))
    roost.stop()


def _reads(machine, bench):
    roost = _start(machine, sqlite_url(machine.folder, "reads"), "reads", [ONE_THREAD], SERVER_CORE)
    nginx = Nginx(machine, SERVER_CORE)
    nginx.add("metadata.json", roost.get(METADATA)[2])
    turns.compare("connector metadata", turns.Side(roost, METADATA, {}),
                  turns.Side(nginx, "/metadata.json", {}), bench)
    token = Assistant(roost, _session(machine, roost)).connect()["access_token"]
    key = roost.command("tool-server-key", "issue").strip()
    fields = [f"Authorization: Bearer {key}", "Content-Type: application/x-www-form-urlencoded"]
    reader = [f"Authorization: Bearer {roost.token()}"]
    introspections, reads = wrk.Loads(), wrk.Loads()
    bench.report(Figure("introspection, against a live read", "us", introspections.cpu, reads.cpu, ("x<=", 1.0)),
                 Figure("  rate", "/s", introspections.rate, reads.rate))
    for _ in range(bench.pairs):
        introspections.add(wrk.load(f"{roost.url}/oauth/introspect", 1, roost.pid(), fields, "introspect.lua", [token]))
        reads.add(wrk.load(f"{roost.url}/marketplace-a/listings/{portfolio.FIRST_UNIT}", 1, roost.pid(), reader))
    roost.stop()
