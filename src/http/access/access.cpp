#include "http/access/access.hpp"

#include <algorithm>

namespace roost::http {

namespace {

constexpr std::string_view scheme = "Bearer ";

error refused(std::string_view message) { return unauthorized(std::string(message)); }

} // namespace

std::string_view bearer_token(const request& req, const bearer_messages& messages) {
  if (req.count("authorization") == 0) throw refused(messages.missing);
  if (req.count("authorization") > 1) throw refused(messages.repeated);
  const auto credentials = req.header("authorization");
  if (credentials == scheme || credentials == scheme.substr(0, scheme.size() - 1))
    throw refused(messages.empty);
  if (!credentials.starts_with(scheme) || credentials[scheme.size()] == ' ')
    throw refused(messages.malformed);
  return credentials.substr(scheme.size());
}

actors::request_origin request_origin_of(const request& req) {
  return {std::string(req.remote_address), std::string(req.request_id)};
}

std::optional<security::live_key> find_key(const published_keys& keys, security::key_kind kind,
                                           std::string_view presented) {
  const auto live = keys.get();
  const auto* key = live ? live->find(kind, presented) : nullptr;
  return key ? std::optional(*key) : std::nullopt;
}

std::optional<security::live_key> use_key(const published_keys& keys, security::key_kind kind,
                                          std::string_view presented, domain::timestamp now) {
  auto key = find_key(keys, kind, presented);
  if (key) key->use->note(now);
  return key;
}

security::live_key require_bearer_key(const published_keys& keys, security::key_kind kind, const request& req,
                                      domain::timestamp now) {
  constexpr std::string_view message = "Unauthorized";
  auto key = use_key(keys, kind, bearer_token(req, {message, message, message, message, message}), now);
  if (!key) throw refused(message);
  return *std::move(key);
}

void respond_as_writer(const std::shared_ptr<const actors::held_lease>& lease, std::vector<route>& routes) {
  for (auto& each : routes) each.holds = [lease] { return lease->holds(); };
}

bool has_permission(const role_permissions& roles, const std::string& role, std::string_view permission) {
  const auto granted = roles.find(role);
  return granted != roles.end() && std::ranges::any_of(granted->second, [&](const std::string& each) {
           return each == "*" || each == permission;
         });
}

bool includes_role(const role_permissions& roles, const std::string& role, const std::string& other) {
  const auto granted = roles.find(other);
  return granted == roles.end() || std::ranges::all_of(granted->second, [&](const std::string& each) {
           return has_permission(roles, role, each);
         });
}

std::function<bool(const std::string& role)> booking_notification_rule(const role_permissions& roles) {
  return [&roles](const std::string& role) { return has_permission(roles, role, "bookings.create"); };
}

domain::tool_access usable_tools(const role_permissions& roles, const actors::known_user& user) {
  if (user.deactivated || !user.ai_access || !has_permission(roles, user.role, connector_permission))
    return {};
  return user.tools;
}

} // namespace roost::http
