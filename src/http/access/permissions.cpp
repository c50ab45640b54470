#include "http/access/permissions.hpp"

#include <algorithm>

namespace roost::http {

bool has_permission(const role_permissions& roles, const std::string& role, std::string_view permission) {
  const auto found = roles.find(role);
  return found != roles.end() && std::ranges::any_of(found->second, [&](const std::string& each) {
           return each == "*" || each == permission;
         });
}

domain::tool_access usable_tools(const role_permissions& roles, const actors::known_user& user) {
  if (user.deactivated || !user.ai_access || !has_permission(roles, user.role, connector_permission))
    return {};
  return user.tools;
}

} // namespace roost::http
