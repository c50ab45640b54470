#pragma once

#include "domain/platform.hpp"
#include "domain/portfolio.hpp"

#include <cstdio>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

/// Sample landlords, units and platforms.
namespace roost::testing {

inline domain::date day(std::string_view text) {
  const auto parsed = domain::parse_date(text);
  if (!parsed) throw std::invalid_argument("not a date");
  return *parsed;
}

/// Returns the same id for the same number.
inline domain::uuid numbered_id(unsigned number) {
  char text[40];
  std::snprintf(text, sizeof text, "00000000-0000-4000-8000-%012x", number);
  return *domain::parse_uuid(text);
}

/// Returns marketplace-a (0), booking-engine (1), landlord-one (2; of account 1), room-sharing (3).
inline std::shared_ptr<const std::vector<domain::platform>> sample_platforms() {
  std::vector<domain::platform> all(4);
  all[0].name = all[0].prefix = "marketplace-a";
  all[0].kind = domain::platform_kind::marketplace_a;
  all[1].name = all[1].prefix = "booking-engine";
  all[1].kind = domain::platform_kind::booking_engine;
  all[2].name = all[2].prefix = "landlord-one";
  all[2].kind = domain::platform_kind::single_landlord;
  all[2].account = numbered_id(1);
  all[3].name = all[3].prefix = "room-sharing";
  all[3].kind = domain::platform_kind::room_sharing;
  return std::make_shared<const std::vector<domain::platform>>(std::move(all));
}

/// Returns a bookable room, linked to marketplace-a as `u<number>`.
inline domain::portfolio_unit sample_unit(unsigned number) {
  domain::portfolio_unit unit;
  unit.terms.id = numbered_id(0x10000 + number);
  unit.terms.internal_name = "Room " + std::to_string(number);
  unit.terms.rent.amount = domain::money{65000};
  unit.links.push_back({"marketplace-a", "u" + std::to_string(number), std::nullopt});
  return unit;
}

/// Returns an account with one empty property and no users.
inline domain::portfolio_account sample_account(unsigned number) {
  domain::portfolio_account account;
  account.details.id = numbered_id(number);
  account.details.company_name = "Landlord " + std::to_string(number);
  account.details.currency = "EUR";
  account.details.landlord_key = "landlord-" + std::to_string(number);
  domain::portfolio_property property;
  property.details.id = numbered_id(0x1000 + number);
  property.details.account_id = account.details.id;
  property.details.internal_name = "House " + std::to_string(number);
  account.properties.push_back(std::move(property));
  return account;
}

/// Adds a unit to the property of an account.
inline void add_unit(domain::portfolio_account& account, domain::portfolio_unit unit) {
  unit.terms.account_id = account.details.id;
  unit.terms.property_id = account.properties.front().details.id;
  account.properties.front().units.push_back(std::move(unit));
}

} // namespace roost::testing
