"""The stream of changes, as a bench finds it in a store."""

import datetime


def newest_commit(rows, kind):
    """When the newest change of that kind was committed, in seconds since 1970: its entry is the last that a transaction
    writes. `rows` answers the lines of a query."""
    at = rows(f"select at from changes where kind = '{kind}' order by position desc limit 1")[0]
    return datetime.datetime.fromisoformat(at).timestamp()
