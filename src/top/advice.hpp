#pragma once

#include "top/samples.hpp"
#include "top/view.hpp"

#include <string>
#include <vector>

namespace roost::top {

/// Returns the settings worth tuning, one line each: the configuration key, then the reason.
std::vector<std::string> advice_on(const view& figures, const change& delta);

} // namespace roost::top
