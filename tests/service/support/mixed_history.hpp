#pragma once

#include "service/support/mixed_load.hpp"
#include "store/database/session.hpp"

#include <functional>
#include <string>
#include <vector>

namespace roost::testing {

/// A read of the running server, by platform and path.
using live_read = std::function<raw_response(const std::string& platform, const std::string& path)>;

/// Compares what clients told and were answered with what the store holds and the server shows once every
/// request is decided: each acknowledged request is decided once, stays of a unit share no night, every
/// acknowledged cancel has freed its nights, payment plans add up, each landlord was told everything once,
/// updates and new properties are there. Gives every difference, in words; stops at twenty.
std::vector<std::string> mixed_differences(store::session& db, const std::vector<told>& events,
                                           const live_read& read);

} // namespace roost::testing
