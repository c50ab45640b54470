#pragma once

#include "domain/tool_access.hpp"
#include "domain/uuid.hpp"
#include "store/database/change_stream.hpp"
#include "store/database/session.hpp"

#include <cstdint>
#include <optional>

namespace roost::store {

/// How far assistants may go for an account's users (Management API, Consent page). Nothing: there is no such
/// account.
std::optional<domain::tool_access> ai_areas_of(session& db, const domain::uuid& account);

/// What a command does: sets one area. A running server takes up the change that this returns. A later
/// import of the account sets what its file says. Nothing: there is no such account.
std::optional<stream_point> set_ai_area(session& db, const domain::uuid& account, std::size_t area,
                                        domain::tool_level level);

} // namespace roost::store
