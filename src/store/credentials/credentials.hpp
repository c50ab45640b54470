#pragma once

#include "domain/account.hpp"
#include "domain/date.hpp"
#include "domain/uuid.hpp"
#include "store/database/change_stream.hpp"
#include "store/database/lease.hpp"
#include "store/database/session.hpp"

#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

/// Credentials that the command line issues, with the same functions for each kind.
namespace roost::store {

/// The credentials of one kind. A change is one transaction, and returns its position in the change stream,
/// so that a command can wait until a running server has applied it.
template <typename Record>
struct credential_family {
  /// Throws constraint_violated if a row's key or hash exists already, or if the account or user that it
  /// belongs to does not.
  static stream_point insert(session& db, const Record& entry);
  /// Returns nullopt if there is no such credential, or if it has already ended.
  static std::optional<stream_point> end(session& db, const domain::uuid& id, domain::timestamp now);

  // The same in the caller's transaction, which must also append a change of the kind `credentials` without
  // accounts and subjects.

  static void add_row(session& db, const Record& entry);
  /// Returns whether there was such a credential that had not ended.
  static bool end_row(session& db, const domain::uuid& id, domain::timestamp now);

  static std::optional<Record> find(session& db, const domain::uuid& id);
  static std::vector<Record> all(session& db); ///< newest first
  /// Returns the credentials that have neither ended nor expired, newest first.
  static std::vector<Record> live(session& db, domain::timestamp now);
};

/// The record of a partner token (Partner API, Authentication, rule 1). The token itself is signed, not
/// stored.
struct partner_token {
  domain::uuid id{};
  std::string platform;
  domain::timestamp issued_at{}, expires_at{};
  std::optional<domain::timestamp> ended_at;
  std::string label; ///< a display name; may be empty
};
using partner_tokens = credential_family<partner_token>;

/// Inserts the token, and ends the platform's other tokens in the same transaction.
stream_point replace_partner_tokens(session& db, const partner_token& token);

/// A key that is stored only as a hash.
struct stored_key {
  domain::uuid id{};
  std::string hash;
  std::string last4; ///< its last 4 characters, shown to the landlord
  domain::timestamp created_at{};
  std::optional<domain::timestamp> ended_at;
  std::string label; ///< a display name; may be empty
};

/// A booking-engine account key (Partner API, Authentication, rule 4).
struct account_key : stored_key {
  domain::uuid account_id{};
};
using account_keys = credential_family<account_key>;

/// A marketplace A webhook key (Partner API, Authentication, rule 3).
struct webhook_key : stored_key {};
using webhook_keys = credential_family<webhook_key>;

/// A key of a service that writes to the AI usage ledger.
struct usage_key : stored_key {};
using usage_keys = credential_family<usage_key>;

/// A key with which a tool server introspects tokens for its resource (RFC 7662).
struct tool_server_key : stored_key {
  std::string resource; ///< its URL, as in tokens
};
using tool_server_keys = credential_family<tool_server_key>;

/// A key for clients without OAuth support, which acts as its user on tool servers (Management API,
/// Authentication, rule 5).
struct api_key : stored_key {
  domain::uuid user_id{};
  std::optional<std::string> resource; ///< the tool server's URL; nullopt: connector.tool_server
};
using api_keys = credential_family<api_key>;

/// Returns whether a credential of any family has this id, also one that has ended: last uses and the audit
/// log name credentials by their ids alone.
bool is_credential_id(session& db, const domain::uuid& id);

/// Stores the last uses of credentials of any family; each credential may appear once. Throws lease_lost.
void note_uses(session& db, const lease& held, std::span<const domain::credential_use> uses);

/// Returns the last use of each credential; a missing one was never used.
std::unordered_map<domain::uuid, domain::timestamp, domain::uuid_hash> last_uses(session& db);

/// Returns the fingerprint of the keys with which the store's tokens are signed; nullopt if none are bound
/// yet.
std::optional<std::string> signing_keys_of(session& db);

/// Throws other_signing_keys if the store is bound to other keys, because its server would reject tokens
/// signed with these, and vice versa. A store without bound keys accepts any.
void check_signing_keys(session& db, const std::string& fingerprint);

/// Binds the store to these keys if it has none, and then checks them as check_signing_keys() does. Only code
/// that signs or verifies tokens with them may call it.
void bind_signing_keys(session& db, const std::string& fingerprint);

/// Binds the store to these keys, which invalidates every token signed with others.
void adopt_signing_keys(session& db, const std::string& fingerprint);

} // namespace roost::store
