#pragma once

#include "actors/sessions/user_directory.hpp"

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace roost::http {

/// What each role may do; "*" is everything.
using role_permissions = std::map<std::string, std::vector<std::string>>;

/// Whether the role has the permission.
bool has_permission(const role_permissions& roles, const std::string& role, std::string_view permission);

/// The permission to let assistants act for the user (Management API, Consent page).
inline constexpr std::string_view connector_permission = "Mcp";

/// How far assistants may go in the user's name at the moment: none where the role lacks the permission, AI
/// access is off for the user, the user is deactivated, or all areas of the account are off.
domain::tool_access usable_tools(const role_permissions& roles, const actors::known_user& user);

} // namespace roost::http
