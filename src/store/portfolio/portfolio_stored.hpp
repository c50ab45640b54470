#pragma once

#include "domain/portfolio.hpp"
#include "store/database/connection.hpp"

#include <map>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

/// What the store holds already of the accounts that an import brings.
namespace roost::store {

template <typename Value>
using by_id = std::unordered_map<domain::uuid, Value, domain::uuid_hash>;

/// What a platform has created stays when a file leaves it out (Partner API, Property creation).
struct stored_property {
  domain::uuid account_id{};
  bool from_platform = false;
  bool archived = false;
};

struct stored_unit {
  domain::uuid account_id{}, property_id{};
  std::string internal_name;
  bool from_platform = false; ///< as its property
  bool archived = false;
};

/// What belongs to units, by unit.
struct stored_details {
  by_id<std::map<unsigned, domain::money>> month_rents;
  by_id<std::vector<domain::booking_window>> windows; ///< in their order
  by_id<std::vector<domain::block>> blocks;           ///< manual and channel ones
  by_id<std::vector<domain::link>> links;
  by_id<std::vector<std::string>> exclusions;
};

by_id<std::string> stored_landlord_keys(session& db, std::span<const domain::uuid> accounts);
by_id<std::vector<std::string>> stored_card_platforms(session& db, std::span<const domain::uuid> accounts);
by_id<std::string> stored_user_emails(session& db, std::span<const domain::uuid> accounts);
by_id<stored_property> stored_properties(session& db, std::span<const domain::uuid> accounts);
by_id<stored_unit> stored_units(session& db, std::span<const domain::uuid> accounts);
/// A unit that a platform has created.
struct platform_unit {
  domain::uuid id{};
  domain::uuid account_id{};
  std::string internal_name;
  std::vector<domain::link> links;
};
std::vector<platform_unit> units_from_platforms(session& db, std::span<const domain::uuid> accounts);

stored_details read_stored_details(session& db, std::span<const domain::uuid> accounts);

/// Those of the units that have bookings, of whatever status.
std::vector<domain::uuid> units_with_bookings(session& db, std::span<const domain::uuid> units);
/// Those of the properties that have units.
std::vector<domain::uuid> properties_with_units(session& db, std::span<const domain::uuid> properties);

/// Who holds values that only one account may have. Each looks up the given values only.
struct owned_value {
  domain::uuid id{};      ///< whose: an account's, a user's
  domain::uuid account{}; ///< of which account
};
std::unordered_map<std::string, owned_value> owners_of_landlord_keys(session& db,
                                                                     std::span<const std::string> keys);
/// By address in lower case.
std::unordered_map<std::string, owned_value> owners_of_emails(session& db,
                                                              std::span<const std::string> emails);
by_id<domain::uuid> accounts_of_users(session& db, std::span<const domain::uuid> ids);
by_id<domain::uuid> accounts_of_properties(session& db, std::span<const domain::uuid> ids);
by_id<domain::uuid> accounts_of_units(session& db, std::span<const domain::uuid> ids);
/// Manual and channel blocks with their unit's account; booking blocks with the nil id, which is nobody's.
by_id<domain::uuid> accounts_of_blocks(session& db, std::span<const domain::uuid> ids);

} // namespace roost::store
