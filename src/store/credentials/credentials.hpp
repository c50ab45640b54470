#pragma once

#include "domain/date.hpp"
#include "domain/uuid.hpp"
#include "store/credentials/credential_family.hpp"
#include "store/database/session.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// Credentials that the command line issues, in families of one shape.
namespace roost::store {

/// A partner token's entry (Partner API, Authentication, rule 1). The token itself is signed, not stored.
struct partner_token {
  domain::uuid id{};
  std::string platform;
  domain::timestamp issued_at{}, expires_at{};
  std::optional<domain::timestamp> ended_at;
  std::string label; ///< what people call it; may be empty
};
using partner_tokens = credential_family<partner_token>;

/// Inserts the token, and ends the platform's other tokens in the same transaction.
stream_point replace_partner_tokens(session& db, const partner_token& token);

/// A booking-engine account key (Partner API, Authentication, rule 4). Only its hash is stored.
struct account_key {
  domain::uuid id{};
  domain::uuid account_id{};
  std::string hash;
  std::string last4; ///< its last characters, which the landlord sees
  domain::timestamp created_at{};
  std::optional<domain::timestamp> ended_at;
  std::string label; ///< what people call it; may be empty
};
using account_keys = credential_family<account_key>;

/// A marketplace A webhook key (Partner API, Authentication, rule 3). Only its hash is stored.
struct webhook_key {
  domain::uuid id{};
  std::string hash;
  std::string last4;
  domain::timestamp created_at{};
  std::optional<domain::timestamp> ended_at;
  std::string label; ///< what people call it; may be empty
};
using webhook_keys = credential_family<webhook_key>;

/// A key of a service that adds to the AI usage ledger. Only its hash is stored.
struct usage_key {
  domain::uuid id{};
  std::string hash;
  std::string last4;
  domain::timestamp created_at{};
  std::optional<domain::timestamp> ended_at;
  std::string label; ///< what people call it; may be empty
};
using usage_keys = credential_family<usage_key>;

/// A key with which a tool server asks whether a token for its resource is good (RFC 7662). Only its hash is
/// stored.
struct tool_server_key {
  domain::uuid id{};
  std::string resource; ///< as tokens name it
  std::string hash;
  std::string last4;
  domain::timestamp created_at{};
  std::optional<domain::timestamp> ended_at;
  std::string label; ///< what people call it; may be empty
};
using tool_server_keys = credential_family<tool_server_key>;

/// What a client that cannot run OAuth sends to a tool server; it acts as the user (Management API,
/// Authentication, rule 5). Only its hash is stored.
struct api_key {
  domain::uuid id{};
  domain::uuid user_id{};
  std::string name; ///< what people call it; may be empty
  std::string hash;
  std::string last4;
  domain::timestamp created_at{};
  std::optional<domain::timestamp> ended_at;
};
using api_keys = credential_family<api_key>;

} // namespace roost::store
