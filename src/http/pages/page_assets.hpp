#pragma once

#include "http/protocol/router.hpp"

#include <vector>

namespace roost::http {

/// What the pages load: style, script and icon.
std::vector<route> page_assets();

} // namespace roost::http
