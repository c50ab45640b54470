#pragma once

#include "config/values.hpp"
#include "domain/platform.hpp"

namespace roost::config {

/// Lower-case letters, digits and dashes.
format<std::string> platform_name();

format<domain::platform_kind> platform_kind();

/// One segment of a path that no route of the service's own begins with.
format<std::string> route_prefix();

/// Names of cities.
format<std::vector<std::string>> regions();

/// An account's id.
format<std::optional<domain::uuid>> account_id();

} // namespace roost::config
