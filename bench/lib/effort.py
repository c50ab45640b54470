"""What a figure is measured with, and where it tells what it has found."""

from lib import wrk

# Options of single figures: each module of figures/ names those that it takes in OPTIONS.
OPTIONS = ("units", "connections", "conflicts", "skew", "platforms", "read_share")


class Effort:
    """`given` has the command line's pairs, rounds, seconds, before and OPTIONS; an option that is not given is None."""

    def __init__(self, given):
        self.pairs, self.rounds, self.seconds, self.before = given.pairs, given.rounds, given.seconds, given.before
        for name in OPTIONS:
            setattr(self, name, getattr(given, name))
        self.connections = given.connections or wrk.CONNECTIONS
        self._told = []

    def builds(self, machine):
        """The names and programs of the builds that are measured side by side, this one first."""
        return [("now", machine.program)] + ([("before", self.before.resolve())] if self.before else [])

    def tell(self, *figures):
        """Figures whose lists are still filled: what an interrupted measurement has found until then is shown."""
        self._told += figures

    def told(self):
        return [figure for figure in self._told if figure.ours]


def in_turns(sides, number):
    """The sides' indices in the order of a round: which is first changes each time."""
    order = range(len(sides))
    return order if number % 2 == 0 else reversed(order)
