#pragma once

#include "domain/ai_budget.hpp"
#include "domain/assistant.hpp"
#include "domain/date.hpp"
#include "domain/uuid.hpp"
#include "store/database/change_stream.hpp"
#include "store/database/session.hpp"

#include <cstddef>
#include <map>
#include <optional>
#include <string>

/// What assistants may do for an account's users (Management API, Consent page), and the account's budget for
/// AI calls. The office and a command write them.
namespace roost::store {

/// Area → `edit` or `read-only`, as stored; a missing area is off.
using ai_area_levels = std::map<std::string, std::string>;

struct ai_settings {
  ai_area_levels areas;
  std::optional<domain::ai_budget> budget;

  friend bool operator==(const ai_settings&, const ai_settings&) = default;
};

/// Returns an account's settings; nullopt if there is no such account.
std::optional<ai_settings> find_ai_settings(session& db, const domain::uuid& account);

/// Sets the level of an area.
void set_level(ai_area_levels& areas, std::size_t area, domain::tool_level level);

// Parts of a write. They require a transaction that holds the account's row and appends ai_settings_change().

void write_ai_areas(session& db, const domain::uuid& account, const ai_area_levels& areas);
/// `now` becomes the account's time of change.
void write_ai_budget(session& db, const domain::uuid& account, const std::optional<domain::ai_budget>& budget,
                     domain::timestamp now);

/// Returns the change that lets servers apply the areas to live connections, and event streams report it.
change ai_settings_change(const domain::uuid& account);

/// The action of the command that sets an area, in the audit log.
inline constexpr const char* ai_area_set = "ai-area set";

/// Sets the level of one area for that command; returns the change for running servers, or nullopt if there
/// is no such account. A later import of the account overwrites it.
std::optional<stream_point> set_ai_area(session& db, const domain::uuid& account, std::size_t area,
                                        domain::tool_level level);

} // namespace roost::store
