#pragma once

#include "domain/account.hpp"
#include "domain/assistant.hpp"
#include "domain/date.hpp"
#include "domain/uuid.hpp"
#include "store/database/session.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace roost::store {

/// A user's data for signing in.
struct sign_in_user {
  domain::uuid id{}, account_id{};
  std::string email;
  std::string first_name;
  std::optional<std::string> password_hash;
  std::int64_t epoch = 0; ///< of the user's sessions
  bool deactivated = false;
  /// From a third party's tokens, once one was used.
  std::optional<std::string> identity_issuer, identity_subject;
};

/// Finds a user by email address, however it is written (domain::email_key()).
std::optional<sign_in_user> find_user(session& db, std::string_view email);
std::optional<sign_in_user> find_user(session& db, const domain::uuid& id);
/// The same, locked until the end of the transaction, so that the address stays the user's.
std::optional<sign_in_user> lock_user(session& db, std::string_view email);
std::optional<sign_in_user> find_user_by_identity(session& db, std::string_view issuer,
                                                  std::string_view subject);

/// A user's permissions and the account's name, which every request needs.
struct user_access {
  domain::uuid id{};
  domain::uuid account_id{};
  std::string email, first_name, last_name, role;
  std::optional<domain::uuid> owner_id; ///< the owner whose properties the user sees; only for the role Owner
  bool has_properties = false;          ///< whether any property of the account belongs to that owner
  std::int64_t epoch = 0;               ///< sessions of an earlier epoch have ended
  std::int64_t connection_epoch = 0;    ///< assistants' connections of an earlier epoch have ended
  bool ai_access = true;                ///< whether assistants may act for the user
  domain::tool_access tools{};          ///< what the account allows them
  bool deactivated = false;
  std::string company_name;
  std::optional<std::string> logo_url;
  domain::language language = domain::language::en;
};

std::vector<user_access> all_user_access(session& db);

/// Returns the users who cannot sign in because another one has the same address in another spelling.
std::vector<domain::uuid> users_with_taken_address(session& db);

/// Returns the users of these accounts.
std::vector<user_access> user_access_of(session& db, std::span<const domain::uuid> accounts);

/// Sets the password and increases the epoch. Returns false if there is no such user or the epoch differs.
/// Requires a transaction.
bool replace_password(session& db, const domain::uuid& user, std::int64_t epoch, std::string_view hash,
                      domain::timestamp now);

/// Returns the stored hashes by user id; users without a password are left out.
std::unordered_map<domain::uuid, std::string, domain::uuid_hash>
password_hashes(session& db, std::span<const domain::uuid> users);

} // namespace roost::store
