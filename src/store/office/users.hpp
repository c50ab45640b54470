#pragma once

#include "domain/portfolio.hpp"
#include "store/office/name_list.hpp"
#include "store/office/office_write.hpp"

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

/// The users of an account, as the office reads and writes them: without their passwords. An owner sees no
/// users: the caller must not have one.
namespace roost::store {

struct user_filter {
  std::optional<bool> deactivated;
  std::string role; ///< empty: any
  std::string text; ///< part of the name or the email address, in any letter case; empty: any
};

/// Returns the users by email address: those after a place, at most `limit`.
office_page<domain::portfolio_user> list_users(session& db, const office_scope& scope,
                                               const user_filter& filter,
                                               const std::optional<name_place>& after, std::size_t limit);

/// Returns the place of a user in the order of lists.
name_place place_of(const domain::portfolio_user& user);

std::optional<domain::portfolio_user> find_user(session& db, const office_scope& scope,
                                                const domain::uuid& id);

/// Rules that depend on the configured roles.
struct user_rules {
  std::vector<std::string> roles_that_manage_users; ///< an account keeps one active user with such a role
  /// Returns whether the author may make this change; `after` is null for a deletion.
  std::function<bool(const domain::user& before, const domain::user* after)> is_permitted;
};

/// Returns these rules as the rule of a change or a deletion.
office_rule<domain::portfolio_user> user_rule(user_rules rules);

// As for units (store/office/units.hpp). Triggers of the store end the sessions of users whose role changes,
// and also the connections and keys of those who are deactivated or deleted.

office_outcome<domain::portfolio_user> create_user(session& db, const lease& held, const office_scope& scope,
                                                   const office_creation<domain::portfolio_user>& request,
                                                   const office_author& author);

/// A new email address also ends the validity of links that were mailed to the former one.
office_outcome<domain::portfolio_user> change_user(session& db, const lease& held, const office_scope& scope,
                                                   const office_change<domain::portfolio_user>& request,
                                                   const office_author& author);

/// Writes the user's language only. An import keeps it, and is not refused because of it.
office_outcome<domain::portfolio_user>
change_preferences(session& db, const lease& held, const office_scope& scope,
                   const office_change<domain::portfolio_user>& request, const office_author& author);

office_outcome<domain::portfolio_user> delete_user(session& db, const lease& held, const office_scope& scope,
                                                   const office_deletion<domain::portfolio_user>& request,
                                                   const office_author& author);

} // namespace roost::store
