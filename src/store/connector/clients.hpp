#pragma once

#include "domain/date.hpp"
#include "store/database/transaction.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace roost::store {

class old_rows;

/// The methods of client authentication at the token endpoint (Management API, OAuth client registration).
inline constexpr std::string_view public_client = "none", confidential_client = "client_secret_post";

/// A client of the connector (RFC 7591, 2).
struct oauth_client {
  std::string id;
  std::optional<std::string> name;
  std::vector<std::string> redirect_uris, grant_types;
  std::string auth_method{public_client};
  std::optional<std::string> secret_hash; ///< of a confidential client
  std::optional<std::string> scope;       ///< as requested
  std::string fingerprint;                ///< of all registered values
  domain::timestamp created_at{};
  std::optional<domain::timestamp> used_at;

  /// Returns whether the client registered this grant type.
  bool may(std::string_view grant_type) const;
};

struct client_registration {
  std::optional<oauth_client> client; ///< nullopt if users have authorized each of `max_clients` clients
  std::vector<std::string> evicted;   ///< the ids of the clients that were deleted to make room
};

/// Stores a client. A public client with the same values as an earlier one gets its id (RFC 7591, 3.2.1), and
/// its time until deletion restarts. If there are `max_clients` clients already, the oldest that no user has
/// authorized is deleted. Throws lease_lost.
client_registration register_client(session& db, const lease& held, const oauth_client& client,
                                    std::size_t max_clients);

std::optional<oauth_client> find_client(session& db, std::string_view id);

/// Returns a stored name without the invisible characters that earlier versions stored, too; nullopt if
/// nothing is visible.
std::optional<std::string> visible_name(std::optional<std::string> stored);

/// Deletes clients created before `unused_since` that no user has authorized, and clients without a live
/// connection that were last used before `used_before`: at most `limit` of each. Throws lease_lost.
void delete_old_clients(old_rows& rows, domain::timestamp now, domain::timestamp unused_since,
                        domain::timestamp used_before, std::size_t limit);

} // namespace roost::store
