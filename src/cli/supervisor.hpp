#pragma once

#include <chrono>
#include <optional>
#include <string>

/// The supervisor of the process: a service manager or a terminal.
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

/// Whether the program runs in the foreground of a terminal, as in a demo. Closing the terminal sends SIGHUP,
/// which otherwise requests a reload. Returns false under nohup(1), which ignores SIGHUP.
bool is_in_foreground();

/// Whether the process has no terminal, or it has been closed.
bool terminal_is_gone();

} // namespace roost::cli
