#pragma once

#include "config/loaded.hpp"

namespace roost::config {

/// The keys of [scheduler] that differ from their defaults although the chosen policy has no use for them.
std::vector<idle_setting> idle_settings(const scheduler_settings& chosen, const scheduler_settings& defaults);

} // namespace roost::config
