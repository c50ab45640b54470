#pragma once

#include "domain/tool_access.hpp"
#include "domain/uuid.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

namespace roost::actors {

/// A user as every request needs him: without a look into the store.
struct known_user {
  domain::uuid id{};
  domain::uuid account_id{};
  std::string email, first_name, last_name, role;
  std::int64_t epoch = 0;               ///< of the sessions that count: those of an earlier one have ended
  std::optional<domain::uuid> owner_id; ///< the owner whose properties are his; owner users only
  bool has_properties = false;          ///< whether any property is that owner's
  bool ai_access = true;                ///< whether assistants may act for the user
  domain::tool_access tools{};          ///< how far the account lets them
  bool deactivated = false;
  std::string company_name; ///< the account's
  std::optional<std::string> logo_url;
};

/// All users, as the store had them when it was last read: a snapshot.
class user_directory {
public:
  explicit user_directory(std::vector<known_user> users) : users_(std::move(users)) {
    std::ranges::sort(users_, {}, &known_user::id);
  }

  /// Null: there is no such user.
  const known_user* find(const domain::uuid& id) const {
    const auto at = std::ranges::lower_bound(users_, id, {}, &known_user::id);
    return at != users_.end() && at->id == id ? &*at : nullptr;
  }

private:
  std::vector<known_user> users_;
};

} // namespace roost::actors
