#pragma once

#include "actors/inventory/account.hpp"
#include "actors/inventory/unit_calendar.hpp"

#include <memory>
#include <vector>

namespace roost::actors {

struct directory_account;

/// A unit as references to it need it.
struct directory_unit {
  domain::uuid id{};
  unit_calendar calendar;
  const directory_account* owner = nullptr;
  domain::timestamp created_at{};
  std::shared_ptr<const unit_setup> setup; ///< the calendar's own; its terms may be older than the calendar's
  std::shared_ptr<unit_changes> changes = nullptr;
};

/// An account as references to it need it.
struct directory_account {
  domain::uuid id{};
  account actor;
  std::shared_ptr<const account_contacts> contacts;
  std::shared_ptr<const domain::account> settings;
  std::vector<directory_unit> units; ///< each with this account for its owner
};

} // namespace roost::actors
