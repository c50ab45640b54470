#pragma once

#include "service/support/child_process.hpp"
#include "service/support/partner.hpp"
#include "service/support/workplace.hpp"
#include "support/eventually.hpp"
#include "temporary_folder.hpp"

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace roost::testing {

/// What the constructor of running_roost waits for.
enum class started {
  serving,   ///< /readyz returns 200
  listening, ///< both listeners are open; the store may not be connected yet
};

/// Values by key: strings as they are, numbers and booleans as JSON.
using event_fields = std::map<std::string, std::string>;

/// An event of a server, as it would log it.
struct event {
  std::string name, level;
  event_fields fields;

  /// Returns a field. Throws std::runtime_error when the event does not have it.
  const std::string& at(const std::string& key) const;
};

/// A `roost serve` process in a workplace, killed at the end of the test. Its standard error is its log.
class running_roost {
public:
  static constexpr std::chrono::seconds start_timeout{60};
  static constexpr std::chrono::seconds stop_timeout{20};
  static constexpr std::chrono::seconds timeout{10};

  /// Throws std::runtime_error with the log when the server does not start. `has_terminal` starts it in the
  /// foreground of a new terminal session.
  explicit running_roost(const workplace& place, started wait_for = started::serving,
                         std::vector<std::string> arguments = {},
                         std::map<std::string, std::string> environment = {}, bool has_terminal = false);

  std::uint16_t port() const { return port_; }
  std::uint16_t ops_port() const { return ops_port_; }
  child_process& process() { return process_; }
  pid_t process_id() const { return process_.id(); }

  /// Returns a client for a platform whose prefix is its name, with a newly issued token.
  partner partner_of(const std::string& platform) const;

  raw_response ops(const std::string& path) const { return send_request(ops_port_, "GET", path); }
  bool is_ready() const { return ops("/readyz").status == 200; }
  /// Returns a sample of /metrics by its name and labels as written there; nullopt when it is absent.
  std::optional<double> metric(const std::string& name_and_labels) const;

  void wait_until_ready();
  /// Waits for an event with this name and at least these fields, and returns the first one since the start.
  /// An empty name stands for any. Throws std::runtime_error with the log on timeout, or when the server ends
  /// without it.
  event wait_for_event(std::string_view name, const event_fields& fields = {}) const;
  /// Returns the events with this name so far; an empty name: all.
  std::vector<event> events(std::string_view name = {}) const;

  /// For tests of the log's text: waits for a log line that contains all parts, and returns it. Throws
  /// std::runtime_error on timeout.
  std::string wait_for_log(std::vector<std::string> parts);
  std::string log() const { return process_.errors(); }

  /// Sends SIGTERM and returns the exit status. Throws std::runtime_error when the server does not end.
  int stop();
  /// Sends SIGKILL and waits for the end of the process.
  void kill();

private:
  const workplace& place_;
  tests::temporary_folder events_folder_; ///< outside the workplace and the store, whose disk a test may fill
  std::filesystem::path events_file_;
  child_process process_;
  std::uint16_t port_ = 0, ops_port_ = 0;
};

/// Returns a free port of 127.0.0.1 below the kernel's range of ephemeral ports.
std::uint16_t free_port();

} // namespace roost::testing
