#pragma once

#include "domain/date.hpp"
#include "domain/uuid.hpp"
#include "store/database/session.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// Credentials that the command line issues. All changes of tokens and keys answer the new change_version(),
/// for a command that waits until a running server has taken it up.
namespace roost::store {

/// A partner token's entry (Partner API, Authentication, 1). The token itself is signed, not stored.
struct partner_token {
  domain::uuid id{};
  std::string platform;
  domain::timestamp issued_at{}, expires_at{};
  std::optional<domain::timestamp> ended_at;
};

/// `end_others`: ends the platform's other tokens in the same transaction.
std::int64_t insert_partner_token(session& db, const partner_token& token, bool end_others);
std::vector<partner_token> partner_tokens(session& db); ///< the newest first
/// Nothing: there is no such token, or it has ended.
std::optional<std::int64_t> end_partner_token(session& db, const domain::uuid& id, domain::timestamp now);
/// Tokens that are neither ended nor expired.
std::vector<partner_token> live_partner_tokens(session& db, domain::timestamp now);

/// A booking-engine account key (Partner API, Authentication, 4). Only its hash is stored.
struct account_key {
  domain::uuid id{};
  domain::uuid account_id{};
  std::string hash;
  std::string last4; ///< its last characters, which the landlord sees
  domain::timestamp created_at{};
  std::optional<domain::timestamp> ended_at;
};

/// Throws constraint_violated when there is no such account.
std::int64_t insert_account_key(session& db, const account_key& key);
std::vector<account_key> account_keys(session& db); ///< the newest first
std::optional<std::int64_t> end_account_key(session& db, const domain::uuid& id, domain::timestamp now);
std::vector<account_key> live_account_keys(session& db); ///< those not ended

/// A marketplace A webhook key (Partner API, Authentication, 3). Only its hash is stored.
struct webhook_key {
  domain::uuid id{};
  std::string hash;
  std::string last4;
  domain::timestamp created_at{};
  std::optional<domain::timestamp> ended_at;
};

std::int64_t insert_webhook_key(session& db, const webhook_key& key);
std::vector<webhook_key> webhook_keys(session& db); ///< the newest first
std::optional<std::int64_t> end_webhook_key(session& db, const domain::uuid& id, domain::timestamp now);
std::vector<webhook_key> live_webhook_keys(session& db); ///< those not ended

/// Sets the password of the user with this address, in any letter case. False: there is none.
bool set_user_password(session& db, std::string_view email, std::string_view hash);

} // namespace roost::store
