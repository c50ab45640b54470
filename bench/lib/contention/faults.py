"""What goes wrong in the midst of a load, from outside of the processes that it happens to."""

import os
import signal
import threading
import time

PAUSE = 1.0  # seconds

# Those of the cell; who has been in a transaction for the longest is in the midst of something.
_CLIENTS = "from pg_stat_activity where datname = 'cell' and backend_type = 'client backend'"
_BUSIEST = f"select pid {_CLIENTS} order by xact_start nulls last limit 1"
_WORDS = {"cut": "connections cut", "kill": "kill -9 of a database process", "pause": f"a database process paused for {PAUSE:g} s"}


class Fault:
    """Happens `after` so many seconds, on a thread of its own. `moments` are when, on the monotonic clock."""

    def __init__(self, kind, store, after):
        self.kind, self.words, self.moments = kind, _WORDS[kind], []
        self._store = store
        self._timer = threading.Timer(after, self._happen)
        self._timer.start()

    def end(self):
        self._timer.cancel()
        self._timer.join()

    def _happen(self):
        if self.kind == "cut":
            self._note()
            self._store.sql(f"select count(pg_terminate_backend(pid)) {_CLIENTS}")
        elif victim := self._store.sql(_BUSIEST):
            self._note()
            if self.kind == "kill":
                os.kill(int(victim), signal.SIGKILL)
            else:
                os.kill(int(victim), signal.SIGSTOP)
                time.sleep(PAUSE)
                os.kill(int(victim), signal.SIGCONT)
                self._note()

    def _note(self):
        self.moments.append(time.monotonic_ns())
