#pragma once

#include "config/settings.hpp"

#include <string>

namespace roost {

class service_context;

/// Whether a change of this setting takes effect in a running server. Scheduler settings depend on the
/// policy; the certificate can be replaced only if TLS was on at the start and still is.
bool is_live(const std::string& key, const config::settings& started, const config::settings& reloaded);

/// Applies the [log] settings alone, so that all log lines have the same format from the start.
void apply_log(const config::settings& settings);

/// Applies the live settings; the others stay unchanged.
void apply_live(service_context& base, const config::settings& settings);

} // namespace roost
