#pragma once

#include "domain/account.hpp"
#include "store/office/office_write.hpp"

#include <optional>
#include <string>

/// The landlord's account and its cards, as the office reads and writes them.
namespace roost::store {

/// An account with the time of its last change. Its cards are empty.
struct office_account {
  domain::account settings;
  domain::timestamp updated_at{};

  friend bool operator==(const office_account&, const office_account&) = default;
};

/// A platform card; one that does not exist has no values.
struct office_card {
  domain::platform_card card;
  bool exists = false;

  friend bool operator==(const office_card&, const office_card&) = default;
};

std::optional<office_account> find_account(session& db, const office_scope& scope);

office_card find_card(session& db, const office_scope& scope, const std::string& platform);

// As for units (store/office/units.hpp). Owners see no whole account: the caller must not have one.

/// Its settings; not its id, currency and landlord key.
office_outcome<office_account> change_account(session& db, const lease& held, const office_scope& scope,
                                              const office_change<office_account>& request,
                                              const office_author& author);

/// Creates, changes or removes the card: `exists` says which.
office_outcome<office_card> write_card(session& db, const lease& held, const office_scope& scope,
                                       const std::string& platform, const office_change<office_card>& request,
                                       const office_author& author);

} // namespace roost::store
