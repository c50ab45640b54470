#pragma once

#include "service/support/child_process.hpp"
#include "service/support/partner.hpp"
#include "service/support/workplace.hpp"

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace roost::testing {

/// When a started server is handed to the test.
enum class started {
  serving,   ///< /readyz says so
  listening, ///< both listeners are open; there may be no store yet
};

/// `roost serve` in a workplace, as a process of its own that ends with the test. What it says on standard
/// error is its log.
class running_roost {
public:
  static constexpr std::chrono::seconds start_patience{60};
  static constexpr std::chrono::seconds end_patience{20};
  static constexpr std::chrono::seconds patience{10};

  /// Throws std::runtime_error with the log when the server does not come up.
  explicit running_roost(const workplace& at, started when = started::serving,
                         std::vector<std::string> arguments = {},
                         std::map<std::string, std::string> environment = {});

  std::uint16_t port() const { return port_; }
  std::uint16_t ops_port() const { return ops_port_; }
  child_process& process() { return process_; }
  pid_t process_id() const { return process_.id(); }

  /// A platform that has its name for prefix, with a token of its own made by the command line.
  partner partner_of(const std::string& platform) const;

  raw_response ops(const std::string& path) const { return ask(ops_port_, "GET", path); }
  bool is_ready() const { return ops("/readyz").status == 200; }
  /// A sample of /metrics, by its name with its labels as the text shows them; nothing when it is not there.
  std::optional<double> metric(const std::string& name_and_labels) const;

  void wait_until_ready();
  /// Waits for a line of the log with all these parts, and gives it. Throws std::runtime_error when it does
  /// not come.
  std::string wait_for_log(std::vector<std::string> parts);
  std::string log() const { return process_.errors(); }

  /// SIGTERM, and the exit status. Throws std::runtime_error when the server does not end.
  int stop();
  /// SIGKILL: gone without a word.
  void kill();

private:
  const workplace& at_;
  child_process process_;
  std::uint16_t port_ = 0, ops_port_ = 0;
};

/// Asks again and again, some milliseconds apart, until `holds` is true; false when it does not become true.
bool eventually(const std::function<bool()>& holds,
                std::chrono::milliseconds patience = running_roost::patience);

} // namespace roost::testing
