"""Faults injected from outside during a load."""

import os
import signal
import threading
import time

PAUSE = 1.0  # seconds

# Connections of the cell. The one with the longest transaction is probably busy.
_CLIENTS = "from pg_stat_activity where datname = 'cell' and backend_type = 'client backend'"
_BUSIEST = f"select pid {_CLIENTS} order by xact_start nulls last limit 1"
_DESCRIPTIONS = {"cut": "connections cut", "kill": "kill -9", "pause": f"paused for {PAUSE:g} s"}


class Fault:
    """A fault of the server if there is one, otherwise of a database process. Runs on its own thread `after` this number of
    seconds. `times` are on the monotonic clock."""

    def __init__(self, kind, store, server, after):
        self.kind, self.times = kind, []
        self.description = _DESCRIPTIONS[kind] + ("" if kind == "cut" else ": the server" if server else ": a database process")
        self._store, self._server = store, server
        self._ended = threading.Event()
        self._timer = threading.Timer(after, self._inject)
        self._timer.start()

    def end(self):
        self._timer.cancel()
        self._ended.set()
        self._timer.join()

    def _happen(self):
        if self.kind == "cut":
            self._record_time()
            self._store.sql(f"select count(pg_terminate_backend(pid)) {_CLIENTS}")
        elif victim := self._server.pid() if self._server else self._store.sql(_BUSIEST):
            self._hit(int(victim))

    def _hit(self, victim):
        self._record_time()
        if self.kind == "pause":
            os.kill(victim, signal.SIGSTOP)
            time.sleep(PAUSE)
            os.kill(victim, signal.SIGCONT)
        else:
            os.kill(victim, signal.SIGKILL)
            if not self._server:
                return  # PostgreSQL restarts automatically
            self._server.process.wait()
            self._server.start()
            self._record_time()
            self._ended.wait()  # the server is terminated with the thread that started it (setpriv --pdeathsig)
            return
        self._record_time()

    def _record_time(self):
        self.times.append(time.monotonic_ns())
