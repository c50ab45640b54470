#pragma once

#include "http/protocol/router.hpp"
#include "metrics/registry.hpp"

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace roost::http {

/// One condition of readiness. It runs on an I/O thread for every GET /readyz, so it only reads what is
/// known.
struct readiness_check {
  std::string name;                                   ///< e.g. store, schema, portfolio
  std::function<std::optional<std::string>()> reason; ///< nothing when fine, else why not
};

/// Which units and accounts are asked most, as JSON. It runs on an I/O thread.
using busiest_report = std::function<std::string()>;

/// The routes of the operators' listener: /healthz, /readyz, /metrics and /busiest. `registry` and `checks`
/// must outlive the server; no check is added once it serves.
router make_ops_router(metrics::registry& registry, const std::vector<readiness_check>& checks,
                       busiest_report busiest);

} // namespace roost::http
