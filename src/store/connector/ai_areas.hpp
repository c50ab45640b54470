#pragma once

#include "domain/assistant.hpp"
#include "domain/uuid.hpp"
#include "store/database/change_stream.hpp"
#include "store/database/session.hpp"

#include <optional>

namespace roost::store {

/// Returns what assistants may do for an account's users (Management API, Consent page); nullopt if there is
/// no such account.
std::optional<domain::tool_access> ai_areas_of(session& db, const domain::uuid& account);

/// Sets the level of one area for a command; returns the change for running servers, or nullopt if there is
/// no such account. A later import of the account overwrites it.
std::optional<stream_point> set_ai_area(session& db, const domain::uuid& account, std::size_t area,
                                        domain::tool_level level);

} // namespace roost::store
