#pragma once

#include "http/json/query_reader.hpp"
#include "http/partner/partner_api.hpp"
#include "http/protocol/workload.hpp"

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace roost::http {

/// Reads a whole number of digits.
std::optional<std::int64_t> parse_digits(std::string_view text);

/// How long a request waits for a change of its platform's outcomes. From the first wait on, the request
/// counts as a waiting one.
class outcome_wait {
public:
  /// Reads `wait` from the query.
  outcome_wait(const platform_api& api, request& req, query_reader& query);

  /// Waits until the outcome of a reference (empty: any) has changed after this position, or until `at_most`
  /// has passed. Returns false if the request's time is over. Throws busy() if too many requests wait. The
  /// reference must outlive the wait.
  asio::awaitable<bool> change_after(std::int64_t position, const std::string& reference,
                                     std::chrono::milliseconds at_most = std::chrono::milliseconds::max());

private:
  const platform_api& api_;
  request& request_;
  std::chrono::steady_clock::time_point until_;
  std::optional<workload::waiting_request> counted_;
};

/// The documentation of `wait`.
inline constexpr documented_query wait_query{"wait", "How long to wait for a decision or a change: 0s to 30s",
                                             "WaitTime"};

} // namespace roost::http
