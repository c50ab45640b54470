"""The AI usage ledger with ten million records: pages and summaries for a user, against plain counts of the rows."""

import datetime
import http.client
import json
import re
import time

from lib.clients import sign_in
from lib.figure import Figure
from lib.machine import Failure, say
from lib.roost import Roost
from lib.stores import Cluster

RECORDS = 10_000_000
OWN_SHARE = 0.8  # of the measured account; four others have the rest
DAYS = 365
FIRST_DAY = datetime.date(2026, 1, 1)
REQUESTS = 15  # of each kind, after a warm-up
DATABASE = "usage"
OPTIONS = ()

_ACCOUNTS = [f"0b2f7f8e-5a51-4d0c-9d2f-3f0a3f1f000{number}" for number in range(1, 6)]
_USER = ("ana@landlord.example", "ana-only")

# Adds the records in the order of their time, a month per statement.
_FILL = """
insert into ai_usage (id, account_id, feature, provider, model, input_tokens, output_tokens, cache_creation_input_tokens,
                      cache_read_input_tokens, cost, currency, pricing_snapshot, source, conversation_id, created_at)
select gen_random_uuid(), (array[{accounts}])[case when random() < {own_share} then 1 else 2 + floor(random() * 4) end]::uuid,
       (array['landlord_chat', 'utility_bill_extraction', 'booking_communication_summary', 'faq_generation',
              'ticket_priority_analysis', 'cashflow_invoice_analysis'])[1 + floor(random() * random() * 6)],
       'larkspur', 'larkspur-' || floor(random() * 5), floor(random() * 4000), floor(random() * 900),
       floor(random() * 3000), floor(random() * 9000), round((random() * 0.05)::numeric, 6), 'USD',
       '{{"currency":"USD","perMTok":{{"input":3,"output":15}}}}', 'web', gen_random_uuid()::text,
       date_trunc('milliseconds', '{first}'::timestamptz + number * interval '1 day' * {days} / {count})
from generate_series(0, {count} - 1) as number
"""


def measure(machine, bench):
    cluster = Cluster(machine)
    roost = Roost(machine, cluster.create(DATABASE), "usage", ["rate_limits.management=1000000"])
    _write_landlords(machine.folder / "portfolio.json")
    roost.command("import", machine.folder / "portfolio.json")
    filled = _fill(cluster)
    roost.start()
    roost.headers = sign_in(machine, roost, *_USER)
    total = _get(roost, "/ai-usage?limit=1")["total"]
    bench.report(Figure(f"filling the ledger with {RECORDS:,} records, by SQL", "/s", [RECORDS / filled]))
    for name, path, limit in _requests(total):
        bench.report(Figure(name, "ms", _times(roost, path), _count_times(cluster, path), target=("<", limit)))
    roost.stop()


def _requests(total):
    """Returns the name of each figure, the request's path, and the target in milliseconds."""
    end = FIRST_DAY + datetime.timedelta(days=DAYS)
    month = f"from={FIRST_DAY.replace(month=6)}T00:00:00.000Z&to={FIRST_DAY.replace(month=6, day=30)}T23:59:59.999Z"
    cut_month = f"from={FIRST_DAY.replace(month=6)}T11:47:13.201Z&to={FIRST_DAY.replace(month=7)}T12:13:07.418Z"
    cut_year = f"from={FIRST_DAY}T11:47:13.201Z&to={end - datetime.timedelta(days=1)}T12:13:07.418Z"
    middle = total // 2 // 200
    return [
        ("ledger: the first page of 50", "/ai-usage", 50),
        ("  a page of 200 in the middle", f"/ai-usage?limit=200&page={middle}", 50),
        ("  the last page", f"/ai-usage?limit=200&page={total // 200}", 50),
        ("  a page of a month and a feature", f"/ai-usage?{cut_month}&feature=cashflow_invoice_analysis&page=20", 50),
        ("  a month's summary", f"/ai-usage/summary?{month}", 50),
        ("  a summary from noon to noon, a month", f"/ai-usage/summary?{cut_month}", 50),
        ("  a year's summary", f"/ai-usage/summary?from={FIRST_DAY}&to={end}", 200),
        ("  a summary from noon to noon, a year", f"/ai-usage/summary?{cut_year}", 200),
        ("  a year's summary of one feature", f"/ai-usage/summary?{cut_year}&feature=landlord_chat", 200),
    ]


def _write_landlords(path):
    accounts = [{"id": account, "companyName": f"Landlord {number}", "currency": "EUR", "landlordKey": f"key-{number}",
                 "users": []} for number, account in enumerate(_ACCOUNTS)]
    accounts[0]["users"] = [{"id": "22222222-0000-4000-8000-000000000001", "email": _USER[0], "password": _USER[1],
                             "role": "Admin"}]
    path.write_text(json.dumps({"format": "roost-portfolio/1", "accounts": accounts}))


def _fill(cluster):
    """Fills the ledger and returns the seconds, without the vacuum that runs automatically in production."""
    accounts = ", ".join(f"'{account}'" for account in _ACCOUNTS)
    portions = 12
    started = time.monotonic()
    for portion in range(portions):
        say(f"usage: {RECORDS * portion // portions:,} records")
        first = datetime.datetime.combine(FIRST_DAY, datetime.time()) + datetime.timedelta(days=DAYS / portions * portion)
        cluster.sql(DATABASE, _FILL.format(accounts=accounts, own_share=OWN_SHARE, first=f"{first.isoformat()}Z",
                                           days=DAYS / portions, count=RECORDS // portions), timeout=1800)
    filled = time.monotonic() - started
    cluster.sql(DATABASE, "vacuum analyze", timeout=1800)
    cluster.settle()
    return filled


def _times(roost, path):
    """Returns milliseconds from the request to the complete response, on a keep-alive connection."""
    connection = http.client.HTTPConnection("127.0.0.1", roost.port, timeout=60)
    times = []
    for number in range(REQUESTS + 1):
        started = time.perf_counter()
        connection.request("GET", path, headers=roost.headers)
        response = connection.getresponse()
        body = response.read()
        if number > 0:
            times.append((time.perf_counter() - started) * 1000)
        if response.status != 200:
            raise Failure(f"{path} returned {response.status} {body!r}")
    connection.close()
    return times


def _get(roost, path):
    status, _, body = roost.get(path, roost.headers)
    if status != 200:
        raise Failure(f"{path} returned {status} {body!r}")
    return json.loads(body)


def _count_times(cluster, path):
    """Returns milliseconds that PostgreSQL takes to count the rows of the same range, without the time of a connection."""
    conditions = [f"account_id = '{_ACCOUNTS[0]}'"]
    for name, operator in (("from", ">="), ("to", "<=")):
        if moment := re.search(rf"[?&]{name}=([^&]+)", path):
            conditions.append(f"created_at {operator} '{moment[1]}'")
    if feature := re.search(r"feature=(\w+)", path):
        conditions.append(f"feature = '{feature[1]}'")
    count = f"explain (analyze, timing off, format json) select count(*) from ai_usage where {' and '.join(conditions)}"
    return [json.loads(cluster.sql(DATABASE, count))[0]["Execution Time"] for _ in range(REQUESTS)]
