#pragma once

#include <chrono>
#include <optional>
#include <string>

namespace roost::cli {

/// systemd, or whoever else started the program and named a socket in NOTIFY_SOCKET: sd_notify(3). Without
/// one, nothing is told.
class service_manager {
public:
  /// Reads NOTIFY_SOCKET, WATCHDOG_USEC and WATCHDOG_PID.
  service_manager();

  /// Within what time the manager wants to hear that the program is alive; nothing: it does not ask.
  std::optional<std::chrono::microseconds> watchdog() const { return watchdog_; }

  void ready() const { tell("READY=1\nSTATUS=listening"); }
  void alive() const { tell("WATCHDOG=1"); }
  /// ready() says that it is over.
  void reloading() const;
  void stopping() const { tell("STOPPING=1\nSTATUS=finishing what writes"); }

private:
  void tell(const std::string& state) const;

  std::string socket_;
  std::optional<std::chrono::microseconds> watchdog_;
};

} // namespace roost::cli
