#pragma once

#include <stdexcept>
#include <string>
#include <utility>

namespace roost::mail {

/// A message was not delivered. what() is fit for a log: it holds no address and nothing of the message.
struct send_failed : std::runtime_error {
  send_failed(std::string error_class, bool permanent, const std::string& detail = {})
      : std::runtime_error(detail.empty() ? error_class : error_class + ": " + detail),
        error_class(std::move(error_class)), permanent(permanent) {}

  /// `unreachable`, `timeout`, `interrupted`, `tls`, `authentication`, `deferred` (an SMTP 4xx answer),
  /// `refused` (a 5xx answer), `rejected_recipient`, `disk` or `internal`.
  std::string error_class;
  bool permanent; ///< trying again is of no use
  /// What the library and the server said, in their own words, for whoever sends by hand. They may name
  /// people: no log has it.
  std::string said = {};
};

} // namespace roost::mail
