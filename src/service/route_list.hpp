#pragma once

#include "config/settings.hpp"

#include <string>
#include <vector>

namespace roost {

/// A route of the public listener, as `roost routes` prints it.
struct listed_route {
  std::string method, path;
  std::string needs; ///< what a caller must have, in words
};

/// All of them, made from the routes themselves, by path.
std::vector<listed_route> list_routes(const config::settings& settings);

} // namespace roost
