#pragma once

#include "actors/runtime/clock.hpp"
#include "actors/runtime/held_lease.hpp"
#include "actors/runtime/published.hpp"
#include "http/protocol/error.hpp"
#include "http/protocol/message.hpp"
#include "http/protocol/router.hpp"
#include "security/live_keys.hpp"

#include <memory>
#include <optional>
#include <string_view>
#include <vector>

/// Who may call a route, for every audience. The messages of refusals differ between them and are parameters.
namespace roost::http {

/// How a route refuses a request without a usable Bearer token (RFC 6750, 2.1), all with 401.
struct bearer_messages {
  std::string_view missing;   ///< no Authorization header
  std::string_view repeated;  ///< more than one
  std::string_view malformed; ///< not `Bearer`, one space and a token
  std::string_view empty;     ///< `Bearer` without a token
};

/// The Bearer token of the request; it lives as long as the request's fields. Throws unauthorized().
std::string_view bearer_token(const request& req, const bearer_messages& messages);

using published_keys = actors::published<security::live_keys>;

/// The live key of this kind with the presented text, whose use is noted; nullopt for any other text.
std::optional<security::live_key> find_key(const published_keys& keys, security::key_kind kind,
                                           std::string_view presented, domain::timestamp now);

/// The live key of this kind that the request carries as its Bearer token. Throws unauthorized(), with the
/// same message for every reason.
security::live_key require_bearer_key(const published_keys& keys, security::key_kind kind, const request& req,
                                      domain::timestamp now);

/// What requests are answered from. Throws busy() while it is not loaded, or while another server is the
/// writer.
template <typename Snapshot>
std::shared_ptr<const Snapshot> require_serving(const actors::published<Snapshot>& published,
                                                const actors::held_lease& lease) {
  auto snapshot = published.get();
  if (!snapshot || !lease.holds()) throw busy();
  return snapshot;
}

/// Lets the routes respond only while this server is the writer (route::holds): another one may have changed
/// by then what they read here.
void answer_as_writer(const std::shared_ptr<const actors::held_lease>& lease, std::vector<route>& routes);

} // namespace roost::http
