"""Two servers that are loaded in turns and compared by the processor time that an answer costs them.

Rates on a shared machine swing by a third from run to run. The processor time of a server that has a core to itself in its
turn hardly does, and its ratio to a peer whose turn is next to it does so least of all.
"""

from dataclasses import dataclass

from lib import wrk
from lib.machine import Failure
from lib.table import Figure

TURN = 1  # second; the least that wrk can do

_NO_DEARER = ("x<=", 1.0)


@dataclass
class Side:
    """A server and what it is asked. `server` is a Roost or an Nginx."""

    server: object
    path: str
    headers: dict

    def get(self):
        return self.server.get(self.path, self.headers)

    def load(self, answer_size, connections):
        lines = [f"{key}: {value}" for key, value in self.headers.items()]
        load = wrk.load(self.server.url + self.path, TURN, self.server.pid(), lines, connections=connections)
        # What was under way at the end of the turn has come in part, or whole and uncounted.
        if not 0 <= load.received - load.answers * answer_size <= 2 * connections * answer_size:
            raise Failure(f"{load.answers} answers of {answer_size} bytes came as {load.received} bytes")
        return load


def compare(name, ours, theirs, effort, status=200, target=_NO_DEARER):
    """Tells figures of the processor time an answer and of the rate. Fails where the two do not answer the same."""
    sides = (ours, theirs)
    sizes = _require_equal(name, status, sides)
    for side, size in zip(sides, sizes):
        side.load(size, effort.connections)  # warms it up
    loads = [wrk.Loads(), wrk.Loads()]
    effort.tell(Figure(name, "us", *(each.cpu for each in loads), target=target),
                Figure("  rate", "/s", *(each.rate for each in loads)))
    for number in range(effort.pairs):
        for i in (0, 1) if number % 2 == 0 else (1, 0):
            loads[i].add(sides[i].load(sizes[i], effort.connections))


def _require_equal(name, status, sides):
    """The size of each side's answer, after a look at both. An import makes up some of what lists show, so two builds'
    bodies are only about as long; a file has the same bytes."""
    answers = [side.get() for side in sides]
    bodies = [body for _, _, body in answers]
    is_same = bodies[0] == bodies[1] or (_are_builds(sides) and abs(len(bodies[0]) - len(bodies[1])) <= len(bodies[0]) // 100)
    if not is_same or any(answer[0] != status for answer in answers):
        raise Failure(f"{name}: the two sides do not answer the same: "
                      + ", ".join(f"{status} with {len(body)} bytes" for status, _, body in answers))
    return [_size(*answer) for answer in answers]


def _are_builds(sides):
    return type(sides[0].server) is type(sides[1].server)


def _size(status, fields, body):
    reason = {200: "OK", 304: "Not Modified"}[status]
    lines = [f"HTTP/1.1 {status} {reason}", *(f"{key}: {value}" for key, value in fields.items())]
    return sum(len(line) + 2 for line in lines) + 2 + len(body)
