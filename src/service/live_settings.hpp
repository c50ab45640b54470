#pragma once

#include "config/settings.hpp"

#include <string>

namespace roost {

class service_context;

/// Whether a change of this setting takes effect in a running server. That of the actors' scheduler hangs on
/// its policy, and another certificate is taken where there was one before.
bool is_live(const std::string& key, const config::settings& started, const config::settings& wanted);

/// Those of [log] alone, so that all of a server's lines are alike.
void apply_log(const config::settings& settings);

/// Takes over those settings that are live; the others stay as they were.
void apply_live(service_context& base, const config::settings& settings);

} // namespace roost
