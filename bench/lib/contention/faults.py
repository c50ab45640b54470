"""What goes wrong in the midst of a load, from outside of the processes that it happens to."""

import os
import signal
import threading
import time

PAUSE = 1.0  # seconds

# Those of the cell; who has been in a transaction for the longest is in the midst of something.
_CLIENTS = "from pg_stat_activity where datname = 'cell' and backend_type = 'client backend'"
_BUSIEST = f"select pid {_CLIENTS} order by xact_start nulls last limit 1"
_WORDS = {"cut": "connections cut", "kill": "kill -9", "pause": f"paused for {PAUSE:g} s"}


class Fault:
    """Happens `after` so many seconds, on a thread of its own: to a process of the database, or to the server where there
    is one. `moments` are when, on the monotonic clock."""

    def __init__(self, kind, store, server, after):
        self.kind, self.moments = kind, []
        self.words = _WORDS[kind] + ("" if kind == "cut" else ": the server" if server else ": a database process")
        self._store, self._server = store, server
        self._over = threading.Event()
        self._timer = threading.Timer(after, self._happen)
        self._timer.start()

    def end(self):
        self._timer.cancel()
        self._over.set()
        self._timer.join()

    def _happen(self):
        if self.kind == "cut":
            self._note()
            self._store.sql(f"select count(pg_terminate_backend(pid)) {_CLIENTS}")
        elif victim := self._server.pid() if self._server else self._store.sql(_BUSIEST):
            self._strike(int(victim))

    def _strike(self, victim):
        self._note()
        if self.kind == "pause":
            os.kill(victim, signal.SIGSTOP)
            time.sleep(PAUSE)
            os.kill(victim, signal.SIGCONT)
        else:
            os.kill(victim, signal.SIGKILL)
            if not self._server:
                return  # PostgreSQL starts anew by itself
            self._server.process.wait()
            self._server.start()
            self._note()
            self._over.wait()  # the server ends with the thread that started it (setpriv --pdeathsig)
            return
        self._note()

    def _note(self):
        self.moments.append(time.monotonic_ns())
