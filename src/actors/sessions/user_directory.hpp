#pragma once

#include "domain/uuid.hpp"
#include "store/sessions/users.hpp"

#include <algorithm>
#include <cstddef>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace roost::actors {

/// The data of a user that requests need without a store query.
using known_user = store::user_access;

/// An immutable snapshot of all users.
class user_directory {
public:
  explicit user_directory(std::vector<known_user> users) {
    add(std::move(users));
    std::ranges::sort(users_, {}, id_of);
  }

  /// Returns a copy in which `users` replace the users of `accounts`; the others are shared, not copied.
  user_directory with(std::span<const domain::uuid> accounts, std::vector<known_user> users) const {
    user_directory next = *this;
    std::erase_if(next.users_, [&](const pointer& user) {
      return std::ranges::find(accounts, user->account_id) != accounts.end();
    });
    const auto kept_count = static_cast<std::ptrdiff_t>(next.users_.size());
    next.add(std::move(users));
    std::ranges::sort(next.users_.begin() + kept_count, next.users_.end(), {}, id_of);
    std::ranges::inplace_merge(next.users_, next.users_.begin() + kept_count, {}, id_of);
    return next;
  }

  /// Returns null if the user does not exist.
  const known_user* find(const domain::uuid& id) const {
    const auto at = std::ranges::lower_bound(users_, id, {}, id_of);
    return at != users_.end() && (*at)->id == id ? at->get() : nullptr;
  }

private:
  using pointer = std::shared_ptr<const known_user>;

  static const domain::uuid& id_of(const pointer& user) { return user->id; }

  void add(std::vector<known_user> users) {
    users_.reserve(users_.size() + users.size());
    for (auto& user : users) users_.push_back(std::make_shared<const known_user>(std::move(user)));
  }

  std::vector<pointer> users_; ///< sorted by id
};

} // namespace roost::actors
