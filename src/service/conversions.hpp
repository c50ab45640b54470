#pragma once

#include "actors/runtime/runtime.hpp"
#include "config/settings.hpp"
#include "http/protocol/settings.hpp"
#include "mail/transport.hpp"
#include "security/password.hpp"

#include <memory>
#include <string>

/// Converts the configuration into the settings of components, which do not depend on it, and names those
/// that can change while the server runs.
namespace roost {

actors::scheduler_knobs to_knobs(const config::settings& from);
http::settings to_public_listener(const config::settings& from);
/// Returns the cost of hashing. All hashes must have the same cost: the time of a check would otherwise
/// reveal which users exist.
security::password_cost to_password_cost(const config::sessions_settings& from);
http::settings to_ops_listener(const config::settings& from);
std::unique_ptr<mail::transport> to_transport(const config::mail_settings& from);

/// Whether a change of this setting takes effect in a running server. Scheduler settings depend on the
/// policy; the certificate can be replaced only if TLS was on at the start and still is.
bool is_live(const std::string& key, const config::settings& started, const config::settings& reloaded);

/// Applies the [log] settings alone, so that all log lines have the same format from the start.
void apply_log(const config::settings& settings);

} // namespace roost
