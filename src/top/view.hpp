#pragma once

#include "top/figures.hpp"
#include "top/samples.hpp"

#include <string>

namespace roost::top {

/// What a server tells at one moment: the bodies of its routes.
struct reading {
  samples metrics;
  std::string readiness, busiest; ///< JSON
};

/// The view of a server that was read twice, so many seconds apart.
view view_of(const std::string& server, const reading& before, const reading& now, double seconds);

std::string to_json(const view& shown);

} // namespace roost::top
