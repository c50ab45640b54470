#pragma once

#include "store/portfolio/live.hpp"

#include <algorithm>
#include <stdexcept>
#include <utility>
#include <vector>

/// What a running server would have in memory.
namespace roost::testing {

inline std::vector<store::live_account> live_accounts(store::session& from) {
  std::vector<store::live_account> accounts;
  store::load_live(from, [&](store::live_account account) { accounts.push_back(std::move(account)); });
  return accounts;
}

/// Throws std::runtime_error when there is no such unit.
inline std::pair<store::live_property, store::live_unit> live_unit(store::session& from,
                                                                   const domain::uuid& id) {
  for (const auto& account : live_accounts(from))
    for (const auto& property : account.properties)
      for (const auto& unit : property.units)
        if (unit.terms.id == id) return {property, unit};
  throw std::runtime_error("there is no such unit");
}

} // namespace roost::testing
