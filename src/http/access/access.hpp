#pragma once

#include "actors/runtime/clock.hpp"
#include "actors/runtime/held_lease.hpp"
#include "actors/runtime/published.hpp"
#include "actors/sessions/request_origin.hpp"
#include "actors/sessions/user_directory.hpp"
#include "http/protocol/router.hpp"
#include "security/live_keys.hpp"

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// Authentication and authorization of callers, for every audience. Audiences supply their own error texts.
namespace roost::http {

/// The texts of the 401s for a request without a valid Bearer token (RFC 6750, 2.1).
struct bearer_messages {
  std::string_view missing;   ///< no Authorization header
  std::string_view repeated;  ///< more than one
  std::string_view malformed; ///< not `Bearer`, one space and a token
  std::string_view empty;     ///< `Bearer` without a token
  std::string_view invalid;   ///< an unknown, expired or forged token
};

/// Returns the request's Bearer token, which lives as long as the request's fields. The caller checks the
/// token itself. Throws unauthorized().
std::string_view bearer_token(const request& req, const bearer_messages& messages);

/// Returns the request's client and id, for security events in the log.
actors::request_origin request_origin_of(const request& req);

using published_keys = actors::published<security::live_keys>;

/// Returns the live key of this kind with the presented text; nullopt if there is none.
std::optional<security::live_key> find_key(const published_keys& keys, security::key_kind kind,
                                           std::string_view presented);

/// Returns the same as find_key(), and notes the key's use.
std::optional<security::live_key> use_key(const published_keys& keys, security::key_kind kind,
                                          std::string_view presented, domain::timestamp now);

/// Returns the live key of this kind that the request carries as its Bearer token, and notes its use. Throws
/// unauthorized(), with the same text for every reason.
security::live_key require_bearer_key(const published_keys& keys, security::key_kind kind, const request& req,
                                      domain::timestamp now);

/// Returns the snapshot that serves requests. Throws busy() while it is not loaded, or while
/// another server is the writer.
template <typename Snapshot>
std::shared_ptr<const Snapshot> require_serving(const actors::published<Snapshot>& published,
                                                const actors::held_lease& lease) {
  auto snapshot = published.get();
  if (!snapshot || !lease.holds()) throw busy();
  return snapshot;
}

/// Lets the routes respond only while this server is the writer (route::holds): another server may have
/// changed what they read.
void respond_as_writer(const std::shared_ptr<const actors::held_lease>& lease, std::vector<route>& routes);

/// The permissions of each role; "*" grants all.
using role_permissions = std::map<std::string, std::vector<std::string>>;

bool has_permission(const role_permissions& roles, const std::string& role, std::string_view permission);

/// Returns whether a role has every permission of another one. An unknown role has none, so every role
/// includes it.
bool includes_role(const role_permissions& roles, const std::string& role, const std::string& other);

/// Returns whether users with a role are notified of bookings: those who may create them. `roles` must
/// outlive the function.
std::function<bool(const std::string& role)> booking_notification_rule(const role_permissions& roles);

/// The permission to let assistants act for the user (Management API, Consent page).
inline constexpr std::string_view connector_permission = "Mcp";

/// Returns what assistants may do for the user now: nothing if the role lacks the permission, if AI access is
/// off for the user, if the user is deactivated, or if all areas of the account are off.
domain::tool_access usable_tools(const role_permissions& roles, const actors::known_user& user);

} // namespace roost::http
