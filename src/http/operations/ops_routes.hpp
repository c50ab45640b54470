#pragma once

#include "http/protocol/router.hpp"
#include "metrics/registry.hpp"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace roost::http {

/// A condition of readiness. It is evaluated on an I/O thread for every GET /readyz, so it must not block.
struct readiness_check {
  std::string name;                                   ///< e.g. store, schema, portfolio
  std::function<std::optional<std::string>()> reason; ///< nullopt if ready
  bool is_advisory = false; ///< listed only while it has a reason, and the server is ready nevertheless
};

/// Returns the units and accounts with the most requests, as JSON. Called on an I/O thread.
using busiest_report = std::function<std::string()>;

/// Returns the routes of the operators' listener: /healthz, /readyz, /metrics and /busiest. `registry` and
/// `checks` must outlive the server; checks must not be added once it serves. The routes refuse requests for
/// any host but `localhost`, IP addresses and `hosts`, because a page of another site can make its own name
/// resolve to this listener and then read it.
router make_ops_router(metrics::registry& registry, const std::vector<readiness_check>& checks,
                       busiest_report busiest, std::vector<std::string> hosts = {});

} // namespace roost::http
