#pragma once

#include "config/settings.hpp"

#include <string>

namespace roost {

class foundation;

/// Whether a change of this setting takes effect in a running server. That of the actors' scheduler hangs on
/// its policy.
bool is_live(const std::string& key, const config::settings& settings);

/// Takes over those settings that are live; the others stay as they were.
void apply_live(foundation& base, const config::settings& settings);

} // namespace roost
