"""Compares two servers, which are loaded in turns, by their processor time per response.

Rates on a shared machine vary by a third from run to run. The processor time of a server with its own core hardly does, and
its ratio to a peer measured immediately before or after varies least.
"""

from dataclasses import dataclass

from lib import wrk
from lib.figure import Figure
from lib.machine import Failure

TURN = 1  # second, the minimum of wrk

_NOT_MORE = ("x<=", 1.0)


@dataclass
class Side:
    """A server, a Roost or an Nginx, and the request sent to it."""

    server: object
    path: str
    headers: dict

    def get(self):
        return self.server.get(self.path, self.headers)

    def load(self, response_size, connections):
        lines = [f"{key}: {value}" for key, value in self.headers.items()]
        load = wrk.load(self.server.url + self.path, TURN, self.server.pid(), lines, connections=connections)
        # Responses in progress at the end of the turn were received in part, or completely but not counted.
        if not 0 <= load.received - load.responses * response_size <= 2 * connections * response_size:
            raise Failure(f"{load.responses} responses of {response_size} bytes took {load.received} bytes")
        return load


def compare(name, ours, theirs, bench, status=200, target=_NOT_MORE, has_same_body=True):
    """Reports the processor time per response and the rate. Fails if the responses of the two sides differ, apart from their
    bodies if these are not the same."""
    sides = (ours, theirs)
    sizes = _require_equal(name, status, sides, has_same_body)
    for side, size in zip(sides, sizes):
        side.load(size, bench.connections)  # warm-up
    loads = [wrk.Loads(), wrk.Loads()]
    bench.report(Figure(name, "us", *(each.cpu for each in loads), target=target),
                 Figure("  rate", "/s", *(each.rate for each in loads)))
    for number in range(bench.pairs):
        for i in (0, 1) if number % 2 == 0 else (1, 0):
            loads[i].add(sides[i].load(sizes[i], bench.connections))


def _require_equal(name, status, sides, has_same_body):
    """Returns the size of each side's response after comparing them. An import generates some content of lists, so the bodies
    of two builds may differ slightly in length; a file has the same bytes."""
    responses = [side.get() for side in sides]
    bodies = [body for _, _, body in responses]
    is_same = not has_same_body or bodies[0] == bodies[1] or (_are_builds(sides) and abs(len(bodies[0]) - len(bodies[1])) <= len(bodies[0]) // 100)
    if not is_same or any(response[0] != status for response in responses):
        raise Failure(f"{name}: the responses of the two sides differ: "
                      + ", ".join(f"{status} with {len(body)} bytes" for status, _, body in responses))
    return [_size(*response) for response in responses]


def _are_builds(sides):
    return type(sides[0].server) is type(sides[1].server)


def _size(status, fields, body):
    reason = {200: "OK", 304: "Not Modified"}[status]
    lines = [f"HTTP/1.1 {status} {reason}", *(f"{key}: {value}" for key, value in fields.items())]
    return sum(len(line) + 2 for line in lines) + 2 + len(body)
