"""The settings that the lab compares: each policy's defaults, and one changed knob at a time."""

from dataclasses import dataclass

POLICIES = ("asio", "stealing", "sharing")
SHIPPED = "asio"

# The values of knobs by policy, without the defaults. io_threads is server.io_threads, which applies to every policy.
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
# The subset of a quick run.
_QUICK = {"asio": {"io_threads": ("2",)}, "stealing": {"max_threads": ("1",), "moderate_sleep_duration": ("500us",)},
          "sharing": {"max_threads": ("1",)}}
NAMES = tuple(dict.fromkeys(name for knobs in KNOBS.values() for name in knobs))


@dataclass(frozen=True)
class Setting:
    """A policy, and the knobs that differ from its defaults as (name, value) pairs."""

    policy: str
    knobs: tuple = ()

    @property
    def name(self):
        return " ".join([self.policy, *(f"{name}={value}" for name, value in self.knobs)])

    def overrides(self):
        """Returns values for the server's --set."""
        return [f"scheduler.policy={self.policy}", *(f"{_key(name)}={value}" for name, value in self.knobs)]

    def toml(self):
        """Returns the lines of a configuration file."""
        sections = {"scheduler": [("policy", f'"{self.policy}"')]}
        for name, value in self.knobs:
            section, key = _key(name).split(".")
            sections.setdefault(section, []).append((key, value if value.isdigit() else f'"{value}"'))
        return "\n\n".join("\n".join([f"[{section}]", *(f"{key} = {value}" for key, value in keys)])
                           for section, keys in sections.items())


def _key(name):
    return "server.io_threads" if name == "io_threads" else f"scheduler.{name}"


def defaults(policies):
    return [Setting(policy) for policy in policies]


def variations(policies, knobs=None, is_quick=False, io_threads=1):
    """Returns settings with one changed knob each, omitting the default `io_threads` of this machine."""
    values_of = _QUICK if is_quick and not knobs else KNOBS
    return [Setting(policy, ((name, value),)) for policy in policies for name, values in values_of[policy].items()
            if not knobs or name in knobs for value in values if (name, value) != ("io_threads", str(io_threads))]


def combined(policy, best):
    """Returns a setting with the best value of each knob; None if those are the defaults."""
    return Setting(policy, tuple(best)) if best else None
