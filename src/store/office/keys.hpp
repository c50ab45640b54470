#pragma once

#include "store/credentials/credentials.hpp"
#include "store/office/name_list.hpp"
#include "store/office/office_write.hpp"

#include <cstddef>
#include <optional>
#include <string>

/// The keys of an account, as its office issues, lists and revokes them. They are the keys of the commands
/// (store/credentials). A revoked key is unknown here, but its row stays, and so its id stays taken.
namespace roost::store {

/// A booking-engine account key. Its hash is empty unless the key is being issued.
struct office_engine_key {
  account_key key;
  std::optional<domain::timestamp> last_used_at; ///< to the minute; nullopt: never
};

/// An API key of a user of the account. Its hash is empty unless the key is being issued.
struct office_api_key {
  api_key key;
  std::string user; ///< the email address of its user, who cannot be set here
  std::optional<domain::timestamp> last_used_at;
};

/// Return the place of a key in the order of lists.
name_place place_of(const office_engine_key& key);
name_place place_of(const office_api_key& key);

/// Return the live keys by name: those after a place, at most `limit`.
office_page<office_engine_key> list_engine_keys(session& db, const office_scope& scope,
                                                const std::optional<name_place>& after, std::size_t limit);
office_page<office_api_key> list_api_keys(session& db, const office_scope& scope,
                                          const std::optional<name_place>& after, std::size_t limit);

std::optional<office_engine_key> find_engine_key(session& db, const office_scope& scope,
                                                 const domain::uuid& id);
std::optional<office_api_key> find_api_key(session& db, const office_scope& scope, const domain::uuid& id);

// As for units (store/office/units.hpp). The caller must not have an owner. The change is one of credentials,
// which running servers apply by reading all keys again.

/// Issues a key for the account.
office_outcome<office_engine_key> issue_engine_key(session& db, const lease& held, const office_scope& scope,
                                                   const office_creation<office_engine_key>& request,
                                                   const office_author& author);

/// Issues a key for a user of the account who is not deactivated; others are refused.
office_outcome<office_api_key> issue_api_key(session& db, const lease& held, const office_scope& scope,
                                             const office_creation<office_api_key>& request,
                                             const office_author& author);

office_outcome<office_engine_key> revoke_engine_key(session& db, const lease& held, const office_scope& scope,
                                                    const office_deletion<office_engine_key>& request,
                                                    const office_author& author);

office_outcome<office_api_key> revoke_api_key(session& db, const lease& held, const office_scope& scope,
                                              const office_deletion<office_api_key>& request,
                                              const office_author& author);

} // namespace roost::store
