"""Which settings the lab compares: each policy as it is shipped, and one knob at a time around it."""

from dataclasses import dataclass

POLICIES = ("asio", "stealing", "sharing")
SHIPPED = "asio"

# Of each policy: a knob's values besides the shipped one. io_threads is server.io_threads, which every policy has.
_IO_THREADS = {"io_threads": ("1", "2")}
_THREADS = {"max_threads": ("1", "4")}
_THROUGHPUT = {"max_throughput": ("1", "8", "300")}
_WAITING = {
    "aggressive_poll_attempts": ("1", "10", "1000"),
    "aggressive_steal_interval": ("1", "100"),
    "moderate_poll_attempts": ("1", "50", "5000"),
    "moderate_steal_interval": ("1", "50"),
    "moderate_sleep_duration": ("10us", "500us"),
    "relaxed_steal_interval": ("10",),
    "relaxed_sleep_duration": ("1ms", "100ms"),
}
KNOBS = {
    "asio": {**_IO_THREADS, "max_throughput": ("1", "8")},
    "stealing": {**_IO_THREADS, **_THREADS, **_THROUGHPUT, **_WAITING},
    "sharing": {**_IO_THREADS, **_THREADS, **_THROUGHPUT},
}
# What a quick run has time for.
_QUICK = {"asio": {"io_threads": ("2",)}, "stealing": {"max_threads": ("1",), "moderate_sleep_duration": ("500us",)},
          "sharing": {"max_threads": ("1",)}}
NAMES = tuple(dict.fromkeys(name for knobs in KNOBS.values() for name in knobs))


@dataclass(frozen=True)
class Setting:
    """A policy, and the knobs that differ from what is shipped, as (name, value)…"""

    policy: str
    knobs: tuple = ()

    @property
    def name(self):
        return " ".join([self.policy, *(f"{name}={value}" for name, value in self.knobs)])

    def words(self):
        """As the server's --set takes them."""
        return [f"scheduler.policy={self.policy}", *(f"{_key(name)}={value}" for name, value in self.knobs)]

    def toml(self):
        """As a configuration file has them."""
        sections = {"scheduler": [("policy", f'"{self.policy}"')]}
        for name, value in self.knobs:
            section, key = _key(name).split(".")
            sections.setdefault(section, []).append((key, value if value.isdigit() else f'"{value}"'))
        return "\n\n".join("\n".join([f"[{section}]", *(f"{key} = {value}" for key, value in keys)])
                           for section, keys in sections.items())


def _key(name):
    return "server.io_threads" if name == "io_threads" else f"scheduler.{name}"


def centres(policies):
    return [Setting(policy) for policy in policies]


def around(policies, knobs=None, is_quick=False, io_threads=1):
    """One knob at a time. A value that the shipped configuration comes to on this machine anyway is left out."""
    wanted = _QUICK if is_quick and not knobs else KNOBS
    return [Setting(policy, ((name, value),)) for policy in policies for name, values in wanted[policy].items()
            if not knobs or name in knobs for value in values if (name, value) != ("io_threads", str(io_threads))]


def combined(policy, best):
    """The best value of each knob together; None where the shipped ones are."""
    return Setting(policy, tuple(best)) if best else None
