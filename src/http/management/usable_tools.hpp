#pragma once

#include "actors/sessions/user_directory.hpp"
#include "http/management/management_services.hpp"

#include <string_view>

namespace roost::http {

/// Who has it may let assistants act for them (Management API, Consent page).
inline constexpr std::string_view connector_permission = "Mcp";

/// How far assistants may go in the user's name at the moment: none where the role lacks the permission, AI
/// access is off for the user, the user is deactivated, or all areas of the account are off.
domain::tool_access usable_tools(const role_permissions& roles, const actors::known_user& user);

} // namespace roost::http
