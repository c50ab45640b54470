#pragma once

#include <chrono>
#include <optional>
#include <string>

/// What supervises the process: a service manager, or a terminal.
namespace roost::cli {

/// A client of the service manager's notification protocol, sd_notify(3). All notifications are no-ops if
/// NOTIFY_SOCKET is not set.
class service_manager {
public:
  /// Reads NOTIFY_SOCKET, WATCHDOG_USEC and WATCHDOG_PID.
  service_manager();

  /// The time within which the manager expects alive(); nullopt: its watchdog is off.
  std::optional<std::chrono::microseconds> watchdog() const { return watchdog_; }

  void ready() const { notify("READY=1\nSTATUS=listening"); }
  void alive() const { notify("WATCHDOG=1"); }
  /// ready() reports the end of the reload.
  void reloading() const;
  void stopping() const { notify("STOPPING=1\nSTATUS=finishing writes"); }

private:
  void notify(const std::string& state) const;

  std::string socket_;
  std::optional<std::chrono::microseconds> watchdog_;
};

/// The terminal in whose foreground the program was started, as in a demo. Closing it sends SIGHUP, which
/// otherwise requests a reload.
class foreground_terminal {
public:
  /// Looks for the terminal. Under nohup(1), which ignores SIGHUP, there is none.
  foreground_terminal();

  /// Whether there was a terminal that has been closed.
  bool is_gone() const;

private:
  bool was_there_;
};

} // namespace roost::cli
