#pragma once

#include "domain/date.hpp"
#include "domain/tool_access.hpp"
#include "domain/uuid.hpp"
#include "store/database/session.hpp"
#include "store/database/stream_point.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace roost::store {

/// A user as signing in needs him.
struct sign_in_user {
  domain::uuid id{}, account_id{};
  std::string email;
  std::string first_name;
  std::optional<std::string> password_hash;
  std::int64_t epoch = 0; ///< of his sessions
  bool deactivated = false;
  std::optional<std::string> identity_issuer,
      identity_subject; ///< of a third party's tokens, once one was used
};

/// By the address, in any letter case.
std::optional<sign_in_user> find_user(session& db, std::string_view email);
std::optional<sign_in_user> find_user(session& db, const domain::uuid& id);
std::optional<sign_in_user> find_user_by_identity(session& db, std::string_view issuer,
                                                  std::string_view subject);

/// A user as every request needs him, with what the account is called.
struct user_access {
  domain::uuid id{};
  domain::uuid account_id{};
  std::string email, first_name, last_name, role;
  std::optional<domain::uuid> owner_id; ///< the owner whose properties are his; users of the role Owner only
  bool has_properties = false;          ///< whether any property of the account is that owner's
  std::int64_t epoch = 0;               ///< of the sessions that count: those of an earlier one have ended
  bool ai_access = true;                ///< whether assistants may act for the user
  domain::tool_access tools{};          ///< how far the account lets them
  bool deactivated = false;
  std::string company_name; ///< the account's
  std::optional<std::string> logo_url;
};

std::vector<user_access> all_user_access(session& db);

/// Those of some accounts.
std::vector<user_access> user_access_of(session& db, std::span<const domain::uuid> accounts);

/// Sets the password and ends the epoch, in a transaction. False: there is no such user, or the epoch is
/// another one already.
bool replace_password(session& db, const domain::uuid& user, std::int64_t epoch, std::string_view hash,
                      domain::timestamp now);

/// The stored hashes of those of the users who have one, by their ids.
std::unordered_map<domain::uuid, std::string, domain::uuid_hash>
password_hashes(session& db, std::span<const domain::uuid> users);

/// What a command does: the password of the user with this address, in any letter case. A running server
/// takes up the change that this returns. Nothing: there is no such user.
std::optional<stream_point> set_user_password(session& db, std::string_view email, std::string_view hash,
                                              domain::timestamp now);

} // namespace roost::store
