#include "http/management/usable_tools.hpp"

#include "http/management/management_access.hpp"

namespace roost::http {

domain::tool_access usable_tools(const role_permissions& roles, const actors::known_user& user) {
  if (user.deactivated || !user.ai_access || !has_permission(roles, user.role, connector_permission))
    return {};
  return user.tools;
}

} // namespace roost::http
