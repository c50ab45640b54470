#pragma once

#include "domain/date.hpp"
#include "store/database/transaction.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace roost::store {

/// How a client shows who it is at the token endpoint (Management API, OAuth client registration).
inline constexpr std::string_view public_client = "none", confidential_client = "client_secret_post";

/// A client of the connector (RFC 7591, 2).
struct oauth_client {
  std::string id;
  std::optional<std::string> name;
  std::vector<std::string> redirect_uris, grant_types;
  std::string auth_method{public_client};
  std::optional<std::string> secret_hash; ///< of a confidential client
  std::optional<std::string> scope;       ///< as sent
  std::string fingerprint;                ///< of all that it registered with
  domain::timestamp created_at{};
  std::optional<domain::timestamp> used_at;

  bool may(std::string_view grant_type) const;
};

/// Stores a client, or finds the public one that registered with the same values before: one that says the
/// same again gets the same id (RFC 7591, 3.2.1), and its time begins anew. Nothing: there are `most`
/// clients. Throws lease_lost.
std::optional<oauth_client> register_client(session& db, const lease& held, const oauth_client& wanted,
                                            std::size_t most);

std::optional<oauth_client> find_client(session& db, std::string_view id);

/// Clients that nobody has authorized by `unused_since`, and those without a live connection that were last
/// used before `used_before`; at most `most` of each. Returns how many there were. Throws lease_lost.
std::int64_t delete_old_clients(session& db, const lease& held, domain::timestamp now,
                                domain::timestamp unused_since, domain::timestamp used_before,
                                std::size_t most);

} // namespace roost::store
