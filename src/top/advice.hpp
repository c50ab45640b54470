#pragma once

#include "top/figures.hpp"
#include "top/samples.hpp"

#include <string>
#include <vector>

namespace roost::top {

/// What to turn, one line each: the key of the configuration, and what speaks for it. Empty when nothing
/// does.
std::vector<std::string> advice_on(const view& shown, const change& seen);

} // namespace roost::top
